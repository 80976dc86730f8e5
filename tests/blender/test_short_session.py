# SPDX-License-Identifier: GPL-3.0-or-later
"""A short session: a user's first day, in one file, saved and opened again.

It runs in every Blender between the oldest and the newest, those too that have no run of all the tests:
`nox -s blender_short`.
"""

from __future__ import annotations

import bpy
import numpy as np

from tests.blender.extension import module
from tests.blender.helpers import add_terrain, evaluated, pixels, positions


def test_a_short_session(terrane, tmp_path):
    terrain = add_terrain(preset="alps", resolution=65)
    recipe = module("operators.bridge.schema.settings").read(terrain.terrane)
    assert (
        recipe.to_json()
        == module("noise_core.landscapes.preset_library").load_preset("alps").to_json()
    )
    assert bpy.ops.terrane.terrain_update(seed=12) == {"FINISHED"}
    assert bpy.ops.terrane.mesh_erode(modifier="thermal_erosion") == {"FINISHED"}
    assert bpy.ops.terrane.maps_bake(maps={"slope"}) == {"FINISHED"}
    assert bpy.ops.terrane.terrain_material(detail_pixels=16) == {"FINISHED"}
    assert np.ptp(positions(terrain.data)[:, 2]) > 100.0
    assert terrain.active_material.node_tree.nodes

    assert bpy.ops.terrane.image_new(name="Ground", width=32, height=32, preset="marble") == {
        "FINISHED"
    }
    image = bpy.data.images["Ground"]
    assert np.ptp(pixels(image)) > 0.1

    bpy.ops.mesh.primitive_ico_sphere_add(subdivisions=3)
    ball = bpy.context.active_object
    smooth = positions(ball.data)
    assert bpy.ops.terrane.mesh_displace(strength=0.3) == {"FINISHED"}
    assert np.abs(positions(ball.data) - smooth).max() > 0.02
    assert bpy.ops.terrane.nodes_add() == {"FINISHED"}
    assert bpy.ops.terrane.material_add(surface="granite", width=16, height=16) == {"FINISHED"}
    stone = ball.active_material

    recipe_file = tmp_path / "recipe.json"
    bpy.context.view_layer.objects.active = terrain
    assert bpy.ops.terrane.recipe_save(filepath=str(recipe_file)) == {"FINISHED"}
    assert bpy.ops.terrane.recipe_load(filepath=str(recipe_file)) == {"FINISHED"}
    assert len(evaluated(terrain).data.vertices) == 65 * 65
    names = terrain.name, ball.name, stone.name
    before = positions(terrain.data), positions(ball.data), pixels(image)

    path = str(tmp_path / "session.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.read_homefile(use_empty=True)
    bpy.ops.wm.open_mainfile(filepath=path)
    terrain, ball = bpy.data.objects[names[0]], bpy.data.objects[names[1]]
    after = positions(terrain.data), positions(ball.data), pixels(bpy.data.images["Ground"])
    for old, new in zip(before, after, strict=True):
        np.testing.assert_array_equal(old, new)
    assert terrain.terrane.is_terrain and terrain.terrane.seed == 12
    assert terrain.active_material and bpy.data.materials[names[2]].node_tree.nodes

    bpy.context.view_layer.objects.active = terrain
    assert bpy.ops.terrane.terrain_update(resolution=33) == {"FINISHED"}
    assert len(terrain.data.vertices) == 33 * 33 and terrain.active_material
