# SPDX-License-Identifier: GPL-3.0-or-later
"""Height field to new mesh, in steps: a large one takes Blender a quarter of a second.

Until it is finished nothing uses the mesh, so that nothing draws or saves it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import closing

import bpy

from ....noise_core.base.arrays import Field
from ....noise_core.base.errors import TerraneError
from ....noise_core.base.grid import Grid
from ..datablocks import compat, meshes
from ..datablocks.mesh_layers import MeshArray, map_arrays
from ..datablocks.ref import Ref
from ..datablocks.regular_grid import Topology, element_adders, grid_arrays, grid_positions
from ..tasks import steps
from ..tasks.parts import making
from ..tasks.steps import Steps

SMALL = 1 << 16
"""Vertices below which a mesh is made in one step: that takes less than ten milliseconds."""

FindMesh = Callable[[], bpy.types.Mesh]
"""Returns the mesh that is written to, found again because it may be gone after a step."""


class DraftMesh:
    """New mesh that is built in several steps; an undo between them may remove it.

    Used by ``with contextlib.closing(...)``.

    Parameters
    ----------
    name : str
        Its name.
    """

    def __init__(self, name: str) -> None:
        self._mesh: Ref[bpy.types.Mesh] | None = Ref.of(bpy.data.meshes.new(name))
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
        """Return an object with the mesh, in no scene: vertex groups are written through one."""
        mesh = self.mesh()
        if self._carrier is None:
            self._carrier = Ref.of(bpy.data.objects.new(mesh.name, mesh))
        carrier = self._carrier.resolve()
        if carrier.data != mesh:
            raise TerraneError("{} was removed meanwhile: nothing was changed", self._name)
        return carrier

    def keep(self) -> bpy.types.Mesh:
        """Return the mesh, which is finished and stays."""
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
    """Take the steps to a new smooth mesh of a height field, centered, with one UV map.

    If they are not taken to the end, nothing is left of it.

    Parameters
    ----------
    name : str
        Its name.
    grid : Grid
        Gives width and depth in meters.
    height : ndarray of shape (rows, columns), float32
        In meters.
    maps : mapping of str to ndarray of that shape
        Become attributes of the vertices.

    Raises
    ------
    TerraneError
        If it is removed between two steps.
    """
    with closing(DraftMesh(name)) as draft:
        taken = _fill(draft, grid, height, maps)
        if grid.rows * grid.columns < SMALL:
            steps.at_once(taken)
        else:
            yield from taken
        return draft.keep()


def _fill(draft: DraftMesh, grid: Grid, height: Field, maps: Mapping[str, Field]) -> Steps[None]:
    yield from write_geometry(draft.mesh, grid, height)
    yield from write_maps(draft.mesh, maps)
    compat.update_positions(draft.mesh())


def write_geometry(find: FindMesh, grid: Grid, height: Field) -> Steps[None]:
    """Take the steps that give an empty mesh the geometry and the UV map of a height field."""
    topology = Topology(grid.rows, grid.columns)
    for add in element_adders(topology):
        add(find())
        yield None
    positions = MeshArray(lambda: grid_positions(grid, height), meshes.set_positions)
    for array in (*grid_arrays(topology), positions):
        yield from write_array(find, array)


def write_maps(find: FindMesh, maps: Mapping[str, Field]) -> Steps[tuple[str, ...]]:
    """Take the steps of `mesh_layers.write_maps`."""
    refused = []
    for name, array in map_arrays(maps):
        if not (yield from write_array(find, array)):
            refused.append(name)
    return tuple(refused)


def write_array(find: FindMesh, array: MeshArray) -> Steps[bool]:
    """Take the steps that add an array to a mesh; return whether Blender has allowed it."""
    if not array.add(find()):
        return False
    yield None
    values = yield making(array.compute)
    array.store(find(), values)
    del values
    yield None
    return True
