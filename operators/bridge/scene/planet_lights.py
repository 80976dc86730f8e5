# SPDX-License-Identifier: GPL-3.0-or-later
"""Lights of cities in the ground material of a planet."""

from __future__ import annotations

from typing import Any

import bpy

from ....noise_core.landscapes.scene import Planet
from ..datablocks import compat, materials
from ..datablocks.linked import is_writable
from ..nodetree.builder import absolute_location, build, connect, set_inputs
from ..nodetree.node_graph import NodeGraph
from ..nodetree.terrain_material.planet_groups import lights_group
from ..nodetree.terrain_material.settings import MARK as GROUND
from . import parts

SETTLED = "settled"
"""Attribute of the ground: how densely people live there, from 0 to 1."""

_NAME = "City Lights"


def follow(planet: bpy.types.Object, measures: Planet) -> None:
    """Give the ground material of a planet the lights that its measures ask for, or take them away."""
    material = materials.marked_material(planet, GROUND)
    air = parts.of_terrain(planet, parts.PLANET_AIR)
    if material is None or not is_writable(material):
        return
    tree = compat.node_tree(material)
    node = tree.nodes.get(_NAME)
    values = {"Brightness": measures.city_lights, "Width": 2.0 * measures.radius}
    if measures.city_lights <= 0.0 or air is None:
        _remove(tree, node)
    elif node is None:
        _insert(tree, air, values)
    else:
        set_inputs(node, values)


def _insert(tree: Any, air: bpy.types.Object, values: dict[str, float]) -> None:
    output = tree.get_output_node("ALL")
    if output is None or not output.inputs["Surface"].is_linked:
        return
    target = output.inputs["Surface"]
    shader = target.links[0].from_socket
    graph = NodeGraph()
    sun = graph.node("ShaderNodeTexCoord", label="Sun", name=f"{_NAME} Sun", object=air)["Object"]
    inputs = {**values, "Settled": graph.attribute(SETTLED), "Sun": sun}
    graph.group(lights_group(), inputs, name=_NAME)
    left, top = absolute_location(output)
    build(tree, graph, corner=(left + 2.0 * output.width, top))
    output.location.x += 3.0 * output.width
    node = tree.nodes[_NAME]
    connect(shader, node.inputs["Shader"])
    connect(node.outputs[0], target)


def _remove(tree: Any, node: Any) -> None:
    """Take the lights out of a material: what went through them goes on without them."""
    if node is None:
        return
    if node.inputs["Shader"].is_linked:
        for link in list(node.outputs[0].links):
            connect(node.inputs["Shader"].links[0].from_socket, link.to_socket)
    sources = {link.from_node for socket in node.inputs[1:] for link in socket.links}
    for unused in (node, *sources):
        tree.nodes.remove(unused)
