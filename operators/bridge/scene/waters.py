# SPDX-License-Identifier: GPL-3.0-or-later
"""Water over a terrain, as a mesh: lakes as erosion left them, the sea, and rivers between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import bpy

from ....noise_core.base.errors import TerraneError
from ....noise_core.flow_routing import water_levels as levels
from ....noise_core.landscapes.scene import Water
from ....noise_core.rasters.height_field import HeightField
from ..datablocks import meshes
from ..datablocks.linked import is_writable
from ..datablocks.polygons import PolygonMesh
from ..datablocks.ref import Ref
from ..tasks.jobs import Work
from ..tasks.product import Product
from ..tasks.steps import Steps
from ..terrain import terrains
from ..terrain.terrain_product import TERRAIN
from . import open_seas, parts, settings, water_material, water_meshes
from .open_seas import Surf

PART, OPEN_SEA, LAND = "water", "open_sea", "land"
"""Parts: the water over a terrain, the sea around, and the land around, which the sea lies over."""

_REACH = "terrane_reach"
"""Custom property of the open sea: widths of the terrain from its middle to where it begins."""


@dataclass(frozen=True)
class WaterRequest:
    """Settings of the water over a terrain, and other values that its mesh depends on."""

    water: Water
    has_lakes: bool = False
    """Whether erosion has left the levels of lakes; see `levels.standing_water`."""
    reach: float | None = None
    """Widths of the terrain from its middle to where the open sea begins; None without one."""
    palette: str = field(default="", repr=False)
    """That of the material of water that is laid, or laid anew, with these settings; empty if it is there."""
    surface: HeightField | None = field(default=None, repr=False)
    """The surface of the terrain, if it is known."""


def lay(terrain: bpy.types.Object, request: WaterRequest) -> Steps[bool]:
    """Take the steps that lay water over a terrain, or lay it anew; return whether any of it is wet.

    Nothing is written if none is.
    """
    ref = Ref.of(terrain)
    polygons: PolygonMesh = yield WATER.work(terrain, request)
    yield None
    if not len(polygons.starts):
        return False
    terrain = ref.resolve()
    WATER.finish(terrain, WATER.update(terrain, request), polygons)
    return True


def no_water_error(terrain: bpy.types.Object) -> TerraneError:
    """Return the error that says that there is no water on a terrain."""
    text = "{} is dry: set a sea level, more rivers, or let erosion leave lakes"
    return TerraneError(text, terrain.name)


class TerrainWater(Product):
    """The water over a terrain, made again when the heights or its settings change."""

    key = "water"
    source = TERRAIN

    def request(self, terrain: bpy.types.Object) -> WaterRequest | None:
        """Return the settings of the water; None without water."""
        objects = _writable_parts(terrain)
        if PART not in objects:
            return None
        ring = objects.get(OPEN_SEA)
        names, attributes = (*levels.HELD, levels.DRAWN), meshes.mesh_of(terrain).attributes
        has_lakes = any(name in attributes for name in names)
        reach = None if ring is None else ring.get(_REACH)
        return WaterRequest(settings.water_of(objects[PART]), has_lakes, reach)

    def holders(self, terrain: bpy.types.Object) -> Sequence[bpy.types.ID]:
        """Return the meshes of the water and of the sea around."""
        objects = _writable_parts(terrain)
        return [meshes.mesh_of(objects[part]) for part in (PART, OPEN_SEA) if part in objects]

    def work(
        self, terrain: bpy.types.Object, request: WaterRequest, side: int | None = None
    ) -> Work:
        """Return the work that finds where water stands and flows."""
        return water_meshes.work(terrain, request.water, request.surface)

    def write(
        self,
        terrain: bpy.types.Object,
        request: WaterRequest,
        result: PolygonMesh,
        *,
        is_preview: bool = False,
    ) -> str:
        """Replace the mesh of the water, and that of the sea around; the water may be laid now."""
        if request.palette:
            _add(terrain, request)
        objects = _writable_parts(terrain)
        obj = objects[PART]
        result.write(meshes.mesh_of(obj))
        if OPEN_SEA in objects:
            _write_open_sea(objects[OPEN_SEA], terrain, obj)
        return ""


WATER = TerrainWater()


def _add(terrain: bpy.types.Object, request: WaterRequest) -> None:
    """Add the object of the water over a terrain, unless it is there, and write its settings and its material."""
    context = bpy.context
    obj = parts.find(context.scene, PART, terrain)
    if obj is None:
        obj = parts.add(context.scene, PART, "Terrane Water", terrain)
    settings.write_water(obj, request.water)
    water_material.write(context.scene, obj, request.palette, has_swell=request.water.sea)


def _writable_parts(terrain: bpy.types.Object) -> dict[Any, bpy.types.Object]:
    """Return the parts of a terrain that may be changed, by name."""
    return {
        child.get(parts.MARK): child
        for child in terrain.children
        if is_writable(child) and child.data is not None and is_writable(child.data)
    }


def own_settings(terrain: bpy.types.Object) -> Water | None:
    """Return the settings of the water over a terrain that may be changed; None if there is none."""
    obj = parts.of_terrain(terrain, PART)
    return None if obj is None else settings.water_of(obj)


def settings_of(scene: bpy.types.Scene, terrain: bpy.types.Object) -> Water | None:
    """Return the settings of the water over a terrain; None if there is none."""
    obj = parts.find(scene, PART, terrain)
    return None if obj is None else settings.water_of(obj)


def sea_of(scene: bpy.types.Scene, terrain: bpy.types.Object) -> float | None:
    """Return the level of a terrain's sea in meters; None if it has none."""
    water = settings_of(scene, terrain)
    return water.level if water is not None and water.sea else None


def write_open_sea(context: bpy.types.Context, terrain: bpy.types.Object, reach: float) -> None:
    """Let the sea of a terrain go on to the horizon, from a distance off its middle in widths.

    As long as the terrain has no sea the mesh is empty.
    """
    scene = context.scene
    water = parts.find(scene, PART, terrain)
    if water is None:
        return
    obj = parts.find(scene, OPEN_SEA, terrain)
    if obj is None:
        obj = parts.add(context.scene, OPEN_SEA, "Terrane Open Sea", terrain)
        meshes.mesh_of(obj).materials.append(water.active_material)
        water_material.show_color(obj, water.active_material)
    obj[_REACH] = reach
    _write_open_sea(obj, terrain, water)
    WATER.note(terrain)


def fit_open_sea(terrain: bpy.types.Object) -> None:
    """Let the sea around a terrain, if there is one, fit the land there."""
    objects = _writable_parts(terrain)
    if PART in objects and OPEN_SEA in objects:
        _write_open_sea(objects[OPEN_SEA], terrain, objects[PART])


def _write_open_sea(
    obj: bpy.types.Object, terrain: bpy.types.Object, water: bpy.types.Object
) -> None:
    """Write the open sea around a terrain with water: its hole has the terrain's shape."""
    sea, values = open_seas.no_sea(), settings.water_of(water)
    if values.sea:
        low, high = meshes.bounds_of(meshes.finite_positions_of(terrain)[:, :2])
        land = parts.of_terrain(terrain, LAND)
        ground = None if land is None else meshes.mesh_of(land)
        where = (low, high, obj[_REACH], values.level)
        sea = open_seas.open_sea(*where, ground, _surf(terrain, water))
    sea.write(meshes.mesh_of(obj))


def _surf(terrain: bpy.types.Object, water: bpy.types.Object) -> Surf:
    """Return the surf of a terrain's sea."""
    mesh_grid = terrains.built_grid(terrain)
    cells = water_meshes.breakers(max(mesh_grid.rows, mesh_grid.columns) - 1)
    return Surf(meshes.mesh_of(water), cells * mesh_grid.size / max(mesh_grid.columns - 1, 1))


def remove(scene: bpy.types.Scene, terrain: bpy.types.Object) -> None:
    """Remove the water over a terrain, and the sea around it."""
    for part in (OPEN_SEA, PART):
        parts.remove_from(scene, part, terrain)
