# SPDX-License-Identifier: GPL-3.0-or-later
"""Command that renders a preset or a recipe as a landscape, and saves the Blender file."""

from __future__ import annotations

import argparse
import dataclasses
import json
from typing import Any

import bpy

from ..noise_core.base.errors import TerraneError
from .bridge.interface.command_line import Say, new_files, pair_of, redirect_output, source_of
from .bridge.scene import renders
from .bridge.schema.declared_settings import declare
from .bridge.schema.keywords import keywords

OPTIONS = (
    declare("columns", 1280, "Width of the picture in pixels", (4, 65536)),
    declare("rows", 800, "Height of the picture in pixels", (4, 65536)),
    declare("samples", 64, "Samples of each pixel; more is cleaner and slower", (1, 65536)),
)
"""Numbers of a render; see `renders.render`."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    add = parser.add_argument
    add("source", help="a preset, or a file with a recipe (.json)")
    add("--seed", type=int, help="another land of the same kind")
    add("--resolution", type=int, default=1025, help="vertices along the longer side")
    add("--output", help="the picture to render (.png)")
    add("--pixels", default="1280x800", help="size of the picture, such as 1280x800")
    add("--samples", type=int, default=64, help=OPTIONS[2].help)
    add("--engine", choices=tuple(renders.ENGINES), default="cycles", help="what renders")
    add("--blend", help="the Blender file to save (.blend)")
    add("--overwrite", action="store_true", help="replace files that are there")
    add("--json", action="store_true", help="print a JSON object a line")


def run(arguments: argparse.Namespace, say: Say, note: Say) -> None:
    """Add the landscape to an empty scene, save it, and render it.

    Raises
    ------
    ParameterError
        If an argument is not allowed.
    TerraneError
        If a file is there already or cannot be written, or Blender refuses.
    """
    source = _keywords_of(arguments)
    columns, rows = pair_of(arguments.pixels, "--pixels")
    numbers = {"columns": columns, "rows": rows, "samples": arguments.samples}
    for parameter in OPTIONS:
        parameter.check(numbers[parameter.name], "Render")
    paths = new_files(arguments, {"--output": ".png", "--blend": ".blend"})
    scene_file, picture = paths.get("blend"), paths.get("output")
    with redirect_output():
        note("adding the landscape")
        _add_landscape(source)
        if scene_file is not None:
            note(f"saving {scene_file}")
            call_operator(bpy.ops.wm.save_as_mainfile, filepath=str(scene_file), compress=True)
        if picture is not None:
            note(f"rendering {picture}")
            renders.render(bpy.context.scene, picture, arguments.engine, **numbers)
    for kind, path in (("blend", scene_file), ("picture", picture)):
        if path is not None:
            say(json.dumps({kind: str(path)}) if arguments.json else str(path))


def _keywords_of(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the keywords of `terrane.landscape_add`."""
    recipe, _ = source_of(arguments.source)
    declared = keywords()
    declared["resolution"].check(arguments.resolution, "Terrain")
    if arguments.seed is not None:
        declared["seed"].check(arguments.seed, "Terrain")
        recipe = dataclasses.replace(recipe, seed=arguments.seed)
    measured = {"seed": recipe.seed, "resolution": arguments.resolution}
    if arguments.source.endswith(".json"):
        return {"recipe": recipe.to_json(), **measured}
    return {"preset": arguments.source, **measured}  # with its look


def _add_landscape(source: dict[str, Any]) -> None:
    call_operator(bpy.ops.wm.read_homefile, use_empty=True)
    operators: Any = bpy.ops
    call_operator(operators.terrane.landscape_add, **source)


def call_operator(operator: Any, **keywords: Any) -> None:
    """Call an operator; its refusal becomes a TerraneError."""
    try:
        status = operator(**keywords)
    except RuntimeError as error:  # Blender hands on the reports of an operator so
        raise TerraneError("{}", str(error).strip().removeprefix("Error: ")) from error
    if "FINISHED" not in status:
        raise TerraneError("Blender has not finished {}", operator.idname())
