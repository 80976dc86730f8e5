# SPDX-License-Identifier: GPL-3.0-or-later
"""All operators, in the order of their registration, and the command of the command line."""

from __future__ import annotations

import importlib

import bpy

from .bridge.interface.registering import Classes, ConsoleCommand, Parts, defined_classes

TOPICS = (
    "terrain",
    "ant_objects",
    "erosion",
    "maps",
    "motion",
    "exchange",
    "heightmap_import",
    "open_world",
    "masks",
    "images",
    "by_example",
    "surfaces",
    "materials",
    "colors",
    "landscape",
    "scene",
    "planet",
    "nodes",
    "presets",
    "recipes",
    "numbers",
    "layers",
    "elements",
    "tasks",
    "help",
)
"""Modules of this folder that define operators, in the order in which the reference lists them."""

CLASSES = tuple(
    cls
    for name in TOPICS
    for cls in defined_classes(importlib.import_module(f".{name}", __package__), bpy.types.Operator)
)


def _run(arguments: list[str]) -> int:
    from . import command_line

    return command_line.run(arguments)


COMMAND = ConsoleCommand("terrane", _run)

_own = Parts(Classes(*CLASSES), COMMAND)
register, unregister = _own.register, _own.unregister
