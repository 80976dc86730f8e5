# SPDX-License-Identifier: GPL-3.0-or-later
"""Terrain larger than memory, with the bits of the same recipe in memory.

A large one is built on two processes by ``World("alps", rows=16384, columns=16384).build("alps.zarr", workers=2)``.

Examples
--------
>>> from terrane_worlds import World
>>> world = World("alps", rows=16384, columns=16384)
>>> len(world.tiling.tiles)
64
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from noise_core.base.late_modules import late_modules

from .base.errors import WorldError
from .base.extra import require_extra

if TYPE_CHECKING:
    from .arrays.blocks import read_blocks, sample_blocks
    from .arrays.labeled import array_apply, array_grid, array_map, to_dataset
    from .builds.exporting import export_world
    from .builds.world import World

__all__ = (
    "World",
    "WorldError",
    "array_apply",
    "array_grid",
    "array_map",
    "export_world",
    "read_blocks",
    "sample_blocks",
    "to_dataset",
)

_HOMES = {
    "World": ".builds.world",
    "array_apply": ".arrays.labeled",
    "array_grid": ".arrays.labeled",
    "array_map": ".arrays.labeled",
    "export_world": ".builds.exporting",
    "read_blocks": ".arrays.blocks",
    "sample_blocks": ".arrays.blocks",
    "to_dataset": ".arrays.labeled",
}
"""Names that are imported on first use, and the modules that define them."""

if not TYPE_CHECKING:  # a checker sees the imports above
    _find = late_modules(__name__, _HOMES)

    def __getattr__(name: str) -> Any:
        if name in _HOMES:
            require_extra()
        return _find(name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
