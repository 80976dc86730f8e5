# SPDX-License-Identifier: GPL-3.0-or-later
"""Terrane's tab in the Shader Editor: an image as an endless texture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bpy

from ..operators.bridge.schema import state
from ..operators.bridge.schema.keywords import HEX_TILING
from .declared import draw_parameters
from .manual import draw_button
from .sections import split


class HexTilingSection:
    """What panels show of it: the settings and the button."""

    bl_label = "Hex Tiling"
    if TYPE_CHECKING:
        layout: bpy.types.UILayout

    def draw(self, context: bpy.types.Context) -> None:
        """Draw them."""
        layout = split(self.layout)
        draw_parameters(layout, state.HEX_SETTINGS.of(context), HEX_TILING)
        layout.operator("terrane.hex_tiling_add", icon="TEXTURE").from_panel = True


class TERRANE_PT_shader_hex_tiling(HexTilingSection, bpy.types.Panel):
    """An image as an endless texture, in the place of the active Image Texture."""

    bl_space_type = "NODE_EDITOR"
    bl_region_type = "UI"
    bl_category = "Terrane"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Show it for shaders."""
        space: Any = context.space_data
        return space is not None and space.tree_type == "ShaderNodeTree"

    def draw_header_preset(self, context: bpy.types.Context) -> None:
        """Draw the button that opens the manual."""
        draw_button(self.layout, "pictures")
