# SPDX-License-Identifier: GPL-3.0-or-later
"""Bed of debris flows: ground that they scour and build up, at points between its samples."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ...base import blocks
from ...base.arrays import Field
from ...rasters import differences, margins
from ...rasters.level import Level
from ...rasters.smoothing import smooth
from ...rasters.taps import linear_neighbors
from ..slides import loose_layer

Numbers = npt.NDArray[np.float64]
Cells = npt.NDArray[np.intp]
Truths = npt.NDArray[np.bool_]

_PASSES = 4
"""Of sliding after each event: lobes are a few samples wide."""

_ROWS = 64
"""Worked out at once: a block and its temporaries stay in the cache."""


@dataclass(frozen=True)
class Taps:
    """The four samples around each of some points.

    Attributes
    ----------
    cells : ndarray of shape (4, points), intp
    weights : ndarray of that shape, float64
        Those of a point add up to 1.
    """

    cells: Cells
    weights: Numbers


def add_up(who: Cells, amounts: Numbers, count: int) -> Numbers:
    """Return the sum of the amounts of each of so many, in the order of the amounts: the same everywhere."""
    return np.asarray(
        np.bincount(who, amounts, count), np.float64
    )  # whole numbers if there are none


class DebrisBed:
    """Ground on one level, with its scour and deposits of debris.

    Parameters
    ----------
    ground : ndarray of shape (rows, columns), float32
        In meters, before any debris; not written to.
    level : Level
        Of that shape.

    Attributes
    ----------
    scour, deposit : ndarray of shape (rows, columns), float32
        Thickness in meters of the scour and of the deposits.
    """

    def __init__(self, ground: Field, level: Level) -> None:
        self.level, self.ground = level, ground
        self.scour, self.deposit = np.zeros((2, *level.shape), np.float32)

    @property
    def step(self) -> float:
        """The shorter distance between neighbors, in meters."""
        return min(self.level.step_x, self.level.step_y)

    def surface(self) -> Field:
        """Return heights as they are now, in meters."""
        surface: Field = self.ground - self.scour
        surface += self.deposit
        return surface

    def table(self, depth: float) -> Field:
        """Return slopes along x and y, and the remaining scour: shape (samples, 3), float32.

        Slopes are those of the surface averaged by (1, 2, 1) / 4, which a flow some samples wide feels.

        Parameters
        ----------
        depth : float
            Of all scour, in meters; the remaining scour is a share of it, from 0 to 1.
        """
        level = self.level
        surface = smooth(self.surface(), 1, level.wrap)
        table = np.empty((*level.shape, 3), np.float32)
        for start in range(0, level.rows, _ROWS):
            blocks.checkpoint()
            stop = min(start + _ROWS, level.rows)
            frame = differences.add_frame(surface, level, start, stop)
            table[start:stop, :, 0], table[start:stop, :, 1] = differences.gradient(frame, level)
        np.multiply(self.scour, np.float32(-1.0 / depth), out=surface)
        surface += np.float32(1.0)
        np.maximum(surface, np.float32(0.0), out=table[:, :, 2])
        return table.reshape(-1, 3)

    def is_inside(self, row: Numbers, column: Numbers) -> Truths:
        """Return which points, in samples, lie on the land."""
        if self.level.wrap:
            return np.ones(len(row), np.bool_)
        inside = (row >= 0.0) & (column >= 0.0)
        inside &= (row <= self.level.rows - 1) & (column <= self.level.columns - 1)
        return inside

    def taps(self, row: Numbers, column: Numbers) -> Taps:
        """Return the samples around points that lie on the land.

        Parameters
        ----------
        row, column : ndarray of shape (points,), float64
            In samples.
        """
        rows, columns = self.level.shape
        top, below, down = linear_neighbors(row, rows, self.level.wrap)
        first, second, along = linear_neighbors(column, columns, self.level.wrap)
        top *= columns
        below *= columns
        cells, weights = np.empty((4, len(row)), np.intp), np.empty((4, len(row)))
        up, back = 1.0 - down, 1.0 - along
        corners = ((top, up), (below, down))
        for place, (line, share) in enumerate(corners):
            np.add(line, first, out=cells[2 * place])
            np.add(line, second, out=cells[2 * place + 1])
            np.multiply(share, back, out=weights[2 * place])
            np.multiply(share, along, out=weights[2 * place + 1])
        return Taps(cells, weights)

    @staticmethod
    def gather(field: Field | Numbers, taps: Taps) -> Numbers:
        """Return a flat field, or all columns of a table, at points: linear between samples."""
        weights = taps.weights if field.ndim == 1 else taps.weights[..., np.newaxis]
        gathered: Numbers = field.take(taps.cells[0], axis=0) * weights[0]
        for place in range(1, 4):
            gathered += field.take(taps.cells[place], axis=0) * weights[place]
        return gathered

    def scatter(self, taps: Taps, amounts: Numbers) -> Numbers:
        """Return the thickness of amounts that lie at points, shape (samples,), in meters.

        Parameters
        ----------
        taps : Taps
        amounts : ndarray of shape (points,), float64
            In cubic meters.
        """
        count = self.level.rows * self.level.columns
        shares = (taps.weights * amounts).reshape(-1)
        sums = add_up(taps.cells.reshape(-1), shares, count)
        sums *= 1.0 / (self.level.step_x * self.level.step_y)
        return sums

    def settle(self, level_enough: float) -> None:
        """Let deposits that lie too steeply slide.

        Parameters
        ----------
        level_enough : float
            Steepness at which they stay, rise over run.
        """
        fall, reach = level_enough * self.level.step_x, loose_layer.REACH

        def work(part: list[Field]) -> list[Field]:
            below, debris = part
            for _ in range(_PASSES):
                blocks.checkpoint()
                debris = loose_layer.slide(below, debris, fall)
                below = below[reach:-reach, reach:-reach]
            return [debris]

        fields = [self.ground - self.scour, self.deposit]
        self.deposit = margins.work_in_strips(fields, self.level, reach * _PASSES, 1, work)[0]
