# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenes whose pictures depend on a datablock, and the objects that a picture is made of.

A scene shows more than its objects: background sets, instanced collections, sources of modifiers and of
geometry nodes, scene strips, and scenes that its compositor reads, each of which may lie in other scenes, in none,
or in other files. Blender's dependency graph knows all of them once it is built for a view layer. Without one the
same is found by following all pointers to a datablock up to scenes, which may find a scene too many, never too few.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
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


class SceneSources:
    """The objects that a dependency graph draws itself; it evaluates all of them.

    They are listed once, when they are first needed: let all questions about a graph go to one of these.
    """

    def __init__(self, depsgraph: Any) -> None:
        self._graph = depsgraph
        self._is_view = depsgraph.mode == "VIEWPORT"

    @cached_property
    def _objects(self) -> set[bpy.types.Object]:
        return {drawn.original for drawn in self._graph.objects}

    def is_visible(self, obj: bpy.types.Object) -> bool:
        """Return whether an object can be seen in the view layer, or in a background set."""
        return obj.visible_get(view_layer=self._graph.view_layer) or obj in self._objects

    def has_hidden(self, obj: bpy.types.Object) -> bool:
        """Return whether the view layer has an object that cannot be seen."""
        return obj.name in self._graph.view_layer.objects and not self.is_visible(obj)

    def __contains__(self, obj: bpy.types.Object) -> bool:
        """Return whether an object is drawn, or hidden in a view layer, which evaluates it all the same."""
        layer = self._graph.view_layer
        if self._is_view and obj.visible_get(view_layer=layer):
            return True  # the usual case; a search takes longer
        if self._is_view and obj.hide_get(view_layer=layer) and not obj.hide_viewport:
            return True
        return obj in self._objects
