# SPDX-License-Identifier: GPL-3.0-or-later
"""One step of stream erosion on a level in tiles: see `noise_core.erosion.stream.step.advance`."""

from __future__ import annotations

from dataclasses import dataclass

from noise_core.erosion.stream.limits import StreamPowerParams, widens_cuts

from ..flow.accumulation import accumulate
from ..flow.heights import cut_dams, incise
from ..flow.routing import FlowFields, TiledFlow, find_basins, route
from ..tiles.fields import TiledField
from ..tiles.land import Land
from .terrain import GroundTiles, TiledTerrain
from .works import Cut, Descend, GiveBack, IsDammed, Raise, Slide, Wear, Widen


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
    before: TiledField | None,
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
    before : TiledField or None
        The ground when the level began, if the height that it wore on the whole is to be given back.
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
    for settled in (cut.worn, cut.load):
        if settled is not None:
            settled.remove()
    if before is not None:
        new = _give_back(ground, before, new, flow, land)
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


def _give_back(
    ground: GroundTiles, before: TiledField, new: TiledField, flow: TiledFlow, land: Land
) -> TiledField:
    """Return the ground with the height that the level wore on the whole given back."""
    tiling, engine = new.tiling, land.engine
    risen = land.new_field("risen", "float32", tiling)
    cut_dams(flow, GiveBack(ground, before, new), risen, engine, "give_back")
    new.remove()
    if not widens_cuts(ground.streams, ground.terrain.slides):
        work = IsDammed(ground.terrain, risen, flow.fields.ways)
        dammed, fixed = zip(*engine.ask("dammed", work, tiling.tiles))
        if not (any(dammed) and any(fixed)):
            return risen
    widened = land.new_field("widened", "float32", tiling)
    incise(flow, Widen(ground, risen), widened, engine, "widen")
    risen.remove()
    return widened
