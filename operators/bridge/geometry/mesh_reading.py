# SPDX-License-Identifier: GPL-3.0-or-later
"""What is read of a large mesh is made ready, bit by bit, before all of it is read at once.

To copy a mesh of a million vertices out of Blender takes milliseconds, but for two things that take
several times as long. The memory that it is copied to is given by the system page by page; a thread can
write to it first (`memory.py`). And Blender shares what has not changed between a mesh, its evaluated
copy and its undo steps: whoever asks for an attribute from Python, to read it only, makes Blender copy
that attribute for the mesh alone. Once that is done, reading is quick until the mesh is evaluated again.
So each attribute is asked for in a turn of its own. Nothing is kept of it: what is read afterwards, in
one go, is the mesh as it is then.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import bpy

from .. import meshes
from ..work import memory
from ..work.memory import Block
from ..work.steps import Steps
from .subjects import Thing

FACES = "faces"
"""Where the faces begin, which is no attribute; and the vertices of the mesh itself if a shape key is
active. Together with its corners, that is what the normals of its vertices are made of."""

GRID = ("position", ".corner_vert", ".corner_edge", ".edge_verts")
"""What makes a mesh a grid; see `gridlike.Faces`."""

_ONE = {"position": "vector", FACES: "loop_start"}
"""What is read of one element; "value" of any other."""


def sizes(thing: bpy.types.Object, names: Collection[str]) -> tuple[int, ...]:
    """Return how many bytes each array has that is read, to know a mesh object again too.

    Parameters
    ----------
    thing : Object
        A mesh object.
    names : collection of str
        Attributes, or `FACES`; positions are read twice if a shape key is active.
    """
    mesh = meshes.mesh_of(thing)
    vectors, corners = 12 * len(mesh.vertices), 4 * len(mesh.loops)
    keys = 0 if thing.active_shape_key is None else 1
    of_one = {
        "position": (1 + keys) * (vectors,),
        FACES: (4 * len(mesh.polygons), *(keys * (vectors,))),
        ".corner_vert": (corners,),
        ".corner_edge": (corners,),
        ".edge_verts": (8 * len(mesh.edges),),
    }
    return tuple(size for name in names for size in of_one[name])


def made_ready(thing: Thing, names: Collection[str]) -> Steps[Sequence[Block]]:
    """Take the steps before a mesh object is read; return the memory for it, for `memory.ready`.

    Raises
    ------
    TerraneError
        If it is removed meanwhile.
    """
    blocks: Sequence[Block] = yield memory.touching(sizes(thing.found(), names))
    for name in names:
        yield from memory.warmed(sizes(thing.found(), (name,))[:1])
        _ask_for(thing.found(), name)
        yield None
    return blocks


def _ask_for(thing: bpy.types.Object, name: str) -> None:
    """Read one value; in Edit Mode there are none, or they are not those that will be read."""
    if thing.mode == "EDIT":
        return
    mesh = meshes.mesh_of(thing)
    stored: Any = mesh.polygons if name == FACES else meshes.layer_data(mesh, name)
    if len(stored):
        getattr(stored[0], _ONE.get(name, "value"))
