# SPDX-License-Identifier: GPL-3.0-or-later
"""Command that draws a world as its overviews show it."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

import numpy as np

from noise_core.base import atomic_files
from noise_core.base.errors import ParameterError
from noise_core.base.grid import Grid
from noise_core.codecs.image_writing.png import png_parts
from noise_core.commands.sources import new_files, source_of
from noise_core.landscapes.look import Look
from noise_core.pictures.thumbnail import thumbnail

from ..base.errors import WorldError
from ..base.tiling import Window
from ..builds.world import World
from ..store import checksums
from ..store.attributes import finished_attributes
from ..store.layout import HEIGHT, array_shape, find_group, group_of, read_window, shards_of
from ..tiles.fields import Values

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
        raise ParameterError("--side must be from {} to {}", low, high, got=arguments.side)
    look = source_of(arguments.look)[1] if arguments.look else Look()
    path = new_files(arguments, {"path": ".png"})["path"]
    world = World.from_store(arguments.store)
    factor, longer = 1, max(world.rows, world.columns)
    while -(-longer // factor) > arguments.side:
        factor *= 2
    fields = _read_arrays(Path(arguments.store), factor)
    height = fields.pop(HEIGHT)
    rows, columns = height.shape
    size = world.grid.spacing * factor * max(columns - 1, 1)
    colors = thumbnail(
        height, Grid(rows, columns, size=size), look, world.recipe.height, maps=fields
    )
    pixels = np.rint(np.clip(colors[::-1], 0.0, 1.0) * 255.0).astype(np.uint8)
    atomic_files.write(path, png_parts(pixels, 8, is_color=True))
    say(str(path))


def _read_arrays(store: Path, factor: int) -> dict[str, Values]:
    """Return the heights and the maps of an overview by name, after their files were checked."""
    facts = finished_attributes(store)
    if facts["edges"] == "only" and factor == 1:
        raise WorldError("{}: has edges instead of samples: take a smaller --side", store)
    folder, begin = find_group(store, factor), group_of(factor)
    fields = {}
    for name in (HEIGHT, *facts["maps"]):
        checksums.check_files(store, shards_of(f"{begin}/{name}".lstrip("/")))
        shape = array_shape(folder / name)
        fields[name] = read_window(folder / name, Window(0, 0, *shape))
    return fields
