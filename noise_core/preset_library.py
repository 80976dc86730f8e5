# SPDX-License-Identifier: GPL-3.0-or-later
"""The presets: recipes as files, shipped ones and a user's own, found by listing their folders.

A preset is one file, ``presets/<name>.json``; its name is for ever, because it stands in saved
files and in scripts::

    {
      "label": "Alps",
      "description": "Sharp crests above deep valleys",
      "look": {"palette": "alpine", "sea": 0.0},
      "recipe": {"format": 5, "seed": 7, "size": 8000, "height": 1200, "layers": [...]}
    }

`label` is what menus say, `description` one line without a final full stop. `look` says how pictures
of it are drawn, and may be left out; see `Look`. A picture of 128 x 128 pixels may lie beside it, a PNG
image of the same name. Beside recipes of formats 1 to 3, which have no size, stands a `"size"`.

Files of a user's own that cannot be read are left out and named by `broken_presets`; shipped ones
keep their names.
"""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from types import MappingProxyType

from .base.checks import is_line
from .base.errors import Message, ParameterError, RecipeError, format_value
from .base.json_texts import text_of
from .base.params import Declared
from .io import preset_files
from .io.preset_files import FOLDER, PLAIN, is_preset_name, shipped_names
from .materials.colors import LANDSCAPES, LAYER_LIMITS
from .recipe import Recipe
from .scene import SURROUNDINGS, Camera, Sky

__all__ = (
    "FOLDER",
    "PLAIN",
    "Look",
    "Preset",
    "broken_presets",
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


def _check_limits(limits: object) -> None:
    """Raise an error if these are not numbers by the names of `LAYER_LIMITS`."""
    if not isinstance(limits, Mapping) or not set(limits) <= set(LAYER_LIMITS):
        raise RecipeError(
            "look.limits must be an object of {}; got {}",
            ", ".join(LAYER_LIMITS),
            format_value(limits),
        )
    for name, value in limits.items():
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if not (is_number and math.isfinite(value)):
            raise RecipeError("look.limits.{} must be a number; got {}", name, format_value(value))


@dataclass(frozen=True)
class Look:
    """How pictures of a preset are drawn.

    Attributes
    ----------
    palette : str
        One of `LANDSCAPES`.
    sea : float or None
        Height of the sea in meters, at the preset's own size; None if there is none.
    has_lakes : bool
        Whether water stands in the lakes that erosion has left.
    is_flat : bool
        Whether it is a texture, drawn in grays without light.
    limits : mapping of str to float
        Limits of the palette's layers where they differ from it, by their names in `LAYER_LIMITS`.
    surroundings : str
        One of `SURROUNDINGS`.
    sky : Sky
    camera : Camera
    """

    palette: str = "alpine"
    sea: float | None = None
    has_lakes: bool = True
    is_flat: bool = False
    limits: Mapping[str, float] = field(default_factory=dict)
    surroundings: str = "mirror"
    sky: Sky = Sky()
    camera: Camera = Camera()

    def __post_init__(self) -> None:
        if self.surroundings not in SURROUNDINGS:
            raise RecipeError(
                "look.surroundings must be one of {}; got {}",
                ", ".join(SURROUNDINGS),
                format_value(self.surroundings),
            )
        _check_limits(self.limits)
        if not isinstance(self.palette, str) or self.palette not in LANDSCAPES:
            allowed = ", ".join(LANDSCAPES)
            raise RecipeError(
                "look.palette must be one of {}; got {}", allowed, format_value(self.palette)
            )
        is_number = isinstance(self.sea, (int, float)) and not isinstance(self.sea, bool)
        if self.sea is not None and not (is_number and math.isfinite(self.sea)):
            raise RecipeError(
                "look.sea must be a number of meters or null; got {}", format_value(self.sea)
            )
        for name in ("has_lakes", "is_flat"):
            value = getattr(self, name)
            if not isinstance(value, bool):
                raise RecipeError(
                    "look.{} must be true or false; got {}", name, format_value(value)
                )


@dataclass(frozen=True)
class Preset:
    """A recipe with what a person wants to know about it.

    Attributes
    ----------
    name : str
        Of its file; what scripts say.
    label, description : str
        What menus and tooltips say.
    recipe : Recipe
        The recipe itself, with the size that suits its height.
    look : Look
        How pictures of it are drawn.
    """

    name: str
    label: str
    description: str
    recipe: Recipe
    look: Look = Look()

    @property
    def size(self) -> float:
        """The recipe's width in meters."""
        return self.recipe.size

    def to_json(self) -> str:
        """Return what its file holds."""
        usual = Look()
        look = {
            one.name: _plain(getattr(self.look, one.name))
            for one in fields(Look)
            if getattr(self.look, one.name) != getattr(usual, one.name)
        }
        plain = {
            "label": self.label,
            "description": self.description,
            **({"look": look} if look else {}),
            "recipe": json.loads(self.recipe.to_json()),
        }
        return json.dumps(plain, indent=1, ensure_ascii=False) + "\n"


def preset_names() -> tuple[str, ...]:
    """Return the names of all presets: the shipped ones, sorted, then a user's own, sorted."""
    return (*shipped_names(), *own_names())


def own_names() -> tuple[str, ...]:
    """Return the names of a user's own presets that can be read, sorted."""
    return tuple(sorted(_own_presets().presets))


def broken_presets() -> Mapping[str, Message]:
    """Return what is wrong with the files that were left out, by their names, sorted."""
    return MappingProxyType(dict(sorted(_own_presets().broken.items())))


def look_again(*folders: Path) -> None:
    """Read a user's own presets anew, in these folders from now on; they need not exist."""
    preset_files.use_folders(*folders)
    _own_presets.cache_clear()
    preset.cache_clear()


def picture_of(name: str) -> Path | None:
    """Return the file with the picture of a preset; None if it has none."""
    return preset_files.path_of(name, ".png")


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
        return Preset(PLAIN, "Plain", "One noise and its octaves", Recipe.from_preset(PLAIN))
    own = _own_presets().presets
    if name in own:
        return own[name]
    if name not in shipped_names():
        raise RecipeError(
            "preset must be one of {}; got {}", ", ".join(preset_names()), format_value(name)
        )
    try:
        return parse_preset(name, text_of(FOLDER / f"{name}.json"))
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
            if path.stem in presets or path.stem in shipped_names():
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

    Raises
    ------
    RecipeError
        If it holds none.
    """
    plain = preset_files.entries(text)
    label, description = plain["label"], plain["description"]
    if not is_line(label) or not label.strip() or not is_line(description):
        raise RecipeError(
            "label and description must be a line of text each; got {}, {}",
            format_value(label),
            format_value(description),
        )
    recipe, size = preset_files.recipe_in(plain)
    look = plain.get("look", {})
    known = {one.name for one in fields(Look)}
    if not isinstance(look, dict) or not set(look) <= known:
        raise RecipeError(
            "look must be an object of {}; got {}", ", ".join(sorted(known)), format_value(look)
        )
    parts = {name: _part(cls, look[name]) for name, cls in _PARTS.items() if name in look}
    return Preset(
        name, label, description, Recipe.from_plain(recipe, size=size), Look(**{**look, **parts})
    )


_PARTS: Mapping[str, type[Declared]] = MappingProxyType({"sky": Sky, "camera": Camera})


def _part(cls: type[Declared], plain: object) -> Declared:
    """Return the sky or the camera that a file describes; what is left out has its default."""
    known = {one.name for one in cls.parameters()}
    if not isinstance(plain, dict) or not set(plain) <= known:
        raise RecipeError(
            "look.{} must be an object of {}; got {}",
            cls.key,
            ", ".join(sorted(known)),
            format_value(plain),
        )
    try:
        return cls(**plain)
    except ParameterError as error:
        raise RecipeError("look.{}: {}", cls.key, error) from error


def _plain(value: object) -> object:
    """Return a value of a look as JSON holds it: of its parts what differs from the default."""
    if not isinstance(value, Declared):
        return dict(value) if isinstance(value, Mapping) else value
    usual = type(value)()
    return {
        one.name: getattr(value, one.name)
        for one in value.parameters()
        if getattr(value, one.name) != getattr(usual, one.name)
    }
