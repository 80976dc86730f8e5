# SPDX-License-Identifier: GPL-3.0-or-later
"""Fine crevices and edges."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .. import rasters
from ..base import blocks
from ..base.arrays import Field
from ..base.blocks import Progress
from ..base.params import number
from .bases.map import Map, map_type

if TYPE_CHECKING:
    from ..rasters.height_field import HeightField
    from ..rasters.level import Level
    from ..rasters.smoothing import Seen

DEFAULT_RADIUS = 1.0 / 64.0
"""Of the width of the terrain."""

_FINE = 2
"""Averages of a large field that are taken at all samples: of what every second sample cannot hold
they leave a thirteenth at most, and wider averages have half the weight of these or less."""

_SAMPLES_PER_BLOCK = 1 << 16
""" 256 KB: a few of them stay in a processor's cache."""


@map_type("cavity", "Cavity")
class Cavity(Map):
    """Fine crevices down to -1, fine edges up to 1; 0 on even ground.

    Notes
    -----
    How far a sample lies above the average of its surroundings, as a slope: divided by how far
    these reach, and averaged over surroundings of the radius, half of it, a quarter and so on.
    That is x; the map is x / sqrt(1 + x^2), after the contrast.

    Examples
    --------
    >>> import numpy as np
    >>> from noise_core import Grid
    >>> from noise_core.maps import Cavity

    A groove is negative, a ridge positive, the plain 0:

    >>> grid = Grid(33, 65, size=64.0)
    >>> height = np.zeros(grid.shape)
    >>> height[:, 16], height[:, 48] = -1.0, 1.0
    >>> cavity = Cavity(radius=4.0).values(height, grid)
    >>> bool(cavity[16, 16] < 0.0 < cavity[16, 48]), bool(abs(cavity[16, 32]) < 0.01)
    (True, True)
    """

    radius: float = number(
        0.0,
        help="Width of the widest crevices",
        automatic=(1.0 / 64.0, "terrain"),
        minimum=0.0,
        maximum=1e6,
        soft_maximum=200.0,
        unit="length",
    )
    contrast: float = number(
        5.0,
        help="Contrast of crevices",
        minimum=0.0,
        maximum=1e3,
        soft_maximum=20.0,
        unit="factor",
    )

    def bounds(self) -> tuple[float, float]:
        """See `Map.bounds`."""
        return (-1.0, 1.0)

    def reach(self, level: Level) -> int:
        """See `Map.reach`."""
        return sum(self._strides(level))

    def _strides(self, level: Level) -> list[int]:
        """Return the strides of the averages, narrowest first."""
        radius = (self.radius or DEFAULT_RADIUS * level.width) / level.step_x
        return rasters.smoothing.strides(max(1.0, min(radius, float(max(level.whole_shape))) / 2.0))

    def read(self, surface: HeightField, progress: Progress) -> Field:
        """See `Map.read`."""
        return self._read_with(surface, progress, is_large=False)

    def read_large(self, surface: HeightField, progress: Progress) -> Field:
        """See `Map.read_large`: wide crevices on every second sample, every fourth and so on."""
        return self._read_with(surface, progress, is_large=True)

    def _read_with(self, surface: HeightField, progress: Progress, is_large: bool) -> Field:
        level = surface.level
        steps = self._strides(level)
        # Of the averages' differences, each as often as there are averages that lie farther out.
        weights = np.cumsum(
            [1.0 / (step * surface.spacing) for step in steps[::-1]], dtype=np.float64
        )[::-1]
        weights *= self.contrast / len(steps)
        fine = _FINE if is_large else len(steps)
        total = _above(surface.height, level, steps, weights.tolist(), fine, progress)
        _limit(total)
        return total


def _above(
    field: Field,
    level: Level,
    steps: list[int],
    weights: list[float],
    fine: int,
    progress: Progress = blocks.unheard,
) -> Field:
    """Return the weighted sum of the differences between successive averages.

    Parameters
    ----------
    field : ndarray of shape (rows, columns), float32
    level : Level
    steps : list of int
        The averages' strides, narrowest first.
    weights : list of float
        One for each stride.
    fine : int
        How many averages are taken at all samples at least. If the other strides are even, every
        second sample is all that they look at: at these the sum is the same.
    """
    total = np.empty(level.shape, np.float32)
    for place, (step, weight) in enumerate(zip(steps, weights)):
        if place == fine and _can_halve(level, steps[place:]):
            halves = [step // 2 for step in steps[place:]]
            coarse = level.coarser()
            every_second = np.ascontiguousarray(field[::2, ::2])
            wide = _above(every_second, coarse, halves, weights[place:], fine)
            total += rasters.pyramid.prolong(wide, coarse, level)
            break
        field = rasters.smoothing.smooth(
            field, step, level.wrap, _differences(total, field, weight, place == 0)
        )
        progress((place + 1) / (len(steps) + 1))
    return total


def _can_halve(level: Level, steps: list[int]) -> bool:
    """Return whether every second sample keeps the strides whole and the torus closed."""
    is_even = all(count % 2 == 0 for count in (*level.shape, *steps))
    return level.wrap and is_even


def _differences(total: Field, field: Field, weight: float, is_first: bool) -> Seen:
    """Return the function that adds a field minus its average, times a weight, to a total.

    The first one is written to it.
    """

    def add(start: int, stop: int, average: Field) -> None:
        part = total[start:stop]
        above = np.subtract(field[start:stop], average, out=part if is_first else None)
        above *= np.float32(weight)
        if not is_first:
            part += above

    return add


def _limit(total: Field) -> None:
    """Replace x by x / sqrt(1 + x^2), in place."""

    def work(start: int, stop: int) -> None:
        part = total[start:stop]
        length = part * part
        length += np.float32(1.0)
        part /= np.sqrt(length, out=length)

    blocks.run(work, len(total), max(1, _SAMPLES_PER_BLOCK // total.shape[1]))
