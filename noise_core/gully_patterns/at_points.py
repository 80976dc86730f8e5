# SPDX-License-Identifier: GPL-3.0-or-later
"""Values at the corners of the cells around arbitrary points."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..base.arrays import Field, Index
from ..base.gathering import gather
from ..lattice import fades
from .cells import PhaseTable
from .octaves import Coordinate, GullyOctave
from .stripes import WAVE, Filler, Stripes, join_corners

_HALF = np.float32(0.5)


def filler(
    octaves: Sequence[GullyOctave], tables: Sequence[PhaseTable], x: Coordinate, y: Coordinate
) -> Filler:
    """Return the function that fills stripes at points.

    Parameters
    ----------
    octaves, tables
        One of each per octave.
    x, y : ndarrays of one shape, float64
        In tiles.
    """

    def fill(number: int, stripes: Stripes) -> tuple[Sequence[Field], Field]:
        table = tables[number]
        (i, column, left, right), (j, row, _, weight) = (
            cell_parts(axis) for axis in octaves[number].to_lattice(x, y)
        )
        addresses = iter(table.cells.corner_addresses(i, j))
        for corners in (stripes.near, stripes.far):
            for share, out in ((left, corners[:2]), (right, corners[2:])):
                address = next(addresses)
                for part, field in zip(table.phases, out):
                    gather(part, address, out=field)
                    field *= share
            _join_in_place(corners, stripes)
        return (column, row), weight

    return fill


def cell_parts(axis: Coordinate) -> tuple[Index, Field, Field, Field]:
    """Return along one axis: the cell, the place in it from its middle times `WAVE`, and both weights."""
    whole = np.floor(axis)
    place = (axis - whole).astype(np.float32)
    weight = fades.quintic(place)
    place -= _HALF
    place *= WAVE
    return whole.astype(np.int32), place, np.float32(1.0) - weight, weight


def _join_in_place(corners: list[Field], stripes: Stripes) -> None:
    left_real, left_imag, right_real, right_imag = corners
    spare = stripes.cosine, stripes.sine, stripes.first, stripes.second
    join_corners((left_real, left_imag), (right_real, right_imag), spare)
    for corner, field in zip(corners, spare):
        corner[...] = field
