# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the samples lie on which land drawn by curves is solved: a bounded level around all of them, or one torus."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ..base.arrays import Coordinates
from ..base.torus import Matrix, Torus, inverse
from ..rasters.level import Level
from .chains import HALF, TILT, Pieces, Table, X, Y
from .features import FALL_LEFT, FALL_RIGHT

STEPS = 256
"""Along the longer side."""

_LEAST_STEPS = 16
"""Along the shorter side of a torus, and what its steps are a multiple of, so that levels can be halved."""

WIDEST = 0.25
"""Tiles that a bed is wide at most: samples in it compare all pieces that are so near."""

_TILE = (0.5, 0.5)
"""Middle of the first tile."""

_SIDE = 1.5
"""Of the smallest land, in tiles: the first tile, and a quarter of one around it."""

_SNAP = 0.25
"""Of the side of a larger land: its middle lies on multiples of that, so that it rests while points are dragged."""


@dataclass(frozen=True)
class FeatureFrame:
    """A linear map from tiles to steps of a level.

    Attributes
    ----------
    matrix : Matrix
    first : tuple of two floats
        Place of the first sample, in tiles.
    rows, columns : int
    wrap : bool
        Whether edges meet.
    """

    matrix: Matrix
    first: tuple[float, float]
    rows: int
    columns: int
    wrap: bool

    @classmethod
    def around(cls, pieces: Pieces, reach: float) -> FeatureFrame:
        """Return the frame of a plane around curves, and so many tiles around those."""
        side, middle = _SIDE, _TILE
        if pieces.count:
            places = np.concatenate((pieces.start[:, [X, Y]], pieces.stop[:, [X, Y]]))
            low, high = places.min(axis=0) - reach, places.max(axis=0) + reach
            if max(float(np.abs(end - _TILE).max()) for end in (low, high)) > 0.5 * _SIDE:
                extent = float((high - low).max())
                while side * (1.0 - _SNAP) < extent:
                    side *= 2.0
                snap = _SNAP * side
                x, y = (np.floor((low + high) / (2.0 * snap) + 0.5) * snap).tolist()
                middle = (x, y)
        scale = STEPS / side
        first = (middle[0] - 0.5 * side, middle[1] - 0.5 * side)
        return cls(((scale, 0.0), (0.0, scale)), first, STEPS + 1, STEPS + 1, False)

    @classmethod
    def on(cls, torus: Torus) -> FeatureFrame:
        """Return the frame of a torus; steps along its second side are as long as those along the first one, about."""
        (xx, xy), (yx, yy) = torus.periods
        across, along = math.hypot(xx, yx), math.hypot(xy, yy)
        columns, rows = (
            max(
                _LEAST_STEPS, round(STEPS * side / max(across, along) / _LEAST_STEPS) * _LEAST_STEPS
            )
            for side in (across, along)
        )
        sign = -1.0 if xx * yy < xy * yx else 1.0  # a mirrored torus would exchange left and right
        (a, b), (c, d) = inverse(torus.periods)
        down = sign * rows
        return cls(
            ((columns * a, columns * b), (down * c, down * d)), (0.0, 0.0), rows, columns, True
        )

    @property
    def level(self) -> Level:
        """The samples, a step apart."""
        return Level(self.rows, self.columns, 1.0, 1.0, self.wrap, steps_per_tile=1)

    @property
    def step(self) -> float:
        """Length of a step in tiles."""
        (a, b), (c, d) = self.matrix
        return 1.0 / math.sqrt(abs(a * d - b * c))

    def place(self, x: Coordinates, y: Coordinates) -> tuple[Coordinates, Coordinates]:
        """Return places in tiles as steps from the first sample, on a torus those of its first turn."""
        (a, b), (c, d) = self.matrix
        x, y = x - self.first[0], y - self.first[1]
        column, row = (x * a + y * b, x * c + y * d) if b or c else (x * a, y * d)
        if not self.wrap:
            return column, row
        return _fold(column, self.columns), _fold(row, self.rows)

    def pieces(self, pieces: Pieces, size: float) -> Pieces:
        """Return pieces with lengths in steps, and slopes in meters per step, of tiles so many meters wide."""
        meters = size * self.step
        return Pieces(*(self._table(table, meters) for table in (pieces.start, pieces.stop)))

    def _table(self, table: Table, meters: float) -> Table:
        (a, b), (c, d) = self.matrix
        x, y = table[:, X] - self.first[0], table[:, Y] - self.first[1]
        result = table.copy()
        result[:, X], result[:, Y] = x * a + y * b, x * c + y * d
        widest = min(0.5 * WIDEST / self.step, 0.25 * min(self.rows, self.columns))
        result[:, HALF] = np.minimum(result[:, HALF] / meters, widest)
        result[:, [TILT, FALL_LEFT, FALL_RIGHT]] *= meters
        return result


def _fold(place: Coordinates, period: int) -> Coordinates:
    """Return places from 0 up to a period, without it."""
    folded = place - np.floor(place * (1.0 / period)) * period
    inside: Coordinates = np.where(folded >= period, 0.0, np.maximum(folded, 0.0))
    return inside
