# SPDX-License-Identifier: GPL-3.0-or-later
"""Maps in tiles: one file per type, registered for the class of the core.

::

    @register(Slope)
    def slope(one: Slope, land: Land, height: TiledField) -> TiledField:
        ...

A function returns what `Map.values` gives for the whole land, to the bit. Masks that read the ground use
the same functions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from noise_core.base.params import Declared

from ..fields import TiledField
from ..land import Land
from ..registry import TiledRegistry

TiledMap = Callable[[Any, Land, TiledField], TiledField]
"""Takes the map, the land and the height (float32, meters, in the land's tiling)."""

REGISTRY: TiledRegistry[TiledMap] = TiledRegistry(__name__)

register = REGISTRY.register


def tiled_maps() -> Mapping[type[Declared], TiledMap]:
    """Return what is done in tiles, by the map's class."""
    return REGISTRY.all()
