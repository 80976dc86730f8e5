# SPDX-License-Identifier: GPL-3.0-or-later
"""Panels and menus; they draw and call operators, and never compute or write data."""

from __future__ import annotations

import functools
from typing import Any


def register() -> None:
    """Register the panels and menus."""
    _parts().register()


def unregister() -> None:
    """Unregister them, in reverse order."""
    _parts().unregister()


@functools.cache
def _parts() -> Any:
    from ..operators.bridge.interface.registering import Classes, Parts
    from . import (
        blender_menus,
        chains,
        contact_sheet,
        erosion,
        image_editor,
        landscape,
        layers,
        manual,
        material,
        menus,
        nodes,
        terrain_material,
        viewport,
    )

    panels = Classes(
        *chains.CLASSES,
        *layers.CLASSES,
        *viewport.CLASSES,
        *image_editor.CLASSES,
        *landscape.CLASSES,
        *erosion.CLASSES,
        *terrain_material.CLASSES,
        *material.CLASSES,
        *nodes.CLASSES,
        *contact_sheet.CLASSES,
    )
    return Parts(menus, panels, blender_menus, manual)
