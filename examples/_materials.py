# SPDX-License-Identifier: GPL-3.0-or-later
"""Materials for the pictures that the examples render: ground, water, planets, air."""

from __future__ import annotations

import math
from typing import Any

import bpy
from _looks import AIR, Look
from _nodes import Colour, Nodes, set_ramp, tree_of


def ground(look: Look, low: float, high: float, width: float) -> bpy.types.Material:
    """Return a material that follows height and slope, and fades into the air far away."""
    material = bpy.data.materials.new("Ground")
    nodes = Nodes(tree_of(material))
    geometry = nodes.add("ShaderNodeNewGeometry")
    position, normal = nodes.add("ShaderNodeSeparateXYZ"), nodes.add("ShaderNodeSeparateXYZ")
    nodes.link(geometry, "Position", position, "Vector")
    nodes.link(geometry, "Normal", normal, "Vector")
    fine = nodes.noise((geometry, "Position"), scale=60.0 / width, detail=8.0)
    height = nodes.remap((position, "Z"), low, high)
    ragged = 0.16 if look.water is None else 0.05
    broken = nodes.math("MULTIPLY_ADD", (fine, "Fac"), ragged, -ragged / 2.0)
    height = nodes.math("ADD", (height, "Result"), (broken, "Value"))

    ramp = nodes.add("ShaderNodeValToRGB")
    stops = [(0.22, look.low), (0.42, look.middle), (0.60, look.middle), (0.72, look.high)]
    if look.water is not None:
        shore = min(max((0.0 - low) / (high - low), 0.0), 0.9)
        stops = [
            (shore + 0.015, look.low),
            (shore + 0.05, look.middle),
            (0.75, look.middle),
            (0.95, look.high),
        ]
    set_ramp(ramp, stops)
    nodes.link(height, "Value", ramp, "Fac")
    rock = _rock(nodes, look, position, fine, low, high)
    slope = nodes.remap((normal, "Z"), look.flat_above - 0.10, look.flat_above + 0.06)
    colour = nodes.mix((slope, "Result"), rock, (ramp, "Color"))
    patchy = nodes.noise((geometry, "Position"), scale=400.0 / width, detail=6.0)
    shade = nodes.remap((patchy, "Fac"), 0.3, 0.7, 0.78, 1.12)
    colour = nodes.scaled(colour, (shade, "Result"))

    surface = nodes.add("ShaderNodeBsdfPrincipled", Roughness=0.95)
    surface.inputs["Specular IOR Level"].default_value = 0.15
    nodes.link(*colour, surface, "Base Color")
    bump = nodes.add("ShaderNodeBump", Strength=0.35, Distance=width * 4e-4)
    nodes.link(patchy, "Fac", bump, "Height")
    nodes.link(bump, "Normal", surface, "Normal")
    finish_in_air(nodes, look, surface, width)
    return material


def _rock(
    nodes: Nodes, look: Look, position: Any, fine: Any, low: float, high: float
) -> tuple[Any, str]:
    """Return the colour of steep ground, banded by height where strata show."""
    plain = nodes.add("ShaderNodeRGB")
    plain.outputs[0].default_value = (*look.steep, 1.0)
    if look.bands <= 0.0:
        return plain, "Color"
    level = nodes.math("MULTIPLY_ADD", (fine, "Fac"), 0.05 * (high - low), (position, "Z"))
    strata = nodes.add("ShaderNodeTexNoise")
    strata.noise_dimensions = "1D"
    strata.inputs["Scale"].default_value = 22.0 / (high - low)
    strata.inputs["Detail"].default_value = 3.0
    nodes.link(level, "Value", strata, "W")
    shade = nodes.remap((strata, "Fac"), 0.3, 0.7, 1.0 - 0.6 * look.bands, 1.0 + 0.9 * look.bands)
    return nodes.scaled((plain, "Color"), (shade, "Result"))


def finish_in_air(nodes: Nodes, look: Look, surface: Any, width: float) -> None:
    """Fade a surface into the colour of the horizon with its distance from the camera."""
    output = nodes.add("ShaderNodeOutputMaterial")
    if not any(look.haze):
        nodes.link(surface, "BSDF", output, "Surface")
        return
    camera = nodes.add("ShaderNodeCameraData")
    falloff = nodes.math("MULTIPLY", (camera, "View Distance"), -1.0 / (look.reach * width))
    clear = nodes.math("POWER", math.e, (falloff, "Value"))
    haze = nodes.math("SUBTRACT", 1.0, (clear, "Value"))
    air = nodes.add("ShaderNodeEmission", Strength=AIR)
    air.inputs["Color"].default_value = (*look.haze, 1.0)
    # Only what the camera sees is hazy; light that bounces is not.
    path = nodes.add("ShaderNodeLightPath")
    share = nodes.math("MULTIPLY", (haze, "Value"), (path, "Is Camera Ray"))
    mix = nodes.add("ShaderNodeMixShader")
    nodes.link(share, "Value", mix, 0)
    nodes.link(surface, "BSDF", mix, 1)
    nodes.link(air, "Emission", mix, 2)
    nodes.link(mix, "Shader", output, "Surface")


def water(name: str, colour: Colour, roughness: float) -> bpy.types.Material:
    material = bpy.data.materials.new(name)
    nodes = Nodes(tree_of(material))
    surface = nodes.add("ShaderNodeBsdfPrincipled", Roughness=roughness)
    surface.inputs["Base Color"].default_value = (*colour, 1.0)
    nodes.link(surface, "BSDF", nodes.add("ShaderNodeOutputMaterial"), "Surface")
    return material


def planet_surface(sea: float, high: float) -> bpy.types.Material:
    """Return a material from shores over woods and deserts up to snow, with ice at the poles."""
    material = bpy.data.materials.new("Planet")
    nodes = Nodes(tree_of(material))
    geometry, length = nodes.add("ShaderNodeNewGeometry"), nodes.add("ShaderNodeVectorMath")
    length.operation = "LENGTH"
    nodes.link(geometry, "Position", length, 0)
    fine = nodes.noise((geometry, "Position"), scale=5.0, detail=12.0)
    height = nodes.remap((length, "Value"), sea, high)
    height = nodes.math("MULTIPLY_ADD", (fine, "Fac"), 0.35, (height, "Result"))
    ramp = nodes.add("ShaderNodeValToRGB")
    stops = [(0.16, (0.36, 0.29, 0.16)), (0.22, (0.05, 0.085, 0.022)), (0.36, (0.08, 0.085, 0.03)),
             (0.50, (0.20, 0.145, 0.075)), (0.68, (0.17, 0.13, 0.10)), (0.86, (0.78, 0.80, 0.83))]  # fmt: skip
    set_ramp(ramp, stops)
    nodes.link(height, "Value", ramp, "Fac")
    axis = nodes.add("ShaderNodeSeparateXYZ")
    nodes.link(geometry, "Position", axis, "Vector")
    latitude = nodes.math("ABSOLUTE", (axis, "Z"))
    ragged = nodes.math("MULTIPLY_ADD", (fine, "Fac"), 0.35, (latitude, "Value"))
    ice = nodes.remap((ragged, "Value"), 1.02, 1.08)
    white = nodes.add("ShaderNodeRGB")
    white.outputs[0].default_value = (0.80, 0.84, 0.88, 1.0)
    colour = nodes.mix((ice, "Result"), (ramp, "Color"), (white, "Color"))
    surface = nodes.add("ShaderNodeBsdfPrincipled", Roughness=0.9)
    surface.inputs["Specular IOR Level"].default_value = 0.1
    nodes.link(*colour, surface, "Base Color")
    nodes.link(surface, "BSDF", nodes.add("ShaderNodeOutputMaterial"), "Surface")
    return material


def thin_air(colour: Colour) -> bpy.types.Material:
    """Return a material that glows towards the rim, on the side of the sun."""
    material = bpy.data.materials.new("Air")
    nodes = Nodes(tree_of(material))
    facing = nodes.add("ShaderNodeLayerWeight", Blend=0.5)
    ramp = nodes.add("ShaderNodeValToRGB")
    set_ramp(ramp, [(0.45, (0.0,) * 3), (0.82, (0.55,) * 3), (1.0, (0.0,) * 3)])
    nodes.link(facing, "Facing", ramp, "Fac")
    scatter = nodes.add("ShaderNodeBsdfDiffuse")
    scatter.inputs["Color"].default_value = (*colour, 1.0)
    clear, mix = nodes.add("ShaderNodeBsdfTransparent"), nodes.add("ShaderNodeMixShader")
    nodes.link(ramp, "Color", mix, 0)
    nodes.link(clear, "BSDF", mix, 1)
    nodes.link(scatter, "BSDF", mix, 2)
    nodes.link(mix, "Shader", nodes.add("ShaderNodeOutputMaterial"), "Surface")
    return material
