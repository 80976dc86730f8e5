# SPDX-License-Identifier: GPL-3.0-or-later
"""The material of a gas giant: bands by latitude, which eddies disturb, and a great storm."""

from __future__ import annotations

from typing import Any

import bpy

from ....noise_core.base.elementary import cosine_sine_of
from ....noise_core.landscapes.planets.bands import GASES, GasBands
from ..datablocks import compat, materials, meshes
from ..nodetree.batches import batches
from ..nodetree.builder import build
from ..nodetree.node_graph import NodeGraph
from ..nodetree.terrain_material.giant_groups import bands_group
from ..nodetree.terrain_material.settings import MARK as GROUND
from ..schema.color_ramps import write_ramp

MARK = "terrane_gas"
"""Custom property of the material: the name of its gas giant."""


def write(planet: bpy.types.Object, gas: str) -> None:
    """Give a planet the material of a gas giant, in place of that of its ground; one that is there stays."""
    material: Any = materials.marked_material(planet, MARK)
    if material is not None and material[MARK] == gas:
        return
    if material is None:
        materials.take_off(planet, GROUND, lambda obj: None)
        material = materials.new_material("Gas Giant")
        _assign(planet, material)
    material[MARK] = gas
    with batches():
        tree = compat.node_tree(material)
        tree.nodes.clear()
        build(tree, _declare(GASES[gas]))


def replace_by_ground(planet: bpy.types.Object) -> bpy.types.Material | None:
    """Return a new material for the ground, in place of that of a gas giant; None if there was no such one."""
    if materials.marked_material(planet, MARK) is None:
        return None
    materials.take_off(planet, MARK, lambda obj: None)
    material = materials.new_material("Planet Ground")
    _assign(planet, material)
    return material


def _assign(planet: bpy.types.Object, material: bpy.types.Material) -> None:
    """Put a material into the first empty slot of a planet."""
    slots: Any = meshes.mesh_of(planet).materials
    for place, present in enumerate(slots):
        if present is None:
            slots[place] = material
            return
    slots.append(material)


def _declare(look: GasBands) -> NodeGraph:
    """Return the nodes of the material."""
    graph = NodeGraph()
    up, east = look.storm_at
    (level, height), (cosine, sine) = cosine_sine_of(up), cosine_sine_of(east)
    storm = (level * cosine, level * sine, height)
    values = {"Turbulence": look.turbulence, "Contrast": look.contrast, "Storm": storm}
    values["Storm East"] = (-sine, cosine, 0.0)
    bands = graph.group(bands_group(), values, name="Bands")
    stops = [(0.5 + 0.5 * sine_of, color) for sine_of, color in look.stops]
    ramp = graph.node(
        "ShaderNodeValToRGB",
        {0: bands["Lane"]},
        content=lambda node, _: write_ramp(node, stops),
        name="Colors",
    )["Color"]
    color = graph.mix(bands["Is Storm"] * 0.75, ramp, (*look.storm, 1.0), "RGBA")
    color = graph.vector_math("SCALE", color, bands["Brightness"])
    inputs = {"Base Color": color, "Roughness": 0.9, "Specular IOR Level": 0.0}
    shader = graph.node("ShaderNodeBsdfPrincipled", inputs)
    graph.node("ShaderNodeOutputMaterial", {"Surface": shader})
    return graph
