# SPDX-License-Identifier: GPL-3.0-or-later
"""Drawn rivers before they wander: their curves in meters, and the tributaries that join them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from ...base.arrays import Field
from ...curves.chains import HALF, Chain, Table, Z
from ...rasters.level import Level
from ..drawn.places import LevelFrame, runs_of, stations
from ..drawn.valleys import PackedRivers, unpack
from .curves import Floats, Indices, RiverCurves
from .lines import RiverLines

_APART = 0.5
"""Samples between the points of a drawn river."""

_SHORTEST = 2.0
"""Widths: shorter parts of a river on the terrain are left out."""

Drawn = tuple[PackedRivers, Level]
"""Rivers with the heights of their valleys' floors, and the terrain's own samples."""


@dataclass(frozen=True)
class DrawnRivers:
    """Drawn rivers on a level, each downstream, at least one.

    Attributes
    ----------
    curves : RiverCurves
        With the heights of their valleys' floors, and the widths that are drawn.
    joins : ndarray of shape (rivers,), intp
        The drawn river that each one flows into; -1 if none.
    cells, owners : ndarray of shape (n,), intp
        Numbers of the samples that they pass, and the river that passes there.
    level : Level
    """

    curves: RiverCurves
    joins: Indices
    cells: Indices
    owners: Indices
    level: Level

    @classmethod
    def on(cls, drawn: Drawn, level: Level) -> DrawnRivers | None:
        """Return the parts of rivers that lie on the terrain, on a coarser level; None if there are none."""
        packed, finest = drawn
        rivers, joins = unpack(packed)
        frame, tables, last, mains = LevelFrame(finest, level), [], [], []
        for river, main in zip(rivers, joins):
            parts = _parts(river, frame)
            tables += parts
            mains += [-1] * (len(parts) - 1) + [main] * (len(parts) > 0)
            last.append(len(tables) - 1 if parts else -1)
        if not tables:
            return None
        counts = np.array([table.shape[1] for table in tables], np.intp)
        starts = np.concatenate((np.zeros(1, np.intp), np.cumsum(counts, dtype=np.intp)))
        curves = RiverCurves.of(list(np.concatenate(tables, axis=1)), starts)
        cells = _cells(curves, level)
        into = np.array([last[main] if main >= 0 else -1 for main in mains], np.intp)
        return cls(curves, into, cells, curves.numbers(), level)

    def lower(self, height: Field) -> Field:
        """Return the height of the level, no higher than the floors where rivers pass."""
        result = height.copy()
        np.minimum.at(result.reshape(-1), self.cells, self.curves.level.astype(np.float32))
        return result

    def join(self, lines: RiverLines) -> RiverLines:
        """Return other rivers, which flow into the drawn one in whose samples they end: see `RiverLines.joins`."""
        owner = np.full(self.level.rows * self.level.columns, -1, np.intp)
        owner[self.cells] = self.owners
        into = owner[np.array([line[-1] for line in lines.cells], np.intp)]
        return replace(lines, joins=np.where(into >= 0, -2 - into, lines.joins))

    def water(self, shares: Floats) -> float:
        """Return the water of the largest one, as a share of the rain on all ground, of what flows into each sample."""
        place = np.unique(self.cells, return_index=True)[1]
        return float(np.bincount(self.owners[place], shares[self.cells[place]]).max())

    def add_to(self, curves: RiverCurves, joins: Indices) -> tuple[RiverCurves, Indices]:
        """Return other rivers, and these after them; and the river that each one joins."""
        columns = [np.concatenate(pair) for pair in zip(curves.columns(), self.curves.columns())]
        starts = np.concatenate((curves.starts, curves.starts[-1] + self.curves.starts[1:]))
        there = np.where(joins < -1, curves.count - 2 - joins, joins)
        here = np.where(self.joins >= 0, self.joins + curves.count, -1)
        return RiverCurves.of(columns, starts), np.concatenate((there, here))


def _parts(river: Chain, frame: LevelFrame) -> list[Floats]:
    """Return x, y, height, width and freedom along the parts of a river on the terrain: shape (5, n) each."""
    table = river.vertices.copy()
    table[:, :2] = frame.places(river.vertices)
    table = stations(table, _APART)
    count = np.array(frame.shape, np.float64)
    within: npt.NDArray[np.bool_] = np.ones(len(table), np.bool_)
    if not frame.level.wrap:
        within = np.all((table[:, :2] > -1.0) & (table[:, :2] < count), axis=1)
        np.clip(table[:, :2], 0.0, count - 1.0, out=table[:, :2])
    parts = [_columns(table[part], frame.level) for part in runs_of(within)]
    return [part for part in parts if _length(part) >= _SHORTEST * float(part[3].max())]


def _columns(table: Table, level: Level) -> Floats:
    """Return the columns of `RiverCurves` of stations whose places are in samples."""
    y, x = table[:, 0] * level.step_y, table[:, 1] * level.step_x
    return np.stack((x, y, table[:, Z], 2.0 * table[:, HALF], np.ones_like(x)))


def _length(part: Floats) -> float:
    x, y = np.diff(part[0]), np.diff(part[1])
    return float(np.sqrt(x * x + y * y).sum())


def _cells(curves: RiverCurves, level: Level) -> Indices:
    """Return the numbers of the samples nearest to the points of rivers."""
    row = np.floor(curves.y / level.step_y + 0.5).astype(np.intp) % level.rows
    column = np.floor(curves.x / level.step_x + 0.5).astype(np.intp) % level.columns
    return row * level.columns + column
