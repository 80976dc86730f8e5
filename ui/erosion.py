# SPDX-License-Identifier: GPL-3.0-or-later
"""Exports and maps of meshes, and erosion of images."""

from __future__ import annotations

from typing import Any

import bpy

from ..operators.bridge.exchange import target_settings
from ..operators.bridge.interface.messages import Message
from ..operators.bridge.schema import modifier_values, state
from ..operators.bridge.terrain import catalog
from ..operators.bridge.textures import image_erosion
from .declared import draw_parameters, draw_with_advanced
from .live import draw_text
from .manual import draw_button
from .progress import draw_progress
from .sections import EXPORT, ForMesh, OfImage, split


def _draw_modifier(layout: bpy.types.UILayout, group: Any) -> None:
    """Draw the type of a modifier, and its parameters."""
    layout.prop(group, "modifier")
    parameters = getattr(group, group.modifier)
    layout.prop(group, "seed", text="Erosion Seed")
    layout.prop(group, "opacity")
    shown = modifier_values.own_parameters(group.modifier)
    draw_with_advanced(layout, parameters, shown, f"erode_{group.modifier}")


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


class TERRANE_PT_maps(ForMesh, bpy.types.Panel):
    """Maps of a mesh that is a grid."""

    bl_label = "Maps"

    def draw(self, context: bpy.types.Context) -> None:
        """Draw a switch for each map, and the buttons."""
        layout = self.layout
        _draw_maps(layout, catalog.of(context), is_made=False)
        _draw_maps(layout, catalog.of(context), is_made=True)
        column = layout.column(align=True)
        if draw_progress(column):
            return
        bake = column.operator("terrane.maps_bake", text="Bake to Attributes", icon="GROUP_VERTEX")
        bake.from_panel = True
        row = column.row(align=True)
        images = row.operator("terrane.maps_bake", text="Images", icon="IMAGE_DATA")
        images.from_panel, images.as_images, images.as_attributes = True, True, False
        splat = row.operator("terrane.maps_bake", text="Splat Map", icon="COLOR")
        splat.from_panel, splat.splat, splat.as_attributes = True, True, False
        column.operator("terrane.maps_figures", icon="IPO_EASE_IN_OUT")


def _draw_maps(layout: bpy.types.UILayout, group: Any, *, is_made: bool) -> None:
    """Draw the switches of the maps that modifiers make, or of those read off the relief."""
    layout.label(text="From Erosion" if is_made else "From the Relief")
    flow = layout.grid_flow(row_major=True, columns=2, even_columns=True, align=True)
    for name, entry in catalog.entries().items():
        if entry.is_made == is_made:
            flow.prop(group, name, toggle=True)


class TERRANE_PT_image_erode(OfImage, bpy.types.Panel):
    """Erode the image that the editor shows."""

    bl_label = "Erode Image"
    bl_space_type = "IMAGE_EDITOR"
    bl_region_type = "UI"
    bl_category = "Terrane"
    bl_parent_id = "TERRANE_PT_image"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the settings and the button."""
        layout = split(self.layout)
        group = image_erosion.of(context)
        _draw_modifier(layout, group)
        layout.prop_search(group, "mask", bpy.data, "images")
        draw_parameters(layout, group, image_erosion.IMAGE_MEASURES)
        if draw_progress(layout):
            return
        button = layout.operator("terrane.image_erode", text="Erode", icon="MOD_FLUID")
        button.from_panel = True
