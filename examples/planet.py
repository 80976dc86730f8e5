# SPDX-License-Identifier: GPL-3.0-or-later
"""Make a planet out of a sphere without a window: noise in space has no seam and no poles.

blender --background --python examples/planet.py -- --seed 22 --output planet.blend
blender --background --python examples/planet.py -- --fractal ridged --render planet.png
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import _terrane
import bpy

DEFAULTS = {"frequency": 2.0, "octaves": 14.0, "persistence": 0.56, "warp": 0.06, "seed": 22}


def main() -> None:
    """Read the arguments, displace a sphere, write what was asked for."""
    package = _terrane.load()
    displace = {
        one.name: one for one in _terrane.part(package, "operators.bridge.schema.keywords").DISPLACE
    }
    parser = _terrane.Parser(package, "Make a planet out of a sphere.")
    parser.add_declared(displace["strength"])
    parser.add_count("--segments", 1024, (8, 8192), "faces around the equator")
    parser.add_output("--output", ".blend", help="the Blender file to save")
    parser.add_render()
    arguments = parser.parse()
    if arguments.output is None and arguments.render is None:
        parser.error("nothing to do: give --output, --render or both")

    _terrane.empty_scene()
    segments = arguments.segments
    bpy.ops.mesh.primitive_uv_sphere_add(segments=segments, ring_count=segments // 2, radius=1.0)
    keywords = _terrane.given(arguments, "output", "render", "samples", "pixels", "segments")
    defaults = {} if "preset" in keywords else DEFAULTS
    bpy.ops.terrane.mesh_displace(**{"strength": 0.08, **defaults, **keywords})
    planet = bpy.context.active_object
    planet.name = "Planet"
    planet.data.shade_smooth()
    if arguments.render is not None:
        bpy.ops.terrane.material_add(surface="rust")
        light_and_camera()
        _terrane.render(arguments.render, arguments.samples, arguments.pixels)
    if arguments.output is not None:
        _terrane.save(arguments.output)


def light_and_camera() -> None:
    """Add a sun at the side and a camera, in the dark."""
    bpy.context.scene.world = None
    bpy.ops.object.light_add(type="SUN", rotation=(1.1, 0.0, 0.9))
    bpy.context.active_object.data.energy = 6.0
    bpy.ops.object.camera_add(location=(0.0, -6.0, 1.0), rotation=(1.405, 0.0, 0.0))
    bpy.context.scene.camera = bpy.context.active_object
    bpy.context.scene.camera.data.lens = 58.0


if __name__ == "__main__":
    _terrane.run(main)
