# SPDX-License-Identifier: GPL-3.0-or-later
"""Pixels of images, made from a recipe or a coloring."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ....noise_core.base import blocks
from ....noise_core.base.arrays import Field
from ....noise_core.base.blocks import Cancel, Progress, cancellable, part_of
from ....noise_core.base.errors import ParameterError
from ....noise_core.base.grid import Grid
from ....noise_core.materials.colorings.bases.coloring import LINEAR, SRGB, Coloring
from ....noise_core.materials.colors import Ramp, linear_to_srgb
from ....noise_core.noises import evolution
from ....noise_core.recipes.recipe import Recipe
from ..datablocks.images import Content, content
from ..schema import masks
from ..schema.picture_options import IMAGE
from ..schema.values import read_values
from ..tasks import installed_memory
from ..tasks.jobs import Work
from ..terrain import layer_times
from ..terrain.terrains import Request

_PIXELS_SHARE = 0.8
"""Of the progress; to encode the pixels takes the rest, as far as noise goes."""

_SAMPLES = 1 << 18
"""Samples between two checks of whether to stop: about ten milliseconds."""


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

    @classmethod
    def of(cls, options: Any) -> ImageShape:
        """Return the shape in the options of a panel or an image."""
        values: Any = read_values(
            options, IMAGE, {parameter.name: parameter.default for parameter in IMAGE}
        )
        return cls(**values)

    def grid(self, recipe: Recipe) -> Grid:
        """Return where the pixels of a recipe's image lie, if the memory is enough for them."""
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
        return evolution.around(self.evolution, self.loop_length)


@dataclass(frozen=True)
class Picture:
    """Request for an image."""

    recipe: Recipe
    """Its seed counts always; the rest if there is no coloring. The height is taken out again: an image holds
    the noise, not meters. Modifiers act on meters before that. They may lift or carve beyond what the noise
    can reach: with levels "fixed" that is cut off at black and white, with the others it is kept. A recipe
    of height 0 gives a flat image."""
    shape: ImageShape
    coloring: Coloring | None = None  # the formula of a picture
    ramp: Ramp | None = None  # the colors of the recipe's values from 0 to 1; gray if there is none

    def __post_init__(self) -> None:
        if self.ramp is not None and self.shape.levels == "signed":
            raise ParameterError("Image.levels 'signed' has no colors: a ramp begins at 0")

    @property
    def is_color(self) -> bool:
        """Whether the pixels are colors, not numbers."""
        return self.coloring is not None or self.ramp is not None


def masks_of(picture: Picture, group: Any, request: Request, grid: Grid) -> dict[int, Field]:
    """Return the masks of a request's layers, which a coloring does not use, of the settings' object."""
    if picture.coloring is not None or not any(layer_state.mask for layer_state in request.states):
        return {}
    return masks.fields(masks.owner_of(group), request, grid)


def work(
    picture: Picture,
    grid: Grid,
    fields: Mapping[int, Field],
    *,
    is_display: bool | None = None,
    seconds: dict[tuple[int, ...], float] | None = None,
) -> Work:
    """Return the work that computes an image's values as it stores them, row 0 at the bottom.

    Numbers have shape (rows, columns), colors (rows, columns, 3): display values (sRGB) for 8 bits,
    linear for floats, unless `is_display` says which. The other arguments are a picture, its
    `ImageShape.grid`, and its `masks_of`. `seconds` gets the times of the layers, if given.
    """
    recipe, shape, ramp = picture.recipe, picture.shape, picture.ramp
    is_encoded = not shape.float_buffer if is_display is None else is_display

    def values(progress: Progress, cancel: Cancel) -> Field:
        if picture.coloring is not None:
            return picture.coloring.paint(
                grid,
                recipe.seed,
                shape.beyond,
                space=SRGB if is_encoded else LINEAR,
                progress=progress,
                cancel=cancel,
            )
        stopwatch = None if seconds is None else layer_times.Stopwatch(seconds)
        height = recipe.evaluate(
            grid,
            evolution=shape.beyond,
            masks=fields,
            progress=progress,
            cancel=cancel,
            finished=None if stopwatch is None else stopwatch.finish,
        ).height
        noise = height / np.float32(recipe.height) if recipe.height else np.zeros_like(height)
        pixels = _gray(noise, recipe, shape.levels)
        if ramp is None:
            return pixels
        pixels = _convert_rows(
            lambda part: np.moveaxis(ramp.colors(part), 0, -1), pixels, (*pixels.shape, 3), cancel
        )
        return srgb(pixels, cancel) if is_encoded else pixels

    return values


def packed_work(
    picture: Picture,
    grid: Grid,
    fields: Mapping[int, Field],
    seconds: dict[tuple[int, ...], float] | None = None,
) -> Work:
    """Return the work that computes an image's `Content`; the arguments are those of `work`."""
    values = work(picture, grid, fields, seconds=seconds)

    def pack(progress: Progress, cancel: Cancel) -> Content:
        pixels = values(part_of(progress, 0.0, _PIXELS_SHARE), cancel)
        with cancellable(cancel):
            return content(
                pixels, float_buffer=picture.shape.float_buffer, is_color=picture.is_color
            )

    return pack


def srgb(field: Field, cancel: Cancel) -> Field:
    """Return linear values of shape (rows, columns, ...) as sRGB; may raise `Cancelled`."""
    return _convert_rows(linear_to_srgb, field, field.shape, cancel)


def _convert_rows(
    convert: Callable[[Field], Any], field: Field, shape: tuple[int, ...], cancel: Cancel
) -> Field:
    result = np.empty(shape, np.float32)

    def convert_part(start: int, stop: int) -> None:
        result[start:stop] = convert(field[start:stop])

    blocks.run(convert_part, len(field), max(1, _SAMPLES // field.shape[1]), cancel=cancel)
    return result


def _gray(noise: Field, recipe: Recipe, levels: str) -> Field:
    """Return noise as an image has it: as it is, or its own range or that of the recipe as 0 to 1."""
    if levels == "signed":
        return noise
    if levels == "stretched":
        least, most = noise.min(), noise.max()
        return (noise - least) / (most - least if most > least else np.float32(1.0))
    low, high = recipe.noise.bounds()
    if recipe.needs_grid and high <= low:
        low, high = -1.0, 1.0  # a plain below the maps laid over it
    span = high - low if high > low else 1.0
    gray = (noise - np.float32(low)) * np.float32(1.0 / span)
    if recipe.needs_grid:
        np.clip(gray, np.float32(0.0), np.float32(1.0), out=gray)
    return gray
