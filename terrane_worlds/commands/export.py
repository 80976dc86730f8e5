# SPDX-License-Identifier: GPL-3.0-or-later
"""Command that writes a world for other programs."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from noise_core.commands.export import range_of, target_of
from noise_core.commands.sources import pair_of
from noise_core.io.heightmaps.options import ExportOptions

from ..builds.exporting import WorldControl, export_world


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    add = parser.add_argument
    add("store", help="a Zarr store that was built")
    add("path", help="the file, or how the names of tiles begin")
    add("--target", required=True, help="such as npy, png16, geotiff; see noise_core export")
    add("--samples", help="of a file, if there are several: along both sides, or COLUMNSxROWS")
    add("--tiles", default="1x1", help="files along x and y, such as 4x4")
    add("--range", default="as_is", help="as_is, proportional, or --range=LOWEST,HIGHEST in meters")
    add("--overview", type=int, default=1, help="2, 4, 8 ... for fewer samples, which are means")
    add("--option", action="append", default=[], help="of the target, such as byte_order=mac")
    add("--memory", default="4GB", help="what may be taken")
    add("--overwrite", action="store_true", help="replace files that are there")


def run(
    arguments: argparse.Namespace, say: Callable[[str], object], note: Callable[[str], object]
) -> None:
    """Write the files; see `noise_core.commands.command_line.run`.

    Raises
    ------
    TerraneError
        See `export_world`.
    """
    samples = None
    if arguments.samples:
        columns, rows = pair_of(arguments.samples, "--samples")
        samples = (rows, columns)
    report = export_world(
        arguments.store,
        arguments.path,
        target=target_of(arguments.target, arguments.option),
        samples=samples,
        options=ExportOptions(
            tiles=pair_of(arguments.tiles, "--tiles"), overwrite=arguments.overwrite
        ),
        range_=range_of(arguments.range),
        overview=arguments.overview,
        control=WorldControl(memory=arguments.memory),
    )
    say(str(report.sidecar))
