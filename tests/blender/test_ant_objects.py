# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects of A.N.T. Landscape that become terrains."""

from __future__ import annotations

import bpy
import numpy as np
import pytest


def made_by_ant(**settings):
    """Add an object with the settings as A.N.T. Landscape leaves them: numbers for options."""
    bpy.ops.mesh.primitive_grid_add(size=4.0, location=(3.0, 4.0, 5.0))
    obj = bpy.context.object
    obj.name = "My Land"
    obj["ant_landscape"] = {
        "noise_type": 3,
        "mesh_size_x": 4.0,
        "mesh_size_y": 2.0,
        "subdivision_x": 65,
        **settings,
    }
    obj.data.materials.append(bpy.data.materials.new("Mine"))
    return obj


def test_an_object_becomes_a_terrain_of_its_size_and_keeps_what_it_has(terrane):
    obj = made_by_ant(subdivision_y=33, height=0.8)
    assert bpy.ops.terrane.terrain_from_ant() == {"FINISHED"}
    assert bpy.context.object == obj and obj.name == "My Land"
    assert tuple(obj.location) == (3.0, 4.0, 5.0)
    assert obj.dimensions[:2] == pytest.approx((4.0, 2.0)) and 0.1 < obj.dimensions[2] < 2.0
    assert len(obj.data.vertices) == 65 * 33
    assert [material.name for material in obj.data.materials] == ["Mine"]
    with pytest.raises(RuntimeError, match="A.N.T. Landscape made"):
        bpy.ops.terrane.terrain_from_ant()  # it is a terrain by now


def test_a_sphere_becomes_a_planet(terrane):
    obj = made_by_ant(sphere_mesh=True, mesh_size=3.0, height=1.5, noise_type=5)
    place = tuple(obj.location)
    assert bpy.ops.terrane.terrain_from_ant() == {"FINISHED"}
    assert bpy.context.object == obj and obj.name == "My Land"
    assert tuple(obj.location) == place
    assert [material.name for material in obj.data.materials] == ["Mine"]
    radii = np.linalg.norm([vertex.co for vertex in obj.data.vertices], axis=1)
    assert radii.mean() == pytest.approx(1.5, abs=0.3) and 0.05 < radii.std() < 0.5
    assert 6 * 8**2 <= len(obj.data.polygons) <= 2 * 128 * 65
    with pytest.raises(RuntimeError, match="A.N.T. Landscape made"):
        bpy.ops.terrane.terrain_from_ant()  # it is a planet by now


def test_other_objects_and_wrong_settings_are_refused(terrane):
    bpy.ops.mesh.primitive_cube_add()
    with pytest.raises(RuntimeError, match="A.N.T. Landscape made"):
        bpy.ops.terrane.terrain_from_ant()
    made_by_ant(noise_type=77)
    with pytest.raises(RuntimeError, match="noise_type"):
        bpy.ops.terrane.terrain_from_ant()


def test_presets_of_ant_make_terrains(terrane):
    assert bpy.ops.terrane.terrain_add(preset="ant_canyon", resolution=65) == {"FINISHED"}
    assert bpy.context.object.name.startswith("Canyon")
    assert bpy.context.object.dimensions[0] == pytest.approx(2000.0)
