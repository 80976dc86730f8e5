# SPDX-License-Identifier: GPL-3.0-or-later
"""The tab Terrane in the Image Editor: images of noise."""

from __future__ import annotations

import bpy

from ..operators.bridge import state
from ..operators.bridge.keywords import IMAGE
from .declared import draw_parameters
from .modifiers import ModifiersSection
from .progress import draw_progress
from .sections import FractalSection, NoiseSection, WarpSection, draw_recipe, split


class _InImageEditor:
    """Where these panels are."""

    bl_space_type = "IMAGE_EDITOR"
    bl_region_type = "UI"
    bl_category = "Terrane"


class _InMain(_InImageEditor):
    """Below the main panel."""

    bl_parent_id = "TERRANE_PT_image"


class TERRANE_PT_image(_InImageEditor, bpy.types.Panel):
    """Make an image."""

    bl_label = "Terrane"

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the button, the preset and the seed."""
        layout = split(self.layout)
        row = layout.row()
        row.scale_y = 1.4
        if not draw_progress(row):
            row.operator("terrane.image_new", text="New Image", icon="IMAGE_DATA").from_panel = True
        draw_recipe(layout, state.active_settings(context))


class TERRANE_PT_image_shape(_InMain, bpy.types.Panel):
    """How large the image is, and of which kind."""

    bl_label = "Image"

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the options."""
        own = getattr(state.active_settings(context), state.IMAGE_GROUP)
        draw_parameters(split(self.layout), own, IMAGE)


class TERRANE_PT_image_noise(NoiseSection, _InMain, bpy.types.Panel):
    """The noise that everything is made of."""


class TERRANE_PT_image_fractal(FractalSection, _InMain, bpy.types.Panel):
    """Finer copies of the noise."""


class TERRANE_PT_image_warp(WarpSection, _InMain, bpy.types.Panel):
    """Bending of the noise."""


class TERRANE_PT_image_modifiers(ModifiersSection, _InMain, bpy.types.Panel):
    """What is done to the noise."""


CLASSES = (
    TERRANE_PT_image,
    TERRANE_PT_image_shape,
    TERRANE_PT_image_noise,
    TERRANE_PT_image_fractal,
    TERRANE_PT_image_warp,
    TERRANE_PT_image_modifiers,
)
