# SPDX-License-Identifier: GPL-3.0-or-later
"""Pixels of images, made from a recipe or a coloring."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from ....noise_core.base import cycles
from ....noise_core.base.arrays import Field
from ....noise_core.base.blocks import Cancel, Progress, cancellable
from ....noise_core.base.errors import ParameterError
from ....noise_core.base.grid import Grid
from ....noise_core.materials.colors import Ramp
from ....noise_core.recipe import Recipe
from ....noise_core.types.coloring import Coloring
from ..datablocks.images import Content, content
from ..schema.keywords import IMAGE
from ..tasks import installed_memory
from ..tasks.jobs import Work
from ..terrain import catalog
from .encoding import row_parts, srgb

PIXELS_SHARE = 0.8
"""Of the progress; to encode the pixels takes the rest, as far as noise goes."""


@dataclass(frozen=True)
class ImageShape:
    """Shape and kind of an image; the parameters are those in `keywords.IMAGE`."""

    width: int
    height: int
    seamless: bool
    float_buffer: bool
    levels: str
    motion: str = "still"
    evolution: float = 0.0
    loop_length: float = 1.0

    def __post_init__(self) -> None:
        for parameter in IMAGE:
            parameter.check(getattr(self, parameter.name), "Image")
        if self.levels == "signed" and not self.float_buffer:
            raise ParameterError("Image.levels 'signed' needs 32-bit float; 8 bits hold 0 to 1")

    def grid(self, recipe: Recipe) -> Grid:
        """Return where the pixels of a recipe's image lie; it is as wide as the recipe.

        Raises
        ------
        TerraneError
            If the computer has not the memory for an image of that size.
        """
        each = installed_memory.PER_PIXEL[self.float_buffer]
        installed_memory.require("Image", self.width * self.height, each)
        return recipe.grid((self.height, self.width), wrap=self.seamless)

    @property
    def beyond(self) -> tuple[float, ...]:
        """Coordinates along the third and fourth dimension; none if the image stands still."""
        if self.motion == "still":
            return ()
        if self.motion == "endless":
            return (self.evolution,)
        return cycles.around(self.evolution, self.loop_length)


@dataclass(frozen=True)
class Picture:
    """Request for an image.

    Attributes
    ----------
    recipe : Recipe
        Its seed counts always; the rest if there is no coloring. The height is taken out again:
        an image holds the noise, not meters. Modifiers act on meters before that. They may lift
        or carve beyond what the noise can reach: with levels "fixed" that is cut off at black
        and white, with the others it is kept. A recipe of height 0 gives a flat image.
    shape : ImageShape
    coloring : Coloring, optional
        The formula of a picture.
    ramp : Ramp, optional
        The colors of the recipe's values from 0 to 1; gray if there is none.
    """

    recipe: Recipe
    shape: ImageShape
    coloring: Coloring | None = None
    ramp: Ramp | None = None

    def __post_init__(self) -> None:
        if self.ramp is not None and self.shape.levels == "signed":
            raise ParameterError("Image.levels 'signed' has no colors: a ramp begins at 0")

    @property
    def is_color(self) -> bool:
        """Whether the pixels are colors, not numbers."""
        return self.coloring is not None or self.ramp is not None


def work(picture: Picture, grid: Grid, masks: Mapping[int, Field]) -> Work:
    """Return the work that computes an image's values as it stores them, row 0 at the bottom.

    Numbers have shape (rows, columns), colors (rows, columns, 3): sRGB for 8 bits, linear for
    floats.

    Parameters
    ----------
    picture : Picture
    grid : Grid
        See `ImageShape.grid`.
    masks : mapping of int to ndarray of shape (rows, columns)
        Where each modifier acts, by its place.
    """

    def values(progress: Progress, cancel: Cancel) -> Field:
        made = _colors(picture, grid, masks, progress, cancel)
        if picture.is_color and not picture.shape.float_buffer:
            made = srgb(made, cancel)
        return made

    return values


def packed_work(picture: Picture, grid: Grid, masks: Mapping[int, Field]) -> Work:
    """Return the work that computes an image's `Content`; the arguments are those of `work`."""
    values = work(picture, grid, masks)

    def pack(progress: Progress, cancel: Cancel) -> Content:
        made = values(catalog.part_of(progress, 0.0, PIXELS_SHARE), cancel)
        with cancellable(cancel):
            return content(made, float_buffer=picture.shape.float_buffer, is_color=picture.is_color)

    return pack


def _colors(
    picture: Picture, grid: Grid, masks: Mapping[int, Field], progress: Progress, cancel: Cancel
) -> Field:
    """Return linear colors, or numbers."""
    recipe, shape = picture.recipe, picture.shape
    if picture.coloring is not None:
        return picture.coloring.paint(
            grid, recipe.seed, shape.beyond, progress=progress, cancel=cancel
        )
    height = recipe.evaluate(
        grid, evolution=shape.beyond, masks=masks, progress=progress, cancel=cancel
    ).height
    noise = height / np.float32(recipe.height) if recipe.height else np.zeros_like(height)
    gray = _LEVELS[shape.levels](noise, recipe)
    return gray if picture.ramp is None else _through(picture.ramp, gray, cancel)


def _through(ramp: Ramp, gray: Field, cancel: Cancel) -> Field:
    """Return the colors that values from 0 to 1 have in a ramp, shape (rows, columns, 3)."""
    result = np.empty((*gray.shape, 3), np.float32)
    for part in row_parts(gray.shape, cancel):
        result[part] = np.moveaxis(ramp.colors(gray[part]), 0, -1)
    return result


def _by_bounds(noise: Field, recipe: Recipe) -> Field:
    low, high = recipe.noise.bounds()
    if recipe.needs_grid and high <= low:
        low, high = -1.0, 1.0  # a plain below what is laid over it
    span = high - low if high > low else 1.0
    gray = (noise - np.float32(low)) * np.float32(1.0 / span)
    if recipe.needs_grid:
        np.clip(gray, np.float32(0.0), np.float32(1.0), out=gray)
    return gray


def _stretch(noise: Field, recipe: Recipe) -> Field:
    low, high = noise.min(), noise.max()
    return (noise - low) / (high - low if high > low else np.float32(1.0))


def _keep(noise: Field, recipe: Recipe) -> Field:
    return noise


_LEVELS: Mapping[str, Callable[[Field, Recipe], Field]] = {
    "fixed": _by_bounds,
    "stretched": _stretch,
    "signed": _keep,
}
