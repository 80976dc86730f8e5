# SPDX-License-Identifier: GPL-3.0-or-later
"""Make an image anew from its settings."""

from __future__ import annotations

from typing import Any

import bpy
from bpy.props import StringProperty

from .bridge import images, state
from .bridge.core import TerraneError
from .bridge.images import Content
from .bridge.pictures import made_pictures, picture_records
from .bridge.work.jobs import Work
from .long_operator import refuses
from .picture_operator import PictureOperator, picture_keywords


class TERRANE_OT_image_update(PictureOperator, bpy.types.Operator):
    """Make an image anew from its settings; whatever uses it keeps it."""

    bl_idname = "terrane.image_update"
    bl_label = "Update Image"
    bl_description = "Make the image anew from its settings; materials and whatever else uses it keep it, what was painted on it is lost"
    bl_options = {"REGISTER", "UNDO"}
    doing = "Updating the Image"

    __annotations__ = {
        **picture_keywords(),
        "image": StringProperty(
            name="Image",
            description="The image to make anew; the one that the Image Editor shows if empty",
            options={"SKIP_SAVE"},
        ),
    }

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Allow it while there are images and nothing else of ours is at work."""
        return not refuses(cls, "" if bpy.data.images else "Make an image with Terrane first")

    def settings_group(self, context: bpy.types.Context) -> Any:
        """Return the image's own settings."""
        return getattr(self._target(context), state.PROPERTY)

    def prepare(self, context: bpy.types.Context) -> Work:
        """Read the settings and the masks."""
        image = self._target(context)
        self.image, self.number = image.name, image.session_uid
        work = self.picture_work(context)
        self.settings_then = picture_records.snapshot(image)
        return work

    def finish(self, context: bpy.types.Context, result: Content) -> set[str]:
        """Write the pixels into the image."""
        image = images.by_number(self.number)
        if image is None:
            raise TerraneError(f"{self.image} is gone: nothing was made anew")
        picture_records.editable(image, self.image)
        has_new_settings = picture_records.snapshot(image) != self.settings_then
        images.write_content(image, result)
        request = self.asked
        if has_new_settings:
            made_pictures.remember(image, made_pictures.digest(request, self.shape, self.look))
        else:
            picture_records.remember(image, request, self.shape, self.look)
        images.redraw(context)
        return {"FINISHED"}

    def _target(self, context: bpy.types.Context) -> bpy.types.Image:
        image = bpy.data.images.get(self.image) if self.image else images.active(context)
        return picture_records.editable(image, self.image)
