# SPDX-License-Identifier: GPL-3.0-or-later
"""Erode an image of heights."""

from __future__ import annotations

from typing import Any

import bpy
from bpy.props import StringProperty

from .bridge import state
from .bridge.core import TerraneError
from .bridge.datablocks import images
from .bridge.datablocks.ref import Ref
from .bridge.maps import map_images
from .bridge.messages import Message, report
from .bridge.pictures import image_relief
from .bridge.terrain import eroding, evaluation
from .bridge.terrain.erosion_settings import IMAGE_MEASURES
from .bridge.work.jobs import Work
from .bridge.work.parts import making
from .bridge.work.steps import Steps
from .erosion_keywords import ErodingOperator, erosion_keywords
from .long_operator import LongOperator, refuses


class TERRANE_OT_image_erode(LongOperator, ErodingOperator, bpy.types.Operator):
    """Erode an image of heights: its first channel, in meters from black to white."""

    bl_idname = "terrane.image_erode"
    bl_label = "Erode Image"
    bl_description = "Erode the image as a relief, black is low and white is high; makes another image unless told otherwise"
    bl_options = {"REGISTER", "UNDO", "PRESET"}
    doing = Message("Eroding the Image")

    __annotations__ = {
        **erosion_keywords(*IMAGE_MEASURES, taken=("image", "name"), maps=()),
        "image": StringProperty(
            name="Image",
            description="The image to erode; the one that the Image Editor shows if empty",
            options={"SKIP_SAVE"},
        ),
        "name": StringProperty(
            name="Name",
            description="Of the new image; the old one's with a word behind it if empty",
            options={"SKIP_SAVE"},
        ),
    }

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Allow it while there are images."""
        return not refuses(
            cls, "" if bpy.data.images else Message("Open an image in the Image Editor first")
        )

    def prepare(self, context: bpy.types.Context) -> Work:
        """Read the pixels and the mask."""
        modifier = self.chosen_modifier(context)
        self.take_options(context, "mask", *(one.name for one in IMAGE_MEASURES))
        image = bpy.data.images.get(self.image) if self.image else images.active(context)
        if image is None:
            raise TerraneError("image must name an image; got {!r}", self.image)
        if self.in_place and image.library is not None:
            raise TerraneError("{} is linked from another file: make another image", image.name)
        if self.in_place and not images.is_single(image):
            raise TerraneError("{} has tiles, frames or views: make another image", image.name)
        self.image, self.target = image.name, Ref.of(image)
        self._take_own(image)
        if self.options.is_repeat:
            image_relief.take_back(image)
        measures = image_relief.Measures.of(self)
        heights, grid = image_relief.read(image, measures)
        mask = image_relief.mask(self.mask, grid)
        return eroding.relief_work(modifier, heights, grid, self.seed, mask, self.maps)

    def finish(self, context: bpy.types.Context, result: evaluation.Evaluated) -> Steps[set[str]]:
        """Write the pixels, and images of the maps."""
        measures, is_new = image_relief.Measures.of(self), not self.in_place
        encoded: image_relief.Encoded = yield making(
            image_relief.encoding(result, measures, is_new=is_new)
        )
        if encoded.packed is not None:
            shown = images.new_saved(self.name or f"{self.image} eroded", encoded.packed)
        else:
            shape = encoded.gray.shape
            yield from image_relief.written(lambda: self._found(shape), encoded.gray)
            shown = self._found(shape)
        for name, content in encoded.maps.items():
            map_images.write_image(shown, name, content)
        images.show(context, shown)
        return {"FINISHED"}

    def _take_own(self, image: bpy.types.Image) -> None:
        """Take the size of an image that Terrane made, unless one is given, and compare its edges."""
        if not state.is_picture(image):
            return
        group: Any = getattr(image, state.PROPERTY)
        is_seamless = getattr(group, state.IMAGE_GROUP).seamless
        if not self.properties.is_property_set("size"):
            self.size = group.size
        if is_seamless and not self.seamless:
            report(
                self, {"INFO"}, "The image was seamless; after this erosion its edges do not meet"
            )
        if self.seamless and not is_seamless:
            report(self, {"INFO"}, "The image was not seamless; the erosion goes across its edges")

    def _found(self, shape: tuple[int, ...]) -> bpy.types.Image:
        """Return the image that is eroded; raise a TerraneError if it is gone or has another shape."""
        image = self.target.find()
        if image is None or images.shape_of(image) != shape:
            raise TerraneError("{} was changed meanwhile: nothing was eroded", self.image)
        return image

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the redo panel."""
        layout = self.layout
        layout.use_property_split = True
        layout.use_property_decorate = False
        self.draw_modifier(layout)
        layout.prop_search(self, "mask", bpy.data, "images")
        column = layout.column(align=True)
        column.prop(self, "size")
        column.prop(self, "height")
        layout.prop(self, "seamless")
        layout.prop(self, "in_place")
        layout.column(align=True).prop(self, "maps")
