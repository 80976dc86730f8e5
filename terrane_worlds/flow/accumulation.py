# SPDX-License-Identifier: GPL-3.0-or-later
"""Sums along the flow of a land in tiles, such as drainage areas."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from noise_core.base.arrays import Field
from noise_core.flow_routing.directions import Cells
from noise_core.flow_routing.tree import Sums, unit_of_sums

from ..base.tiling import Window
from ..tiles.engine import Engine
from ..tiles.fields import TiledField
from .joined import join_values
from .rings import TileValues, Values, arrays_of, within
from .routing import TiledFlow
from .waves import add_up


@dataclass(frozen=True)
class _Shares:
    """The weights of tiles in whole multiples of a unit."""

    weights: Callable[[Window], Field]
    unit: float

    def __call__(self, tile: Window) -> Sums:
        shares = self.weights(tile).reshape(-1).astype(np.float64)
        shares /= self.unit
        return np.rint(shares, out=shares)


@dataclass(frozen=True)
class _SumWithin:
    """Stage: the sums of a tile's own weights by the ends of its flow."""

    shares: _Shares
    labels: TiledField

    def __call__(self, tile: Window) -> Sums:
        labels = self.labels.read(tile).reshape(-1)
        return np.bincount(labels, self.shares(tile)).astype(np.float64)


@dataclass(frozen=True)
class _AddUp:
    """Stage: the sums of a tile, with the inflow from others."""

    shares: _Shares
    ways: TiledField
    out: TiledField

    def __call__(self, inflow: TileValues) -> None:
        sums = self.shares(inflow.tile)
        sums[inflow.cells] += inflow.values
        add_up(within(self.ways.read(inflow.tile)), sums)
        sums *= self.shares.unit
        self.out.write(inflow.tile, sums.reshape(inflow.tile.shape))


@dataclass(frozen=True)
class _Largest:
    """Stage: the largest weight of a tile, without its sign."""

    weights: Callable[[Window], Field]

    def __call__(self, tile: Window) -> float:
        values = self.weights(tile)
        return max(float(np.max(values)), -float(np.min(values)))


def accumulate(
    flow: TiledFlow,
    weights: Callable[[Window], Field],
    out: TiledField,
    engine: Engine,
    name: str,
) -> None:
    """Write the sum of the weights of each cell and of all that drains through it.

    Parameters
    ----------
    flow : TiledFlow
    weights : callable
        Gives those of a tile, float32; picklable.
    out : TiledField
        Receives the sums; its type is that to which they are rounded.
    engine : Engine
    name : str
        Of the stages.
    """
    tiles, fields = out.tiling.tiles, flow.fields
    largest = engine.ask(f"{name} largest", _Largest(weights), tiles)
    shares = _Shares(weights, unit_of_sums(max(largest), out.tiling.rows * out.tiling.columns))
    sums = engine.ask(f"{name} within", _SumWithin(shares, fields.labels), tiles)

    def inflow() -> list[tuple[Cells, Values]]:
        return arrays_of(flow.joined.inflow(join_values(sums)))

    engine.hand_out(f"{name} inflow", _AddUp(shares, fields.ways, out), TileValues, tiles, inflow)
