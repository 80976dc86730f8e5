# SPDX-License-Identifier: GPL-3.0-or-later
"""Phases at the corners of cells, synchronized along the slope.

With independent phases, gullies would end after a cell. So each corner takes up the phases around
it, carried on along its own direction and most from uphill and downhill: gullies run on from cell to
cell, join where slopes come together, and begin where slopes part. This asks for the direction at the
corner alone, so that any part of the world can be drawn for itself.

References
----------
Thibault Tricard, Semyon Efremov, Cédric Zanni, Fabrice Neyret, Jonàs Martínez, Sylvain Lefebvre
(2019). Procedural phasor noise. ACM Transactions on Graphics 38. (waves given by phases at points)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ..base import blocks
from ..base.arrays import Field, Index
from .at_points import filler
from .cells import REACH, Around, CellSet, Phases, PhaseTable, RectangleCells, ScatteredCells
from .octaves import Coordinate, Directions, GullyOctave, normalize
from .rows import CellRows
from .stripes import HALF_WAVE, Filler, Stripes
from .trigonometry import cosine_sine

_ALONG = 2.6
_BESIDE = 1.5
"""Half axes of the ellipse that a corner takes phases from, in cells, longer up and down the slope:
shorter ones let gullies break off, longer ones would need more cells than `REACH`."""

_OPPOSITES = [(x, y) for y in range(REACH + 1) for x in range(-REACH, REACH + 1) if (y, x) > (0, 0)]
"""Steps to one of each two opposite cells around."""

_CELLS_PER_POINT = 4
_SMALL_BOX = 4096
"""A box may hold so many times more cells than there are points, and so many more."""


def build_tables(
    octaves: Sequence[GullyOctave],
    cells: Sequence[CellSet],
    directions: Directions,
    threads: int | None = None,
) -> list[PhaseTable]:
    """Return the tables of phases at sets of lattice points, one set per octave.

    Parameters
    ----------
    octaves : sequence of GullyOctave
    cells : sequence of CellSet
        As `required_cells` gives them.
    directions : callable
        See `Directions`.
    threads : int, optional
        See `blocks.run`.
    """
    tables: list[PhaseTable] = []
    for octave, cells_of_octave in zip(octaves, cells):
        phases = np.empty((2, cells_of_octave.count), np.float32)

        work = _phase_writer(
            octave, cells_of_octave, octaves[: len(tables)], tables, directions, phases
        )
        blocks.run(work, cells_of_octave.count, cells_of_octave.part, threads=threads)
        tables.append(PhaseTable(cells_of_octave, (phases[0], phases[1])))
    return tables


def _phase_writer(
    octave: GullyOctave,
    cells: CellSet,
    coarser: Sequence[GullyOctave],
    tables: Sequence[PhaseTable],
    directions: Directions,
    phases: Field,
) -> Callable[[int, int], None]:
    """Return the function that writes a part of one octave's phases."""

    def work(start: int, stop: int) -> None:
        blocks.checkpoint()
        x, y = octave.to_tiles(*cells.indices(start, stop))
        if isinstance(cells, RectangleCells):  # all lattices are aligned with it
            x, y = (axis.reshape(-1, cells.row) for axis in (x, y))
            fill = CellRows(coarser, tables, x[0], y[:, 0]).filler(0, len(y))
        else:
            fill = filler(coarser, tables, x, y)
        across = octave.across(*_across(coarser, x, y, fill, directions))
        found = _synchronize(across, cells.around(start, stop))
        phases[0, start:stop], phases[1, start:stop] = (part.ravel() for part in found)

    return work


def required_cells(octaves: Sequence[GullyOctave], x: Coordinate, y: Coordinate) -> list[CellSet]:
    """Return the lattice points required to draw at points, one set per octave.

    The direction of gullies depends on the octaves before, so that each corner of a cell needs the
    corners of coarser ones around it.

    Parameters
    ----------
    octaves : sequence of GullyOctave
    x, y : ndarrays of shape (n,), float64
        In tiles.
    """
    cells_by_octave: list[CellSet] = []
    limit = cell_budget(x.size)
    for octave in reversed(octaves):
        box = _whole_torus(octave) if octave.lattice.periods else _rectangle(octave, x, y)
        if box is not None and box.count <= limit:
            limit = max(limit, cell_budget(box.count))
            cells_by_octave.append(box)
            i, j = box.corners()
        else:
            some = ScatteredCells(octave, *_corners(octave, x, y))
            cells_by_octave.append(some)
            i, j = some.indices(0, some.count)
        x, y = _with_points(octave, x, y, i, j)
    return cells_by_octave[::-1]


def required_cells_within(
    octaves: Sequence[GullyOctave], x: Coordinate, y: Coordinate, limit: int
) -> list[CellSet] | None:
    """Return the lattice points required to draw anywhere in a rectangle, one set per octave.

    On a torus these are all that there are, unless those are many and the rectangle needs few.

    Parameters
    ----------
    octaves : sequence of GullyOctave
    x, y : ndarrays, float64
        Of its corners, in tiles.
    limit : int
        The most lattice points of an octave.

    Returns
    -------
    list of Cells, or None
        None if the rectangle needs more.
    """
    cells_by_octave: list[CellSet] = []
    for octave in reversed(octaves):
        rectangle = _rectangle(octave, x, y)
        if rectangle.count > limit:
            return None
        whole = _whole_torus(octave) if octave.lattice.periods else rectangle
        if whole is None or whole.count > limit:
            cells_by_octave.append(ScatteredCells(octave, *rectangle.indices(0, rectangle.count)))
        else:
            # Where all of a torus is needed of an octave, so it is of the coarser ones.
            cells_by_octave.append(whole)
        i, j = rectangle.corners()
        x, y = _with_points(octave, x, y, i, j)
    return cells_by_octave[::-1]


def cell_budget(points: int) -> int:
    """Return the largest rectangle, in lattice points, that is worth computing for some points."""
    return _CELLS_PER_POINT * points + _SMALL_BOX


def _with_points(
    octave: GullyOctave, x: Coordinate, y: Coordinate, i: Index, j: Index
) -> tuple[Coordinate, Coordinate]:
    """Return points together with lattice points."""
    more_x, more_y = octave.to_tiles(i, j)
    return np.concatenate((x, more_x)), np.concatenate((y, more_y))


def _whole_torus(octave: GullyOctave) -> RectangleCells | None:
    """Return all lattice points of a torus, if they make a rectangle."""
    assert octave.lattice.periods is not None
    (width, _), (_, depth) = octave.lattice.periods
    is_straight = octave.lattice.is_aligned and width > 0 and depth > 0
    return RectangleCells(octave, (0, 0), width, depth) if is_straight else None


def _rectangle(octave: GullyOctave, x: Coordinate, y: Coordinate) -> RectangleCells:
    """Return the rectangle of lattice points around some points."""
    if not x.size:
        return RectangleCells(octave, (0, 0), 1, 1)
    i, j = octave.to_lattice(x, y)
    low = (int(np.floor(i.min())), int(np.floor(j.min())))
    width, depth = (int(np.floor(axis.max())) + 2 - least for axis, least in zip((i, j), low))
    return RectangleCells(octave, low, width, depth)


def _corners(octave: GullyOctave, x: Coordinate, y: Coordinate) -> tuple[Index, Index]:
    """Return the corners of the cells that points lie in."""
    i, j = (np.floor(axis).astype(np.int32) for axis in octave.to_lattice(x, y))
    one = np.int32(1)
    return np.concatenate((i, i + one, i, i + one)), np.concatenate((j, j, j + one, j + one))


def _across(
    octaves: Sequence[GullyOctave],
    x: Coordinate,
    y: Coordinate,
    fill: Filler,
    directions: Directions,
) -> tuple[Field, Field]:
    """Return the unit vectors across the next octave's gullies, after some octaves."""
    up_x, up_y = (part.reshape(x.shape) for part in directions(x.ravel(), y.ravel()))
    normalize(up_x, up_y)
    across = np.negative(up_y, out=up_y), up_x
    stripes = Stripes(x.shape)
    for number, octave in enumerate(octaves):
        place, weight = fill(number, stripes)
        _, imag = stripes.waves(octave.across(*across), place, weight)
        stripes.turn_to_flanks(across, imag, octave.turn)
    return across


def _synchronize(across: tuple[Field, Field], neighbors: Around) -> Phases:
    """Return the phases at lattice points, synchronized with those around.

    Parameters
    ----------
    across : two ndarrays
        The unit vector across the gullies at each of them, in the lattice.
    neighbors : callable
        See `Around`.
    """
    real, imag = (part.copy() for part in neighbors(0, 0))
    turns = [_powers(axis) for axis in across]
    narrow = np.float32(1.0 / _BESIDE**2 - 1.0 / _ALONG**2)
    weight, sums, scratch = (np.empty_like(real) for _ in range(3))
    for x, y in _OPPOSITES:
        np.multiply(across[0], np.float32(x), out=weight)
        weight += np.multiply(across[1], np.float32(y), out=scratch)
        weight *= weight
        weight *= narrow
        np.subtract(np.float32(1.0 - (x * x + y * y) / _ALONG**2), weight, out=weight)
        np.maximum(weight, np.float32(0.0), out=weight)
        weight *= weight
        cosine, sine = _product(_power(turns[0], x), _power(turns[1], y))
        cosine *= weight
        sine *= weight
        (first_cosine, first_sine), (other_cosine, other_sine) = neighbors(x, y), neighbors(-x, -y)
        np.add(first_cosine, other_cosine, out=sums)
        real += np.multiply(cosine, sums, out=scratch)
        np.subtract(first_sine, other_sine, out=sums)
        real += np.multiply(sine, sums, out=scratch)
        np.add(first_sine, other_sine, out=sums)
        imag += np.multiply(cosine, sums, out=scratch)
        np.subtract(first_cosine, other_cosine, out=sums)
        imag -= np.multiply(sine, sums, out=scratch)
    normalize(real, imag)
    return real, imag


def _powers(across: Field) -> list[Phases]:
    """Return the phase shifts of one and two cells along one axis."""
    half = np.empty_like(across), np.empty_like(across)
    cosine_sine(across * HALF_WAVE, *half, np.empty_like(across))
    once = _product(half, half)
    return [once, _product(once, once)]


def _power(powers: list[Phases], steps: int) -> Phases | None:
    """Return the phase shift of some cells, forward or backward; None for no step."""
    if steps == 0:
        return None
    cosine, sine = powers[abs(steps) - 1]
    return (cosine, sine) if steps > 0 else (cosine, -sine)


def _product(first: Phases | None, second: Phases | None) -> Phases:
    """Return the sum of two phases, in new arrays."""
    if first is None or second is None:
        only = first or second
        assert only is not None  # no step to nowhere
        return only[0].copy(), only[1].copy()
    (a, b), (c, d) = first, second
    return a * c - b * d, a * d + b * c
