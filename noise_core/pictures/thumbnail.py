# SPDX-License-Identifier: GPL-3.0-or-later
"""Thumbnails: shaded relief of terrain, gray values of textures, a tile of a surface under a lamp."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from ..base.arguments import check_kind
from ..base.arrays import Field
from ..base.blocks import Cancel
from ..base.grid import Grid, require_size
from ..landscapes.look import Look
from ..materials.colors import LANDSCAPES
from ..materials.colors.spaces import linear_to_srgb
from ..materials.ground.colors import land_colors
from ..materials.ground.plan import GroundPlan
from ..rasters.resizing import resize_planes
from .shaded_relief import shaded_relief

if TYPE_CHECKING:
    from ..materials.surfaces.surface_type import Surface

Colors = Field
"""Shape (rows, columns, 3), float32, sRGB from 0 to 1, row 0 at the bottom."""

_NO_MAPS: Mapping[str, Field] = MappingProxyType({})

_SURFACE_MAPS = ("base_color", "normal", "roughness", "metallic", "ambient_occlusion", "emission")

_LAMP = (-0.52, 0.50, 0.69)
"""Direction of the light: from the upper left, as in interfaces."""

_HALF = (-0.28, 0.27, 0.92)
"""Halfway between lamp and viewer, where smooth things mirror it."""

_DIRECT, _SKY, _GLOW = 1.05, 0.42, 2.0
"""Light by source; an even surface keeps about its own color."""

_SPECULAR, _SHARPEST = 0.5, 64
"""Strength of highlights, and the power of their cosine on what is smooth."""


def thumbnail(
    height: Field,
    grid: Grid,
    look: Look,
    reach: float,
    *,
    maps: Mapping[str, Field] = _NO_MAPS,
    cancel: Cancel | None = None,
) -> Colors:
    """Return the picture of a finished field.

    Parameters
    ----------
    height : ndarray of shape (rows, columns), float32
        In meters.
    grid : Grid
        Of the same shape.
    look : Look
        How it is drawn.
    reach : float
        The recipe's height, for textures: the sign tells which end is white.
    maps : mapping of str to ndarray
        Maps that modifiers have made, of the same shape.
    cancel : callable, optional
        See `blocks.Cancel`.

    Raises
    ------
    ParameterError, Cancelled
        See `shaded_relief`.

    Examples
    --------
    >>> from noise_core import Recipe
    >>> from noise_core.landscapes.look import Look
    >>> from noise_core.noises import Fractal
    >>> from noise_core.pictures.thumbnail import thumbnail
    >>> recipe = Recipe(layers=(Fractal(),), height=300.0, size=4000.0)
    >>> grid = recipe.grid(64)
    >>> picture = thumbnail(recipe.evaluate(grid).height, grid, Look(), recipe.height)
    >>> picture.shape, bool(picture.max() <= 1.0)
    ((64, 64, 3), True)
    """
    check_kind(look, Look, "thumbnail: look", "a Look")
    check_kind(maps, Mapping, "thumbnail: maps", "a mapping of names to fields")
    if not look.is_flat:
        require_size(grid, "thumbnail")
        plan = plan_of(look)
        depth = plan.water_depth(height, grid, maps, cancel=cancel)
        color = land_colors(height, grid, plan, maps, depth=depth, cancel=cancel)
        return shaded_relief(height + depth, grid, color, cancel=cancel)
    return grays(height if reach >= 0.0 else -height)


def plan_of(look: Look) -> GroundPlan:
    """Return how a land of a preset's look is colored: with all layers of its palette, and water.

    Parameters
    ----------
    look : Look
        Colors and water of a preset.

    Examples
    --------
    >>> from noise_core.landscapes.look import Look
    >>> from noise_core.pictures.thumbnail import plan_of
    >>> plan_of(Look(palette="temperate", sea=0.0)).has_lakes
    True
    """
    landscape = LANDSCAPES[look.palette].with_limits(look.limits)
    layers = tuple(landscape.layers)
    return GroundPlan(
        landscape, layers, look.sea, look.sea, has_lakes=look.has_lakes, rivers=look.rivers
    )


def grays(values: Field, low: float | None = None, high: float | None = None) -> Colors:
    """Return values as grays, black at `low` and white at `high`: their own limits if not given.

    Parameters
    ----------
    values : ndarray of shape (rows, columns), float32
    low, high : float, optional
        In the unit of the values.

    Examples
    --------
    >>> import numpy as np
    >>> from noise_core.pictures.thumbnail import grays
    >>> print(grays(np.float32([[-1.0, 0.0, 1.0]]))[..., 0])
    [[0.  0.5 1. ]]
    """
    low = float(values.min()) if low is None else low
    high = float(values.max()) if high is None else high
    gray = (values - np.float32(low)) * np.float32(1.0 / (high - low if high > low else 1.0))
    np.clip(gray, np.float32(0.0), np.float32(1.0), out=gray)
    return np.repeat(gray[..., np.newaxis], 3, axis=-1)


def resize(picture: Colors, side: int) -> Colors:
    """Return a picture as a square of `side` pixels, filtered as `resize_planes` does.

    A picture that is not square is shown whole, with black beside it.

    Parameters
    ----------
    picture : ndarray of shape (rows, columns, 3), float32
        sRGB from 0 to 1.
    side : int
        Pixels along each side, at least 1.

    Examples
    --------
    >>> import numpy as np
    >>> from noise_core.pictures.thumbnail import resize
    >>> resize(np.ones((40, 80, 3), np.float32), 32).shape
    (32, 32, 3)
    """
    rows, columns = picture.shape[:2]
    scale = side / max(rows, columns)
    tall, wide = max(1, round(rows * scale)), max(1, round(columns * scale))
    square = np.zeros((side, side, 3), np.float32)
    top, first_column = (side - tall) // 2, (side - wide) // 2
    planes = resize_planes(np.moveaxis(picture, -1, 0), tall, wide, (False, False))
    square[top : top + tall, first_column : first_column + wide] = np.moveaxis(planes, 0, -1)
    return square


def surface_picture(
    surface: Surface,
    seed: int,
    side: int,
    *,
    size: float | None = None,
    cancel: Cancel | None = None,
) -> Field:
    """Return a picture of one tile.

    Parameters
    ----------
    surface : Surface
    seed : int
    side : int
        Pixels along each side.
    size : float, optional
        Meters that it shows; those of the surface if not given.
    cancel : callable, optional
        See `blocks.Cancel`.

    Returns
    -------
    ndarray of shape (side, side, 3), float32
        sRGB, 0 to 1, row 0 at the bottom.

    Raises
    ------
    ParameterError
        If the surface goes beyond the range of numbers, or an argument is not allowed.
    Cancelled
        If `cancel` said yes.

    Examples
    --------
    >>> from noise_core.materials.surfaces import surface
    >>> from noise_core.pictures.thumbnail import surface_picture
    >>> surface_picture(surface("granite"), seed=1, side=32).shape
    (32, 32, 3)
    """
    from ..materials.surfaces.surface_type import Surface  # here, since lands need none of it

    check_kind(surface, Surface, "surface_picture: surface", "a Surface")
    grid = Grid(side, side, wrap=True, size=surface.size if size is None else size)
    maps = surface.textures(grid, seed, _SURFACE_MAPS, cancel=cancel)
    lit = _facing(maps["normal"], _LAMP)
    shine = _facing(maps["normal"], _HALF)
    smooth = np.square(np.float32(1.0) - maps["roughness"])
    power = 1
    while power < _SHARPEST:  # a cosine's power by squaring is the same on every processor
        shine *= shine
        power *= 2
    light = np.float32(_DIRECT) * lit + np.float32(_SKY) * maps["ambient_occlusion"]
    mirrored = (np.float32(_SPECULAR) * smooth * shine)[..., np.newaxis]
    color = maps["base_color"] * light[..., np.newaxis]
    color += mirrored * (
        np.float32(1.0) + maps["metallic"][..., np.newaxis] * (maps["base_color"] - np.float32(1.0))
    )
    color += np.float32(_GLOW) * maps["emission"]
    picture: Field = linear_to_srgb(np.clip(color, 0.0, 1.0)).astype(np.float32)
    return picture


def _facing(normal: Field, direction: tuple[float, float, float]) -> Field:
    x, y, z = direction
    facing = normal[..., 0] * np.float32(x)
    facing += normal[..., 1] * np.float32(y)
    facing += normal[..., 2] * np.float32(z)
    result: Field = np.maximum(facing, np.float32(0.0))
    return result
