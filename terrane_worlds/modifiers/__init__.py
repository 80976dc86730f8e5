# SPDX-License-Identifier: GPL-3.0-or-later
"""Modifiers in tiles: by their stages, or by a file of their own for what is routed.

::

    @register(StreamErosion, cost)
    def stream_erosion(modifier: StreamErosion, land: Land, height: TiledField, seed: int) -> TiledRelief:
        ...

A function returns what `Modifier.relief` gives for the whole land, to the bit: the modified height and
the maps that were made. It leaves opacity and mask to `terrane_worlds.layers`, which lays the change over
the ground. `seed` is the modifier's own, the one that `relief` gets.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from noise_core.base.grid import Grid
from noise_core.base.params import Declared
from noise_core.modifiers.bases.modifier import Modifier

from ..cost import Cost
from ..counting_runner import CountingRunner
from ..fields import TiledField
from ..land import Land
from ..registry import Staged, TiledRegistry
from ..tiled_runner import TiledRunner
from ..tiling import Tiling

TiledRelief = tuple[TiledField, dict[str, TiledField]]
"""A height in meters, and maps by name; all float32, in the tiling of the land."""

TiledModifier = Callable[[Any, Land, TiledField, int], TiledRelief]
"""Takes the modifier, the land, the height (float32, meters, in the land's tiling) and the seed."""


def build_stages(modifier: Modifier, land: Land, height: TiledField, seed: int) -> TiledRelief:
    """Return what the stages of a modifier make."""
    run = TiledRunner(land)
    made = modifier.stages(run, run.take(height), seed)
    maps = {name: run.keep(raster) for name, raster in made.maps.items()}
    return run.keep(made.height), maps


def count_stages(modifier: Modifier, who: str, grid: Grid, tiling: Tiling) -> Cost:
    """Return what the stages of a modifier need; `who` starts messages."""
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
