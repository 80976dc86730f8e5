# SPDX-License-Identifier: GPL-3.0-or-later
"""Coordinates of the samples of a grid, separately for each axis."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from .arrays import Coordinates, Points

if TYPE_CHECKING:
    from .torus import Torus


@dataclass(frozen=True)
class AxisSteps:
    """Coordinates along one axis: an arithmetic sequence by sample number.

    Positions are divided, not accumulated, so that grids of different resolution agree to the bit
    on the samples they share, and a window with the whole.

    Attributes
    ----------
    per_tile : int
        Number of steps in one tile of the grid.
    origin : float
        Position of sample 0, in tiles.
    maps : tuple of pairs of floats
        Factors and shifts that were applied to the coordinates.

    Examples
    --------
    >>> import numpy as np
    >>> from noise_core.base.grid import AxisSteps

    Samples of a tile of four steps, before and after a transform of the coordinates:

    >>> steps = AxisSteps(per_tile=4, origin=1.0)
    >>> print(steps.at(np.arange(4)))
    [1.   1.25 1.5  1.75]
    >>> print(steps.transform(2.0, 0.5).at(np.arange(4)))
    [2.5 3.  3.5 4. ]
    """

    per_tile: int
    origin: float
    maps: tuple[tuple[float, float], ...] = ()

    def at(self, numbers: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
        """Return the coordinates of samples, float64.

        Parameters
        ----------
        numbers : ndarray of int64
            Sample numbers, counted from 0 in the whole grid; those beyond it are allowed.
        """
        coordinates = numbers.astype(np.float64) / self.per_tile + self.origin
        for factor, shift in self.maps:
            coordinates = coordinates * factor + shift
        return coordinates

    def transform(self, factor: float, shift: float) -> AxisSteps:
        """Return the coordinates times a factor, plus a shift.

        Parameters
        ----------
        factor, shift : float
            New coordinates are factor * coordinate + shift.
        """
        return replace(self, maps=(*self.maps, (factor, shift)))

    @property
    def length(self) -> float:
        """Distance between neighbors."""
        return math.prod(factor for factor, _ in self.maps) / self.per_tile


@dataclass(frozen=True, eq=False)
class Axes:
    """Coordinates of a grid, separately for each axis, as fast evaluation needs them.

    Attributes
    ----------
    x, y : ndarray of shape (columns,) and (rows,), float64
        One coordinate per column and per row, in tiles, each rising by equal steps.
    rest : tuple of float
        The third and fourth coordinate, the same for all samples.
    torus : Torus or None
        Periods of the samples, if the grid wraps.
    step : float
        Distance between neighboring samples, in the coordinates as they are now.
    first : tuple of two ints
        Number of the first row and of the first column in the whole grid.
    steps : tuple of two AxisSteps
        Sequences of the coordinates of rows and of columns, beyond the samples too.

    Examples
    --------
    >>> from noise_core import Grid
    >>> axes = Grid(2, 3, origin=(2.0, 0.0)).axes()
    >>> print(axes.x, axes.step)
    [2.  2.5 3. ] 0.5
    """

    x: npt.NDArray[np.float64]
    y: npt.NDArray[np.float64]
    rest: tuple[float, ...]
    torus: Torus | None
    step: float
    first: tuple[int, int]
    steps: tuple[AxisSteps, AxisSteps]

    def points(self, start: int, stop: int) -> Points:
        """Return the points of some rows: arrays of shape (stop - start, columns), float64.

        Parameters
        ----------
        start, stop : int
            Rows, of those of the grid: from `start` up to `stop`, which is not included.
        """
        shape = (stop - start, len(self.x))
        x = np.empty(shape, np.float64)
        y = np.empty(shape, np.float64)
        x[:] = self.x
        y[:] = self.y[start:stop, np.newaxis]
        rest: tuple[Coordinates, ...] = tuple(np.full(shape, value) for value in self.rest)
        return (x, y, *rest)
