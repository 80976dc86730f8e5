# SPDX-License-Identifier: GPL-3.0-or-later
"""Choice of presets, as lists and as pictures, and the user's own ones.

The user's own presets are files in the extension's folder for user data, where they survive updates
of Terrane; each has a picture beside it. Every choice lists them next to the shipped ones. A user may
save and delete presets at any time, so that the lists are built whenever they are shown.
"""

from __future__ import annotations

import functools
import itertools
import unicodedata
import zlib
from pathlib import Path
from typing import Any

import bpy
from bpy.props import EnumProperty

from ....noise_core.base import atomic_files
from ....noise_core.base.arrays import Field
from ....noise_core.base.checks import LONGEST_TEXT, is_line
from ....noise_core.base.errors import Message, ParameterError, TerraneError
from ....noise_core.base.file_names import PICTURES, avoid_device_name
from ....noise_core.landscapes.preset_library import (
    GROUPS,
    PLAIN,
    Preset,
    ant_label,
    ant_names,
    broken_presets,
    heading,
    is_preset_name,
    look_again,
    own_names,
    parse_preset,
    preset,
    preset_names,
    shipped_names,
)
from ..interface import thumbnails, user_files
from . import preferences, settings
from .enum_items import enum_number

AS_IT_IS = "AS_IT_IS"
"""Item for the present settings; choosing it changes nothing. Names of presets are lower case."""

PICTURE = "preset_picture"
"""Name of the property of settings that shows and chooses a preset by its picture."""

LANDFORMS, NOISE, TEXTURES, ROBOTS, OWN = (
    Message("Landforms"),
    Message("Noise"),
    Message("Textures"),
    Message("Robots"),
    Message("Your Own"),
)
"""Titles of groups of presets."""

FROM_ANT = Message("From A.N.T.")

ANT_HELP = Message("Preset of A.N.T. Landscape, the add-on that came with Blender until 4.1")

_SHIPPED = dict(zip(GROUPS, (LANDFORMS, NOISE, TEXTURES, ROBOTS)))

COLUMNS = 8
"""Pictures in a row of Blender's browser."""

_TITLE = "TITLE "
"""Begins the cells of the browser that have no picture."""

LONGEST_LABEL = 60


# Choice


def existing_name(name: str) -> str:
    """Return the name of a preset, or that of the plain one if the preset no longer exists."""
    existing = (*preset_names(), *ant_names())
    return name if name in existing and name not in find_problems() else PLAIN


def find_problems() -> dict[str, Message]:
    """Return why some of the user's own presets cannot be chosen, by name."""
    problems: dict[str, Message] = dict(broken_presets())
    for name in own_names():
        try:
            settings.check_measures(preset(name).recipe)
        except ParameterError as error:
            problems[name] = error.message
    return problems


def items(owner: Any = None, context: Any = None) -> list[Any]:
    """Return the enum items of all presets that can be chosen."""
    names = itertools.chain.from_iterable(by_group().values())
    return _enum_items(
        tuple(
            (name, heading(name).label, heading(name).description, "NONE", enum_number(name))
            for name in names
        )
        + tuple(
            (name, ant_label(name), ANT_HELP, "NONE", enum_number(name)) for name in ant_names()
        )
    )


def landform_items(owner: Any = None, context: Any = None) -> list[Any]:
    """Return the enum items of the presets that are landforms, and of the user's own ones."""
    groups = by_group()
    return _enum_items(
        tuple(
            (name, heading(name).label, heading(name).description, "NONE", enum_number(name))
            for name in (*groups[LANDFORMS], *groups[OWN])
        )
    )


def by_group() -> dict[str, list[str]]:
    """Return the names of all presets that can be chosen, by the titles of their groups; the user's come third."""
    user_presets, broken = own_names(), find_problems()
    titles = (LANDFORMS, NOISE, OWN, TEXTURES, ROBOTS)
    groups: dict[str, list[str]] = {title: [] for title in titles}
    for name in (PLAIN, *preset_names()):
        if name not in broken:
            groups[OWN if name in user_presets else _SHIPPED[heading(name).group]].append(name)
    return groups


def picture_items(owner: Any = None, context: Any = None) -> list[Any]:
    """Return the items of all presets with pictures, and one for the present settings: each group in its own rows.

    They are numbered by their place in the list: Blender keeps a button's value as a 32-bit float,
    which cannot hold hashes of names. These numbers are not stored.
    """
    groups = by_group()
    rows = (
        groups[LANDFORMS],
        [_title(NOISE), *groups[NOISE]],
        [_title(OWN), *groups[OWN]] if groups[OWN] else [],
        [_title(TEXTURES), *groups[TEXTURES], AS_IT_IS],
        [_title(ROBOTS), *groups[ROBOTS]],
        [_title(FROM_ANT), *ant_names()],
    )
    cells: list[str] = []
    for row in rows:
        cells += row + [_title("")] * (-len(row) % COLUMNS)
    return _enum_items(
        tuple(_browser_item(cell, place, context) for place, cell in enumerate(cells))
    )


def _title(text: str) -> str:
    """Return the placeholder, among names of presets, for a cell with a title or nothing instead of a picture."""
    return f"{_TITLE}{text}"


def _browser_item(cell: str, place: int, context: Any) -> tuple[str, str, str, int, int]:
    """Return the item of a cell of the browser: a title, the present settings or a preset."""
    if cell.startswith(_TITLE):
        return ("", cell[len(_TITLE) :], "", thumbnails.NO_ICON, place)
    if cell == AS_IT_IS:
        text = "The settings of this panel as they are now: choosing them changes nothing"
        return (AS_IT_IS, "Your Settings", text, _present_icon(context), place)
    if cell in ant_names():
        return (cell, ant_label(cell), ANT_HELP, thumbnails.preset_icon(cell), place)
    header = heading(cell)
    return (cell, header.label, header.description, thumbnails.preset_icon(cell), place)


def picture_property() -> Any:
    """Return the property of settings that shows all presets as pictures; setting it loads one."""
    return EnumProperty(
        name="Preset",
        description="Click a preview to replace the settings with its preset",
        items=picture_items,
        get=_shown_place,
        set=_choose,
        options={"SKIP_SAVE"},
    )


@functools.lru_cache(maxsize=16)
def _enum_items(items: tuple[Any, ...]) -> list[Any]:
    """Keep the texts of enum items that functions return, which Blender does not, and return them."""
    return list(items)


def _present_icon(context: Any) -> int:
    """Return the icon with the picture of the settings in the current editor."""
    area = getattr(context, "area", None)
    return thumbnails.NO_ICON if area is None else thumbnails.settings_icon(area.type)


def _shown_place(group: Any) -> int:
    """Return the place of the present settings, or of their preset if they have no picture."""
    is_drawn = _present_icon(bpy.context) != thumbnails.NO_ICON
    shown = AS_IT_IS if is_drawn else existing_name(group.preset)
    return next(int(item[-1]) for item in picture_items() if item[0] == shown)


def _choose(group: Any, place: int) -> None:
    name = next(item[0] for item in picture_items() if item[-1] == place)
    if name not in ("", AS_IT_IS):
        settings.write_preset(group, name)


# The user's own presets


def folder(*, create: bool = False) -> Path | None:
    """Return the folder of the user's own presets; see `user_files.user_folder`."""
    try:
        return user_files.user_folder("presets", create=create)
    except OSError as error:
        raise TerraneError("The folder for presets cannot be made: {}", error) from error


def find() -> None:
    """Reload the user's own presets, and log which ones were left out, and why."""
    _reload()
    preferences.log_left_out("preset", find_problems())


def name_of(label: str) -> str:
    """Return the file name for a preset with a label.

    A preset that already has the label keeps its file name. File names have no punctuation: where
    labels differ in that alone, such as "Dune 1.5" and "Dune 1-5", the later one gets a number.
    """
    label = label.strip()
    if not label:
        raise TerraneError("Give the preset a name")
    if len(label) > LONGEST_LABEL:
        raise TerraneError("A preset's name has at most {} letters", LONGEST_LABEL, got=len(label))
    if not is_line(label):
        raise TerraneError("A preset's name is one line, without tabs")
    plain = _plain_name(label)
    if not is_preset_name(plain) or plain in (*shipped_names(), *ant_names()):
        raise TerraneError(
            "{} is the name of a preset that comes with Terrane: give another", label
        )
    _reload()
    words = label.casefold().split()
    called_so = [name for name in own_names() if preset(name).label.casefold().split() == words]
    if called_so:
        return plain if plain in called_so else called_so[0]
    directory = folder()
    stems = () if directory is None else (path.stem for path in directory.glob("*"))
    # Many systems ignore the case of a file name; one that differs in that alone is another file.
    taken = {*preset_names(), *(stem.casefold() for stem in stems if stem != stem.casefold())}
    name, count = plain, 1
    while name in taken:
        count += 1
        name = f"{plain}_{count}"
    return name


def _plain_name(label: str) -> str:
    """Return a label as lower case letters, digits and underscores."""
    letters = unicodedata.normalize("NFKD", label)
    plain = letters.encode("ascii", "ignore").decode().lower()
    words = "".join(letter if letter.isalnum() else " " for letter in plain).split()
    name = "_".join(words)
    if not all(letter.isascii() or unicodedata.combining(letter) for letter in letters):
        name = f"{name}_{zlib.crc32(label.encode()):08x}"  # other scripts have no ASCII letters
    return avoid_device_name(name) if name[:1].isalpha() else f"preset_{name.strip('_')}"


def save(kept: Preset, *, overwrite: bool) -> None:
    """Write one of the user's own presets, unless it could not be read back."""
    directory = folder(create=True)
    if directory is None:
        raise TerraneError("Presets can be saved where Terrane is installed as an extension")
    if not is_line(kept.description):
        raise TerraneError("A preset's description is one line of at most {} letters", LONGEST_TEXT)
    text = kept.to_json()
    settings.check_measures(parse_preset(kept.name, text).recipe)
    file = directory / f"{kept.name}.json"
    if atomic_files.is_there(file) and not overwrite:
        raise TerraneError("Preset {} exists: choose another name, or enable Overwrite", kept.label)
    atomic_files.write(file, text.encode())
    for suffix in PICTURES:  # of the former preset
        atomic_files.remove(file.with_suffix(suffix))
    thumbnails.forget_preset(kept.name)
    _reload()


def save_picture(name: str, picture: Field) -> None:
    """Write the picture of one of the user's own presets, unless the preset was removed."""
    from ....noise_core.codecs.image_writing import (
        image_bytes,  # here: few Blenders write a picture
    )

    directory = folder()
    if directory is not None and name in own_names():
        atomic_files.write(directory / f"{name}.png", image_bytes(picture, "png", 8, is_color=True))
        thumbnails.show_preset(name, picture)


def delete(name: str) -> None:
    """Remove one of the user's own presets and its picture: both or none."""
    directory = folder()
    if directory is None or name not in own_names():
        allowed = ", ".join(own_names()) or "none, for none was saved"
        raise TerraneError("preset must be one of your own: {}", allowed, got=repr(name))
    atomic_files.discard(directory / f"{name}{suffix}" for suffix in (".json", *PICTURES))
    thumbnails.forget_preset(name)
    _reload()


def _reload() -> None:
    """Reload the user's own presets, since another Blender may have written some."""
    directory = folder()
    look_again(*([] if directory is None else [directory]))
