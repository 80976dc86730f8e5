# SPDX-License-Identifier: GPL-3.0-or-later
"""Panels and menus; they draw and call operators, and never compute or write data."""

from __future__ import annotations

import functools
import importlib
from typing import Any

FILES = (
    *(
        "sections",
        "chains",
        "masks",
        "layer_menus",
        "layers",
        "viewport",
        "curves",
        "image_editor",
        "planet",
        "landscape",
        "erosion",
        "brush_tool",
    ),
    *("motion", "material", "presets", "blender_menus", "manual"),
)
"""Modules with panels and menus; Blender draws panels in the order of these files."""


def register() -> None:
    """Register the panels and menus."""
    _parts().register()


def unregister() -> None:
    """Unregister them, in reverse order."""
    _parts().unregister()


@functools.cache
def _parts() -> Any:
    import bpy

    from ..operators.bridge.interface.registering import Classes, Parts, defined_classes

    types: Any = (bpy.types.Panel, bpy.types.Menu, bpy.types.UIList, bpy.types.FileHandler)
    files = [importlib.import_module(f".{name}", __package__) for name in FILES]
    classes = Classes(*(cls for file in files for cls in defined_classes(file, types)))
    return Parts(classes, *(file for file in files if hasattr(file, "register")))
