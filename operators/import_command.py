# SPDX-License-Identifier: GPL-3.0-or-later
"""Command that imports a heightmap as a terrain, and saves the Blender file or the recipe."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import bpy

from ..noise_core.base.errors import ParameterError, TerraneError
from ..noise_core.io.elevation_reading.formats.raw import Raw
from .bridge.interface.command_line import Say, new_files, options_of, redirect_output
from .heightmap_import import BOX
from .render_command import call_operator


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    add = parser.add_argument
    add(
        "source",
        help="a heightmap: GeoTIFF, HGT, ASCII grid, PNG, OpenEXR, NumPy array, raw numbers; or a folder of tiles",
    )
    add("--samples", type=int, default=1024, help="along the longer side at most")
    add("--size", type=float, default=0.0, help="width in meters, if the file does not say")
    add("--low", type=float, help="meters of the lowest number, if it is not meters (default: 0)")
    add("--high", type=float, help="meters of the highest number (default: 1000)")
    add("--system", default="", help="coordinate system: EPSG:2056, geographic, local ...")
    add("--unit", default="", help="unit of heights, such as ft; as the file says by default")
    add(
        "--box",
        nargs=4,
        type=float,
        metavar=tuple(map(str.upper, BOX)),
        help="in degrees: this part alone",
    )
    add(
        "--lines",
        default="",
        help="a file whose roads, rivers and lakes are drawn (.geojson, .osm)",
    )
    add("--option", action="append", default=[], help="of raw numbers, such as columns=1024")
    add("--blend", help="the Blender file to save (.blend)")
    add("--recipe", help="the recipe to save (.json)")
    add("--overwrite", action="store_true", help="replace files that are there")
    add("--json", action="store_true", help="print a JSON object a line")


def run(arguments: argparse.Namespace, say: Say, note: Say) -> None:
    """Import the heightmap into an empty scene, and save the requested files.

    Raises
    ------
    ParameterError
        If an argument is not allowed.
    TerraneError
        If a file cannot be read or written, or is there already.
    """
    if not 2 <= arguments.samples <= 16384:
        raise ParameterError("--samples must be from 2 to 16384", got=arguments.samples)
    if not 0.0 <= arguments.size <= 1e7:
        raise ParameterError("--size must be from 0 to 1e7 meters", got=f"{arguments.size:g}")
    options = options_of("raw", Raw.parameters(), arguments.option)
    source = Path(arguments.source).expanduser().absolute()
    if not source.exists():
        raise TerraneError("{}: there is no such file", source)
    if arguments.lines:
        arguments.lines = str(Path(arguments.lines).expanduser().absolute())
    paths = new_files(arguments, {"--blend": ".blend", "--recipe": ".json"})
    with redirect_output():
        note(f"reading {source}")
        named = ("samples", "size", "low", "high", "system", "unit", "lines")
        values = {name: getattr(arguments, name) for name in named}
        keywords = {name: value for name, value in values.items() if value is not None} | options
        keywords |= dict(zip(BOX, arguments.box or ()))
        operators: Any = bpy.ops
        call_operator(bpy.ops.wm.read_homefile, use_empty=True)
        call_operator(operators.terrane.heightmap_import, filepath=str(source), **keywords)
        save: dict[str, Any] = {
            "blend": bpy.ops.wm.save_as_mainfile,
            "recipe": operators.terrane.recipe_save,
        }
        for kind, path in paths.items():
            call_operator(save[kind], filepath=str(path), check_existing=False)
    for kind, path in paths.items():
        say(json.dumps({kind: str(path)}) if arguments.json else str(path))
