# SPDX-License-Identifier: GPL-3.0-or-later
"""Noise as nodes: a live material instead of baked images."""

from __future__ import annotations

import bpy

from ..operators.bridge.nodetree.noise_nodes import settings as node_settings
from .declared import draw_parameters
from .sections import split


class TERRANE_PT_nodes(bpy.types.Panel):
    """The noise of this tab as Blender's own nodes."""

    bl_label = "Noise Nodes"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Terrane"
    bl_parent_id = "TERRANE_PT_material"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the options and the button."""
        layout = split(self.layout)
        draw_parameters(layout, node_settings.of(context), node_settings.NODES)
        layout.operator("terrane.nodes_add", icon="NODETREE").from_panel = True


CLASSES = (TERRANE_PT_nodes,)
