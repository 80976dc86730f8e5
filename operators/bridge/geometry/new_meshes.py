# SPDX-License-Identifier: GPL-3.0-or-later
"""A height field becomes a new mesh, step by step: a large one takes Blender a quarter of a second.

Until it is done nothing uses the mesh, so that nothing draws or saves it.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing

import bpy

from ....noise_core.arrays import Field
from ....noise_core.grid import Grid
from .. import compat, meshes
from ..work import memory, parts, steps
from ..work.parts import Found, Part
from ..work.steps import Steps
from .topology import Topology
from .unfinished import Unfinished

SMALL = 1 << 16
"""Vertices below which a mesh is made in one step: that takes less than ten milliseconds."""


def grid_mesh(
    name: str, grid: Grid, height: Field, maps: Mapping[str, Field]
) -> Steps[bpy.types.Mesh]:
    """Take the steps to a new smooth mesh of a height field, centered, with one UV map.

    If they are not taken to the end, nothing is left of it.

    Parameters
    ----------
    name : str
        What Blender calls it.
    grid : Grid
        Gives width and depth in meters.
    height : ndarray of shape (rows, columns), float32
        In meters.
    maps : mapping of str to ndarray of that shape
        Become attributes of the vertices.

    Raises
    ------
    TerraneError
        If somebody removes it meanwhile.
    """
    with closing(Unfinished(name)) as unfinished:
        taken = _filled(unfinished, grid, height, maps)
        if grid.rows * grid.columns < SMALL:
            steps.at_once(taken)
        else:
            yield from taken
        return unfinished.kept()


def _filled(
    unfinished: Unfinished, grid: Grid, height: Field, maps: Mapping[str, Field]
) -> Steps[None]:
    yield from geometry_written(unfinished.mesh, grid, height)
    yield from meshes.maps_written(maps, unfinished.mesh)
    compat.positions_changed(unfinished.mesh())


def geometry_written(found: Found, grid: Grid, height: Field) -> Steps[None]:
    """Take the steps that give an empty mesh the geometry and the UV map of a height field."""
    topology = Topology(grid.rows, grid.columns)
    for room in meshes.room_for(topology):
        yield from memory.warmed(room.sizes)
        room.make(found())
        yield None
    positions = Part(
        lambda: parts.flat(meshes.grid_positions(grid, height)),
        lambda mesh, values: meshes.set_positions(mesh, values),
    )
    for part in (*meshes.parts_of(topology), positions):
        yield from parts.written(part, found)
