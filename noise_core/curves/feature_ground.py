# SPDX-License-Identifier: GPL-3.0-or-later
"""Land drawn by curves with bumps on it, at points and on the rows of a grid."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..base.arrays import Coordinates, Field, Points
from ..base.grid import Axes
from ..base.plans import RowPlan, run_in_blocks
from ..base.torus import Torus
from . import feature_frame, features
from .feature_frame import FeatureFrame
from .feature_land import FeatureLand
from .features import Manner
from .land_curve import LandCurve
from .near_pieces import Indices

Kinds = tuple[tuple[tuple[LandCurve, ...], Manner], ...]
"""Curves, each kind with the ground beside them."""

_solving = threading.Lock()


def solve(
    kinds: Kinds, size: float, reach: float, limits: tuple[float, float], torus: Torus | None
) -> FeatureLand:
    """Return the land of curves: the same for all seeds, parts of a land and resolutions.

    Parameters
    ----------
    kinds : tuple of pairs
    size : float
        Width of a tile in meters.
    reach : float
        Of slopes, in meters.
    limits : tuple of two floats
        Lowest and highest ground in meters.
    torus : Torus, optional
        Of a grid that wraps.
    """
    with _solving:  # once, and not by each thread
        return _solve(kinds, size, reach, limits, torus)


@functools.lru_cache(maxsize=4)
def _solve(
    kinds: Kinds, size: float, reach: float, limits: tuple[float, float], torus: Torus | None
) -> FeatureLand:
    pieces, coarse = (
        features.feature_pieces(kinds, size, tolerance)
        for tolerance in (features.FINE, features.COARSE)
    )
    frame = (
        FeatureFrame.around(pieces, min(features.widest(kinds) / size, 0.5 * feature_frame.WIDEST))
        if torus is None
        else FeatureFrame.on(torus)
    )
    steps = reach / (size * frame.step)
    return FeatureLand.solve(
        frame, frame.pieces(coarse, size), frame.pieces(pieces, size), steps, limits
    )


@dataclass(frozen=True, eq=False)
class FeatureGround:
    """Land drawn by curves with bumps on it, as a noise.

    Attributes
    ----------
    land : FeatureLand
    bump_height : float
        In meters, where the ground is all rough; 0 for no bumps.
    height : float
        Of a noise of 1, in meters.
    """

    land: FeatureLand
    bump_height: float
    height: float

    @property
    def is_turned(self) -> bool:
        """Whether the land has no rows and columns along those of grids, so that `plan` does not serve."""
        (_, turned), (back, _) = self.land.frame.matrix
        return bool(turned or back)

    def values(self, points: Points, bumps: Callable[[Points], Field]) -> Field:
        """Return the noise at points.

        Parameters
        ----------
        points : tuple of two arrays
            x and y in tiles, which broadcast.
        bumps : callable
            Returns the noise of the bumps at points x and y of shape (n,).
        """
        land = self.land
        shape = np.broadcast_shapes(*(axis.shape for axis in points))
        x, y = (
            np.broadcast_to(axis, shape).astype(np.float64, copy=False).ravel() for axis in points
        )
        column, row = land.frame.place(x, y)
        height, roughness = land.at_points(column, row)
        cells = land.near.cells(column, row)
        rough = bumps((x, y)) if self.bump_height else np.zeros_like(height)
        near = np.flatnonzero(land.near.count.take(cells))
        self._finish(height, roughness, rough, (column[near], row[near], cells[near], near))
        result: Field = height.reshape(shape)
        return result

    def plan(self, axes: Axes, bumps: RowPlan | None) -> RowPlan:
        """Return the plan of a grid: the ground by rows and columns, curves at the samples near them.

        Parameters
        ----------
        axes : Axes
        bumps : RowPlan, optional
            Of the noise of the bumps.
        """
        land = self.land
        column, row = land.frame.place(axes.x, axes.y)
        table = land.along_rows(column)
        in_row = land.near.cells(column, np.zeros_like(column))
        in_column = land.near.cells(np.zeros_like(row), row)

        def rows(start: int, stop: int, out: Field) -> None:
            def work(part: slice) -> None:
                first, last = start + part.start, start + part.stop
                height, roughness = land.between_rows(table, row[first:last])
                rough = np.zeros_like(height)
                if bumps is not None:
                    bumps(first, last, rough)
                cells = in_column[first:last, np.newaxis] + in_row
                near = np.flatnonzero(land.near.count.take(cells))
                down, across = np.divmod(near, len(column))
                places = column[across], row[first + down], cells.reshape(-1)[near], near
                self._finish(height, roughness, rough, places)
                out[part] = height

            run_in_blocks(len(out), out.shape[1], work)

        return rows

    def _finish(
        self,
        height: Field,
        roughness: Field,
        bumps: Field,
        near: tuple[Coordinates, Coordinates, Indices, Indices],
    ) -> None:
        """Make heights above the middle the noise, in place; see `NearPieces.join`."""
        column, row, cells, where = near
        bumps *= np.float32(self.bump_height)
        bumps *= roughness
        height += bumps
        flat = height.reshape(-1)
        flat[where] = self.land.near.join(column, row, cells, flat[where], bumps.reshape(-1)[where])
        height += np.float32(self.land.middle)
        height *= np.float32(1.0 / self.height)
