# SPDX-License-Identifier: GPL-3.0-or-later
"""A part of a landscape that is active stands for its terrain, in panels and for operators."""

from __future__ import annotations

import bpy
import numpy as np
import pytest

from tests.blender.extension import module
from tests.blender.helpers import activate, add_terrain, heights, part

ALL = ("water", "plants", "open_sea", "surroundings", "detail_patch", "camera", "sun")


def make_terrain():
    bpy.context.scene.world = None
    terrain = add_terrain(preset="fjords", resolution=33)
    bpy.ops.terrane.water_add()
    bpy.ops.terrane.surroundings_add(kind="mirror")
    bpy.ops.terrane.camera_add()
    bpy.context.view_layer.objects.active = terrain


@pytest.fixture
def terrain(made_once):
    """Return a terrain with water, surroundings and a camera."""
    return made_once("fjords_with_parts", make_terrain)


@pytest.fixture
def landscape(terrain):
    """Return a terrain with all parts but a base."""
    bpy.ops.terrane.sky_add(cumulus=0.0)
    kinds = module("noise_core.landscapes.plants").KINDS
    bpy.ops.terrane.scatter_add(**{f"{kind}_density": 0.0 for kind in kinds})
    camera = bpy.context.scene.camera
    camera.location = terrain.location.x, terrain.location.y, 2.0 * terrain.terrane.height
    bpy.context.view_layer.update()
    bpy.ops.terrane.detail_patch_add(patch_size=20.0, spacing=1.0)
    return terrain


def shown():
    return module("operators.bridge.schema.state").active_settings(bpy.context).id_data


@pytest.mark.slow
def test_panels_show_the_terrain_that_a_part_belongs_to(landscape):
    for name in ALL:
        activate(part(name))
        assert shown() == landscape, name
        assert module("ui.landscape").TERRANE_PT_landscape.poll(bpy.context)
        assert module("ui.erosion").TERRANE_PT_maps.poll(bpy.context)
        # What is for meshes of the user's is not for a part, which would be written over.
        assert not module("ui.viewport").TERRANE_PT_displace.poll(bpy.context)


@pytest.mark.slow
def test_the_base_shows_its_terrain(terrain):
    bpy.ops.terrane.surroundings_add(kind="base")
    activate(part("base"))
    assert shown() == terrain


@pytest.mark.wide
def test_operators_act_on_the_terrain(terrain):
    for number, name in enumerate(("water", "surroundings", "camera"), start=1):
        thing = part(name)
        activate(thing)
        before, count = heights(terrain), len(terrain.terrane.layers)
        assert bpy.ops.terrane.layer_add(type="terraces") == {"FINISHED"}
        assert len(terrain.terrane.layers) == count + 1
        assert bpy.ops.terrane.terrain_update(seed=77 + number) == {"FINISHED"}
        assert not np.array_equal(heights(terrain), before), name
        assert bpy.ops.terrane.water_add(level=float(number)) == {"FINISHED"}
        assert part("water").terrane_water.level == number
        assert bpy.context.view_layer.objects.active == thing


def test_what_changes_meshes_changes_the_terrain_not_its_water(terrain):
    water = part("water")
    activate(water)
    assert bpy.ops.terrane.terrain_material(mapping="none") == {"FINISHED"}
    assert terrain.active_material.name != water.active_material.name
    assert bpy.ops.terrane.colors_add() == {"FINISHED"}
    assert "Terrane Color" in terrain.data.attributes
    assert bpy.ops.terrane.maps_bake(maps={"slope"}) == {"FINISHED"}
    assert "slope" in terrain.data.attributes and "slope" not in water.data.attributes
    before = heights(terrain)
    assert bpy.ops.terrane.mesh_erode(modifier="thermal_erosion") == {"FINISHED"}
    assert not np.array_equal(heights(terrain), before)
    assert bpy.ops.terrane.layer_remove() == {"FINISHED"}
    assert bpy.ops.terrane.terrain_update() == {"FINISHED"}
    assert np.array_equal(heights(terrain), before)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["water", "camera"])
@pytest.mark.parametrize("kind", ["GROUP", "IMAGE"])
def test_painting_makes_the_terrain_active(terrain, name, kind):
    activate(part(name))
    assert bpy.ops.terrane.mask_paint(kind=kind) == {"FINISHED"}
    assert bpy.context.view_layer.objects.active == terrain and terrain.select_get()
    assert terrain.mode == {"GROUP": "WEIGHT_PAINT", "IMAGE": "TEXTURE_PAINT"}[kind]
    assert bpy.ops.terrane.mask_paint() == {"FINISHED"} and terrain.mode == "OBJECT"


def test_a_part_in_another_mode_is_left_first(terrain):
    activate(part("water"))
    bpy.ops.object.mode_set(mode="EDIT")
    for name in ("terrain_update", "water_add", "mask_paint", "maps_bake", "colors_add"):
        operator = getattr(bpy.ops.terrane, name)
        with pytest.raises(RuntimeError, match="Switch to Object Mode first"):
            operator()
    bpy.ops.object.mode_set(mode="OBJECT")
    assert bpy.ops.terrane.terrain_update.poll() and bpy.ops.terrane.mask_paint.poll()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["water", "camera", "surroundings"])
def test_the_terrain_is_active_after_its_active_part_was_removed(terrain, name):
    activate(part(name))
    assert bpy.ops.terrane.landscape_part_remove(part=name) == {"FINISHED"}
    assert bpy.context.view_layer.objects.active == terrain


def test_a_part_that_is_not_active_is_removed_and_the_selection_stays(terrain):
    bpy.ops.mesh.primitive_cube_add()
    activate(terrain)
    terrain.select_set(False)
    bpy.ops.terrane.landscape_part_remove(part="water")
    assert bpy.context.view_layer.objects.active == terrain and not terrain.select_get()


def test_a_camera_over_two_landscapes_belongs_to_neither(terrain):
    activate(terrain)
    second = add_terrain(preset="fjords", resolution=33)
    bpy.ops.terrane.water_add()
    activate(part("camera"))
    assert shown() == bpy.context.scene
    for own in (terrain, second):
        activate(next(one for one in own.children if one.get("terrane_part") == "water"))
        assert shown() == own


def test_parts_of_a_deleted_terrain_show_the_scene(terrain):
    water = part("water")
    with bpy.context.temp_override(selected_objects=[terrain]):
        bpy.ops.object.delete()
    for thing in (water, part("camera")):
        activate(thing)
        assert shown() == bpy.context.scene
    second = add_terrain(preset="fjords", resolution=33)
    bpy.ops.terrane.water_add()
    activate(part("camera"))
    assert shown() == second


def test_what_the_user_gave_a_terrain_as_a_child_is_no_part(terrain):
    bpy.ops.mesh.primitive_cube_add()
    house = bpy.context.active_object
    house.parent = terrain
    assert shown() == bpy.context.scene
    assert module("ui.viewport").TERRANE_PT_displace.poll(bpy.context)
