# SPDX-License-Identifier: GPL-3.0-or-later
"""Modifiers in tiles: one file per type, registered for the class of the core.

::

    @register(Blur)
    def blur(modifier: Blur, land: Land, height: TiledField, seed: int) -> TiledRelief:
        ...

A function returns what `Modifier.relief` gives for the whole land, to the bit: the modified height and
the maps that were made. It leaves opacity and mask to `worlds.layers`, which lays the change over
the ground. `seed` is the modifier's own, the one that `relief` gets. What the work needs of memory and disk
is declared with it: ``@register(Blur, Cost(worker=40.0))``; so is what cannot be done: see `registry.Check`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from noise_core.base.params import Declared

from ..fields import TiledField
from ..land import Land
from ..registry import TiledRegistry

TiledRelief = tuple[TiledField, dict[str, TiledField]]
"""A height in meters, and maps by name; all float32, in the tiling of the land."""

TiledModifier = Callable[[Any, Land, TiledField, int], TiledRelief]
"""Takes the modifier, the land, the height (float32, meters, in the land's tiling) and the seed."""

REGISTRY: TiledRegistry[TiledModifier] = TiledRegistry(__name__)

register = REGISTRY.register


def tiled_modifiers() -> Mapping[type[Declared], TiledModifier]:
    """Return what is done in tiles, by the modifier's class."""
    return REGISTRY.all()
