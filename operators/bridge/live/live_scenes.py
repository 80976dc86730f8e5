# SPDX-License-Identifier: GPL-3.0-or-later
"""Which scenes a datablock is in: their switches decide whether it is live, their renders show it.

Windows may show several scenes, and a timer belongs to none of them.
"""

from __future__ import annotations

from typing import Any

import bpy

from .. import live_switch


def is_live(owner: bpy.types.ID) -> bool:
    """Return whether a datablock follows its settings: if one of its scenes is live.

    An image is in no scene; what is in none goes by the scene at hand.
    """
    switches = {bool(getattr(scene, live_switch.PROPERTY)) for scene in bpy.data.scenes}
    if len(switches) == 1:  # as a rule; to look for objects takes longer
        return switches.pop()
    own = [scene for scene in bpy.data.scenes if _holds(scene, owner)]
    if not own:
        return live_switch.is_on(bpy.context)
    return any(bool(getattr(scene, live_switch.PROPERTY)) for scene in own)


def shows(scene: bpy.types.Scene, owner: bpy.types.ID) -> bool:
    """Return whether a render of a scene may show a datablock; images, and what is only instanced, may be anywhere."""
    drawn = set()
    while scene is not None and scene.name not in drawn:
        if _holds(scene, owner):
            return True
        drawn.add(scene.name)
        scene = scene.background_set
    return not any(_holds(one, owner) for one in bpy.data.scenes)


def _holds(scene: bpy.types.Scene, owner: bpy.types.ID) -> bool:
    if not isinstance(owner, bpy.types.Object):
        return False
    objects: Any = scene.objects
    named = objects.get(owner.name)
    # One from a library may have the same name.
    return bool(named == owner or (named is not None and owner in objects[:]))
