# SPDX-License-Identifier: GPL-3.0-or-later
"""Strokes of a brush over a height field: dabs at even distances along a path.

Terrane bakes strokes into a raster of heights: what a stroke changes is added to the layer *Sculpted Change*, and the
stroke is forgotten. Kept strokes would be evaluated again with every change below them, one dab after the other, and
would change with the ground; a thousand of them would make a terrain slow. A raster costs the same after any number of
strokes, has the same bits after undo, in a file and wherever the layer lies, and agrees at another resolution wherever
samples meet. A path that is played again on another grid gives the same change but for the ground between the samples,
since dabs are worked out on nodes whose distance depends on the brush (`nodes`).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np

from ...base.arrays import Field
from ...base.blocks import checkpoint
from ...base.errors import ParameterError
from ...base.grid import Grid
from ...rasters.steepness import rise_over_run
from ...rasters.taps import Indices
from .brush import Brush
from .effects import BURYING, CUTTING, EFFECTS, SLIDING, Dab, lost_bumps
from .nodes import NodeSquare

SPACING = 0.25
"""Distance between dabs in radii."""

_RATE = 0.5
"""Share of its effect that a dab of full strength has."""

_FARTHEST = 1e4
"""Tiles from the terrain beyond which a point must be a mistake."""

Covered = tuple[Indices, Indices]
"""Rows and columns of samples."""


@dataclass(frozen=True)
class StrokePoint:
    """Point of a stroke.

    Attributes
    ----------
    x, y : float
        In tiles.
    pressure : float
        From 0 to 1, by which the strength is multiplied.

    Examples
    --------
    >>> from noise_core import StrokePoint
    >>> StrokePoint(0.3, 0.4).pressure
    1.0
    """

    x: float
    y: float
    pressure: float = 1.0

    def __post_init__(self) -> None:
        places = (self.x, self.y)
        if not all(math.isfinite(place) and abs(place) <= _FARTHEST for place in places):
            raise ParameterError(
                "StrokePoint must lie within {:g} tiles of the terrain", _FARTHEST, got=places
            )
        if not 0.0 <= self.pressure <= 1.0:
            raise ParameterError("StrokePoint.pressure must be in [0, 1]", got=self.pressure)


@dataclass
class Stroke:
    """A stroke that is being drawn on a height field, which it changes in place.

    Attributes
    ----------
    height : ndarray of shape (rows, columns), float32
        In meters; written to.
    grid : Grid
        With a size.
    brush : Brush

    Raises
    ------
    ParameterError
        If the brush does not fit the grid.

    Examples
    --------
    >>> import numpy as np
    >>> from noise_core import Grid
    >>> from noise_core.erosion.brushes.brush import Brush
    >>> from noise_core.erosion.brushes.strokes import Stroke, StrokePoint
    >>> height = np.zeros((65, 65), np.float32)
    >>> height[32, 32] = 10.0
    >>> stroke = Stroke(height, Grid(65, 65, size=640.0), Brush(kind="smooth", size=200.0))
    >>> covered = list(stroke.move_to(StrokePoint(0.5, 0.5)))
    >>> len(covered), bool(height[32, 32] < 9.0)
    (1, True)
    """

    height: Field
    grid: Grid
    brush: Brush
    _radius: float = field(init=False)
    _last: StrokePoint | None = field(default=None, init=False)
    _left: float = field(default=0.0, init=False)
    """Meters to go to the next dab."""
    _plane: float = field(default=0.0, init=False)

    def __post_init__(self) -> None:
        self._radius = self.brush.radius_on(self.grid)

    def move_to(self, point: StrokePoint) -> Iterator[Covered]:
        """Yield the samples that each dab on the way to a point has changed, after it."""
        before, self._last = self._last, point
        if before is None:
            yield self._dab(point, is_first=True)
            self._left = SPACING * self._radius
            return
        tile = self.grid.spacing * self.grid.steps_per_tile
        length = tile * math.hypot(point.x - before.x, point.y - before.y)
        way = self._left
        while way <= length:
            share = way / length
            ends = zip((before.x, before.y, before.pressure), (point.x, point.y, point.pressure))
            yield self._dab(StrokePoint(*(a + share * (b - a) for a, b in ends)))
            way += SPACING * self._radius
        self._left = way - length

    def _dab(self, point: StrokePoint, *, is_first: bool = False) -> Covered:
        """Change the ground below one dab; return the samples that it covers."""
        checkpoint()
        steps, (x, y) = self.grid.steps_per_tile, self.grid.origin
        place = ((point.y - y) * steps, (point.x - x) * steps)
        square = NodeSquare(self.grid, *place, self._radius / self.grid.spacing)
        rows, columns = covered = square.covered()
        if not (rows.size and columns.size):
            return covered
        nodes = square.read(self.height)
        if is_first:
            self._plane = float(nodes[len(nodes) // 2, len(nodes) // 2])
        steepness = rise_over_run(self.brush.angle)
        dab = Dab(square.level, self._radius, steepness, self._plane)
        target = EFFECTS[self.brush.kind](nodes, dab)
        share = square.falloff(rows, columns)
        share *= np.float32(_RATE * self.brush.strength * point.pressure)
        samples = self._samples(rows, columns)
        change = square.spread(target - nodes, rows, columns)
        if self.brush.kind not in CUTTING:
            bumps = self.height[samples] - square.spread(nodes, rows, columns)
            if self.brush.kind in SLIDING:
                bumps *= square.spread(lost_bumps(nodes, target, dab), rows, columns)
            change -= bumps
        if self.brush.kind in BURYING:
            np.maximum(change, np.float32(0.0), out=change)
        change *= share
        self.height[samples] += change
        return covered

    def _samples(self, rows: Indices, columns: Indices) -> tuple[Indices, Indices]:
        if self.grid.wrap:
            rows, columns = rows % self.grid.rows, columns % self.grid.columns
        return rows[:, np.newaxis], columns


def apply_stroke(height: Field, grid: Grid, brush: Brush, points: Iterable[StrokePoint]) -> Field:
    """Return a height field after a whole stroke.

    Parameters
    ----------
    height : ndarray of shape (rows, columns), float32
        In meters; not written to.
    grid : Grid
        With a size.
    brush : Brush
    points : iterable of StrokePoint

    Raises
    ------
    ParameterError
        If the brush does not fit the grid.

    Examples
    --------
    >>> import numpy as np
    >>> from noise_core import Grid
    >>> from noise_core.erosion.brushes.brush import Brush
    >>> from noise_core.erosion.brushes.strokes import StrokePoint, apply_stroke
    >>> level = np.zeros((65, 65), np.float32)
    >>> points = [StrokePoint(0.3, 0.5), StrokePoint(0.7, 0.5)]
    >>> heaped = apply_stroke(level, Grid(65, 65, size=640.0), Brush(kind="deposit"), points)
    >>> bool(heaped[32, 32] > 1.0), float(heaped[0, 0])
    (True, 0.0)
    """
    changed = height.copy()
    stroke = Stroke(changed, grid, brush)
    for point in points:
        for _ in stroke.move_to(point):
            pass
    return changed
