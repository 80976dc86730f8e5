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
from ..nodetree.node_graph import NodeGraph, Value
from ..nodetree.terrain_material.water_groups import water_group
from . import parts, skies
from .water_meshes import COURSE, DEPTH, FLOW

_PALETTE = "terrane_palette"
"""Custom property of the material: the palette that its colors come from."""

_NODE = "Water"
"""Name of the node of the group."""

WAVE = 3.0
"""Length in meters of the waves that wind makes on lakes and rivers."""

SWELL = 16.0
"""Length in meters of the waves of a sea, which come from farther."""

_WAVES, _ROUGH_SEA = 0.35, 0.6
"""How rough lakes and rivers are, and a sea."""

INDEX = 1.33
"""Of refraction of water."""


@batches()
def write(scene: bpy.types.Scene, obj: bpy.types.Object, palette: str, *, has_swell: bool) -> None:
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
    build(tree, _declare(LANDSCAPES[palette], has_swell=has_swell))
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


def _declare(palette: Landscape, *, has_swell: bool) -> NodeGraph:
    """Declare water with the colors of a palette, with the waves of a sea or of a lake.

    Not a Principled BSDF: its transparency would take the mirror image away with the water.
    """
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
        "Clear": palette.clear,
        "Waves": _ROUGH_SEA if has_swell else _WAVES,
        "Wave Size": SWELL if has_swell else WAVE,
        "Depth": graph.math("MAXIMUM", graph.attribute(DEPTH), 0.0),
        "Position": graph.node("ShaderNodeNewGeometry")["Position"],
        "Course": course,
        "Flow": graph.vector_math("LENGTH", flow)["Value"],
        "Normal": graph.node("ShaderNodeNewGeometry")["Normal"],
    }
    water = graph.group(water_group(), inputs, name=_NODE, width=240.0)
    with graph.frame("Surface"):
        body = graph.node("ShaderNodeBsdfDiffuse", {"Color": water["Body"]})
        bed = graph.node("ShaderNodeBsdfTransparent", {"Color": water["Bed"]})
        below = graph.node("ShaderNodeAddShader", {0: body, 1: bed})
        shine = {"Roughness": water["Roughness"], "Normal": water["Normal"]}
        mirror = graph.node("ShaderNodeBsdfGlossy", {"Color": (1.0, 1.0, 1.0), **shine})
        fresnel = graph.node("ShaderNodeFresnel", {"IOR": INDEX, "Normal": water["Normal"]})
        shown: dict[str | int, Value] = {0: fresnel * water["Surface"], 1: below, 2: mirror}
        shader = graph.node("ShaderNodeMixShader", shown)
    graph.node("ShaderNodeOutputMaterial", {"Surface": shader})
    return graph
