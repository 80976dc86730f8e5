# SPDX-License-Identifier: GPL-3.0-or-later
"""Land around a terrain, as a mesh that begins at its border and continues the relief at low detail.

It is made again when the heights, the maps, the colors or the materials of the terrain change.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np

from ....noise_core.base.arrays import Field
from ....noise_core.base.blocks import Cancel, Progress, unheard
from ....noise_core.base.errors import TerraneError
from ....noise_core.base.grid import Grid
from ....noise_core.landscapes.far_land.land import FarLand, FinishedTerrain, far_land
from ....noise_core.materials.ground.measures import GroundMeasures
from ....noise_core.materials.ground.plan import GroundPlan
from ..datablocks import meshes
from ..datablocks.polygons import PolygonMesh
from ..datablocks.record import text_of
from ..nodetree.terrain_material import plan, settings
from ..schema import masks
from ..tasks.jobs import Work
from ..tasks.product import Product
from ..terrain import catalog, map_layers, terrains
from ..terrain.terrain_product import TERRAIN
from . import ground_colors, land_meshes, parts, waters

PART = waters.LAND


@dataclass(frozen=True)
class _LandArrays:
    """A finished land: its mesh, texture coordinates of its corners, and colors of its vertices."""

    mesh: PolygonMesh
    corners: Field
    colors: Field | None


@dataclass(frozen=True)
class LandRequest:
    """State of a terrain's mesh that the land around depends on, beside the heights."""

    materials: tuple[str | None, ...]
    maps: tuple[str, ...]
    color_state: object
    colors: Field | None = dataclasses.field(default=None, repr=False, compare=False)
    """Colors of the vertices, if they have just been stored: Blender takes long to read them."""

    @classmethod
    def of(cls, terrain: bpy.types.Object, colors: Field | None = None) -> LandRequest:
        """Return the request for the land around a terrain."""
        mesh = meshes.mesh_of(terrain)
        names = (None if material is None else material.name for material in mesh.materials)
        return cls(tuple(names), tuple(sorted(_maps_of(mesh))), _color_state(terrain), colors)


class SurroundingLand(Product):
    """The land around a terrain."""

    key = PART
    source = TERRAIN

    def request(self, terrain: bpy.types.Object) -> LandRequest | None:
        """Return the materials, maps and colors of the terrain; None without land around it."""
        return None if parts.of_terrain(terrain, PART) is None else LandRequest.of(terrain)

    def holders(self, terrain: bpy.types.Object) -> Sequence[bpy.types.ID]:
        """Return the mesh of the land."""
        obj = parts.of_terrain(terrain, PART)
        return () if obj is None else (meshes.mesh_of(obj),)

    def work(
        self,
        terrain: bpy.types.Object,
        request: LandRequest,
        side: int | None = None,
    ) -> Work:
        """Read the terrain, and return the work that makes the land; a TerraneError says why it cannot be made."""
        behind = terrains.made_request(terrain) or terrains.present_request(terrain)
        mesh_grid, points = terrains.grid_points(terrain)
        mesh, grid = meshes.mesh_of(terrain), behind.grid()
        painted = masks.fields(terrain, behind, grid)
        maps = _maps_of(mesh)
        edge = points.reshape(-1, 3)[land_meshes.border(mesh_grid.rows, mesh_grid.columns)]
        finished = FinishedTerrain(
            np.ascontiguousarray(points[..., 2]),
            {name: values.reshape(points.shape[:2]) for name, values in maps.items()},
            mesh_grid.size,
            grid.origin,
        )
        color = None
        if ground_colors.is_there(terrain):
            color = _VertexColors.of(terrain, points.shape[:2], request.colors)

        def make(progress: Progress, cancel: Cancel) -> _LandArrays:
            land = far_land(
                finished,
                behind.acting,
                lambda relief, height, grid: catalog.compute(
                    maps.keys(), relief, height, grid, unheard, cancel
                ),
                masks=painted,
                progress=progress,
                cancel=cancel,
            )
            colors = None if color is None else color.texels(land, finished, cancel)
            return _build(finished, edge, land, colors)

        return make

    def write(
        self, terrain: bpy.types.Object, request: Any, result: Any, *, is_preview: bool = False
    ) -> str:
        """Replace the mesh, give it the terrain's materials, and let the sea lie over it; it may be added now."""
        obj = parts.of_terrain(terrain, PART)
        if obj is None:
            obj = parts.add(bpy.context.scene, PART, "Terrane Land", terrain)
            obj.hide_select = True
        mesh: Any = meshes.mesh_of(obj)
        result.mesh.write(mesh)
        meshes.add_uv_map(mesh, result.corners)
        if result.colors is not None:
            ground_colors.store(mesh, result.colors)
        fit_materials(terrain)
        waters.fit_open_sea(terrain)
        return ""


LAND = SurroundingLand()


def fit_materials(terrain: bpy.types.Object) -> None:
    """Give the land around a terrain, if there is some, the terrain's materials."""
    obj = parts.of_terrain(terrain, PART)
    if obj is None:
        return
    mesh, materials = meshes.mesh_of(obj), [slot.material for slot in terrain.material_slots]
    if list(mesh.materials) != materials:
        mesh.materials.clear()
        for material in materials:
            mesh.materials.append(material)


def _maps_of(mesh: bpy.types.Mesh) -> dict[str, Field]:
    """Return the maps of one number on a terrain's mesh that Terrane has made."""
    names = (*map_layers.MapChoice.of(mesh).written, settings.DRY)
    stored = {name: meshes.read_attribute(mesh, name) for name in names}
    return {name: values for name, values in stored.items() if values is not None}


def _color_state(terrain: bpy.types.Object) -> object:
    """Return the settings behind the colors of the land; None without colors."""
    if not ground_colors.is_there(terrain):
        return None
    return ground_colors.plan_text(terrain), text_of(
        meshes.mesh_of(terrain), ground_colors.COLORS.key
    )


@dataclass(frozen=True)
class _VertexColors:
    """Coloring of a land: the plan, and the colors of the terrain's vertices if they were read."""

    plan: GroundPlan
    near: Field | None

    @classmethod
    def of(
        cls, terrain: bpy.types.Object, shape: tuple[int, ...], near: Field | None
    ) -> _VertexColors:
        """Return the coloring of a terrain; its own colors are read unless they are given."""
        if near is None or near.size != 4 * math.prod(shape):
            near = ground_colors.read(meshes.mesh_of(terrain))
        ground_plan = plan.ground_plan(ground_colors.plan_text(terrain))
        return cls(ground_plan, None if near is None else near.reshape(*shape, 4))

    def texels(self, land: FarLand, terrain: FinishedTerrain, cancel: Cancel) -> Field:
        """Return the colors of all vertices, as Blender stores them."""
        ground_plan, size = self.plan, terrain.size
        if ground_plan.measures is None:
            measures = GroundMeasures.of(terrain.height, size, terrain.maps, ground_plan.sea)
            ground_plan = dataclasses.replace(ground_plan, measures=measures)
        # Every second sample will do from afar.
        height, half = land.coarse[::2, ::2], {}
        wide = 2.0 * land.grid.spacing * max(height.shape[1] - 1, 1)
        for name in ("flow", "cavity", "river", *land.coarse_maps):
            coarse = land.coarse_maps.get(name)
            half[name] = np.zeros_like(height) if coarse is None else coarse[::2, ::2]
        grid = Grid(*height.shape, size=wide)
        flat = ground_colors.texels(
            np.ascontiguousarray(height), grid, ground_plan, half, unheard, cancel
        )
        far = flat.reshape(*height.shape, 4)
        rows, columns = terrain.height.shape
        edge = land_meshes.border(rows, columns)
        count = len(edge)
        texels = np.ones((count + land.height.size, 4), np.float32)
        for channel in range(3):
            outer = far[..., channel]
            if self.near is None:
                texels[count:, channel] = land.rings.sample(outer, land.extent).reshape(-1)
                texels[:count, channel] = texels[count, channel]
                continue
            inner = self.near[..., channel]
            texels[:count, channel] = inner.reshape(-1)[edge]
            texels[count:, channel] = land.blend(inner, terrain, outer).reshape(-1)
        return texels.reshape(-1)


def _build(
    terrain: FinishedTerrain, edge: meshes.Positions, land: FarLand, colors: Field | None
) -> _LandArrays:
    """Return the mesh of a land in the terrain's own axes."""
    rows, columns = terrain.height.shape
    low, high = meshes.bounds_of(edge[:, :2])
    middle, width = 0.5 * (low + high), high - low
    stretch = width / np.array((1.0, terrain.depth))
    flat = land.rings.points().reshape(-1, 2) * stretch + middle
    places = np.empty((len(flat), 3), np.float32)
    places[:, :2], places[:, 2] = flat, land.height.reshape(-1)
    inner = land_meshes.border(rows, columns)
    maps: Mapping[str, Field] = {
        name: np.concatenate((terrain.maps[name].reshape(-1)[inner], values.reshape(-1)))
        for name, values in land.maps.items()
    }
    mesh = land_meshes.land_mesh(edge, (rows, columns), land.rings, places, maps)
    if not np.isfinite(places).all():
        raise TerraneError("the surroundings of the terrain have no finite heights")
    shares = (mesh.places[:, :2] - low) * (1.0 / width).astype(np.float32)
    return _LandArrays(mesh, meshes.flatten(shares[mesh.corners]), colors)
