# SPDX-License-Identifier: GPL-3.0-or-later
"""Light, air and camera for the pictures that the examples render."""

from __future__ import annotations

import math
from pathlib import Path

import bpy
import numpy as np
from _looks import AIR, LOOKS, Look
from _materials import finish_in_air, ground, planet_surface, thin_air, water
from _nodes import Colour, Nodes, set_ramp, tree_of
from mathutils import Vector


def landscape(terrain: bpy.types.Object, preset: str) -> None:
    """Give a terrain a material, and put a camera, sun and sky around it."""
    look = LOOKS.get(preset, LOOKS[""])
    low, high = _height_range(terrain.data)
    width = terrain.dimensions.x
    terrain.data.materials.append(ground(look, low, high, width))
    if look.water is not None:
        _lake(terrain, look, width)
    _sky(look)
    _sun(look)
    _look_across(terrain, look, low, high)


def planet(thing: bpy.types.Object) -> None:
    """Give a planet oceans, land, ice and a thin blue air, and hang it in the dark."""
    radius = np.linalg.norm(_positions(thing.data), axis=1)
    sea, high = (float(one) for one in np.quantile(radius, (0.58, 0.9995)))
    thing.data.materials.append(planet_surface(sea, high))
    _shell("Ocean", sea, water("Ocean", (0.004, 0.020, 0.055), roughness=0.42))
    _shell("Air", high * 1.015, thin_air((0.20, 0.42, 1.0)))
    nodes = Nodes(_world())
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


def _lake(terrain: bpy.types.Object, look: Look, width: float) -> None:
    """Lay water at height 0, far beyond the terrain's edges."""
    bpy.ops.mesh.primitive_plane_add(size=width * 12.0, location=terrain.location)
    lake = bpy.context.active_object
    lake.name = "Water"
    material = water("Water", look.water or (0.0, 0.0, 0.0), roughness=0.12)
    nodes = Nodes(material.node_tree, is_new=False)
    surface = next(one for one in nodes.tree.nodes if one.type == "BSDF_PRINCIPLED")
    geometry = nodes.add("ShaderNodeNewGeometry")
    waves = nodes.noise((geometry, "Position"), scale=500.0 / width, detail=4.0)
    bump = nodes.add("ShaderNodeBump", Strength=0.25, Distance=width * 2e-4)
    nodes.link(waves, "Fac", bump, "Height")
    nodes.link(bump, "Normal", surface, "Normal")
    for node in [one for one in nodes.tree.nodes if one.type == "OUTPUT_MATERIAL"]:
        nodes.tree.nodes.remove(node)
    finish_in_air(nodes, look, surface, width)
    lake.data.materials.append(material)


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
    nodes = Nodes(_world())
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
        stops = [(0.0, (0.004, 0.004, 0.005)), (1.0, (0.004, 0.004, 0.005))]
    set_ramp(ramp, stops)
    half = nodes.math("MULTIPLY_ADD", (height, "Z"), 0.5, 0.5)
    nodes.link(half, "Value", ramp, "Fac")
    background = nodes.add("ShaderNodeBackground", Strength=1.0)
    nodes.link(ramp, "Color", background, "Color")
    nodes.link(background, "Background", nodes.add("ShaderNodeOutputWorld"), "Surface")


def _look_across(terrain: bpy.types.Object, look: Look, low: float, high: float) -> None:
    """Put the camera above the near edge, looking over the land."""
    width, depth = terrain.dimensions.x, terrain.dimensions.y
    spot = Vector((look.aside * width, -look.back * depth, 0.0))
    points = _positions(terrain.data)
    near = np.abs(points[:, :2] - np.array(spot[:2])).max(axis=1) < 0.06 * width
    ground = float(points[near, 2].max()) if near.any() else high
    spot.z = max(ground + look.lift * width, low + 0.75 * (high - low) + 0.03 * width)
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


def _world() -> bpy.types.NodeTree:
    world = bpy.data.worlds.new("Sky")
    bpy.context.scene.world = world
    return tree_of(world)


def _positions(mesh: bpy.types.Mesh) -> np.ndarray:
    values = np.empty(len(mesh.vertices) * 3, np.float32)
    mesh.attributes["position"].data.foreach_get("vector", values)
    return values.reshape(-1, 3)


def _height_range(mesh: bpy.types.Mesh) -> tuple[float, float]:
    heights = _positions(mesh)[:, 2]
    low, high = np.quantile(heights, (0.005, 0.995))
    return float(low), max(float(high), float(low) + 1e-3)
