# SPDX-License-Identifier: GPL-3.0-or-later
"""Materials and the slots of objects that they are put into."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import bpy

from ....noise_core.base.errors import Message
from . import compat, ownership
from .editing import is_writable
from .ref import Ref

_DRAWINGS = frozenset({"GPENCIL", "GREASEPENCIL"})
"""Types of objects with materials of another kind; Blender 4.3 gave them another name."""


@dataclass(frozen=True)
class MaterialSlot:
    """Slot of an object that a material is for.

    Attributes
    ----------
    owner : Ref
        The object.
    index : int
        Of the slot.
    """

    owner: Ref[bpy.types.Object]
    index: int

    @classmethod
    def of(cls, thing: bpy.types.Object | None) -> MaterialSlot | None:
        """Return the active slot of an object, None if that can have no material."""
        if thing is None or not hasattr(thing.data, "materials"):
            return None
        return cls(Ref.of(thing), thing.active_material_index)


def why_not_apply(thing: bpy.types.Object | None) -> str:
    """Return why an object cannot be given a material; "" if it can, or has no slots at all."""
    if MaterialSlot.of(thing) is None:
        return ""
    if thing.type in _DRAWINGS:
        return Message(
            "{} is Grease Pencil, whose materials have no nodes: select another object, or do not apply",
            thing.name,
        )
    if thing.library is not None or not is_writable(thing.data):
        return Message("{} is linked from another file: make it local, or do not apply", thing.name)
    return ""


def find_or_create(name: str, mark: str) -> bpy.types.Material:
    """Return Terrane's material of a requested name, by its mark, or a new one without nodes."""
    found: bpy.types.Material | None = ownership.find(
        bpy.data.materials, name, lambda one: mark in one
    )
    return found or new_material(name)


def new_material(name: str) -> bpy.types.Material:
    """Return a new material without nodes."""
    material = bpy.data.materials.new(name)
    ownership.note(material, name)
    compat.node_tree(material).nodes.clear()
    return material


def marked_material(thing: bpy.types.Object, mark: str) -> bpy.types.Material | None:
    """Return the first of an object's materials with a mark, None if there is none."""
    for slot in thing.material_slots:
        found: Any = slot.material
        if found is not None and mark in found and found.library is None:
            return found
    return None


def is_shared(material: bpy.types.Material, thing: bpy.types.Object) -> bool:
    """Return whether an object with another mesh has a material too."""
    return any(
        one.data != thing.data and any(slot.material == material for slot in one.material_slots)
        for one in bpy.data.objects
    )


def copy_material(material: bpy.types.Material, thing: bpy.types.Object) -> bpy.types.Material:
    """Give an object a copy of a material in its place, with the user's nodes."""
    made = material.copy()
    for slot in thing.material_slots:
        if slot.material == material:
            slot.material = made
    return made


def apply(material: bpy.types.Material, slot: MaterialSlot) -> bool:
    """Put a material into a slot, made if there is none; return whether that was possible."""
    thing = slot.owner.find()
    if thing is None or why_not_apply(thing):
        return False
    slots = thing.material_slots
    if slot.index < len(slots):
        slots[slot.index].material = material
    else:
        thing.data.materials.append(material)
    return True


def has_uv_map(slot: MaterialSlot) -> bool:
    """Return whether the object of a slot has UV coordinates; objects other than meshes do."""
    thing = slot.owner.find()
    return thing is None or thing.type != "MESH" or len(thing.data.uv_layers) > 0
