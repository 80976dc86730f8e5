# SPDX-License-Identifier: GPL-3.0-or-later
"""Choice of the maps of a terrain: those requested, or else those that are free or in use.

Modifiers make their maps at no extra cost. A map computed from the finished relief, such as the flow
of water over plain noise, can take longer than the terrain itself: it is made if a material, nodes or a
mask of this terrain read an attribute of its name.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

import bpy

from ....noise_core.recipe import Recipe
from ..datablocks import compat, meshes
from ..schema.layers import LayerState, modifiers_of
from . import catalog, map_layers

_NAMED = "GeometryNodeInputNamedAttribute"
"""Type of the geometry node that reads an attribute by name."""


def choose_maps(
    terrain: bpy.types.Object | None, recipe: Recipe, states: Iterable[LayerState] = ()
) -> frozenset[str]:
    """Choose the maps of a terrain, by name.

    Parameters
    ----------
    terrain : Object or None
        The present terrain; None before it is added.
    recipe : Recipe
        Its active layers: layers that are left out make no maps.
    states : iterable of LayerState
        States of its layers, whose masks may be maps.
    """
    record = map_layers.Record()
    if terrain is not None:
        record = map_layers.Record.of(meshes.mesh_of(terrain))
        if record.wanted is not None:
            return frozenset(record.wanted) & catalog.entries().keys()
    wanted = {name for one in modifiers_of(recipe) for name in one.makes}
    known = catalog.modifier_maps()
    if not known <= wanted:
        wanted |= {one.mask for one in states if not one.is_muted}
        wanted |= set() if terrain is None else read_by(terrain, known - wanted)
    return frozenset((known & wanted) | (set(record.added) & catalog.entries().keys()))


def read_by(terrain: bpy.types.Object, names: Collection[str]) -> set[str]:
    """Return the attributes in use: by an object's materials, its modifiers, and all geometry nodes.

    Geometry nodes of any object may read this one.
    """
    found: set[str] = set()
    seen: set[Any] = set()
    materials = [slot.material for thing in _sharing(terrain) for slot in thing.material_slots]
    for material in materials:
        tree = None if material is None else material.node_tree
        found |= _read_in(tree, seen)
    for group in bpy.data.node_groups:
        if group.bl_idname == "GeometryNodeTree":
            found |= _read_in(group, seen)
    for thing in _sharing(terrain):
        for modifier in thing.modifiers:
            if modifier.type == "NODES":
                found |= set(compat.modifier_texts(modifier))
    return found & set(names)


def _sharing(terrain: bpy.types.Object) -> list[bpy.types.Object]:
    if meshes.mesh_of(terrain).users < 2:
        return [terrain]
    return [one for one in bpy.data.objects if one.data is terrain.data]


def _read_in(tree: Any, seen: set[Any]) -> set[str]:
    """Return the names of the attributes that a node tree reads, including its groups."""
    if tree is None or tree in seen:
        return set()
    seen.add(tree)
    found: set[str] = set()
    for node in tree.nodes:
        if node.type == "ATTRIBUTE":
            found.add(node.attribute_name)
        elif node.bl_idname == _NAMED:
            found.add(node.inputs["Name"].default_value)
        elif node.type == "GROUP":
            found |= _read_in(node.node_tree, seen)
    return found
