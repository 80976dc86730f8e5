# SPDX-License-Identifier: GPL-3.0-or-later
"""Geometry evaluated on a temporary object, which can replace that of a mesh.

Writing a million vertices with their faces and UV maps takes Blender tenths of a second. Evaluated
geometry shares its arrays with its source, and applying it to a mesh hands them over. So a mesh can be
built separately in many steps, and replace the geometry of another in one. The datablock keeps its
users, its name, its custom properties and all references to it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import bpy

from ....noise_core.base.errors import TerraneError
from ..nodetree import builder
from ..nodetree.node_graph import NodeGraph
from .meshes import mesh_of

_NAME = "terrane_temporary"

GEOMETRY = "Geometry"
"""Name of the input and the output of a modifier's nodes, and the kind of their sockets."""


@contextmanager
def temporary_object(
    context: bpy.types.Context, mesh: bpy.types.Mesh, graph: NodeGraph
) -> Iterator[bpy.types.Object]:
    """Yield an object of the scene with a mesh and one nodes modifier; remove it afterwards.

    Parameters
    ----------
    context : Context
    mesh : Mesh
    graph : NodeGraph
        With its geometry as input and output.
    """
    groups: Any = bpy.data.node_groups
    tree = builder.new_tree(_NAME, graph, "GeometryNodeTree", is_shown=False)
    obj = bpy.data.objects.new(_NAME, mesh)
    try:
        modifier: Any = obj.modifiers.new(_NAME, "NODES")
        modifier.node_group = tree
        context.scene.collection.objects.link(obj)
        yield obj
    finally:
        bpy.data.objects.remove(obj)
        groups.remove(tree)


def replace_geometry(
    context: bpy.types.Context, mesh: bpy.types.Mesh, source: bpy.types.Object
) -> None:
    """Replace the vertices, faces, attributes and vertex groups of a mesh by those of an object's.

    Parameters
    ----------
    context : Context
        Context with an editable scene, and the view layer to evaluate.
    mesh : Mesh
        Not in Edit Mode, without shape keys. It keeps all but its geometry, including materials.
    source : Object
        A mesh object in no scene; it gets the mesh's materials.

    Raises
    ------
    TerraneError
        If Blender fails to do it; the mesh stays unchanged.
    """
    given = mesh_of(source)
    _copy_settings(mesh, given)

    graph = NodeGraph()
    graph.input(GEOMETRY, GEOMETRY)
    node = graph.node("GeometryNodeObjectInfo", {"Object": source, "As Instance": False})
    graph.output(GEOMETRY, node[GEOMETRY], kind=GEOMETRY)
    with temporary_object(context, mesh, graph) as holder:
        _check(mesh, given, mesh_of(holder.evaluated_get(context.evaluated_depsgraph_get())))
        try:
            with _select_only(context, holder):
                # Blender would merge nearly equal UVs, which reads every face corner.
                bpy.ops.object.convert(target="MESH", merge_customdata=False)
        except RuntimeError as error:
            raise TerraneError("{}: nothing was changed. {}", mesh.name, error) from error
    _check(mesh, given, mesh)
    mesh.update()


@contextmanager
def _select_only(context: bpy.types.Context, obj: bpy.types.Object) -> Iterator[None]:
    """Make one object the only selected and the active one for operators.

    An override is not enough: Blender also uses the active object of the view layer. Up to 4.3 it
    crashes if there is none; 5.2 does nothing if that object is in Edit Mode.
    """
    layer = context.view_layer
    active, layer.objects.active = layer.objects.active, obj
    obj.select_set(True)
    own: Any = {"object": obj, "active_object": obj}
    chosen: Any = {"selected_objects": [obj], "selected_editable_objects": [obj]}
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
    """Copy the materials and settings of a mesh, since applying geometry replaces those of its target."""
    # Never cleared: faces would lose their material indices.
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
"""Types of properties to copy."""

_OF_LAYERS = ("uv_layer_clone_index", "uv_layer_stencil_index")
"""Properties that depend on the layers of a mesh, and are not copied."""
