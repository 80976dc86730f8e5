# SPDX-License-Identifier: GPL-3.0-or-later
"""New meshes of height fields, built in steps because a large one takes a quarter of a second.

The mesh has no users until it is finished, so it is neither drawn nor saved.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import closing

import bpy

from ....noise_core.base.arrays import Field
from ....noise_core.base.errors import TerraneError
from ....noise_core.base.grid import Grid
from ....noise_core.landscapes.grid_meshes.regular_grid import Topology, grid_positions
from ..datablocks import compat, evaluated_geometry
from ..datablocks.meshes import UV_NAME, MeshArray, map_arrays
from ..datablocks.ref import Ref
from ..tasks import steps
from ..tasks.jobs import as_work
from ..tasks.steps import Steps

SMALL = 1 << 16
"""Most vertices of a mesh built in one step, which takes less than ten milliseconds."""

FindMesh = Callable[[], bpy.types.Mesh]
"""Function that finds the mesh being written, which may be gone after a step."""


class DraftMesh:
    """New mesh built in several steps; an undo between them may remove it.

    Use it in ``with contextlib.closing(...)``.
    """

    def __init__(self, name: str, rows: int, columns: int) -> None:
        mesh = evaluated_geometry.new_grid(name, rows, columns)
        self._mesh: Ref[bpy.types.Mesh] | None = Ref.of(mesh)
        self._name = name
        self._carrier: Ref[bpy.types.Object] | None = None

    def close(self) -> None:
        """Remove the mesh unless it was kept."""
        self._drop_carrier()
        mesh = None if self._mesh is None else self._mesh.find()
        if mesh is not None:
            bpy.data.meshes.remove(mesh)

    def mesh(self) -> bpy.types.Mesh:
        """Return the mesh; raise a TerraneError if it is gone."""
        assert self._mesh is not None, "it was kept"
        return self._mesh.resolve()

    def carrier(self) -> bpy.types.Object:
        """Return an object with the mesh, in no scene, for writing vertex groups."""
        mesh = self.mesh()
        if self._carrier is None:
            self._carrier = Ref.of(bpy.data.objects.new(mesh.name, mesh))
        carrier = self._carrier.resolve()
        if carrier.data != mesh:
            raise TerraneError("{} was removed meanwhile: nothing was changed", self._name)
        return carrier

    def keep(self) -> bpy.types.Mesh:
        """Keep the finished mesh and return it."""
        mesh = self.mesh()
        self._drop_carrier()
        self._mesh = None
        return mesh

    def _drop_carrier(self) -> None:
        carrier = None if self._carrier is None else self._carrier.find()
        self._carrier = None
        if carrier is not None:
            bpy.data.objects.remove(carrier)


def build_mesh(
    name: str, grid: Grid, height: Field, maps: Mapping[str, Field]
) -> Steps[bpy.types.Mesh]:
    """Take the steps to a new smooth mesh of a height field in meters, centered, with one UV map.

    The maps, of the shape of the heights, become attributes of the vertices. If the steps are not
    completed, the mesh is removed; a TerraneError is raised if it is removed between two of them.
    """
    with closing(DraftMesh(name, *grid.shape)) as draft:
        filling = _fill(draft, grid, height, maps)
        if grid.rows * grid.columns < SMALL:
            steps.at_once(filling)
        else:
            yield from filling
        return draft.keep()


def _fill(draft: DraftMesh, grid: Grid, height: Field, maps: Mapping[str, Field]) -> Steps[None]:
    yield None
    yield from write_geometry(draft.mesh, grid, height)
    yield from write_maps(draft.mesh, maps)
    compat.update_positions(draft.mesh())


def write_geometry(find: FindMesh, grid: Grid, height: Field) -> Steps[None]:
    """Take the steps that write the geometry and the UV map of a height field into a mesh with its elements."""
    topology = Topology(grid.rows, grid.columns)
    for array in (
        MeshArray(".edge_verts", topology.edge_vertices),
        MeshArray(".corner_vert", topology.corner_vertices),
        MeshArray(".corner_edge", topology.corner_edges),
        MeshArray(UV_NAME, topology.corner_coordinates, _add_uv_map),
        MeshArray("position", lambda: grid_positions(grid, height)),
    ):
        yield from write_array(find, array)


def _add_uv_map(mesh: bpy.types.Mesh) -> bool:
    mesh.uv_layers.new(name=UV_NAME, do_init=False)
    return True


def write_maps(find: FindMesh, maps: Mapping[str, Field]) -> Steps[tuple[str, ...]]:
    """Take the steps of `meshes.write_maps`."""
    refused = []
    for array in map_arrays(maps):
        if not (yield from write_array(find, array)):
            refused.append(array.name)
    return tuple(refused)


def write_array(find: FindMesh, array: MeshArray) -> Steps[bool]:
    """Take the steps that add an array to a mesh; return whether Blender allows it."""
    if not array.add(find()):
        return False
    yield None
    values = yield as_work(array.compute)
    array.store(find(), values)
    del values
    yield None
    return True
