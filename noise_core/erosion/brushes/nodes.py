# SPDX-License-Identifier: GPL-3.0-or-later
"""Square of nodes under a brush: read from the samples of a height field, and spread over them again.

The number of nodes is the same for every brush and every grid. So a dab costs about the same at any size, and the same
dab does the same on a coarse and on a fine grid: only the ground between the nodes differs.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ...base.arrays import Field
from ...base.grid import Grid
from ...rasters.level import Level
from ...rasters.taps import Indices, Tap, spline_taps, weighted_sum

NODES = 65
"""Along each side."""

REACH = 1.25
"""Half a side in radii: water comes from beyond the brush, and what slides goes there."""

_MIDDLE = NODES // 2

_TINY = 1e-12
"""Keeps 0 / 0 from happening at nodes on samples."""


@dataclass(frozen=True)
class NodeSquare:
    """Nodes around a place on a grid.

    Attributes
    ----------
    grid : Grid
        Of the samples.
    row, column : float
        Of the place, in samples.
    radius : float
        Of the brush, in samples.
    """

    grid: Grid
    row: float
    column: float
    radius: float

    @property
    def step(self) -> float:
        """Distance between nodes, in samples."""
        return REACH * self.radius / _MIDDLE

    @property
    def level(self) -> Level:
        """The nodes as a level; chance hangs on their place in the land."""
        step = self.step * self.grid.spacing
        first = (round(self.row / self.step), round(self.column / self.step))
        return Level(NODES, NODES, step, step, False, first)

    def read(self, height: Field) -> Field:
        """Return the heights at the nodes: averages over the step between them.

        Beyond a border the ground goes on level.
        """
        (rows, down), (columns, along) = (
            self._reading(place, count)
            for place, count in zip((self.row, self.column), self.grid.shape)
        )
        window = height[rows[:, np.newaxis], columns]
        return weighted_sum(weighted_sum(window, along, axis=1), down, axis=0)

    def _reading(self, place: float, count: int) -> tuple[Indices, list[Tap]]:
        """Return the samples along an axis that nodes are averages of, and the taps within them."""
        nodes = place + (np.arange(NODES, dtype=np.intp) - _MIDDLE) * self.step
        width = max(1.0, self.step)
        low = np.floor(nodes - width).astype(np.intp) + 1
        samples = np.arange(low[0], int(np.floor(nodes[-1] + width)) + 1, dtype=np.intp)
        offsets = range(int(np.floor(2.0 * width)) + 1)
        weights = _tent(np.array([low + k - nodes for k in offsets]), width)
        last = len(samples) - 1
        taps = [(np.minimum(low + k - low[0], last), weight) for k, weight in zip(offsets, weights)]
        return self._on_grid(samples, count), taps

    def _on_grid(self, samples: Indices, count: int) -> Indices:
        return samples % count if self.grid.wrap else np.clip(samples, 0, count - 1)

    def covered(self) -> tuple[Indices, Indices]:
        """Return the rows and columns of the samples that the brush covers; beyond edges that meet too."""
        ends = []
        for place, count in zip((self.row, self.column), self.grid.shape):
            low, high = int(np.ceil(place - self.radius)), int(np.floor(place + self.radius))
            if self.grid.wrap:
                high = min(high, low + count - 1)
            else:
                low, high = max(low, 0), min(high, count - 1)
            ends.append(np.arange(low, high + 1, dtype=np.intp))
        return ends[0], ends[1]

    def falloff(self, rows: Indices, columns: Indices) -> Field:
        """Return the share of the brush at samples: 1 in the middle, smoothly 0 at the rim (Wyvill et al. 1986)."""
        down, along = (
            ((samples - place) / self.radius) ** 2
            for samples, place in ((rows, self.row), (columns, self.column))
        )
        inside = np.maximum(1.0 - down[:, np.newaxis] - along, 0.0)
        return (inside * inside).astype(np.float32)

    def spread(self, nodes: Field, rows: Indices, columns: Indices) -> Field:
        """Return values at the nodes spread smoothly over samples; none beyond the least and the greatest of them."""
        down, along = (
            self._spreading(samples, place)
            for samples, place in ((rows, self.row), (columns, self.column))
        )
        return weighted_sum(weighted_sum(nodes, down, axis=0), along, axis=1)

    def _spreading(self, samples: Indices, place: float) -> list[Tap]:
        position = (samples.astype(np.float64) - place) / self.step + _MIDDLE
        base = np.floor(position)
        return spline_taps(base.astype(np.intp), position - base, NODES, False)


def _tent(away: npt.NDArray[np.float64], width: float) -> npt.NDArray[np.float64]:
    """Return the weights of samples so far away from nodes, which sum to 1 along the first axis.

    The weights of a tent, tilted so that the average of a plane is its height at the node: a tent whose width is no
    whole number of samples leans to one side.
    """
    weights: npt.NDArray[np.float64] = np.maximum(1.0 - np.abs(away) / width, 0.0)
    weights /= weights.sum(axis=0)
    lean = (weights * away).sum(axis=0)
    spread = (weights * (away - lean) ** 2).sum(axis=0)
    tilt: npt.NDArray[np.float64] = 1.0 - (away - lean) * (lean / np.maximum(spread, _TINY))
    np.multiply(weights, tilt, out=weights)
    return weights
