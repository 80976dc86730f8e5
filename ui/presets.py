# SPDX-License-Identifier: GPL-3.0-or-later
"""Presets as pictures."""

from __future__ import annotations

from typing import Any

import bpy

from ..operators.bridge.schema import presets, state
from ..operators.bridge.textures import recipe_preview
from .sections import Section

SCALE = 8.0
"""Size of the picture in the panel, in heights of a button."""

SCALE_IN_POPUP = 6.0
"""Size of the pictures to choose from; there are eight in a row."""


class PreviewSection(Section):
    """A picture of the settings that follows the sliders; a click on it shows those of all presets."""

    bl_label = "Preview"

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
