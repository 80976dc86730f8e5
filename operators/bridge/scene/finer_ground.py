# SPDX-License-Identifier: GPL-3.0-or-later
"""Finer meshes in place of faces of a terrain: the detail patch and the cliffs.

Each is an object of its own, which is not shown and holds the settings. A modifier on the terrain takes away the
faces below it and joins its mesh in, so the terrain's own mesh stays whole.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import bpy

from ..datablocks import ownership
from ..nodetree.builder import build
from ..nodetree.node_graph import NodeGraph
from . import parts

if TYPE_CHECKING:
    from ....noise_core.base.declared import Declared
    from ..nodetree.node_graph import Output

    Settings = TypeVar("Settings", bound=Declared)

IS_FINER = "terrane_detail_patch"
"""Attribute of the vertices of finer meshes, within the terrain's evaluated mesh."""

_SETTING = "terrane_"
"""Prefix of the custom properties with the settings."""


def read_settings(obj: bpy.types.Object, usual: Settings) -> Settings:
    """Return the settings that an object holds, those of `usual` where it holds none."""
    values = {}
    for parameter in usual.parameters():
        value = getattr(usual, parameter.name)
        values[parameter.name] = type(value)(obj.get(_SETTING + parameter.name, value))
    return type(usual)(**values)


def settings_of(
    scene: bpy.types.Scene, terrain: bpy.types.Object, part: str, usual: Settings
) -> Settings:
    """Return the settings of a terrain's part; the usual ones if it has none."""
    obj = parts.find(scene, part, terrain)
    return usual if obj is None else read_settings(obj, usual)


def hold(terrain: bpy.types.Object, part: str, title: str, settings: Declared) -> Any:
    """Return the object of a part with its settings, added if the terrain has none."""
    obj: Any = parts.of_terrain(terrain, part)
    if obj is None:
        obj = parts.add(bpy.context.scene, part, f"Terrane {title}", terrain)
        obj.hide_select = obj.hide_render = obj.hide_viewport = True
    for parameter in settings.parameters():
        obj[_SETTING + parameter.name] = getattr(settings, parameter.name)
    return obj


def remove(scene: bpy.types.Scene, terrain: bpy.types.Object, part: str, title: str) -> None:
    """Remove the object of a part, and its modifier."""
    modifier: Any = terrain.modifiers.get(title)
    if modifier is not None and modifier.type == "NODES":
        group = modifier.node_group
        terrain.modifiers.remove(modifier)
        ownership.remove_unused(group)
    parts.remove_from(scene, part, terrain)


def write_modifier(
    terrain: bpy.types.Object,
    obj: bpy.types.Object,
    title: str,
    select: Callable[[NodeGraph], Output],
) -> None:
    """Give the terrain the modifier that puts a finer mesh in place of the faces that `select` chooses."""
    modifier: Any = terrain.modifiers.get(title)
    if modifier is None or modifier.type != "NODES":
        modifier = terrain.modifiers.new(title, "NODES")
    if modifier.node_group is None:
        trees: Any = bpy.data.node_groups
        modifier.node_group = trees.new(f"Terrane {title}", "GeometryNodeTree")
    group = modifier.node_group
    group.nodes.clear()
    build(group, _declare(obj, select))


def _declare(obj: bpy.types.Object, select: Callable[[NodeGraph], Output]) -> NodeGraph:
    graph = NodeGraph()
    ground = graph.input("Geometry", "Geometry")
    finer = graph.node("GeometryNodeObjectInfo", {"Object": obj})["Geometry"]
    with graph.frame("Faces Below"):
        below = select(graph)
        # Without the finer mesh, whoever has removed it, there is no hole.
        count = graph.node("GeometryNodeAttributeDomainSize", {"Geometry": finer})["Face Count"]
        below = below * graph.math("MINIMUM", count, 1.0)
        inputs = {"Geometry": ground, "Selection": below}
        # All vertices stay, row by row: plants on the terrain read its heights by their numbers.
        rest = graph.node("GeometryNodeDeleteGeometry", inputs, domain="FACE", mode="EDGE_FACE")
    with graph.frame("Mark"):
        marked = graph.node(
            "GeometryNodeStoreNamedAttribute",
            {"Geometry": finer, "Name": IS_FINER, "Value": True},
            data_type="BOOLEAN",
            domain="POINT",
        )
    joined = graph.node("GeometryNodeJoinGeometry", {"Geometry": [rest, marked]})
    graph.output("Geometry", joined, kind="Geometry")
    return graph
