# SPDX-License-Identifier: GPL-3.0-or-later
"""Geometry that Blender evaluates on a temporary object, and that can replace a mesh's own.

To write a million vertices with their faces and UV maps takes Blender tenths of a second. But what it
evaluates shares its arrays with its source, and applying that to a mesh hands them over. So a mesh can
be built elsewhere in many steps, and then replace the geometry of another in one: the datablock, its
users, its name, its custom properties and all that refers to it stay.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import bpy

from ....noise_core.base.errors import TerraneError
from ..nodetree import builder
from ..nodetree.node_graph import NodeGraph
from ..nodetree.sockets import Socket
from .meshes import mesh_of

_NAME = "terrane_temporary"

GEOMETRY = "Geometry"
"""Name of the input and output of a modifier's nodes."""


def geometry_graph() -> NodeGraph:
    """Return the graph of a modifier, with its geometry as input and output."""
    graph = NodeGraph()
    graph.declare_inputs(Socket(GEOMETRY, "GEOMETRY"))
    graph.declare_outputs(Socket(GEOMETRY, "GEOMETRY"))
    return graph


@contextmanager
def temporary_object(
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


def replace_geometry(
    context: bpy.types.Context, mesh: bpy.types.Mesh, source: bpy.types.Object
) -> None:
    """Give a mesh the vertices, faces, attributes and vertex groups of another object's mesh.

    Parameters
    ----------
    context : Context
        With a scene that can be changed, and the view layer to evaluate.
    mesh : Mesh
        Not in Edit Mode, without shape keys. What it has besides geometry stays, its materials too.
    source : Object
        A mesh object, in no scene; it gets the mesh's materials.

    Raises
    ------
    TerraneError
        If Blender does not do it; the mesh is as it was then.
    """
    given = mesh_of(source)
    _copy_settings(mesh, given)

    graph = geometry_graph()
    node = graph.node("GeometryNodeObjectInfo", {"Object": source, "As Instance": False})
    graph.finish({GEOMETRY: node[GEOMETRY]})
    with temporary_object(context, mesh, graph) as holder:
        _check(mesh, given, mesh_of(holder.evaluated_get(context.evaluated_depsgraph_get())))
        try:
            with _select_only(context, holder):
                # Blender would join nearly equal UVs, for which it looks at every face corner.
                bpy.ops.object.convert(target="MESH", merge_customdata=False)
        except RuntimeError as error:
            raise TerraneError("{}: nothing was changed. {}", mesh.name, error) from error
    _check(mesh, given, mesh)
    mesh.update()


@contextmanager
def _select_only(context: bpy.types.Context, thing: bpy.types.Object) -> Iterator[None]:
    """Let operators see one object as the only selected and active one.

    An override does not do: Blender goes by the view layer's own active object too. Up to 4.3 it crashes
    if there is none; 5.2 does nothing if that is in Edit Mode.
    """
    layer = context.view_layer
    active, layer.objects.active = layer.objects.active, thing
    thing.select_set(True)
    own: Any = {"object": thing, "active_object": thing}
    chosen: Any = {"selected_objects": [thing], "selected_editable_objects": [thing]}
    override: Any = context.temp_override(**own, **chosen)
    try:
        with override:
            yield
    finally:
        layer.objects.active = active


def _check(mesh: bpy.types.Mesh, source: bpy.types.Mesh, made: bpy.types.Mesh) -> None:
    """Make sure that Blender has evaluated a mesh as large as its source."""
    if (len(made.vertices), len(made.loops)) != (len(source.vertices), len(source.loops)):
        raise TerraneError("{}: Blender did not evaluate it: nothing was changed", mesh.name)


def _copy_settings(source: bpy.types.Mesh, target: bpy.types.Mesh) -> None:
    """Give a mesh another's materials and settings: a mesh gets those of what is applied to it."""
    # Never cleared: Blender would forget which face has which.
    present: Any = target.materials
    for place, material in enumerate(source.materials):
        if place < len(present):
            present[place] = material
        else:
            present.append(material)
    while len(present) > len(source.materials):
        present.pop()
    left_out = {*bpy.types.ID.bl_rna.properties.keys(), *_OF_LAYERS}
    for one in bpy.types.Mesh.bl_rna.properties:
        name = one.identifier
        if name not in left_out and one.type in _PLAIN and not target.is_property_readonly(name):
            setattr(target, name, getattr(source, name))


_PLAIN = frozenset({"BOOLEAN", "INT", "FLOAT", "ENUM"})
"""Types of properties that are settings."""

_OF_LAYERS = ("uv_layer_clone_index", "uv_layer_stencil_index")
"""Those that mean something only with the layers that are there."""
