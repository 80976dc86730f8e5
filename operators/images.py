# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators for images of noise and colorings: new, update, erode, sequences, color ramps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bpy

from ..noise_core.base.errors import TerraneError
from .bridge.datablocks import images, linked
from .bridge.datablocks.ref import Ref
from .bridge.interface.messages import Message, report
from .bridge.schema import picture_settings, state
from .bridge.schema.picture_options import SEQUENCE
from .bridge.tasks.jobs import Work, as_work
from .bridge.tasks.product import Update
from .bridge.tasks.steps import Steps
from .bridge.terrain import evaluation, map_images
from .bridge.textures import (
    derived_images,
    image_erosion,
    image_files,
    image_product,
    picture_records,
    pictures,
    surface_settings,
)
from .bridge.textures.image_erosion import IMAGE_MEASURES
from .eroding_operator import ErodingOperator, erosion_keywords
from .layer_operator import SettingsOperator
from .options import (
    checked_values,
    draw_columns,
    name_property,
    overwrite_property,
    redo_layout,
    switch_property,
    take_settings,
    text_property,
)
from .picture_operator import PictureOperator, picture_keywords
from .recipe_keywords import NOT_REMEMBERED, declared_keywords, reports_errors

if TYPE_CHECKING:
    from .bridge.datablocks.images import Content

FORMATS = surface_settings.FORMATS
WHERE = (*(parameter.name for parameter in FORMATS), "directory", "overwrite")
"""Options that images share with surfaces in the panel."""


def why_no_image(context: bpy.types.Context) -> str:
    """Return why there is no image to read; an empty text if there is one."""
    return "" if bpy.data.images else Message("Open an image in the Image Editor first")


def named_image(context: bpy.types.Context, name: str) -> bpy.types.Image | None:
    """Return the image of a name, or the one that the current Image Editor shows if it is empty."""
    return bpy.data.images.get(name) if name else images.active(context)


class TERRANE_OT_image_new(PictureOperator, bpy.types.Operator):
    """Make an image of procedural noise, in gray or in colors, packed into this file; it can be made again"""

    bl_idname = "terrane.image_new"
    bl_label = "New Noise Image"
    bl_options = {"REGISTER", "UNDO", "PRESET"}
    doing = Message("Making the Image")

    __annotations__ = {
        **picture_keywords(),
        "name": name_property("Of the new image; the coloring's or the preset's if empty"),
    }

    def prepare(self, context: bpy.types.Context) -> Work:
        """Read the settings and the masks."""
        work = pictures.packed_work(*self.picture(context))
        self.tell_borders(context)
        return work

    def finish(self, context: bpy.types.Context, result: Content) -> set[str]:
        """Make a new image of the result, and show it."""
        image = images.create_image(self.picture_name(), result)
        picture_records.remember(image, self.current_request, self.shape, self.look)
        images.show(context, image)
        return {"FINISHED"}


class TERRANE_OT_image_update(PictureOperator, bpy.types.Operator):
    """Make the image again from its settings; materials and other users keep it, what was painted on it is lost"""

    bl_idname = "terrane.image_update"
    bl_label = "Update Image"
    bl_options = {"REGISTER", "UNDO"}
    doing = Message("Updating the Image")

    __annotations__ = {
        **picture_keywords(),
        "image": text_property(
            "Image", "The image to make anew; the one that the Image Editor shows if empty"
        ),
    }

    @staticmethod
    def why_not(context: bpy.types.Context) -> str:
        """Refuse it without images."""
        return "" if bpy.data.images else Message("Make an image with Terrane first")

    def stored_settings(self, context: bpy.types.Context) -> Any:
        """Return the settings of the image."""
        return getattr(self._find(context), state.PROPERTY)

    def prepare(self, context: bpy.types.Context) -> Work:
        """Read the settings and the masks."""
        image = self._find(context)
        self.image, self.target = image.name, Ref.of(image)
        work = pictures.packed_work(*self.picture(context))
        self.tell_borders(context)
        self.settings_then = picture_records.snapshot(image)
        return work

    def finish(self, context: bpy.types.Context, result: Content) -> set[str]:
        """Write the pixels into the image."""
        image = self.target.find()
        if image is None:
            raise TerraneError("{} is gone: nothing was made anew", self.image)
        picture_records.editable(image, self.image)
        has_new_settings = picture_records.snapshot(image) != self.settings_then
        source = (self.current_request, self.shape, self.look)
        update = Update(
            picture_records.digest(*source), (), (self.shape.height, self.shape.width), None
        )
        image_product.IMAGE.write(image, update, result)
        if not has_new_settings:
            picture_records.remember(image, *source)
        return {"FINISHED"}

    def _find(self, context: bpy.types.Context) -> bpy.types.Image:
        return picture_records.editable(named_image(context, self.image), self.image)


class TERRANE_OT_image_erode(ErodingOperator, bpy.types.Operator):
    """Erode the image as a relief, black is low and white is high; makes another image unless told otherwise"""

    bl_idname = "terrane.image_erode"
    bl_label = "Erode Image"
    bl_options = {"REGISTER", "UNDO", "PRESET"}
    doing = Message("Eroding the Image")

    __annotations__ = {
        **erosion_keywords(*IMAGE_MEASURES, taken=("image", "name"), maps=()),
        "image": text_property(
            "Image", "The image to erode; the one that the Image Editor shows if empty"
        ),
        "name": name_property("Of the new image; the old one's with a word behind it if empty"),
    }

    why_not = staticmethod(why_no_image)

    def prepare(self, context: bpy.types.Context) -> Work:
        """Read the pixels and the mask."""
        modifier = self.chosen_modifier(context)
        self.take_options(context, "mask", *(parameter.name for parameter in IMAGE_MEASURES))
        image = self._find(context)
        self.image, self.target = image.name, Ref.of(image)
        self._take_own(image)
        if self.options.is_repeat:
            derived_images.take_back(image)
        measures = checked_values(self, IMAGE_MEASURES, "Image")
        self.meters = measures["height"]
        heights, grid = derived_images.read(
            image, measures["size"], self.meters, seamless=self.seamless
        )
        mask = image_erosion.image_mask(self.mask, grid) if self.mask else None
        return evaluation.modifier_work(modifier, heights, grid, self.seed, mask, self.maps)

    def finish(self, context: bpy.types.Context, result: evaluation.Evaluated) -> Steps[set[str]]:
        """Write the pixels, and images of the maps."""
        encoded: derived_images.Encoded = yield as_work(
            derived_images.encoding(result, self.meters, is_new=not self.in_place)
        )
        if encoded.packed is not None:
            shown = images.create_image(self.name or f"{self.image} eroded", encoded.packed)
        else:
            shape = encoded.gray.shape
            yield from derived_images.write(lambda: self._resolve(shape), encoded.gray)
            shown = self._resolve(shape)
        for name, content in encoded.maps.items():
            map_images.write_image(shown, name, content)
        images.show(context, shown)
        return {"FINISHED"}

    def _find(self, context: bpy.types.Context) -> bpy.types.Image:
        image = named_image(context, self.image)
        if image is None:
            raise TerraneError("image must name an image; got {!r}", self.image)
        linked.require_writable(image if self.in_place else None)
        if self.in_place and not images.is_single(image):
            raise TerraneError("{} has tiles, frames or views: make another image", image.name)
        return image

    def _take_own(self, image: bpy.types.Image) -> None:
        """Take the size of an image that Terrane made, unless given, and compare its edges."""
        if not state.is_picture(image):
            return
        group: Any = getattr(image, state.PROPERTY)
        is_seamless = getattr(group, state.IMAGE_GROUP).seamless
        take_settings(self, group, "size")
        if is_seamless and not self.seamless:
            report(
                self, {"INFO"}, "The image was seamless; after this erosion its edges do not meet"
            )
        if self.seamless and not is_seamless:
            report(self, {"INFO"}, "The image was not seamless; the erosion goes across its edges")

    def _resolve(self, shape: tuple[int, ...]) -> bpy.types.Image:
        """Return the image; raise a TerraneError if it is gone or has another shape."""
        image: bpy.types.Image | None = self.target.find()
        if image is None or images.shape_of(image) != shape:
            raise TerraneError("{} was changed meanwhile: nothing was eroded", self.image)
        return image

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the redo panel."""
        layout = redo_layout(self)
        self.draw_modifier(layout)
        layout.prop_search(self, "mask", bpy.data, "images")
        draw_columns(layout, self, ("size", "height"), ("seamless",), ("in_place",), ("maps",))


class TERRANE_OT_sequence_save(PictureOperator, bpy.types.Operator):
    """Write an image that moves as a sequence of files, one a frame: clouds_0001.png and so on; a loop has no jump"""

    bl_idname = "terrane.sequence_save"
    bl_label = "Save Sequence"
    bl_options = {"REGISTER", "UNDO", "PRESET"}
    doing = Message("Saving the Sequence")

    __annotations__ = {
        **picture_keywords(),
        **declared_keywords(SEQUENCE),
        **surface_settings.option_properties(FORMATS, NOT_REMEMBERED),
        "directory": surface_settings.directory_property(frozenset({"SKIP_SAVE"})),
        "name": name_property("Begins the names of the files; the coloring's or the preset's if empty"),
        "overwrite": overwrite_property(),
        "load": switch_property("Load", "Load the files as one image that plays them", default=True),
    }  # fmt: skip

    def prepare(self, context: bpy.types.Context) -> Work:
        """Read the settings and the masks, and check for existing files."""
        picture = self.picture(context)
        self.take_options(context, *(parameter.name for parameter in SEQUENCE))
        if self.from_panel:
            take_settings(self, surface_settings.of(context), *WHERE)
        step = checked_values(self, SEQUENCE, "Sequence")["step"]
        files = image_files.requested_files(
            self, self.picture_name(), image_files.frame_numbers(self.frames)
        )
        work = image_files.sequence_work(*picture, files, step, overwrite=self.overwrite)
        self.sequence_picture = picture[0]
        self.tell_borders(context)
        return work

    def finish(self, context: bpy.types.Context, result: Any) -> set[str]:
        """Load the files, and report their names."""
        if self.load:
            image = image_files.load_sequence(result, self.sequence_picture)
            image_files.show_sequence(context, image, len(result))
        values = len(result), result[0].parent, result[0].name, result[-1].name
        report(self, {"INFO"}, "Wrote {} frames to {}: {} to {}", *values)
        return {"FINISHED"}

    def draw_options(self, layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
        """Draw the image's size and kind, and the format of the files."""
        super().draw_options(layout, context)
        step = ("step",) if self.motion == "endless" else ()
        draw_columns(layout, self, *((name,) for name in ("frames", *step, *WHERE, "name", "load")))


class TERRANE_OT_ramp_new(SettingsOperator, bpy.types.Operator):
    """Make a row of colors to be edited, with those of the palette to begin with"""

    bl_idname = "terrane.ramp_new"
    bl_label = "New Ramp"
    bl_options = {"REGISTER", "UNDO", "INTERNAL"}

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        """Write the ramp into the settings in the panel."""
        options = getattr(state.active_settings(context), state.IMAGE_GROUP)
        picture_settings.begin_ramp(options)
        return {"FINISHED"}
