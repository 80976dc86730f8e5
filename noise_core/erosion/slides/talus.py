# SPDX-License-Identifier: GPL-3.0-or-later
"""Thermal erosion: loose ground slides until slopes reach the angle of repose.

Ground moves down the gradient, through the faces between samples: as much as its length exceeds the
stable slope, in any direction. If each neighbor took its own share of its own excess, a heap of
sand would become an octagon. Material that leaves one sample arrives at the other, so that volume is conserved
up to float32 rounding.

References
----------
F. Kenton Musgrave, Craig E. Kolb, Robert S. Mace (1989). The synthesis and rendering of eroded
fractal terrains. SIGGRAPH. (thermal weathering)
Joachim Weickert (1998). Anisotropic diffusion in image processing. Teubner. (diffusion whose strength
depends on the length of the gradient, from differences at faces and strengths at corners)
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ...base import blocks
from ...base.arrays import Field
from ...rasters.level import Level

if TYPE_CHECKING:
    from ...flow_routing.directions import Mask

RATE = 0.24
"""Share of a difference that slides through a face in one pass on a cliff. At more than 0.25, heights
that alternate from sample to sample would overshoot."""

PASSES = 4
"""After which heights are rounded: until then small changes add up apart. In the last one of them the steepest face
at a corner counts as well as the mean."""

Limit = np.float32 | Field
"""The same everywhere, or at each corner."""

_SAMPLES = 128 << 10
"""Samples of a strip, 512 KB. Measured at 512 to 2048 samples a side: half of it takes a tenth longer,
because of the rows that are worked out twice, and a fourth up to a third."""

_TINY = np.finfo(np.float32).tiny
"""Prevents 0 / 0 on level ground if nothing is stable."""


@dataclass(frozen=True)
class TalusParams:
    """The stable slope of a level, as a pass uses it: the same everywhere, or at each corner.

    Attributes
    ----------
    stable : numpy.float32 or ndarray of float32
        Twice the square of the stable difference between neighbors in a row, in square meters: at a
        corner the squares of two differences along rows and of two along columns add up.
    ratio : numpy.float32
        Square of the spacing along a row over that along a column.
    share, held : numpy.float32 or ndarray of float32
        Half the share of a difference that slides is `share - held / sqrt(sum of squares)`, exactly 0 at
        the stable slope.
    """

    stable: Limit
    ratio: np.float32
    share: Limit
    held: Limit

    @classmethod
    def from_steepness(cls, level: Level, steepness: float | Field) -> TalusParams:
        """Return the parameters for a level and a steepness, rise over run."""
        ratio = (level.step_x / level.step_y) ** 2
        # In float64 first: what NumPy makes of a field and a number depends on its version.
        wide = np.asarray(steepness, np.float64) * level.step_x * math.sqrt(2.0)
        difference = np.asarray(wide, np.float32)
        stable = np.maximum(difference * difference, _TINY)
        length = np.sqrt(stable)
        # Shares of both directions together are stable on any spacing; a corner has half of a face.
        held = np.float32(RATE / (1.0 + ratio)) * length
        return cls(stable, np.float32(ratio), held / length, held)

    def at(self, corners: slice) -> tuple[Limit, Limit, Limit]:
        """Return the stable height, the share and the held height at some corners."""
        limits = self.stable, self.share, self.held
        stable, share, held = (
            limit[corners] if isinstance(limit, np.ndarray) else limit for limit in limits
        )
        return stable, share, held


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
    slid = height
    for count in split_passes(passes):
        slid = _slide_strips(slid, level, count, lambda strip, out: strip.slide(talus, out))
        if blocks.is_enough():
            break
    return slid.copy() if slid is height else slid


def wear_down(
    height: Field, level: Level, steepness: Field | float, passes: int, kept: Mask
) -> Field:
    """Return heights after some passes of sliding in which all that slides leaves the land.

    Nothing comes to rest, so that no water is dammed: a sample that loses ground stays above a neighbor.

    Parameters
    ----------
    height : ndarray of shape (rows, columns), float32
        In meters; not written to.
    level : Level
        See `slide`.
    steepness : ndarray of shape (rows, columns), float32, or float
        That stands, rise over run.
    passes : int
        At least 0.
    kept : ndarray of shape (rows, columns), bool
        Samples that keep their height.
    """
    if passes == 0:
        return height.copy()
    uniform = np.ndim(steepness) == 0
    loose = np.logical_not(kept).astype(np.float32) if kept.any() else None

    def slide(strip: _TalusStrip, out: Field) -> None:
        limit = steepness if uniform else strip.at_corners(np.asarray(steepness))
        may_leave = None if loose is None else strip.load(loose).reshape(-1)
        strip.slide(TalusParams.from_steepness(level, limit), out, leaves=True, loose=may_leave)

    # All at once: to prepare a strip takes as long as some passes.
    return _slide_strips(height, level, passes, slide)


def split_passes(passes: int) -> tuple[int, ...]:
    """Return passes in parts after which heights are rounded."""
    return tuple(min(PASSES, passes - done) for done in range(0, passes, PASSES))


def _slide_strips(
    height: Field, level: Level, passes: int, slide: Callable[[_TalusStrip, Field], None]
) -> Field:
    """Return heights after some passes, strip by strip while it is in the cache, each with so many rows more."""
    rows, columns = level.shape
    result = np.empty(level.shape, np.float32)

    def work(start: int, stop: int) -> None:
        slide(_TalusStrip(height, level.wrap, start, stop, passes), result)

    blocks.run(work, rows, max(2 * passes, _SAMPLES // columns))
    return result


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
        self._cells = self.load(height)
        # Small changes add up apart: many of them are lost when heights are rounded.
        self._before = self._cells.reshape(-1).copy()
        self._change = np.zeros_like(self._before)

    def load(self, field: Field) -> Field:
        """Return the strip's rows of a field, with its halo and with empty margins."""
        cells = np.zeros((self._last - self._first + 2, self._pitch), np.float32)
        if 0 <= self._first and self._last <= len(field):
            cells[1:-1, 1:-1] = field[self._first : self._last]
        else:
            rows = np.arange(self._first, self._last, dtype=np.intp) % len(field)
            cells[1:-1, 1:-1] = field[rows]
        return cells

    def at_corners(self, field: Field) -> Field:
        """Return the mean of a field over the four samples at each corner, flat."""
        cells = self.load(field)
        self._close(cells)
        corners = np.zeros_like(cells)
        mean = corners[:-1, :-1]
        np.add(cells[:-1, :-1], cells[:-1, 1:], out=mean)
        mean += cells[1:, :-1]
        mean += cells[1:, 1:]
        mean *= np.float32(0.25)
        return corners.reshape(-1)

    def slide(
        self, talus: TalusParams, out: Field, *, leaves: bool = False, loose: Field | None = None
    ) -> None:
        """Run all passes, and write the rows of the strip's core.

        Parameters
        ----------
        leaves : bool
            Whether sliding rock leaves the land instead of coming to rest.
        loose : ndarray of the strip's samples, float32, optional
            1 where ground may leave and 0 where it may not; everywhere if not given.
        """
        *buffers, faces = (np.empty_like(self._before) for _ in range(5))
        # Against an array of zeros a minimum takes a third of the time that it takes against a number.
        most = np.zeros_like(self._before) if leaves else None
        low, high = 0, self._last - self._first
        for done in range(self._passes):
            blocks.checkpoint()
            if done and not done % PASSES:
                self._before[:] = self._cells.reshape(-1)
                self._change.fill(0.0)
            self._close(self._cells)
            # Rows next to a margin that stands for rows unknown are spent, one a pass.
            low += 0 if self._has_first else 1
            high -= 0 if self._has_last else 1
            is_strict = most is None and done % PASSES == PASSES - 1
            self._pass(talus, low, high, buffers, most, loose, faces if is_strict else None)
        offset = self._start - self._first + 1
        out[self._start : self._stop] = self._cells[
            offset : offset + self._stop - self._start, 1:-1
        ]

    def _close(self, cells: Field) -> None:
        """Fill the margins: from the opposite side on a torus, from next to them at a border."""
        cells[:, 0] = cells[:, -2 if self._wrap else 1]
        cells[:, -1] = cells[:, 1 if self._wrap else -2]
        if self._has_first:
            cells[0] = cells[1]
        if self._has_last:
            cells[-1] = cells[-2]

    def _pass(
        self,
        talus: TalusParams,
        low: int,
        high: int,
        buffers: list[Field],
        most: Field | None,
        loose: Field | None,
        steepest: Field | None,
    ) -> None:
        """Run one pass over some rows of the strip."""
        pitch = self._pitch
        first, last = low * pitch, (high + 1) * pitch - 1
        heights = self._cells.reshape(-1)[first:]
        along, across, shares, spare = buffers
        # Samples from `begin` on change; the corner of each lies between it and those after it.
        begin, end = pitch + 1, last - first
        _subtract_neighbors(heights, 1, along[: end + pitch])
        _subtract_neighbors(heights, pitch, across[: end + 1])
        self._share(talus, first, end, buffers, steepest)
        for rises, step, beside in ((along, 1, pitch), (across, pitch, 1)):
            faces, sums = slice(begin - step, end), spare[begin - step : end]
            np.add(shares[faces], shares[begin - step - beside : end - beside], out=sums)
            np.multiply(rises[faces], sums, out=rises[faces])
        if talus.ratio != 1.0:
            flows = across[begin - pitch : end]
            np.multiply(flows, talus.ratio, out=flows)
        gain = spare[begin:end]
        np.subtract(along[begin:end], along[begin - 1 : end - 1], out=gain)
        np.add(gain, across[begin:end], out=gain)
        np.subtract(gain, across[begin - pitch : end - pitch], out=gain)
        if most is not None:
            np.minimum(gain, most[begin:end], out=gain)
        if loose is not None:
            np.multiply(gain, loose[first + begin : last], out=gain)
        change = self._change[first + begin : last]
        np.add(change, gain, out=change)
        np.add(self._before[first + begin : last], change, out=heights[begin:end])

    def _share(
        self,
        talus: TalusParams,
        first: int,
        end: int,
        buffers: list[Field],
        steepest: Field | None,
    ) -> None:
        """Store half the share that slides through the faces at each corner, `end` of them from `first` on.

        The square of the gradient's length is the mean over the corner's four faces, so that heights which
        alternate from sample to sample count. With a buffer for the steepest of them, that counts if it is more:
        beside a crest one face may be a fifth steeper than the mean.
        """
        along, across, shares, spare = buffers
        corners, squares = shares[:end], spare[: end + self._pitch]
        np.multiply(along[: squares.size], along[: squares.size], out=squares)
        np.add(squares[:end], squares[self._pitch :], out=corners)
        if steepest is not None:
            faces = np.maximum(squares[:end], squares[self._pitch :], out=steepest[:end])
        squares = spare[: end + 1]
        np.multiply(across[: end + 1], across[: end + 1], out=squares)
        if talus.ratio != 1.0:
            np.multiply(squares, talus.ratio, out=squares)
        np.add(corners, squares[:end], out=corners)
        np.add(corners, squares[1:], out=corners)
        if steepest is not None:
            np.maximum(faces, squares[:end], out=faces)
            np.maximum(faces, squares[1:], out=faces)
            np.add(faces, faces, out=faces)
            np.maximum(corners, faces, out=corners)
        stable, share, held = talus.at(slice(first, first + end))
        np.maximum(corners, stable, out=corners)
        np.sqrt(corners, out=corners)
        np.divide(held, corners, out=corners)
        np.subtract(share, corners, out=corners)


def _subtract_neighbors(heights: Field, step: int, out: Field) -> None:
    """Write by how much the samples `step` further on are higher."""
    np.subtract(heights[step : step + out.size], heights[: out.size], out=out)
