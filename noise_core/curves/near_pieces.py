# SPDX-License-Identifier: GPL-3.0-or-later
"""The drawn course of curves at any points near them, joined where curves meet.

Each step of a level lists the pieces near it, so that a point asks few of them. Pieces near a point count by a high power
of their distance: on a curve it alone counts, and between curves nothing jumps.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..base import blocks
from ..base.arrays import Coordinates, Field
from .chains import HALF, ROUGH, TILT, Pieces, Table, X, Y, Z
from .feature_frame import FeatureFrame
from .features import FALL_LEFT, FALL_RIGHT
from .survey import Placed

NEAR = 2.0
"""Steps beside the edge of a curve in which its course is exact."""

_HALF_DIAGONAL = 0.7072
"""Of a step, and a little more."""

_LEAST = 1e-8
"""Square of the distance in steps from which on a point lies on a curve."""

_IN_BED = 0.01
"""Share of the distance from the middle of a bed, squared, where beds cross."""

Indices = npt.NDArray[np.intp]


def course(excess: Table, reach: float) -> Table:
    """Return by how many steps of its slope the ground has changed so many steps from the edge of a curve.

    The slope fades as (1 - q^2)^2 toward the reach.
    """
    square = np.square(np.minimum(excess / reach, 1.0))
    steps: Table = np.minimum(excess, reach) * (1.0 - square * (2.0 / 3.0 - 0.2 * square))
    return steps


class Profile(NamedTuple):
    """Drawn course of the ground across a curve, at some samples.

    Attributes
    ----------
    height : ndarray of float64
        In meters.
    away : ndarray of that shape, float64
        Rise away from the curve in meters per step, before it fades.
    lateral : ndarray of that shape, float64
        1 left of the curve, -1 right of it; between them beyond its ends.
    excess : ndarray of that shape, float64
        Steps from the edge of the curve, 0 within.
    """

    height: Table
    away: Table
    lateral: Table
    excess: Table

    @classmethod
    def of(
        cls,
        side: Table,
        distance: Table,
        reach: float,
        drawn: tuple[Table, Table, Table, Table, Table],
    ) -> Profile:
        """Return the profile at samples, of the height, half width, fall to the left and right, and tilt of the curve."""
        z, half, left, right, tilt = drawn
        lateral = np.clip(side / np.maximum(distance, 1e-9), -1.0, 1.0)
        fall = of_side(lateral, left, right)
        excess = np.maximum(distance - half, 0.0)
        beside = course(excess, reach)
        tilt = tilt * lateral
        height = z + tilt * (np.minimum(distance, half) + beside) - fall * beside
        return cls(height, tilt - fall * (excess > 0.0), lateral, excess)


def of_side(lateral: Table, left: Table, right: Table) -> Table:
    """Return what lies on the side of samples; beyond the ends of a curve both sides blend."""
    return 0.5 * ((left + right) + (left - right) * lateral)


@dataclass(frozen=True, eq=False)
class NearPieces:
    """Pieces by the steps that they are near to.

    Attributes
    ----------
    starts, changes : ndarray of shape (8, pieces), float64
        At the beginning of each piece, and from there to its end: x, y, height, half width, fall to the left and
        right, tilt, share of the bumps.
    first, count : ndarray of shape (rows * columns,), intp
        Where the pieces of a step begin in `piece`, and how many there are.
    piece : ndarray, intp
    columns : int
    reach : float
        Of slopes, in steps.
    """

    starts: Table
    changes: Table
    first: Indices
    count: Indices
    piece: Indices
    columns: int
    reach: float

    @classmethod
    def of(cls, pieces: Pieces, frame: FeatureFrame, reach: float) -> NearPieces:
        """Return the lists of pieces in a frame."""
        level = frame.level
        placed = Placed.on(pieces, level)
        half = np.maximum(pieces.start[:, HALF], pieces.stop[:, HALF])
        widest = float(half.max(initial=0.0)) + NEAR
        starts, stops = [], []
        halves = []
        for down, right in placed.copies(level, widest + 1.0):
            shift = np.zeros(pieces.start.shape[1])
            shift[X], shift[Y] = right, down
            starts.append(pieces.start + shift)
            stops.append(pieces.stop + shift)
            halves.append(half)
        start, stop = np.concatenate(starts), np.concatenate(stops)
        cell, piece = _near(start, stop, np.concatenate(halves) + NEAR, frame.rows, frame.columns)
        order = np.argsort(cell, kind="stable")
        count = np.bincount(cell, minlength=frame.rows * frame.columns).astype(np.intp)
        first = np.cumsum(count, dtype=np.intp) - count
        columns = np.array([X, Y, Z, HALF, FALL_LEFT, FALL_RIGHT, TILT, ROUGH])
        return cls(
            np.ascontiguousarray(start[:, columns].T),
            np.ascontiguousarray((stop - start)[:, columns].T),
            *(first, count, piece[order], frame.columns, reach),
        )

    def cells(self, column: Coordinates, row: Coordinates) -> Indices:
        """Return the numbers of the steps that points lie in."""
        rows = len(self.count) // self.columns
        down = np.clip(np.floor(row), 0.0, rows - 1.0).astype(np.intp)
        across = np.clip(np.floor(column), 0.0, self.columns - 1.0).astype(np.intp)
        down *= self.columns
        cells: Indices = down + across
        return cells

    def join(
        self, column: Coordinates, row: Coordinates, cells: Indices, ground: Field, bumps: Field
    ) -> Field:
        """Return the ground at points near curves.

        Parameters
        ----------
        column, row : ndarray of shape (n,), float64
            In steps.
        cells : ndarray of that shape, intp
            See `cells`; each with a piece or more.
        ground, bumps : ndarray of that shape, float32
            Ground without regard to curves, and the bumps in it, in meters.
        """
        counts = self.count.take(cells)
        order = np.argsort(-counts, kind="stable")
        counts, first = counts[order], self.first.take(cells[order])
        x, y = column[order], row[order]
        lift = bumps[order].astype(np.float64)
        total, weights = np.zeros((2, len(x)))
        nearest = np.zeros(len(x))
        for rank in range(int(counts[0]) if len(counts) else 0):
            blocks.checkpoint()
            active = slice(0, int(np.searchsorted(-counts, -rank, side="left")))
            piece = self.piece.take(first[active] + rank)
            height, keep, weight, share = self._course(piece, x[active], y[active])
            height += keep * lift[active]
            total[active] += weight * height
            weights[active] += weight
            np.maximum(nearest[active], share, out=nearest[active])
        total /= np.where(weights > 0.0, weights, 1.0)
        result = np.empty(len(x), np.float32)
        before = ground[order]
        result[order] = before + nearest * (total - before)
        return result

    def _course(
        self, piece: Indices, x: Coordinates, y: Coordinates
    ) -> tuple[Table, Table, Table, Table]:
        """Return height, share of the bumps, weight and strength of one piece for each point."""
        starts, changes = self.starts, self.changes
        along_x, along_y = changes[0].take(piece), changes[1].take(piece)
        to_x, to_y = x - starts[0].take(piece), y - starts[1].take(piece)
        square = along_x * along_x + along_y * along_y
        square = np.where(square > 0.0, square, 1.0)
        share = np.clip((to_x * along_x + to_y * along_y) / square, 0.0, 1.0)
        side = (to_y * along_x - to_x * along_y) / np.sqrt(square)
        to_x -= share * along_x
        to_y -= share * along_y
        distance = np.sqrt(to_x * to_x + to_y * to_y)
        z, half, left, right, tilt, keep = (
            starts[place].take(piece) + share * changes[place].take(piece) for place in range(2, 8)
        )
        profile = Profile.of(side, distance, self.reach, (z, half, left, right, tilt))
        excess = profile.excess
        fade = np.maximum(1.0 - np.square(excess * (1.0 / NEAR)), 0.0)
        fade *= fade
        apart = excess * excess + _IN_BED * distance * distance + _LEAST
        weight = fade / (apart * apart * apart)
        return profile.height, keep, weight, fade


def _near(
    start: Table, stop: Table, reach: Table, rows: int, columns: int
) -> tuple[Indices, Indices]:
    """Return pairs of steps and pieces that come within a reach of them."""
    spans = []
    for axis, count in ((Y, rows), (X, columns)):
        low = np.minimum(start[:, axis], stop[:, axis]) - reach
        high = np.maximum(start[:, axis], stop[:, axis]) + reach
        first = np.clip(np.floor(low), 0.0, count).astype(np.intp)
        last = np.clip(np.floor(high), -1.0, count - 1.0).astype(np.intp)
        spans.append((first, np.maximum(last - first + 1, 0)))
    (low_row, count_row), (low_column, count_column) = spans
    counts = count_row * count_column
    piece = np.repeat(np.arange(len(counts), dtype=np.intp), counts)
    number = np.arange(len(piece), dtype=np.intp)
    number -= np.repeat(np.cumsum(counts, dtype=np.intp) - counts, counts)
    row = low_row[piece] + number // count_column[piece]
    column = low_column[piece] + number % count_column[piece]
    along_x, along_y = ((stop - start)[:, axis].take(piece) for axis in (X, Y))
    to_x, to_y = column + 0.5 - start[:, X].take(piece), row + 0.5 - start[:, Y].take(piece)
    square = along_x * along_x + along_y * along_y
    share = (to_x * along_x + to_y * along_y) / np.where(square > 0.0, square, 1.0)
    np.clip(share, 0.0, 1.0, out=share)
    to_x -= share * along_x
    to_y -= share * along_y
    limit = reach.take(piece) + _HALF_DIAGONAL
    is_near = to_x * to_x + to_y * to_y <= limit * limit
    return (row * columns + column)[is_near], piece[is_near]
