# SPDX-License-Identifier: GPL-3.0-or-later
"""Command that makes a recipe of measured land: of files or a folder, joined, and cropped to a box in degrees."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable

from ..base import atomic_files
from ..io.elevation_reading import measured_land, read_elevation
from .sources import new_files


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    add = parser.add_argument
    add("sources", nargs="+", help="files with heights (.tif, .hgt, .asc ...), or one folder")
    add("--output", required=True, help="file of the recipe that is written (.json)")
    add(
        "--box",
        nargs=4,
        type=float,
        metavar=("WEST", "SOUTH", "EAST", "NORTH"),
        help="in degrees: this part alone",
    )
    add("--samples", type=int, help="along the longer side at most; all by default")
    add("--system", help="coordinate system: EPSG:2056, geographic, local ...")
    add("--unit", help="unit of heights, such as ft; as the files say by default")
    add("--overwrite", action="store_true", help="replace a file that is there")
    add("--json", action="store_true", help="print a JSON object")


def run(
    arguments: argparse.Namespace, say: Callable[[str], object], note: Callable[[str], object]
) -> None:
    """Write the land as a recipe; see `command_line.run`.

    Raises
    ------
    ParameterError
        If a file or another argument is not allowed.
    TerraneError
        If the file is there already or cannot be written.
    """
    files = new_files(arguments, {"--output": ".json"})
    sources = arguments.sources
    elevation = read_elevation(
        sources[0] if len(sources) == 1 else sources,
        samples=arguments.samples,
        box=arguments.box,
        system=arguments.system,
        unit=arguments.unit,
    )
    recipe = measured_land(elevation).recipe
    atomic_files.write(files["output"], recipe.to_json().encode())
    for line in elevation.lines:
        note(str(line))
    rows, columns = elevation.heights.shape
    facts = {"recipe": str(files["output"]), "rows": rows, "columns": columns, "size": recipe.size}
    say(json.dumps(facts) if arguments.json else str(files["output"]))
