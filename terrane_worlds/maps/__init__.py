# SPDX-License-Identifier: GPL-3.0-or-later
"""Maps in tiles: by their stages, or by a separate file for maps of routed water.

::

    @register(Flow, cost)
    def flow(one: Flow, land: Land, height: TiledField) -> TiledField:
        ...

A function returns the values of `Map.values` for the whole land, to the bit. Masks that read the ground use
the same functions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from noise_core.base.grid import Grid
from noise_core.base.params import Declared
from noise_core.maps.bases.map import Map

from ..base.tiling import Tiling
from ..stages.counting_runner import CountingRunner
from ..stages.tiled_runner import TiledRunner
from ..tiles.cost import Cost
from ..tiles.fields import TiledField
from ..tiles.land import Land
from ..tiles.registry import Staged, TiledRegistry

TiledMap = Callable[[Any, Land, TiledField], TiledField]
"""Takes the map, the land and the height (float32, meters, in the land's tiling)."""


def read_stages(relief_map: Map, land: Land, height: TiledField) -> TiledField:
    """Return the field that the stages of a map make."""
    run = TiledRunner(land)
    return run.keep(relief_map.stages(run, run.take(height)))


def count_stages(relief_map: Map, who: str, grid: Grid, tiling: Tiling) -> Cost:
    """Return the cost of the stages of a map; `who` starts messages."""
    run = CountingRunner(grid, tiling, who)
    relief_map.stages(run, run.take())
    return run.cost


def has_stages(cls: type[Declared]) -> bool:
    """Return whether a type describes itself in stages, or by its reach alone."""
    return issubclass(cls, Map) and (cls.stages, cls.reach) != (Map.stages, Map.reach)


REGISTRY: TiledRegistry[TiledMap] = TiledRegistry(
    __name__, Staged(read_stages, has_stages, count_stages)
)

register = REGISTRY.register
