# SPDX-License-Identifier: GPL-3.0-or-later
"""The presets: recipes as files, shipped ones and a user's own, found by listing their folders.

A preset is one file, ``presets/<name>.json``; its name is for ever, because it stands in saved
files and in scripts::

    {
      "label": "Alps",
      "description": "Sharp crests above deep valleys",
      "look": {"palette": "alpine", "sea": 0.0},
      "recipe": {"format": 1, "seed": 7, "size": 8000, "height": 1200, "layers": [...]}
    }

`label` stands in menus, `description` is one line without a final full stop. `look` says how pictures
of it are drawn, and may be left out; see `Look`. ``"group"`` says that it is no landform: ``"noise"`` to
begin a land with, or ground to train ``"robots"`` on. A picture of 128 x 128 pixels may lie beside it, a PNG
image of the same name.

Files of a user's own that cannot be read are left out and named by `broken_presets`; shipped ones
keep their names.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from ..base.arguments import check_kind
from ..base.checks import is_line
from ..base.errors import Message, RecipeError, format_value
from ..base.file_names import PICTURES
from ..base.json_texts import text_of
from ..recipes import preset_files
from ..recipes.preset_files import (
    ANT_FOLDER,
    FOLDER,
    PLAIN,
    ant_label,
    ant_names,
    is_preset_name,
    shipped_names,
)
from ..recipes.recipe import Recipe
from .look import Look

__all__ = (
    "FOLDER",
    "GROUPS",
    "PLAIN",
    "Heading",
    "Preset",
    "ant_label",
    "ant_names",
    "broken_presets",
    "heading",
    "is_preset_name",
    "load_preset",
    "look_again",
    "own_names",
    "parse_preset",
    "picture_of",
    "preset",
    "preset_names",
    "shipped_names",
)


GROUPS = ("landforms", "noise", "textures", "robots")
"""Groups of presets, in the order of menus."""

_PLAIN_HELP = "One noise and its octaves, without erosion: to begin a terrain of your own"

_PLAIN_LOOK = Look(palette="moon", has_lakes=False, rivers=0.0, surroundings="none")
"""Gray ground without water, which shows the shape alone."""


@dataclass(frozen=True)
class Preset:
    """A recipe with its name, its texts and its look.

    Attributes
    ----------
    name : str
        Of its file, and in scripts.
    label, description : str
        Texts of menus and tooltips.
    recipe : Recipe
        The recipe itself, with the size that suits its height.
    look : Look
        How pictures of it are drawn.
    stated_group : str
        One of `GROUPS`; empty for a landform, or a texture if its look is flat.

    Examples
    --------
    >>> from noise_core.landscapes.preset_library import preset
    >>> alps = preset("alps")
    >>> alps.label, alps.group, alps.look.palette
    ('Alps', 'landforms', 'alpine')
    """

    name: str
    label: str
    description: str
    recipe: Recipe
    look: Look = Look()
    stated_group: str = ""

    @property
    def group(self) -> str:
        """Group of presets that it belongs to: one of `GROUPS`."""
        return self.stated_group or _implied_group(self.look.is_flat)

    @property
    def size(self) -> float:
        """The recipe's width in meters."""
        return self.recipe.size

    def to_json(self) -> str:
        """Return the content of its file."""
        look = self.look.to_plain()
        plain = {
            "label": self.label,
            "description": self.description,
            **({"group": self.stated_group} if self.stated_group else {}),
            **({"look": look} if look else {}),
            "recipe": json.loads(self.recipe.to_json()),
        }
        return json.dumps(plain, indent=1, ensure_ascii=False) + "\n"


@dataclass(frozen=True)
class Heading:
    """Entry of a list of presets: label, description, and one of `GROUPS`."""

    label: str
    description: str
    group: str


def _implied_group(is_flat: bool) -> str:
    return "textures" if is_flat else "landforms"


def preset_names() -> tuple[str, ...]:
    """Return the names of all presets: the shipped ones, sorted, then a user's own, sorted.

    Examples
    --------
    >>> from noise_core.landscapes.preset_library import preset_names
    >>> {"alps", "island"} <= set(preset_names())
    True
    """
    return (*shipped_names(), *own_names())


def own_names() -> tuple[str, ...]:
    """Return the names of a user's own presets that can be read, sorted."""
    return tuple(sorted(_own_presets().presets))


def broken_presets() -> Mapping[str, Message]:
    """Return the errors of the files that were left out, by their names, sorted."""
    return MappingProxyType(dict(sorted(_own_presets().broken.items())))


def look_again(*folders: Path) -> None:
    """Read a user's own presets from these folders from now on; they need not exist.

    Parameters
    ----------
    *folders : Path
        Folders with a user's own presets.

    Examples
    --------
    >>> import json
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from noise_core.landscapes.preset_library import look_again, own_names, preset

    A folder with a preset of a user, and then none again:

    >>> with TemporaryDirectory() as folder:
    ...     plain = json.loads(preset("island").to_json()) | {"label": "My Island"}
    ...     _ = (Path(folder) / "my_island.json").write_text(json.dumps(plain), encoding="utf-8")
    ...     look_again(Path(folder))
    ...     print(own_names(), preset("my_island").label)
    ('my_island',) My Island
    >>> look_again()
    >>> own_names()
    ()
    """
    preset_files.use_folders(*folders)
    _own_presets.cache_clear()
    _preset.cache_clear()
    heading.cache_clear()


def picture_of(name: str) -> Path | None:
    """Return the file with the picture of a preset; None if it has none.

    Parameters
    ----------
    name : str
        See `preset`.

    Examples
    --------
    >>> from noise_core.landscapes.preset_library import picture_of
    >>> picture_of("alps").name
    'alps.webp'
    """
    return preset_files.path_of(name, PICTURES)


def load_preset(name: str) -> Recipe:
    """Return the recipe of a preset.

    Parameters
    ----------
    name : str
        See `preset`.

    Raises
    ------
    RecipeError
        If there is no such preset, or its file cannot be read.

    Examples
    --------
    >>> from noise_core import Recipe
    >>> from noise_core.landscapes.preset_library import load_preset
    >>> load_preset("alps") == Recipe.from_preset("alps")
    True
    """
    return preset(name).recipe


@functools.lru_cache(maxsize=128)
def heading(name: str) -> Heading:
    """Return the list entry of a preset; the recipe of a shipped one is not made for that.

    Parameters
    ----------
    name : str
        See `preset`.

    Raises
    ------
    RecipeError
        If there is no such preset, or its file cannot be read.

    Examples
    --------
    >>> from noise_core.landscapes.preset_library import heading
    >>> heading("alps").label, heading("alps").group
    ('Alps', 'landforms')
    """
    if name not in shipped_names() or name in _own_presets().presets:
        loaded = preset(name)
        return Heading(loaded.label, loaded.description, loaded.group)
    plain: Any = preset_files.entries(text_of(FOLDER / f"{name}.json"))
    is_flat = plain.get("look", {}).get("is_flat", False)
    group = plain.get("group") or _implied_group(is_flat)
    return Heading(plain["label"], plain["description"], group)


def preset(name: str) -> Preset:
    """Return a preset, or the plain one, with its label, description and size.

    Parameters
    ----------
    name : str
        One of `preset_names`, of those of A.N.T. Landscape, or ``"none"``.

    Raises
    ------
    RecipeError
        If there is no such preset, or its file cannot be read.

    Examples
    --------
    >>> from noise_core.landscapes.preset_library import preset
    >>> preset("island").recipe.needs_grid
    True
    """
    return _preset(check_kind(name, str, "preset", "the name of a preset"))


@functools.lru_cache(maxsize=128)
def _preset(name: str) -> Preset:
    if name == PLAIN:
        return Preset(
            PLAIN, "Plain Noise", _PLAIN_HELP, Recipe.from_preset(PLAIN), _PLAIN_LOOK, "noise"
        )
    presets = _own_presets().presets
    if name in presets:
        return presets[name]
    if name not in (*shipped_names(), *ant_names()):
        available = ", ".join((*shipped_names(), *ant_names(), *own_names()))
        raise RecipeError("preset must be one of {}", available, got=format_value(name))
    try:
        folder = ANT_FOLDER if name in ant_names() else FOLDER
        return parse_preset(name, text_of(folder / f"{name}.json"))
    except RecipeError as error:
        raise RecipeError("preset {}: {}", format_value(name), error) from error


@dataclass(frozen=True)
class _Own:
    presets: Mapping[str, Preset]
    broken: Mapping[str, Message]


@functools.lru_cache(maxsize=1)
def _own_presets() -> _Own:
    presets: dict[str, Preset] = {}
    broken: dict[str, Message] = {}
    for path in preset_files.own_paths():
        try:
            if path.stem in (*presets, *shipped_names(), *ant_names()):
                raise RecipeError("there is a preset of this name already")
            if not is_preset_name(path.stem):
                raise RecipeError(
                    "the name of the file must be lower_case, and not that of a device on Windows"
                )
            presets[path.stem] = _read(path)
        except RecipeError as error:
            broken[path.stem] = error.message
    return _Own(presets, broken)


def _read(path: Path) -> Preset:
    try:
        return parse_preset(path.stem, text_of(path))
    except RecursionError:
        raise RecipeError("nested too deeply") from None


def parse_preset(name: str, text: str) -> Preset:
    """Return the preset that a file of this name holds.

    Parameters
    ----------
    name : str
        Of the file, without its suffix.
    text : str
        JSON.

    Raises
    ------
    RecipeError
        If it holds none.

    Examples
    --------
    >>> from noise_core.landscapes.preset_library import parse_preset, preset

    A preset is one file of JSON, which can be written and read back:

    >>> text = preset("island").to_json()
    >>> parse_preset("island", text) == preset("island")
    True
    """
    plain = preset_files.entries(text)
    label, description = plain["label"], plain["description"]
    if not is_line(label) or not label.strip() or not is_line(description):
        raise RecipeError(
            "label and description must be a line of text each",
            got=f"{format_value(label)}, {format_value(description)}",
        )
    group = plain.get("group", "")
    if group not in ("", *GROUPS):
        raise RecipeError("group must be one of {}", ", ".join(GROUPS), got=format_value(group))
    recipe = Recipe.from_plain(plain["recipe"])
    look = Look.from_plain(plain.get("look", {}))
    return Preset(name, label, description, recipe, look, group)
