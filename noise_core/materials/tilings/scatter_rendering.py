# SPDX-License-Identifier: GPL-3.0-or-later
"""Evaluation of scattered shapes: the visible one at each point.

Grids use the scanlines of `spans`. At other points all cells around a point are searched for shapes
that reach it.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ...base.arrays import Field, Index
from . import spans
from .instances import RANK, SLABS, ShapeTable, X, Y
from .shape_scatter import CANDIDATE, ShapeScatter

_NUMBERS_AT_ONCE = 1 << 21
"""Numbers of all candidates of a chunk of points: 8 MB."""

_NUMBERS = 12
"""Numbers of each candidate."""


def evaluate(
    scatter: ShapeScatter, cells: tuple[Index, Index], places: tuple[Field, Field]
) -> Field:
    """Return the visible shape at some places.

    Parameters
    ----------
    cells : tuple of two ndarrays, int32
    places : tuple of two ndarrays, float32
        Within these cells. If they are a row and a column, x and y of a grid's samples.

    Returns
    -------
    ndarray of shape (4, ...), float32
        Along and across the shape, how far inside of it, and its number; 0, 0, 0 and -1 where
        there is none.
    """
    (i, j), (right, up) = cells, places
    out = np.empty((4, *np.broadcast_shapes(i.shape, j.shape)), np.float32)
    if not out.size:
        return out
    if right.ndim == up.ndim == 2 and right.shape[0] == up.shape[1] == 1:
        columns, rows = (
            spans.SampleAxis.from_samples(i[0], right[0]),
            spans.SampleAxis.from_samples(j[:, 0], up[:, 0]),
        )
        if columns and rows and spans.can_serve(columns, rows, scatter.steps):
            spans.rasterize(scatter, columns, rows, out)
            return _unsigned_zeros(out)
    table = ShapeTable(scatter.instances, i, j, scatter.steps, scatter.copies, out[0].size)
    at_once = max(1, _NUMBERS_AT_ONCE // (len(scatter.candidates) * _NUMBERS))
    i, j, right, up = (axis.ravel() for axis in np.broadcast_arrays(i, j, right, up))
    flat = out.reshape(4, -1)
    for part in _chunks(len(i), at_once):
        _evaluate_points(scatter, table, (i[part], j[part]), (right[part], up[part]), flat[:, part])
    return _unsigned_zeros(out)


def _unsigned_zeros(out: Field) -> Field:
    """Make all zeros positive: where no shape is, their sign would hang on what else is in the window."""
    out[:2] += np.float32(0.0)
    return out


def _evaluate_points(
    scatter: ShapeScatter,
    table: ShapeTable,
    cells: tuple[Index, Index],
    places: tuple[Field, Field],
    out: Field,
) -> None:
    """Write the visible shapes at arbitrary places."""
    right, up = places
    around = table.around(*cells)
    best = np.zeros(up.size, np.int32)
    known = np.zeros((scatter.lines + 1, len(scatter.candidates), up.size), np.float32)
    for number, (across, along, copy) in enumerate(scatter.candidates):
        shapes = around(across, along, copy)
        shapes[X] += np.float32(across)
        shapes[Y] += np.float32(along)
        met = _candidate_places(scatter, shapes, right, up)
        if not met.size:
            continue
        shapes = shapes.take(met, axis=1)
        these = scatter.coefficients(shapes, right.take(met))
        known[:, number, met] = these
        spare = np.empty((3 + SLABS, met.size), np.float32)
        inside = scatter.inside(these[: scatter.lines], up.take(met), spare)[0]
        score = scatter.score(inside, scatter.order(shapes[RANK], np.int32(number + 1)))
        best[met] = np.maximum(score, best.take(met), out=score)
    best &= CANDIDATE
    _describe(scatter, best, known, up, out)


def _candidate_places(
    scatter: ShapeScatter, shapes: Field, right: Field, up: Field
) -> npt.NDArray[np.intp]:
    """Return the places that bounding circles and boxes of the shapes contain."""
    beside, above = scatter.extents(shapes)
    is_met = np.abs(right - shapes[X]) <= beside
    is_met &= shapes[Y] - above <= up
    is_met &= shapes[Y] + above >= up
    return np.flatnonzero(is_met)


def _describe(scatter: ShapeScatter, best: Index, known: Field, up: Field, out: Field) -> None:
    """Write the outputs of the best candidates; 0 is none."""
    hit = np.greater(best, np.int32(0)).astype(np.float32)
    cells = known.shape[-1]
    best -= np.int32(1)
    np.maximum(best, np.int32(0), out=best)
    best *= np.int32(cells)
    best += np.arange(cells, dtype=np.int32)
    chosen = known.reshape(len(known), -1).take(best, axis=1)
    spare = np.empty((3 + SLABS, *best.shape), np.float32)
    inside, along, across = scatter.inside(chosen[: scatter.lines], up, spare, out)
    np.clip(inside, np.float32(0.0), np.float32(1.0), out=inside)
    np.multiply(along, hit, out=out[0])
    np.multiply(across, hit, out=out[1])
    np.multiply(inside, hit, out=out[2])
    out[3] = scatter.number(chosen[-1] * hit)


def _chunks(length: int, at_once: int) -> list[slice]:
    return [slice(start, start + at_once) for start in range(0, length, at_once)]
