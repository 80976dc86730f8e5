# SPDX-License-Identifier: GPL-3.0-or-later
"""Make an image of noise."""

from __future__ import annotations

from typing import Any

import bpy
from bpy.props import StringProperty

from .bridge import images, masks, textures
from .bridge.core import PLAIN, preset
from .bridge.jobs import Work
from .bridge.keywords import IMAGE
from .long_operator import LongOperator, refuses
from .recipe_keywords import RecipeOperator, declared_keywords, recipe_keywords


class TERRANE_OT_image_new(LongOperator, RecipeOperator, bpy.types.Operator):
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

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Allow it while nothing else of ours is at work."""
        return not refuses(cls)

    def prepare(self, context: bpy.types.Context) -> Work:
        """Read the settings and the masks."""
        request = self.request(context)
        shape = textures.ImageShape(**self.chosen_options(context))
        grid = textures.image_grid(shape, request.measures.size)
        self.preset_then = request.preset
        where = masks.fields(masks.owner_of(self.settings_group(context)), request, grid)
        return textures.work(request.recipe, shape, grid, where)

    def finish(self, context: bpy.types.Context, result: Any) -> set[str]:
        """Write the gray values into a new image, and show it."""
        shipped = self.preset_then
        name = self.name or ("Noise" if shipped == PLAIN else preset(shipped).label)
        image = images.new_image(name, result, float_buffer=self.float_buffer)
        images.show(context, image)
        return {"FINISHED"}
