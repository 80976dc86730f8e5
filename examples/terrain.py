# SPDX-License-Identifier: GPL-3.0-or-later
"""Make a terrain without a window and save it; with --render make it a landscape, and render its picture.

blender --background --python examples/terrain.py -- --preset alps --seed 7 --output alps.blend
blender --background --python examples/terrain.py -- --preset dunes --render dunes.png
blender --background --python examples/terrain.py -- --preset alps --size 4000 --lift 0.01 --detail-patch --render near.png
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import _terrane
import bpy


def main() -> None:
    """Read the arguments, add the terrain, write what was asked for."""
    package = _terrane.load()
    declared = _terrane.part(package, "operators.bridge.schema.keywords").keywords()
    parser = _terrane.Parser(package, "Make a terrain, save it, render it.")
    for name in _terrane.part(package, "operators.bridge.schema.keywords").TERRAIN_KEYWORDS:
        parser.add_declared(declared[name])
    camera = _terrane.part(package, "noise_core.landscapes.scene").Camera.parameters()
    for parameter in camera:
        parser.add_declared(parameter)
    parser.add_argument(
        "--detail-patch", action="store_true", help="lay fine ground before the camera"
    )
    parser.add_output("--output", ".blend", help="the Blender file to save")
    parser.add_render()
    arguments = parser.parse()
    if arguments.output is None and arguments.render is None:
        parser.error("nothing to do: give --output, --render or both")

    _terrane.empty_scene()
    of_view = {one.name for one in camera}
    own = ("output", "render", "samples", "pixels", "detail_patch")
    keywords = _terrane.given(arguments, *own, *of_view)
    if arguments.render is None:
        bpy.ops.terrane.terrain_add(**keywords)
    else:
        bpy.ops.terrane.landscape_add(**keywords)
        bpy.ops.terrane.camera_add(**_terrane.given(arguments, *own, *keywords))
        if arguments.detail_patch:
            bpy.ops.terrane.detail_patch_add()
        _terrane.render(arguments.render, arguments.samples, arguments.pixels)
    if arguments.output is not None:
        _terrane.save(arguments.output)


if __name__ == "__main__":
    _terrane.run(main)
