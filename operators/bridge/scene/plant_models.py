# SPDX-License-Identifier: GPL-3.0-or-later
"""Plants and stones as objects in a hidden collection, with their materials."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bpy
import numpy as np

from ....noise_core.landscapes.plants import KINDS, Plants
from ....noise_core.landscapes.point_sets import spread_points
from ....noise_core.materials.colors import LANDSCAPES
from ....noise_core.plant_shapes import kinds
from ..datablocks import meshes
from ..datablocks.ownership import remove_unused
from . import parts, plant_materials
from .plant_materials import FACING, PART
from .plant_places import COUNT, RANK

if TYPE_CHECKING:
    from ....noise_core.plant_shapes.shape import PlantShape


def write(context: bpy.types.Context, plants: Plants, palette: str) -> bpy.types.Collection:
    """Return a new collection with the models of one terrain's plants, and the points of their places."""
    home = _new_collection("Terrane Plant Models", parts.collection(context.scene))
    home.hide_viewport = home.hide_render = True
    looks = plant_materials.write(context, LANDSCAPES[palette])
    for kind in KINDS:
        near, far = kinds.shapes_of(kind, plants)
        for name, shapes in ((_name(kind), near), (_name(kind, is_far=True), far)):
            inner = _new_collection(name, home)
            for number, shape in enumerate(shapes):
                inner.objects.link(_new_object(f"{name} {number + 1}", shape, looks[kind]))
    home.objects.link(_new_places())
    return home


def remove(home: bpy.types.Collection) -> None:
    """Remove the models, with their meshes and materials unless something else uses them."""
    things = [one for one in home.all_objects if one.get(parts.MARK) == PART]
    used: list[Any] = list(dict.fromkeys(one.data for one in things))
    used += dict.fromkeys(slot.material for one in things for slot in one.material_slots)
    inner = list(home.children_recursive)
    bpy.data.batch_remove(things)
    remove_unused(*used)
    for collection in (*inner, home):
        if not collection.all_objects:
            bpy.data.collections.remove(collection)


def find(home: bpy.types.Collection, kind: str, *, is_far: bool = False) -> Any:
    """Return the collection of the models of a kind; None if there are none."""
    key = _key(kind, is_far=is_far)
    return next((one for one in home.children if one.get(_KIND) == key and one.objects), None)


def places_of(home: bpy.types.Collection) -> Any:
    """Return the object with the points of a tile."""
    return next((one for one in home.objects if one.get(_KIND) == RANK), None)


_KIND = "terrane_kind"
"""Custom property of a collection: the kind of plants in it."""


def _key(kind: str, *, is_far: bool) -> str:
    return f"{kind} far" if is_far else kind


def _name(kind: str, *, is_far: bool = False) -> str:
    return f"Terrane {_key(kind, is_far=is_far).title()}"


def _new_collection(name: str, home: bpy.types.Collection) -> bpy.types.Collection:
    made = bpy.data.collections.new(name)
    made[parts.MARK] = PART
    made[_KIND] = name.removeprefix("Terrane ").lower()
    home.children.link(made)
    return made


def _new_object(name: str, shape: PlantShape, looks: list[Any]) -> bpy.types.Object:
    mesh: Any = bpy.data.meshes.new(name)
    corners = shape.triangles
    mesh.vertices.add(len(shape.points))
    mesh.loops.add(corners.size)
    mesh.polygons.add(len(corners))
    mesh.polygons.foreach_set("loop_start", np.arange(0, corners.size, 3, dtype=np.int32))
    # Blender takes whole arrays of attributes at once, and asks for each number of other properties.
    arrays: dict[str, tuple[str, str, Any]] = {
        "position": ("FLOAT_VECTOR", "POINT", meshes.flatten(shape.points)),
        ".corner_vert": ("INT", "CORNER", corners.reshape(-1)),
        "material_index": ("INT", "FACE", shape.materials),
    }
    if shape.facing.any():
        arrays[FACING] = ("FLOAT_VECTOR", "POINT", meshes.flatten(shape.facing))
    for key, (kind, domain, values) in arrays.items():
        if key not in mesh.attributes:
            mesh.attributes.new(key, kind, domain)
        meshes.layer_data(mesh, key).foreach_set(meshes.FORMATS[kind][0], values)
    mesh.update(calc_edges=True)
    mesh.shade_smooth()
    for one in looks:
        mesh.materials.append(one)
    thing = _mark(bpy.data.objects.new(name, mesh))
    thing.color = looks[0].diffuse_color  # shown by versions that do not show the material's
    return thing


def _new_places() -> bpy.types.Object:
    """Return the object with the points of a tile, and their ranks."""
    mesh: Any = bpy.data.meshes.new("Terrane Plant Places")
    points = np.zeros((COUNT, 3), np.float32)
    points[:, :2] = spread_points(COUNT) - np.float32(0.5)
    mesh.vertices.add(COUNT)
    mesh.vertices.foreach_set("co", points.reshape(-1))
    rank = (np.arange(COUNT, dtype=np.float32) + np.float32(0.5)) / np.float32(COUNT)
    mesh.attributes.new(RANK, "FLOAT", "POINT").data.foreach_set("value", rank)
    made = _mark(bpy.data.objects.new(mesh.name, mesh))
    made[_KIND] = RANK
    return made


def _mark(thing: bpy.types.Object) -> bpy.types.Object:
    thing[parts.MARK] = PART
    return thing
