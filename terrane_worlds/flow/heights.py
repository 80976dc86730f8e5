# SPDX-License-Identifier: GPL-3.0-or-later
"""Heights along the flow of a land in tiles: incision from the outlets up."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from noise_core.base.arrays import Field
from noise_core.flow_routing.directions import Cells, Directions
from noise_core.flow_routing.incision import Incision, Rules, solve_along
from noise_core.flow_routing.peeling import peel_leaves
from noise_core.flow_routing.tree import FlowTree

from ..base.tiling import Window
from ..tiles.engine import Engine
from ..tiles.fields import TiledField
from .channels import (
    JoinedChannels,
    TileChannels,
    find_entries,
    give_below,
    through_channels,
)
from .rings import TileValues, Values, arrays_of, within
from .routing import TiledFlow

_UNKNOWN: Field = np.zeros((0, 0), np.float32)
"""Filled heights of a tree, which incision does not ask for."""


@dataclass(frozen=True)
class _TellRules:
    """Stage: the rules of the cells through which water of others passes."""

    incision: Callable[[Window, Directions], Incision]
    ways: TiledField

    def __call__(self, entries: TileValues) -> tuple[TileChannels, Rules]:
        tile, ways = entries.tile, self.ways.read(entries.tile)
        channels = through_channels(ways, entries.cells)
        channels_of_tile = TileChannels.tell(channels, ways, tile, self.ways.tiling.columns)
        return channels_of_tile, self.incision(tile, ways).rules(channels.cells)


@dataclass(frozen=True)
class _Incise:
    """Stage: each tile, with the heights below it."""

    incision: Callable[[Window, Directions], Incision]
    ways: TiledField
    out: TiledField

    def __call__(self, below: TileValues) -> None:
        ways = self.ways.read(below.tile)
        beyond = np.full(below.tile.shape, np.nan, np.float32)
        beyond.reshape(-1)[below.cells] = below.values
        tree = FlowTree(ways, _UNKNOWN, peel_leaves(within(ways), wrap=False))
        solved = self.incision(below.tile, ways).solve(tree, beyond)
        self.out.write(below.tile, solved)


def incise(
    flow: TiledFlow,
    incision: Callable[[Window, Directions], Incision],
    out: TiledField,
    engine: Engine,
    name: str,
) -> None:
    """Write the heights after a step of incision; see `noise_core.flow_routing.incision.incise`.

    Parameters
    ----------
    flow : TiledFlow
    incision : callable
        Gives that of a tile with its directions; picklable.
    out : TiledField of float32
        Where the new heights go, in meters.
    engine : Engine
    name : str
        Of the stages.
    """
    ways = flow.fields.ways
    tell = _TellRules(incision, ways)
    replies = engine.ask(f"{name} rules", tell, lambda: find_entries(flow.joined))

    def solve() -> list[tuple[Cells, Values]]:
        joined = JoinedChannels.join([channel for channel, _ in replies], out.tiling.shape)
        constant, share, least, most = (
            np.concatenate([rules[which] for _, rules in replies])[joined.sorted.cells]
            for which in range(4)
        )
        heights = np.empty(len(joined.cells), np.float32)
        heights[joined.sorted.cells] = solve_along((constant, share, least, most), joined.sorted)
        return arrays_of(give_below(flow.joined, joined, heights))

    work = _Incise(incision, ways, out)
    engine.hand_out(f"{name} heights", work, TileValues, out.tiling.tiles, solve)
