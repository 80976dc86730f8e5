# SPDX-License-Identifier: GPL-3.0-or-later
"""Water as renders show it: dark where it is deep, with its bed where it is shallow, and a mirror aslant."""

from __future__ import annotations

import math

import bpy
import numpy as np
import pytest

from tests.blender.extension import bridge
from tests.blender.rendering import render_linear

BED = (0.26, 0.23, 0.17)
"""Color of gravel below the water."""

PALETTES = ("alpine", "tropical")


def add_plane(name, height):
    """Add a plane of 100 m at a height, with four vertices."""
    mesh = bpy.data.meshes.new(name)
    corners = [(50.0 * x, 50.0 * y, height) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    mesh.from_pydata(corners, [], [(0, 1, 2, 3)])
    obj = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(obj)
    return obj


def lay_water(palette, depth, *, is_river):
    """Lay water so deep over gravel."""
    bed = add_plane("Bed", -depth)
    material = bridge("datablocks.materials").new_material("Gravel")
    tree = material.node_tree
    diffuse = tree.nodes.new("ShaderNodeBsdfDiffuse")
    diffuse.inputs["Color"].default_value = (*BED, 1.0)
    output = tree.nodes.new("ShaderNodeOutputMaterial")
    tree.links.new(diffuse.outputs[0], output.inputs["Surface"])
    bed.data.materials.append(material)
    water = add_plane("Water", 0.0)
    water_meshes = bridge("scene.water_meshes")
    depths = water.data.attributes.new(water_meshes.DEPTH, "FLOAT", "POINT")
    depths.data.foreach_set("value", np.full(4, depth, np.float32))
    flow = water.data.attributes.new(water_meshes.FLOW, "FLOAT_VECTOR", "POINT")
    flow.data.foreach_set("vector", np.tile(np.float32([float(is_river), 0.0, 0.0]), 4))
    scene = bpy.context.scene
    bridge("scene.water_material").write(scene, water, palette, has_swell=False)


def light(*, strength, sun_angle, sky):
    """Light the scene by a sun, seen from above under an angle, below an even sky."""
    lamp = bpy.data.lights.new("Sun", "SUN")
    lamp.energy = strength
    sun = bpy.data.objects.new("Sun", lamp)
    sun.rotation_euler = (sun_angle, 0.0, 0.0)
    bpy.context.scene.collection.objects.link(sun)
    world = bpy.data.worlds.new("Even")
    bpy.context.scene.world = world
    tree = bridge("datablocks.compat").node_tree(world)
    background = next(node for node in tree.nodes if node.type == "BACKGROUND")
    background.inputs["Color"].default_value = (sky, sky, sky, 1.0)


def look(angle):
    """Add a camera that sees the water under an angle from straight down."""
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    camera.data.type, camera.data.ortho_scale = "ORTHO", 8.0
    camera.location = (0.0, -30.0 * math.sin(angle), 30.0 * math.cos(angle))
    camera.rotation_euler = (angle, 0.0, 0.0)
    bpy.context.scene.collection.objects.link(camera)
    bpy.context.scene.camera = camera


def albedo(tmp_path):
    """Return the albedo of what is seen from above in the light of a sun alone."""
    angle = math.radians(45.0)
    light(strength=math.pi, sun_angle=angle, sky=0.0)
    look(0.0)
    return render_linear(tmp_path, 16, samples=16).mean(axis=(0, 1)) / math.cos(angle)


@pytest.mark.parametrize("palette", PALETTES)
def test_a_deep_river_is_dark_and_hardly_colored(terrane, tmp_path, palette):
    lay_water(palette, 2.0, is_river=True)
    color = albedo(tmp_path)
    saturation = 1.0 - color.min() / color.max()
    print(f"{palette}: albedo {color.mean():.4f}, saturation {saturation:.3f}")
    assert 0.005 < color.mean() <= 0.03
    assert saturation <= 0.4


def test_shallow_water_shows_its_bed(terrane, tmp_path):
    lay_water("temperate", 0.15, is_river=True)
    color = albedo(tmp_path)
    assert (color > 0.4 * np.array(BED)).all() and (color < BED).all()


def test_water_mirrors_the_sky_aslant(terrane, tmp_path):
    """At 85 degrees flat water mirrors 58 % of the light (Fresnel)."""
    lay_water("temperate", 5.0, is_river=False)
    light(strength=0.0, sun_angle=0.0, sky=1.0)
    look(math.radians(85.0))
    assert render_linear(tmp_path, 16, samples=16).mean() > 0.35
