# SPDX-License-Identifier: GPL-3.0-or-later
"""Flow tree peeled from its leaves, so that most of its cells need no sorting.

On rough ground more than half of all cells receive nothing: a few rounds over all of them leave next to none.
On smooth ground water runs side by side for long, and a round removes only where the flow begins. There
waves go down with the water: each holds the cells whose donors were all in earlier ones. Sums that depend on
the order along the tree have to be worked out for the few cells that remain, the main cells.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..base.blocks import checkpoint
from ..base.gathering import gather
from .directions import CELLS_PER_BLOCK, Cells, Directions, Mask, add_rim, neighbor, receivers

ROUNDS = 6
"""Each costs two passes over the bytes of the directions."""

_WORTH_A_ROUND = 0.25
"""Share of what was left that a round has to remove for another one to be worth it (measured)."""

_LEAST_WAVE = 128
"""Cells of a wave that take about as long as to sort as many (measured)."""

_Counts = npt.NDArray[np.uint8]


@dataclass(frozen=True)
class LeafLayers:
    """A flow tree in layers of leaves.

    Attributes
    ----------
    receivers : ndarray of shape (cells,), intp
        Where each cell drains to; an end drains to itself.
    cells : ndarray, intp
        Cells that drain, layer after layer, outermost first: all that drains to a cell of one layer lies
        in an earlier layer.
    to : ndarray of that shape, intp
        Where each of them drains to.
    starts : ndarray of shape (layers + 1,), intp
        Where each layer begins in `cells`, and the end.
    alone : ndarray of shape (layers,), intp
        How many of the first cells of each layer drain to different cells, to which no other of the
        layer drains.
    is_main : ndarray of shape (cells,), bool
        Which cells lie in no layer.
    main_cells : ndarray of shape (main cells,), intp
        These, ends included; none of them drains to a layer.
    parents : ndarray of shape (main cells,), intp
        Places in `main_cells` that its cells drain to.
    """

    receivers: Cells
    cells: Cells
    to: Cells
    starts: Cells
    alone: Cells
    is_main: Mask
    main_cells: Cells
    parents: Cells

    @property
    def layers(self) -> list[Cells]:
        """The cells of each layer."""
        starts = self.starts.tolist()
        return [self.cells[start:stop] for start, stop in zip(starts, starts[1:])]

    @property
    def inner_blocks(self) -> list[slice]:
        """Parts of `cells`: all layers but the outermost, large ones in blocks that stay in the cache.

        The outermost layer is left out: callers compute it together with all other cells, block by block,
        which is faster. For the others this gives the same result again.
        """
        starts = self.starts.tolist()[1:]
        return [
            slice(first, min(first + CELLS_PER_BLOCK, stop))
            for start, stop in zip(starts, starts[1:])
            for first in range(start, stop, CELLS_PER_BLOCK)
        ]


def peel_leaves(directions: Directions, wrap: bool) -> LeafLayers:
    """Peel the leaves of a tree of flow directions: in rounds, then in waves."""
    ends = np.equal(directions, 0)
    is_left, remaining = np.ones(directions.shape, np.bool_), directions
    count, layers = directions.size, list[Cells]()
    for _ in range(ROUNDS):
        checkpoint()
        stays = _find_donors(remaining, wrap)
        stays |= ends
        checkpoint()
        layers.append(np.flatnonzero(is_left > stays))
        is_left = stays
        if len(layers[-1]) < _WORTH_A_ROUND * count:
            break
        count -= len(layers[-1])
        remaining = directions * is_left.view(np.uint8)
    down, is_main = receivers(directions, wrap), is_left.reshape(-1)
    waves, alone = _peel_waves(down, is_main)
    alone = [0] * len(layers) + alone
    layers += waves
    cells = np.concatenate(layers)
    sizes = np.array([0, *map(len, layers)], np.intp)
    del layers, waves  # as large as the cells
    is_main[cells] = False
    to = gather(down, cells)
    starts = np.cumsum(sizes, dtype=np.intp)
    return _with_main_cells(down, cells, to, starts, np.array(alone, np.intp), is_main)


def _peel_waves(down: Cells, is_left: Mask) -> tuple[list[Cells], list[int]]:
    """Return the waves of the cells that are left, and how many of each reach a cell alone."""
    checkpoint()
    remaining = np.flatnonzero(is_left)
    # An end is its own donor, which none of the waves takes away.
    donors: _Counts = np.bincount(gather(down, remaining), minlength=len(down)).astype(np.uint8)
    # Indexing by a mask takes three times what gathering from where it holds does.
    wave = gather(remaining, np.flatnonzero(gather(donors, remaining) == 0))
    waves, alone = list[Cells](), list[int]()
    while len(wave) >= _LEAST_WAVE:
        checkpoint()
        to = gather(down, wave)
        is_alone = gather(donors, to) == 1
        apart = np.flatnonzero(is_alone)
        ready = gather(to, apart)
        alone.append(len(ready))
        if len(ready) == len(wave):
            waves.append(wave)
            wave = ready
            continue
        meets = np.flatnonzero(~is_alone)
        waves.append(np.concatenate((gather(wave, apart), gather(wave, meets))))
        wave = np.concatenate((ready, _finished_cells(donors, gather(to, meets))))
    return waves, alone


def _finished_cells(donors: _Counts, meeting: Cells) -> Cells:
    """Count off donors of cells, of some several; return the cells that have none left, each once."""
    np.subtract.at(donors, meeting, np.uint8(1))
    done = gather(meeting, np.flatnonzero(gather(donors, meeting) == 0))
    done.sort()
    is_first = np.ones(len(done), np.bool_)
    np.not_equal(done[1:], done[:-1], out=is_first[1:])
    finished: Cells = done[is_first]
    return finished


def redirect_cells(tree: LeafLayers, cells: Cells, to: Cells) -> LeafLayers:
    """Return the tree with other receivers for some cells.

    Only these cells and those downstream become main cells; all others keep their layer. The arrays of
    `tree` are changed in place: they take most of the memory of a routing.
    """
    down, is_main = tree.receivers, tree.is_main.copy()
    down[cells] = to
    moved = np.concatenate((cells, to))
    while len(moved):
        checkpoint()
        moved = moved[~is_main[moved]]
        is_main[moved] = True
        moved = down[moved]
    checkpoint()
    layers = tree.starts[:-1]
    bounds = np.append(np.stack((layers, layers + tree.alone), axis=1), tree.starts[-1])
    kept = _move_up(tree, is_main, bounds)
    starts, alone = kept[::2], kept[1::2] - kept[:-1:2]
    links = tree.cells[: starts[-1]], tree.to[: starts[-1]]
    return _with_main_cells(down, *links, starts, alone, is_main)


def _move_up(tree: LeafLayers, is_main: Mask, bounds: Cells) -> Cells:
    """Move the cells of the layers that are no main cells to the first places; return their number before each bound."""
    before, place = np.zeros(len(bounds), np.intp), 0
    for begin in range(0, len(tree.cells), CELLS_PER_BLOCK):
        checkpoint()
        part = slice(begin, begin + CELLS_PER_BLOCK)
        cells = tree.cells[part]
        kept = np.flatnonzero(~gather(is_main, cells))
        target = slice(place, place + len(kept))
        tree.cells[target], tree.to[target] = gather(cells, kept), gather(tree.to[part], kept)
        before += np.searchsorted(kept, bounds - begin)
        place = target.stop
    return before


def _with_main_cells(
    down: Cells, cells: Cells, to: Cells, starts: Cells, alone: Cells, is_main: Mask
) -> LeafLayers:
    checkpoint()
    main_cells = np.flatnonzero(is_main)
    checkpoint()
    place = np.empty(len(down), np.intp)
    place[main_cells] = np.arange(len(main_cells), dtype=np.intp)
    checkpoint()
    parents = gather(place, gather(down, main_cells))
    return LeafLayers(down, cells, to, starts, alone, is_main, main_cells, parents)


def _find_donors(directions: Directions, wrap: bool) -> Mask:
    """Return the mask of cells to which a neighbor drains."""
    rim = add_rim(directions, wrap, 0)
    donors = np.zeros(directions.shape, np.bool_)
    is_donor = np.empty_like(donors)
    for direction in range(1, 9):
        np.equal(neighbor(rim, direction, 0, len(donors)), np.uint8(9 - direction), out=is_donor)
        np.logical_or(donors, is_donor, out=donors)
    return donors
