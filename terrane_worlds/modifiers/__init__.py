# SPDX-License-Identifier: GPL-3.0-or-later
"""Modifiers in tiles: by their stages, or by a separate file for modifiers that route water.

::

    @register(StreamErosion, cost)
    def stream_erosion(modifier: StreamErosion, land: Land, height: TiledField, seed: int) -> TiledRelief:
        ...

A function returns the relief of `Modifier.relief` for the whole land, to the bit: the modified height and
the maps that were made, those that the land does not want or not. It leaves opacity and mask to `terrane_worlds.recipes.layers`, which lays the change over
the ground. `seed` is the modifier's own, the one that `relief` gets.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from noise_core.base.grid import Grid
from noise_core.base.params import Declared
from noise_core.modifiers.bases.modifier import Modifier

from ..base.tiling import Tiling
from ..stages.counting_runner import CountingRunner
from ..stages.tiled_runner import TiledRunner
from ..tiles.cost import Cost
from ..tiles.fields import TiledField
from ..tiles.land import Land
from ..tiles.registry import Staged, TiledRegistry

TiledRelief = tuple[TiledField, dict[str, TiledField]]
"""A height in meters, and maps by name; all float32, in the tiling of the land."""

TiledModifier = Callable[[Any, Land, TiledField, int], TiledRelief]
"""Takes the modifier, the land, the height (float32, meters, in the land's tiling) and the seed."""


def build_stages(modifier: Modifier, land: Land, height: TiledField, seed: int) -> TiledRelief:
    """Return the relief that the stages of a modifier make."""
    run = TiledRunner(land)
    relief = modifier.stages(run, run.take(height), seed)
    maps = {name: run.keep(raster) for name, raster in relief.maps.items() if land.wants(name)}
    return run.keep(relief.height), maps


def count_stages(modifier: Modifier, who: str, grid: Grid, tiling: Tiling) -> Cost:
    """Return the cost of the stages of a modifier; `who` starts messages."""
    run = CountingRunner(grid, tiling, who)
    modifier.stages(run, run.take(), 0)
    return run.cost


def has_stages(cls: type[Declared]) -> bool:
    """Return whether a type describes itself in stages."""
    return issubclass(cls, Modifier) and cls.stages is not Modifier.stages


REGISTRY: TiledRegistry[TiledModifier] = TiledRegistry(
    __name__, Staged(build_stages, has_stages, count_stages)
)

register = REGISTRY.register
