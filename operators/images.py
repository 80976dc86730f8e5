# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators for images of noise and colorings: new, update, erode, sequences, color ramps."""

from __future__ import annotations

from functools import partial
from typing import Any

import bpy

from ..noise_core.base.errors import TerraneError
from .bridge.datablocks import images, linked
from .bridge.datablocks.ref import Ref
from .bridge.interface.messages import Message, report
from .bridge.schema import picture_settings, state
from .bridge.schema.picture_options import SEQUENCE
from .bridge.tasks.jobs import Work, as_work
from .bridge.tasks.steps import Steps
from .bridge.terrain import evaluation, map_images
from .bridge.textures import (
    derived_images,
    image_erosion,
    image_files,
    picture_records,
    pictures,
    surface_settings,
)
from .bridge.textures.image_erosion import IMAGE_MEASURES
from .bridge.textures.image_product import IMAGE
from .eroding_operator import ErodingOperator, erosion_keywords
from .layer_operator import SettingsOperator
from .maps import MAPS, chosen_maps
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
    """Make a noise image, packed into this file, that can be updated"""

    bl_idname = "terrane.image_new"
    bl_label = "New Noise Image"
    bl_options = {"REGISTER", "UNDO", "PRESET"}
    doing = Message("Making the Image")

    __annotations__ = {
        **picture_keywords(),
        "name": name_property("Name of the new image; empty uses the coloring's or the preset's"),
    }

    def run(self, context: bpy.types.Context) -> Steps[set[str]]:
        """Read the settings and the masks, make a new image, and show it."""
        request = self.image_request(context)
        work = pictures.packed_work(*self.picture(context, request), request.seconds)
        self.tell_borders(context, request)
        content = yield work
        image = images.create_image(self.picture_name(request), content)
        picture_records.remember(image, request)
        images.show(context, image)
        return {"FINISHED"}


class TERRANE_OT_image_update(PictureOperator, bpy.types.Operator):
    """Rebuild the image from its settings; its users are kept, painting is lost"""

    bl_idname = "terrane.image_update"
    bl_label = "Update Image"
    bl_options = {"REGISTER", "UNDO"}
    doing = Message("Updating the Image")
    is_update = True

    __annotations__ = {
        **picture_keywords(),
        "image": text_property("Image", "Image to update; that of the Image Editor if empty"),
    }

    @staticmethod
    def why_not(context: bpy.types.Context) -> str:
        """Refuse it without images."""
        return "" if bpy.data.images else Message("Make an image with Terrane first")

    def stored_settings(self, context: bpy.types.Context) -> Any:
        """Return the settings of the image."""
        return getattr(self._find(context), state.PROPERTY)

    def run(self, context: bpy.types.Context) -> Steps[set[str]]:
        """Read the settings and the masks, and write the pixels into the image."""
        image = self._find(context)
        self.image, target = image.name, Ref.of(image)
        request = self.image_request(context)
        work = IMAGE.work(image, request)
        self.tell_borders(context, request)
        settings_then = picture_records.snapshot(image)
        content = yield work
        target_image = target.find()
        if target_image is None:
            raise TerraneError("{} is gone: nothing was made anew", self.image)
        picture_records.editable(target_image, self.image)
        has_new_settings = picture_records.snapshot(target_image) != settings_then
        IMAGE.finish(target_image, IMAGE.update(target_image, request), content)
        if not has_new_settings:
            picture_records.remember(target_image, request)
        return {"FINISHED"}

    def _find(self, context: bpy.types.Context) -> bpy.types.Image:
        return picture_records.editable(named_image(context, self.image), self.image)


class TERRANE_OT_image_erode(ErodingOperator, bpy.types.Operator):
    """Erode the image as heights, from black (low) to white (high)"""

    bl_idname = "terrane.image_erode"
    bl_label = "Erode Image"
    bl_options = {"REGISTER", "UNDO", "PRESET"}
    doing = Message("Eroding the Image")

    __annotations__ = {
        **erosion_keywords(*IMAGE_MEASURES, taken=("image", "name"), maps=()),
        "image": text_property("Image", "Image to erode; that of the Image Editor if empty"),
        "name": name_property("Name of the new image; empty derives it from the old one's"),
    }

    why_not = staticmethod(why_no_image)

    def run(self, context: bpy.types.Context) -> Steps[set[str]]:
        """Read the pixels and the mask, and write the eroded pixels, and images of the maps."""
        image, meters, work = self._erosion(context)
        target, shape = Ref.of(image), images.shape_of(image)
        result: evaluation.Evaluated = yield work
        encoded: derived_images.Encoded = yield as_work(
            derived_images.encoding(result, meters, is_new=not self.in_place)
        )
        if encoded.packed is not None:
            shown = images.create_image(self.name or f"{self.image} eroded", encoded.packed)
        else:
            resolve = partial(self._resolve, target, shape)
            yield from derived_images.write(resolve, encoded.gray)
            shown = resolve()
        for name, content in encoded.maps.items():
            map_images.write_image(shown, name, content)
        images.show(context, shown)
        return {"FINISHED"}

    def _erosion(self, context: bpy.types.Context) -> tuple[bpy.types.Image, float, Work]:
        """Return the image, the meters between black and white, and the work that erodes it."""
        modifier = self.chosen_modifier(context)
        self.take_options(context, "mask", *(parameter.name for parameter in IMAGE_MEASURES))
        image = self._find(context)
        self.image = image.name
        self._take_own(image)
        if self.options.is_repeat:
            derived_images.take_back(image)
        measures = checked_values(self, IMAGE_MEASURES, "Image")
        meters = measures["height"]
        heights, grid = derived_images.read(image, measures["size"], meters, seamless=self.seamless)
        mask = image_erosion.image_mask(self.mask, grid) if self.mask else None
        work = evaluation.modifier_work(modifier, heights, grid, self.seed, mask, chosen_maps(self))
        return image, meters, work

    def _find(self, context: bpy.types.Context) -> bpy.types.Image:
        image = named_image(context, self.image)
        if image is None:
            raise TerraneError("image must name an image", got=repr(self.image))
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

    def _resolve(self, target: Ref[bpy.types.Image], shape: tuple[int, ...]) -> bpy.types.Image:
        """Return the image; raise a TerraneError if it is gone or has another shape."""
        image = target.find()
        if image is None or images.shape_of(image) != shape:
            raise TerraneError("{} was changed meanwhile: nothing was eroded", self.image)
        return image

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the redo panel."""
        layout = redo_layout(self)
        self.draw_modifier(layout)
        layout.prop_search(self, "mask", bpy.data, "images")
        draw_columns(layout, self, ("size", "height"), ("seamless",), ("in_place",))
        draw_columns(layout, self, *((name,) for name in MAPS))


class TERRANE_OT_sequence_save(PictureOperator, bpy.types.Operator):
    """Save an animated image as a sequence such as clouds_0001.png"""

    bl_idname = "terrane.sequence_save"
    bl_label = "Save Sequence"
    bl_options = {"REGISTER", "UNDO", "PRESET"}
    doing = Message("Saving the Sequence")

    __annotations__ = {
        **picture_keywords(),
        **declared_keywords(SEQUENCE),
        **surface_settings.option_properties(FORMATS, NOT_REMEMBERED),
        "directory": surface_settings.directory_property(frozenset({"SKIP_SAVE"})),
        "name": name_property("Prefix of the file names; the coloring's or the preset's if empty"),
        "overwrite": overwrite_property(),
        "load": switch_property("Load", "Load the files as one animated image", default=True),
    }  # fmt: skip

    def run(self, context: bpy.types.Context) -> Steps[set[str]]:
        """Check for existing files, write the frames, load them, and report their names."""
        request = self.image_request(context)
        self.take_options(context, *(parameter.name for parameter in SEQUENCE))
        if self.from_panel:
            take_settings(self, surface_settings.of(context), *WHERE)
        step = checked_values(self, SEQUENCE, "Sequence")["step"]
        numbers = image_files.frame_numbers(self.frames)
        files = image_files.requested_files(self, self.picture_name(request), numbers)
        picture = self.picture(context, request)
        work = image_files.sequence_work(*picture, files, step, overwrite=self.overwrite)
        self.tell_borders(context, request)
        written = yield work
        if self.load:
            image = image_files.load_sequence(written, request.picture)
            image_files.show_sequence(context, image, len(written))
        values = len(written), written[0].parent, written[0].name, written[-1].name
        report(self, {"INFO"}, "Wrote {} frames to {}: {} to {}", *values)
        return {"FINISHED"}

    def draw_options(self, layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
        """Draw the image's size and kind, and the format of the files."""
        super().draw_options(layout, context)
        step = ("step",) if self.motion == "endless" else ()
        draw_columns(layout, self, *((name,) for name in ("frames", *step, *WHERE, "name", "load")))


class TERRANE_OT_ramp_new(SettingsOperator, bpy.types.Operator):
    """Make an editable color ramp from the palette"""

    bl_idname = "terrane.ramp_new"
    bl_label = "New Ramp"
    bl_options = {"REGISTER", "UNDO", "INTERNAL"}

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        """Write the ramp into the settings in the panel."""
        options = getattr(state.active_settings(context), state.IMAGE_GROUP)
        picture_settings.begin_ramp(options)
        return {"FINISHED"}
