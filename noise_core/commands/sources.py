# SPDX-License-Identifier: GPL-3.0-or-later
"""Lands that a command is about, with one seed or many, and the files that it writes."""

from __future__ import annotations

import argparse
import dataclasses
from collections.abc import Mapping
from pathlib import Path

from ..base import atomic_files
from ..base.errors import ParameterError, TerraneError
from ..landscapes.look import Look
from ..landscapes.preset_library import preset
from ..recipes.recipe import Recipe
from ..recipes.recipe_files import load_recipe

MAX_SEEDS = 100_000
"""Lands that one command may make."""


@dataclasses.dataclass(frozen=True)
class NamedRecipe:
    """A land with a name for its files.

    Attributes
    ----------
    name : str
        Names of several lands sort as their seeds do.
    recipe : Recipe
    look : Look
        How it is drawn: that of the preset, or the common one.
    """

    name: str
    recipe: Recipe
    look: Look


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments that say which lands are meant, and where their files go."""
    add = parser.add_argument
    add("source", help="a preset, or a file with a recipe (.json)")
    add("--folder", default=".", help="where the files go; made if it is not there")
    add("--name", default="", help="how their names begin; that of the source by default")
    add("--seed", default="", help="a number, or a range such as 0:100, which has a hundred")
    add("--overwrite", action="store_true", help="replace files that are there")
    add("--jobs", type=int, default=1, help="lands that are made at the same time")
    add("--json", action="store_true", help="print a JSON object a line")


def lands_of(arguments: argparse.Namespace) -> list[NamedRecipe]:
    """Return the lands that arguments name, rising by seed.

    Raises
    ------
    RecipeError
        If there is no such preset or file, or it holds no recipe.
    ParameterError
        If the seeds are not allowed.
    """
    recipe, look = source_of(arguments.source)
    stem = arguments.name or Path(arguments.source).stem
    seeds = _seeds_of(arguments.seed) or range(recipe.seed, recipe.seed + 1)
    names = number_names(stem, seeds)
    return [
        NamedRecipe(name, dataclasses.replace(recipe, seed=seed), look)
        for name, seed in zip(names, seeds)
    ]


def number_names(stem: str, numbers: range) -> list[str]:
    """Return a name for each number: the stem alone for a single one, else names that sort."""
    if len(numbers) == 1:
        return [stem]
    digits = len(str(max(abs(numbers[0]), abs(numbers[-1]))))
    return [f"{stem}_{number:0{digits}}" for number in numbers]


def pair_of(text: str, name: str) -> tuple[int, int]:
    """Return one number twice, or two with an x between; raise a ParameterError about `name` otherwise."""
    first, _, second = text.lower().partition("x")
    try:
        return int(first), int(second or first)
    except ValueError:
        raise ParameterError("{} must be such as 513 or 4x2", name, got=repr(text)) from None


def resolution_of(text: str, name: str) -> int | tuple[int, int]:
    """Return samples along the longer side, or rows and columns; raise a ParameterError about `name` otherwise."""
    columns, rows = pair_of(text, name)
    return (rows, columns) if "x" in text.lower() else columns


def shape_for(recipe: Recipe, text: str, name: str, *, wrap: bool = False) -> tuple[int, int]:
    """Return rows and columns of the whole land of a recipe.

    Raises
    ------
    ParameterError
        If the text has no numbers of samples, or rows and columns are not in the land's proportion;
        `name` starts the message.
    """
    resolution = resolution_of(text, name)
    shape = recipe.grid(resolution, wrap=wrap).shape
    recipe.check_shape(shape, name, wrap=wrap)
    return shape


def make_folder(folder: Path) -> None:
    """Make a folder unless it is there; raise a TerraneError if that is impossible."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise TerraneError("{}: cannot be written: {}", folder, error.strerror) from error


def new_files(arguments: argparse.Namespace, suffixes: Mapping[str, str]) -> dict[str, Path]:
    """Return the files that a command writes, by the names of the arguments; their folders are made.

    Parameters
    ----------
    arguments : argparse.Namespace
        With `overwrite`.
    suffixes : mapping of str to str
        How the file of each argument ends; names of options with their dashes.

    Raises
    ------
    ParameterError
        If no file is named, or one ends in something else.
    TerraneError
        If a file is there and may not be overwritten, or its folder cannot be made.
    """
    files = {}
    for option, suffix in suffixes.items():
        name = option.lstrip("-")
        if text := getattr(arguments, name):
            files[name] = Path(text).expanduser().absolute()
            if files[name].suffix.lower() != suffix:
                raise ParameterError("{} must end in {}", option, suffix, got=repr(text))
    if not files:
        raise ParameterError("nothing to do: give {} or both", ", ".join(suffixes))
    atomic_files.check_free(list(files.values()), arguments.overwrite)
    for path in files.values():
        make_folder(path.parent)
    return files


def is_file(source: str) -> bool:
    """Return whether a source is a file with a recipe, not the name of a preset."""
    return source.endswith(".json")


def source_of(source: str) -> tuple[Recipe, Look]:
    """Return the recipe and the look of a preset, or of a file with a recipe, which has the common look.

    Raises
    ------
    RecipeError
        If there is no such preset or file, or it holds no recipe.
    """
    if not is_file(source):
        chosen = preset(source)
        return chosen.recipe, chosen.look
    return load_recipe(source), Look()


def _seeds_of(text: str) -> range | None:
    """Return a seed or a range of seeds; None if nothing is said."""
    if not text:
        return None
    first, _, end = text.partition(":")
    try:
        seeds = range(int(first), int(end) if end else int(first) + 1)
    except ValueError:
        seeds = range(0)
    if not 1 <= len(seeds) <= MAX_SEEDS:
        raise ParameterError(
            "--seed must be a number, or a rising range such as 0:100", got=repr(text)
        )
    return seeds
