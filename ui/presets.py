# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of the settings and of presets, and the contact sheet."""

from __future__ import annotations

from typing import Any

import bpy
from bpy.app.translations import pgettext_iface as iface_

from ..operators.bridge.schema import presets, state
from ..operators.bridge.textures import recipe_preview
from ..operators.bridge.textures.recipe_preview import SHEETS
from .sections import OVERVIEW, Section

SCALE = 8.0
"""Size of the picture in the panel, in heights of a button."""

SCALE_IN_POPUP = 4.5
"""Size of the pictures to choose from, eight in a row: all landforms fit below the panel's picture on a small screen,
where Blender cuts off the rest."""

SCALE_ON_SHEET = 6.6
"""Size of the pictures of a contact sheet."""

NO_ROOM = 0.001
"""Height of a column whose contents lie below those of the next ones; 0 is as high as its contents."""


class PreviewSection(Section):
    """A picture of the settings that follows the sliders; a click on it shows those of all presets."""

    bl_label = "Preview"
    bl_order = OVERVIEW

    def draw(self, context: bpy.types.Context) -> None:
        """Draw it."""
        layout: Any = self.layout
        recipe_preview.follow(context)
        layout.template_icon_view(
            state.active_settings(context),
            presets.PICTURE,
            show_labels=True,
            scale=SCALE,
            scale_popup=SCALE_IN_POPUP,
        )
        row = layout.row(align=True)
        row.operator("terrane.contact_sheet", text="Seeds", icon="IMGDISPLAY").kind = "seeds"
        row.operator("terrane.contact_sheet", text="Variations").kind = "variations"


class TERRANE_PT_contact_sheet(bpy.types.Panel):
    """Nine pictures; opened by the operator, never by itself."""

    bl_label = "Contact Sheet"
    bl_space_type = "VIEW_3D"
    bl_region_type = "WINDOW"
    bl_options = {"INSTANCED"}
    bl_ui_units_x = 22

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the pictures in rows of three, and the next actions below them."""
        layout: Any = self.layout
        sheet = recipe_preview.present_sheet
        if sheet is None:
            layout.label(text="Make a contact sheet first")
            return
        grid = layout.grid_flow(
            row_major=True, columns=recipe_preview.COLUMNS, even_columns=True, even_rows=True
        )
        for place in range(len(sheet.entries)):
            _draw_picture(grid.column(align=True), sheet, place)
        row = layout.row()
        row.operator_context = "INVOKE_DEFAULT"
        again = row.operator("terrane.contact_sheet", text="Again", icon="FILE_REFRESH")
        again.kind, again.roll = sheet.kind, sheet.roll + 1
        next_kind = next(kind for kind in SHEETS if kind != sheet.kind)
        change = row.operator("terrane.contact_sheet", text=iface_(next_kind.title()))
        change.kind = next_kind


def _draw_picture(cell: Any, sheet: recipe_preview.Sheet, place: int) -> None:
    """Draw a picture of a contact sheet, which is a button all over, with its label.

    Blender draws no large picture on the button of an operator. The button lies below the picture and the label,
    which no mouse sees, since the column that holds it takes next to no room.
    """
    below = cell.column()
    below.ui_units_y = NO_ROOM
    below.scale_y = SCALE_ON_SHEET + 1.0
    below.operator("terrane.contact_sheet_take", text="").index = place
    cell.template_icon(icon_value=recipe_preview.sheet_icon(place), scale=SCALE_ON_SHEET)
    text = cell.row()
    text.alignment = "CENTER"
    text.label(text=sheet.label(place), translate=False)
