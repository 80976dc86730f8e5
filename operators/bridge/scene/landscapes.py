# SPDX-License-Identifier: GPL-3.0-or-later
"""Removal of a terrain with what belongs to it alone."""

from __future__ import annotations

import bpy

from ..datablocks.meshes import mesh_of
from ..datablocks.ref import Ref
from . import surroundings, waters


def remove(scene: bpy.types.Scene, added: Ref[bpy.types.Object]) -> None:
    """Remove a terrain that was just added, with its ground, water and surroundings."""
    terrain = added.find()
    if terrain is None:
        return
    surroundings.remove(scene, terrain)
    waters.remove(scene, terrain)
    found = [slot.material for slot in terrain.material_slots if slot.material is not None]
    mesh = mesh_of(terrain)
    bpy.data.objects.remove(terrain)
    if mesh.users == 0:
        bpy.data.meshes.remove(mesh)
    for material in dict.fromkeys(found):
        if material.users == 0:
            bpy.data.materials.remove(material)
