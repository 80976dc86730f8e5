# SPDX-License-Identifier: GPL-3.0-or-later
"""The sea and its shore."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np
import numpy.typing as npt

from .. import rasters
from ..base.arrays import Field
from ..base.blocks import Progress
from ..base.params import choice, number
from .bases.map import Map, map_type

if TYPE_CHECKING:
    from ..rasters.height_field import HeightField
    from ..rasters.level import Level


@map_type("sea", "Sea", unit="meters")
class Sea(Map):
    """Depth of the sea, or distance to its shore.

    Notes
    -----
    All ground below the level is under water. A beach is the mask of the distance to the shore
    from a little below 0 to some meters inland. The shore lies midway between samples; without
    any, the distance is the diagonal of the terrain.

    Examples
    --------
    >>> from noise_core import Grid
    >>> from noise_core.maps import Sea
    >>> grid = Grid(1, 4, size=300.0)
    >>> print(Sea(kind="depth", level=0.0).values([[-30.0, -5.0, 0.0, 12.0]], grid))
    [[30.  5.  0.  0.]]
    """

    held: ClassVar[float] = 0.0

    kind: str = choice(
        "depth",
        help="Measured quantity",
        options={
            "depth": "Depth of the water, 0 on land",
            "shore": "Distance to the shore: positive on land, negative at sea",
        },
    )
    level: float = number(
        0.0,
        help="Height of the water",
        minimum=-1e9,
        maximum=1e9,
        soft_minimum=-1000.0,
        soft_maximum=1000.0,
        unit="length",
    )

    @property
    def needs_meters(self) -> bool:
        """See `Map.needs_meters`."""
        return self.kind == "shore"

    def bounds(self) -> tuple[float, float]:
        """See `Map.bounds`."""
        return (0.0 if self.kind == "depth" else -np.inf, np.inf)

    def reach(self, level: Level) -> int | None:
        """See `Map.reach`."""
        return 0 if self.kind == "depth" else None

    def read(self, surface: HeightField, progress: Progress) -> Field:
        """See `Map.read`."""
        if self.kind == "depth":
            depth: Field = np.float32(self.level) - surface.height
            np.maximum(depth, np.float32(0.0), out=depth)
            return depth
        is_sea, wrap = self.is_sea(surface.height), surface.level.wrap
        to_sea = rasters.distance_field.distance_transform(is_sea, wrap)
        progress(0.5)
        return shore(to_sea, rasters.distance_field.distance_transform(~is_sea, wrap), surface)

    def is_sea(self, height: Field) -> npt.NDArray[np.bool_]:
        """Return where ground lies under water."""
        return np.asarray(height < np.float32(self.level))


def shore(to_sea: Field, to_land: Field, surface: HeightField) -> Field:
    """Return the distance to the shore, in meters, negative at sea.

    Parameters
    ----------
    to_sea, to_land : ndarray of shape (rows, columns), float32
        Distances to the nearest sample there, in samples; overwritten.
    surface : HeightField
        Says how large a sample is, and how far away anything at most.
    """
    is_sea = to_sea == 0.0
    for distances in (to_sea, to_land):
        distances -= np.float32(0.5)
        distances *= np.float32(surface.spacing)
        np.minimum(distances, np.float32(surface.diagonal), out=distances)
    np.negative(to_land, out=to_land)
    np.copyto(to_land, to_sea, where=~is_sea)
    return to_land
