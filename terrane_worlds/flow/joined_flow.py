# SPDX-License-Identifier: GPL-3.0-or-later
"""The flow of a land from end to end and from tile to tile, once it has turned around in depressions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from noise_core.flow_routing.directions import Cells
from noise_core.flow_routing.routing import step_from
from noise_core.flow_routing.tree import MainChannels, Sums

from .joined import JoinedEnds
from .rings import Rings, TileValues
from .spilling import Spilling


@dataclass(frozen=True)
class JoinedFlow:
    """Ways of the water of each end: all that drained to it leaves by one cell, turned around or not.

    So crossings from tile to tile are known before any tile has been turned around.

    Attributes
    ----------
    rings : Rings
    after : ndarray of shape (ends,), intp
        The end among whose cells the water of each one goes on; itself if it stays or leaves the land.
    crossings : ndarray of shape (n,), intp
        The ends whose water goes on in another tile.
    cells, entries : ndarray of that shape, intp
        The cells from which and into which it does.
    """

    rings: Rings
    after: Cells
    crossings: Cells
    cells: Cells
    entries: Cells

    @classmethod
    def of(cls, ends: JoinedEnds, spilling: Spilling) -> JoinedFlow:
        """Return the flow by the ends of descent and the turned channels."""
        onward, cells, ways = ends.after.copy(), ends.cells.copy(), ends.ways.copy()
        onward[spilling.ends] = spilling.into
        cells[spilling.ends] = spilling.cells
        ways[spilling.ends] = spilling.ways
        crossings = np.flatnonzero(ends.rings.lead_out(cells, ways))
        cells = cells[crossings]
        entries = step_from(cells, ways[crossings], ends.rings.tiling.shape)
        return cls(ends.rings, onward, crossings, cells, entries)

    def inflow(self, sums: Sums) -> list[TileValues]:
        """Return, for each tile, the cells into which water of others comes, and how much.

        Parameters
        ----------
        sums : ndarray of shape (ends,), float64
            Of the cells that drained to each one: whole multiples of a unit.
        """
        channels = MainChannels.sort(np.arange(len(self.after), dtype=np.intp), self.after)
        totals = np.empty_like(sums)
        totals[channels.cells] = channels.accumulate(sums[channels.cells])
        cells, which = np.unique(self.entries, return_inverse=True)
        amounts = np.bincount(which.reshape(-1), totals[self.crossings], len(cells))
        return self.rings.hand_out(cells, amounts.astype(np.float64))
