# SPDX-License-Identifier: GPL-3.0-or-later
"""Simplex noise: slopes at the points of a lattice of triangles and tetrahedra."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Union

import numpy as np
import numpy.typing as npt

from .. import simplex
from ..base import gathering
from ..base.arrays import Coordinates, Field, Index, Points
from ..base.elementary import circle
from ..base.grid import Axes
from ..base.params import cells_per_tile
from ..base.plans import RowPlan
from ..base.torus import simplex_lattice, triangular_lattice
from ..lattice import corners, lattice_cells
from ..lattice.hash import hash_diagonals, hash_indices
from .bases.noise import Noise, noise_type

if TYPE_CHECKING:
    from ..base.torus import Lattice, SimplexLattice, Torus

_BOUNDS = {1: 0.3164063, 2: 0.01008021, 3: 0.009289064, 4: 0.009210833}
"""Largest sums over the corners of kernel times distance, rounded up: see `Simplex`."""

_THIRD_DERIVATIVE = 560.0
"""Of noise with one cell per tile (measured): the blobs are narrower than a lattice's cells."""

_DIRECTIONS = 256

Steps = Sequence[Union[npt.NDArray[np.bool_], bool]]
"""Whether a corner of a point's simplex lies one cell on, along each axis."""


@noise_type("simplex", "Simplex", family="basic")
class Simplex(Noise):
    """Smooth gradient noise without grid-aligned artifacts.

    Notes
    -----
    A lattice point with unit slope g at distance vector d adds ``max(1/2 - |d|^2, 0)^4 (g . d)``,
    at most the kernel times |d|. The sum of that over the corners of a simplex bounds the noise
    and is met when all slopes point the same way as the distances, so it is scaled to 1. It is
    largest on an edge: in 2-D in the middle of one, where two corners at the squared distance
    1/6 add (1/3)^4 / sqrt(6) each (2 / (81 sqrt(6)) = 0.0100802); in 3-D and 4-D it was found by
    maximizing numerically over a simplex. In 1-D the kernel is ``(1 - d^2)^4`` and the middle of
    a cell gives 81/256.

    In 2-D the lattice's rows run along x, see `triangular`. In 3-D and 4-D it lies along the
    main diagonal, as it always does.

    References
    ----------
    Ken Perlin (2001). Noise hardware. SIGGRAPH course notes.
    Stefan Gustavson (2005). Simplex noise demystified.
    Marc Alexa (2022). Super-Fibonacci spirals. CVPR. (the slopes in 4-D)

    Examples
    --------
    >>> import numpy as np
    >>> from noise_core import Grid
    >>> from noise_core.noises import Simplex
    >>> noise = Simplex(frequency=6.0)
    >>> field = noise.sample_grid(Grid(65, 129), seed=2)
    >>> field.shape, bool(np.abs(field).max() <= 1.0)
    ((65, 129), True)

    The same number at the same place, on a grid or at a point (column 64 of 128 steps, row 32):

    >>> bool(abs(noise.sample([0.5, 0.25], seed=2) - field[32, 64]) < 1e-5)
    True
    """

    is_arithmetic = True

    frequency: float = cells_per_tile()

    def third_derivative(self) -> float:
        """See `Noise.third_derivative`."""
        return _THIRD_DERIVATIVE * self.frequency**3

    def values(self, points: Points, seed: int, torus: Torus | None) -> Field:
        """See `Noise.values`."""
        if len(points) == 1:
            return self._line(points[0], seed)
        lattice: Lattice | SimplexLattice
        if len(points) == 2:
            lattice = triangular_lattice(self.frequency, torus)
        else:
            lattice = simplex_lattice(len(points), self.frequency, torus)
        index, offset = lattice_cells.split_cells(lattice.coordinates(points))
        table = _slopes(len(points))

        def nodes(indices: Sequence[Index]) -> list[Field]:
            place = _choice(hash_indices(lattice.wrap(*indices), seed))
            return [gathering.gather(column, place) for column in table]

        return _corner_sum(offset, _corner_slopes(index, nodes))

    @property
    def has_short_calls(self) -> bool:
        """See `Noise.has_short_calls`."""
        return True

    def plan(self, axes: Axes, seed: int) -> RowPlan:
        """See `Noise.plan`: two lattice rows around each row of samples."""
        return self._turned_plan(axes, seed) or super().plan(axes, seed)

    def gradient_plan(self, axes: Axes, seed: int) -> RowPlan:
        """See `Noise.gradient_plan`: in the same way."""
        turned = self._turned_plan(axes, seed, is_gradient=True)
        return turned or super().gradient_plan(axes, seed)

    def _turned_plan(self, axes: Axes, seed: int, *, is_gradient: bool = False) -> RowPlan | None:
        """Return the plan on the turned lattice where there is one, see `triangular`."""
        if axes.rest:
            return None
        lattice = triangular_lattice(self.frequency, axes.torus)
        table = _slopes(2, turned=True)

        def slopes(first: int, count: int, j: Index) -> Field:
            if lattice.periods is None:
                hashes = hash_diagonals(first, count, j, seed)
            else:
                starts = np.arange(first, first + len(j), dtype=np.int64)
                i = np.add.outer(starts, np.arange(count, dtype=np.int64)).astype(np.int32)
                hashes = hash_indices(lattice.wrap(i, j[:, np.newaxis]), seed)
            return gathering.gather(table, _choice(hashes))

        return simplex.triangular.row_plan(axes, lattice, slopes, is_gradient=is_gradient)

    def _line(self, x: Coordinates, seed: int) -> Field:
        (index,), (offset,) = lattice_cells.split_cells((x * x.dtype.type(self.frequency),))
        total = np.zeros(offset.shape, np.float32)
        for bit in (0, 1):
            distance = offset - np.float32(bit)
            slope = np.take(_slopes(1)[0], _choice(hash_indices((index + np.int32(bit),), seed)))
            total += _kernel(np.float32(1.0) - distance * distance) * (slope * distance)
        return total


def _corner_slopes(
    index: Sequence[Index], nodes: Callable[[Sequence[Index]], list[Field]]
) -> Callable[[Steps], list[Field]]:
    """Return the function that gives the slopes at one corner of each point's simplex, axis by axis.

    Points that lie close together share corners: those of their bounding box are then looked up once.

    Parameters
    ----------
    index : sequence of arrays, int32
        Of the cells that points lie in.
    nodes : callable
        Called with the indices of lattice points: the slopes there.
    """
    low, extent = corners.bounding_box(index)
    if math.prod(extent) > index[0].size:
        return lambda steps: nodes([axis + step for axis, step in zip(index, steps)])
    table = nodes(corners.box_indices(low, extent))
    strides = [math.prod(extent[axis + 1 :]) for axis in range(len(extent))]
    address = corners.addresses(index, low, extent)

    def slopes(steps: Steps) -> list[Field]:
        shift, place = 0, address
        for step, stride in zip(steps, strides):
            if isinstance(step, bool):
                shift += step * stride
            else:
                offset = step * np.intp(stride)
                place = np.add(offset, place, out=offset)
        return [corners.take(column, shift, place) for column in table]

    return slopes


def _corner_sum(offset: Sequence[Field], slopes: Callable[[Steps], list[Field]]) -> Field:
    """Return the sum over the corners of the simplex that a point lies in.

    Parameters
    ----------
    offset : sequence of arrays
        Fractional part of the skewed coordinates.
    slopes : callable
        Called with the steps to a corner: the slopes there.
    """
    dimension = len(offset)
    shrink = np.float32((1.0 - 1.0 / math.sqrt(dimension + 1.0)) / dimension)
    unskew = shrink * functools.reduce(np.add, offset)
    total = np.zeros(offset[0].shape, np.float32)
    for corner, steps in enumerate(_corner_steps(offset)):
        shift = unskew - np.float32(corner) * shrink if corner else unskew
        parts, squares = [], []
        for axis, step, part in zip(offset, steps, slopes(steps)):
            distance = axis - shift if step is False else axis - np.float32(step)
            if step is not False:
                distance -= shift
            part *= distance
            parts.append(part)
            distance *= distance
            squares.append(distance)
        reach: Field = np.subtract(np.float32(simplex.triangular.REACH), squares[0], out=squares[0])
        for square in squares[1:]:
            reach -= square
        slope, *remaining = parts
        for part in remaining:
            slope += part
        slope *= _kernel(reach)
        total += slope
    return total


def _corner_steps(offset: Sequence[Field]) -> Iterator[Steps]:
    """Yield the steps to each corner: along the axes with the largest fractional parts."""
    dimension = len(offset)
    yield [False] * dimension
    if dimension == 2:
        is_larger = offset[0] > offset[1]
        yield [is_larger, ~is_larger]
    else:
        ranks = _ranks(offset)
        for corner in range(1, dimension):
            yield [rank >= dimension - corner for rank in ranks]
    yield [True] * dimension


def _ranks(offset: Sequence[Field]) -> list[npt.NDArray[np.int8]]:
    """Return for each axis how many others have a smaller fractional part."""
    ranks = [np.zeros(offset[0].shape, np.int8) for _ in offset]
    for first in range(len(offset)):
        for second in range(first + 1, len(offset)):
            is_larger = offset[first] > offset[second]
            ranks[first] += is_larger
            ranks[second] += ~is_larger
    return ranks


def _kernel(reach: Field) -> Field:
    """Return the fourth power, zero beyond reach; overwrites its argument."""
    np.maximum(reach, np.float32(0.0), out=reach)
    reach *= reach
    reach *= reach
    return reach


def _choice(hashes: npt.NDArray[np.uint32]) -> npt.NDArray[np.intp]:
    return (hashes & np.uint32(_DIRECTIONS - 1)).astype(np.intp)


@functools.cache
def _slopes(dimension: int, *, turned: bool = False) -> Field:
    """Return the slopes to choose from, shape (dimension, 256), evenly spread, scaled to the bound.

    They are those of Gustavson's orientation, in which the first edge of the 2-D lattice lies
    15 degrees below the x axis; `turned` gives them in that of the `triangular` lattice.
    """
    if dimension == 1:
        table = np.linspace(-1.0, 1.0, _DIRECTIONS)[np.newaxis]
    elif dimension == 2:
        angle = np.arange(_DIRECTIONS, dtype=np.float64) * (360.0 / _DIRECTIONS)
        table = circle(angle - (0.0 if turned else 15.0))
    else:
        # With every slope its opposite, so that the mean is zero.
        half = (_sphere if dimension == 3 else _hypersphere)(_DIRECTIONS // 2)
        table = np.concatenate((half, -half), axis=1)
    slopes: Field = np.ascontiguousarray(table / _BOUNDS[dimension], np.float32)
    slopes.flags.writeable = False
    return slopes


def _sphere(count: int) -> npt.NDArray[np.float64]:
    """Return evenly spread unit vectors, shape (3, count): a Fibonacci spiral on one half."""
    height = (np.arange(count, dtype=np.intp) + 0.5) / count
    angle = np.arange(count, dtype=np.float64) * (180.0 * (3.0 - math.sqrt(5.0)))
    cosine, sine = circle(angle) * np.sqrt(1.0 - height * height)
    return np.stack((cosine, sine, height))


def _hypersphere(count: int) -> npt.NDArray[np.float64]:
    """Return evenly spread unit vectors, shape (4, count): a super-Fibonacci spiral."""
    place = np.arange(count, dtype=np.float64) + 0.5
    inner, outer = np.sqrt(place / count), np.sqrt(1.0 - place / count)
    first = inner * circle(place * (360.0 / math.sqrt(2.0)))
    second = outer * circle(place * (360.0 / 1.533751168755204288118041))
    return np.stack((first[1], first[0], second[1], second[0]))
