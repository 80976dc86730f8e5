# SPDX-License-Identifier: GPL-3.0-or-later
"""A recipe becomes the gray values of an image."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from ...noise_core.arrays import Field
from ...noise_core.blocks import Cancel, Progress
from ...noise_core.errors import ParameterError
from ...noise_core.grid import Grid
from ...noise_core.recipe import Recipe
from .jobs import Work
from .keywords import IMAGE


@dataclass(frozen=True)
class ImageShape:
    """What an image is to be like; the parameters are those in `keywords.IMAGE`."""

    width: int
    height: int
    seamless: bool
    float_buffer: bool
    levels: str

    def __post_init__(self) -> None:
        for parameter in IMAGE:
            parameter.checked(getattr(self, parameter.name), "Image")
        if self.levels == "signed" and not self.float_buffer:
            raise ParameterError("Image.levels 'signed' needs 32-bit float; 8 bits hold 0 to 1")


def image_grid(shape: ImageShape, size: float) -> Grid:
    """Return the grid of an image's pixels; `size` is its width in metres, for modifiers."""
    return Grid(shape.height, shape.width, wrap=shape.seamless, size=size)


def work(recipe: Recipe, shape: ImageShape, grid: Grid, masks: Mapping[int, Field]) -> Work:
    """Return the work that gives the values of an image, row 0 at the bottom.

    Parameters
    ----------
    recipe : Recipe
        Its height is taken out again: an image holds the noise, not metres. Modifiers act on
        metres before that. They may lift or carve beyond what the noise can reach: with levels
        "fixed" that is cut off at white and black, with the others it is kept. A recipe of
        height 0 gives a flat image.
    shape : ImageShape
        How values become gray.
    grid : Grid
        See `image_grid`.
    masks : mapping of int to ndarray of shape (rows, columns)
        Where each modifier acts, by its place.
    """

    def gray_values(progress: Progress, cancel: Cancel) -> Field:
        height = recipe.evaluate(grid, masks=masks, progress=progress, cancel=cancel).height
        noise = height / np.float32(recipe.height) if recipe.height else np.zeros_like(height)
        return _LEVELS[shape.levels](noise, recipe)

    return gray_values


def _by_bounds(noise: Field, recipe: Recipe) -> Field:
    low, high = recipe.noise.bounds()
    span = high - low if high > low else 1.0
    gray = (noise - np.float32(low)) * np.float32(1.0 / span)
    if any(not modifier.muted for modifier in recipe.modifiers):
        np.clip(gray, np.float32(0.0), np.float32(1.0), out=gray)
    return gray


def _stretched(noise: Field, recipe: Recipe) -> Field:
    low, high = noise.min(), noise.max()
    return (noise - low) / (high - low if high > low else np.float32(1.0))


def _signed(noise: Field, recipe: Recipe) -> Field:
    return noise


_LEVELS: Mapping[str, Callable[[Field, Recipe], Field]] = {
    "fixed": _by_bounds,
    "stretched": _stretched,
    "signed": _signed,
}
