# SPDX-License-Identifier: GPL-3.0-or-later
"""Rivers as lists of samples: main streams from source to mouth, and tributaries up to where they join."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from .directions import Cells
from .water_levels import StandingWater

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Streams:
    """Lines of points along the flow, one stream after the other, each downstream.

    Attributes
    ----------
    rows, columns : ndarray of shape (points,), float64
        Places in samples.
    shares : ndarray of shape (points,), float64
        Share of all ground that drains through a point.
    brims : ndarray of shape (points,), float64
        Height in meters up to which water fills the hollow that a point lies in; that of the ground elsewhere.
    starts : ndarray of shape (streams + 1,), intp
        Where each stream begins, and the end of the last.
    joins : ndarray of shape (streams,), intp
        Point of another stream that the last point of each one is at; -1 if it joins none.
    springs : ndarray of shape (streams,), float64
        Level in meters of the lake that each one leaves; infinity if none.
    mouths : ndarray of shape (streams,), float64
        Level of the lake or the sea that it ends in; minus infinity if none. There its last
        point lies under water.
    """

    rows: Floats
    columns: Floats
    shares: Floats
    brims: Floats
    starts: Cells
    joins: Cells
    springs: Floats
    mouths: Floats

    @property
    def count(self) -> int:
        """Number of streams."""
        return len(self.joins)

    def numbers(self) -> Cells:
        """Return the stream of each point."""
        return np.repeat(np.arange(self.count, dtype=np.intp), np.diff(self.starts))

    def tails(self) -> tuple[Cells, Cells]:
        """Return the last points of those that join others, and the points that they join."""
        has_successor = self.joins >= 0
        return self.starts[1:][has_successor] - 1, self.joins[has_successor]

    def downstream(self) -> Cells:
        """Return all streams, each after the one that it joins."""
        numbers, rank = self.numbers(), np.zeros(self.count, np.intp)
        joining = np.flatnonzero(self.joins >= 0)
        parents = numbers[self.joins[joining]]
        while True:
            further = rank.copy()
            further[joining] = rank[parents] + 1
            if np.array_equal(further, rank):
                return np.argsort(rank, kind="stable")
            rank = further


def find_streams(water: StandingWater, least: float) -> Streams:
    """Return the rivers over some ground that drain at least a share of it.

    Where several meet, that which drains most goes on; the others end there. Lakes and the sea part
    them: a river ends under the water of one, and another leaves it.
    """
    assert water.tree is not None and water.shares is not None, "rivers were not asked for"
    columns = water.levels.shape[1]
    levels, shares = water.levels.reshape(-1), water.shares.reshape(-1)
    cells, to = _find_nodes(water, least)
    main = np.full(len(cells), -1, np.intp)
    inner = np.flatnonzero(to >= 0)
    inner = inner[np.lexsort((shares[cells[inner]], to[inner]))]
    main[to[inner]] = inner  # of several the last stays: that with most water
    last = np.flatnonzero((to < 0) | (main[to] != np.arange(len(cells), dtype=np.intp)))
    into = water.tree.receivers[cells[last]]
    is_mouth = (to[last] < 0) & np.isfinite(levels[into])
    has_tail = is_mouth | (to[last] >= 0)
    is_line = has_tail | (main[last] >= 0)  # else it is one sample on the border
    last, into, is_mouth, has_tail = (
        last[is_line],
        into[is_line],
        is_mouth[is_line],
        has_tail[is_line],
    )
    nodes, streams = _walk_up(main, last)
    lengths = np.bincount(streams, minlength=len(last))
    starts = np.concatenate((np.zeros(1, np.intp), np.cumsum(lengths + has_tail, dtype=np.intp)))
    places = starts[streams] + lengths[streams] - 1 - _ranks(streams, lengths)
    place_of = np.full(len(cells), -1, np.intp)
    place_of[nodes] = places
    where = np.empty(starts[-1], np.intp)
    where[places] = cells[nodes]
    ends = (starts[:-1] + lengths)[has_tail]
    where[ends] = into[has_tail]
    row, column = (index.astype(np.float64) for index in np.divmod(where, columns))
    share = shares[where]
    share[ends] = share[ends - 1]  # as much water as before
    first = levels[where[starts[:-1]]].astype(np.float64)
    return Streams(
        row,
        column,
        share,
        water.tree.filled.reshape(-1)[where].astype(np.float64),
        starts,
        np.where(to[last] >= 0, place_of[to[last]], -1),
        np.where(np.isfinite(first), first, np.inf),
        np.where(is_mouth, levels[into], -np.inf).astype(np.float64),
    )


def _find_nodes(water: StandingWater, least: float) -> tuple[Cells, Cells]:
    """Return the samples of all rivers, and the place among them that each drains to, -1 if to none.

    The samples of lakes from which a river flows are among them.
    """
    assert water.tree is not None and water.shares is not None
    receivers, is_large = water.tree.receivers, water.shares.reshape(-1) >= least
    is_dry = ~np.isfinite(water.levels.reshape(-1))
    is_node = is_large & is_dry
    lake = np.flatnonzero(is_large & ~is_dry)
    is_node[lake[is_node[receivers[lake]]]] = True
    cells = np.flatnonzero(is_node)
    place = np.full(len(receivers), -1, np.intp)
    place[cells] = np.arange(len(cells), dtype=np.intp)
    down = receivers[cells]
    return cells, np.where((down != cells) & is_dry[down], place[down], -1)


def _walk_up(main: Cells, last: Cells) -> tuple[Cells, Cells]:
    """Return the nodes of all streams from their last ones up, and the stream of each."""
    node, stream = last, np.arange(len(last), dtype=np.intp)
    nodes, streams = [node], [stream]
    while len(node):
        node = main[node]
        goes_on = node >= 0
        node, stream = node[goes_on], stream[goes_on]
        nodes.append(node)
        streams.append(stream)
    return np.concatenate(nodes), np.concatenate(streams)


def _ranks(streams: Cells, lengths: Cells) -> Cells:
    """Return which occurrence of its stream each entry is, counted from 0."""
    order = np.argsort(streams, kind="stable")
    firsts = np.cumsum(lengths, dtype=np.intp) - lengths
    ranks = np.empty(len(streams), np.intp)
    ranks[order] = np.arange(len(streams), dtype=np.intp) - np.repeat(firsts, lengths)
    return ranks
