# SPDX-License-Identifier: GPL-3.0-or-later
"""The menu of presets, and Terrane's entry in Blender's own menu."""

from __future__ import annotations

from typing import Any

import bpy

from ..operators.bridge.interface import thumbnails
from ..operators.bridge.interface.core import PLAIN, own_names, preset, shipped_names
from ..operators.bridge.interface.registering import Classes, MenuEntry, Parts


class TERRANE_MT_presets(bpy.types.Menu):
    """Ready-made recipes to begin with."""

    bl_label = "Presets"
    bl_description = "Ready-made recipes to begin with"

    def draw(self, context: bpy.types.Context) -> None:
        """List the shipped presets, the user's own, and the plain noise below them."""
        layout: Any = self.layout
        for names in (shipped_names(), own_names(), (PLAIN,)):
            if names is not shipped_names() and names:
                layout.separator()
            for name in names:
                picture = thumbnails.preset_icon(name)
                text = preset(name).label
                button = layout.operator("terrane.preset_load", text=text, icon_value=picture)
                button.preset = name


def draw_mesh_add(self: bpy.types.Menu, context: bpy.types.Context) -> None:
    """Draw Terrane's entry in Add > Mesh."""
    self.layout.operator("terrane.terrain_add", icon="RNDCURVE").from_panel = True


_own = Parts(Classes(TERRANE_MT_presets), MenuEntry("VIEW3D_MT_mesh_add", draw_mesh_add))
register, unregister = _own.register, _own.unregister
