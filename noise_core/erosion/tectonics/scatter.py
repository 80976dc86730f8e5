# SPDX-License-Identifier: GPL-3.0-or-later
"""Points of a jittered lattice around a land, in meters from its first cell.

On a torus the lattice closes, and chance belongs to its cells, so that the land around the points meets
itself across the edges.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ...base.arrays import Field
from ...base.grid import Grid
from ...base.torus import Lattice, square_lattice
from ...lattice.hash import child_seed
from ...voronoi.feature_points import FeaturePoints


@dataclass(frozen=True)
class ScatteredPoint:
    """A point of the lattice.

    Attributes
    ----------
    cell : tuple of two ints
        Column and row of its cell, counted across edges that meet.
    x, y : float
        In meters.
    chance : tuple of float
        Numbers from -1 to 1, the same for the cell wherever it repeats.
    """

    cell: tuple[int, int]
    x: float
    y: float
    chance: tuple[float, ...]


@dataclass(frozen=True)
class Scattering:
    """A lattice with cells of about a size, over a grid.

    Attributes
    ----------
    lattice : Lattice
    width, depth : float
        Of a cell, in meters: on a torus a whole number of them fits.
    first : tuple of two ints
        Column and row of the cell of the grid's first sample, from which meters count.
    seed : int
    """

    lattice: Lattice
    width: float
    depth: float
    first: tuple[int, int]
    seed: int

    @classmethod
    def over(cls, grid: Grid, cell: float, seed: int) -> Scattering:
        """Return the lattice over a grid; `cell` is in meters."""
        lattice = square_lattice(grid.width / cell, grid.torus)
        (across, _), (_, along) = lattice.matrix
        axes = grid.axes()
        first = (math.floor(float(axes.x[0]) * across), math.floor(float(axes.y[0]) * along))
        return cls(lattice, grid.width / across, grid.width / along, first, seed)

    def places(self, grid: Grid) -> tuple[Field, Field]:
        """Return the meters of a grid's columns and rows: shapes (columns,) and (rows,), float32."""
        (across, _), (_, along) = self.lattice.matrix
        axes = grid.axes()
        x, y = axes.x * across - self.first[0], axes.y * along - self.first[1]
        return (x * self.width).astype(np.float32), (y * self.depth).astype(np.float32)

    def points(
        self, box: tuple[float, float, float, float], jitter: float, numbers: int
    ) -> Iterator[ScatteredPoint]:
        """Yield the points whose cells meet a box, row by row.

        Parameters
        ----------
        box : tuple of four floats
            Least and largest x, least and largest y, in meters.
        jitter : float
            0: all in the middle of their cells; 1: anywhere in them.
        numbers : int
            How many numbers of chance each has.
        """
        left, right, low, high = box
        columns = range(math.floor(left / self.width), math.floor(right / self.width) + 1)
        rows = range(math.floor(low / self.depth), math.floor(high / self.depth) + 1)
        index = [
            axis.astype(np.int32)
            for axis in np.meshgrid(
                np.array(columns, np.int64) + self.first[0],
                np.array(rows, np.int64) + self.first[1],
            )
        ]
        jittered = FeaturePoints(self.lattice, self.seed, jitter)
        inside: list[npt.NDArray[np.float32]] = list(jittered.positions(index))
        chances = [
            FeaturePoints(self.lattice, child_seed(self.seed, number), 1.0).cell_values(index)
            for number in range(numbers)
        ]
        for row, down in enumerate(rows):
            for column, along in enumerate(columns):
                at = (row, column)
                yield ScatteredPoint(
                    (along + self.first[0], down + self.first[1]),
                    (along + float(inside[0][at])) * self.width,
                    (down + float(inside[1][at])) * self.depth,
                    tuple(float(values[at]) for values in chances),
                )
