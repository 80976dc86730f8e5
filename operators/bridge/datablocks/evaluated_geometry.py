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
from .materials import copy_materials
from .meshes import mesh_of

_NAME = "terrane_temporary"

_NUMBERS = frozenset({"BOOLEAN", "INT", "FLOAT", "ENUM"})
"""Types of a mesh's settings."""

GEOMETRY = "Geometry"
"""Name of the input and the output of a modifier's nodes, and the kind of their sockets."""


@contextmanager
def temporary_object(
    scene: bpy.types.Scene, mesh: bpy.types.Mesh, graph: NodeGraph
) -> Iterator[bpy.types.Object]:
    """Yield an object of the scene with a mesh and one nodes modifier; remove it afterwards."""
    groups: Any = bpy.data.node_groups
    tree = builder.new_tree(_NAME, graph, "GeometryNodeTree", is_shown=False)
    obj = bpy.data.objects.new(_NAME, mesh)
    try:
        modifier: Any = obj.modifiers.new(_NAME, "NODES")
        modifier.node_group = tree
        scene.collection.objects.link(obj)
        yield obj
    finally:
        bpy.data.objects.remove(obj)
        groups.remove(tree)


@contextmanager
def evaluate(mesh: bpy.types.Mesh, graph: NodeGraph) -> Iterator[bpy.types.Object]:
    """Yield an object with a mesh as one nodes modifier makes it.

    It is evaluated in a separate scene: nothing of the user's is evaluated with it, and removing
    the scene frees the evaluated mesh, which would otherwise share its arrays until the next update.
    """
    scene = bpy.data.scenes.new(_NAME)
    try:
        with temporary_object(scene, mesh, graph) as holder:
            layer = scene.view_layers[0]
            layer.update()
            yield holder.evaluated_get(layer.depsgraph)
    finally:
        bpy.data.scenes.remove(scene)


def new_grid(name: str, rows: int, columns: int) -> bpy.types.Mesh:
    """Return a new smooth mesh with the elements of a grid, whose positions and connections are still to be set.

    Only Blender itself sets the first corner of each face fast: `foreach_set` takes 46 ns for each.
    """
    graph = NodeGraph()
    graph.input(GEOMETRY, GEOMETRY)
    grid = graph.node("GeometryNodeMeshGrid", {"Vertices X": rows, "Vertices Y": columns})
    graph.output(GEOMETRY, grid, kind=GEOMETRY)
    source = bpy.data.meshes.new(name)
    try:
        with evaluate(source, graph) as obj:
            _check(name, mesh_of(obj), rows * columns, 4 * (rows - 1) * (columns - 1))
            mesh = bpy.data.meshes.new_from_object(obj)
    finally:
        bpy.data.meshes.remove(source)
    mesh.name = name
    mesh.materials.clear()  # the node adds an empty slot
    mesh.shade_smooth()
    return mesh


def replace_geometry(
    context: bpy.types.Context, mesh: bpy.types.Mesh, source: bpy.types.Object
) -> None:
    """Replace the vertices, faces, attributes and vertex groups of a mesh by those of an object's.

    The context has an editable scene, and the view layer to evaluate. The mesh, not in Edit Mode and
    without shape keys, keeps all but its geometry. The source, a mesh object in no scene, gets the
    mesh's materials.
    """
    source_mesh = mesh_of(source)
    expected = (len(source_mesh.vertices), len(source_mesh.loops))
    _copy_settings(mesh, source_mesh)
    graph = NodeGraph()
    graph.input(GEOMETRY, GEOMETRY)
    node = graph.node("GeometryNodeObjectInfo", {"Object": source, "As Instance": False})
    graph.output(GEOMETRY, node[GEOMETRY], kind=GEOMETRY)
    with temporary_object(context.scene, mesh, graph) as holder:
        result = mesh_of(holder.evaluated_get(context.evaluated_depsgraph_get()))
        _check(mesh.name, result, *expected)
        try:
            with _select_only(context, holder):
                # Blender would merge nearly equal UVs, which reads every face corner.
                bpy.ops.object.convert(target="MESH", merge_customdata=False)
        except RuntimeError as error:
            raise TerraneError("{}: nothing was changed. {}", mesh.name, error) from error
    _check(mesh.name, mesh, *expected)
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
    active_override: Any = {"object": obj, "active_object": obj}
    chosen: Any = {"selected_objects": [obj], "selected_editable_objects": [obj]}
    override: Any = context.temp_override(**active_override, **chosen)
    try:
        with override:
            yield
    finally:
        layer.objects.active = active


def _check(name: str, mesh: bpy.types.Mesh, vertices: int, corners: int) -> None:
    """Make sure that Blender has evaluated a mesh as large as it should be."""
    if (len(mesh.vertices), len(mesh.loops)) != (vertices, corners):
        raise TerraneError("{}: Blender did not evaluate it: nothing was changed", name)


def _copy_settings(source: bpy.types.Mesh, target: bpy.types.Mesh) -> None:
    """Copy the materials and settings of a mesh, since applying geometry replaces those of its target."""
    copy_materials(source, target)
    of_layers = ("uv_layer_clone_index", "uv_layer_stencil_index")
    left_out = {*bpy.types.ID.bl_rna.properties.keys(), *of_layers}
    for rna_property in bpy.types.Mesh.bl_rna.properties:
        name = rna_property.identifier
        if (
            name not in left_out
            and rna_property.type in _NUMBERS
            and not target.is_property_readonly(name)
        ):
            setattr(target, name, getattr(source, name))
