# SPDX-License-Identifier: GPL-3.0-or-later
"""Thermal erosion: loose ground slides until slopes reach the angle of repose.

Between two neighbors (of eight) a share of the excess of their height difference moves. The material
that leaves one sample arrives at the other, so that volume is conserved up to float32 rounding.

References
----------
F. Kenton Musgrave, Craig E. Kolb, Robert S. Mace (1989). The synthesis and rendering of eroded
fractal terrains. SIGGRAPH. (thermal weathering)
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ..base import blocks
from ..base.arrays import Field
from ..rasters.totals import total
from ..types.level import Level

RATE = np.float32(0.12)
"""Share of an excess that slides in one pass. All shares of a sample's eight neighbors together are
0.82; at more than 1 heights would overshoot."""

_DIAGONAL = np.float32(0.70710678)
"""Diagonal neighbors share a shorter border, and lie further apart."""

PASSES = 4
"""Passes over a strip while it is in the cache; the strip is read with so many rows more."""

Factors = tuple[float, float] | None
"""Of what is added and of what is taken away; None if both stay as they are."""

_SAMPLES = 96 << 10
"""Samples of a strip, 384 KB. Measured at 256 to 2048 samples a side: a fourth of it takes up to a
third longer, because of what each step of NumPy costs; twice as much is hardly faster."""


@dataclass(frozen=True)
class TalusParams:
    """Stable height differences along a row, along a column and diagonally, in meters."""

    along: np.float32
    across: np.float32
    diagonal: np.float32

    @classmethod
    def from_steepness(cls, level: Level, steepness: float) -> TalusParams:
        """Return the stable differences between a level's neighbors for a steepness, rise over run."""
        along, across = level.step_x, level.step_y
        diagonal = math.sqrt(along * along + across * across)
        return cls(*(np.float32(steepness * step) for step in (along, across, diagonal)))


def slide(height: Field, level: Level, talus: TalusParams, passes: int) -> Field:
    """Return heights after some passes of sliding.

    Parameters
    ----------
    height : ndarray of shape (rows, columns), float32
        In meters; not written to.
    level : Level
        Whether edges meet. A border without wrap is a mirror: nothing slides over it.
    talus : TalusParams
        See there.
    passes : int
        At least 0; fewer are made once it is enough.
    """
    rows, columns = level.shape
    strip = max(2 * PASSES, _SAMPLES // (columns + 2))
    current = height
    while passes > 0:
        count = min(passes, PASSES)
        result = np.empty(level.shape, np.float32)

        def slide(
            start: int, stop: int, source: Field = current, out: Field = result, count: int = count
        ) -> None:
            _TalusStrip(source, level.wrap, start, stop, count).slide(talus, out)

        blocks.run(slide, rows, strip)
        current = result
        passes = 0 if blocks.is_enough() else passes - count
    return current.copy() if current is height else current


class _TalusStrip:
    """Some rows with a halo for several passes, in one flat array.

    A margin of one sample surrounds every row, so that all eight neighbors lie a fixed distance
    apart in memory and every step is one loop without a branch. Values in the margins are invalid
    and overwritten before the next pass.
    """

    def __init__(self, height: Field, wrap: bool, start: int, stop: int, passes: int) -> None:
        rows, columns = height.shape
        self._passes, self._start, self._stop = passes, start, stop
        # At a border without wrap the outermost margin is the mirror, renewed for each pass.
        self._has_first = not wrap and start - passes <= 0
        self._has_last = not wrap and stop + passes >= rows
        self._first = 0 if self._has_first else start - passes
        self._last = rows if self._has_last else stop + passes
        self._wrap = wrap
        self._pitch = columns + 2
        count = self._last - self._first
        self._cells = np.empty((count + 2, self._pitch), np.float32)
        if 0 <= self._first and self._last <= rows:
            self._cells[1:-1, 1:-1] = height[self._first : self._last]
        else:
            self._cells[1:-1, 1:-1] = height[
                np.arange(self._first, self._last, dtype=np.intp) % rows
            ]

    def slide(self, talus: TalusParams, out: Field) -> None:
        """Run all passes, and write the rows of the strip's core."""
        flows = np.empty(self._cells.size, np.float32)
        stays = np.empty_like(flows)
        change = np.empty_like(flows)
        low, high = 0, self._last - self._first
        for _ in range(self._passes):
            blocks.checkpoint()
            self._close()
            # Rows next to a margin that stands for rows unknown are spent, one a pass.
            low += 0 if self._has_first else 1
            high -= 0 if self._has_last else 1
            self._pass(talus, low, high, (flows, stays, change))
        offset = self._start - self._first + 1
        out[self._start : self._stop] = self._cells[
            offset : offset + self._stop - self._start, 1:-1
        ]

    def _close(self) -> None:
        """Fill the margins: from the opposite side on a torus, from next to them at a border."""
        cells = self._cells
        cells[:, 0] = cells[:, -2 if self._wrap else 1]
        cells[:, -1] = cells[:, 1 if self._wrap else -2]
        if self._has_first:
            cells[0] = cells[1]
        if self._has_last:
            cells[-1] = cells[-2]

    def _pass(
        self, talus: TalusParams, low: int, high: int, buffers: tuple[Field, Field, Field]
    ) -> None:
        """Run one pass over some rows of the strip."""
        pitch = self._pitch
        begin, end = (low + 1) * pitch + 1, (high + 1) * pitch - 1
        count = end - begin
        heights = self._cells.reshape(-1)
        change = buffers[2][:count]

        def exchange(offset: int, stays: np.float32, is_first: bool = False) -> None:
            """Add what flows from each sample to the one `offset` further on."""
            flows = buffers[0][: count + offset]
            kept = buffers[1][: count + offset]
            np.subtract(heights[begin - offset : end], heights[begin : end + offset], out=flows)
            np.clip(flows, -stays, stays, out=kept)
            flows -= kept
            if is_first:
                np.subtract(flows[:count], flows[offset:], out=change)
            else:
                np.add(change, flows[:count], out=change)
                np.subtract(change, flows[offset:], out=change)

        exchange(pitch + 1, talus.diagonal, True)
        exchange(pitch - 1, talus.diagonal)
        np.multiply(change, _DIAGONAL, out=change)
        exchange(1, talus.along)
        exchange(pitch, talus.across)
        np.multiply(change, RATE, out=change)
        np.add(heights[begin:end], change, out=heights[begin:end])


def balance(change: Field) -> Field:
    """Scale a change of heights so that it conserves volume, in place.

    What is added or what is taken away, whichever is more, is made less by one factor, so that
    places without a change keep none.
    """
    return scale_sides(change, balancing_factors(total(added(change)), -total(taken(change))))


def added(change: Field) -> Field:
    """Return what a change of heights adds."""
    return np.maximum(change, np.float32(0.0))


def taken(change: Field) -> Field:
    """Return what a change of heights takes away, as negative numbers."""
    return np.minimum(change, np.float32(0.0))


def balancing_factors(gain: float, loss: float) -> Factors:
    """Return the factors that balance a change which adds and takes away so much on the whole."""
    if gain == loss:
        return None
    if gain == 0.0 or loss == 0.0:
        return (0.0, 0.0)
    return (loss / gain, 1.0) if gain > loss else (1.0, gain / loss)


def scale_sides(change: Field, factors: Factors) -> Field:
    """Multiply what is added and what is taken away by factors of their own, in place."""
    if factors is None:
        return change
    if factors == (0.0, 0.0):
        change[:] = 0.0
        return change
    sunk = taken(change)
    sunk *= np.float32(factors[1])
    np.maximum(change, np.float32(0.0), out=change)
    change *= np.float32(factors[0])
    change += sunk
    return change
