# SPDX-License-Identifier: GPL-3.0-or-later
"""Scattered shapes on a grid, drawn by scanlines: only the samples that a shape covers are computed.

Along a column of one cell a place within a shape is a + b y, and a shape is a span of rows, whose two
ends are solved for. The expensive part is computed once for each span; each sample in a span costs a
few additions, and samples outside all shapes cost nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ..base.arrays import Field, Index
from ..base.gathering import gather
from .instances import RANK, X, Y
from .shape_scatter import ShapeScatter

Places = npt.NDArray[np.intp]

_SAMPLES_AT_ONCE = 1 << 13
"""So that all that is known of them stays in the cache."""

_SHAPES_AT_ONCE = 1 << 16
"""Around some rows of cells."""

_CELLS_PER_SAMPLE = 1
"""Up to which spans are worth while; smaller cells hold shapes between the samples."""

_UNEVEN = 1e-3
"""Of a step, by which samples may stray from even ones, float32 as they may be."""

_LOOSE = 1.01
"""Ends of spans are solved for shapes that are so much larger: rounding makes no hole."""

_FLAT = 1e-30
"""Instead of a slope of 0, so that it can be divided by."""


@dataclass(frozen=True)
class SampleAxis:
    """Samples of a grid along one axis of the lattice, at even steps.

    Attributes
    ----------
    cells : ndarray of shape (n,), int32
    places : ndarray of shape (n,), float32
        Within these cells.
    positions : ndarray of shape (n,), float64
        In cells.
    step : float
    """

    cells: Index
    places: Field
    positions: npt.NDArray[np.float64]
    step: float

    @classmethod
    def from_samples(cls, cells: Index, places: Field) -> SampleAxis | None:
        """Return the axis of some samples; None if they are not evenly spaced."""
        positions = cells.astype(np.float64) + places
        count = len(positions)
        if count == 1:
            return cls(cells, places, positions, 1.0)
        step = float(positions[-1] - positions[0]) / (count - 1)
        strays = positions - (positions[0] + step * np.arange(count, dtype=np.intp))
        if step <= 0.0 or float(np.abs(strays).max()) > _UNEVEN * step:
            return None
        return cls(cells, places, positions, step)

    @property
    def runs(self) -> tuple[Places, Places]:
        """Starts and stops of the samples in each cell."""
        starts = np.flatnonzero(np.diff(self.cells, prepend=self.cells[0] - 1))
        return starts, np.append(starts[1:], len(self.cells))


def can_serve(columns: SampleAxis, rows: SampleAxis, steps: int) -> bool:
    """Return whether cells are large enough for spans."""
    wide, high = (int(axis.cells[-1] - axis.cells[0]) + 1 + 2 * steps for axis in (columns, rows))
    samples = len(columns.cells) * len(rows.cells)
    return wide * high <= _CELLS_PER_SAMPLE * samples + 16 * steps * steps


def rasterize(scatter: ShapeScatter, columns: SampleAxis, rows: SampleAxis, out: Field) -> None:
    """Write the visible shapes on a grid: see `noises.scatter`.

    Parameters
    ----------
    scatter : ShapeScatter
    columns, rows : SampleAxis
    out : ndarray of shape (4, rows, columns), float32
    """
    out[:3] = 0.0
    out[3] = -1.0
    flat = out.reshape(4, -1)
    best = np.zeros(flat.shape[1], np.int32)
    for spans in _spans(scatter, columns, rows):
        for part in spans.parts():
            _draw_spans(scatter, spans, part, (columns, rows), best, flat)


@dataclass(frozen=True)
class _Spans:
    """Runs of samples in one column of one cell that a shape may cover.

    Attributes
    ----------
    known : ndarray of shape (lines, spans), float32
        See `ShapeScatter.coefficients`.
    order : ndarray, int32
        See `ShapeScatter.order`.
    column, first, counts : ndarrays, intp
        In which column, from which row on, and how many.
    """

    known: Field
    order: Index
    column: Places
    first: Places
    counts: Places

    def parts(self) -> Iterator[slice]:
        """Yield slices of spans, each with a limited number of samples."""
        ends = np.cumsum(self.counts, dtype=np.intp)
        start = 0
        while start < len(ends):
            begin = int(ends[start - 1]) if start else 0
            stop = int(np.searchsorted(ends, begin + _SAMPLES_AT_ONCE, "right"))
            stop = max(stop, start + 1)
            yield slice(start, stop)
            start = stop


def _draw_spans(
    scatter: ShapeScatter,
    spans: _Spans,
    part: slice,
    axes: tuple[SampleAxis, SampleAxis],
    best: Index,
    out: Field,
) -> None:
    """Draw some spans where they lie above all earlier ones."""
    columns, rows = axes
    span, row = _expand_ranges(spans.first[part], spans.counts[part])
    if not span.size:
        return
    place = row * len(columns.cells)
    place += gather(spans.column[part], span)
    order = gather(spans.order[part], span)
    if scatter.is_ordered:  # what is hidden already need not be worked out
        seen = np.flatnonzero(gather(best, place) < order)
        span, row, place = (gather(index, seen) for index in (span, row, place))
        order = gather(order, seen)
    coefficients = spans.known[:, part]
    chosen = coefficients[: scatter.lines].take(span, axis=1)
    spare = np.empty((3 + scatter.slabs, span.size), np.float32)
    kept = np.empty((2, span.size), np.float32)
    inside, along, across = scatter.inside(chosen, gather(rows.places, row), spare, kept)
    score = scatter.score(inside, order)
    ahead = np.flatnonzero(score > (0 if scatter.is_ordered else gather(best, place)))
    score, place = gather(score, ahead), gather(place, ahead)
    first = _keep_best(score, place, best)
    won, place = gather(ahead, first), gather(place, first)
    numbers = scatter.number(coefficients[-1]).take(gather(span, won))
    np.minimum(inside, np.float32(1.0), out=inside)
    for field, values in zip(out, (along, across, inside)):
        field[place] = gather(values, won)
    out[3][place] = numbers


def _keep_best(score: Index, place: Places, best: Index) -> Places:
    """Raise the best scores at some places, and return the mask of the scores that are best now.

    All scores are larger than those that stand at their places so far.
    """
    remaining, where = score, place
    while remaining.size:
        best[where[::-1]] = remaining[
            ::-1
        ]  # the first of those at a place, which may be the largest
        larger = np.flatnonzero(remaining > gather(best, where))
        remaining, where = gather(remaining, larger), gather(where, larger)
    return np.flatnonzero(score == gather(best, place))


def _spans(scatter: ShapeScatter, columns: SampleAxis, rows: SampleAxis) -> Iterator[_Spans]:
    """Yield the spans of all shapes, some rows of cells at once."""
    steps = scatter.steps
    first_column, wide = int(columns.cells[0]) - steps, int(columns.cells[-1] - columns.cells[0])
    across = np.arange(first_column, first_column + wide + 1 + 2 * steps, dtype=np.int32)
    starts, stops = rows.runs
    at_once = max(1, _SHAPES_AT_ONCE // ((2 * steps + 1) * scatter.copies * len(across)))
    for first in range(0, len(starts), at_once):
        some = slice(first, first + at_once)
        runs = (starts[some], stops[some])
        yield _spans_of(scatter, (columns, rows), across, runs)


def _spans_of(
    scatter: ShapeScatter,
    axes: tuple[SampleAxis, SampleAxis],
    across: Index,
    runs: tuple[Places, Places],
) -> _Spans:
    """Return the spans of all shapes in some rows of cells.

    Parameters
    ----------
    scatter : ShapeScatter
    axes : tuple of two Axes
        Columns and rows.
    across : ndarray, int32
        All columns of cells whose shapes may be met.
    runs : tuple of two ndarrays
        Where the samples of each of the rows of cells start and stop.
    """
    columns, rows = axes
    starts, stops = runs
    cells = rows.cells[starts]
    steps = scatter.steps
    low = int(cells[0]) - steps
    up = np.arange(low, int(cells[-1]) + steps + 1, dtype=np.int32)
    table = scatter.around(across, up)
    beside, above = scatter.extents(table)
    # Which shapes come near which rows of cells: (cells, steps along, copies, shapes across).
    along = np.arange(-steps, steps + 1, dtype=np.int32)
    line = cells[:, np.newaxis] - low + along
    y = table[Y].take(line, axis=0) + along[:, np.newaxis, np.newaxis].astype(np.float32)
    reach = above.take(line, axis=0)
    ends = (rows.places[starts], rows.places[stops - 1])
    bottom, top = (end[:, np.newaxis, np.newaxis, np.newaxis] for end in ends)
    run, step, copy, over = np.nonzero((y - reach <= top) & (y + reach >= bottom))
    shape = (line[run, step] * scatter.copies + copy) * len(across) + over
    if scatter.is_ordered:  # from the top: what lies below is not even written
        down = np.argsort(-gather(table[RANK].ravel(), shape), kind="stable")
        run, step, copy, over, shape = (
            gather(index, down) for index in (run, step, copy, over, shape)
        )
    pair, column = _columns(
        columns,
        across[over] + gather(table[X].ravel(), shape).astype(np.float64),
        gather(beside.ravel(), shape),
    )
    shape, run, step, over = (gather(index, pair) for index in (shape, run, step, over))
    shapes = table.reshape(len(table), -1).take(shape, axis=1)
    offset = across[over] - columns.cells[column]
    shapes[X] += offset.astype(np.float32)
    shapes[Y] += along[step].astype(np.float32)
    right = columns.places[column]
    number = scatter.candidate(offset, along[step], gather(copy, pair))
    is_met = np.abs(right - shapes[X]) <= gather(beside.ravel(), shape)
    is_met &= number > 0
    coefficients = scatter.coefficients(shapes, right)
    begin, end = _ends(scatter, coefficients, rows.places[starts][run], rows.places[stops - 1][run])
    # Rows are counted from the first of this cell.
    over_step = 1.0 / rows.step
    first = np.ceil((begin - rows.places[starts][run]) * over_step - 2.0 * _UNEVEN)
    last = np.floor((end - rows.places[starts][run]) * over_step + 2.0 * _UNEVEN)
    count = stops[run] - starts[run]
    first = np.clip(first, 0.0, count).astype(np.intp)
    counts = np.clip(last + 1.0, 0.0, count).astype(np.intp)
    counts -= first
    np.maximum(counts, 0, out=counts)
    counts *= is_met
    return _Spans(
        coefficients, scatter.order(shapes[RANK], number), column, first + starts[run], counts
    )


def _columns(columns: SampleAxis, middle: Any, beside: Field) -> tuple[Places, Places]:
    """Return the overlapping pairs of shapes and columns, as two arrays of indices."""
    reach = beside.astype(np.float64) * _LOOSE
    first = np.searchsorted(columns.positions, middle - reach, "left")
    last = np.searchsorted(columns.positions, middle + reach, "right")
    return _expand_ranges(first, last - first)


def _expand_ranges(first: Places, counts: Places) -> tuple[Places, Places]:
    """Return the concatenation of ranges that start at `first`, with the range of each item."""
    which = np.repeat(np.arange(len(counts), dtype=np.intp), counts)
    number = np.arange(len(which), dtype=np.intp)
    number += (first - np.cumsum(counts, dtype=np.intp) + counts).take(which)
    return which, number


def _ends(scatter: ShapeScatter, coefficients: Field, low: Field, high: Field) -> tuple[Any, Any]:
    """Return the interval of y in [low, high] that shapes may cover; empty if the first is larger."""
    a, b, c, d = coefficients[:4]
    if scatter.is_round:
        a, b, c, d = coefficients[:4].astype(np.float64)
        # |(a, c) + y (b, d)| <= 1
        steep = b * b + d * d + _FLAT
        middle = -(a * b + c * d) / steep
        nearest = (a + b * middle) ** 2 + (c + d * middle) ** 2
        half = np.sqrt(np.maximum(_LOOSE - nearest, 0.0) / steep)
        half[nearest > _LOOSE] = -np.inf
        return np.maximum(middle - half, low), np.minimum(middle + half, high)
    bent = coefficients[scatter.lines - 1] if scatter.instances.bend else np.float32(0.0)
    loose = np.float32(_LOOSE)
    begin, end = _between(a, b, -loose, loose, (low, high))
    for _ in range(1 + (scatter.instances.bend > 0.0)):
        lower, upper = a + b * begin, a + b * end
        # The way along, squared: 0 if it changes its sign in between.
        near = np.square(
            np.maximum(np.minimum(np.abs(lower), np.abs(upper)) * np.sign(lower * upper), 0.0)
        )
        far = np.maximum(np.square(lower), np.square(upper))
        least, most = np.minimum(bent * near, bent * far), np.maximum(bent * near, bent * far)
        begin, end = _between(c, d, -loose - most, loose - least, (begin, end))
    return begin, end


def _between(a: Field, b: Field, low: Any, high: Any, ends: tuple[Any, Any]) -> tuple[Any, Any]:
    """Return the part of an interval of y in which low <= a + b y <= high."""
    over = np.float32(1.0) / (b + np.float32(_FLAT))
    lower, upper = (low - a) * over, (high - a) * over
    return np.maximum(ends[0], np.minimum(lower, upper)), np.minimum(
        ends[1], np.maximum(lower, upper)
    )
