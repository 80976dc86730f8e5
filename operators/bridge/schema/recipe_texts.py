# SPDX-License-Identifier: GPL-3.0-or-later
"""Recipes as text: stored in Blender's files, from the clipboard, and in files."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterable
from pathlib import Path

from ....noise_core.base import atomic_files
from ....noise_core.base.errors import Message, RecipeError, TerraneError
from ....noise_core.base.file_names import check_file_path
from ....noise_core.base.json_texts import json_value, text_of
from ....noise_core.recipes.recipe import Recipe
from . import paths
from .layers import LayerState

SUFFIX = ".json"


def recipe_of(text: str) -> Recipe:
    """Return the recipe in a text.

    Panels and polls read the texts in Blender's files at every redraw, so that the outcome of the
    first attempt is kept, a RecipeError as well.
    """
    outcome = _outcome(text)
    if isinstance(outcome, Message):
        raise RecipeError(outcome)
    return outcome


@functools.lru_cache(maxsize=128)
def _outcome(text: str) -> Recipe | Message:
    """Return the recipe, or why it cannot be read: an error would keep its traceback."""
    try:
        return Recipe.from_json(text)
    except TerraneError as error:
        return error.message
    except MemoryError:
        return Message("Recipe: it takes more memory than there is")
    except RecursionError:
        return Message("Recipe: nested too deeply")


def parse(text: str, where: str) -> Recipe:
    """Return the recipe in any text: a recipe alone, or that of a preset's file.

    `where` names its source in messages.
    """
    text = text.lstrip("\ufeff").strip()
    if not text:
        raise RecipeError("{} holds no recipe: it is empty", where)
    try:
        plain = json_value(text)
        if isinstance(plain, dict) and "format" not in plain and "recipe" in plain:
            text = json.dumps(plain["recipe"])
        return recipe_of(text)
    except RecipeError as error:
        raise RecipeError(
            "{} holds no recipe: {}", where, error.message.removeprefix("Recipe: ")
        ) from error
    except ValueError as error:
        raise RecipeError("{} holds no recipe: it is not JSON ({})", where, error) from error


def load(path: str) -> Recipe:
    """Return the recipe in a file."""
    file = paths.resolve(path)
    try:
        text = text_of(file)
    except RecipeError as error:
        raise RecipeError("{} holds no recipe: {}", file.name, error) from error
    return parse(text, file.name)


def save(recipe: Recipe, path: str, *, overwrite: bool) -> Path:
    """Write a recipe into a file, with the pixels of its images, and return the file.

    The file gets its name only when it is complete.
    """
    file = paths.resolve(path)
    if file.suffix.lower() != SUFFIX:
        file = file.with_name(file.name + SUFFIX)
    check_file_path(file)
    if atomic_files.is_there(file) and not overwrite:
        raise TerraneError(
            "{} is already there: give another name, or turn off Check Existing", file
        )
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise TerraneError("{}: cannot be written: {}", file, error.strerror) from error
    atomic_files.write(file, f"{recipe.to_json()}\n".encode())
    return file


def omission_message(states: Iterable[LayerState]) -> str:
    """Return a message about masks that a recipe cannot contain, "" if there are none."""
    masks = ", ".join(sorted({layer_state.mask for layer_state in states if layer_state.mask}))
    if not masks:
        return ""
    return Message("A recipe holds no painted masks and no images as masks; left out: {}", masks)
