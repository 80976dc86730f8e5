# SPDX-License-Identifier: GPL-3.0-or-later
"""Light, air, camera and materials for the pictures that the examples render."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from mathutils import Vector

Colour = tuple[float, float, float]

AIR = 0.9
"""How bright the haze and the horizon are."""


@dataclass(frozen=True)
class Look:
    """Colours of a landscape, linear: what lies low, in between, high, and on steep ground.

    Attributes
    ----------
    low, middle, high, steep : Colour
        Of the ground.
    flat_above : float
        Slopes flatter than this cosine keep their own colour; steeper ones show rock.
    bands : float
        How strongly rock strata show, from 0 to 1.
    water : Colour or None
        Of the sea at height 0, if there is one.
    back : float
        How far from the middle the camera stands, in depths of the terrain.
    haze : Colour
        Of the air far away.
    reach : float
        How far one sees, in widths of the terrain.
    sun : tuple of two floats
        Its height above the horizon, and where it stands as on a compass (the camera looks
        north), in degrees.
    """

    low: Colour
    middle: Colour
    high: Colour
    steep: Colour
    flat_above: float = 0.75
    bands: float = 0.0
    water: Colour | None = None
    back: float = 0.47
    haze: Colour = (0.46, 0.62, 0.86)
    reach: float = 5.0
    sun: tuple[float, float] = (24.0, 285.0)


LOOKS = {
    "": Look((0.08, 0.11, 0.03), (0.16, 0.14, 0.08), (0.75, 0.77, 0.80), (0.14, 0.12, 0.105)),
    "alps": Look((0.035, 0.06, 0.018), (0.10, 0.10, 0.045), (0.82, 0.86, 0.92), (0.11, 0.10, 0.095),
                 flat_above=0.78),
    "rolling_hills": Look((0.07, 0.13, 0.02), (0.12, 0.17, 0.03), (0.22, 0.21, 0.07), (0.14, 0.11, 0.06),
                          flat_above=0.6),
    "dunes": Look((0.50, 0.26, 0.11), (0.62, 0.35, 0.16), (0.72, 0.44, 0.22), (0.46, 0.23, 0.09),
                  flat_above=0.70, haze=(0.78, 0.66, 0.52), sun=(17.0, 300.0)),
    "mesa": Look((0.34, 0.15, 0.07), (0.42, 0.17, 0.075), (0.46, 0.27, 0.13), (0.36, 0.11, 0.045),
                 flat_above=0.80, bands=0.6, haze=(0.66, 0.62, 0.62)),
    "canyon": Look((0.30, 0.14, 0.07), (0.42, 0.19, 0.09), (0.47, 0.29, 0.15), (0.38, 0.13, 0.055),
                   flat_above=0.80, bands=0.7, haze=(0.66, 0.62, 0.62)),
    "badlands": Look((0.36, 0.24, 0.15), (0.48, 0.30, 0.19), (0.55, 0.42, 0.30), (0.40, 0.21, 0.13),
                     flat_above=0.75, bands=0.8, haze=(0.70, 0.66, 0.62)),
    "island": Look((0.62, 0.50, 0.31), (0.045, 0.10, 0.02), (0.15, 0.14, 0.10), (0.13, 0.11, 0.09),
                   flat_above=0.62, water=(0.004, 0.035, 0.055), back=0.8),
    "volcano": Look((0.06, 0.075, 0.03), (0.055, 0.05, 0.045), (0.16, 0.13, 0.12), (0.04, 0.034, 0.032),
                    flat_above=0.7, haze=(0.62, 0.58, 0.60), sun=(16.0, 300.0)),
    "moon": Look((0.14, 0.14, 0.14), (0.22, 0.22, 0.215), (0.34, 0.34, 0.33), (0.26, 0.26, 0.255),
                 flat_above=0.6, haze=(0.0, 0.0, 0.0), reach=1e6, sun=(14.0, 300.0)),
}  # fmt: skip


# --- whole scenes -------------------------------------------------------------------------------


def landscape(terrain: bpy.types.Object, preset: str) -> None:
    """Give a terrain a material, and put a camera, sun and sky around it."""
    look = LOOKS.get(preset, LOOKS[""])
    low, high = _height_range(terrain.data)
    width = terrain.dimensions.x
    terrain.data.materials.append(_ground(look, low, high, width))
    if look.water is not None:
        _lake(terrain, look, width)
    _sky(look)
    _sun(look)
    _look_across(terrain, look, low, high)


def planet(thing: bpy.types.Object) -> None:
    """Give a planet oceans, land, ice and a thin blue air, and hang it in the dark."""
    radius = np.linalg.norm(_positions(thing.data), axis=1)
    sea, high = (float(one) for one in np.quantile(radius, (0.58, 0.9995)))
    thing.data.materials.append(_planet_surface(sea, high))
    _shell("Ocean", sea, _water("Ocean", (0.004, 0.020, 0.055), roughness=0.42))
    _shell("Air", high * 1.015, _thin_air((0.20, 0.42, 1.0)))
    nodes = _Nodes(_world())
    background = nodes.add("ShaderNodeBackground", Color=(0.0, 0.0, 0.0, 1.0), Strength=0.0)
    nodes.link(background, "Background", nodes.add("ShaderNodeOutputWorld"), "Surface")
    _add_sun(height=24.0, direction=236.0, strength=6.0, colour=(1.0, 0.96, 0.90), angle=0.5)
    _camera(Vector((0.0, -5.2, 0.9)), Vector((0.0, 0.0, 0.0)), lens=45.0)


def _shell(name: str, radius: float, material: bpy.types.Material) -> None:
    bpy.ops.mesh.primitive_uv_sphere_add(segments=256, ring_count=128, radius=radius)
    shell = bpy.context.active_object
    shell.name = name
    shell.data.shade_smooth()
    shell.data.materials.append(material)


def _thin_air(colour: Colour) -> bpy.types.Material:
    """Return a material that glows towards the rim, on the side of the sun."""
    material = bpy.data.materials.new("Air")
    nodes = _Nodes(_tree(material))
    facing = nodes.add("ShaderNodeLayerWeight", Blend=0.5)
    ramp = nodes.add("ShaderNodeValToRGB")
    _set_ramp(ramp, [(0.45, (0.0,) * 3), (0.82, (0.55,) * 3), (1.0, (0.0,) * 3)])
    nodes.link(facing, "Facing", ramp, "Fac")
    scatter = nodes.add("ShaderNodeBsdfDiffuse")
    scatter.inputs["Color"].default_value = (*colour, 1.0)
    clear, mix = nodes.add("ShaderNodeBsdfTransparent"), nodes.add("ShaderNodeMixShader")
    nodes.link(ramp, "Color", mix, 0)
    nodes.link(clear, "BSDF", mix, 1)
    nodes.link(scatter, "BSDF", mix, 2)
    nodes.link(mix, "Shader", nodes.add("ShaderNodeOutputMaterial"), "Surface")
    return material


def render(path: Path, *, samples: int, width: int) -> None:
    """Render the scene with Cycles, as wide as told and 16:9."""
    import _cycles

    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.cycles.samples = max(1, samples)
    scene.cycles.use_adaptive_sampling = True
    scene.cycles.adaptive_threshold = 0.02
    scene.cycles.max_bounces = 4
    scene.cycles.use_denoising = _cycles.with_openimagedenoise  # some builds go without
    scene.render.resolution_x, scene.render.resolution_y = width, width * 9 // 16
    scene.render.resolution_percentage = 100
    scene.view_settings.view_transform = "AgX"
    scene.view_settings.look = "AgX - Medium High Contrast"
    scene.view_settings.exposure = 0.35
    settings = scene.render.image_settings
    if hasattr(settings, "media_type"):
        settings.media_type = "IMAGE"
    settings.file_format = "PNG"
    scene.render.filepath = str(path)
    bpy.ops.render.render(write_still=True)


# --- light and camera ---------------------------------------------------------------------------


def _sun(look: Look) -> None:
    height, direction = look.sun
    warm = (1.0, 0.90, 0.76) if height < 30.0 else (1.0, 0.97, 0.92)
    _add_sun(height, direction, strength=7.0, colour=warm, angle=0.6)


def _add_sun(
    height: float, direction: float, *, strength: float, colour: Colour, angle: float
) -> None:
    light = bpy.data.lights.new("Sun", "SUN")
    light.energy, light.color, light.angle = strength, colour, math.radians(angle)
    sun = bpy.data.objects.new("Sun", light)
    bpy.context.collection.objects.link(sun)
    up, round_ = math.radians(height), math.radians(direction)
    towards = Vector(
        (math.sin(round_) * math.cos(up), math.cos(round_) * math.cos(up), math.sin(up))
    )
    sun.rotation_euler = towards.to_track_quat("Z", "Y").to_euler()


def _sky(look: Look) -> None:
    """Paint a sky from the haze on the horizon up to a deep blue, or black without air."""
    nodes = _Nodes(_world())
    coordinates = nodes.add("ShaderNodeTexCoord")
    height = nodes.add("ShaderNodeSeparateXYZ")
    nodes.link(coordinates, "Generated", height, "Vector")
    ramp = nodes.add("ShaderNodeValToRGB")
    has_air = any(look.haze)
    horizon = tuple(AIR * one for one in look.haze)
    stops = [
        (0.49, horizon),
        (0.505, horizon),
        (0.60, (0.17, 0.34, 0.68)),
        (0.90, (0.05, 0.13, 0.40)),
    ]
    if not has_air:
        stops = [(0.0, (0.0, 0.0, 0.0)), (1.0, (0.0, 0.0, 0.0))]
    _set_ramp(ramp, stops)
    half = nodes.math("MULTIPLY_ADD", (height, "Z"), 0.5, 0.5)
    nodes.link(half, "Value", ramp, "Fac")
    background = nodes.add("ShaderNodeBackground", Strength=1.0)
    nodes.link(ramp, "Color", background, "Color")
    nodes.link(background, "Background", nodes.add("ShaderNodeOutputWorld"), "Surface")


def _look_across(terrain: bpy.types.Object, look: Look, low: float, high: float) -> None:
    """Put the camera above the near edge, looking over the land."""
    width, depth = terrain.dimensions.x, terrain.dimensions.y
    spot = Vector((-0.10 * width, -look.back * depth, 0.0))
    points = _positions(terrain.data)
    near = np.abs(points[:, :2] - np.array(spot[:2])).max(axis=1) < 0.06 * width
    ground = float(points[near, 2].max()) if near.any() else high
    spot.z = max(ground + 0.07 * width, low + 0.75 * (high - low) + 0.03 * width)
    spot.z += 0.25 * max(look.back - 0.5, 0.0) * width
    target = Vector((0.05 * width, 0.12 * depth, low + 0.25 * (high - low)))
    _camera(terrain.location + spot, terrain.location + target, lens=30.0)


def _camera(spot: Vector, target: Vector, lens: float) -> None:
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    bpy.context.collection.objects.link(camera)
    camera.location = spot
    camera.rotation_euler = (target - spot).to_track_quat("-Z", "Y").to_euler()
    distance = (target - spot).length
    camera.data.lens, camera.data.clip_start = lens, distance * 1e-4
    camera.data.clip_end = distance * 20.0
    bpy.context.scene.camera = camera


# --- materials ----------------------------------------------------------------------------------


def _ground(look: Look, low: float, high: float, width: float) -> bpy.types.Material:
    """Return a material that follows height and slope, and fades into the air far away."""
    material = bpy.data.materials.new("Ground")
    nodes = _Nodes(_tree(material))
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
    _set_ramp(ramp, stops)
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
    _finish_in_air(nodes, look, surface, width)
    return material


def _rock(
    nodes: _Nodes, look: Look, position: Any, fine: Any, low: float, high: float
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


def _finish_in_air(nodes: _Nodes, look: Look, surface: Any, width: float) -> None:
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


def _lake(terrain: bpy.types.Object, look: Look, width: float) -> None:
    """Lay water at height 0, far beyond the terrain's edges."""
    bpy.ops.mesh.primitive_plane_add(size=width * 12.0, location=terrain.location)
    lake = bpy.context.active_object
    lake.name = "Water"
    material = _water("Water", look.water or (0.0, 0.0, 0.0), roughness=0.12)
    nodes = _Nodes(material.node_tree, is_new=False)
    surface = next(one for one in nodes.tree.nodes if one.type == "BSDF_PRINCIPLED")
    geometry = nodes.add("ShaderNodeNewGeometry")
    waves = nodes.noise((geometry, "Position"), scale=500.0 / width, detail=4.0)
    bump = nodes.add("ShaderNodeBump", Strength=0.25, Distance=width * 2e-4)
    nodes.link(waves, "Fac", bump, "Height")
    nodes.link(bump, "Normal", surface, "Normal")
    for node in [one for one in nodes.tree.nodes if one.type == "OUTPUT_MATERIAL"]:
        nodes.tree.nodes.remove(node)
    _finish_in_air(nodes, look, surface, width)
    lake.data.materials.append(material)


def _water(name: str, colour: Colour, roughness: float) -> bpy.types.Material:
    material = bpy.data.materials.new(name)
    nodes = _Nodes(_tree(material))
    surface = nodes.add("ShaderNodeBsdfPrincipled", Roughness=roughness)
    surface.inputs["Base Color"].default_value = (*colour, 1.0)
    nodes.link(surface, "BSDF", nodes.add("ShaderNodeOutputMaterial"), "Surface")
    return material


def _planet_surface(sea: float, high: float) -> bpy.types.Material:
    """Return a material from shores over woods and deserts up to snow, with ice at the poles."""
    material = bpy.data.materials.new("Planet")
    nodes = _Nodes(_tree(material))
    geometry, length = nodes.add("ShaderNodeNewGeometry"), nodes.add("ShaderNodeVectorMath")
    length.operation = "LENGTH"
    nodes.link(geometry, "Position", length, 0)
    fine = nodes.noise((geometry, "Position"), scale=5.0, detail=12.0)
    height = nodes.remap((length, "Value"), sea, high)
    height = nodes.math("MULTIPLY_ADD", (fine, "Fac"), 0.35, (height, "Result"))
    ramp = nodes.add("ShaderNodeValToRGB")
    stops = [(0.16, (0.36, 0.29, 0.16)), (0.22, (0.05, 0.085, 0.022)), (0.36, (0.08, 0.085, 0.03)),
             (0.50, (0.20, 0.145, 0.075)), (0.68, (0.17, 0.13, 0.10)), (0.86, (0.78, 0.80, 0.83))]  # fmt: skip
    _set_ramp(ramp, stops)
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


# --- nodes --------------------------------------------------------------------------------------


class _Nodes:
    """A node tree, written down with few words. A source is (node, output) or a plain number."""

    def __init__(self, tree: bpy.types.NodeTree, *, is_new: bool = True) -> None:
        self.tree = tree
        if is_new:
            tree.nodes.clear()

    def add(self, kind: str, **inputs: Any) -> Any:
        node = self.tree.nodes.new(kind)
        for name, value in inputs.items():
            node.inputs[name].default_value = value
        return node

    def link(self, source: Any, output: str | int, node: Any, socket: str | int) -> None:
        self.tree.links.new(source.outputs[output], node.inputs[socket])

    def feed(self, source: Any, node: Any, socket: str | int) -> None:
        if isinstance(source, tuple):
            self.link(*source, node, socket)
        else:
            node.inputs[socket].default_value = source

    def math(self, operation: str, *sources: Any) -> Any:
        node = self.add("ShaderNodeMath")
        node.operation = operation
        for place, source in enumerate(sources):
            self.feed(source, node, place)
        return node

    def remap(
        self,
        source: Any,
        from_min: float,
        from_max: float,
        to_min: float = 0.0,
        to_max: float = 1.0,
    ) -> Any:
        node = self.add("ShaderNodeMapRange")
        for name, value in (
            ("From Min", from_min),
            ("From Max", from_max),
            ("To Min", to_min),
            ("To Max", to_max),
        ):
            node.inputs[name].default_value = value
        self.feed(source, node, "Value")
        return node

    def noise(self, source: Any, scale: float, detail: float) -> Any:
        node = self.add("ShaderNodeTexNoise", Scale=scale, Detail=detail)
        self.feed(source, node, "Vector")
        return node

    def mix(self, share: Any, first: Any, second: Any) -> tuple[Any, int]:
        node = self.add("ShaderNodeMix")
        node.data_type = "RGBA"
        self.feed(share, node, 0)
        self.feed(first, node, 6)
        self.feed(second, node, 7)
        return node, 2

    def scaled(self, colour: Any, factor: Any) -> tuple[Any, str]:
        node = self.add("ShaderNodeVectorMath")
        node.operation = "SCALE"
        self.feed(colour, node, 0)
        self.feed(factor, node, "Scale")
        return node, "Vector"


def _set_ramp(node: Any, stops: list[tuple[float, Colour]]) -> None:
    elements = node.color_ramp.elements
    while len(elements) > 1:
        elements.remove(elements[-1])
    for place, (position, colour) in enumerate(stops):
        element = elements[0] if place == 0 else elements.new(position)
        element.position, element.color = position, (*colour, 1.0)


def _tree(owner: Any) -> bpy.types.NodeTree:
    """Return the node tree of a material or a world; from 5.0 on it is always there."""
    if bpy.app.version < (5, 0, 0):
        owner.use_nodes = True
    return owner.node_tree


def _world() -> bpy.types.NodeTree:
    world = bpy.data.worlds.new("Sky")
    bpy.context.scene.world = world
    return _tree(world)


def _positions(mesh: bpy.types.Mesh) -> np.ndarray:
    values = np.empty(len(mesh.vertices) * 3, np.float32)
    mesh.attributes["position"].data.foreach_get("vector", values)
    return values.reshape(-1, 3)


def _height_range(mesh: bpy.types.Mesh) -> tuple[float, float]:
    heights = _positions(mesh)[:, 2]
    low, high = np.quantile(heights, (0.005, 0.995))
    return float(low), max(float(high), float(low) + 1e-3)
