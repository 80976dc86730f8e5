# SPDX-License-Identifier: GPL-3.0-or-later
"""A height field becomes a new mesh, step by step: a large one takes Blender a quarter of a second.

Until it is done nothing uses the mesh, so that nothing draws or saves it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import bpy
import numpy as np

from ...noise_core.arrays import Field
from ...noise_core.blocks import Cancel, Progress
from ...noise_core.errors import TerraneError
from ...noise_core.grid import Grid
from . import compat, meshes
from .jobs import Work
from .meshes import Part
from .steps import Steps
from .topology import Topology

SMALL = 1 << 16
"""Vertices below which a mesh is made in one step: that takes less than ten milliseconds."""


def grid_mesh(
    name: str, grid: Grid, height: Field, maps: Mapping[str, Field]
) -> Steps[bpy.types.Mesh]:
    """Take the steps to a new smooth mesh of a height field, centred, with one UV map.

    If they are not taken to the end, nothing is left of it.

    Parameters
    ----------
    name : str
        What Blender calls it.
    grid : Grid
        Gives width and depth in metres.
    height : ndarray of shape (rows, columns), float32
        In metres.
    maps : mapping of str to ndarray of that shape
        Become attributes of the vertices.

    Raises
    ------
    TerraneError
        If somebody removes it meanwhile.
    """
    topology = Topology(grid.rows, grid.columns)
    if topology.vertices < SMALL:
        return _small(name, grid, height, maps)
    unfinished, is_done = _Unfinished(name), False
    try:
        for add in meshes.room_for(topology):
            add(unfinished.found())
            yield None
        for part in (*meshes.parts_of(topology), _positions(grid, height)):
            values = yield _making(part)
            part.write(unfinished.found(), values)
            del values
            yield None
        mesh = unfinished.found()
        meshes.write_maps(mesh, maps)
        compat.positions_changed(mesh)
        is_done = True
        return mesh
    finally:
        if not is_done:
            unfinished.remove()


def _small(name: str, grid: Grid, height: Field, maps: Mapping[str, Field]) -> bpy.types.Mesh:
    """Return a mesh that is there before a thread could have helped."""
    mesh = bpy.data.meshes.new(name)
    meshes.fill_topology(mesh, Topology(grid.rows, grid.columns))
    meshes.set_positions(mesh, meshes.grid_positions(grid, height))
    meshes.write_maps(mesh, maps)
    compat.positions_changed(mesh)
    return mesh


class _Unfinished:
    """A mesh that nothing uses yet, by its name and Blender's number: an undo may take it away."""

    def __init__(self, name: str) -> None:
        mesh = bpy.data.meshes.new(name)
        self._name, self._number = mesh.name, mesh.session_uid

    def found(self) -> bpy.types.Mesh:
        """Return the mesh; raise a TerraneError if it is gone."""
        mesh = self._searched()
        if mesh is None:
            raise TerraneError(f"{self._name} was removed meanwhile: nothing was changed")
        return mesh

    def remove(self) -> None:
        """Remove it if it is there."""
        mesh = self._searched()
        if mesh is not None:
            bpy.data.meshes.remove(mesh)

    def _searched(self) -> bpy.types.Mesh | None:
        named = bpy.data.meshes.get(self._name)
        if named is not None and named.session_uid == self._number:
            return named
        return next((one for one in bpy.data.meshes if one.session_uid == self._number), None)


def _positions(grid: Grid, height: Field) -> Part:
    def make() -> Any:
        return meshes.flat(meshes.grid_positions(grid, height))

    def write(mesh: bpy.types.Mesh, positions: Any) -> None:
        meshes.set_positions(mesh, positions)

    return Part(make, write)


def _making(part: Part) -> Work:
    """Return the work that makes an array; it is too short to be stopped."""

    def made(progress: Progress, cancel: Cancel) -> np.ndarray[Any, Any]:
        return part.make()

    return made
