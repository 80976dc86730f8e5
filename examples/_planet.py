# SPDX-License-Identifier: GPL-3.0-or-later
"""A planet with oceans, land, ice and a thin blue air."""

from __future__ import annotations

import bpy
import numpy as np
from _air import add_sun, world_nodes
from _nodes import Color, Nodes, tree_of
from _scene import add_camera
from _surroundings import positions
from mathutils import Vector


def planet(thing: bpy.types.Object) -> None:
    """Give a planet oceans, land, ice and a thin blue air, and hang it in the dark."""
    radius = np.linalg.norm(positions(thing.data), axis=1)
    sea, high = (float(one) for one in np.quantile(radius, (0.58, 0.9995)))
    thing.data.materials.append(_surface(sea, high))
    _shell("Ocean", sea, _ocean((0.004, 0.020, 0.055)))
    _shell("Air", high * 1.015, _thin_air((0.20, 0.42, 1.0)))
    nodes = world_nodes()
    background = nodes.add("ShaderNodeBackground", Color=(0.0, 0.0, 0.0), Strength=0.0)
    nodes.link(background, "Background", nodes.add("ShaderNodeOutputWorld"), "Surface")
    add_sun(24.0, 236.0, strength=6.0, color=(1.0, 0.96, 0.90), angle=0.5)
    add_camera(Vector((0.0, -5.2, 0.9)), Vector((0.0, 0.0, 0.0)), lens=45.0)


def _shell(name: str, radius: float, material: bpy.types.Material) -> None:
    bpy.ops.mesh.primitive_uv_sphere_add(segments=256, ring_count=128, radius=radius)
    shell = bpy.context.active_object
    shell.name = name
    shell.data.shade_smooth()
    shell.data.materials.append(material)


def _surface(sea: float, high: float) -> bpy.types.Material:
    """Return a material from shores over woods and deserts up to snow, with ice at the poles."""
    material = bpy.data.materials.new("Planet")
    nodes = Nodes(tree_of(material))
    position = (nodes.add("ShaderNodeNewGeometry"), "Position")
    fine = nodes.noise(position, 5.0, 12.0)
    height = nodes.remap(nodes.vector("LENGTH", position), sea, high)
    stops = [(0.16, (0.36, 0.29, 0.16)), (0.22, (0.05, 0.085, 0.022)), (0.36, (0.08, 0.085, 0.03)),
             (0.50, (0.20, 0.145, 0.075)), (0.68, (0.17, 0.13, 0.10)), (0.86, (0.78, 0.80, 0.83))]  # fmt: skip
    land = nodes.ramp(nodes.math("MULTIPLY_ADD", fine, 0.35, height), stops)
    _, _, z = nodes.parts(position)
    latitude = nodes.math("MULTIPLY_ADD", fine, 0.35, nodes.math("ABSOLUTE", z))
    ice = nodes.remap(latitude, 1.02, 1.08)
    surface = nodes.add("ShaderNodeBsdfPrincipled", Roughness=0.9)
    surface.inputs["Specular IOR Level"].default_value = 0.1
    nodes.feed(nodes.mix(ice, land, (0.80, 0.84, 0.88)), surface, "Base Color")
    nodes.link(surface, "BSDF", nodes.add("ShaderNodeOutputMaterial"), "Surface")
    return material


def _ocean(color: Color) -> bpy.types.Material:
    material = bpy.data.materials.new("Ocean")
    nodes = Nodes(tree_of(material))
    surface = nodes.add("ShaderNodeBsdfPrincipled", Roughness=0.36)
    surface.inputs["Specular IOR Level"].default_value = 0.2  # a glint, no lamp
    nodes.feed(color, surface, "Base Color")
    nodes.link(surface, "BSDF", nodes.add("ShaderNodeOutputMaterial"), "Surface")
    return material


def _thin_air(color: Color) -> bpy.types.Material:
    """Return a material that glows towards the rim, on the side of the sun."""
    material = bpy.data.materials.new("Air")
    nodes = Nodes(tree_of(material))
    facing = (nodes.add("ShaderNodeLayerWeight", Blend=0.5), "Facing")
    rim = nodes.ramp(facing, [(0.45, (0.0,) * 3), (0.82, (0.55,) * 3), (1.0, (0.0,) * 3)])
    scatter = nodes.add("ShaderNodeBsdfDiffuse", Color=color)
    clear, mix = nodes.add("ShaderNodeBsdfTransparent"), nodes.add("ShaderNodeMixShader")
    nodes.feed(rim, mix, 0)
    nodes.link(clear, "BSDF", mix, 1)
    nodes.link(scatter, "BSDF", mix, 2)
    nodes.link(mix, "Shader", nodes.add("ShaderNodeOutputMaterial"), "Surface")
    return material
