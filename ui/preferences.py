# SPDX-License-Identifier: GPL-3.0-or-later
"""Page of preferences."""

from __future__ import annotations

import bpy

from ..operators.bridge.interface.messages import Message
from ..operators.bridge.interface.registering import Classes
from ..operators.bridge.schema import preferences
from ..operators.bridge.schema.fields import draw_number

_EMPTY = {
    preferences.DIRECTORY: Message("Beside the Blender file"),
    preferences.ASSETS: Message("In Blender's folder for extensions"),
}
"""What an empty folder stands for."""


class TERRANE_preferences(bpy.types.AddonPreferences):
    """Preferences of Terrane."""

    bl_idname = preferences.PACKAGE

    __annotations__ = preferences.properties()

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the page: the manual, speed, new terrains, files."""
        layout = self.layout
        layout.row().operator("terrane.manual_open", text="Manual", icon="HELP")
        layout.use_property_split = True
        layout.use_property_decorate = False
        for title, names in preferences.PAGE:
            column = layout.column(align=True)
            column.label(text=title)
            for name in names:
                if name in _EMPTY:
                    column.prop(self, name, placeholder=_EMPTY[name])
                else:
                    draw_number(column, self, name)
        layout.row().operator("terrane.assets_fill", icon="ASSET_MANAGER")


_own = Classes(TERRANE_preferences)
register, unregister = _own.register, _own.unregister
