# SPDX-License-Identifier: GPL-3.0-or-later
"""Make an image of noise."""

from __future__ import annotations

import bpy
from bpy.props import StringProperty

from .bridge import images, textures
from .bridge.core import PLAIN, preset
from .bridge.keywords import IMAGE
from .recipe_keywords import RecipeOperator, declared_keywords, recipe_keywords, reports_errors


class TERRANE_OT_image_new(RecipeOperator, bpy.types.Operator):
    """Make an image of procedural noise, packed into this file."""

    bl_idname = "terrane.image_new"
    bl_label = "Terrane Image"
    bl_description = "Make an image of procedural noise, packed into this file"
    bl_options = {"REGISTER", "UNDO", "PRESET"}

    __annotations__ = {
        **recipe_keywords(measured=False),
        **declared_keywords(IMAGE),
        "name": StringProperty(
            name="Name",
            description="Of the new image; the preset's if empty",
            options={"SKIP_SAVE"},
        ),
    }
    option_group = "image_options"
    option_parameters = IMAGE

    def draw_options(self, layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
        """Draw the image's size and kind."""
        column = layout.column(align=True)
        column.prop(self, "width")
        column.prop(self, "height")
        layout.prop(self, "levels")
        column = layout.column(align=True)
        column.prop(self, "seamless")
        column.prop(self, "float_buffer")

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        """Evaluate the recipe and write it into a new image."""
        request = self.request(context)
        shape = textures.ImageShape(**self.chosen_options(context))
        values = textures.gray_values(request.recipe, shape, request.measures.size)
        name = self.name or ("Noise" if request.preset == PLAIN else preset(request.preset).label)
        image = images.new_image(name, values, float_buffer=shape.float_buffer)
        images.show(context, image)
        return {"FINISHED"}
