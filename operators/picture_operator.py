# SPDX-License-Identifier: GPL-3.0-or-later
"""Mix-in and keywords of operators that make an image of a recipe or a coloring."""

from __future__ import annotations

import dataclasses
from typing import Any

import bpy

from .bridge.interface.core import PLAIN, NoiseLayer, chains, preset
from .bridge.interface.messages import report
from .bridge.schema import masks, picture_settings
from .bridge.schema.keywords import IMAGE
from .bridge.schema.picture_settings import ImageLook
from .bridge.tasks.jobs import Work
from .bridge.terrain.terrains import Request
from .bridge.textures import pictures
from .bridge.textures.pictures import ImageShape, Picture
from .long_operator import LongOperator
from .recipe_keywords import NOT_REMEMBERED, RecipeOperator, declared_keywords, recipe_keywords


class PictureOperator(LongOperator, RecipeOperator):
    """Mix-in of operators that make an image.

    A coloring has its own noise, unless a preset or a recipe is given, or the source is the recipe;
    the keywords of the noise change the one in use.
    """

    option_group = "image_options"
    option_parameters = IMAGE
    beginnings = ("preset", "coloring", "source")

    asked: Request
    look: ImageLook
    shape: ImageShape

    def picture(self, context: bpy.types.Context) -> Picture:
        """Return the request of the keywords, show it in the redo panel, and store it in the operator.

        Raises
        ------
        TerraneError
            If the recipe cannot be read, or a value is not allowed.
        """
        self._choose(context)
        request = self.request(context)
        self.shape = ImageShape(**self.chosen_options(context))
        self.asked = request
        return Picture(
            request.acting,
            self.shape,
            self.look.coloring_of(request.recipe.noise),
            self.look.ramp_of(),
        )

    def picture_work(self, context: bpy.types.Context) -> Work:
        """Return the work that gives the packed content; see `pictures.packed_work`."""
        made = self.picture(context)
        return pictures.packed_work(made, *self.surroundings(context, made))

    def surroundings(self, context: bpy.types.Context, made: Picture) -> tuple[Any, Any]:
        """Return the grid of the pixels, and the mask of each modifier."""
        request = self.asked
        grid = self.shape.grid(request.recipe)
        if made.coloring is not None:
            return grid, {}  # modifiers have no effect here
        return grid, masks.fields(masks.owner_of(self.settings_group(context)), request, grid)

    def tell_borders(self, context: bpy.types.Context) -> None:
        """Report if the image shows other land than the terrain of the same settings.

        One may be seamless and the other not, and only terrains have tiles. Plain noise and textures have no terrain to differ from.
        """
        asked = self.asked
        has_terrain = asked.preset != PLAIN and not preset(asked.preset).look.is_flat
        has_terrain |= masks.owner_of(self.settings_group(context)) is not None
        if not has_terrain or picture_settings.is_formula(self.look.coloring):
            return
        if self.shape.seamless and not asked.measures.seamless:
            report(self, {"INFO"}, "The image wraps: other land than the terrain, which does not")
        if asked.measures.seamless and not self.shape.seamless:
            report(self, {"INFO"}, "The terrain wraps: other land than the image, which does not")
        if not asked.measures.seamless and any(asked.measures.tile):
            report(self, {"INFO"}, "The image shows tile (0, 0), the terrain another")

    def picture_name(self) -> str:
        """Return the name of the image: the given one, or else that of its content."""
        shipped = self.asked.preset
        made = picture_settings.label(self.look.coloring)
        return self.name or made or ("Noise" if shipped == PLAIN else preset(shipped).label)

    def draw_recipe(self, layout: bpy.types.UILayout) -> None:
        """Draw the coloring, its parameters and the keywords of the noise."""
        layout.prop(self, "coloring")
        if self.coloring in ("palette", "ramp"):
            layout.prop(self, self.coloring)
        if picture_settings.is_formula(self.coloring):
            group = getattr(self, picture_settings.group_name(self.coloring))
            for one in picture_settings.parameters(self.coloring):
                layout.prop(group, one.name)
        if not picture_settings.has_noise(self.coloring):
            layout.prop(self, "seed")
            return
        if picture_settings.is_formula(self.coloring):
            layout.prop(self, "source")
        super().draw_recipe(layout)

    def draw_options(self, layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
        """Draw the image's size and kind."""
        column = layout.column(align=True)
        column.prop(self, "width")
        column.prop(self, "height")
        if not picture_settings.is_formula(self.coloring):
            layout.prop(self, "levels")
        column = layout.column(align=True)
        column.prop(self, "seamless")
        column.prop(self, "float_buffer")
        column = layout.column(align=True)
        column.prop(self, "motion")
        if self.motion != "still":
            column.prop(self, "evolution")
        if self.motion == "loop":
            column.prop(self, "loop_length")

    def _choose(self, context: bpy.types.Context) -> None:
        """Read the coloring and its parameters, and show them in the redo panel."""
        stored = self._stored_options(context)
        self._take_choices(stored)
        key, values = self.coloring, {}
        given, noise = picture_settings.parse_parameters(key, self.parameters)
        if picture_settings.is_formula(key):
            values = self._stored_values(stored) | given
            if noise is None and self.source == "own":
                noise = picture_settings.own_noise(key)
        self._noise = noise
        texture = None if stored is None else picture_settings.texture_of(stored, self.ramp)
        self.look = ImageLook(key, self.palette, self.ramp, values, texture)
        if picture_settings.is_formula(key):
            # Made here so that an invalid value is refused before Blender rounds or clamps it.
            self.look.coloring_of(noise or preset(PLAIN).recipe.noise)
            picture_settings.write_values(self, self.look)

    def _take_choices(self, stored: Any | None) -> None:
        """Take missing options from the panel, if it calls the operator."""
        is_set = self.properties.is_property_set
        is_chosen = is_set("preset") and not self.uses_settings
        has_new_preset = self.previous_values().get("preset", self.preset) != self.preset
        if has_new_preset or (not is_set("source") and (self.recipe or is_chosen)):
            self.source = "recipe"
        if stored is not None:
            if not is_set("coloring"):
                self.coloring = picture_settings.chosen_coloring(stored)
            if not is_set("ramp"):
                self.ramp = picture_settings.ramp_text(stored)
            for name in picture_settings.CHOICES:
                if not is_set(name):
                    setattr(self, name, getattr(stored, name))
        self.source = self.source  # mark it as set, so that a redo does not take it for a default

    def _stored_values(self, stored: Any | None) -> dict[str, Any]:
        """Return the parameters of the coloring: those of the operator, or else of the panel."""
        key = self.coloring
        values = picture_settings.defaults(key)
        if stored is not None:
            values |= picture_settings.read_group(stored, key, values)
        own = getattr(self, picture_settings.group_name(key))
        shown = picture_settings.read_group(self, key, values)
        values |= {name: one for name, one in shown.items() if own.is_property_set(name)}
        return values | self._own_noise_keywords(values)

    def _own_noise_keywords(self, values: dict[str, Any]) -> dict[str, Any]:
        """Return given keywords of the noise that the coloring itself has as parameters."""
        if picture_settings.has_noise(self.coloring) or self.shown:
            return {}
        given = {
            name: self._given_value(name, values[name])
            for name in chains.KEYWORDS
            if name in values
        }
        return {name: value for name, value in given.items() if value is not None}

    def _base(self, context: bpy.types.Context) -> Request:
        base = super()._base(context)
        if self._noise is None:
            return base
        recipe = dataclasses.replace(base.recipe, layers=(NoiseLayer(noise=self._noise),))
        return Request(recipe, base.measures, PLAIN)


def picture_keywords() -> dict[str, Any]:
    """Return the annotations of the keywords of a `PictureOperator`."""
    return {
        **picture_settings.keyword_properties(NOT_REMEMBERED),
        **recipe_keywords(measured=False),
        **declared_keywords(IMAGE),
    }
