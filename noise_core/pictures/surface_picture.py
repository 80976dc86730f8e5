# SPDX-License-Identifier: GPL-3.0-or-later
"""A tile of a surface from above, under a lamp and the sky: small, quick, for panels."""

from __future__ import annotations

import numpy as np

from ..base.arrays import Field
from ..base.blocks import Cancel
from ..base.grid import Grid
from ..materials.colors.spaces import linear_to_srgb
from ..materials.surfaces.surface import Surface

MAPS = ("base_color", "normal", "roughness", "metallic", "ambient_occlusion", "emission")

_LAMP = (-0.52, 0.50, 0.69)
"""Direction of the light: from the upper left, as in interfaces."""

_HALF = (-0.28, 0.27, 0.92)
"""Halfway between lamp and viewer, where smooth things mirror it."""

_DIRECT, _SKY, _GLOW = 1.05, 0.42, 2.0
"""Light by source; an even surface keeps about its own color."""

_SPECULAR, _SHARPEST = 0.5, 64
"""Strength of highlights, and the power of their cosine on what is smooth."""


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
        If the surface goes beyond what numbers can hold, or an argument is not allowed.
    Cancelled
        If `cancel` said yes.
    """
    grid = Grid(side, side, wrap=True, size=surface.size if size is None else size)
    maps = surface.textures(grid, seed, MAPS, cancel=cancel)
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
