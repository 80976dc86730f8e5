# SPDX-License-Identifier: GPL-3.0-or-later
"""One step of stream erosion on a level in tiles: see `noise_core.erosion.stream.step.advance`."""

from __future__ import annotations

from dataclasses import dataclass, replace

from noise_core.erosion.stream.limits import StreamPowerParams

from ..flow.accumulation import accumulate
from ..flow.heights import incise
from ..flow.routing import FlowFields, TiledFlow, find_basins, route
from ..tiles.fields import TiledField
from ..tiles.land import Land
from .terrain import GroundTiles, TiledTerrain
from .works import Cut, Descend, LevelWear, Raise, Slide, Wear


@dataclass(frozen=True)
class StepResult:
    """Result of a step.

    Attributes
    ----------
    height : TiledField
        In meters.
    flow : TiledFlow
    areas : TiledField
        Drained, in cells.
    """

    height: TiledField
    flow: TiledFlow
    areas: TiledField

    def remove(self) -> None:
        """Remove all but the height."""
        self.flow.fields.remove()
        self.areas.remove()


def advance(
    height: TiledField,
    terrain: TiledTerrain,
    streams: StreamPowerParams,
    share: float,
    before: TiledField,
    factor: float,
    rounds: int,
    land: Land,
) -> StepResult:
    """Return the ground after one step over a share of the duration.

    Parameters
    ----------
    height : TiledField
        In meters.
    terrain : TiledTerrain
    streams : StreamPowerParams
    share : float
    before : TiledField
        The ground when the level began: it rises by its wear on the whole.
    factor : float
        Of that wear.
    rounds : int
        In which that rise is found; 0 for none in this step.
    land : Land
        For the names and the fields of this step.
    """
    tiling, engine = height.tiling, land.engine

    def field(name: str, dtype: str = "float32") -> TiledField:
        return land.new_field(name, dtype, tiling)

    raised, areas = field("raised"), field("areas")
    layers = engine.run("raise", Raise(terrain, streams, share, height, raised), tiling.tiles)
    lowest = min((layer for layer in layers if layer is not None), default=None)
    terrain = terrain.with_lowest_layer(lowest)
    ground = GroundTiles(terrain, streams, share, raised, areas)
    fields = FlowFields.create(land.folder / "flow", tiling)
    basins = find_basins(
        Descend(ground),
        terrain.level,
        fields,
        engine,
        "flow",
        deepest_lake=streams.deepest_lake,
    )
    flow = route(basins, fields, areas, engine, "flow")
    fields.descent.remove()
    cut = Cut(ground)
    if streams.sediment > 0.0:
        cut = _settle(cut, flow, land)
    fields.labels.remove()
    new = field("cut")
    incise(flow, cut, new, engine, "cut")
    for number in range(rounds):
        cut = replace(cut, overall=(*cut.overall, LevelWear(terrain, before, new, factor)))
        new = field(f"risen_{number}")
        incise(flow, cut, new, engine, f"rise_{number}")
    for done in (cut.worn, cut.load, *(wear.height for wear in cut.overall)):
        if done is not None:
            done.remove()
    slid = field("slid")
    engine.run("slide", Slide(ground, new, slid), tiling.tiles)
    new.remove()
    raised.remove()
    return StepResult(slid, flow, areas)


def _settle(cut: Cut, flow: TiledFlow, land: Land) -> Cut:
    """Return the incision with the deposits of material that a first one wears off."""
    tiling = cut.ground.height.tiling
    first, worn, load = (
        land.new_field(name, "float32", tiling) for name in ("first", "worn", "load")
    )
    incise(flow, cut, first, land.engine, "first")
    land.engine.run("wear", Wear(cut, first, worn), tiling.tiles)
    first.remove()
    accumulate(flow, worn.read, load, land.engine, "load")
    return Cut(cut.ground, worn, load)
