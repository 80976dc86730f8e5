# SPDX-License-Identifier: GPL-3.0-or-later
"""Plants and stones on a terrain: a separate object whose geometry nodes read it, so that they follow."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import bpy
import numpy as np

from ....noise_core.landscapes.plants import KINDS, Plants
from ....noise_core.materials.ground.plan import GroundPlan
from ..datablocks import compat
from ..datablocks.linked import is_writable
from ..datablocks.materials import marked_material
from ..datablocks.ownership import remove_unused
from ..datablocks.ref import Ref
from ..nodetree.batches import batches
from ..nodetree.builder import build
from ..nodetree.terrain_material import material as terrain_material
from ..nodetree.terrain_material import plan
from ..nodetree.terrain_material import settings as material_settings
from ..schema import state
from ..tasks.product import Product
from ..tasks.steps import at_once
from ..terrain import terrains
from ..terrain.terrain_product import TERRAIN
from . import (
    ground_colors,
    lands,
    parts,
    plant_kind,
    plant_models,
    plant_nodes,
    plant_places,
    surroundings,
    waters,
)

PART = "plants"

_BEYOND = 0.5
"""Widths of a terrain up to which plants go on over the land around it, or its mirror images."""

_PLAN = "terrane_plan"
"""Custom property of the object: the plan of the ground's colors that its woods follow."""

_HIDDEN = "terrane_hidden"
"""Custom property of the object while a preview of the terrain hides it in viewports."""


@batches()
def write(
    context: bpy.types.Context, terrain: bpy.types.Object, plants: Plants, palette: str
) -> bpy.types.Object:
    """Let plants grow on a terrain, or write its present plants again."""
    obj = parts.find(context.scene, PART, terrain)
    if obj is None:
        obj = parts.add(context.scene, PART, "Terrane Plants", terrain)
        modifier: Any = obj.modifiers.new("Plants", "NODES")
        trees: Any = bpy.data.node_groups
        group = trees.new("Terrane Plants", "GeometryNodeTree")
        build(group, plant_nodes.declare(_plan_of(terrain)))
        obj[_PLAN] = ground_colors.plan_text(terrain)
        modifier.node_group = group  # last: with each link Blender would visit its users
        obj[parts.MODELS] = plant_models.write(context, plants, palette)
        _set(obj, _models(obj[parts.MODELS]))
    refresh(context.scene)
    values = {
        plant_nodes.socket_of(parameter): _value(plants, parameter)
        for parameter in plants.parameters()
    }
    _set(obj, {**values, **_maps(plants)})
    at_once(PLANTS.run(terrain))
    return obj


def refresh(scene: bpy.types.Scene) -> None:
    """Let the plants of a scene know of the water and surroundings of their terrains, and of the camera.

    `followers.tell_parts` calls it. The nodes read all other values off the terrain.
    """
    for obj in scene.objects:
        if obj.get(parts.MARK) == PART and is_writable(obj):
            _refresh(scene, obj)


def _refresh(scene: bpy.types.Scene, obj: bpy.types.Object) -> None:
    terrain, modifier = obj.parent, _nodes_of(obj)
    if terrain is None or modifier is None:
        return
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
    _change(obj, values)


def _change(obj: bpy.types.Object, values: dict[str, Any]) -> None:
    """Set the inputs of the nodes if a value has changed: each write places a million plants again."""
    modifier = _nodes_of(obj)
    inputs = {name: compat.modifier_input(modifier, name) for name in values}
    if any(_plain(inputs[name]) != value for name, value in values.items()):
        _set(obj, values)


def _plain(value: Any) -> Any:
    """Return a value of an input to compare: vectors as tuples."""
    return tuple(value) if hasattr(value, "__len__") and not isinstance(value, str) else value


def _nodes_of(obj: bpy.types.Object) -> Any | None:
    """Return the modifier of plants; None while they are just being made."""
    modifier: Any = next(iter(obj.modifiers), None)
    return None if getattr(modifier, "node_group", None) is None else modifier


class PlantPlaces(Product):
    """The place of plants on the land that their terrain is a tile of; the nodes read all other values.

    Plants are hidden while previews are shown: to place them again takes ten times as long as a preview.
    """

    key = PART
    source = TERRAIN

    def request(self, terrain: bpy.types.Object) -> object:
        """Return the place of the terrain's middle on that land, and whether a preview hides the plants; None without plants."""
        obj = parts.of_terrain(terrain, PART)
        if obj is None or _nodes_of(obj) is None:
            return None
        return _origin(terrain), obj.get(_HIDDEN) is not None, ground_colors.plan_text(terrain)

    def version_of_source(self, terrain: bpy.types.Object) -> object:
        """Return the grid: the place does not depend on the heights."""
        return repr(terrains.built_grid(terrain))

    def holders(self, terrain: bpy.types.Object) -> Sequence[bpy.types.ID]:
        """Return the plants, whose modifier has the input."""
        obj = parts.of_terrain(terrain, PART)
        return () if obj is None else (obj,)

    def write(
        self, terrain: bpy.types.Object, request: Any, result: Any, *, is_preview: bool = False
    ) -> str:
        """Set the input of the nodes, and show the plants again."""
        obj = parts.of_terrain(terrain, PART)
        if obj is not None:
            _change(obj, {plant_places.ORIGIN: _origin(terrain)})
            _follow_ground(terrain, obj)
            _show(obj)
        return ""

    def preview(self, terrain: bpy.types.Object) -> None:
        """Hide the plants in viewports, unless the user has."""
        obj = parts.of_terrain(terrain, PART)
        modifier = None if obj is None else _nodes_of(obj)
        if obj is not None and modifier is not None and modifier.show_viewport:
            modifier.show_viewport = False
            obj[_HIDDEN] = 1

    def before_saving(self, terrain: bpy.types.Object) -> None:
        """Show the plants again."""
        obj = parts.of_terrain(terrain, PART)
        if obj is not None:
            _show(obj)


PLANTS = PlantPlaces()


def _follow_ground(terrain: bpy.types.Object, obj: bpy.types.Object) -> None:
    """Let woods stand where the present material of the ground shows them, and let it show no others there."""
    text, modifier = ground_colors.plan_text(terrain), _nodes_of(obj)
    if modifier is not None and obj.get(_PLAN) != text:
        old = modifier.node_group
        groups = {node.node_tree for node in old.nodes if node.bl_idname == "GeometryNodeGroup"}
        old.nodes.clear()
        build(old, plant_nodes.declare(_plan_of(terrain)))
        remove_unused(*groups)
        obj[_PLAN] = text
    near = 0.0 if modifier is None else compat.modifier_input(modifier, "Near Distance")
    _tell_ground(terrain, near * plant_nodes.TREES_UP_TO)


def _tell_ground(terrain: bpy.types.Object, reach: float) -> None:
    """Let the material of the ground know how far from the camera trees stand."""
    material = marked_material(terrain, material_settings.MARK)
    if material is not None and is_writable(material):
        terrain_material.plant(material, reach)


def _plan_of(terrain: bpy.types.Object) -> GroundPlan | None:
    """Return the plan of the ground's colors."""
    return plan.ground_plan(ground_colors.plan_text(terrain))


def _show(obj: bpy.types.Object) -> None:
    """Show plants again that a preview has hidden."""
    if obj.pop(_HIDDEN, None) is not None:
        _nodes_of(obj).show_viewport = True


def _origin(terrain: bpy.types.Object) -> tuple[float, float, float]:
    """Return the place of a terrain's middle on the land that it is a tile of, in meters."""
    group, mesh_grid = getattr(terrain, state.PROPERTY), terrains.built_grid(terrain)
    if group.seamless:  # it is the same in every tile
        return (0.0, 0.0, 0.0)
    across, along = group.tile
    length = mesh_grid.size * (mesh_grid.rows - 1) / max(mesh_grid.columns - 1, 1)
    x, y = np.array((across * mesh_grid.size, along * length), np.float32).tolist()
    return (x, y, 0.0)


def _models(home: Any) -> dict[str, Any]:
    """Return the inputs for models; later ones are the user's to change."""
    values = {"Places": plant_models.places_of(home)}
    for kind in KINDS:
        for name, level in zip(plant_nodes.collections_of(kind), plant_models.LEVELS):
            values[name] = plant_models.find(home, kind, level)
    return values


def remove(scene: bpy.types.Scene, terrain: bpy.types.Object) -> None:
    """Remove the plants on a terrain, with their models and their nodes."""
    obj = parts.find(scene, PART, terrain)
    if obj is None:
        return
    home = obj.get(parts.MODELS)
    if home is not None:
        plant_models.remove(home)
    parts.remove(obj)
    _tell_ground(terrain, 0.0)


def remove_from(scene: bpy.types.Scene, added: Ref[bpy.types.Object]) -> None:
    """Remove the plants on a terrain that was just added, if it is still there."""
    terrain = added.find()
    if terrain is not None:
        remove(scene, terrain)


def _maps(plants: Plants) -> dict[str, str]:
    """Return the maps that the nodes read; an unused map need not be computed."""
    result = {}
    for name in ("Flow", "Wear"):
        values = [getattr(plants, f"{kind}_{name.lower()}") for kind in KINDS]
        result[f"{name} Map"] = name.lower() if any(values) else ""
    return result


def _value(plants: Plants, parameter: Any) -> Any:
    value = getattr(plants, parameter.name)
    return math.radians(value) if parameter.unit == "angle" else value


def _set(obj: bpy.types.Object, values: dict[str, Any]) -> None:
    """Set inputs of the nodes by the names of their sockets."""
    modifier: Any = obj.modifiers[0]
    for name, value in values.items():
        compat.set_modifier_input(modifier, name, value)
    obj.update_tag()
