# SPDX-License-Identifier: GPL-3.0-or-later
"""Random patches of planes on a triangular lattice, blended so that mean and variance stay.

References
----------
Eric Heitz, Fabrice Neyret (2018). High-Performance By-Example Noise using a Histogram-Preserving Blending
Operator. Proceedings of the ACM on Computer Graphics and Interactive Techniques 1.
Brent Burley (2019). On Histogram-Preserving Blending for Randomized Texture Tiling. Journal of Computer
Graphics Techniques 8. (Powers of the weights, against ghosts.)
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ...base import blocks
from ...base.arrays import Field
from ...base.elementary import power
from ...lattice.hash import child_seed, hash_indices

_ROW_SHARE = 0.8660254037844386
"""Distance of the rows of a lattice of equilateral triangles, as a share of that of its points."""


@dataclass(frozen=True)
class PatchLattice:
    """Places of patches: rows of points, every second one half a step to the right.

    Attributes
    ----------
    height, width : int
        Pixels in which a whole number of rows and of points fit.
    rows, columns : int
        How many; the rows are an even number.
    wraps : bool
        Whether the patches repeat after that.
    """

    height: int
    width: int
    rows: int
    columns: int
    wraps: bool

    @classmethod
    def of(cls, step: int, period: tuple[int, int] | None) -> PatchLattice:
        """Return the lattice whose points are at most `step` pixels apart; `period` is in rows and columns."""
        row = max(1, int(step * _ROW_SHARE))
        if period is None:
            return cls(2 * row, step, 2, 1, wraps=False)
        height, width = period
        return cls(height, width, 2 * -(-height // (2 * row)), -(-width // step), wraps=True)

    @property
    def reach(self) -> tuple[int, int]:
        """Pixels up and to the right to which a patch reaches, its own pixel left out."""
        return -(-self.height // self.rows) + 1, -(-self.width // self.columns) + 1

    def y_of(self, row: int) -> int:
        """Return the pixel row of a row of points."""
        return row * self.height // self.rows

    def rows_within(self, start: int, stop: int) -> range:
        """Return the rows of points between two pixel rows."""
        return range(start * self.rows // self.height, stop * self.rows // self.height + 1)

    def points_within(
        self, row: int, start: int, stop: int
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Return the numbers and the pixel columns of the points of a row between two pixel columns."""
        first = (2 * start * self.columns // self.width - row) // 2
        last = (2 * stop * self.columns // self.width - row) // 2 + 1
        numbers = np.arange(first, last + 1, dtype=np.int64)
        return numbers, (2 * numbers + row) * self.width // (2 * self.columns)

    def hash_points(self, row: int, numbers: npt.NDArray[np.int64], seed: int) -> list[int]:
        """Return 32 random bits for each point of a row."""
        if self.wraps:
            laps, row = divmod(row, self.rows)
            numbers = (numbers + laps * (self.rows // 2)) % self.columns
        bits = hash_indices([numbers.astype(np.int32), np.array(row, np.int32)], seed)
        return [int(word) for word in bits]


class PatchBlend:
    """Planes made of random patches of others, with their mean and variance.

    Parameters
    ----------
    planes : ndarray of shape (channels, rows, columns), float32
        Of mean 0 in each.
    lattice : PatchLattice
    seed : int
        Unsigned, 32 bits.
    closed : tuple of two bools
        Whether the rows and the columns of the planes go on at their beginning. Otherwise patches lie within.
    sharpness : float
        Power of the weights: how narrow the seams are between patches.
    is_turned : bool
        Whether patches are turned by quarters and mirrored.
    """

    def __init__(
        self,
        planes: Field,
        lattice: PatchLattice,
        seed: int,
        *,
        closed: tuple[bool, bool],
        sharpness: float,
        is_turned: bool,
    ) -> None:
        self._lattice, self._seed, self._is_turned = lattice, seed, is_turned
        self._weights = _weights(lattice, sharpness)
        self._squares = self._weights * self._weights
        self._side = patch_side(lattice)
        shape = planes.shape[1:]
        self._places = [
            count if is_closed else count - self._side + 1
            for count, is_closed in zip(shape, closed)
        ]
        # Drawn out, so that each patch is one piece.
        rows, columns = (
            np.arange(count + self._side if is_closed else count, dtype=np.intp) % count
            for count, is_closed in zip(shape, closed)
        )
        self._planes = planes[:, rows][:, :, columns]

    def sample(self, rows: range, columns: range) -> Field:
        """Return blended planes at some pixel rows and columns, which rise by the same step.

        Returns
        -------
        ndarray of shape (channels, rows, columns), float32
            The same at every pixel with any other pixels asked for.
        """
        blended = np.zeros((len(self._planes), len(rows), len(columns)), np.float32)
        squares = np.zeros(blended.shape[1:], np.float32)
        up, right = self._lattice.reach
        for row in self._lattice.rows_within(rows.start - up, rows.stop + up):
            blocks.checkpoint()
            within, target = _overlap(self._lattice.y_of(row) - up, 2 * up + 1, rows)
            if within.start >= within.stop:
                continue
            numbers, places = self._lattice.points_within(
                row, columns.start - right, columns.stop + right
            )
            bits, more = (
                self._lattice.hash_points(row, numbers, child_seed(self._seed, part))
                for part in (0, 1)
            )
            for x, chance, turn in zip(places.tolist(), bits, more):
                wide, across = _overlap(x - right, 2 * right + 1, columns)
                if wide.start >= wide.stop:
                    continue
                patch = self._patch(chance, turn)[:, target, across]
                blended[:, within, wide] += patch * self._weights[target, across]
                squares[within, wide] += self._squares[target, across]
        # The variance of a weighted sum is that of its terms times the sum of the squared weights.
        blended /= np.sqrt(squares, out=squares)
        return blended

    def _patch(self, chance: int, turn: int) -> Field:
        """Return a square of the planes, which chance chooses."""
        y, x = (part * count >> 16 for part, count in zip(divmod(chance, 1 << 16), self._places))
        patch = self._planes[:, y : y + self._side, x : x + self._side]
        if self._is_turned:
            patch = patch.transpose(0, 2, 1) if turn & 1 else patch
            patch = patch[:, :: -1 if turn & 2 else 1, :: -1 if turn & 4 else 1]
        return patch


def patch_side(lattice: PatchLattice) -> int:
    """Return the side of the square that holds a patch, in pixels."""
    return 2 * max(lattice.reach) + 1


def _overlap(start: int, length: int, window: range) -> tuple[slice, slice]:
    """Return which of the wanted pixels lie in a patch, and where in the patch they lie."""
    step = window.step
    first = max(0, -(-(start - window.start) // step))
    last = min(len(window), (start + length - 1 - window.start) // step + 1)
    begin = window.start - start
    return slice(first, last), slice(begin + first * step, begin + (last - 1) * step + 1, step)


def _weights(lattice: PatchLattice, sharpness: float) -> Field:
    """Return the weights of a patch at its pixels: 1 in the middle, 0 at its hexagon's edge."""
    up, right = lattice.reach
    # A pixel wider than the hexagon: its middle is rounded to a pixel, and nowhere may be no patch.
    along = np.arange(-up, up + 1, dtype=np.int64) / (lattice.height / lattice.rows + 1.0)
    across = np.arange(-right, right + 1, dtype=np.int64) / (lattice.width / lattice.columns + 1.0)
    b = along[:, np.newaxis]
    a = across - 0.5 * b
    # Barycentric coordinate of the middle in each of the six triangles around it.
    share = 1.0 - np.maximum(np.maximum(np.abs(a), np.abs(b)), np.abs(a + b))
    return power(np.maximum(share, 0.0).astype(np.float32), sharpness)
