# SPDX-License-Identifier: GPL-3.0-or-later
"""Command that draws a world as its overviews show it."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

import numpy as np

from noise_core.base.errors import ParameterError
from noise_core.base.grid import Grid
from noise_core.commands.sources import new_files, source_of
from noise_core.io import atomic_files
from noise_core.io.image_writing.png import png_parts
from noise_core.landscapes.look import Look
from noise_core.pictures.thumbnail import thumbnail

from ..errors import WorldError
from ..store.layout import attributes_of
from ..world import World

SIDES = (256, 8192)
"""Pixels along the longer side, at most; the smallest overview has up to 256."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    add = parser.add_argument
    add("store", help="a Zarr store that was built")
    add("path", help="the picture, a PNG")
    add("--side", type=int, default=1025, help="pixels along the longer side, at most")
    add("--look", default="", help="the preset whose colors it has")
    add("--overwrite", action="store_true", help="replace a file that is there")


def run(
    arguments: argparse.Namespace, say: Callable[[str], object], note: Callable[[str], object]
) -> None:
    """Draw the picture; see `noise_core.commands.command_line.run`.

    Raises
    ------
    TerraneError
        If the store is not finished, or the file cannot be written.
    """
    low, high = SIDES
    if not low <= arguments.side <= high:
        raise ParameterError("--side must be from {} to {}; got {}", low, high, arguments.side)
    look = source_of(arguments.look)[1] if arguments.look else Look()
    path = new_files(arguments, {"path": ".png"})["path"]
    world = World.from_store(arguments.store)
    factor, longer = 1, max(world.rows, world.columns)
    while -(-longer // factor) > arguments.side:
        factor *= 2
    if "digest" not in attributes_of(Path(arguments.store)):
        raise WorldError("{}: is not finished", arguments.store)
    with World.open(arguments.store, factor) as opened:
        fields = {str(name): one.values for name, one in opened.data_vars.items()}
    height = fields.pop("height")
    rows, columns = height.shape
    size = world.grid.spacing * factor * max(columns - 1, 1)
    colors = thumbnail(
        height, Grid(rows, columns, size=size), look, world.recipe.height, maps=fields
    )
    pixels = np.rint(np.clip(colors[::-1], 0.0, 1.0) * 255.0).astype(np.uint8)
    atomic_files.write(path, png_parts(pixels, 8, is_color=True))
    say(str(path))
