# SPDX-License-Identifier: GPL-3.0-or-later
"""Small pictures of settings: a shaded terrain, or an image.

Reading a vertex group as a mask evaluates the mesh, and reading an image copies all of its pixels. Masks
do not change while a slider is dragged, so those read at the beginning of a gesture are used until its
end. A mask that cannot be read without leaving Edit Mode or disturbing a render is left out.
"""

from __future__ import annotations

import dataclasses
import time  # noqa: TID251 (how long ago a mask was read decides whether it is read again)
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import bpy

from ....noise_core.base.arrays import Field
from ....noise_core.base.blocks import Cancel, Progress
from ....noise_core.base.errors import ParameterError
from ....noise_core.base.grid import Grid
from ....noise_core.landscapes.look import Look
from ....noise_core.landscapes.preset_library import Preset, preset
from ....noise_core.pictures.thumbnail import grays, resize, thumbnail
from ....noise_core.rasters.resampling import stretch
from ....noise_core.recipes.recipe import Recipe
from ..datablocks.ref import Ref
from ..interface.thumbnails import SIDE
from ..schema import masks, picture_settings, settings, state
from ..schema.exact_numbers import number
from ..schema.presets import existing_name
from ..tasks.jobs import Work, is_rendering
from ..terrain.terrains import Measures
from . import pictures
from .pictures import ImageShape, Picture

FINEST = 256
"""Samples along the longer side that masks are read at: no picture of settings is finer."""

KEPT = 0.5
"""Seconds without a picture after which a mask is read again: longer than a pause within a gesture."""


@dataclass(frozen=True)
class Order:
    """Request for a picture, without Blender's data."""

    recipe: Recipe  # as it acts: without layers that others leave out
    measures: Measures  # the resolution does not count
    look: Look
    picture: Picture | None = None
    """If it is of an image: see `pictures.Picture`; the recipe is the same."""
    masks: Mapping[int, Field] = dataclasses.field(default_factory=dict)
    """Painted masks of layers, by their place; of any resolution."""

    def masks_on(self, grid: Grid) -> dict[int, Field]:
        """Return the masks on the grid of a picture."""
        return {
            place: stretch(mask, grid, is_texture=grid.wrap) for place, mask in self.masks.items()
        }

    def with_recipe(self, recipe: Recipe) -> Order:
        """Return this order with another recipe."""
        picture = self.picture
        if picture is not None:
            coloring = picture.coloring
            if coloring is not None and self.recipe.noise != recipe.noise:
                coloring = coloring.with_noise(recipe.noise)
            picture = dataclasses.replace(picture, recipe=recipe, coloring=coloring)
        return dataclasses.replace(self, recipe=recipe, picture=picture)


def look_of(context: bpy.types.Context, group: Any) -> Look:
    """Return the look of pictures of settings: that of their preset."""
    began = preset(existing_name(group.preset))
    look = began.look
    if context.area is not None and context.area.type == "IMAGE_EDITOR":
        return dataclasses.replace(look, is_flat=True)
    if look.sea is not None and began.recipe.height:
        scale = number(group.height) / began.recipe.height
        look = dataclasses.replace(look, sea=look.sea * scale)
    return look


def order_of(context: bpy.types.Context, group: Any) -> Order:
    """Return the order for the picture of settings, as the current editor uses them.

    Painted masks are as fine as the picture. A TerraneError tells why settings cannot be read.
    """
    recipe = settings.acting(group)
    look, measures, picture = look_of(context, group), Measures.of(group), None
    if context.area is None or context.area.type != "IMAGE_EDITOR":
        grid = dataclasses.replace(measures, resolution=FINEST).grid(recipe)
    else:
        options = getattr(group, state.IMAGE_GROUP)
        colors, shape = picture_settings.read_look(options), ImageShape.of(options)
        grid = reduce_shape(shape, FINEST).grid(recipe)
        picture = Picture(recipe, shape, colors.coloring_of(recipe.noise), colors.ramp_of())
    if picture is not None and picture.coloring is not None:
        return Order(recipe, measures, look, picture)
    return Order(recipe, measures, look, picture, read_masks(group, grid))


def order(shown: Preset) -> Order:
    """Return the order for the picture of a preset."""
    return Order(shown.recipe, Measures(SIDE), shown.look)


def work(order: Order, side: int = SIDE, finest: int | None = None) -> Work:
    """Return the work that draws a picture of shape (side, side, 3), sRGB from 0 to 1.

    A picture that is not square has black margins. The longer side has `finest` samples, if given.
    """
    samples = min(finest or side, side)

    def draw(progress: Progress, cancel: Cancel) -> Field:
        make = _relief if order.picture is None else _image
        pixels = make(order, samples, progress, cancel)
        return pixels if pixels.shape[:2] == (side, side) else resize(pixels, side)

    return draw


def _relief(order: Order, samples: int, progress: Progress, cancel: Cancel) -> Field:
    grid = dataclasses.replace(order.measures, resolution=max(samples, 2)).grid(order.recipe)
    where = order.masks_on(grid)
    relief = order.recipe.evaluate(grid, masks=where, progress=progress, cancel=cancel)
    reach, maps = order.recipe.height, relief.maps
    return thumbnail(relief.height, grid, order.look, reach, maps=maps, cancel=cancel)


def _image(order: Order, samples: int, progress: Progress, cancel: Cancel) -> Field:
    small = reduce_shape(order.picture.shape, samples)
    grid = small.grid(order.recipe)
    rough = dataclasses.replace(order.picture, shape=small)
    draw = pictures.work(rough, grid, order.masks_on(grid), is_display=True)
    pixels = draw(progress, cancel)
    if pixels.ndim == 3:
        return pixels
    return grays(pixels) if small.levels == "signed" else grays(pixels, 0.0, 1.0)


def reduce_shape(shape: ImageShape, samples: int) -> ImageShape:
    """Return a shape with a number of samples along its longer side."""
    scale = samples / max(shape.width, shape.height)
    return dataclasses.replace(
        shape,
        width=max(1, round(shape.width * scale)),
        height=max(1, round(shape.height * scale)),
        float_buffer=True,
    )


_kept: dict[tuple[int, str, int, Grid], tuple[float, Field]] = {}
"""Masks as they were read last, and when they were used last."""


def read_masks(group: Any, grid: Grid) -> dict[int, Field]:
    """Return the masks of layers, by place, that can be read or were read recently."""
    owner, time_now, fields = masks.owner_of(group), time.perf_counter(), {}
    # Reading would leave Edit Mode, or disturb a render.
    must_not_read = is_rendering() or getattr(owner, "mode", "OBJECT") == "EDIT"
    for key in [] if must_not_read else list(_kept):
        if time_now - _kept[key][0] > KEPT:
            del _kept[key]
    for place, layer_state in enumerate(settings.states(group)):
        if not layer_state.mask or layer_state.is_muted:
            continue
        key = (
            0 if owner is None else Ref.of(owner).uid,
            layer_state.mask,
            layer_state.mask_image,
            grid,
        )
        try:
            if key in _kept:
                fields[place] = _kept[key][1]
            elif not must_not_read:
                fields[place] = masks.field(
                    owner, layer_state.mask, grid, layer_state.name, None, layer_state.mask_image
                )
        except ParameterError:
            continue  # the panel says at the layer that its mask is missing
        if place in fields:
            _kept[key] = (time.perf_counter(), fields[place])
    return fields
