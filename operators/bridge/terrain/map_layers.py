# SPDX-License-Identifier: GPL-3.0-or-later
"""Maps as attributes of a mesh, the record of them, and the choice of those to make.

A custom property of the mesh records which maps Terrane made and which are requested. Maps of an
earlier run are refreshed or removed; attributes that Terrane did not make are not changed.

Modifiers make their maps at no extra cost. A map computed from the finished relief, such as the flow
of water over plain noise, can take longer than the terrain itself: unless it was requested, it is made
if a material, nodes or a mask of this terrain read an attribute of its name.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

import bpy

from ....noise_core.base.arrays import Field
from ....noise_core.recipes.recipe import Recipe
from ..datablocks import compat, meshes
from ..datablocks.record import Record, forget
from ..schema.layers import LayerState, modifiers_of
from . import catalog
from .user_mesh.grid import UserMeshGrid

MAPS_KEY = "maps"
"""Name of the maps in their record."""

_NAMED = "GeometryNodeInputNamedAttribute"
"""Type of the geometry node that reads an attribute by name."""


@dataclass(frozen=True)
class MapChoice:
    """Maps of a mesh, the details of its record of maps."""

    written: tuple[str, ...] = ()
    """Attributes that Terrane made."""
    wanted: tuple[str, ...] | None = None
    """The requested maps; None if they were never chosen."""
    added: tuple[str, ...] = ()
    """Maps to rebuild in addition to the default ones, while `wanted` is None."""

    @classmethod
    def of(cls, mesh: bpy.types.Mesh) -> MapChoice:
        """Return the maps of a mesh; an empty choice if their record is missing or not readable."""
        record = Record.of(mesh, MAPS_KEY)
        details = {} if record is None else record.details
        lists = {field.name: details.get(field.name) for field in fields(cls)}
        values = {
            name: tuple(map(str, names)) for name, names in lists.items() if isinstance(names, list)
        }
        return cls(**values)

    def store(self, mesh: bpy.types.Mesh) -> None:
        """Store the maps on a mesh."""
        if self == MapChoice():
            forget(mesh, MAPS_KEY)
        else:
            Record("", details=asdict(self)).store(mesh, MAPS_KEY)


def write(
    mesh: bpy.types.Mesh, maps: Mapping[str, Field], requested: Iterable[str] | None = None
) -> tuple[str, ...]:
    """Store the maps of a rebuilt mesh; remove all other maps that Terrane made.

    Returns the names not written because another kind of attribute or a vertex group has them.
    """
    written = MapChoice.of(mesh).written
    remove(mesh, set(written) - set(maps))
    user_names = _own_names(mesh) - set(written)
    values = {name: field for name, field in maps.items() if name not in user_names}
    refused = (*(user_names & maps.keys()), *meshes.write_maps(mesh, values))
    note(mesh, (name for name in maps if name not in refused), requested)
    return refused


def _own_names(mesh: bpy.types.Mesh) -> set[str]:
    """Return the names of attributes that may be the user's own: those of a mesh that became a terrain."""
    return set(mesh.attributes.keys()) if UserMeshGrid.of(mesh) is not None else set()


def note(
    mesh: bpy.types.Mesh, names: Iterable[str], requested: Iterable[str] | None = None
) -> None:
    """Record the maps of a rebuilt mesh and the requested ones."""
    old = MapChoice.of(mesh)
    choice = old.wanted if requested is None else tuple(sorted(requested))
    MapChoice(tuple(names), choice, added=old.added).store(mesh)


def reserve(mesh: bpy.types.Mesh, maps: Mapping[str, Field]) -> tuple[str, ...]:
    """Make attributes for maps that are stored later; return the names of the new ones."""
    new = {name: field for name, field in maps.items() if name not in mesh.attributes}
    refused = meshes.write_maps(mesh, new)
    return tuple(name for name in new if name not in refused)


def add(mesh: bpy.types.Mesh, maps: Mapping[str, Field]) -> tuple[str, ...]:
    """Store more maps of a mesh; return as `write` does."""
    old = MapChoice.of(mesh)
    refused = meshes.write_maps(mesh, maps)
    written = [name for name in maps if name not in refused]
    untouched = [name for name in old.written if name not in maps]
    replace(old, written=(*untouched, *written)).store(mesh)
    return refused


def want(mesh: bpy.types.Mesh, names: Iterable[str]) -> None:
    """Record the requested maps."""
    replace(MapChoice.of(mesh), wanted=tuple(sorted(names)), added=()).store(mesh)


def want_more(mesh: bpy.types.Mesh, names: Iterable[str]) -> None:
    """Record more requested maps in addition to the existing ones."""
    old = MapChoice.of(mesh)
    if old.wanted is None:
        replace(old, added=tuple(sorted({*old.added, *names}))).store(mesh)
    else:
        want(mesh, {*old.wanted, *names})


def remove(mesh: bpy.types.Mesh, names: Iterable[str]) -> None:
    """Remove the named attributes whose type is that of a map."""
    for name in names:
        attribute = mesh.attributes.get(name)
        if attribute is None or attribute.domain != "POINT":
            continue
        if attribute.data_type in ("FLOAT", "FLOAT_VECTOR"):
            mesh.attributes.remove(attribute)


def choose_maps(
    terrain: bpy.types.Object | None, recipe: Recipe, states: Iterable[LayerState] = ()
) -> frozenset[str]:
    """Choose the maps of a terrain, by name; there is no terrain before it is added.

    The recipe has the active layers: layers that are left out make no maps. The masks in the states of
    its layers may be maps.
    """
    record = MapChoice() if terrain is None else MapChoice.of(meshes.mesh_of(terrain))
    if record.wanted is not None:
        return frozenset(record.wanted) & catalog.entries().keys()
    chosen = {name for modifier in modifiers_of(recipe) for name in modifier.makes}
    available = catalog.modifier_maps()
    chosen |= available & {layer.mask for layer in states if not layer.is_muted}
    if terrain is not None:
        # An attribute with the name of a map that only readers ask for may be the user's own.
        present = set(meshes.mesh_of(terrain).attributes.keys()) | set(terrain.vertex_groups.keys())
        candidates = catalog.entries().keys() - (present - set(record.written))
        chosen |= _read_by(terrain, (available | candidates) - chosen)
    return frozenset((chosen | set(record.added)) & catalog.entries().keys())


def _read_by(terrain: bpy.types.Object, names: Collection[str]) -> set[str]:
    """Return the attributes in use: by an object's materials, its modifiers, and all geometry nodes.

    Geometry nodes of any object may read this one; names in the inputs of modifiers count where
    the terrain is an input too.
    """
    is_shared = meshes.mesh_of(terrain).users > 1
    sharing = (
        [obj for obj in bpy.data.objects if obj.data is terrain.data] if is_shared else [terrain]
    )
    trees = [tree for tree in bpy.data.node_groups if tree.bl_idname == "GeometryNodeTree"]
    texts: set[str] = set()
    for obj in sharing:
        trees += [slot.material.node_tree for slot in obj.material_slots if slot.material]
        for modifier in obj.modifiers:
            if modifier.type == "NODES":
                texts |= set(compat.modifier_texts(modifier))
    for modifier in (modifier for obj in bpy.data.objects for modifier in obj.modifiers):
        if modifier.type == "NODES" and terrain in compat.modifier_objects(modifier):
            texts |= set(compat.modifier_texts(modifier))
    visited: set[Any] = set()
    return texts.union(*(_read_in(tree, visited) for tree in trees)) & set(names)


def _read_in(tree: Any, visited: set[Any]) -> set[str]:
    """Return the names of the attributes that a node tree reads, including its groups."""
    if tree is None or tree in visited:
        return set()
    visited.add(tree)
    names: set[str] = set()
    for node in tree.nodes:
        if node.type == "ATTRIBUTE":
            names.add(node.attribute_name)
        elif node.bl_idname == _NAMED:
            names.add(node.inputs["Name"].default_value)
        elif node.type == "GROUP":
            names |= _read_in(node.node_tree, visited)
    return names
