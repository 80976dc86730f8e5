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

from .base.errors import WorldError
from .builds.world import World

__all__ = ("World", "WorldError")
