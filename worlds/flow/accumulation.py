# SPDX-License-Identifier: GPL-3.0-or-later
"""Sums along the flow of a land in tiles: drainage areas, and what rivers carry."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from noise_core.base.arrays import Field
from noise_core.flow_routing.directions import Cells
from noise_core.flow_routing.tree import Sums, unit_of_sums

from ..engine import Engine
from ..fields import TiledField
from ..tiling import Window
from .channels import through_channels
from .joined import JoinedEnds
from .routing import TiledFlow
from .tile_tree import TileTree


@dataclass(frozen=True)
class _Inflow:
    """What comes into a tile: by the numbers of its cells."""

    tile: Window
    cells: Cells
    amounts: Sums


@dataclass(frozen=True)
class _SumWithin:
    """Stage: the sums of a tile's own weights."""

    weights: Callable[[Window], Field]
    unit: float
    ways: TiledField
    sums: TiledField

    def __call__(self, tile: Window) -> Sums:
        tree = TileTree.of(self.ways.read(tile))
        sums = self.weights(tile).reshape(-1).astype(np.float64)
        sums /= self.unit
        np.rint(sums, out=sums)
        tree.flow().add_up(sums)
        self.sums.write(tile, sums.reshape(tile.shape))
        return sums[tree.ends]


@dataclass(frozen=True)
class _AddInflow:
    """Stage: what comes in from other tiles, added along its way."""

    ways: TiledField
    sums: TiledField
    unit: float
    out: TiledField

    def __call__(self, inflow: _Inflow) -> None:
        sums = self.sums.read(inflow.tile).astype(np.float64)
        flat = sums.reshape(-1)
        channels = through_channels(self.ways.read(inflow.tile), inflow.cells)
        carried = np.zeros(len(flat), np.float64)
        carried[inflow.cells] = inflow.amounts
        flat[channels.cells] += channels.accumulate(carried[channels.cells])
        if self.unit != 1.0:
            sums *= self.unit
        self.out.write(inflow.tile, sums)


@dataclass(frozen=True)
class _Largest:
    """Stage: the largest weight of a tile, without its sign."""

    weights: Callable[[Window], Field]

    def __call__(self, tile: Window) -> float:
        values = self.weights(tile)
        return max(float(values.max()), -float(values.min()))


def accumulate(
    flow: TiledFlow,
    out: TiledField,
    engine: Engine,
    name: str,
    weights: Callable[[Window], Field] | None = None,
    sums: TiledField | None = None,
) -> None:
    """Write the sum of the weights of each cell and of all that drains through it.

    Parameters
    ----------
    flow : TiledFlow
    out : TiledField
        Where they go; its type is what they are rounded to.
    engine : Engine
    name : str
        Of the stages.
    weights : callable, optional
        Gives those of a tile, float32; picklable. Without any cells are counted.
    sums : TiledField of float64, optional
        For what is found on the way; needed with weights.
    """
    tiling = out.tiling
    own, unit, found = flow.fields.counts, 1.0, None
    if weights is not None:
        assert sums is not None
        own = sums
        largest = engine.ask(f"{name} largest", _Largest(weights), tiling.tiles)
        unit = unit_of_sums(max(largest), tiling.rows * tiling.columns)
        within = _SumWithin(weights, unit, flow.fields.ways, sums)
        found = engine.run(f"{name} within", within, tiling.tiles)

    def inflows() -> list[tuple[Cells, Sums]]:
        totals = flow.counts
        if found is not None:
            totals = np.concatenate([np.zeros(1, np.float64), *(one[1:] for one in found)])
        return _inflows(flow.ends, flow.ends.accumulate(totals))

    work = _AddInflow(flow.fields.ways, own, unit, out)
    engine.hand_out(f"{name} inflow", work, _Inflow, tiling.tiles, inflows)


def _inflows(ends: JoinedEnds, totals: Sums) -> list[tuple[Cells, Sums]]:
    """Return, for each tile, the cells into which water of others comes, and how much."""
    cells, which = np.unique(ends.entries, return_inverse=True)
    counted = np.bincount(which.reshape(-1), totals[ends.crossings], len(cells))
    amounts = np.asarray(counted, np.float64)
    tiles = ends.rings.tiling.tiles
    return [
        (ends.rings.inside(tile, cells[places]), amounts[places])
        for tile, places in zip(tiles, ends.rings.split(cells))
    ]
