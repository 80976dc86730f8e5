# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenes whose pictures depend on a datablock, and the objects that a picture is made of.

A scene shows more than its objects: background sets, instanced collections, sources of modifiers and of
geometry nodes, scene strips, and scenes that its compositor reads, each of which may lie in other scenes, in none,
or in other files. Blender's dependency graph knows all of them once it is built for a view layer. Without one the
same is found by following all pointers to a datablock up to scenes, which may find a scene too many, never too few.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import bpy


def evaluated(
    objects: Iterable[bpy.types.Object], depsgraph: Any
) -> Iterator[tuple[bpy.types.Object, Any]]:
    """Yield those objects that a dependency graph has evaluated, each with its evaluated copy."""
    for obj in objects:
        copy = obj.evaluated_get(depsgraph)
        if copy.is_evaluated:
            yield obj, copy


def showing(owner: bpy.types.ID) -> list[bpy.types.Scene]:
    """Return the scenes whose pictures may depend on a datablock."""
    data: Any = bpy.data  # stubs ask for arguments that may be left out
    users, dependents = data.user_map(), {owner}
    waiting = [owner]
    while waiting:
        more = users.get(waiting.pop(), set()) - dependents
        dependents |= more
        waiting += more
    return [scene for scene in bpy.data.scenes if scene in dependents]


def is_shown(obj: bpy.types.Object) -> bool:
    """Return whether the picture of some scene may depend on an object."""
    # The usual case first: following all pointers takes 8 ms in a file of 2,000 objects.
    return bool(obj.users_scene or showing(obj))


def has_graph(depsgraph: Any) -> bool:
    """Return whether a dependency graph is that of a view layer, rather than of a render or an export."""
    layer = depsgraph.view_layer
    return layer is not None and layer.depsgraph == depsgraph
