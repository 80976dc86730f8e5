# SPDX-License-Identifier: GPL-3.0-or-later
"""Heights along the flow of a land in tiles: incision from the outlets up, cuts from the sources down."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from noise_core.base.arrays import Field
from noise_core.flow_routing.directions import Cells, Directions, Mask
from noise_core.flow_routing.incision import Incision, Rules, cut_through, solve_along
from noise_core.flow_routing.peeling import peel_leaves
from noise_core.flow_routing.tree import FlowTree, MainChannels

from ..base.tiling import Window
from ..tiles.engine import Engine
from ..tiles.fields import TiledField
from .channels import (
    JoinedChannels,
    TileChannels,
    find_entries,
    give_below,
    give_entries,
    through_channels,
)
from .rings import TileValues, Values, arrays_of, leaving, within
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


@dataclass(frozen=True)
class Dams:
    """Ground that rivers have yet to cut through.

    Attributes
    ----------
    height : ndarray of shape (rows, columns), float32
        In meters; may be written to.
    falls : ndarray of that shape, float32
        How far each cell has to lie above its receiver, in meters.
    fixed : ndarray of that shape, bool
        Cells that keep their height.
    """

    height: Field
    falls: Field
    fixed: Mask

    def cut(self, directions: Directions) -> Field:
        """Return the height of a tile after its rivers have cut through the dams that lie in it."""
        inner = within(directions)
        tree = FlowTree(inner, self.height, peel_leaves(inner, wrap=False))
        return cut_through(self.height, tree, self.falls, self.fixed)


@dataclass(frozen=True)
class _TellCuts:
    """Stage: new heights of the cells where a tile's own rivers leave, and through which others' pass."""

    dams: Callable[[Window, Directions], Dams]
    ways: TiledField

    def __call__(self, entries: TileValues) -> tuple[TileChannels, Field, Field, Mask]:
        tile, ways = entries.tile, self.ways.read(entries.tile)
        starts = np.concatenate((entries.cells, np.flatnonzero(leaving(ways))))
        channels = through_channels(ways, starts)
        channels_of_tile = TileChannels.tell(channels, ways, tile, self.ways.tiling.columns)
        dams = self.dams(tile, ways)
        height = dams.cut(ways).reshape(-1)[channels.cells]
        falls, fixed = dams.falls.reshape(-1), dams.fixed.reshape(-1)
        return channels_of_tile, height, falls[channels.cells], fixed[channels.cells]


@dataclass(frozen=True)
class _CutDams:
    """Stage: each tile, with the heights of the cells into which water of others comes."""

    dams: Callable[[Window, Directions], Dams]
    ways: TiledField
    out: TiledField

    def __call__(self, entries: TileValues) -> None:
        ways = self.ways.read(entries.tile)
        dams = self.dams(entries.tile, ways)
        dams.height.reshape(-1)[entries.cells] = entries.values
        self.out.write(entries.tile, dams.cut(ways))


def cut_dams(
    flow: TiledFlow,
    dams: Callable[[Window, Directions], Dams],
    out: TiledField,
    engine: Engine,
    name: str,
) -> None:
    """Write the heights after rivers have cut through dams; see `noise_core.flow_routing.incision.cut_through`.

    Parameters
    ----------
    flow : TiledFlow
    dams : callable
        Gives those of a tile with its directions; picklable.
    out : TiledField of float32
        Where the new heights go, in meters.
    engine : Engine
    name : str
        Of the stages.
    """
    ways = flow.fields.ways
    tell = _TellCuts(dams, ways)
    replies = engine.ask(f"{name} dams", tell, lambda: find_entries(flow.joined))

    def solve() -> list[tuple[Cells, Values]]:
        joined = JoinedChannels.join([channel for channel, *_ in replies], out.tiling.shape)
        order = joined.sorted.cells
        height = np.concatenate([reply[1] for reply in replies])[order]
        falls = np.concatenate([reply[2] for reply in replies])[order]
        fixed = np.concatenate([reply[3] for reply in replies])[order]
        heights = np.empty(len(joined.cells), np.float32)
        heights[order] = _cut_along(height, falls, fixed, joined.sorted)
        return arrays_of(give_entries(flow.joined, joined, heights))

    engine.hand_out(f"{name} cuts", _CutDams(dams, ways, out), TileValues, out.tiling.tiles, solve)


def _cut_along(height: Field, falls: Field, fixed: Mask, channels: MainChannels) -> Field:
    """Return the heights of channels' cells, none higher than its donors allow."""
    starts, parents = channels.starts.tolist(), channels.parents
    for level in range(len(starts) - 2, 0, -1):
        part = slice(starts[level], starts[level + 1])
        to, lowest = parents[part], height[part] - falls[part]
        is_dam = (height[to] > lowest) & ~fixed[to]
        # Of several assignments to one place the last one stays: that of the lowest donor.
        to, lowest = to[is_dam], lowest[is_dam]
        order = np.argsort(-lowest, kind="stable")
        height[to[order]] = lowest[order]
    return height
