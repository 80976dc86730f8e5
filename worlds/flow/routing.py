# SPDX-License-Identifier: GPL-3.0-or-later
"""Flow routing in tiles: from heights to the flow of the whole land, depressions and all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from noise_core.base.arrays import Field
from noise_core.flow_routing.basins import Spillways
from noise_core.flow_routing.directions import Cells, Directions, Mask, receivers
from noise_core.flow_routing.routing import turn_around
from noise_core.flow_routing.tree import Sums
from noise_core.types.level import Level

from ..engine import Engine
from ..fields import TiledField
from ..tiling import Tiling, Window
from .joined import JoinedEnds, join_values
from .joined_flow import JoinedFlow
from .rings import Rings, TileValues, numbers_of, ring, within
from .spilling import Spilling, solve_basins
from .tile_tree import GONE, TileEnds, TileTree
from .waves import add_up


@dataclass(frozen=True)
class Descent:
    """The ground of a tile, before depressions are removed.

    Attributes
    ----------
    height : ndarray of shape (rows, columns), float32
        In meters.
    directions : ndarray of that shape, uint8
        Of descent, across the edges of the tile too; 0 at outlets.
    outlets : ndarray of that shape, bool
        Where water leaves for good.
    """

    height: Field
    directions: Directions
    outlets: Mask


@dataclass(frozen=True)
class FlowFields:
    """Where a flow is kept while it is worked out.

    Attributes
    ----------
    descent : TiledField of uint8
        Directions before depressions are removed.
    labels : TiledField of int32
        Where the flow of each cell ends within its tile, by these directions.
    ways : TiledField of uint8
        Directions afterwards.
    """

    descent: TiledField
    labels: TiledField
    ways: TiledField

    @classmethod
    def create(cls, folder: Path, tiling: Tiling) -> FlowFields:
        """Return fields in a folder."""
        kinds = {"descent": "u1", "labels": "i4", "ways": "u1"}
        return cls(
            *(TiledField.create(folder / name, tiling, kind) for name, kind in kinds.items())
        )

    def remove(self) -> None:
        """Remove all of them; see `TiledField.remove`."""
        for field in (self.descent, self.labels, self.ways):
            field.remove()


@dataclass(frozen=True)
class _TileStart:
    """What a tile has to say about its descent."""

    ends: TileEnds
    counts: Sums
    pits: Field
    ring_heights: Field
    passes: Spillways
    has_outlets: bool
    lowest: tuple[float, int]


@dataclass(frozen=True)
class _FindEnds:
    """First stage: each tile alone."""

    descend: Callable[[Window], Descent]
    level: Level
    fields: FlowFields
    on_triangles: bool

    def __call__(self, tile: Window) -> _TileStart:
        ground = self.descend(tile)
        flat = ground.height.reshape(-1)
        lowest = int(flat.argmin())
        tree = TileTree.of(ground.directions, ground.outlets)
        self.fields.descent.write(tile, ground.directions)
        self.fields.labels.write(tile, tree.labels)
        return _TileStart(
            tree.tell(tile, self.level.columns),
            np.bincount(tree.labels.reshape(-1)).astype(np.float64),
            flat[tree.ends],
            ring(ground.height),
            tree.passes(ground.height, self.level, tile, self.on_triangles),
            bool(ground.outlets.any()),
            (float(flat[lowest]), int(numbers_of(tile, np.array(lowest), self.level.columns))),
        )


@dataclass(frozen=True)
class _WithOutlet:
    """Ground in which water leaves in one cell of the land."""

    descend: Callable[[Window], Descent]
    cell: tuple[int, int]

    def __call__(self, tile: Window) -> Descent:
        ground = self.descend(tile)
        row, column = self.cell[0] - tile.row, self.cell[1] - tile.column
        if 0 <= row < tile.rows and 0 <= column < tile.columns:
            ground.outlets[row, column], ground.directions[row, column] = True, 0
        return ground


@dataclass(frozen=True)
class _TurnAround:
    """Second stage: each tile with the flow through its depressions, and what drains through its cells."""

    fields: FlowFields
    areas: TiledField

    def __call__(self, told: tuple[TileValues, TileValues]) -> None:
        turns, inflow = told
        directions = turned(self.fields.descent.read(turns.tile), turns.cells, turns.values)
        self.fields.ways.write(turns.tile, directions)
        counts = np.ones(directions.size, np.float64)
        counts[inflow.cells] += inflow.values
        add_up(within(directions), counts)
        self.areas.write(turns.tile, counts.reshape(directions.shape))


def turned(directions: Directions, cells: Cells, ways: Directions) -> Directions:
    """Return a tile's directions with the flow from some cells to its ends turned around."""
    inner = within(directions)
    changed, _ = turn_around(inner, receivers(inner, wrap=False), cells, ways, cells)
    result = directions.copy()
    result.reshape(-1)[changed] = inner.reshape(-1)[changed]
    return result


@dataclass(frozen=True)
class TiledFlow:
    """The flow of a land in tiles.

    Attributes
    ----------
    fields : FlowFields
    joined : JoinedFlow
        By the ends of descent, whose labels `FlowFields.labels` holds.
    """

    fields: FlowFields
    joined: JoinedFlow


@dataclass(frozen=True)
class TiledBasins:
    """The basins of a land in tiles.

    Attributes
    ----------
    ends : JoinedEnds
        By directions that end in depressions, whose labels `FlowFields.labels` holds.
    spilling : Spilling
        By the numbers of these ends.
    counts : ndarray of shape (ends,), float64
        How many cells drain to each end within its tile.
    """

    ends: JoinedEnds
    spilling: Spilling
    counts: Sums

    def levels_of(self, number: int) -> Field:
        """Return the water levels of a tile by its labels, in meters; -inf where there is none."""
        levels: Field = self.spilling.levels[self.ends.of_tile(number)]
        levels[GONE] = -np.inf
        return levels


def find_basins(
    descend: Callable[[Window], Descent],
    level: Level,
    fields: FlowFields,
    engine: Engine,
    name: str,
    *,
    deepest_lake: float | None = None,
    on_triangles: bool = False,
    needs_outlet: bool = True,
) -> TiledBasins:
    """Return the basins of a land in tiles; directions of descent and labels go into the fields.

    Parameters
    ----------
    descend : callable
        Gives the ground of a tile; picklable.
    level : Level
        Of the land.
    fields : FlowFields
    engine : Engine
    name : str
        Of the stage.
    deepest_lake, on_triangles
        See `noise_core.flow_routing.routing.route`.
    needs_outlet : bool
        If no tile has an outlet: whether the lowest cell of all is one. Otherwise no water stands anywhere.
    """
    tiling = fields.descent.tiling
    work = _FindEnds(descend, level, fields, on_triangles)
    starts = engine.run(f"{name} descent", work, tiling.tiles)
    if needs_outlet and not any(one.has_outlets for one in starts):
        _, cell = min(one.lowest for one in starts)
        outlet = _WithOutlet(descend, divmod(cell, tiling.columns))
        starts = engine.run(f"{name} outlet", replace(work, descend=outlet), tiling.tiles)
    ends = JoinedEnds.join(Rings(tiling), [one.ends for one in starts])
    spilling = solve_basins(
        ends,
        [one.passes for one in starts],
        join_values([one.pits for one in starts]),
        np.concatenate([one.ring_heights for one in starts]),
        level,
        deepest_lake=deepest_lake,
        on_triangles=on_triangles,
    )
    return TiledBasins(ends, spilling, join_values([one.counts for one in starts]))


def route(
    basins: TiledBasins, fields: FlowFields, areas: TiledField, engine: Engine, name: str
) -> TiledFlow:
    """Return the flow through the basins of a land, with the directions of the whole in memory.

    Parameters
    ----------
    basins : TiledBasins
    fields : FlowFields
        Of these basins.
    areas : TiledField
        Where it is written how many cells drain through each one, itself included.
    engine : Engine
    name : str
        Of the stage.
    """
    spilling = basins.spilling
    joined = JoinedFlow.of(basins.ends, spilling)
    turns = joined.rings.hand_out(spilling.cells, spilling.ways)
    told = list(zip(turns, joined.inflow(basins.counts)))
    engine.run(f"{name} turning", _TurnAround(fields, areas), told)
    return TiledFlow(fields, joined)
