# SPDX-License-Identifier: GPL-3.0-or-later
"""Panels and menus; they draw and call operators, and never compute or write data."""

from __future__ import annotations


def register() -> None:
    """Tell Blender about the panels and menus."""
    import bpy

    from . import (
        blender_menus,
        contact_sheet,
        erosion,
        image_editor,
        manual,
        material,
        menus,
        modifiers,
        nodes,
        terrain_material,
        viewport,
    )

    for cls in (
        *menus.CLASSES,
        *modifiers.CLASSES,
        *viewport.CLASSES,
        *image_editor.CLASSES,
        *erosion.CLASSES,
        *terrain_material.CLASSES,
        *material.CLASSES,
        *nodes.CLASSES,
        *contact_sheet.CLASSES,
    ):
        bpy.utils.register_class(cls)
    menus.append()
    blender_menus.register()
    manual.register()


def unregister() -> None:
    """Undo `register`, in reverse."""
    import bpy

    from . import (
        blender_menus,
        contact_sheet,
        erosion,
        image_editor,
        manual,
        material,
        menus,
        modifiers,
        nodes,
        terrain_material,
        viewport,
    )

    manual.unregister()
    blender_menus.unregister()
    menus.remove()
    for cls in reversed(
        (
            *menus.CLASSES,
            *modifiers.CLASSES,
            *viewport.CLASSES,
            *image_editor.CLASSES,
            *erosion.CLASSES,
            *terrain_material.CLASSES,
            *material.CLASSES,
            *nodes.CLASSES,
            *contact_sheet.CLASSES,
        )
    ):
        bpy.utils.unregister_class(cls)
