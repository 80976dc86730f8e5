# SPDX-License-Identifier: GPL-3.0-or-later
"""Thermal erosion: loose ground slides until slopes reach the angle of repose.

Ground moves down the gradient, through the faces between samples: as much as its length exceeds the
stable slope, whatever its direction. If each neighbor took its own share of its own excess, a heap of
sand would become an octagon. What leaves one sample arrives at the other, so that volume is conserved
up to float32 rounding.

References
----------
F. Kenton Musgrave, Craig E. Kolb, Robert S. Mace (1989). The synthesis and rendering of eroded
fractal terrains. SIGGRAPH. (thermal weathering)
Joachim Weickert (1998). Anisotropic diffusion in image processing. Teubner. (diffusion whose strength
depends on the length of the gradient, from differences at faces and strengths at corners)
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..base import blocks
from ..base.arrays import Field
from ..rasters.totals import total
from ..types.level import Level

RATE = 0.24
"""Share of a difference that slides through a face in one pass on a cliff. At more than 0.25, heights
that alternate from sample to sample would overshoot."""

PASSES = 4
"""Passes over a strip while it is in the cache; the strip is read with so many rows more. Heights are
rounded once for all of them."""

Factors = tuple[float, float] | None
"""Of what is added and of what is taken away; None if both stay as they are."""

_SAMPLES = 128 << 10
"""Samples of a strip, 512 KB. Measured at 512 to 2048 samples a side: half of it takes a tenth longer,
because of the rows that are worked out twice, and a fourth up to a third."""

_TINY = np.finfo(np.float32).tiny
"""Prevents 0 / 0 on level ground if nothing is stable."""


@dataclass(frozen=True)
class TalusParams:
    """The stable slope of a level, as a pass uses it.

    Attributes
    ----------
    stable : numpy.float32
        Twice the square of the stable difference between neighbors in a row, in square meters: at a
        corner the squares of two differences along rows and of two along columns add up.
    ratio : numpy.float32
        Square of the spacing along a row over that along a column.
    share, held : numpy.float32
        Half the share of a difference that slides is `share - held / sqrt(sum of squares)`, exactly 0 at
        the stable slope.
    """

    stable: np.float32
    ratio: np.float32
    share: np.float32
    held: np.float32

    @classmethod
    def from_steepness(cls, level: Level, steepness: float) -> TalusParams:
        """Return the parameters for a level and a steepness, rise over run."""
        ratio = (level.step_x / level.step_y) ** 2
        stable = max(np.float32(2.0 * (steepness * level.step_x) ** 2), _TINY)
        length = np.sqrt(stable)
        # Shares of both directions together are stable on any spacing; a corner has half of a face.
        held = np.float32(RATE / (1.0 + ratio)) * length
        return cls(stable, np.float32(ratio), held / length, held)


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
    """Some rows with a halo for several passes, as flat arrays.

    A margin of one sample surrounds every row, so that all neighbors lie a fixed distance
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
        self._cells = np.zeros((count + 2, self._pitch), np.float32)
        if 0 <= self._first and self._last <= rows:
            self._cells[1:-1, 1:-1] = height[self._first : self._last]
        else:
            self._cells[1:-1, 1:-1] = height[
                np.arange(self._first, self._last, dtype=np.intp) % rows
            ]
        # Small changes add up apart: many of them are lost when heights are rounded.
        self._before = self._cells.reshape(-1).copy()
        self._change = np.zeros_like(self._before)

    def slide(self, talus: TalusParams, out: Field) -> None:
        """Run all passes, and write the rows of the strip's core."""
        buffers = [np.empty_like(self._before) for _ in range(4)]
        low, high = 0, self._last - self._first
        for _ in range(self._passes):
            blocks.checkpoint()
            self._close()
            # Rows next to a margin that stands for rows unknown are spent, one a pass.
            low += 0 if self._has_first else 1
            high -= 0 if self._has_last else 1
            self._pass(talus, low, high, buffers)
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

    def _pass(self, talus: TalusParams, low: int, high: int, buffers: list[Field]) -> None:
        """Run one pass over some rows of the strip."""
        pitch = self._pitch
        first, last = low * pitch, (high + 1) * pitch - 1
        heights = self._cells.reshape(-1)[first:]
        along, across, shares, spare = buffers
        # Samples from `begin` on change; the corner of each lies between it and those after it.
        begin, end = pitch + 1, last - first
        _subtract_neighbors(heights, 1, along[: end + pitch])
        _subtract_neighbors(heights, pitch, across[: end + 1])
        self._share(talus, end, buffers)
        for rises, step, beside in ((along, 1, pitch), (across, pitch, 1)):
            faces, sums = slice(begin - step, end), spare[begin - step : end]
            np.add(shares[faces], shares[begin - step - beside : end - beside], out=sums)
            np.multiply(rises[faces], sums, out=rises[faces])
        if talus.ratio != 1.0:
            np.multiply(across, talus.ratio, out=across)
        gain = spare[begin:end]
        np.subtract(along[begin:end], along[begin - 1 : end - 1], out=gain)
        np.add(gain, across[begin:end], out=gain)
        np.subtract(gain, across[begin - pitch : end - pitch], out=gain)
        change = self._change[first + begin : last]
        np.add(change, gain, out=change)
        np.add(self._before[first + begin : last], change, out=heights[begin:end])

    def _share(self, talus: TalusParams, end: int, buffers: list[Field]) -> None:
        """Store half the share that slides through the faces at each corner up to `end`.

        The square of the gradient's length is the mean over the corner's four faces, so that heights which
        alternate from sample to sample count.
        """
        along, across, shares, spare = buffers
        corners, squares = shares[:end], spare[: end + self._pitch]
        np.multiply(along[: squares.size], along[: squares.size], out=squares)
        np.add(squares[:end], squares[self._pitch :], out=corners)
        squares = spare[: end + 1]
        np.multiply(across[: end + 1], across[: end + 1], out=squares)
        if talus.ratio != 1.0:
            np.multiply(squares, talus.ratio, out=squares)
        np.add(corners, squares[:end], out=corners)
        np.add(corners, squares[1:], out=corners)
        np.maximum(corners, talus.stable, out=corners)
        np.sqrt(corners, out=corners)
        np.divide(talus.held, corners, out=corners)
        np.subtract(talus.share, corners, out=corners)


def _subtract_neighbors(heights: Field, step: int, out: Field) -> None:
    """Write by how much the samples `step` further on are higher."""
    np.subtract(heights[step : step + out.size], heights[: out.size], out=out)


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
