# SPDX-License-Identifier: GPL-3.0-or-later
"""Plants and stones on a terrain: a separate object whose geometry nodes read it, so that they follow."""

from __future__ import annotations

import math
from typing import Any

import bpy

from ....noise_core.plants import KINDS, Plants
from ..datablocks import compat
from ..datablocks.editing import is_writable
from ..datablocks.ref import Ref
from ..nodetree.builder import build
from . import lands, parts, plant_kind, plant_models, plant_nodes, surroundings, waters

PART = "plants"

_BEYOND = 0.5
"""Widths of a terrain up to which plants go on over the land around it, or its mirror images."""

_MODELS = "terrane_models"
"""Custom property of the object: the collection of its models."""


def write(
    context: bpy.types.Context, terrain: bpy.types.Object, plants: Plants, palette: str
) -> bpy.types.Object:
    """Let plants grow on a terrain, or write those again that are there."""
    thing = parts.find(context.scene, PART, terrain)
    if thing is None:
        thing = parts.add(
            context, PART, "Terrane Plants", bpy.data.meshes.new("Terrane Plants"), terrain
        )
        modifier: Any = thing.modifiers.new("Plants", "NODES")
        trees: Any = bpy.data.node_groups
        group = trees.new("Terrane Plants", "GeometryNodeTree")
        build(group, plant_nodes.declare())
        modifier.node_group = group  # last: with each link Blender would look at what uses it
        thing[_MODELS] = plant_models.write(context, plants, palette)
        _set(thing, _models(thing[_MODELS]))
    refresh(context.scene)
    values = {plant_nodes.socket_of(one): _value(plants, one) for one in plants.parameters()}
    _set(thing, {**values, **_maps(plants)})
    return thing


def refresh(scene: bpy.types.Scene) -> None:
    """Let the plants of a scene know of the water and surroundings of their terrains, and of the camera.

    `followers.tell_parts` calls it. What else counts the nodes read off the terrain.
    """
    for thing in scene.objects:
        terrain = thing.parent
        if thing.get(parts.MARK) != PART or terrain is None or not is_writable(thing):
            continue
        modifier: Any = next(iter(thing.modifiers), None)
        if getattr(modifier, "node_group", None) is None:  # they are just being made
            continue
        kind = surroundings.kind_of(scene, terrain)
        sea = parts.find(scene, waters.OPEN_SEA, terrain) if kind == "land" else None
        values: dict[str, Any] = {
            "Terrain": terrain,
            "Land": parts.find(scene, lands.PART, terrain),
            "Water": parts.find(scene, waters.PART, terrain),
            "Sea": sea,
            "Camera": scene.camera,
            plant_kind.BEYOND: _BEYOND if kind in {"land", "mirror"} else 0.0,
        }
        # Nodes of older files have no inputs for land.
        values = {one: values[one] for one in compat.modifier_inputs(modifier) if one in values}
        known = {name: compat.modifier_input(modifier, name) for name in values}
        if known != values:  # a million plants are placed anew
            _set(thing, values)


def _models(home: Any) -> dict[str, Any]:
    """Return the inputs for models; later ones are the user's to change."""
    values = {"Places": plant_models.places_of(home)}
    for kind in KINDS:
        near, far = plant_nodes.collections_of(kind)
        values[near] = plant_models.find(home, kind)
        values[far] = plant_models.find(home, kind, is_far=True)
    return values


def remove(scene: bpy.types.Scene, terrain: bpy.types.Object) -> None:
    """Remove the plants on a terrain, with their models and their nodes."""
    thing = parts.find(scene, PART, terrain)
    if thing is None:
        return
    home = thing.get(_MODELS)
    if home is not None:
        plant_models.remove(home)
    parts.remove(thing)


def remove_from(scene: bpy.types.Scene, added: Ref[bpy.types.Object]) -> None:
    """Remove the plants on a terrain that was just added, if it is still there."""
    terrain = added.find()
    if terrain is not None:
        remove(scene, terrain)


def _maps(plants: Plants) -> dict[str, str]:
    """Return the maps that the nodes read: what nothing depends on need not be made."""
    result = {}
    for name in ("Flow", "Wear"):
        values = [getattr(plants, f"{kind}_{name.lower()}") for kind in KINDS]
        result[f"{name} Map"] = name.lower() if any(values) else ""
    return result


def _value(plants: Plants, parameter: Any) -> Any:
    value = getattr(plants, parameter.name)
    return math.radians(value) if parameter.unit == "angle" else value


def _set(thing: bpy.types.Object, values: dict[str, Any]) -> None:
    """Set inputs of the nodes by the names of their sockets."""
    modifier: Any = thing.modifiers[0]
    for name, value in values.items():
        compat.set_modifier_input(modifier, name, value)
    thing.update_tag()
