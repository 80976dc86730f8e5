# SPDX-License-Identifier: GPL-3.0-or-later
"""Mix-in and keywords of operators that make an image of a recipe or a coloring."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import bpy

from ..noise_core.landscapes.preset_library import PLAIN, preset
from ..noise_core.recipes import chain_keywords
from ..noise_core.recipes.layers import NoiseLayer
from .bridge.interface.messages import report
from .bridge.schema import masks, picture_settings
from .bridge.schema.picture_options import IMAGE
from .bridge.schema.picture_settings import ImageLook
from .bridge.terrain import terrains
from .bridge.textures import picture_records, pictures
from .long_operator import LongOperator
from .options import chosen_values, draw_columns, take_settings
from .recipe_keywords import NOT_REMEMBERED, RecipeOperator, declared_keywords, recipe_keywords


class PictureOperator(LongOperator, RecipeOperator):
    """Mix-in of operators that make an image.

    A coloring has its own noise, unless a preset or a recipe is given, or the source is the recipe;
    the keywords of the noise change the one in use.
    """

    option_group = "image_options"
    option_parameters = IMAGE
    beginnings = ("preset", "coloring", "source")

    if TYPE_CHECKING:  # Blender looks up the names in annotations
        look: ImageLook

    def image_request(self, context: bpy.types.Context) -> picture_records.ImageRequest:
        """Return the request of the keywords, and show it in the redo panel."""
        self._choose(context)
        snapshot = self.request(context)
        shape = pictures.ImageShape(**self.chosen_options(context))
        return picture_records.ImageRequest.of(snapshot, shape, self.look)

    def picture(
        self, context: bpy.types.Context, request: picture_records.ImageRequest
    ) -> tuple[pictures.Picture, Any, Any]:
        """Return the picture of a request, its grid and its masks, as `pictures.work` takes them."""
        picture, grid, group = request.picture, request.grid, self.stored_settings(context)
        return picture, grid, pictures.masks_of(picture, group, request.snapshot, grid)

    def tell_borders(
        self, context: bpy.types.Context, image_request: picture_records.ImageRequest
    ) -> None:
        """Report if the image shows other land than the terrain of the same settings.

        One may be seamless and the other not, and only terrains have tiles. Plain noise and textures
        have no terrain to differ from.
        """
        request, shape = image_request.snapshot, image_request.picture.shape
        has_terrain = request.preset != PLAIN and not preset(request.preset).look.is_flat
        has_terrain |= masks.owner_of(self.stored_settings(context)) is not None
        # Images of plain noise have neither wrapping borders nor tiles.
        has_terrain |= request.measures.seamless or any(request.measures.tile)
        if not has_terrain or picture_settings.is_formula(self.look.coloring):
            return
        if shape.seamless and not request.measures.seamless:
            report(self, {"INFO"}, "The image wraps: it differs from the terrain, which does not")
        if request.measures.seamless and not shape.seamless:
            report(self, {"INFO"}, "The terrain wraps: it differs from the image, which does not")
        if not request.measures.seamless and any(request.measures.tile):
            report(self, {"INFO"}, "The image shows tile (0, 0), the terrain another")

    def picture_name(self, request: picture_records.ImageRequest) -> str:
        """Return the name of the image: the keyword, or else the name of its content."""
        shipped = request.snapshot.preset
        label = picture_settings.label(request.look.coloring)
        return self.name or label or ("Noise" if shipped == PLAIN else preset(shipped).label)

    def draw_recipe(self, layout: bpy.types.UILayout) -> None:
        """Draw the coloring, its parameters and the keywords of the noise."""
        layout.prop(self, "coloring")
        if self.coloring in ("palette", "ramp"):
            layout.prop(self, self.coloring)
        if picture_settings.is_formula(self.coloring):
            group, declared = picture_settings.COLORINGS.part(self, self.coloring)
            for parameter in declared:
                layout.prop(group, parameter.name)
        if not picture_settings.has_noise(self.coloring):
            layout.prop(self, "seed")
            return
        if picture_settings.is_formula(self.coloring):
            layout.prop(self, "source")
        RecipeOperator.draw_recipe(self, layout)

    def draw_options(self, layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
        """Draw the image's size and kind."""
        levels = () if picture_settings.is_formula(self.coloring) else (("levels",),)
        moves = {"still": (), "endless": ("evolution",), "loop": ("evolution", "loop_length")}
        columns = ("seamless", "float_buffer"), ("motion", *moves[self.motion])
        draw_columns(layout, self, ("width", "height"), *levels, *columns)

    def _choose(self, context: bpy.types.Context) -> None:
        """Read the coloring and its parameters, and show them in the redo panel."""
        stored = self.stored_options(context)
        self._take_choices(stored)
        key, values = self.coloring, {}
        parameters, noise = picture_settings.parse_parameters(key, self.parameters)
        if picture_settings.is_formula(key):
            values = self._stored_values(stored, parameters)
            if noise is None and self.source == "own":
                noise = picture_settings.own_noise(key)
        self._noise = noise
        texture = None if stored is None else picture_settings.texture_of(stored, self.ramp)
        self.look = ImageLook(key, self.palette, self.ramp, values, texture)
        if picture_settings.is_formula(key):
            # Refuse invalid values before Blender rounds or clamps them.
            self.look.coloring_of(noise or preset(PLAIN).recipe.noise)
            picture_settings.COLORINGS.write(self, key, values)

    def _take_choices(self, stored: Any | None) -> None:
        """Take missing options from the panel, if it calls the operator."""
        is_set = self.properties.is_property_set
        is_chosen = is_set("preset") and not self.uses_settings
        has_new_preset = self.previous_values().get("preset", self.preset) != self.preset
        if has_new_preset or (not is_set("source") and (self.recipe or is_chosen)):
            self.source = "recipe"
        take_settings(self, stored, *picture_settings.CHOICES)
        if stored is not None and not is_set("coloring"):
            self.coloring = picture_settings.chosen_coloring(stored)
        if stored is not None and not is_set("ramp"):
            self.ramp = picture_settings.ramp_text(stored)
        self.source = self.source  # mark it as set, so that a redo does not take it for a default

    def _stored_values(self, stored: Any | None, keywords: Mapping[str, Any]) -> dict[str, Any]:
        """Return the parameters of the coloring: those of the operator or its keywords, or else of the panel."""
        key = self.coloring
        group, kept = (picture_settings.COLORINGS.group(owner, key) for owner in (self, stored))
        parameters, usual = picture_settings.parameters(key), picture_settings.defaults(key)
        values = chosen_values(group, kept, parameters, usual, keywords)
        if not picture_settings.has_noise(key) and not self.shown:
            # Keywords of the noise that the coloring itself has as parameters.
            names = [
                name for name in chain_keywords.KEYWORDS if name in values and name not in keywords
            ]
            values |= {name: self._given_value(name, values[name], values[name]) for name in names}
        return values

    def _base(self, context: bpy.types.Context) -> terrains.Request:
        base = super()._base(context)
        if self._noise is None:
            return base
        recipe = dataclasses.replace(base.recipe, layers=(NoiseLayer(noise=self._noise),))
        return terrains.Request(recipe, base.measures, PLAIN)


def picture_keywords() -> dict[str, Any]:
    """Return the annotations of the keywords of a `PictureOperator`."""
    return {
        **picture_settings.keyword_properties(NOT_REMEMBERED),
        **recipe_keywords(measured=False),
        **declared_keywords(IMAGE),
    }
