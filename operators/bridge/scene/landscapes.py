# SPDX-License-Identifier: GPL-3.0-or-later
"""Removal of a terrain with what belongs to it alone."""

from __future__ import annotations

import bpy

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
    mesh = terrain.data
    bpy.data.objects.remove(terrain)
    bpy.data.batch_remove([one for one in (mesh, *found) if one is not None and one.users == 0])
