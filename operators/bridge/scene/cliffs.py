# SPDX-License-Identifier: GPL-3.0-or-later
"""Cliffs of a terrain: a finer mesh of its steep ground, in place of the terrain's faces there.

The mesh is a separate object, which is not shown. An attribute of the terrain's faces tells which it replaces; a
modifier takes these away and joins the mesh in, as that of a detail patch does. So the terrain's own mesh
stays whole, and so does all that is read from it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import bpy
import numpy as np
import numpy.typing as npt
from mathutils import Vector

from ....noise_core.base.arrays import Field
from ....noise_core.base.blocks import Cancel, Progress, cancellable
from ....noise_core.base.errors import TerraneError
from ....noise_core.landscapes.cliffs import cliff_mesh, sampling
from ....noise_core.landscapes.scene import Cliffs
from ..datablocks import materials, meshes
from ..datablocks.polygons import PolygonMesh
from ..datablocks.ref import Ref
from ..nodetree.node_graph import NodeGraph, Output
from ..tasks.jobs import Work
from ..tasks.product import Product
from ..tasks.steps import Steps
from ..terrain import terrains
from ..terrain.terrain_product import TERRAIN
from . import finer_ground, parts, patches, waters
from .plant_ground import BED

if TYPE_CHECKING:
    from ....noise_core.landscapes.cliffs.cliff_mesh import CliffMesh

PART = "cliffs"

TITLE = "Cliffs"
"""Name of the modifier."""

REPLACED = "terrane_cliffs"
"""Attribute of the terrain's faces: those that cliffs replace."""

_VIEW = "terrane_view"
"""Custom property of the cliffs: where the camera stood, in shares of the width, and where it looked."""

_SUNK = 0.02
"""Of a terrain's width, by which steep ground below the sea stays as it is."""


@dataclass(frozen=True)
class _CliffArrays:
    """Finished cliffs: their mesh in the terrain's axes, attributes, texture coordinates, and replaced faces."""

    mesh: PolygonMesh
    attributes: dict[str, tuple[str, Field]]
    corners: Field
    replaced: npt.NDArray[np.bool_]
    is_cut_short: bool
    """Whether there is more steep ground than vertices are allowed for."""


@dataclass(frozen=True)
class CliffsRequest:
    """Settings of cliffs, the view that they are finest for, and other parts of the terrain that they depend on."""

    cliffs: Cliffs
    view: tuple[float, ...]
    materials: tuple[str | None, ...] = ()
    attributes: tuple[str, ...] = ()
    patch: tuple[int, ...] | None = None
    """First and last row and column of the detail patch, whose ground stays its own."""
    sea: float | None = None

    @classmethod
    def before_camera(
        cls, context: bpy.types.Context, terrain: bpy.types.Object, cliffs: Cliffs
    ) -> CliffsRequest:
        """Return the request for cliffs that are finest before the scene's camera, or around the middle without one."""
        view = _view_of(context.scene.camera, terrain)
        return cls(cliffs, view, *_state_of(terrain))

    def allowed(
        self, terrain: bpy.types.Object, height: Field, size: float
    ) -> npt.NDArray[np.bool_]:
        """Return the cells that may be cliffs: none of paths, of the detail patch and deep under the sea."""
        result = np.ones((height.shape[0] - 1, height.shape[1] - 1), np.bool_)
        bed = meshes.read_attribute(meshes.mesh_of(terrain), BED)
        if bed is not None:
            is_bed = bed.reshape(height.shape) > 0.0
            for rows in (slice(None, -1), slice(1, None)):
                for columns in (slice(None, -1), slice(1, None)):
                    result &= ~is_bed[rows, columns]
        if self.patch is not None:
            top, bottom, left, right = self.patch
            result[top:bottom, left:right] = False
        if self.sea is not None:
            result &= np.maximum(height[1:, 1:], height[:-1, :-1]) > self.sea - _SUNK * size
        return result


def shape(terrain: bpy.types.Object, request: CliffsRequest) -> Steps[TerraneError | None]:
    """Take the steps that make the cliffs of a terrain, or make them anew; return why there are none.

    Nothing is written then.
    """
    ref = Ref.of(terrain)
    result: _CliffArrays = yield CLIFFS.work(terrain, request)
    terrain = ref.resolve()
    if len(result.mesh.starts):
        CLIFFS.finish(terrain, CLIFFS.update(terrain, request), result)
        return None
    if result.is_cut_short:
        return TerraneError("{} has cliffs of more vertices: raise Maximum Vertices", terrain.name)
    text = "{} has no cliffs: no ground is steeper than {:.4g} degrees"
    return TerraneError(text, terrain.name, request.cliffs.steepness)


def settings_of(scene: bpy.types.Scene, terrain: bpy.types.Object) -> Cliffs:
    """Return the settings of a terrain's cliffs; the usual ones if it has none."""
    return finer_ground.settings_of(scene, terrain, PART, Cliffs())


def remove(scene: bpy.types.Scene, terrain: bpy.types.Object) -> None:
    """Remove the cliffs of a terrain, their modifier and their attribute."""
    finer_ground.remove(scene, terrain, PART, TITLE)
    attributes: Any = meshes.mesh_of(terrain).attributes
    if REPLACED in attributes:
        attributes.remove(attributes[REPLACED])
    CLIFFS.forget(terrain)


class TerrainCliffs(Product):
    """The cliffs of a terrain, made again when the heights change."""

    key = PART
    source = TERRAIN

    def request(self, terrain: bpy.types.Object) -> CliffsRequest | None:
        """Return the settings of the cliffs and what they depend on; None without cliffs."""
        obj = parts.of_terrain(terrain, PART)
        if obj is None:
            return None
        return CliffsRequest(
            finer_ground.read_settings(obj, Cliffs()), tuple(obj[_VIEW]), *_state_of(terrain)
        )

    def work(
        self, terrain: bpy.types.Object, request: CliffsRequest, side: int | None = None
    ) -> Work:
        """Read the terrain, and return the work that makes the mesh."""
        mesh_grid, points = terrains.grid_points(terrain)
        size, mesh = float(mesh_grid.size), meshes.mesh_of(terrain)
        height = np.ascontiguousarray(points[..., 2])
        allowed = request.allowed(terrain, height, size)
        low, high = points[0, 0, :2].astype(np.float64), points[-1, -1, :2].astype(np.float64)
        kinds = meshes.smooth_attributes(mesh)
        values = {
            name: meshes.read_layer(mesh, name).values.reshape(*height.shape, -1) for name in kinds
        }

        def make(progress: Progress, cancel: Cancel) -> _CliffArrays:
            with cancellable(cancel):
                cliffs = cliff_mesh.cliff_mesh(
                    height, size, request.cliffs, view=request.view, allowed=allowed
                )
                fine = sampling.between_samples(values, cliffs.samples)
            attributes = {name: (kinds[name], field) for name, field in fine.items()}
            return _arrays(cliffs, attributes, low, (high - low) / _extent(height.shape, size))

        return make

    def write(
        self,
        terrain: bpy.types.Object,
        request: CliffsRequest,
        result: Any,
        *,
        is_preview: bool = False,
    ) -> str:
        """Replace the mesh, mark the terrain's faces, and set the modifier; the cliffs may be added or moved now."""
        obj = finer_ground.hold(terrain, PART, TITLE, request.cliffs)
        obj[_VIEW] = request.view
        mesh: Any = meshes.mesh_of(obj)
        result.mesh.write(mesh)
        mesh.shade_flat()
        meshes.add_uv_map(mesh, result.corners)
        for name, (kind, values) in result.attributes.items():
            meshes.add_values(mesh, name, kind, values)
        materials.copy_materials(meshes.mesh_of(terrain), mesh)
        _mark_faces(meshes.mesh_of(terrain), result.replaced)
        finer_ground.write_modifier(terrain, obj, TITLE, _replaced_faces)
        return ""


CLIFFS = TerrainCliffs()


def _view_of(camera: bpy.types.Object | None, terrain: bpy.types.Object) -> tuple[float, ...]:
    """Return the place of a camera in shares of a terrain's width from its first sample, and its level direction."""
    if camera is None:
        return (0.5, 0.5, 0.0, 0.0)
    mesh_grid, points = terrains.grid_points(terrain)
    inverse = terrain.matrix_world.inverted_safe()
    eye = inverse @ camera.matrix_world.translation
    ahead = inverse.to_3x3() @ (camera.matrix_world.to_3x3() @ Vector((0.0, 0.0, -1.0)))
    flat = Vector((ahead.x, ahead.y)).normalized()
    low, high = points[0, 0], points[-1, -1]
    width = float(high[0] - low[0])
    place = ((eye.x - float(low[0])) / width, (eye.y - float(low[1])) / width)
    return tuple(round(value, 6) for value in (*place, flat.x, flat.y))


def _state_of(terrain: bpy.types.Object) -> tuple[Any, ...]:
    """Return the materials, the attributes, the detail patch and the sea of a terrain."""
    mesh = meshes.mesh_of(terrain)
    names = tuple(None if material is None else material.name for material in mesh.materials)
    attributes = tuple(sorted(meshes.smooth_attributes(mesh)))
    water = waters.own_settings(terrain)
    sea = water.level if water is not None and water.sea else None
    return names, attributes, patches.cells_of(terrain), sea


def _extent(shape: tuple[int, ...], size: float) -> npt.NDArray[np.float64]:
    cell = size / (shape[1] - 1)
    return np.array((size, cell * (shape[0] - 1)))


def _arrays(
    cliffs: CliffMesh, attributes: dict[str, tuple[str, Field]], low: Any, stretch: Any
) -> _CliffArrays:
    places = cliffs.places.copy()
    places[:, :2] = places[:, :2] * stretch + low
    mesh = PolygonMesh.of(
        places.astype(np.float32),
        cliffs.corners.astype(np.int32),
        cliffs.counts.astype(np.int32),
        {},
    )
    rows, columns = cliffs.cells.shape
    shares = cliffs.samples[:, ::-1] / np.array((columns, rows))
    corners = meshes.flatten(shares[cliffs.corners].astype(np.float32))
    return _CliffArrays(mesh, attributes, corners, cliffs.cells.reshape(-1), cliffs.is_cut_short)


def _mark_faces(mesh: bpy.types.Mesh, replaced: npt.NDArray[np.bool_]) -> None:
    """Store which faces of a terrain cliffs replace."""
    if meshes.add_attribute(mesh, REPLACED, "BOOLEAN", "FACE"):
        meshes.layer_data(mesh, REPLACED).foreach_set("value", replaced)
    mesh.update()


def _replaced_faces(graph: NodeGraph) -> Output:
    """Declare the choice of the marked faces."""
    inputs = {"Name": REPLACED}
    marked = graph.node("GeometryNodeInputNamedAttribute", inputs, data_type="BOOLEAN")
    return marked["Attribute"]
