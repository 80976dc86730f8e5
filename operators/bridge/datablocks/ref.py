# SPDX-License-Identifier: GPL-3.0-or-later
"""Reference to a datablock that outlives undo and the loading of a file.

Undo and loading free the memory that a Python object of Blender points to. Each datablock has a
number that stays the same while Blender runs; a reference stores that number.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

import bpy

from ....noise_core.base.errors import TerraneError

_COLLECTIONS = {
    "COLLECTION": "collections",
    "IMAGE": "images",
    "MATERIAL": "materials",
    "MESH": "meshes",
    "NODETREE": "node_groups",
    "OBJECT": "objects",
    "SCENE": "scenes",
    "TEXTURE": "textures",
    "WINDOWMANAGER": "window_managers",
    "WORLD": "worlds",
}
"""Attribute of ``bpy.data`` by the `id_type` of its datablocks."""

Block = TypeVar("Block", bound="bpy.types.ID")


def uid_of(datablock: bpy.types.ID) -> int:
    """Return the number of an original datablock, for what is forgotten when Blender ends."""
    number: int = datablock.session_uid
    return number


@dataclass(frozen=True)
class Ref(Generic[Block]):
    """Reference to a datablock; two are equal if they refer to the same one, under any name."""

    kind: str
    """Blender's `id_type`, such as ``"OBJECT"``."""
    uid: int
    """Blender's `session_uid`, unique among all datablocks; never 0."""
    name: str = field(compare=False)
    """Name when the reference was created, for messages and as a search hint."""

    @classmethod
    def of(cls, datablock: Block) -> Ref[Block]:
        """Return the reference to a datablock; that of its original if it is an evaluated copy."""
        original: Any = datablock.original
        if original.id_type not in _COLLECTIONS:
            allowed = ", ".join(sorted(_COLLECTIONS))
            raise ValueError(f"Ref: kind must be one of {allowed}; got {original.id_type}")
        return cls(original.id_type, original.session_uid, original.name)

    def find(self) -> Block | None:
        """Return the datablock, or None if it has been removed."""
        owners: Any = getattr(bpy.data, _COLLECTIONS[self.kind])
        named: Block | None = owners.get(self.name)  # found immediately, unless it was renamed
        if named is not None and named.session_uid == self.uid:
            return named
        return next((block for block in owners if block.session_uid == self.uid), None)

    def resolve(self) -> Block:
        """Return the datablock; raise a TerraneError if it has been removed."""
        block = self.find()
        if block is None:
            raise TerraneError("{} was removed meanwhile: nothing was changed", self.name)
        return block

    def refers_to(self, datablock: bpy.types.ID) -> bool:
        """Return whether this refers to a datablock, or to its original if it is evaluated."""
        original: Any = datablock.original
        return bool(original.session_uid == self.uid)
