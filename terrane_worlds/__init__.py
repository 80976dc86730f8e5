# SPDX-License-Identifier: GPL-3.0-or-later
"""Terrain larger than memory, with the bits of the same recipe in memory.

::

    from terrane_worlds import World

    world = World("alps", rows=16384, columns=16384)
    world.build("alps.zarr", workers=2)
    World.open("alps.zarr").height
"""

from __future__ import annotations

from .errors import WorldError
from .world import World

__all__ = ("World", "WorldError")
