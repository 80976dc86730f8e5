# SPDX-License-Identifier: GPL-3.0-or-later
"""Drawn ridges: ground that rises along them, and dams over which no water runs.

Divides lie midway between valleys, wherever the ground rises most. So a dam stands on the curve in every step: valleys
grow from it to both sides, and the divide comes near. `crests` moves it the rest of the way.

References
----------
H. Schott, A. Paris, L. Fournier, E. Guerin, E. Galin (2023). Large-scale terrain authoring through interactive erosion
simulation. ACM Transactions on Graphics 42(5).
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...base.arrays import Field
from ...base.elementary import smooth_step
from ...curves.chains import Chain
from ...curves.measures import curve_distance
from ...flow_routing.directions import Mask
from ...rasters.level import Level
from .places import Cells, Frame

_BREADTH = 0.1
"""Widths of the land to both sides within which the ground rises: a narrower ridge would be a wall."""


@dataclass(frozen=True, eq=False)
class Dams:
    """Dams along ridges on a level.

    Attributes
    ----------
    frame : Frame
        Of the level.
    row, column : ndarray of shape (n,), intp
        Of their cells.
    """

    frame: Frame
    row: Cells
    column: Cells

    def build(self, height: Field, fixed: Mask) -> Field:
        """Return the height with dams as high as the highest ground next to them.

        Parameters
        ----------
        height : ndarray of shape (rows, columns), float32
            In meters.
        fixed : ndarray of that shape, bool
            Cells that keep their height.
        """
        highest = height[self.row, self.column]
        numbers = [
            self.frame.around(place, count)
            for place, count in zip((self.row, self.column), height.shape)
        ]
        for rows, columns in itertools.product(*numbers):
            np.maximum(highest, height[rows, columns], out=highest)
        raised = height.copy()
        raised[self.row, self.column] = highest
        np.copyto(raised, height, where=fixed)
        return raised


@dataclass(frozen=True, eq=False)
class Ridges:
    """Drawn ridges of a land.

    Attributes
    ----------
    chains : sequence of Chain
    """

    chains: Sequence[Chain]

    def on(self, frame: Frame) -> Dams:
        """Return the dams on a level."""
        runs = [_closed_corners(run) for chain in self.chains for run in frame.runs(chain.vertices)]
        row, column = np.concatenate([np.empty((2, 0), np.intp), *runs], axis=1)
        if frame.level.wrap:
            row, column = row % frame.shape[0], column % frame.shape[1]
        return Dams(frame, row, column)

    def raise_ground(self, height: Field, level: Level, rise: float) -> Field:
        """Return the height, which rises toward ridges by so many meters.

        Parameters
        ----------
        height : ndarray of shape level.shape, float32
            In meters.
        level : Level
            The land's own samples.
        rise : float
        """
        reach = _BREADTH * level.steps_per_tile * level.step_x
        share = np.abs(curve_distance(self.chains, level, reach))
        share *= np.float32(-1.0 / reach)
        share += np.float32(1.0)
        raised: Field = smooth_step(share) * np.float32(rise)
        raised += height
        return raised


def _closed_corners(run: Cells) -> Cells:
    """Return a run of cells with those between two that meet at a corner, through which water would run."""
    row, column = run
    is_corner = (row[1:] != row[:-1]) & (column[1:] != column[:-1])
    between = np.stack((row[:-1][is_corner], column[1:][is_corner]))
    return np.concatenate((run, between), axis=1)
