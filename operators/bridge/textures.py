# SPDX-License-Identifier: GPL-3.0-or-later
"""A recipe becomes the gray values of an image."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from ...noise_core.arrays import Field
from ...noise_core.errors import ParameterError
from ...noise_core.grid import Grid
from ...noise_core.recipe import Recipe
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


def gray_values(recipe: Recipe, shape: ImageShape, size: float) -> Field:
    """Return the values of an image, row 0 at the bottom.

    Parameters
    ----------
    recipe : Recipe
        Its height is taken out again: an image holds the noise, not metres.
    shape : ImageShape
        How large it is, and how values become gray.
    size : float
        Width in metres, for modifiers.
    """
    grid = Grid(shape.height, shape.width, wrap=shape.seamless, size=size)
    height = recipe.evaluate(grid).height
    noise = height / np.float32(recipe.height) if recipe.height else np.zeros_like(height)
    return _LEVELS[shape.levels](noise, recipe)


def _by_bounds(noise: Field, recipe: Recipe) -> Field:
    low, high = recipe.noise.bounds()
    span = high - low if high > low else 1.0
    return (noise - np.float32(low)) * np.float32(1.0 / span)


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
