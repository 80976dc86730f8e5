# SPDX-License-Identifier: GPL-3.0-or-later
"""The haze of a sky over a terrain: it follows the terrain's size and the foot of its land."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import bpy

from ....noise_core.landscapes.scene import Sky
from ..datablocks import meshes
from ..datablocks.linked import is_writable
from ..tasks.product import Product
from ..terrain.terrain_product import TERRAIN
from . import parts
from .sky_nodes import Haze, measures_of

MARK = "terrane_sky"
"""Custom property of a world: its group of nodes for haze."""

_SHARES = "terrane_haze"
"""Custom property of a world: visibility and height of its haze in widths of the terrain under it."""

_SHADOW = 0.22
"""Distance from one cloud's shadow to the next, in widths of the terrain."""

_WRITTEN = "terrane_written"
"""Custom property of the group: the numbers in its nodes, as long as the user has not changed them."""


def haze_of(terrain: bpy.types.Object, visibility: float, height: float) -> Haze:
    """Return the measures of a haze over a terrain in the world's meters; given are widths of the terrain."""
    points = meshes.finite_positions_of(terrain)
    if len(points) == 0:
        return Haze(visibility, height, 0.0, _SHADOW)
    lowest, highest = meshes.bounds_of(points)
    width = float(max((highest - lowest)[:2]))
    scale = terrain.matrix_world.to_scale()
    width = max(width * max(abs(scale.x), abs(scale.y)), 1e-3)
    low = terrain.matrix_world.translation.z + float(lowest[2]) * scale.z
    return Haze(visibility * width, height * width, low, _SHADOW * width)


def note(world: bpy.types.World, terrain: bpy.types.Object, sky: Sky) -> None:
    """Note the terrain that the haze of a world, just written, lies over."""
    world[parts.TERRAIN], world[_SHARES] = terrain, (sky.visibility, sky.haze_height)
    world[MARK][_WRITTEN] = _values(world[MARK])
    HAZE.note(terrain)


def move(world: Any, terrain: bpy.types.Object) -> None:
    """Let the haze of a world lie over another terrain."""
    world[parts.TERRAIN] = terrain
    HAZE.write(terrain, HAZE.request(terrain), None)
    HAZE.note(terrain)


def terrain_under(world: Any) -> bpy.types.Object | None:
    """Return the terrain that the haze of a world lies over; None if it is gone."""
    terrain: bpy.types.Object | None = world.get(parts.TERRAIN)
    return terrain


class TerrainHaze(Product):
    """The haze over a terrain, whose measures change with it."""

    key = "haze"
    source = TERRAIN

    def request(self, terrain: bpy.types.Object) -> object:
        """Return the measures in widths of the terrain; None without haze over it."""
        world = _world_over(terrain)
        return None if world is None else list(world[_SHARES])

    def holders(self, terrain: bpy.types.Object) -> Sequence[bpy.types.ID]:
        """Return the group of nodes."""
        world = _world_over(terrain)
        return () if world is None else (world[MARK],)

    def write(
        self, terrain: bpy.types.Object, request: Any, result: Any, *, is_preview: bool = False
    ) -> str:
        """Set the numbers in the nodes; those that the user has changed stay."""
        world = _world_over(terrain)
        if world is None:
            return ""
        group, measures = world[MARK], measures_of(haze_of(terrain, *world[_SHARES]))
        written, present = group[_WRITTEN].to_dict(), _values(group)
        for name in present.keys() & written.keys():
            if present[name] == written[name]:
                group.nodes[name].outputs[0].default_value = measures[name]
                written[name] = group.nodes[name].outputs[0].default_value
        group[_WRITTEN] = written
        return ""


HAZE = TerrainHaze()


def _world_over(terrain: bpy.types.Object) -> Any | None:
    """Return the world whose haze lies over a terrain; None if there is none."""
    for world in bpy.data.worlds:
        group = (
            world.get(MARK) if is_writable(world) and world.get(parts.TERRAIN) == terrain else None
        )
        if group is not None and group.get(_WRITTEN):
            return world
    return None


def _values(group: Any) -> dict[str, float]:
    """Return the numbers in the nodes of a group that hold measures; none without air."""
    nodes = (group.nodes.get(name) for name in measures_of(Haze(1.0, 1.0, 0.0, 1.0)))
    return {node.name: node.outputs[0].default_value for node in nodes if node is not None}
