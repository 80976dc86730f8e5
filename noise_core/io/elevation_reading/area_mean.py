# SPDX-License-Identifier: GPL-3.0-or-later
"""Means over the areas of fewer, larger samples, to which bands of rows are added in any order."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import numpy.typing as npt

from ...base.arrays import Field

_SUMS_AT_ONCE = 1 << 17
"""Of 8 bytes, which stay in the cache."""

_Sums = npt.NDArray[np.float64]

Edges = npt.NDArray[np.float64]
"""Where parts begin, and where the last one ends, in samples."""


class BandSums:
    """Sums over the parts of larger samples that lie in a band of rows.

    Attributes
    ----------
    start, stop : int
        Rows of the band.
    first, last : int
        Larger samples that have a part in it, along y.
    total, weight : ndarray of shape (last - first, columns), float64
    """

    def __init__(self, rows: Edges, columns: Edges, start: int, stop: int) -> None:
        self.start, self.stop, self._rows, self._columns = start, stop, rows, columns
        self.first = max(int(np.searchsorted(rows, start, "right")) - 1, 0)
        self.last = min(int(np.searchsorted(rows, stop, "left")), len(rows) - 1)
        shape = (self.last - self.first, len(columns) - 1)
        self.total, self.weight = np.zeros(shape), np.zeros(shape)

    def add(self, part: Field, first_column: int) -> None:
        """Add the columns from `first_column` on; holes are NaN. The part is overwritten."""
        right, edges = first_column + part.shape[1], self._columns
        first = max(int(np.searchsorted(edges, first_column, "right")) - 1, 0)
        last = min(int(np.searchsorted(edges, right, "left")), len(edges) - 1)
        edges = np.clip(edges[first : last + 1], first_column, right) - first_column
        full = np.diff(edges)
        if np.isnan(part.max()):
            is_hole = np.isnan(part)
            part[is_hole] = 0.0
            weights = _sum_columns((~is_hole).astype(np.float32), edges)
        else:
            weights = np.broadcast_to(full, (len(part), len(full)))
        sums = _sum_columns(part, edges)
        for at in range(self.first, self.last):
            low, high = max(self._rows[at], self.start), min(self._rows[at + 1], self.stop)
            total, weight = _sum_rows(sums, weights, low - self.start, high - self.start)
            self.total[at - self.first, first:last] += total
            self.weight[at - self.first, first:last] += weight


class AreaMean:
    """Means over the areas of fewer, larger samples; holes are left out of them.

    Bands of rows may come in any order: sums over rows that two bands share are kept apart and
    added in the order of the rows, so that the result has the same bits in any case.
    """

    def __init__(self, rows: Edges, columns: Edges, out: Field) -> None:
        self._out, self._rows, self._columns = out, rows, columns
        self._shared: dict[int, list[tuple[int, _Sums, _Sums]]] = defaultdict(list)

    def begin(self, start: int, stop: int) -> BandSums:
        """Return the sums over a band of rows, to which nothing was added yet."""
        return BandSums(self._rows, self._columns, start, stop)

    def end(self, band: BandSums) -> None:
        """Take the sums over a band."""
        for at, total, weight in zip(range(band.first, band.last), band.total, band.weight):
            if self._rows[at] >= band.start and self._rows[at + 1] <= band.stop:
                self._out[at] = _divide(total, weight)
            else:
                self._shared[at].append((band.start, total, weight))  # appending is atomic

    def finish(self) -> None:
        """Write the rows that several bands have parts of."""
        for at, parts in self._shared.items():
            parts.sort(key=lambda part: part[0])
            total, weight = parts[0][1:]
            for _, more, further in parts[1:]:
                total, weight = total + more, weight + further
            self._out[at] = _divide(total, weight)


def _sum_columns(band: Field, edges: Edges) -> _Sums:
    """Return sums of each row between edges, which may cut samples."""
    rows, columns = band.shape
    whole = np.minimum(edges.astype(np.intp), columns - 1)
    sums = np.empty((rows, len(edges) - 1), np.float64)
    step = max(1, _SUMS_AT_ONCE // columns)
    running = np.zeros((min(step, rows), columns + 1), np.float64)
    for start in range(0, rows, step):
        part = band[start : start + step]
        # From first to last: a sum in this order has the same bits on every machine.
        np.cumsum(part, axis=1, dtype=np.float64, out=running[: len(part), 1:])
        at_edges = running[: len(part), whole] + part[:, whole] * (edges - whole)
        np.subtract(at_edges[:, 1:], at_edges[:, :-1], out=sums[start : start + step])
    return sums


def _sum_rows(sums: _Sums, weights: _Sums, low: float, high: float) -> tuple[_Sums, _Sums]:
    """Return sums and weights of the rows from low to high, which may cut rows."""
    total, weight = np.zeros(sums.shape[1]), np.zeros(sums.shape[1])
    for row in range(int(low), min(len(sums), int(np.ceil(high)))):
        share = min(high, row + 1.0) - max(low, float(row))
        total += sums[row] * share
        weight += weights[row] * share
    return total, weight


def _divide(total: _Sums, weight: _Sums) -> Field:
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = total / weight
    mean[weight < 1e-6] = np.nan  # less than rounding may leave of nothing
    return mean.astype(np.float32)
