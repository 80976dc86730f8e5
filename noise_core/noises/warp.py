# SPDX-License-Identifier: GPL-3.0-or-later
"""A noise whose domain is pushed about by another noise."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from .. import blocks
from ..arrays import Coordinates, Field, Points
from ..grid import Axes
from ..lattice import child_seed
from ..noise import POINTS_PER_BLOCK, Noise, noise_type
from ..params import choice, integer, noise, number, vector
from ..torus import Torus
from .fractal import Fractal
from .perlin import Perlin

if TYPE_CHECKING:
    from ..noise import RowPlan

Shifts = Mapping[int, Field]
"""How far points are moved, in tiles, by axis; axes that stay where they are do not occur."""


@noise_type("warp", "Warp", family="domain")
class Warp(Noise):
    """Bends a noise as if it were drawn on marbled paper: folds, canyons, eroded flanks.

    Notes
    -----
    With f the source, q and r copies of the displacement (one per moved axis, all with seeds of
    their own) and a the strength, one level is f(p + a q(p)) and two are
    f(p + a r(p + a q(p))). The first three coordinates are moved, each by its `scale`; an axis
    with scale 0 stays. The source keeps the seed, so that strength 0 is the source to the bit.

    References
    ----------
    Inigo Quilez (2002). Domain warping. https://iquilezles.org/articles/warp/
    """

    source: Noise = noise(Fractal, help="The noise to bend")
    displacement: Noise = noise(
        lambda: Fractal(source=Perlin(frequency=4.0), octaves=5.0),
        help="The noise that bends it; its own frequency and octaves set the shape of the folds",
    )
    strength: float = number(
        0.1,
        help="How far a displacement of 1 moves a point, in tiles; 0 leaves the source as it is",
        minimum=0.0,
        maximum=10.0,
        soft_maximum=0.5,
    )
    scale: tuple[float, ...] = vector(
        (1.0, 1.0, 1.0),
        help="Strength along each axis; 0 keeps that axis in place",
        minimum=-10.0,
        maximum=10.0,
    )
    levels: int = integer(
        1, help="Bend once, or bend the bending too: more intricate", minimum=1, maximum=2
    )
    method: str = choice(
        "exact",
        help="How a grid is computed; single points are always exact",
        options={
            "exact": "Evaluate the noise at every bent point",
            "lookup": "Render it once and look bent points up: several times faster, see the reference",
        },
    )

    def bounds(self) -> tuple[float, float]:
        """Return those of the source: bending moves values, it does not change them."""
        return self.source.bounds()

    def finest(self) -> float:
        """Return the frequency of the source's finest cells, as they are before they are bent."""
        return self.source.finest()

    def values(self, points: Points, seed: int, torus: Torus | None) -> Field:
        """See `Noise.values`."""
        moved = points
        for level in range(self.levels):
            moved = _moved(points, self._shifts(moved, seed, level, torus))
        return self.source.values(moved, seed, torus)

    def plan(self, axes: Axes, seed: int) -> RowPlan:
        """See `Noise.plan`: the first displacement lies on the grid and has its own fast way."""
        factors = self._factors(2 + len(axes.rest))
        if not factors:
            return self.source.plan(axes, seed)
        plans = {axis: self.displacement.plan(axes, _copy_seed(seed, 0, axis)) for axis in factors}
        height = max(1, POINTS_PER_BLOCK // len(axes.x))

        def rows(start: int, stop: int, out: Field) -> None:
            shifts = {axis: np.empty(out.shape, np.float32) for axis in factors}
            for axis, factor in factors.items():
                plans[axis](start, stop, shifts[axis])
                shifts[axis] *= np.float32(factor)
            for first in range(start, stop, height):
                blocks.checkpoint()
                part = slice(first - start, min(first + height, stop) - start)
                points = axes.points(first, min(first + height, stop))
                moved = _moved(points, {axis: shift[part] for axis, shift in shifts.items()})
                if self.levels == 2:
                    moved = _moved(points, self._shifts(moved, seed, 1, axes.torus))
                out[part] = self.source.values(moved, seed, axes.torus)

        return rows

    def _factors(self, dimension: int) -> Mapping[int, float]:
        """Return by how much the displacement counts along each axis that is moved."""
        factors = {axis: self.strength * scale for axis, scale in enumerate(self.scale[:dimension])}
        return {axis: factor for axis, factor in factors.items() if factor != 0.0}

    def _shifts(self, points: Points, seed: int, level: int, torus: Torus | None) -> Shifts:
        """Return the displacement of one level at points, times its strength."""
        shifts = {}
        for axis, factor in self._factors(len(points)).items():
            shift = self.displacement.values(points, _copy_seed(seed, level, axis), torus)
            shift *= np.float32(factor)
            shifts[axis] = shift
        return shifts


def _copy_seed(seed: int, level: int, axis: int) -> int:
    """Return the seed of the displacement's copy for one level and axis; the source has child 0."""
    return child_seed(seed, 1 + 3 * level + axis)


def _moved(points: Points, shifts: Shifts) -> Points:
    """Return moved points, in their own dtype."""
    moved: list[Coordinates] = list(points)
    for axis, shift in shifts.items():
        moved[axis] = points[axis] + shift
    return tuple(moved)
