# SPDX-License-Identifier: GPL-3.0-or-later
"""Cells of a tile in the order of their flow, wave after wave, for sums and labels along it.

A cell is in a wave as soon as all that drains to it has been in one (Kahn 1962). Most cells lie on short brooks,
so bands of rows, which stay in the cache, come first; the rivers remain. This takes less time than layers of leaves and sorted
channels, as `noise_core` has them, since NumPy 1.25, whose `ufunc.at` is fast.

References
----------
A. B. Kahn (1962). Topological sorting of large networks. Communications of the ACM 5.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from noise_core.flow_routing.directions import (
    OFFSETS,
    Cells,
    Directions,
    add_rim,
    neighbor,
    row_blocks,
)
from noise_core.flow_routing.tree import Sums

_BAND = 1 << 18
"""Cells of a band: their sums take two megabytes."""

_ROUNDS = 24
"""Waves of a band: later ones have too few cells to pay for the calls."""

_END = np.uint16(1 << 8)
"""Keeps ends from ever being in a wave."""

_DONORS = np.array([0, *(1 << (8 - way) for way in range(1, 9))], np.uint16)
"""Bit of a donor in its receiver's set, by the donor's direction."""

_Sets = npt.NDArray[np.uint16]


def add_up(directions: Directions, sums: Sums) -> None:
    """Add to each cell's number those of all cells that drain through it, in place.

    Parameters
    ----------
    directions : ndarray of shape (rows, columns), uint8
        None leads out of the tile.
    sums : ndarray of shape (cells,), float64
        Whole numbers whose sum is exact: then it is the same for every order of the cells.
    """
    for cells, to in waves(directions):
        np.add.at(sums, to, sums.take(cells))


def waves(directions: Directions) -> Iterator[tuple[Cells, Cells]]:
    """Yield cells that drain, and their receivers; all that drains to these cells has come before.

    Parameters
    ----------
    directions : ndarray of shape (rows, columns), uint8
        None leads out of the tile.
    """
    rows, columns = directions.shape
    flat, remaining = directions.reshape(-1), _donors(directions)
    steps = np.array([0, *(down * columns + right for down, right in OFFSETS)], np.intp)

    def receive(wave: Cells) -> tuple[Cells, Cells]:
        """Return the receivers of a wave, and those of them that are in the next one, each once."""
        ways = flat.take(wave).astype(np.intp)
        to, donor = steps.take(ways), _DONORS.take(ways)
        to += wave
        previous = remaining.take(to)
        np.subtract.at(remaining, to, donor)
        # Of several donors in the last wave before a cell's own, one tells it.
        is_ready = (remaining.take(to) == 0) & (previous & np.negative(previous) == donor)
        return to, to[is_ready]

    leaves = np.flatnonzero(remaining == 0)
    waiting = []
    for wave in np.split(leaves, np.searchsorted(leaves, range(_BAND, len(flat), _BAND))):
        for _ in range(_ROUNDS):
            to, ready = receive(wave)
            yield wave, to
            wave = ready
        waiting.append(wave)
    wave = np.concatenate(waiting)
    while len(wave):
        to, ready = receive(wave)
        yield wave, to
        wave = ready


def _donors(directions: Directions) -> _Sets:
    """Return the set of neighbors that drain to each cell, as bits: shape (cells,)."""
    rim = add_rim(directions, False, 0)
    sets = np.empty(directions.shape, np.uint16)
    for start, stop in row_blocks(directions.shape):
        donors = np.zeros((stop - start, directions.shape[1]), np.uint8)
        for way in range(1, 9):
            drains = np.equal(neighbor(rim, way, start, stop), np.uint8(9 - way))
            donors |= drains.view(np.uint8) * np.uint8(_DONORS[9 - way])
        np.multiply(directions[start:stop] == 0, _END, out=sets[start:stop])
        sets[start:stop] |= donors
    return sets.reshape(-1)
