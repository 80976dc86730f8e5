# SPDX-License-Identifier: GPL-3.0-or-later
"""Cells of a square lattice that contain points, and the positions within them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..base import blocks
from ..base.arrays import Coordinates, Field, Index, Points
from ..base.torus import Lattice, Torus, multiply, square_lattice

if TYPE_CHECKING:
    from .affine import Affine

_MAX_HALVINGS = 3
"""Each doubles the rounding error of a position: to 4e-7 of a cell, less than the fade makes of it."""


class _AxisMaps(NamedTuple):
    """Maps of points to lattice coordinates, axis by axis: a factor, then a shift."""

    factors: tuple[float, ...]
    shifts: tuple[float, ...]


class CellPositions(NamedTuple):
    """The cells that points lie in.

    Attributes
    ----------
    numbers : tuple of ndarrays, int32
        Of the cell, along each axis.
    places : tuple of ndarrays, float32
        Position within it, in [0, 1].
    axis_maps : _AxisMaps, optional
        Maps from the points to the cells, if they do not mix axes.
    halvings : int
        How many times in a row the cells were halved instead of computed from the points.
    """

    numbers: tuple[Index, ...]
    places: tuple[Field, ...]
    axis_maps: _AxisMaps | None = None
    halvings: int = 0


def split_cells(coordinates: Sequence[Coordinates]) -> tuple[tuple[Index, ...], tuple[Field, ...]]:
    """Return cell indices (int32) and positions within the cell (float32, in [0, 1])."""
    index, offset = [], []
    for axis in coordinates:
        cell = np.floor(axis)
        index.append(cell.astype(np.int32))
        offset.append(np.subtract(axis, cell, out=cell).astype(np.float32, copy=False))
    return tuple(index), tuple(offset)


def octave_cells(
    frequency: float,
    points: Points,
    octaves: Iterable[tuple[Affine, Sequence[int]]],
    torus: Torus | None,
) -> Iterator[tuple[CellPositions, Lattice, Sequence[int]]]:
    """Yield the cells of points, their lattice, and the seeds for each octave; see `Noise.sample_octaves`."""
    cells: CellPositions | None = None
    for affine, seeds in octaves:
        blocks.checkpoint()
        lattice = square_lattice(frequency, affine.torus(torus))
        cells = next_octave(cells, points, lattice, affine)
        yield cells, lattice, seeds


def next_octave(
    previous: CellPositions | None, points: Points, lattice: Lattice, affine: Affine
) -> CellPositions:
    """Return the cells of one octave of a fractal.

    Finding them takes long arithmetic in float64. Where the octave before had cells twice as large,
    a point's own one of them is cut in two instead.

    Parameters
    ----------
    previous : CellPositions, optional
        Those of the octave before, if there is one.
    points : Points
    lattice : Lattice
        The octave's lattice.
    affine : Affine
        Map of the points into the octave.
    """
    way = _way(lattice, affine, len(points))
    if way is None:
        return CellPositions(*split_cells(lattice.coordinates(affine.points(points))))
    if (
        previous is not None
        and _is_twice(way, previous.axis_maps)
        and previous.halvings < _MAX_HALVINGS
    ):
        return _halve(previous, way)
    return CellPositions(*split_cells([_map_axis(*each) for each in zip(points, *way)]), way)


def _way(lattice: Lattice, affine: Affine, dimension: int) -> _AxisMaps | None:
    """Return the map of each axis, or None if the maps mix axes or reverse them."""
    (xx, xy), (yx, yy) = affine.matrix
    if not lattice.is_aligned or xy != 0.0 or yx != 0.0 or min(xx, yy) < 0.0:
        return None
    scales = (lattice.matrix[0][0], lattice.matrix[1][1], lattice.frequency, lattice.frequency)
    axis_maps = (xx, yy, affine.scale, affine.scale)
    factors = tuple(scale * factor for scale, factor in zip(scales, axis_maps))
    shifts = tuple(scale * shift for scale, shift in zip(scales, affine.offset))
    return _AxisMaps(factors[:dimension], shifts[:dimension])


def _is_twice(way: _AxisMaps, previous: _AxisMaps | None) -> bool:
    return previous is not None and way.factors == tuple(
        2.0 * factor for factor in previous.factors
    )


def _map_axis(axis: Coordinates, factor: float, shift: float) -> Coordinates:
    coordinate = multiply(axis, factor)
    if shift:
        coordinate += coordinate.dtype.type(shift)
    return coordinate


def _halve(cells: CellPositions, way: _AxisMaps) -> CellPositions:
    """Return the halves of their cells that points lie in, at the shift of the next octave."""
    assert cells.axis_maps is not None
    numbers, places = [], []
    for cell, place, shift, old in zip(
        cells.numbers, cells.places, way.shifts, cells.axis_maps.shifts
    ):
        moved = shift - 2.0 * old
        whole = math.floor(moved)
        position = place + place
        position += np.float32(moved - whole)
        half = np.floor(position)
        position -= half
        number = cell + cell
        number += half.astype(np.int32)
        number += np.int32(whole)
        numbers.append(number)
        places.append(position)
    return CellPositions(tuple(numbers), tuple(places), way, cells.halvings + 1)
