# SPDX-License-Identifier: GPL-3.0-or-later
"""Small pictures of settings: a shaded terrain, or an image."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import bpy

from ....noise_core.base.arrays import Field
from ....noise_core.base.blocks import Cancel, Progress
from ....noise_core.base.grid import Grid
from ....noise_core.preset_library import Look, Preset, preset
from ....noise_core.recipe import Recipe
from ....noise_core.thumbnail import grays, resize, thumbnail
from ..interface.thumbnails import SIDE
from ..schema import masks, picture_settings, settings, state
from ..schema.keywords import IMAGE
from ..schema.masks import resample
from ..schema.presets import existing_name
from ..schema.values import read_values
from ..tasks.jobs import Work
from ..terrain.terrains import Measures
from . import mask_previews, pictures
from .encoding import srgb
from .pictures import ImageShape, Picture

FINEST = 256
"""Samples along the longer side that masks are read at: no picture of settings is finer."""


@dataclass(frozen=True)
class Order:
    """Request for a picture, without Blender's data.

    Attributes
    ----------
    recipe : Recipe
        As it acts: without layers that others leave out.
    measures : Measures
        The resolution does not count.
    look : Look
    picture : Picture or None
        If it is of an image: see `pictures.Picture`; the recipe is the same.
    masks : mapping of int to ndarray of shape (rows, columns)
        Painted masks of layers, by their place; of any resolution.
    """

    recipe: Recipe
    measures: Measures
    look: Look
    picture: Picture | None = None
    masks: Mapping[int, Field] = dataclasses.field(default_factory=dict)

    def masks_on(self, grid: Grid) -> dict[int, Field]:
        """Return the masks on the grid of a picture."""
        return {
            place: resample(one, grid, is_texture=grid.wrap) for place, one in self.masks.items()
        }

    def with_recipe(self, recipe: Recipe) -> Order:
        """Return the same of another recipe."""
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
        scale = settings.number(group.height) / began.recipe.height
        look = dataclasses.replace(look, sea=look.sea * scale)
    return look


def order_of(context: bpy.types.Context, group: Any) -> Order:
    """Return the order for the picture of settings, as the current editor uses them.

    Painted masks are as fine as the picture.

    Raises
    ------
    TerraneError
        If they cannot be read.
    """
    recipe = settings.acting(group)
    look, measures = look_of(context, group), Measures.of(group)
    owner = masks.owner_of(group)
    if context.area is None or context.area.type != "IMAGE_EDITOR":
        grid = dataclasses.replace(measures, resolution=FINEST).grid(recipe)
        return Order(recipe, measures, look, masks=mask_previews.fields(owner, group, grid))
    options = getattr(group, state.IMAGE_GROUP)
    colors = picture_settings.read_look(options)
    shape: Any = ImageShape(**read_values(options, IMAGE))
    grid = _reduce(shape, FINEST).grid(recipe)
    return Order(
        recipe,
        measures,
        look,
        Picture(recipe, shape, colors.coloring_of(recipe.noise), colors.ramp_of()),
        {}
        if picture_settings.is_formula(colors.coloring)
        else mask_previews.fields(owner, group, grid),
    )


def order(shown: Preset) -> Order:
    """Return the order for the picture of a preset."""
    return Order(shown.recipe, Measures(1.0, SIDE), shown.look)


def work(order: Order, side: int = SIDE, finest: int | None = None) -> Work:
    """Return the work that draws a picture of shape (side, side, 3), sRGB from 0 to 1.

    Parameters
    ----------
    order : Order
    side : int
        Pixels along each side; what is not square has black beside it.
    finest : int, optional
        Samples along the longer side, as many as pixels if not given.
    """
    samples = min(finest or side, side)

    def draw(progress: Progress, cancel: Cancel) -> Field:
        made = _image(order, samples, progress, cancel) if order.picture else None
        if made is None:
            made = _relief(order, samples, progress, cancel)
        return made if made.shape[:2] == (side, side) else resize(made, side)

    return draw


def _relief(order: Order, samples: int, progress: Progress, cancel: Cancel) -> Field:
    grid = dataclasses.replace(order.measures, resolution=max(samples, 2)).grid(order.recipe)
    where = order.masks_on(grid)
    relief = order.recipe.evaluate(grid, masks=where, progress=progress, cancel=cancel)
    return thumbnail(relief.height, grid, order.look, order.recipe.height, cancel=cancel)


def _image(order: Order, samples: int, progress: Progress, cancel: Cancel) -> Field:
    picture = order.picture
    assert picture is not None
    small = _reduce(picture.shape, samples)
    grid = small.grid(order.recipe)
    rough = dataclasses.replace(picture, shape=small)
    made = pictures.work(rough, grid, order.masks_on(grid))(progress, cancel)
    if made.ndim == 3:
        return srgb(made, cancel)
    return grays(made) if small.levels == "signed" else grays(made, 0.0, 1.0)


def _reduce(shape: ImageShape, samples: int) -> ImageShape:
    """Return a shape with so many samples along its longer side."""
    scale = samples / max(shape.width, shape.height)
    return dataclasses.replace(
        shape,
        width=max(1, round(shape.width * scale)),
        height=max(1, round(shape.height * scale)),
        float_buffer=True,
    )
