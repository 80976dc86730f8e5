# SPDX-License-Identifier: GPL-3.0-or-later
"""Which material of ours an object has, and whether others have it too."""

from __future__ import annotations

from typing import Any

import bpy

from ..datablocks import compat

MARK = "terrane_terrain"
"""Custom property of the materials that are ours."""


def of(thing: bpy.types.Object) -> bpy.types.Material | None:
    """Return the material of ours that an object has, None if there is none."""
    for slot in thing.material_slots:
        found: Any = slot.material
        if found is not None and MARK in found and found.library is None:
            return found
    return None


def is_shared(material: bpy.types.Material, thing: bpy.types.Object) -> bool:
    """Return whether an object of another mesh has a material too: its measures would be wrong there."""
    return any(
        one.data != thing.data and any(slot.material == material for slot in one.material_slots)
        for one in bpy.data.objects
    )


def own_copy(material: bpy.types.Material, thing: bpy.types.Object) -> bpy.types.Material:
    """Give an object a copy of a material in its place, with what the user has added to it."""
    made = material.copy()
    for slot in thing.material_slots:
        if slot.material == material:
            slot.material = made
    return made


def new(name: str) -> bpy.types.Material:
    """Return a new material without nodes."""
    material = bpy.data.materials.new(name)
    compat.node_tree(material).nodes.clear()
    return material
