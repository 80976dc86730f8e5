# SPDX-License-Identifier: GPL-3.0-or-later
"""Graphs of the sky's color, of the world that shows it, and of the haze that takes its color."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import bpy

from ....noise_core.landscapes.cumulus import BRIGHTEST
from ....noise_core.landscapes.scene import Sky
from ..datablocks import compat
from ..nodetree.node_graph import SHARE, NodeGraph, Output
from .space_nodes import declare_space

AIR, LIGHT = "Air", "Sky"
"""Titles of the groups: haze for materials, and the color of the sky."""

SHADOWS = "Cloud Shadows"
"""Input of the haze: how dark shadows of clouds are. Water has none, since it mirrors."""

_NIGHT = (0.004, 0.004, 0.005)
"""Color of a sky without air."""

_CLOUD = (0.95, 0.96, 1.0)
_SHADE = (0.50, 0.56, 0.66)
"""Colors of thin clouds and of their darkest parts, under a bright sky."""

_BRIGHTNESS = 13.0
"""Of clouds: Sky Texture gives the sky the radiance that it has in the Sun of Earth."""

_LIT = 0.13
"""Light that a heap of cloud sends when the sun's strength is 1, under an evenly lit sheet's."""

_WHITER = 0.45
"""How far the color of the sun's light turns white on its way through clouds."""

_FRAY, _FRAYS = 0.006, 70.0
"""How far noise bends the image of heaps of cloud, as a share of its side, and the noise's scale: finer
than its pixels, so that edges stay sharp in large pictures."""

_LIGHT_DETAIL = 1.0
"""Of noise in clouds that only light the land."""

_LEVEL = 0.12
"""Sine of the angle above the horizon whose color haze and the sky near the horizon have: the model's
own horizon is so bright that sunlit ground would look dark before it."""

_SHADOWED, _SHADOW = (0.525, 0.585), 0.48
"""Values of noise between which shadows of clouds begin, so that a quarter of the land lies in them (measured),
and by how much they darken it: the light of the sky is left."""

_LOWEST = -1.5
"""Heights below the foot of the land, in heights of the haze, from which on it gets no denser."""


@dataclass(frozen=True)
class Haze:
    """Measures of the haze in meters.

    Attributes
    ----------
    visibility : float
        Distance at which it hides two thirds of a surface at its floor.
    depth : float
        Height over which it thins out to a third.
    floor : float
        Height at which it is as dense as its visibility says.
    shadow : float
        Distance from one cloud's shadow to the next.
    """

    visibility: float
    depth: float
    floor: float
    shadow: float


def sun_vector(sky: Sky) -> tuple[float, float, float]:
    """Return the direction to the sun, a unit vector; Y is north."""
    up, turn = math.radians(sky.sun_elevation), math.radians(sky.sun_direction)
    return math.sin(turn) * math.cos(up), math.cos(turn) * math.cos(up), math.sin(up)


def declare_light(sky: Sky) -> NodeGraph:
    """Declare the group that gives the color of the sky in a direction above the horizon."""
    graph = NodeGraph(LIGHT)
    direction = graph.vector("Direction", "A unit vector")
    if not sky.has_air:
        graph.output("Color", graph.combine(*_NIGHT), "Of the sky in this direction", "Color")
        return graph
    texture = graph.node(
        "ShaderNodeTexSky",
        {"Vector": direction},
        sun_disc=False,
        sun_elevation=math.radians(sky.sun_elevation),
        sun_rotation=math.radians(sky.sun_direction),
        air_density=sky.air,
        **compat.sky_texture(sky.dust),
    )
    tint = tuple(sky.sky_strength * channel for channel in sky.tint)
    color = graph.vector_math("MULTIPLY", texture, tint)
    graph.output("Color", color, "Of the sky in this direction", "Color")
    return graph


def declare_air(light: bpy.types.NodeTree, sky: Sky, haze: Haze) -> NodeGraph:
    """Declare the group that puts haze between the camera and a surface.

    The air thins out upwards by the exponential law, so that haze lies in valleys; its density
    along the way from the surface to the camera is then an integral with a closed form. Only surfaces that the
    camera sees directly are hazy; light that bounces is not.
    """
    graph = NodeGraph()
    surface = graph.input("Shader", "Shader")
    shaded = graph.number(SHADOWS, 1.0, SHARE, "How dark shadows of clouds are", "FACTOR")
    if not sky.has_air:
        graph.output("Shader", surface, kind="Shader")
        return graph
    geometry = graph.node("ShaderNodeNewGeometry")
    distance = graph.node("ShaderNodeCameraData")["View Distance"]
    is_seen = graph.node("ShaderNodeLightPath")["Is Camera Ray"]
    with graph.frame("Haze"):
        share = _hidden(graph, geometry, distance, haze) * is_seen
    if sky.cumulus > 0.0:
        with graph.frame("Shadows of Clouds"):
            dark = _cloud_shadow(graph, geometry, sky, haze) * is_seen * shaded
            surface = graph.node("ShaderNodeMixShader", {0: dark, 1: surface})
    with graph.frame("Color"):
        ray = graph.vector_math("MULTIPLY", geometry["Incoming"], (-1.0, -1.0, 0.0))
        level = graph.vector_math("ADD", ray, (0.0, 0.0, _LEVEL))
        direction = graph.vector_math("NORMALIZE", level)
        color = graph.group(light, {"Direction": direction})["Color"]
        glow = graph.node("ShaderNodeEmission", {"Color": color})
    mixed = graph.node("ShaderNodeMixShader", {0: share, 1: surface, 2: glow})
    graph.output("Shader", mixed, kind="Shader")
    return graph


def _hidden(graph: NodeGraph, geometry: Output, distance: Output, haze: Haze) -> Output:
    """Return the share of a surface that the haze hides from the camera."""
    visibility = _value(graph, "Visibility", haze.visibility)
    depth = _value(graph, "Haze Height", haze.depth)
    floor = _value(graph, "Floor", haze.floor)
    _, _, rise = graph.separate(geometry["Incoming"])
    _, _, z = graph.separate(geometry["Position"])
    # Heights in units of the haze's, above its floor: of the surface, and of the camera above that.
    height = graph.math("MAXIMUM", (z - floor) / depth, _LOWEST)
    climb = rise * distance / depth
    # A level look would divide by zero.
    is_level = graph.math("LESS_THAN", graph.math("ABSOLUTE", climb), 1e-3)
    climb = graph.math("MULTIPLY_ADD", is_level, 2e-3, climb)
    mean = (1.0 - graph.math("EXPONENT", climb * -1.0)) / climb
    dense = graph.math("EXPONENT", height * -1.0) * mean
    return 1.0 - graph.math("EXPONENT", distance * dense * -1.0 / visibility)


def _cloud_shadow(graph: NodeGraph, geometry: Output, sky: Sky, haze: Haze) -> Output:
    """Return by how much shadows of clouds darken a surface.

    They are painted before surfaces: neither engine lets an image of the sky throw shadows.
    """
    x, y, _ = graph.separate(geometry["Position"])
    seed = 0.53 + 3.17 * (sky.clouds_seed % 997)
    size = _value(graph, "Cloud Shadow", haze.shadow)
    place = graph.combine(x / size, y / size, seed)
    noise = {"Vector": place, "Scale": 1.0, "Detail": 3.0, "Roughness": 0.5}
    over = graph.node("ShaderNodeTexNoise", noise)
    return graph.map_range(over, *_SHADOWED, 0.0, _SHADOW, kind="SMOOTHSTEP")


def measures_of(haze: Haze) -> dict[str, float]:
    """Return the numbers of a haze by the names of the nodes that hold them."""
    return {
        "Visibility": haze.visibility,
        "Haze Height": haze.depth,
        "Floor": haze.floor,
        "Cloud Shadow": haze.shadow,
    }


def _value(graph: NodeGraph, name: str, number: float) -> Output:
    """Return the number of a separate node, which is found by its name."""

    def set_value(node: Any, owner: str) -> None:
        node.outputs[0].default_value = number

    return graph.node("ShaderNodeValue", name=name, content=set_value)


def declare_world(light: bpy.types.NodeTree, sky: Sky, heaps: bpy.types.Image | None) -> NodeGraph:
    """Declare the nodes of a world: the sky down to the horizon, and clouds before it.

    Parameters
    ----------
    light : NodeTree
        The group that gives the sky's color.
    sky : Sky
    heaps : Image, optional
        Of heaps of cloud, as `draw_cumulus` draws them.
    """
    graph = NodeGraph()
    direction = graph.node("ShaderNodeTexCoord")["Generated"]
    if sky.has_air:
        color = _air(graph, light, sky, direction)
        if heaps is not None:
            with graph.frame("Heaps of Cloud"):
                color = _heaps(graph, sky, heaps, direction, color)
    else:
        color = declare_space(graph, sky, direction, sun_vector(sky))
    background = graph.node("ShaderNodeBackground", {"Color": color})
    graph.node("ShaderNodeOutputWorld", {"Surface": background["Background"]})
    return graph


def _air(graph: NodeGraph, light: bpy.types.NodeTree, sky: Sky, direction: Output) -> Output:
    """Return the color of the sky, with thin clouds before it."""
    x, y, z = graph.separate(direction)
    # Down to the horizon and below it the sky takes the color of the haze: there is no dark void.
    above = graph.math("MAXIMUM", z, 0.0)
    raised = graph.math("SQRT", graph.math("MULTIPLY_ADD", above, above, _LEVEL * _LEVEL))
    raised = graph.vector_math("NORMALIZE", graph.combine(x, y, raised))
    color = graph.group(light, {"Direction": raised})["Color"]
    if sky.clouds > 0.0:
        with graph.frame("Clouds"):
            color = _clouds(graph, sky, direction, color)
    return color


def _heaps(
    graph: NodeGraph, sky: Sky, image: bpy.types.Image, direction: Output, behind: Output
) -> Output:
    """Return the color of the sky with heaps of cloud, which an image of all of it shows."""
    x, y, z = graph.separate(direction)
    half = 0.5 / (graph.math("MAXIMUM", z, 0.0) + 1.0)
    place = graph.combine(x * half + 0.5, y * half + 0.5)
    detail = _detail(graph, 4.0)
    noise = {"Vector": place, "Scale": _FRAYS, "Detail": detail, "Roughness": 0.62}
    bend = graph.node("ShaderNodeTexNoise", dict(noise))["Color"]
    bend = graph.vector_math("SUBTRACT", bend, (0.5, 0.5, 0.5))
    place = graph.vector_math("MULTIPLY_ADD", bend, (_FRAY, _FRAY, 0.0), place)
    texture = graph.node("ShaderNodeTexImage", {"Vector": place}, image=image, extension="EXTEND")
    sun, shade, cover = graph.separate(texture)
    lit = [channel + (1.0 - channel) * _WHITER for channel in sky.sun_color]
    lit = [channel * sky.sun_strength * _LIT * BRIGHTEST for channel in lit]
    bright = sky.sky_strength * _BRIGHTNESS
    dim = [channel * share * bright for channel, share in zip(_SHADE, sky.tint)]
    color = graph.vector_math("SCALE", tuple(lit), sun)
    color = graph.vector_math("ADD", color, graph.vector_math("SCALE", tuple(dim), shade))
    clear = graph.map_range(z, 0.012, 0.075, kind="SMOOTHSTEP")
    transparency = graph.math("MULTIPLY_ADD", cover * clear, -1.0, 1.0)
    color = graph.vector_math("SCALE", color, clear)
    return graph.vector_math("ADD", graph.vector_math("SCALE", behind, transparency), color)


def _clouds(graph: NodeGraph, sky: Sky, direction: Output, behind: Output) -> Output:
    """Return the color of the sky with thin clouds on a plane above: dense towards the horizon."""
    x, y, z = graph.separate(direction)
    above = graph.math("MAXIMUM", z, 0.0) + 0.10
    seed = 0.37 + 7.31 * (sky.clouds_seed % 997)
    across = graph.combine(x / above, y / above, seed)
    puffs = _noise(graph, across, 0.55, 9.0, 0.25)
    veil = _noise(graph, graph.vector_math("MULTIPLY", across, (0.25, 1.0, 1.0)), 0.7, 6.0, 0.0)
    cover = puffs * 0.72 + veil * 0.28
    # Half of the noise lies above 0.52: measured over the upper half of the sky.
    edge = 0.66 - 0.28 * sky.clouds
    share = graph.map_range(cover, edge, edge + 0.22, kind="SMOOTHSTEP")
    share = share * graph.map_range(z, 0.02, 0.16, kind="SMOOTHSTEP") * 0.85
    shade = graph.map_range(cover, edge + 0.08, edge + 0.30, kind="SMOOTHSTEP")
    bright = sky.sky_strength * _BRIGHTNESS
    light = graph.mix(shade, _scale(_CLOUD, bright), _scale(_SHADE, bright), "RGBA")
    return graph.mix(share, behind, graph.vector_math("MULTIPLY", light, tuple(sky.tint)), "RGBA")


def _scale(color: tuple[float, float, float], factor: float) -> tuple[float, ...]:
    return tuple(factor * channel for channel in color)


def _noise(
    graph: NodeGraph, place: Output, scale: float, detail: float, distortion: float
) -> Output:
    fine = _detail(graph, detail)
    inputs = {"Vector": place, "Scale": scale, "Detail": fine, "Roughness": 0.56}
    return graph.node("ShaderNodeTexNoise", {**inputs, "Distortion": distortion})


def _detail(graph: NodeGraph, detail: float) -> Output:
    """Return the detail of a noise for rays that show the sky; the light that it sends needs little."""
    path = graph.node("ShaderNodeLightPath", label="Ray")
    shows = graph.math("MAXIMUM", path["Is Camera Ray"], path["Is Glossy Ray"])
    return graph.math("MULTIPLY_ADD", shows, detail - _LIGHT_DETAIL, _LIGHT_DETAIL)
