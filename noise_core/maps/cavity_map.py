# SPDX-License-Identifier: GPL-3.0-or-later
"""Fine crevices and edges."""

from __future__ import annotations

import numpy as np

from ..arrays import Field
from ..blocks import Progress
from ..fields.height_field import HeightField
from ..fields.smoothing import smoothed, strides
from ..map import Map, map_type
from ..params import number

DEFAULT_RADIUS = 1.0 / 64.0
"""Of the width of the terrain."""


@map_type("cavity", "Cavity")
class Cavity(Map):
    """Fine crevices, down to -1, and fine edges, up to 1; 0 on even ground, sloping or level.

    Notes
    -----
    How far a sample lies above the average of its surroundings, as a slope: divided by how far
    these reach, and averaged over surroundings of the radius, half of it, a quarter and so on.
    That is x; the map is x / sqrt(1 + x^2), after the contrast.
    """

    radius: float = number(
        0.0,
        help="How wide the widest crevices are; 0 takes a 64th of the width",
        minimum=0.0,
        maximum=1e6,
        soft_maximum=200.0,
        unit="length",
    )
    contrast: float = number(
        5.0,
        help="How soon a crevice is as dark as it can be",
        minimum=0.0,
        maximum=1e3,
        soft_maximum=20.0,
        unit="factor",
    )

    def bounds(self) -> tuple[float, float]:
        """See `Map.bounds`."""
        return (-1.0, 1.0)

    def read(self, surface: HeightField, progress: Progress) -> Field:
        """See `Map.read`."""
        level = surface.level
        radius = (self.radius or DEFAULT_RADIUS * level.width) / surface.spacing
        steps = strides(max(1.0, min(radius, float(max(level.shape))) / 2.0))
        total = np.zeros(level.shape, np.float32)
        field = surface.height
        for done, stride in enumerate(steps, 1):
            field = smoothed(field, stride, level.wrap)
            _add_above(total, surface, field, 1.0 / (stride * surface.spacing))
            progress(done / (len(steps) + 1))
        _limit(total, surface, self.contrast / len(steps))
        return total


def _add_above(total: Field, surface: HeightField, average: Field, factor: float) -> None:
    """Add how far the surface lies above its average, times a factor."""

    def work(start: int, stop: int) -> None:
        above = surface.height[start:stop] - average[start:stop]
        above *= np.float32(factor)
        total[start:stop] += above

    surface.by_rows(work)


def _limit(total: Field, surface: HeightField, factor: float) -> None:
    """Bring x times a factor to x / sqrt(1 + x^2), in place."""

    def work(start: int, stop: int) -> None:
        part = total[start:stop]
        part *= np.float32(factor)
        length = part * part
        length += np.float32(1.0)
        part /= np.sqrt(length, out=length)

    surface.by_rows(work)
