# SPDX-License-Identifier: GPL-3.0-or-later
"""An object that is there for a moment only, for Blender to evaluate a mesh with nodes of ours."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import bpy

_NAME = "terrane_throwaway"

Build = Callable[[Any, Any, Any], None]
"""Gets a node tree, its node with the mesh's geometry, and the one that takes what becomes of it."""


@contextmanager
def evaluated_object(
    context: bpy.types.Context, mesh: bpy.types.Mesh, build: Build
) -> Iterator[bpy.types.Object]:
    """Yield an object of the scene that has a mesh and one nodes modifier; then clean up."""
    groups: Any = bpy.data.node_groups
    tree = groups.new(_NAME, "GeometryNodeTree")
    thing = bpy.data.objects.new(_NAME, mesh)
    try:
        for in_out in ("INPUT", "OUTPUT"):
            tree.interface.new_socket("Geometry", in_out=in_out, socket_type="NodeSocketGeometry")
        build(tree, tree.nodes.new("NodeGroupInput"), tree.nodes.new("NodeGroupOutput"))
        modifier: Any = thing.modifiers.new(_NAME, "NODES")
        modifier.node_group = tree
        context.scene.collection.objects.link(thing)
        yield thing
    finally:
        bpy.data.objects.remove(thing)
        groups.remove(tree)
