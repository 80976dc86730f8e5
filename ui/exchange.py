# SPDX-License-Identifier: GPL-3.0-or-later
"""The panel that exports the active terrain or mesh for an engine, a simulator or a map."""

from __future__ import annotations

from typing import Any

import bpy

from ..operators.bridge.exchange import target_settings
from ..operators.bridge.interface.messages import Message
from ..operators.bridge.schema import state
from .declared import draw_parameters
from .live import draw_text
from .manual import draw_button
from .progress import draw_progress
from .sections import EXPORT, ForMesh, split


class TERRANE_PT_export(ForMesh, bpy.types.Panel):
    """Target, samples and range of an exported heightmap."""

    bl_label = "Export"
    bl_order = EXPORT

    def draw_header_preset(self, context: bpy.types.Context) -> None:
        """Draw the button that opens the manual."""
        draw_button(self.layout, "engines")

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the settings, what they come to for the active object, and the button."""
        from ..operators.bridge.exchange import exported_lands

        layout, group = split(self.layout), target_settings.PANEL.of(context)
        obj = state.active_object(context)
        if obj is None:
            return
        layout.prop(group, "target")
        options, declared = target_settings.TARGETS.part(group, group.target)
        column = layout.column(align=True)
        draw_parameters(column, options, (one for one in declared if not one.advanced))
        column = layout.column(align=True)
        draw_parameters(column, group, target_settings.EXPORT)
        if not group.samples:
            count = exported_lands.proposed_samples(obj, group.target)
            draw_text(
                layout,
                context,
                Message("Samples: {}, those of the mesh or the next allowed", count),
            )
        line, is_possible = exported_lands.placement_line(context, obj.name)
        draw_text(layout, context, line, "INFO" if is_possible else "ERROR")
        row: Any = layout.row()
        if not draw_progress(row):
            button = row.operator("terrane.heightmap_export", text="Export...", icon="EXPORT")
            button.from_panel, button.object = True, obj.name
