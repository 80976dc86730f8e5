# SPDX-License-Identifier: GPL-3.0-or-later
"""The user's own presets: files in the extension's folder for user data.

Every choice of presets lists them next to the shipped ones. They survive updates of Terrane. Each
has a picture beside it.
"""

from __future__ import annotations

import logging
import unicodedata
import zlib
from pathlib import Path

import bpy

from ....noise_core.base.arrays import Field
from ....noise_core.base.checks import LONGEST_TEXT, is_line
from ....noise_core.base.errors import TerraneError
from ....noise_core.base.file_names import avoid_device_name
from ....noise_core.preset_library import (
    Preset,
    is_preset_name,
    look_again,
    own_names,
    parse_preset,
    preset,
    shipped_names,
)
from ..datablocks import atomic_files
from ..interface import thumbnails
from . import preferences, preset_choice, settings

LONGEST_LABEL = 60

_LOG = logging.getLogger(__package__)


def folder(*, create: bool = False) -> Path | None:
    """Return the folder of the user's own presets; None if Terrane is not installed as an extension.

    Raises
    ------
    TerraneError
        If it cannot be created.
    """
    try:
        return Path(
            bpy.utils.extension_path_user(preferences.PACKAGE, path="presets", create=create)
        )
    except ValueError:
        return None
    except OSError as error:
        raise TerraneError("The folder for presets cannot be made: {}", error) from error


def find() -> None:
    """Reload the user's own presets, and log which ones were left out, and why."""
    _reload()
    for name, reason in preset_choice.find_problems().items():
        _LOG.warning("Terrane: the preset %s was left out: %s", name, reason)


def name_of(label: str) -> str:
    """Return the file name for a preset with a label.

    A preset that already has the label keeps its file name. File names have no punctuation: where
    labels differ in that alone, such as "Dune 1.5" and "Dune 1-5", the later one gets a number.

    Raises
    ------
    TerraneError
        If the label is empty, is that of a shipped preset, or does not fit into a menu.
    """
    label = label.strip()
    if not label:
        raise TerraneError("Give the preset a name")
    if len(label) > LONGEST_LABEL:
        raise TerraneError(
            "A preset's name has at most {} letters; got {}", LONGEST_LABEL, len(label)
        )
    if not is_line(label):
        raise TerraneError("A preset's name is one line, without tabs")
    plain = _plain_name(label)
    if not is_preset_name(plain) or plain in shipped_names():
        raise TerraneError(
            "{} is the name of a preset that comes with Terrane: give another", label
        )
    _reload()
    called_so = [name for name in own_names() if _is_same(preset(name).label, label)]
    if called_so:
        return plain if plain in called_so else called_so[0]
    name, count = plain, 1
    while name in own_names() or name in shipped_names() or _is_other_file(name):
        count += 1
        name = f"{plain}_{count}"
    return name


def _is_other_file(name: str) -> bool:
    """Return whether a file name differs in case alone, which many systems ignore."""
    own = folder()
    there = [] if own is None else [path.stem for path in own.glob("*")]
    return any(stem != name and stem.casefold() == name for stem in there)


def _plain_name(label: str) -> str:
    """Return a label as lower case letters, digits and underscores."""
    plain = unicodedata.normalize("NFKD", label).encode("ascii", "ignore").decode()
    words = "".join(letter if letter.isalnum() else " " for letter in plain.lower()).split()
    name = "_".join(words)
    if not all(
        letter.isascii() or unicodedata.combining(letter)
        for letter in unicodedata.normalize("NFKD", label)
    ):
        name = f"{name}_{zlib.crc32(label.encode()):08x}"  # other scripts have no ASCII letters
    return avoid_device_name(name) if name[:1].isalpha() else f"preset_{name.strip('_')}"


def _is_same(label: str, other: str) -> bool:
    """Return whether two labels are equal up to case and spaces."""
    return label.casefold().split() == other.casefold().split()


def save(kept: Preset, *, overwrite: bool) -> None:
    """Write one of the user's own presets.

    Raises
    ------
    TerraneError
        If it could not be read back, cannot be written, or exists and is not to be replaced.
    """
    own = folder(create=True)
    if own is None:
        raise TerraneError("Presets can be saved where Terrane is installed as an extension")
    if not is_line(kept.description):
        raise TerraneError("A preset's description is one line of at most {} letters", LONGEST_TEXT)
    text = kept.to_json()
    settings.check_measures(parse_preset(kept.name, text).recipe)
    file = own / f"{kept.name}.json"
    if atomic_files.is_there(file) and not overwrite:
        raise TerraneError(
            "There is a preset {} already: give another name, or switch on Replace", kept.label
        )
    atomic_files.write(file, text.encode())
    atomic_files.remove(file.with_suffix(".png"))  # of the former preset
    thumbnails.forget_preset(kept.name)
    _reload()


def save_picture(name: str, picture: Field) -> None:
    """Write the picture of one of the user's own presets, unless the preset was removed.

    Raises
    ------
    TerraneError
        If it cannot be written.
    """
    from ....noise_core.io.image_writing import image_bytes  # here: few Blenders write a picture

    own = folder()
    if own is None or name not in own_names():
        return
    atomic_files.write(own / f"{name}.png", image_bytes(picture, "png", 8, is_color=True))
    thumbnails.show_preset(name, picture)


def delete(name: str) -> None:
    """Remove one of the user's own presets and its picture: both or none.

    Raises
    ------
    TerraneError
        If there is no such preset, or it cannot be removed.
    """
    own = folder()
    if own is None or name not in own_names():
        allowed = ", ".join(own_names()) or "none, for none was saved"
        raise TerraneError("preset must be one of your own: {}; got {!r}", allowed, name)
    atomic_files.discard(own / f"{name}{suffix}" for suffix in (".json", ".png"))
    thumbnails.forget_preset(name)
    _reload()


def _reload() -> None:
    """Reload the user's own presets, since another Blender may have written some."""
    own = folder()
    look_again(*([] if own is None else [own]))
