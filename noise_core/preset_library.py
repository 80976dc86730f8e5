# SPDX-License-Identifier: GPL-3.0-or-later
"""The shipped presets: recipes as files, found by listing their folder.

A preset is one file, ``presets/<name>.json``; its name is for ever, because it stands in saved
files and in scripts::

    {
      "label": "Alps",
      "description": "Sharp crests above deep valleys",
      "size": 8000,
      "recipe": {"format": 2, "noise": {...}, "modifiers": [], "seed": 7, "height": 1200}
    }

`label` is what menus say, `description` one line without a final full stop, `size` the width in
metres of the terrain that the recipe's height was chosen for.
"""

from __future__ import annotations

import functools
import json
import math
import re
from dataclasses import dataclass
from pathlib import Path

from .errors import RecipeError
from .noises.fractal import Fractal
from .recipe import Recipe

FOLDER = Path(__file__).parent / "presets"

PLAIN = "none"
"""Stands for no preset: a plain fractal with the declared defaults. No file may have this name."""

_NAME = re.compile(r"[a-z][a-z0-9_]*")
_ENTRIES = {"label", "description", "size", "recipe"}


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
    """

    name: str
    label: str
    description: str
    size: float
    recipe: Recipe


def preset_names() -> tuple[str, ...]:
    """Return the names of all shipped presets, sorted."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.json") if _NAME.fullmatch(path.stem)))


def load_preset(name: str) -> Recipe:
    """Return the recipe of a shipped preset.

    Raises
    ------
    RecipeError
        If there is no such preset, or its file cannot be read.
    """
    return preset(name).recipe


@functools.lru_cache(maxsize=64)
def preset(name: str) -> Preset:
    """Return a shipped preset, or the plain one, with its label, description and size.

    Raises
    ------
    RecipeError
        If there is no such preset, or its file cannot be read.
    """
    if name == PLAIN:
        return Preset(
            PLAIN, "Plain", "One noise and its octaves", 100.0, Recipe(noise=Fractal(), height=20.0)
        )
    if name not in preset_names():
        raise RecipeError(f"preset must be one of {', '.join(preset_names())}; got {name!r}")
    try:
        return _parsed(name, (FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    except (OSError, RecipeError) as error:
        raise RecipeError(f"preset {name!r}: {error}") from error


def _parsed(name: str, text: str) -> Preset:
    try:
        plain = json.loads(text)
    except ValueError as error:
        raise RecipeError(f"not JSON: {error}") from error
    if not isinstance(plain, dict) or set(plain) != _ENTRIES:
        raise RecipeError(f"must be an object with exactly {', '.join(sorted(_ENTRIES))}")
    label, description, size = plain["label"], plain["description"], plain["size"]
    if not isinstance(label, str) or not isinstance(description, str):
        raise RecipeError("label and description must be text")
    if not isinstance(size, (int, float)) or not (size > 0 and math.isfinite(size)):
        raise RecipeError(f"size must be a number of metres above 0; got {size!r}")
    recipe = Recipe.from_json(json.dumps(plain["recipe"]))
    return Preset(name, label, description, float(size), recipe)
