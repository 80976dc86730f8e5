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

from collections.abc import Sequence
from typing import Any

import bpy

from . import memory, meshes
from .memory import Block
from .steps import Steps
from .subjects import Thing

_ATTRIBUTES = {
    "position": "vector",
    ".corner_vert": "value",
    ".corner_edge": "value",
    ".edge_verts": "value",
}
"""What makes a mesh a grid, and the property that holds each value; see `gridlike.Faces`."""


def sizes(thing: bpy.types.Object) -> tuple[int, ...]:
    """Return how many bytes each array has that is read to recognise a mesh, and to know it again."""
    mesh = meshes.mesh_of(thing)
    copies = 2 if thing.active_shape_key is None else 3
    corners = 4 * len(mesh.loops)
    return (*(copies * (12 * len(mesh.vertices),)), corners, corners, 8 * len(mesh.edges))


def is_large(thing: bpy.types.Object) -> bool:
    """Return whether a mesh object is worth the trouble."""
    return sum(sizes(thing)) >= memory.WORTH


def made_ready(thing: Thing) -> Steps[Sequence[Block]]:
    """Take the steps before a mesh object is read; return the memory for it, for `memory.ready`.

    Raises
    ------
    TerraneError
        If it is removed meanwhile.
    """
    blocks: Sequence[Block] = yield memory.touching(sizes(thing.found()))
    for name, value in _ATTRIBUTES.items():
        _ask_for(meshes.mesh_of(thing.found()), name, value)
        yield None
    return blocks


def _ask_for(mesh: bpy.types.Mesh, name: str, value: str) -> None:
    """Read one number of an attribute; in Edit Mode they are not there, or empty."""
    attribute: Any = mesh.attributes.get(name)
    if attribute is not None and len(attribute.data):
        getattr(attribute.data[0], value)
