# SPDX-License-Identifier: GPL-3.0-or-later
"""Terrane's tab in the Image Editor, whose top row chooses noise, formulas or surfaces, and that in the Shader Editor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bpy

from ..operators.bridge.schema import picture_settings, state
from ..operators.bridge.schema.picture_options import COLORS, IMAGE, PALETTE, SEQUENCE, SOURCE
from ..operators.bridge.textures import (
    live_ramps,
    node_settings,
    surface_settings,
)
from .declared import draw_parameter, draw_parameters
from .layers import LayerSection, LayersSection
from .live import draw_note, draw_switch
from .manual import draw_button
from .material import draw_folder, draw_map_switches, draw_surface
from .presets import PreviewSection
from .progress import draw_job_button, draw_progress
from .sections import NoiseSection, OfImage, Section, draw_recipe, draw_seed, split


def options_of(context: bpy.types.Context) -> Any:
    """Return the options of an image besides its recipe."""
    return getattr(state.active_settings(context), state.IMAGE_GROUP)


class _InImageEditor:
    """Place of these panels."""

    bl_space_type = "IMAGE_EDITOR"
    bl_region_type = "UI"
    bl_category = "Terrane"


class _InImageMain(_InImageEditor):
    """Place below the main panel."""

    bl_parent_id = "TERRANE_PT_image"


class _OfRecipe(_InImageMain):
    """Panels for images that use the recipe's noise."""

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Show it for noise, and for colorings of the recipe's noise."""
        return bool(picture_settings.uses_recipe(options_of(context)))


class _OfSurface(_InImageMain):
    """Panels for textures of a surface."""

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Show it for surfaces."""
        return options_of(context).kind == "surface"


class TERRANE_PT_image(_InImageEditor, bpy.types.Panel):
    """Make an image."""

    bl_label = "Terrane"

    def draw_header_preset(self, context: bpy.types.Context) -> None:
        """Draw the switch of live update, and the button that opens the manual."""
        draw_switch(self.layout, context)
        draw_button(self.layout, "pictures")

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the kind of image, the button, the preset and the seed."""
        group, options = state.active_settings(context), options_of(context)
        self.layout.row(align=True).prop(options, "kind", expand=True)
        layout = split(self.layout)
        row = layout.row()
        row.scale_y = 1.4
        if not draw_progress(row):
            self._draw_buttons(row, context, options.kind)
        draw_note(layout, context, state.active_picture(context))
        if options.kind == "surface":
            return
        if picture_settings.uses_recipe(options):
            draw_recipe(layout, context)
            return
        draw_seed(layout, group)

    @staticmethod
    def _draw_buttons(row: Any, context: bpy.types.Context, kind: str) -> None:
        if kind == "surface":
            bake = row.operator("terrane.images_bake", icon="RENDER_STILL")
            bake.from_panel = True
        elif state.active_picture(context) is None:
            new = row.operator("terrane.image_new", text="New Image", icon="IMAGE_DATA")
            new.from_panel = True
        else:
            row.operator("terrane.image_update", text="Update", icon="FILE_REFRESH")
            row.operator("terrane.image_new", text="", icon="ADD").from_panel = True


class TERRANE_PT_image_preview(PreviewSection, _OfRecipe, bpy.types.Panel):
    """Preview of the settings, and pictures of all presets."""


class TERRANE_PT_image_noise(NoiseSection, _OfRecipe, bpy.types.Panel):
    """Seed, octaves, frequency, persistence and warp."""


class TERRANE_PT_image_coloring(_InImageMain, bpy.types.Panel):
    """The formula of a picture, and its parameters."""

    bl_label = "Coloring"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Show it for pictures by a formula."""
        return options_of(context).kind == "coloring"

    def draw(self, context: bpy.types.Context) -> None:
        """Draw them."""
        layout, options = split(self.layout), options_of(context)
        layout.prop(options, "coloring", text="Type")
        draw_parameters(layout, *picture_settings.COLORINGS.part(options, options.coloring))
        if picture_settings.has_noise(options.coloring):
            layout.row().prop(options, SOURCE.name, text="Noise", expand=True)


class TERRANE_PT_image_shape(_InImageMain, bpy.types.Panel):
    """How large the image is, and of which kind."""

    bl_label = "Image"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Show it except for surfaces, which have their own measures."""
        return options_of(context).kind != "surface"

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the options."""
        layout, options = split(self.layout), options_of(context)
        draw_parameters(layout, options, (COLORS,))
        if options.kind == "noise":
            _draw_colors(layout, options)
        draw_parameters(layout, options, IMAGE)


def _draw_colors(layout: Any, options: Any) -> None:
    """Draw the palette, or the user's ramp."""
    if options.colors == "palette":
        row = layout.row(align=True)
        draw_parameter(row, options, PALETTE)
        row.operator("terrane.ramp_new", text="", icon="GREASEPENCIL")
    if options.colors == "ramp":
        texture = getattr(options, picture_settings.TEXTURE)
        column = layout.column()
        column.use_property_split = False  # a name needs the whole width
        column.template_ID(options, picture_settings.TEXTURE, new="terrane.ramp_new")
        if texture is not None and texture.color_ramp is not None:
            column.template_color_ramp(texture, "color_ramp", expand=True)
            live_ramps.follow()
        layout.separator()


class TERRANE_PT_image_by_example(OfImage, _InImageMain, bpy.types.Panel):
    """Another image that looks like the one that the editor shows."""

    bl_label = "By Example"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the settings and the button."""
        layout = split(self.layout)
        draw_parameters(
            layout, node_settings.EXAMPLE_SETTINGS.of(context), node_settings.BY_EXAMPLE
        )
        draw_job_button(layout, "terrane.image_by_example", "TEXTURE")


class HexTilingSection:
    """Mix-in of panels that draw the settings of hex tiling and its button."""

    bl_label = "Hex Tiling"
    if TYPE_CHECKING:
        layout: bpy.types.UILayout

    def draw(self, context: bpy.types.Context) -> None:
        """Draw them."""
        layout, group = split(self.layout), node_settings.HEX_SETTINGS.of(context)
        for parameter in node_settings.HEX_TILING:
            if parameter.name == "seed":
                layout.prop(group, "seed", text="Tiling Seed")
            else:
                draw_parameters(layout, group, (parameter,))
        layout.operator("terrane.hex_tiling_add", icon="TEXTURE").from_panel = True


class TERRANE_PT_image_hex_tiling(_InImageEditor, HexTilingSection, bpy.types.Panel):
    """The image as an endless texture of the active material."""

    bl_parent_id = "TERRANE_PT_image_by_example"
    bl_options = {"DEFAULT_CLOSED"}


class TERRANE_PT_image_sequence(_InImageMain, bpy.types.Panel):
    """Files of an image that moves, one a frame."""

    bl_label = "Sequence"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Show it for images that move."""
        options = options_of(context)
        return options.kind != "surface" and options.motion != "still"

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the number of frames, the options of the files, and the button."""
        layout, files = split(self.layout), surface_settings.of(context)
        draw_parameters(layout, options_of(context), SEQUENCE)
        draw_parameters(layout, files, surface_settings.FORMATS)
        draw_folder(layout, files, "terrane.sequence_save")


class TERRANE_PT_image_layers(LayersSection, _OfRecipe, bpy.types.Panel):
    """The layers of noise and the modifiers."""


class TERRANE_PT_image_layer(LayerSection, _OfRecipe, bpy.types.Panel):
    """The active layer: its noise and filters, or the parameters of its modifier, and its masks."""


class TERRANE_PT_image_surface(_OfSurface, Section, bpy.types.Panel):
    """Type of the surface, its exposed parameters, and its measures."""

    bl_label = "Surface"

    def draw(self, context: bpy.types.Context) -> None:
        """Draw them."""
        draw_surface(split(self.layout), context)


class TERRANE_PT_image_maps(_OfSurface, Section, bpy.types.Panel):
    """Which maps are made, as images and as files."""

    bl_label = "Maps"

    def draw(self, context: bpy.types.Context) -> None:
        """Draw a switch for each, and the options of all."""
        group = surface_settings.of(context)
        draw_map_switches(self.layout, group)
        draw_parameters(split(self.layout), group, surface_settings.BAKED)


class TERRANE_PT_image_files(_OfSurface, Section, bpy.types.Panel):
    """Files of the same surface."""

    bl_label = "Files"

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the options of the files, and the button."""
        layout, group = split(self.layout), surface_settings.of(context)
        draw_parameters(layout, group, _without(surface_settings.FILES))
        draw_folder(layout, group)


class TERRANE_PT_image_material(_OfSurface, Section, bpy.types.Panel):
    """A material of the same surface, for the active object."""

    bl_label = "Surface Material"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the mapping, and the button."""
        layout, group = split(self.layout), surface_settings.of(context)
        draw_parameters(layout, group, _without(surface_settings.MATERIAL))
        draw_job_button(layout, "terrane.material_add", "MATERIAL")


def _without(parameters: Any) -> tuple[Any, ...]:
    """Return parameters without those that are drawn with the maps already."""
    return tuple(parameter for parameter in parameters if parameter not in surface_settings.BAKED)


class TERRANE_PT_shader_hex_tiling(HexTilingSection, bpy.types.Panel):
    """An image as an endless texture, in the place of the active Image Texture."""

    bl_space_type = "NODE_EDITOR"
    bl_region_type = "UI"
    bl_category = "Terrane"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Show it for shaders."""
        space: Any = context.space_data
        return space is not None and space.tree_type == "ShaderNodeTree"

    def draw_header_preset(self, context: bpy.types.Context) -> None:
        """Draw the button that opens the manual."""
        draw_button(self.layout, "pictures")
