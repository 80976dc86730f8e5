# SPDX-License-Identifier: GPL-3.0-or-later
"""All operators, in the order of their registration, and the command of the command line."""

from __future__ import annotations

import importlib

import bpy

from .bridge.interface.registering import Classes, ConsoleCommand, Parts, defined_classes
from .bridge.interface.undo_steps import add_undo_step

TOPICS = (
    "terrain",
    "ant_objects",
    "mesh_terrain",
    "maps",
    "motion",
    "exchange",
    "levels_of_detail",
    "heightmap_import",
    "heightmap_part",
    "open_world",
    "masks",
    "images",
    "by_example",
    "hex_tiling",
    "surfaces",
    "materials",
    "colors",
    "landscape",
    "scene",
    "planet",
    "nodes",
    "assets",
    "presets",
    "recipes",
    "numbers",
    "layers",
    "elements",
    "curves",
    "curve_drawing",
    "curve_lists",
    "stamps",
    "footprints",
    "brushes",
    "tasks",
    "help",
)
"""Modules of this folder that define operators, in the order in which the reference lists them."""

CLASSES = tuple(
    add_undo_step(cls)
    for name in TOPICS
    for cls in defined_classes(importlib.import_module(f".{name}", __package__), bpy.types.Operator)
)


def run_command(arguments: list[str]) -> int:
    """Run ``blender --command terrane`` with its arguments, and return the exit status."""
    from . import import_command, render_command  # here: enabling does without
    from .bridge.interface import command_line

    more: command_line.Commands = {
        "import": (import_command, "import a heightmap as a terrain"),
        "render": (render_command, "render a preset or a recipe as a landscape"),
    }
    return command_line.run("blender --command terrane", arguments, more)


COMMAND = ConsoleCommand("terrane", run_command)

_own = Parts(Classes(*CLASSES), COMMAND)
register, unregister = _own.register, _own.unregister
