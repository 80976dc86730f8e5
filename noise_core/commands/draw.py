# SPDX-License-Identifier: GPL-3.0-or-later
"""Command that draws the lines of a file on a land: roads, rivers and other paths of a real place."""

from __future__ import annotations

import argparse
import dataclasses
import json
from collections.abc import Callable, Sequence
from pathlib import Path

from ..base import atomic_files
from ..base.errors import Message, ParameterError
from ..erosion.earthworks.kinds import KINDS
from ..io.curve_files import draw_place, read_curves
from ..io.elevation_reading import measured_land, read_elevation
from ..modifiers.path import Path as PathModifier
from ..recipes.recipe import Recipe
from .options import options_of
from .sources import is_file, new_files, source_of

_BY_TAGS = "tags"
"""Kind that stands for those that the tags of OpenStreetMap name."""

_LIST = "curves"
"""Kind of parameter that the command itself gives."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    add = parser.add_argument
    add("source", help="a file with heights (.tif, .hgt ...) or a recipe (.json), or a preset")
    add("lines", help="a file with lines and polygons (.geojson), or of OpenStreetMap (.osm)")
    add("--output", required=True, help="file of the recipe that is written (.json)")
    add("--kind", default="road", help=f"{', '.join(KINDS)}, or {_BY_TAGS}: each line by its own")
    add(
        "--where",
        action="append",
        default=[],
        help="a property of the lines, such as highway=primary,secondary or waterway",
    )
    add("--width", type=float, default=8.0, help="in meters, of lines that do not say it")
    add("--system", help="coordinate system of the lines: EPSG:2056, geographic, local ...")
    add(
        "--tolerance", type=float, default=1.0, help="meters that curves may deviate from the lines"
    )
    add("--option", action="append", default=[], help="of the path, such as grade=0.06")
    add("--overwrite", action="store_true", help="replace a file that is there")
    add("--json", action="store_true", help="print a JSON object")


def run(
    arguments: argparse.Namespace, say: Callable[[str], object], note: Callable[[str], object]
) -> None:
    """Write the land with its paths as a recipe; see `command_line.run`.

    Raises
    ------
    ParameterError
        If the source, the lines or another argument is not allowed.
    TerraneError
        If the file is there already or cannot be written.
    """
    kinds = (*KINDS, _BY_TAGS)
    if arguments.kind not in kinds:
        raise ParameterError(
            "{} must be one of {}", "--kind", ", ".join(kinds), got=repr(arguments.kind)
        )
    files = new_files(arguments, {"--output": ".json"})
    recipe = _land_of(arguments.source)
    draw = _by_tags if arguments.kind == _BY_TAGS else _of_kind
    drawn, notes = draw(recipe, arguments)
    curves = [name for name in drawn.curves if name not in recipe.curves]
    atomic_files.write(files["output"], drawn.to_json().encode())
    for text in notes:
        note(str(text))
    note(f"{len(curves)} curves")
    facts = {"recipe": str(files["output"]), "curves": curves}
    say(json.dumps(facts) if arguments.json else str(files["output"]))


def _by_tags(recipe: Recipe, arguments: argparse.Namespace) -> tuple[Recipe, Sequence[Message]]:
    """Return the land with the paths that the tags of the lines name."""
    if arguments.where or arguments.option:
        raise ParameterError("--where and --option need a --kind other than {}", _BY_TAGS)
    drawn = draw_place(
        arguments.lines,
        recipe,
        system=arguments.system,
        width=arguments.width,
        tolerance=arguments.tolerance,
    )
    return drawn.recipe, drawn.notes


def _of_kind(recipe: Recipe, arguments: argparse.Namespace) -> tuple[Recipe, Sequence[Message]]:
    """Return the land with one path along all of the lines."""
    declared = [p for p in PathModifier.parameters() if p.kind != _LIST]
    values = {**KINDS[arguments.kind], **options_of("path", declared, arguments.option)}
    read = read_curves(
        arguments.lines,
        recipe,
        system=arguments.system,
        width=arguments.width,
        where=_conditions(arguments.where),
        tolerance=arguments.tolerance,
    )
    path = PathModifier(curves=tuple(read.curves), **values)  # type: ignore[arg-type]  # it checks
    drawn = dataclasses.replace(
        recipe, layers=(*recipe.layers, path), curves={**recipe.curves, **read.curves}
    )
    return drawn, read.notes


def _land_of(source: str) -> Recipe:
    """Return the recipe of a file with heights, of a file with a recipe, or of a preset."""
    if Path(source).suffix and not is_file(source):
        return measured_land(read_elevation(source)).recipe
    return source_of(source)[0]


def _conditions(texts: Sequence[str]) -> dict[str, list[str]]:
    """Return properties and the texts that each may have; none for any text."""
    conditions: dict[str, list[str]] = {}
    for text in texts:
        key, _, allowed = text.partition("=")
        if not key:
            raise ParameterError("--where must be such as highway=primary", got=repr(text))
        conditions[key] = [value for value in allowed.split(",") if value]
    return conditions
