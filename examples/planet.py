# SPDX-License-Identifier: GPL-3.0-or-later
"""Make a planet without a window: land with climates, a sea, clouds and air; or a moon, or a gas giant.

blender --background --python examples/planet.py -- --seed 3 --output planet.blend
blender --background --python examples/planet.py -- --kind saturnian --render planet.png
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import _terrane
import bpy


def main() -> None:
    """Read the arguments, add a planet, write what was asked for."""
    package = _terrane.load()
    parser = _terrane.Parser(package, "Make a planet.")
    kinds = tuple(_terrane.part(package, "noise_core.landscapes.planet_kinds").KINDS)
    parser.add_argument("--kind", choices=kinds, metavar="NAME", help=", ".join(kinds))
    for parameter in _terrane.part(package, "noise_core.landscapes.scene").Planet.parameters():
        parser.add_declared(parameter)
    parser.add_output("--output", ".blend", help="the Blender file to save")
    parser.add_render()
    arguments = parser.parse()
    if arguments.output is None and arguments.render is None:
        parser.error("nothing to do: give --output, --render or both")

    _terrane.empty_scene()
    keywords = _terrane.given(arguments, "output", "render", "samples", "pixels")
    bpy.ops.terrane.planet_add(**keywords)
    if arguments.render is not None:
        _terrane.render(arguments.render, arguments.samples, arguments.pixels)
    if arguments.output is not None:
        _terrane.save(arguments.output)


if __name__ == "__main__":
    _terrane.run(main)
