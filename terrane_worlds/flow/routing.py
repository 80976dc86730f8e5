# SPDX-License-Identifier: GPL-3.0-or-later
"""Flow routing in tiles: from heights to the flow of the whole land, depressions and all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from noise_core.base.arrays import Field
from noise_core.flow_routing.basin_tree import Spillways
from noise_core.flow_routing.descent import closed_ways
from noise_core.flow_routing.directions import Cells, Directions, Mask, receivers
from noise_core.flow_routing.flat_marks import FLAT
from noise_core.flow_routing.flats import drain_flats
from noise_core.flow_routing.routing import turn_around
from noise_core.flow_routing.tree import Sums
from noise_core.rasters.level import Level

from ..base.tiling import Tiling, Window
from ..tiles.engine import Engine, Joined
from ..tiles.fields import TiledField
from .descent import Descent, MarksOnly, WithOutlet
from .flats import CutFlats, FlatShare, FlatWork
from .joined import JoinedEnds, join_values
from .joined_flow import JoinedFlow
from .rings import Rings, numbers_of, ring, within
from .spilling import Spilling, solve_basins
from .tile_tree import GONE, TileEnds, TileTree
from .waves import add_up


@dataclass(frozen=True)
class FlowFields:
    """Fields of a flow while it is worked out.

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
    """Descent of a tile, as the caller needs it."""

    ends: TileEnds
    counts: Sums
    pits: Field
    ring_heights: Field
    passes: Spillways
    has_outlets: bool
    lowest: tuple[float, int]
    flats: Mask


@dataclass(frozen=True)
class _FindEnds:
    """First stage: each tile alone, then with its share of the flats that edges of tiles cut."""

    descend: Callable[[Window], Descent]
    level: Level
    fields: FlowFields
    on_triangles: bool

    def __call__(self, item: Window | FlatShare) -> _TileStart:
        tile, beyond = (item, None) if isinstance(item, Window) else (item.tile, item.beyond)
        ground = self.descend(tile)
        flat = ground.height.reshape(-1)
        lowest = int(np.argmin(flat))
        flats = np.greater_equal(ring(ground.marks), FLAT)
        part = self.level.part(tile.row, tile.column, tile.rows, tile.columns)
        directions = drain_flats(ground.marks, part, closed_ways(self.on_triangles), beyond)
        outlets = ground.outlets
        if ground.hollows is not None:
            outlets = outlets | (ground.hollows & (directions == 0))
        tree = TileTree.of(directions, outlets)
        self.fields.descent.write(tile, directions)
        self.fields.labels.write(tile, tree.labels)
        return _TileStart(
            tree.tell(tile, self.level.columns),
            np.bincount(tree.labels.reshape(-1)).astype(np.float64),
            flat[tree.ends],
            ring(ground.height),
            tree.passes(ground.height, self.level, tile, self.on_triangles),
            bool(outlets.any()),
            (float(flat[lowest]), int(numbers_of(tile, np.array(lowest), self.level.columns))),
            flats,
        )


@dataclass(frozen=True)
class _Turn:
    """Channels that a tile has to turn around, and its inflow from others."""

    tile: Window
    cells: Cells
    ways: Directions
    entries: Cells
    amounts: Sums


@dataclass(frozen=True)
class _TurnAround:
    """Second stage: each tile with the flow through its depressions, and the drainage through its cells."""

    fields: FlowFields
    areas: TiledField

    def __call__(self, turn: _Turn) -> None:
        directions = turned(self.fields.descent.read(turn.tile), turn.cells, turn.ways)
        self.fields.ways.write(turn.tile, directions)
        counts = np.ones(directions.size, np.float64)
        counts[turn.entries] += turn.amounts
        add_up(within(directions), counts)
        self.areas.write(turn.tile, counts.reshape(directions.shape))


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
    solved : Joined
        Of `joined`.
    """

    fields: FlowFields
    solved: Joined[JoinedFlow]

    @property
    def joined(self) -> JoinedFlow:
        """The flow by the ends of descent, whose labels `FlowFields.labels` holds."""
        return self.solved.value


@dataclass(frozen=True)
class TiledBasins:
    """The basins of a land in tiles.

    Attributes
    ----------
    solved : Joined
        Of `ends`, `spilling` and `counts`.
    """

    solved: Joined[tuple[JoinedEnds, Spilling, Sums]]

    @property
    def ends(self) -> JoinedEnds:
        """The ends by directions that end in depressions, whose labels `FlowFields.labels` holds."""
        return self.solved.value[0]

    @property
    def spilling(self) -> Spilling:
        """Spillways of the basins, by the numbers of these ends."""
        return self.solved.value[1]

    @property
    def counts(self) -> Sums:
        """Cells that drain to each end within its tile: shape (ends,), float64."""
        return self.solved.value[2]

    def levels_of(self, number: int) -> Field:
        """Return the water levels of a tile by its labels, in meters; -inf where there is none."""
        levels: Field = self.spilling.levels[self.ends.of_tile(number)]
        levels[GONE] = -np.inf
        return levels

    def levels(self) -> list[tuple[Field]]:
        """Return `levels_of` each tile, in their order."""
        count = len(self.ends.rings.tiling.tiles)
        return [(self.levels_of(number),) for number in range(count)]


@dataclass(frozen=True)
class WaterLevels:
    """A tile, and its water levels by its labels; see `TiledBasins.levels`."""

    tile: Window
    levels: Field


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
    if needs_outlet:
        cell = engine.solve(f"{name} outlet cell", lambda: _missing_outlet(starts))
        if cell is not None:
            outlet = WithOutlet(descend, cell, level, closed_ways(on_triangles))
            work = replace(work, descend=outlet)
            starts = engine.run(f"{name} outlet", work, tiling.tiles)
    starts = _join_flats(work, starts, engine, name)

    def join() -> tuple[JoinedEnds, Spilling, Sums]:
        ends = JoinedEnds.join(Rings(tiling), [start.ends for start in starts])
        spilling = solve_basins(
            ends,
            [start.passes for start in starts],
            join_values([start.pits for start in starts]),
            np.concatenate([start.ring_heights for start in starts]),
            level,
            deepest_lake=deepest_lake,
            on_triangles=on_triangles,
        )
        return ends, spilling, join_values([start.counts for start in starts])

    return TiledBasins(engine.join(join))


def _join_flats(
    work: _FindEnds, starts: Sequence[_TileStart], engine: Engine, name: str
) -> Sequence[_TileStart]:
    """Return the starts of all tiles once flats that their edges cut are joined; the same if there are none."""
    rings, closed = Rings(work.fields.descent.tiling), closed_ways(work.on_triangles)

    def cut() -> CutFlats:
        return CutFlats.of(rings, [start.flats for start in starts], closed)

    if not engine.solve(f"{name} cut flats", lambda: len(cut().near)):
        return starts
    flats = FlatWork(MarksOnly(work.descend), work.level, closed)
    return engine.hand_out(
        f"{name} flats",
        work,
        FlatShare,
        rings.tiling.tiles,
        lambda: cut().solve(flats, engine, name),
    )


def _missing_outlet(starts: Sequence[_TileStart]) -> int | None:
    """Return the lowest cell of all if no tile has an outlet."""
    if any(start.has_outlets for start in starts):
        return None
    return min(start.lowest for start in starts)[1]


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
    flow = TiledFlow(fields, engine.join(lambda: JoinedFlow.of(basins.ends, basins.spilling)))

    def turns() -> list[tuple[Cells, Directions, Cells, Sums]]:
        spilling = basins.spilling
        turns = flow.joined.rings.hand_out(spilling.cells, spilling.ways)
        inflow = flow.joined.inflow(basins.counts)
        return [
            (turn.cells, turn.values, flow.cells, flow.values) for turn, flow in zip(turns, inflow)
        ]

    tiles = fields.ways.tiling.tiles
    engine.hand_out(f"{name} turning", _TurnAround(fields, areas), _Turn, tiles, turns)
    return flow
