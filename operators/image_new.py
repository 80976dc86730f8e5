# SPDX-License-Identifier: GPL-3.0-or-later
"""Make an image of noise, or of a coloring."""

from __future__ import annotations

import bpy
from bpy.props import StringProperty

from .bridge import images
from .bridge.images import Content
from .bridge.pictures import picture_records
from .bridge.work.jobs import Work
from .long_operator import refuses
from .picture_operator import PictureOperator, picture_keywords


class TERRANE_OT_image_new(PictureOperator, bpy.types.Operator):
    """Make an image of procedural noise, in gray or in colors, packed into this file."""

    bl_idname = "terrane.image_new"
    bl_label = "New Noise Image"
    bl_description = "Make an image of procedural noise, in gray or in colors, packed into this file; it can be made anew"
    bl_options = {"REGISTER", "UNDO", "PRESET"}
    doing = "Making the Image"

    __annotations__ = {
        **picture_keywords(),
        "name": StringProperty(
            name="Name",
            description="Of the new image; the coloring's or the preset's if empty",
            options={"SKIP_SAVE"},
        ),
    }

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Allow it while nothing else of ours is at work."""
        return not refuses(cls)

    def prepare(self, context: bpy.types.Context) -> Work:
        """Read the settings and the masks."""
        work = self.picture_work(context)
        self.tell_borders(context)
        return work

    def finish(self, context: bpy.types.Context, result: Content) -> set[str]:
        """Make a new image of them, and show it."""
        image = images.new_kept(self.picture_name(), result)
        picture_records.remember(image, self.asked, self.shape, self.look)
        images.show(context, image)
        return {"FINISHED"}
