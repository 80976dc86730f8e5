# SPDX-License-Identifier: GPL-3.0-or-later
"""The material of water that is a separate mesh, from the same group as water painted on the ground."""

from __future__ import annotations

from typing import Any

import bpy

from ....noise_core.materials.colors import LANDSCAPES, Landscape
from ....noise_core.materials.ground.colors import water_color
from ..datablocks import compat, materials, meshes
from ..nodetree.batches import batches
from ..nodetree.builder import build
from ..nodetree.node_graph import NodeGraph
from ..nodetree.terrain_material.water_groups import water_group
from ..terrain import terrains
from . import parts, skies
from .water_meshes import COURSE, DEPTH, FLOW

_PALETTE = "terrane_palette"
"""Custom property of the material: the palette that its colors come from."""

_NODE = "Water"
"""Name of the node of the group."""

_CLEAR = 0.0035
"""Depth at which the color is two thirds of the way to that of deep water, as a share of the width."""

_WAVE = 1.0 / 260.0
"""Length of waves along the width of a terrain: larger than real ones, which would be too small to see."""

_WAVES = 0.5
"""How rough the water is."""


@batches()
def write(scene: bpy.types.Scene, obj: bpy.types.Object, palette: str) -> None:
    """Give water its material, unless it has one of this palette, which the user may have changed."""
    material = materials.marked_material(obj, parts.MARK)
    if material is not None and material.get(_PALETTE) == palette:
        return
    if material is None:
        material = materials.new_material("Terrane Water")
        material[parts.MARK] = "water"
        meshes.mesh_of(obj).materials.append(material)
    material[_PALETTE] = palette
    tree = compat.node_tree(material)
    tree.nodes.clear()
    build(tree, _declare(LANDSCAPES[palette]))
    skies.add_haze(scene, material)
    settings: Any = material
    settings.diffuse_color = (*water_color(LANDSCAPES[palette]), 1.0)
    show_color(obj, material)


def show_color(obj: bpy.types.Object, material: Any) -> None:
    """Let Solid view show an object, or its instances, in the color of water's material.

    Where it shows color attributes and a mesh has none, it takes the color of the material or, in some
    versions, of the object.
    """
    color: Any = None if material is None else material.diffuse_color
    if color is not None:
        obj.color = color


def fit(obj: bpy.types.Object, terrain: bpy.types.Object) -> None:
    """Make the waves as large as suits the width of a terrain, if they are not."""
    material = materials.marked_material(obj, parts.MARK)
    if material is None or material.node_tree is None:
        return
    node: Any = material.node_tree.nodes.get(_NODE)
    width = terrains.built_grid(terrain).size
    for name, share in (("Clear", _CLEAR), ("Wave Size", _WAVE)):
        socket = None if node is None else node.inputs.get(name)
        if socket is not None and not socket.is_linked:
            socket.default_value = share * width


def _declare(palette: Landscape) -> NodeGraph:
    """Declare water with the colors of a palette."""
    graph = NodeGraph()
    flow = graph.node(
        "ShaderNodeAttribute", label=FLOW, attribute_type="GEOMETRY", attribute_name=FLOW
    )["Vector"]
    course = graph.node(
        "ShaderNodeAttribute", label=COURSE, attribute_type="GEOMETRY", attribute_name=COURSE
    )["Vector"]
    inputs = {
        "Shallow": palette.shallow,
        "Deep": palette.deep,
        "Waves": _WAVES,
        "Depth": graph.math("MAXIMUM", graph.attribute(DEPTH), 0.0),
        "Position": graph.node("ShaderNodeNewGeometry")["Position"],
        "Course": course,
        "Flow": graph.vector_math("LENGTH", flow)["Value"],
        "Color": palette.shallow,
        "Roughness": 0.1,
        "Specular": 0.5,
        "Normal": graph.node("ShaderNodeNewGeometry")["Normal"],
    }
    water = graph.group(water_group(), inputs, name=_NODE, width=240.0)
    shader = graph.node(
        "ShaderNodeBsdfPrincipled",
        {
            "Base Color": water["Color"],
            "Roughness": water["Roughness"],
            "Specular IOR Level": water["Specular"],
            "IOR": 1.33,
            "Alpha": water["Opacity"],
            "Normal": water["Normal"],
        },
    )
    graph.node("ShaderNodeOutputMaterial", {"Surface": shader})
    return graph
