# SPDX-License-Identifier: GPL-3.0-or-later
"""A mesh takes over all geometry of another at a stroke, however large it is.

To write a million vertices with their faces and UV maps takes Blender tenths of a second. But what it
evaluates shares its arrays with what it comes from, and applying that to a mesh hands them over. So a
mesh can be made aside, bit by bit, and then take the place of another one's insides: the datablock,
its users, its name, its custom properties and all that refers to it stay, and nobody ever sees it
half done.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import bpy

from ....noise_core.errors import TerraneError
from ..meshes import mesh_of
from .throwaway import GEOMETRY, evaluated_object, geometry_graph


def take(context: bpy.types.Context, mesh: bpy.types.Mesh, giver: bpy.types.Object) -> None:
    """Give a mesh the vertices, faces, attributes and vertex groups of another object's mesh.

    Parameters
    ----------
    context : Context
        With a scene that can be changed, and the view layer to evaluate.
    mesh : Mesh
        Not in Edit Mode, without shape keys. What it has besides geometry stays, its materials too.
    giver : Object
        A mesh object, in no scene; it gets the mesh's materials.

    Raises
    ------
    TerraneError
        If Blender does not do it; the mesh is as it was then.
    """
    source = mesh_of(giver)
    _copy_settings(mesh, source)

    graph = geometry_graph()
    given = graph.node("GeometryNodeObjectInfo", {"Object": giver, "As Instance": False})
    graph.finish({GEOMETRY: given[GEOMETRY]})
    with evaluated_object(context, mesh, graph) as taker:
        _check(mesh, source, mesh_of(taker.evaluated_get(context.evaluated_depsgraph_get())))
        try:
            with _alone(context, taker):
                # Blender would join nearly equal UVs, for which it looks at every face corner.
                bpy.ops.object.convert(target="MESH", merge_customdata=False)
        except RuntimeError as error:
            raise TerraneError(f"{mesh.name}: nothing was changed. {error}") from error
    _check(mesh, source, mesh)
    mesh.update()


@contextmanager
def _alone(context: bpy.types.Context, thing: bpy.types.Object) -> Iterator[None]:
    """Let operators see one object that is selected and active, whatever else is.

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
    """Make sure that Blender has made what it was to make of a mesh, before the mesh becomes that."""
    if (len(made.vertices), len(made.loops)) != (len(source.vertices), len(source.loops)):
        raise TerraneError(f"{mesh.name}: Blender did not evaluate it: nothing was changed")


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
