# SPDX-License-Identifier: GPL-3.0-or-later
"""All operators, in the order of their registration."""

from __future__ import annotations

import importlib

import bpy

from .bridge.interface.registering import Classes, defined_classes

TOPICS = (
    "terrain",
    "erosion",
    "maps",
    "exchange",
    "heightmap_import",
    "masks",
    "images",
    "surfaces",
    "materials",
    "colors",
    "landscape",
    "scene",
    "scatter",
    "detail_patch",
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

_own = Classes(*CLASSES)
register, unregister = _own.register, _own.unregister
