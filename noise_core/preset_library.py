# SPDX-License-Identifier: GPL-3.0-or-later
"""The presets: recipes as files, shipped ones and a user's own, found by listing their folders.

A preset is one file, ``presets/<name>.json``; its name is for ever, because it stands in saved
files and in scripts::

    {
      "label": "Alps",
      "description": "Sharp crests above deep valleys",
      "size": 8000,
      "look": {"palette": "alpine", "sea": 0.0},
      "recipe": {"format": 3, "noise": {...}, "modifiers": [], "seed": 7, "height": 1200}
    }

`label` is what menus say, `description` one line without a final full stop, `size` the width in
metres of the terrain that the recipe's height was chosen for. `look` says how pictures of it are
drawn, and may be left out; see `Look`. A picture of 128 x 128 pixels may lie beside it, a PNG image of
the same name.

Files of a user's own that cannot be read are left out and named by `broken_presets`; shipped ones
keep their names.
"""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from types import MappingProxyType

from .checks import is_line
from .colours import LANDSCAPES
from .errors import RecipeError, shown
from .file_names import is_key
from .json_texts import json_value, text_of
from .noises.fractal import Fractal
from .recipe import Recipe

FOLDER = Path(__file__).parent / "presets"

PLAIN = "none"
"""Stands for no preset: a plain fractal with the declared defaults. No file may have this name."""

_ENTRIES = {"label", "description", "size", "recipe"}
_OPTIONAL = {"look"}


@dataclass(frozen=True)
class Look:
    """How pictures of a preset are drawn.

    Attributes
    ----------
    palette : str
        One of `LANDSCAPES`.
    sea : float or None
        Height of the sea in metres, at the preset's own size; None if there is none.
    is_flat : bool
        Whether it is a texture, drawn in greys without light.
    """

    palette: str = "alpine"
    sea: float | None = None
    is_flat: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.palette, str) or self.palette not in LANDSCAPES:
            allowed = ", ".join(LANDSCAPES)
            raise RecipeError(f"look.palette must be one of {allowed}; got {shown(self.palette)}")
        is_number = isinstance(self.sea, (int, float)) and not isinstance(self.sea, bool)
        if self.sea is not None and not (is_number and math.isfinite(self.sea)):
            raise RecipeError(f"look.sea must be a number of meters or null; got {shown(self.sea)}")
        if not isinstance(self.is_flat, bool):
            raise RecipeError(f"look.is_flat must be true or false; got {shown(self.is_flat)}")


@dataclass(frozen=True)
class Preset:
    """A recipe with what a person wants to know about it.

    Attributes
    ----------
    name : str
        Of its file; what scripts say.
    label, description : str
        What menus and tooltips say.
    size : float
        Width in metres that suits the recipe's height.
    recipe : Recipe
        The recipe itself.
    look : Look
        How pictures of it are drawn.
    """

    name: str
    label: str
    description: str
    size: float
    recipe: Recipe
    look: Look = Look()

    def to_json(self) -> str:
        """Return what its file holds."""
        look = {
            one.name: getattr(self.look, one.name)
            for one in fields(Look)
            if getattr(self.look, one.name) != one.default
        }
        plain = {
            "label": self.label,
            "description": self.description,
            "size": self.size,
            **({"look": look} if look else {}),
            "recipe": json.loads(self.recipe.to_json()),
        }
        return json.dumps(plain, indent=1, ensure_ascii=False) + "\n"


def preset_names() -> tuple[str, ...]:
    """Return the names of all presets: the shipped ones, sorted, then a user's own, sorted."""
    return (*shipped_names(), *own_names())


@functools.lru_cache(maxsize=1)
def shipped_names() -> tuple[str, ...]:
    """Return the names of all shipped presets, sorted."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.json") if is_key(path.stem)))


def own_names() -> tuple[str, ...]:
    """Return the names of a user's own presets that can be read, sorted."""
    return tuple(sorted(_own_presets().presets))


def broken_presets() -> Mapping[str, str]:
    """Return what is wrong with the files that were left out, by their names, sorted."""
    return MappingProxyType(dict(sorted(_own_presets().broken.items())))


def look_again(*folders: Path) -> None:
    """Read a user's own presets anew, in these folders from now on; they need not exist."""
    global _own_folders
    _own_folders = folders
    _own_presets.cache_clear()
    preset.cache_clear()


def picture_of(name: str) -> Path | None:
    """Return the file with the picture of a preset; None if it has none."""
    folders = (FOLDER,) if name in shipped_names() or name == PLAIN else _own_folders
    files = (folder / f"{name}.png" for folder in folders)
    return next((file for file in files if file.is_file()), None)


def is_preset_name(name: str) -> bool:
    """Return whether a preset may have this name: lower case letters, digits and underscores."""
    return is_key(name) and name != PLAIN


def load_preset(name: str) -> Recipe:
    """Return the recipe of a preset.

    Raises
    ------
    RecipeError
        If there is no such preset, or its file cannot be read.
    """
    return preset(name).recipe


@functools.lru_cache(maxsize=64)
def preset(name: str) -> Preset:
    """Return a preset, or the plain one, with its label, description and size.

    Raises
    ------
    RecipeError
        If there is no such preset, or its file cannot be read.
    """
    if name == PLAIN:
        return Preset(
            PLAIN, "Plain", "One noise and its octaves", 100.0, Recipe(noise=Fractal(), height=20.0)
        )
    own = _own_presets().presets
    if name in own:
        return own[name]
    if name not in shipped_names():
        raise RecipeError(f"preset must be one of {', '.join(preset_names())}; got {shown(name)}")
    try:
        return _read(FOLDER / f"{name}.json")
    except RecipeError as error:
        raise RecipeError(f"preset {shown(name)}: {error}") from error


_own_folders: tuple[Path, ...] = ()


@dataclass(frozen=True)
class _Own:
    presets: Mapping[str, Preset]
    broken: Mapping[str, str]


@functools.lru_cache(maxsize=1)
def _own_presets() -> _Own:
    presets: dict[str, Preset] = {}
    broken: dict[str, str] = {}
    for path in (path for folder in _own_folders for path in sorted(folder.glob("*.json"))):
        try:
            if path.stem in presets or path.stem in shipped_names():
                raise RecipeError("there is a preset of this name already")
            if not is_preset_name(path.stem):
                raise RecipeError(
                    "the name of the file must be lower_case, and not that of a device on Windows"
                )
            presets[path.stem] = _read(path)
        except RecipeError as error:
            broken[path.stem] = str(error)
        except RecursionError:
            broken[path.stem] = "nested too deeply"
    return _Own(presets, broken)


def _read(path: Path) -> Preset:
    return parse_preset(path.stem, text_of(path))


def parse_preset(name: str, text: str) -> Preset:
    """Return the preset that a file of this name holds.

    Raises
    ------
    RecipeError
        If it holds none.
    """
    try:
        plain = json_value(text)
    except ValueError as error:
        raise RecipeError(f"not JSON: {error}") from error
    if not isinstance(plain, dict) or set(plain) - _OPTIONAL != _ENTRIES:
        came = ", ".join(sorted(plain)) if isinstance(plain, dict) else type(plain).__name__
        raise RecipeError(
            f"must be an object with {', '.join(sorted(_ENTRIES))}, and may have "
            f"{', '.join(sorted(_OPTIONAL))}; got {came}"
        )
    label, description, size = plain["label"], plain["description"], plain["size"]
    if not is_line(label) or not label.strip() or not is_line(description):
        raise RecipeError(
            f"label and description must be a line of text each; got {shown(label)}, {shown(description)}"
        )
    if (
        not isinstance(size, (int, float))
        or isinstance(size, bool)
        or not (size > 0 and math.isfinite(size))
    ):
        raise RecipeError(f"size must be a number of meters above 0; got {shown(size)}")
    recipe = Recipe.from_plain(plain["recipe"])
    look = plain.get("look", {})
    known = {one.name for one in fields(Look)}
    if not isinstance(look, dict) or not set(look) <= known:
        raise RecipeError(
            f"look must be an object of {', '.join(sorted(known))}; got {shown(look)}"
        )
    return Preset(name, label, description, float(size), recipe, Look(**look))
