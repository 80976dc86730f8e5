# SPDX-License-Identifier: GPL-3.0-or-later
"""Spillways between basins, and the tree of those through which basins drain.

The lowest passes are a minimum spanning tree, found by Boruvka's algorithm on whole arrays (Cordonnier,
Bovy & Braun 2019, see `basins`). Orders are stable, and the same on every processor: radix sorts by
NumPy's sort of 16-bit integers.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..base.arrays import Field
from ..base.blocks import checkpoint
from ..base.gathering import gather
from .directions import CELLS_PER_BLOCK, Cells, Directions

OUTSIDE = 0
"""The basin of all outlets together."""

FORWARD = np.array([5, 6, 7, 8], np.uint8)
"""Directions that meet every pair of neighbors once."""

_SLOTS = 16
"""For each basin, of which each meets some six others: few pairs of basins share a slot."""

Labels = npt.NDArray[np.int32]

Codes = npt.NDArray[np.signedinteger]

_HALF = 1 << 16

_MIXER = np.uint64(0x9E3779B97F4A7C15)
"""2^64 over the golden ratio: spreads neighboring numbers evenly (Knuth 1998, The Art of Computer Programming 3,
6.4)."""


@dataclass(frozen=True)
class Spillways:
    """Pairs of neighboring cells in different basins, over which water may spill.

    Attributes
    ----------
    first, second : ndarray of shape (passes,), int32
        Their basins.
    heights : ndarray of shape (passes,), float32
        The higher of both, in meters.
    lower : ndarray of shape (passes,), float32
        The other one: of passes over the same cell the steepest is taken, wherever it lies.
    codes : ndarray of shape (passes,), int32 or int64
        Which cell has the pair, and in which direction.
    rim_shape : tuple of two ints
        Rows and columns of the grid with a rim, in which `codes` count.
    """

    first: Labels
    second: Labels
    heights: Field
    lower: Field
    codes: Codes
    rim_shape: tuple[int, int]

    def ends(self, places: Cells) -> tuple[Cells, Directions]:
        """Return the cells on the first side of some spillways, and the directions across them."""
        rows, columns = self.rim_shape
        which, rim_cells = np.divmod(self.codes[places].astype(np.intp), rows * columns)
        row, column = np.divmod(rim_cells, columns)
        return (row - 1) * (columns - 2) + column - 1, FORWARD[which]

    def ranks(self) -> npt.NDArray[np.int64]:
        """Return numbers that rise in the order in which `find_spillways` finds them in the whole."""
        rows, columns = self.rim_shape
        which, rim_cells = np.divmod(self.codes.astype(np.int64), rows * columns)
        block = (rim_cells // columns - 1) // rows_per_block(columns)
        ranks: npt.NDArray[np.int64] = (block * len(FORWARD) + which) * (rows * columns) + rim_cells
        return ranks

    def take(self, places: Cells) -> Spillways:
        """Return some of them."""
        return Spillways(
            self.first[places],
            self.second[places],
            self.heights[places],
            self.lower[places],
            self.codes[places],
            self.rim_shape,
        )


@dataclass(frozen=True)
class BasinTree:
    """Basins that spill into each other on the way out, and the spillway through which each one drains.

    Attributes
    ----------
    parents : ndarray of shape (basins,), int32
        The basin that each one spills into; its own number if it ends here.
    exits : ndarray of shape (basins,), intp
        Through which pass it does.
    spillways : Spillways
    levels : ndarray of shape (basins,), float32
        How high the water stands before all of it runs off, in meters; -inf outside.
    """

    parents: Labels
    exits: Cells
    spillways: Spillways
    levels: Field

    @classmethod
    def span(cls, spillways: Spillways, count: int) -> BasinTree:
        """Return the tree of so many basins that has the lowest spillways.

        There are at least two basins, and the spillways join all of them to `OUTSIDE`.
        """
        parents, exits = _orient(spillways, spanning_tree(spillways, count), count)
        return cls(parents, exits, spillways, _spill_levels(spillways, parents, exits))


def rows_per_block(width: int) -> int:
    """Return the rows of a block of cells, `width` of them in a row with its rim."""
    return max(1, CELLS_PER_BLOCK // width)


def spanning_tree(spillways: Spillways, count: int) -> Cells:
    """Return the spillways of the minimum spanning tree of so many basins (Boruvka 1926), each once.

    Of equally high ones the first is taken. Where not all basins hang together it is several trees.
    """
    checkpoint()
    edges = drop_higher(spillways, count)
    checkpoint()
    edges = edges[_argsort_floats(spillways.lower[edges])]
    checkpoint()
    edges = edges[_argsort_floats(spillways.heights[edges])]
    first, second = spillways.first[edges], spillways.second[edges]
    chosen = [np.zeros(0, np.intp)]
    numbers = np.arange(count, dtype=np.int32)
    while len(edges):
        checkpoint()
        place = np.arange(len(edges), dtype=np.intp)
        lowest = np.full(count, len(edges), np.intp)
        neighbor = lowest.copy()
        # Of several assignments to one place the last one stays: that of the lowest pass.
        lowest[first[::-1]] = place[::-1]
        neighbor[second[::-1]] = place[::-1]
        np.minimum(lowest, neighbor, out=lowest)
        alive = np.flatnonzero(lowest < len(edges))
        picked = lowest[alive]
        hook = numbers.copy()
        hook[alive] = first[picked] + second[picked] - numbers[alive]  # the end on the other side
        # Two that chose the same pass point at each other: the smaller number stays.
        is_mutual = (hook[hook] == numbers) & (hook > numbers)
        hook[is_mutual] = numbers[is_mutual]
        chosen.append(edges[picked[hook[alive] != alive]])
        while True:
            further = hook[hook]
            if np.array_equal(further, hook):
                break
            hook = further
        first, second = hook[first], hook[second]
        is_left = np.flatnonzero(first != second)
        first, second, edges = first[is_left], second[is_left], edges[is_left]
    return np.concatenate(chosen)


def drop_higher(spillways: Spillways, count: int) -> Cells:
    """Return the spillways, in order, without most of those that are higher than another between the same basins.

    Large basins meet along hundreds of cells, and only the lowest counts.
    """
    heights, lower = spillways.heights, spillways.lower
    least, most = (end(spillways.first, spillways.second) for end in (np.minimum, np.maximum))
    pairs = least.astype(np.uint64) * np.uint64(count) + most.astype(np.uint64)
    bits = (_SLOTS * count).bit_length()
    slots = (pairs * _MIXER >> np.uint64(64 - bits)).astype(np.intp)
    falling = _argsort_roughly(heights)[::-1]
    checkpoint()
    # Of several assignments to one place the last one stays: that of a spillway about as low as the lowest.
    lowest = np.empty(1 << bits, np.intp)
    lowest[gather(slots, falling)] = falling
    rivals = gather(lowest, slots)
    checkpoint()
    is_other = pairs != gather(pairs, rivals)
    stays = np.flatnonzero((heights <= gather(heights, rivals)) | is_other)
    rivals = gather(rivals, stays)
    is_higher = (heights[stays] == heights[rivals]) & (lower[stays] > lower[rivals])
    return gather(stays, np.flatnonzero(~is_higher | gather(is_other, stays)))


def _orient(spillways: Spillways, chosen: Cells, count: int) -> tuple[Labels, Cells]:
    """Return each basin's parent in the spanning tree and the spillway to it.

    A tour passes each spillway in both directions, first in the direction away from the outside. How far each
    passage is from the end of the tour is found by doubling (Tarjan & Vishkin 1985, "An efficient parallel biconnectivity
    algorithm").
    """
    begins = np.concatenate((spillways.first[chosen], spillways.second[chosen]))
    ends = np.concatenate((spillways.second[chosen], spillways.first[chosen]))
    passages = np.arange(len(begins), dtype=np.intp)
    opposite = np.roll(passages, len(chosen))
    order = _argsort_integers(begins, count)
    place = np.empty_like(order)
    place[order] = passages
    # After a passage to a basin comes the next passage that begins there, in circular order.
    degree = np.bincount(begins, minlength=count)
    last = np.cumsum(degree, dtype=np.intp) - 1
    turn = place + 1
    is_last = place == last[begins]
    turn[is_last] -= degree[begins[is_last]]
    onward = order[turn][opposite]
    remaining = np.ones(len(passages), np.int32)
    stop = opposite[order[last[OUTSIDE]]]
    remaining[stop], onward[stop] = 0, stop
    for _ in range(len(passages).bit_length()):
        remaining += remaining[onward]
        onward = onward[onward]
    outward = np.flatnonzero(remaining > remaining[opposite])
    parents = np.full(count, -1, np.int32)
    exits = np.zeros(count, np.intp)
    parents[OUTSIDE] = OUTSIDE
    parents[ends[outward]] = begins[outward]
    exits[ends[outward]] = chosen[outward % len(chosen)]
    return parents, exits


def _spill_levels(spillways: Spillways, parents: Labels, exits: Cells) -> Field:
    """Return the highest spillway between each basin and the outside."""
    levels = spillways.heights[exits]
    levels[OUTSIDE] = -np.inf
    up = parents.astype(np.intp)
    while True:
        np.maximum(levels, levels[up], out=levels)
        further = up[up]
        if np.array_equal(further, up):
            return levels
        up = further


def _argsort_floats(values: Field) -> Cells:
    """Return the stable order of finite float32 numbers, smallest first."""
    return _order(_keys(values))


def _argsort_roughly(values: Field) -> Cells:
    """Return the order of finite float32 numbers, smallest first, but for numbers that hardly differ.

    Those are numbers whose keys differ by less than 1/32,768 of the range of all keys.
    """
    keys = _keys(values)
    keys -= keys.min(initial=np.iinfo(keys.dtype).max)
    spare = max(0, int(keys.max(initial=0)).bit_length() - 16)
    return np.argsort((keys >> np.uint32(spare)).astype(np.uint16), kind="stable")


def _keys(values: Field) -> npt.NDArray[np.uint32]:
    """Return whole numbers that rise with finite float32 numbers."""
    bits = (values + np.float32(0.0)).view(np.int32)  # -0.0 becomes 0.0, which is as high
    # Read as integers, floats rise as they should, except that negative ones rise backwards.
    keys = (bits ^ ((bits >> np.int32(31)) & np.int32(0x7FFFFFFF))).view(np.uint32)
    keys ^= np.uint32(0x80000000)
    return keys


def _argsort_integers(values: npt.NDArray[np.int32], count: int) -> Cells:
    """Return the stable order of whole numbers from 0 to below `count`."""
    if count <= _HALF:
        return np.argsort(values.astype(np.uint16), kind="stable")
    return _order(values.view(np.uint32))


def _order(keys: npt.NDArray[np.uint32]) -> Cells:
    order = np.argsort((keys & np.uint32(_HALF - 1)).astype(np.uint16), kind="stable")
    checkpoint()
    upper = (keys >> np.uint32(16)).astype(np.uint16)[order]
    checkpoint()
    return order[np.argsort(upper, kind="stable")]
