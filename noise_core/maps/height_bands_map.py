# SPDX-License-Identifier: GPL-3.0-or-later
"""Bands of equal height."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from .. import rasters, stages
from ..base.arrays import Field
from ..base.blocks import Progress
from ..base.params import integer, number
from .bases.map import Map, map_type

if TYPE_CHECKING:
    from ..rasters.level import Level
    from ..stages import Part, Raster, Runner

_THINNEST = 1e-30
"""Meters; keeps a level field from dividing by zero."""


@map_type("height_bands", "Height Bands")
class HeightBands(Map):
    """Number of the height band, from 0 at the bottom to count - 1 at the top.

    Notes
    -----
    The first band also has all that is lower, the last all that is higher. Without a thickness
    the bands share out the heights that there are, from the lowest to the highest sample.

    Examples
    --------
    >>> import numpy as np
    >>> from noise_core import Grid
    >>> from noise_core.maps import HeightBands

    Zones of vegetation, each 500 m high from sea level up:

    >>> grid = Grid(1, 5, size=4000.0)
    >>> height = [[100.0, 600.0, 1100.0, 1600.0, 4000.0]]
    >>> print(HeightBands(count=4, lowest=0.0, thickness=500.0, blend=0.0).values(height, grid))
    [[0. 1. 2. 3. 3.]]
    """

    count: int = integer(5, help="Number of bands", minimum=1, maximum=1024, soft_maximum=16)
    lowest: float = number(
        0.0, help="Height of the first band, if bands have a thickness", unit="length"
    )
    thickness: float = number(
        0.0,
        help="Height of a band in meters",
        automatic="the relief divided by Count",
        minimum=0.0,
        maximum=1e9,
        soft_maximum=1000.0,
        unit="length",
    )
    blend: float = number(
        0.2,
        help="Fraction of a band that blends into the next; 0 is a hard edge, 1 a ramp",
        minimum=0.0,
        maximum=1.0,
        unit="factor",
    )

    @property
    def needs_meters(self) -> bool:
        """See `Map.needs_meters`."""
        return False

    def bounds(self) -> tuple[float, float]:
        """See `Map.bounds`."""
        return (0.0, self.count - 1.0)

    def reach(self, level: Level) -> int | None:
        """See `Map.reach`."""
        return 0 if self.thickness else None

    def stages(self, run: Runner, height: Raster) -> Raster:
        """See `Map.stages`: measures the heights that bands share out, and numbers these."""
        lowest, thickness = self.lowest, self.thickness
        if thickness == 0.0:
            lowest, highest = run.range_of(height)
            thickness = (highest - lowest) / self.count
        work = functools.partial(self._number, lowest=lowest, thickness=max(thickness, _THINNEST))
        (numbers,) = run.local(stages.Local("number", work, makes=(self.key,), held=8.0), height)
        return numbers

    def _number(
        self,
        target: Level,
        parts: Sequence[Part],
        progress: Progress,
        *,
        lowest: float,
        thickness: float,
    ) -> Field:
        """Return the numbers of bands that begin at a height and have a thickness."""
        (part,) = parts
        result = np.empty(target.shape, np.float32)

        def work(start: int, stop: int) -> None:
            position = part.values[start:stop].astype(np.float64)
            position -= lowest
            position /= thickness
            result[start:stop] = self._numbers(position)

        rasters.height_field.HeightField(part.values, part.level).by_rows(work, progress, fields=4)
        return result

    def _numbers(self, position: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Return the number of the band, with smooth transitions, at a height in units of bands."""
        # Between two bands lies a whole number; the ends have no edge.
        np.clip(position, 0.5, self.count - 0.5, out=position)
        edge = np.round(position)
        share = position - edge
        if self.blend > 0.0:
            share = np.clip(share / max(self.blend, _THINNEST) + 0.5, 0.0, 1.0)
            share *= share * (3.0 - 2.0 * share)
        else:
            share = (share >= 0.0).astype(np.float64)
        return np.clip(edge - 1.0 + share, 0.0, self.count - 1.0)
