# SPDX-License-Identifier: GPL-3.0-or-later
"""Command that writes a window of a world."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from pathlib import Path

from noise_core.commands.sources import pair_of
from noise_core.io.heightmaps.export import export_heightmap
from noise_core.io.heightmaps.options import ExportOptions

from ..builds.world import World
from ..store.layout import HEIGHT


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    add = parser.add_argument
    add("store", help="a Zarr store that was built")
    add("path", help="the file; one that describes it is written beside it")
    add("--row", type=int, required=True, help="of the first sample, counted from the south")
    add("--column", type=int, required=True, help="of the first sample, counted from the west")
    add("--samples", required=True, help="along both sides, or COLUMNSxROWS")
    add("--array", default=HEIGHT, help="a map of the store instead of the heights")
    add(
        "--rebuild", action="store_true", help="from the recipe and the edges, not from the samples"
    )
    add("--target", default="npy", help="such as npy, png16, geotiff; see noise_core export")
    add("--overwrite", action="store_true", help="replace files that are there")


def run(
    arguments: argparse.Namespace, say: Callable[[str], object], note: Callable[[str], object]
) -> None:
    """Write the window; see `noise_core.commands.command_line.run`.

    Raises
    ------
    TerraneError
        See `World.region` and `export_heightmap`.
    """
    world = World.from_store(arguments.store)
    columns, rows = pair_of(arguments.samples, "--samples")
    height = world.region(
        arguments.store,
        arguments.row,
        arguments.column,
        rows,
        columns,
        array=arguments.array,
        rebuild=arguments.rebuild,
    )
    report = export_heightmap(
        height,
        Path(arguments.path),
        target=arguments.target,
        size=world.grid.spacing * max(columns - 1, 1),
        options=ExportOptions(overwrite=arguments.overwrite),
    )
    say(json.dumps([str(file) for file in report.files]))
