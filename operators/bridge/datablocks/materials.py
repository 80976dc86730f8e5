# SPDX-License-Identifier: GPL-3.0-or-later
"""Materials, and the slots of objects."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import bpy

from ....noise_core.base.errors import Message
from . import compat, ownership
from .linked import is_writable, why_not_write
from .record import forget, note_replaced, replaced_by
from .ref import Ref


@dataclass(frozen=True)
class MaterialSlot:
    """Slot of an object that a material is for."""

    owner: Ref[bpy.types.Object]
    index: int

    @classmethod
    def of(cls, obj: bpy.types.Object | None) -> MaterialSlot | None:
        """Return the active slot of an object, None if it cannot have materials."""
        if obj is None or not hasattr(obj.data, "materials"):
            return None
        return cls(Ref.of(obj), obj.active_material_index)


def why_not_apply(obj: bpy.types.Object | None) -> str:
    """Return why a material cannot be applied to an object, "" if it can or the object has no slots."""
    if MaterialSlot.of(obj) is None:
        return ""
    if obj.type in ("GPENCIL", "GREASEPENCIL"):  # the latter since 4.3
        return Message(
            "{} is Grease Pencil, whose materials have no nodes: select another object",
            obj.name,
        )
    return why_not_write(obj.data)


def copy_materials(source: bpy.types.Mesh, target: bpy.types.Mesh) -> None:
    """Give a mesh the materials of another one, in the same slots."""
    # Never cleared: faces would lose their material indices.
    present: Any = target.materials
    for place, material in enumerate(source.materials):
        if place < len(present):
            present[place] = material
        else:
            present.append(material)
    while len(present) > len(source.materials):
        present.pop()


def find_or_create(name: str, mark: str) -> bpy.types.Material:
    """Return Terrane's material of a name, found by its mark, or a new one without nodes."""
    material: bpy.types.Material | None = ownership.find(
        bpy.data.materials, name, lambda block: mark in block
    )
    return material or new_material(name)


def new_material(name: str) -> bpy.types.Material:
    """Return a new material without nodes."""
    material = bpy.data.materials.new(name)
    ownership.note(material, name)
    compat.node_tree(material).nodes.clear()
    return material


def marked_material(obj: bpy.types.Object, mark: str) -> bpy.types.Material | None:
    """Return the first of an object's materials with a mark, None if there is none."""
    for slot in obj.material_slots:
        material: Any = slot.material
        if material is not None and mark in material and material.library is None:
            return material
    return None


def note_former(slot: MaterialSlot, mark: str) -> None:
    """Record the material that a slot has, if it is a user's, or that there is no slot: one with a mark is about to come."""
    obj = slot.owner.find()
    if obj is None or not is_writable(obj):
        return
    slots: Any = obj.material_slots
    if slot.index >= len(slots):
        note_replaced(obj, mark, added_slot=len(slots))
    else:
        former = slots[slot.index].material
        if former is not None and mark not in former:
            note_replaced(obj, mark, material=former, slot=slot.index)


def take_off(obj: bpy.types.Object, mark: str, follow: Callable[[bpy.types.Object], None]) -> None:
    """Take the materials with a mark off an object, and remove those that nothing else uses, with their nodes and images.

    The material that one has replaced is there again, and a slot that was added is gone; see `note_former`. `follow`
    takes them off parts that show the object's materials too.
    """
    taken, replaced = [], replaced_by(obj, mark)
    for place, slot in enumerate(obj.material_slots):
        material: Any = slot.material
        if material is not None and mark in material and material.library is None:
            slot.material = replaced.get("material") if place == replaced.get("slot") else None
            taken.append(material)
    if taken and replaced.get("added_slot") == len(obj.material_slots) - 1:
        _remove_last_slot(obj.data)
    if replaced:
        forget(obj, mark)
    follow(obj)
    ownership.remove_unused(*taken)


def _remove_last_slot(mesh: Any) -> None:
    """Remove the last slot of a mesh from all its objects, which keep theirs until they get the mesh anew."""
    mesh.materials.pop()
    for user in [user for user in bpy.data.objects if user.data == mesh]:
        user.data = mesh


def is_shared(material: bpy.types.Material, obj: bpy.types.Object) -> bool:
    """Return whether an object with another mesh, and not a part of this one, uses a material too."""
    return any(
        user.data != obj.data
        and not (user.parent == obj and ownership.is_own(user))
        and any(slot.material == material for slot in user.material_slots)
        for user in bpy.data.objects
    )


def copy_material(material: bpy.types.Material, obj: bpy.types.Object) -> bpy.types.Material:
    """Replace a material of an object by a copy, which keeps the user's nodes."""
    material_copy = material.copy()
    for slot in obj.material_slots:
        if slot.material == material:
            slot.material = material_copy
    return material_copy


def apply(material: bpy.types.Material, slot: MaterialSlot) -> bool:
    """Put a material into a slot, added if needed; return whether that was possible."""
    obj = slot.owner.find()
    if obj is None or why_not_apply(obj):
        return False
    slots = obj.material_slots
    if slot.index < len(slots):
        slots[slot.index].material = material
    else:
        obj.data.materials.append(material)
    return True


def has_uv_map(slot: MaterialSlot) -> bool:
    """Return whether the object of a slot has UV coordinates; objects other than meshes always do."""
    obj = slot.owner.find()
    return obj is None or obj.type != "MESH" or len(obj.data.uv_layers) > 0
