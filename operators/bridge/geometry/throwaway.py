# SPDX-License-Identifier: GPL-3.0-or-later
"""A temporary object, for Blender to evaluate a mesh with nodes of Terrane's."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import bpy

from ..nodetree import builder
from ..nodetree.node_graph import NodeGraph
from ..nodetree.sockets import Socket

_NAME = "terrane_throwaway"

GEOMETRY = "Geometry"
"""Name of the input and output of a modifier's nodes."""


def geometry_graph() -> NodeGraph:
    """Return the graph of a modifier, with its geometry as input and output."""
    graph = NodeGraph()
    graph.declare_inputs(Socket(GEOMETRY, "GEOMETRY"))
    graph.declare_outputs(Socket(GEOMETRY, "GEOMETRY"))
    return graph


@contextmanager
def evaluated_object(
    context: bpy.types.Context, mesh: bpy.types.Mesh, graph: NodeGraph
) -> Iterator[bpy.types.Object]:
    """Yield an object of the scene that has a mesh and one nodes modifier; then remove it.

    Parameters
    ----------
    context : Context
    mesh : Mesh
    graph : NodeGraph
        See `geometry_graph`.
    """
    groups: Any = bpy.data.node_groups
    tree = builder.new_modifier_tree(_NAME, graph)
    thing = bpy.data.objects.new(_NAME, mesh)
    try:
        modifier: Any = thing.modifiers.new(_NAME, "NODES")
        modifier.node_group = tree
        context.scene.collection.objects.link(thing)
        yield thing
    finally:
        bpy.data.objects.remove(thing)
        groups.remove(tree)
