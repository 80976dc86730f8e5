# SPDX-License-Identifier: GPL-3.0-or-later
"""Sun, sky and haze of a landscape: they share their colors, so that land fades into the sky."""

from __future__ import annotations

import math
from typing import Any

import bpy
from _clouds import SPAN, TOP, View, clouds
from _earth import towards, with_earth
from _looks import Air
from _nodes import Color, Nodes, tree_of

_EYE_LEVEL = 0.045
"""Height, as the sine of an angle, up to which the sky has the color of the haze."""


def add_sun(
    height: float, direction: float, *, strength: float, color: Color, angle: float
) -> None:
    """Hang a sun: its height and compass direction, and its own width, are in degrees."""
    light = bpy.data.lights.new("Sun", "SUN")
    light.energy, light.color, light.angle = strength, color, math.radians(angle)
    sun = bpy.data.objects.new("Sun", light)
    bpy.context.collection.objects.link(sun)
    sun.rotation_euler = towards(height, direction).to_track_quat("Z", "Y").to_euler()


def world_nodes() -> Nodes:
    """Return the empty node tree of a new world."""
    world = bpy.data.worlds.new("Sky")
    # A smooth sky needs no fine map of where its light comes from, which takes seconds to make.
    world.cycles.sampling_method, world.cycles.sample_map_resolution = "MANUAL", 256
    bpy.context.scene.world = world
    return Nodes(tree_of(world))


def add_sky(air: Air, view: View) -> None:
    """Paint a sky: haze at the horizon, a glow around the sun, clouds, deep blue above.

    Parameters
    ----------
    air : Air
        What the air is like.
    view : View
        What the camera sees: heaps of cloud stand there alone.
    """
    nodes = world_nodes()
    way = nodes.vector("NORMALIZE", (nodes.add("ShaderNodeTexCoord"), "Generated"))
    background = nodes.add("ShaderNodeBackground", Strength=air.sky_light)
    nodes.feed(_sky_color(nodes, air, way, view), background, "Color")
    nodes.link(background, "Background", nodes.add("ShaderNodeOutputWorld"), "Surface")


def _sky_color(nodes: Nodes, air: Air, way: Any, view: View) -> Any:
    if air.is_dark:
        return with_earth(nodes, air, way, (0.004, 0.004, 0.005))
    x, y, z = nodes.parts(way)
    up = nodes.math("POWER", nodes.remap(z, _EYE_LEVEL, 1.0), 0.55)
    blue = nodes.ramp(up, [(0.0, air.haze), (0.30, air.low_sky), (1.0, air.high_sky)])
    color = nodes.mix(nodes.product(_glow(nodes, air, way), 0.6), blue, air.glow)
    if air.clouds > 0.0:
        # Where a look meets a layer of clouds overhead: small and dense towards the horizon.
        above = nodes.add_up(nodes.math("MAXIMUM", z, 0.0), 0.10)
        across = nodes.joined(nodes.math("DIVIDE", x, above), nodes.math("DIVIDE", y, above), 0.37)
        puffs = nodes.noise(across, 0.55, 9.0, Distortion=0.25, Roughness=0.56)
        veil = nodes.noise(nodes.vector("MULTIPLY", across, (0.25, 1.0, 1.0)), 0.7, 6.0)
        cover = nodes.add_up(nodes.product(puffs, 0.72), nodes.product(veil, 0.28))
        threshold = 0.66 - 0.28 * air.clouds
        share = nodes.smooth(cover, threshold, threshold + 0.22)
        share = nodes.product(share, nodes.smooth(z, 0.02, 0.16), 0.85)
        bright = nodes.smooth(cover, threshold + 0.30, threshold + 0.08)
        white = nodes.mix(bright, air.cloud_shade, air.cloud)
        color = nodes.mix(share, color, white)
    hazy = nodes.smooth(z, 0.22, _EYE_LEVEL)
    color = nodes.mix(hazy, color, haze_color(nodes, air, way))
    return _with_cumulus(nodes, air, way, view, color) if air.cumulus > 0.0 else color


def _with_cumulus(nodes: Nodes, air: Air, way: Any, view: View, sky: Any) -> Any:
    """Return the source of the color of a sky with heaps of cloud in front of it."""
    middle = towards(0.0, view.ahead)
    aside = nodes.vector("DOT_PRODUCT", way, (middle.y, -middle.x, 0.0))
    forward = nodes.vector("DOT_PRODUCT", way, tuple(middle))
    _, _, z = nodes.parts(way)
    round_ = nodes.math("ARCTAN2", aside, forward)
    across = nodes.math("MULTIPLY_ADD", round_, 1.0 / math.radians(SPAN), 0.5)
    up = nodes.product(nodes.math("ARCSINE", z), 1.0 / math.radians(TOP))
    shown = nodes.add("ShaderNodeTexImage", Vector=nodes.joined(across, up, 0.0))
    shown.image, shown.extension = clouds(air, view), "CLIP"
    # Towards the edges of the image they end, out of the camera's sight.
    inside = nodes.product(
        nodes.smooth(nodes.math("ABSOLUTE", nodes.add_up(across, -0.5)), 0.5, 0.42),
        nodes.smooth(up, 1.0, 0.85),
        nodes.smooth(z, 0.015, 0.07),
    )
    behind = nodes.scaled(sky, nodes.inverse(nodes.product((shown, "Alpha"), inside)))
    return nodes.vector("ADD", behind, nodes.scaled((shown, "Color"), inside))


def haze_color(nodes: Nodes, air: Air, way: Any) -> Any:
    """Return the source of the color of the air that one looks through in some direction."""
    return nodes.mix(nodes.product(_glow(nodes, air, way), 0.6), air.haze, air.glow)


def _glow(nodes: Nodes, air: Air, way: Any) -> Any:
    """Return how close to the sun a direction is, from 0 to 1."""
    sun = towards(*air.sun)
    cosine = nodes.math("MAXIMUM", nodes.vector("DOT_PRODUCT", way, tuple(sun)), 0.0)
    return nodes.math("POWER", cosine, 7.0)


def finish_in_air(
    material: bpy.types.Material,
    air: Air,
    surface: Any,
    width: float,
    floor: float,
    *,
    plain: Color,
) -> None:
    """Let a surface fade into the air in front of it, and make it the material's.

    The air thins out upwards by the exponential law, so that haze lies in valleys. What light
    meets on the way from the camera to a point of the surface is then an integral with a closed
    form.

    Parameters
    ----------
    material : Material
    air : Air
        What the air is like.
    surface : source
        Of a shader.
    width : float
        Of the terrain in meters.
    floor : float
        Height where the air is as thick as its reach says.
    plain : Color
        Stands for the surface where light bounces off it onto others: nobody can tell, and the
        picture takes half the time.
    """
    # Haze shines into the camera alone: as a lamp, each face would make Cycles slow and noisy.
    material.cycles.emission_sampling = "NONE"
    nodes = Nodes(tree_of(material), is_new=False)
    output = nodes.add("ShaderNodeOutputMaterial")
    path = nodes.add("ShaderNodeLightPath")
    dull, choice = nodes.add("ShaderNodeBsdfDiffuse", Color=plain), nodes.add("ShaderNodeMixShader")
    nodes.link(path, "Is Diffuse Ray", choice, 0)
    nodes.link(dull, "BSDF", choice, 2)
    nodes.link(choice, "Shader", output, "Surface")
    if air.is_dark:
        nodes.feed(surface, choice, 1)
        return
    geometry = nodes.add("ShaderNodeNewGeometry")
    distance = (nodes.add("ShaderNodeCameraData"), "View Distance")
    back = (geometry, "Incoming")
    _, _, rise = nodes.parts(back)
    _, _, z = nodes.parts((geometry, "Position"))
    depth = air.depth * width
    # Heights in units of the depth, above the floor: of the point, and of the camera above it.
    here = nodes.math("MULTIPLY_ADD", z, 1.0 / depth, -floor / depth)
    here = nodes.math("MAXIMUM", here, -1.5)
    climb = nodes.product(rise, distance, 1.0 / depth)
    is_level = nodes.math("LESS_THAN", nodes.math("ABSOLUTE", climb), 1e-3)
    climb = nodes.math("MULTIPLY_ADD", is_level, 2e-3, climb)
    thinning = nodes.math("POWER", math.e, nodes.product(climb, -1.0))
    mean = nodes.math("DIVIDE", nodes.inverse(thinning), climb)
    thick = nodes.product(nodes.math("POWER", math.e, nodes.product(here, -1.0)), mean)
    passed = nodes.product(distance, thick, -1.0 / (air.reach * width))
    haze = nodes.inverse(nodes.math("POWER", math.e, passed))
    # Only what the camera sees is hazy; light that bounces is not.
    seen = (path, "Is Camera Ray")
    color = haze_color(nodes, air, nodes.scaled(back, -1.0))
    glow = nodes.add("ShaderNodeEmission", Color=color, Strength=air.sky_light)
    mix = nodes.add("ShaderNodeMixShader")
    nodes.feed(nodes.product(haze, seen), mix, 0)
    nodes.feed(surface, mix, 1)
    nodes.link(glow, "Emission", mix, 2)
    nodes.link(mix, "Shader", choice, 1)
