# SPDX-License-Identifier: GPL-3.0-or-later
"""Command that builds lands to choose from: their recipes, a picture of each, and a contact sheet."""

from __future__ import annotations

import argparse
import dataclasses
import json
import math
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from ..base import atomic_files
from ..base.errors import Message, ParameterError
from ..base.file_names import check_file_name
from ..base.grid_sizes import shape_of
from ..codecs.image_writing.png import png_parts
from ..pictures.thumbnail import thumbnail
from ..recipes.recipe_files import save_recipe
from ..recipes.variations import other_values
from . import sources
from .jobs import run_all
from .sources import NamedRecipe, lands_of, make_folder, number_names

FINER = 2
"""Samples that become one pixel, along each side."""

SIDES = (16, 2048)
"""Pixels that a picture may have along a side."""

MAX_LANDS = 4096
"""Lands on one contact sheet."""

GAP = 4
"""Pixels between the pictures of a contact sheet."""

_BACKGROUND = 24
"""Gray of a contact sheet's background, from 0 to 255."""

Pixels = npt.NDArray[np.uint8]
"""Shape (rows, columns, 3), row 0 at the top; the longer side has as many as are wanted."""


@dataclasses.dataclass(frozen=True)
class _BuildJob:
    """A land that is built.

    Attributes
    ----------
    land : NamedRecipe
    folder : Path
    side : int
        Pixels of the picture along its longer side.
    threads : int or None
    """

    land: NamedRecipe
    folder: Path
    side: int
    threads: int | None

    @property
    def recipe(self) -> Path:
        """The file of the recipe."""
        return self.folder / f"{self.land.name}.json"

    @property
    def picture(self) -> Path:
        """The file of the picture."""
        return self.folder / f"{self.land.name}.png"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    sources.add_arguments(parser)
    add = parser.add_argument
    add("--vary", type=int, help="so many lands, each with a few other values, chosen by the seed")
    add("--side", type=int, default=128, help="pixels along the longer side of each picture")
    add("--threads", type=int, help="how many; as many as there are processors by default")


def run(
    arguments: argparse.Namespace, say: Callable[[str], object], note: Callable[[str], object]
) -> None:
    """Build the lands; see `command_line.run`.

    Raises
    ------
    ParameterError
        If there are too many, or a name or the size of the pictures is not allowed.
    TerraneError
        If a file is there already or cannot be written.
    """
    low, high = SIDES
    if not low <= arguments.side <= high:
        raise ParameterError("--side must be from {} to {}", low, high, got=arguments.side)
    lands = _vary(lands_of(arguments), arguments.vary)
    if len(lands) > MAX_LANDS:
        raise ParameterError("a contact sheet has up to {} terrains", MAX_LANDS, got=len(lands))
    for land in lands:
        check_file_name(land.name, "--name")
    folder = Path(arguments.folder)
    stem = arguments.name or Path(arguments.source).stem
    sheet = [folder / f"{stem}_sheet.png"] if len(lands) > 1 else []
    threads = arguments.threads or (1 if arguments.jobs > 1 else None)
    orders = [_BuildJob(land, folder, arguments.side, threads) for land in lands]
    atomic_files.check_free(
        [path for order in orders for path in (order.picture, order.recipe)] + sheet,
        arguments.overwrite,
    )
    make_folder(folder)
    pictures = []
    for order, pixels in zip(orders, run_all(_build, orders, arguments.jobs)):
        pictures.append(pixels)
        note(f"{len(pictures)} of {len(orders)}: {order.land.name}")
        say(_line_of(order) if arguments.json else str(order.recipe))
    for path in sheet:
        _write_png(path, _sheet_of(pictures))
        say(json.dumps({"sheet": str(path)}) if arguments.json else str(path))


def _vary(lands: list[NamedRecipe], count: int | None) -> list[NamedRecipe]:
    """Return lands with a few other values; the same if no count is given."""
    if count is None:
        return lands
    if len(lands) > 1 or not 1 <= count <= MAX_LANDS:
        raise ParameterError(
            "--vary must be from 1 to {}, with one seed",
            MAX_LANDS,
            got=Message("{} with {}", count, len(lands)),
        )
    (land,) = lands
    variations = other_values(land.recipe, land.recipe.seed, count)
    names = number_names(land.name, range(1, count + 1))
    return [
        NamedRecipe(name, variation.recipe, land.look) for name, variation in zip(names, variations)
    ]


def _build(order: _BuildJob) -> Pixels:
    """Write the recipe and the picture of a land, and return the picture."""
    recipe = order.land.recipe
    rows, columns = shape_of(order.side, recipe.depth_ratio, wrap=True)
    grid = recipe.grid((rows * FINER, columns * FINER))
    land = recipe.evaluate(grid, threads=order.threads)
    colors = thumbnail(land.height, grid, order.land.look, recipe.height, maps=land.maps)
    cells = colors[::-1].reshape(rows, FINER, columns, FINER, 3)
    pixels: Pixels = np.rint(np.clip(cells.mean(axis=(1, 3)), 0.0, 1.0) * 255.0).astype(np.uint8)
    _write_png(order.picture, pixels)
    save_recipe(recipe, order.recipe, overwrite=True)
    return pixels


def _sheet_of(pictures: Sequence[Pixels]) -> Pixels:
    """Return pictures beside and below each other, in rows that are about as many as columns."""
    side = max(pictures[0].shape)
    columns = math.ceil(math.sqrt(len(pictures)))
    rows = math.ceil(len(pictures) / columns)
    step = side + GAP
    sheet = np.full((rows * step + GAP, columns * step + GAP, 3), _BACKGROUND, np.uint8)
    for number, picture in enumerate(pictures):
        top, first_column = (GAP + step * place for place in divmod(number, columns))
        tall, wide = picture.shape[:2]
        top, first_column = top + (side - tall) // 2, first_column + (side - wide) // 2
        sheet[top : top + tall, first_column : first_column + wide] = picture
    return sheet


def _write_png(path: Path, pixels: Pixels) -> None:
    atomic_files.write(path, b"".join(png_parts(pixels, 8, is_color=True)))


def _line_of(order: _BuildJob) -> str:
    """Return the report of a build as a line of JSON."""
    seed = order.land.recipe.seed
    return json.dumps({"seed": seed, "recipe": str(order.recipe), "picture": str(order.picture)})
