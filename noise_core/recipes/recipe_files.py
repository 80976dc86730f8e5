# SPDX-License-Identifier: GPL-3.0-or-later
"""Files with a recipe."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Union

from ..base import atomic_files
from ..base.arguments import check_kind, check_switch
from ..base.errors import RecipeError
from ..base.input_files import path_of
from ..base.json_texts import text_of
from .recipe import Recipe


def load_recipe(path: Union[str, os.PathLike[str]]) -> Recipe:
    """Return the recipe in a file that `save_recipe`, the panel or the command line has written.

    Parameters
    ----------
    path : str or path
        JSON in UTF-8.

    Raises
    ------
    RecipeError
        If there is no such file, or it holds no recipe that this version can read.

    Examples
    --------
    >>> from noise_core import load_recipe
    >>> load_recipe("missing.json")
    Traceback (most recent call last):
        ...
    noise_core.base.errors.RecipeError: missing.json: cannot be read: No such file or directory
    """
    file = Path(path_of(path, "load_recipe: path"))
    try:
        return Recipe.from_json(text_of(file))
    except RecipeError as error:
        raise RecipeError("{}: {}", path, error) from error


def save_recipe(
    recipe: Recipe, path: Union[str, os.PathLike[str]], *, overwrite: bool = False
) -> None:
    """Write a recipe as JSON; the file is whole or not there.

    Parameters
    ----------
    recipe : Recipe
    path : str or path
        As a rule with the suffix ``.json``, by which the command line tells files from presets.
    overwrite : bool
        Whether a file may be replaced.

    Raises
    ------
    TerraneError
        If the file is there already or cannot be written.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from noise_core import Recipe, load_recipe, save_recipe
    >>> island = Recipe.from_preset("island", seed=3)
    >>> with TemporaryDirectory() as folder:
    ...     save_recipe(island, Path(folder) / "island.json")
    ...     load_recipe(Path(folder) / "island.json") == island
    True
    """
    check_kind(recipe, Recipe, "save_recipe: recipe", "a Recipe")
    check_switch(overwrite, "save_recipe: overwrite")
    file = Path(path_of(path, "save_recipe: path"))
    atomic_files.check_free([file], overwrite)
    atomic_files.write(file, f"{recipe.to_json()}\n".encode())
