# SPDX-License-Identifier: GPL-3.0-or-later
"""A planet: its measures, its sea and ice, its materials, the user's data that stays, and its refusals."""

from __future__ import annotations

import dataclasses
import json

import bpy
import numpy as np
import pytest
from mathutils import Vector

from tests.blender.extension import module
from tests.blender.helpers import part, positions
from tests.blender.panels import shown_by
from tests.blender.shader_size import LIMIT, shader_size

SMALL = {"resolution": 12}


def add(**keywords):
    assert bpy.ops.terrane.planet_add(**{**SMALL, **keywords}) == {"FINISHED"}
    return bpy.context.active_object


def lengths(obj):
    return np.linalg.norm(positions(obj.data), axis=1)


def masks_of(obj):
    tree = obj.active_material.node_tree
    return next(node for node in tree.nodes if node.name == "Terrane Masks")


def test_a_planet_is_noise_on_a_ball(terrane):
    planet = add(radius=3.0, relief=0.2, seed=4)
    core = module("noise_core.landscapes.planets.planet")
    recipe = module("noise_core.landscapes.planets.planet").standard_recipe()
    recipe = dataclasses.replace(recipe, seed=4)
    measures = module("noise_core.landscapes.scene").Planet(radius=3.0, relief=0.2, resolution=12)
    found = core.planet_heights(recipe, measures)
    assert len(planet.data.vertices) == 6 * 12**2 + 2 and len(planet.data.polygons) == 6 * 12**2
    np.testing.assert_allclose(lengths(planet), 3.0 + found.height, rtol=1e-5)
    np.testing.assert_allclose(lengths(part("planet_sea", planet)), 3.0 + found.sea, rtol=1e-5)
    assert not planet.data.validate(verbose=True)
    assert len(planet.data.uv_layers) == 1


def test_the_sea_covers_its_share(terrane):
    planet = add(sea_cover=0.4, resolution=48)
    level = lengths(part("planet_sea", planet)).mean()
    areas = module("noise_core.landscapes.planets.cube_sphere").CubeSphere(48).areas()
    assert areas[lengths(planet) < level].sum() == pytest.approx(0.4, abs=0.005)
    dry = add(sea_cover=0.0)
    assert part("planet_sea", dry) is None and part("planet_air", dry) is not None


def test_air_lies_around_all(terrane):
    planet = add(air_depth=0.1)
    clouds = part("planet_clouds", planet)
    assert lengths(planet).max() < lengths(clouds).min() < lengths(part("planet_air", planet)).min()
    air, sea = part("planet_air", planet), part("planet_sea", planet)
    np.testing.assert_allclose(lengths(air), 1.1 * lengths(sea).mean(), rtol=1e-5)
    assert not air.visible_shadow
    material = air.active_material
    assert material.surface_render_method == "BLENDED"
    assert part("planet_air", add(atmosphere=False)) is None


def test_the_material_counts_from_the_middle(terrane):
    planet = add(radius=5.0, ice_latitude=50.0)
    masks = masks_of(planet)
    assert masks.node_tree.name.startswith("Terrane Planet Masks")
    inputs = masks.inputs
    assert inputs["Radius"].default_value == pytest.approx(5.0)
    assert inputs["Width"].default_value == pytest.approx(10.0)
    assert inputs["Ice Latitude"].default_value == pytest.approx(50.0)
    assert inputs["Ice"].default_value == 1.0
    land = lengths(planet) - 5.0
    land = land[land > lengths(part("planet_sea", planet)).mean() - 5.0]
    low, high = np.quantile(land, (0.005, 0.999))
    assert inputs["Lowest"].default_value == pytest.approx(low, abs=1e-4)
    assert inputs["Highest"].default_value == pytest.approx(high, abs=1e-4)
    assert shader_size(planet.active_material) < LIMIT / 2
    assert masks_of(add(ice_latitude=90.0)).inputs["Ice"].default_value == 0.0


@pytest.mark.wide
def test_ground_material_on_a_planet_knows_it(terrane):
    planet = add()
    assert bpy.ops.terrane.terrain_material(palette="mars") == {"FINISHED"}
    assert masks_of(planet).node_tree.name.startswith("Terrane Planet Masks")
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=8, y_subdivisions=8)
    assert bpy.ops.terrane.terrain_material() == {"FINISHED"}
    assert masks_of(bpy.context.active_object).node_tree.name.startswith("Terrane Masks")


def test_solid_view_shows_ice_and_land(terrane):
    planet = add(resolution=32)
    for obj in (planet, part("planet_sea", planet)):
        colors = np.empty(4 * len(obj.data.vertices), np.float32)
        obj.data.color_attributes["Terrane Color"].data.foreach_get("color_srgb", colors)
        white = colors.reshape(-1, 4)[:, :3].min(axis=1) > 0.75
        up = np.abs(positions(obj.data)[:, 2]) / lengths(obj)
        assert white[up > 0.985].mean() > 0.8
        assert white[up < 0.3].mean() < 0.2
    assert "Terrane Color" not in add(colors=False).data.attributes


def test_recipes_that_need_a_grid_are_refused_by_name(terrane):
    count_before = len(bpy.data.objects)
    with pytest.raises(RuntimeError, match="a planet is made of noise alone") as told:
        bpy.ops.terrane.planet_add(preset="alps", **SMALL)
    assert len(str(told.value).strip().splitlines()) == 1
    recipe = module("noise_core.landscapes.preset_library").preset("alps").recipe
    layer = recipe.layers_on_grid[0]
    with pytest.raises(
        RuntimeError, match="remove the layer Craters: a planet needs noise in space"
    ):
        bpy.ops.terrane.planet_add(preset="moon", **SMALL)
    assert (layer.name or layer.label) in str(told.value)
    assert len(bpy.data.objects) == count_before and not bpy.data.meshes.get("Planet")


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"radius": -1.0}, "Planet.radius must be in"),
        ({"resolution": 1}, "Planet.resolution must be in"),
        ({"sea_cover": 2.0}, "Planet.sea_cover must be in"),
        ({"ice_latitude": 91.0}, "Planet.ice_latitude must be in"),
        ({"recipe": "{"}, "JSON"),
    ],
)
def test_bad_input_is_one_line(terrane, keywords, message):
    with pytest.raises(RuntimeError, match=message) as told:
        bpy.ops.terrane.planet_add(**{**SMALL, **keywords})
    assert "Traceback" not in str(told.value)
    assert len(str(told.value).strip().splitlines()) == 1


def test_presets_of_noise_alone_become_planets(terrane):
    planet = add(
        preset="rough_field", palette="moon", sea_cover=0.0, atmosphere=False, ice_latitude=90.0
    )
    assert not planet.children and np.ptp(lengths(planet)) > 0.01
    other = add(frequency=6.0)
    assert not np.allclose(lengths(other), lengths(add()))


def test_sun_camera_and_sky_only_where_there_are_none(terrane):
    scene = bpy.context.scene
    add()
    suns = [obj for obj in scene.objects if obj.type == "LIGHT" and obj.data.type == "SUN"]
    assert len(suns) == 1 and scene.camera.name == "Terrane Camera"
    assert scene.world.name.startswith("Terrane Sky")
    add()
    assert (
        len([obj for obj in scene.objects if obj.type == "LIGHT" and obj.data.type == "SUN"]) == 1
    )


def test_what_is_the_user_s_stays(terrane):
    scene = bpy.context.scene
    world = scene.world = bpy.data.worlds.new("Mine")
    bpy.ops.object.light_add(type="SUN")
    bpy.ops.object.camera_add(location=(1, 2, 3))
    camera = scene.camera = bpy.context.active_object
    camera.name = "Mine"
    add()
    assert scene.world == world and scene.camera == camera and camera.location[:] == (1, 2, 3)
    assert (
        len([obj for obj in scene.objects if obj.type == "LIGHT" and obj.data.type == "SUN"]) == 1
    )
    count = len(scene.objects)
    planet = add(view=False)
    assert len(scene.objects) == count + 1 + len(planet.children)


def test_the_lamp_of_a_new_file_does_not_shine_on_it(terrane):
    bpy.ops.wm.read_homefile(use_factory_startup=True, load_ui=False)
    lamp = bpy.data.objects["Light"]
    lamp.location.x += 0.5
    add()
    assert not lamp.hide_render and not lamp.hide_viewport
    lamp.location.x -= 0.5
    add(view=False)
    assert not lamp.hide_render
    add()
    assert lamp.hide_render and lamp.hide_viewport


def test_at_the_cursor(terrane):
    bpy.context.scene.cursor.location = (10, 0, 5)
    planet = add()
    assert planet.location[:] == (10, 0, 5)
    bpy.context.view_layer.update()
    assert part("planet_sea", planet).matrix_world.translation[:] == (10, 0, 5)


def test_undo_takes_all_of_it_away(terrane):
    bpy.ops.ed.undo_push(message="before")
    names_before = {obj.name for obj in bpy.data.objects}
    add()
    bpy.ops.ed.undo_push(message="planet")
    bpy.ops.ed.undo()
    assert {obj.name for obj in bpy.data.objects} == names_before


def test_a_saved_planet_is_ordinary_data(terrane, tmp_path):
    planet = add()
    lengths_before = lengths(planet)
    path = str(tmp_path / "planet.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    planet = bpy.data.objects["Planet"]
    np.testing.assert_array_equal(lengths(planet), lengths_before)
    found = module("operators.bridge.nodetree.terrain_material.plan").planet_of(planet)
    assert found.radius == 2.0 and found.ice_latitude == 66.0
    bpy.context.view_layer.objects.active = planet
    assert bpy.ops.terrane.terrain_material() == {"FINISHED"}
    assert masks_of(planet).node_tree.name.startswith("Terrane Planet Masks")


def test_what_the_redo_panel_shows_gives_the_same_planet(terrane):
    """There all keywords are set, rounded to 32 bits, and the recipe as well."""
    planet = add()
    text = module("noise_core.landscapes.planets.planet").standard_recipe().to_json()
    base = module("noise_core.landscapes.planets.planet").standard_recipe().base.noise
    shown = dict(module("noise_core.recipes.chain_keywords").values(base))
    again = add(recipe=text, seed=34, **shown)
    np.testing.assert_array_equal(lengths(again), lengths(planet))
    assert not np.allclose(lengths(add(recipe=text, seed=4, **shown)), lengths(planet))


# --- made anew ------------------------------------------------------------------------------------


def settings_of(planet):
    return planet.terrane_planet_settings


def follow(planet):
    live = module("operators.bridge.tasks.live")
    live.update_now()
    assert not live.note(planet)


def solid_colors(obj):
    values = np.empty(4 * len(obj.data.vertices), np.float32)
    obj.data.color_attributes["Terrane Color"].data.foreach_get("color_srgb", values)
    return values


def test_it_follows_its_settings_as_if_it_had_been_added_so(terrane):
    planet = add()
    planet.data.materials[0].node_tree.nodes.new("ShaderNodeValue").name = "Mine"
    tail = bpy.data.objects.new("Moon", None)
    tail.parent = planet
    group = settings_of(planet)
    planet.terrane.seed, group.relief, group.sea_cover, group.ice_latitude = 7, 0.2, 0.3, 0.7
    follow(planet)
    again = add(seed=7, relief=0.2, sea_cover=0.3, ice_latitude=np.degrees(0.7), view=False)
    np.testing.assert_allclose(lengths(planet), lengths(again), rtol=1e-6)
    np.testing.assert_array_equal(solid_colors(planet), solid_colors(again))
    for name in ("sea", "air"):
        ours, theirs = part(f"planet_{name}", planet), part(f"planet_{name}", again)
        np.testing.assert_allclose(lengths(ours), lengths(theirs), rtol=1e-6)
    np.testing.assert_array_equal(
        *(solid_colors(part("planet_sea", one)) for one in (planet, again))
    )
    ours, theirs = masks_of(planet), masks_of(again)
    for name in ("Lowest", "Highest", "Water Level", "Ice Latitude", "Ice", "Radius", "Shore"):
        assert ours.inputs[name].default_value == pytest.approx(theirs.inputs[name].default_value)
    material = module("operators.bridge.nodetree.terrain_material.plan").PLAN
    assert planet.active_material[material] == again.active_material[material]
    assert "Mine" in planet.active_material.node_tree.nodes and tail.parent == planet


def test_sea_and_air_come_and_go(terrane):
    planet = add()
    group = settings_of(planet)
    group.sea_cover, group.atmosphere, group.resolution = 0.0, False, 8
    follow(planet)
    assert not planet.children and len(planet.data.vertices) == 6 * 8**2 + 2
    assert len(planet.data.uv_layers) == 1 and planet.active_material
    group.sea_cover, group.atmosphere, group.palette = 0.5, True, "mars"
    follow(planet)
    assert part("planet_sea", planet) and part("planet_air", planet)
    again = add(sea_cover=0.5, resolution=8, palette="mars", view=False)
    np.testing.assert_array_equal(solid_colors(planet), solid_colors(again))


def test_the_button_and_its_keywords(terrane):
    planet = add()
    bpy.context.view_layer.objects.active = part("planet_sea", planet)
    assert bpy.ops.terrane.planet_update(seed=5, radius=4.0) == {"FINISHED"}
    assert planet.terrane.seed == 5
    np.testing.assert_allclose(lengths(planet), lengths(add(seed=5, radius=4.0)), rtol=1e-6)
    with pytest.raises(RuntimeError, match="Planet.radius must be in"):
        bpy.ops.terrane.planet_update(radius=-1.0)


def test_what_was_changed_by_hand_stays_until_the_button(terrane):
    planet = add()
    planet.data.vertices[0].co.x += 1.0
    lengths_before = lengths(planet)
    planet.terrane.seed = 9
    live = module("operators.bridge.tasks.live")
    live.update_now()
    assert "sculpted" in live.note(planet)
    np.testing.assert_array_equal(lengths(planet), lengths_before)
    bpy.ops.terrane.planet_update()
    assert not np.allclose(lengths(planet), lengths_before)


def test_ground_material_renews_the_colors_in_solid_view(terrane):
    planet = add(sea_cover=0.0, view=False)
    assert bpy.ops.terrane.terrain_material(palette="moon") == {"FINISHED"}
    shown = solid_colors(planet)
    moon = add(sea_cover=0.0, view=False, palette="moon")
    np.testing.assert_array_equal(shown, solid_colors(moon))
    planet.terrane.seed = 8
    follow(planet)
    again = add(sea_cover=0.0, seed=8, view=False, palette="moon")
    np.testing.assert_array_equal(solid_colors(planet), solid_colors(again))


def test_ground_material_in_edit_mode_and_of_a_changed_sphere(terrane, capfd):
    planet = add(resolution=16)
    before = solid_colors(planet)
    bpy.ops.object.mode_set(mode="EDIT")
    assert bpy.ops.terrane.terrain_material(palette="mars") == {"FINISHED"}
    assert planet.mode == "EDIT"
    bpy.ops.object.mode_set(mode="OBJECT")
    colors = solid_colors(planet)
    assert np.abs(colors - before).mean() > 0.02
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.select_all(action="SELECT")
    bpy.ops.mesh.delete(type="VERT")
    bpy.ops.mesh.primitive_cone_add()
    bpy.ops.object.mode_set(mode="OBJECT")
    assert bpy.ops.terrane.terrain_material(palette="mars") == {"FINISHED"}
    assert "no longer the sphere that was made" in capfd.readouterr().out


def test_undo_and_files_keep_what_it_is_made_of(terrane, tmp_path):
    planet = add()
    first = lengths(planet)
    bpy.ops.ed.undo_push(message="planet")
    planet.terrane.seed = 6
    follow(planet)
    second = lengths(planet)
    bpy.ops.ed.undo_push(message="seed")
    bpy.ops.ed.undo()
    planet = bpy.data.objects["Planet"]
    assert planet.terrane.seed != 6
    np.testing.assert_array_equal(lengths(planet), first)
    planet.terrane.seed = 6
    path = str(tmp_path / "planet.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    planet = bpy.data.objects["Planet"]
    bpy.context.view_layer.objects.active = planet
    assert bpy.ops.terrane.planet_update() == {"FINISHED"}
    np.testing.assert_array_equal(lengths(planet), second)


def test_the_panel_shows_every_setting_of_a_planet_and_of_its_shells(terrane):
    panel = module("ui.planet").TERRANE_PT_planet
    noise = module("ui.viewport").TERRANE_PT_terrain_noise
    assert not panel.poll(bpy.context)
    planet = add()
    for obj in (planet, part("planet_sea", planet)):
        bpy.context.view_layer.objects.active = obj
        assert panel.poll(bpy.context)
        declared = {
            parameter.name
            for parameter in module("noise_core.landscapes.scene").Planet.parameters()
        }
        assert {("TERRANE_PG_planet", name) for name in declared} <= shown_by(panel)
        shown = {("TERRANE_PG_settings", name) for name in ("seed", "octaves", "frequency")}
        assert shown <= shown_by(noise)


# --- clouds, rings, gas and lights ----------------------------------------------------------------


def test_the_air_turns_to_the_sun(terrane):
    planet = add()
    air = part("planet_air", planet)
    sun = next(obj for obj in bpy.context.scene.objects if obj.type == "LIGHT")
    bpy.context.view_layer.update()
    toward = sun.matrix_world.to_quaternion() @ Vector((0, 0, 1))
    assert (air.matrix_world.to_quaternion() @ Vector((0, 0, 1)) - toward).length < 1e-5
    sun.rotation_euler = (1.0, 0.2, 0.3)
    bpy.context.view_layer.update()
    toward = sun.matrix_world.to_quaternion() @ Vector((0, 0, 1))
    assert (air.matrix_world.to_quaternion() @ Vector((0, 0, 1)) - toward).length < 1e-5


def test_clouds_and_rings_come_and_go(terrane):
    planet = add(rings=2.5, radius=3.0)
    rings = lengths(part("planet_rings", planet))
    assert rings.max() == pytest.approx(7.5, rel=1e-5) and rings.min() > 3.0
    assert np.abs(positions(part("planet_rings", planet).data)[:, 2]).max() == 0.0
    group = settings_of(planet)
    group.clouds, group.rings = 0.0, 0.0
    follow(planet)
    assert part("planet_clouds", planet) is None and part("planet_rings", planet) is None
    group.clouds, group.rings = 0.8, 2.0
    follow(planet)
    node = part("planet_clouds", planet).active_material.node_tree.nodes["Clouds"]
    assert node.inputs["Cover"].default_value == pytest.approx(0.8)
    assert lengths(part("planet_rings", planet)).max() == pytest.approx(6.0, rel=1e-5)
    group.clouds_seed = 5
    follow(planet)
    assert node.inputs["Seed"].default_value == 5.0


def test_city_lights_are_a_choice(terrane):
    planet = add(resolution=24)
    nodes = planet.active_material.node_tree.nodes
    assert "City Lights" not in nodes and "settled" not in planet.data.attributes
    group = settings_of(planet)
    group.city_lights = 2.0
    follow(planet)
    node = nodes["City Lights"]
    assert node.inputs["Brightness"].default_value == 2.0
    output = planet.active_material.node_tree.get_output_node("ALL")
    assert output.inputs["Surface"].links[0].from_node == node
    settled = np.empty(len(planet.data.vertices), np.float32)
    planet.data.attributes["settled"].data.foreach_get("value", settled)
    on_sea = lengths(planet) < lengths(part("planet_sea", planet)).mean()
    assert settled.max() > 0.1 and settled[on_sea].max() == 0.0
    assert bpy.ops.terrane.terrain_material(palette="tropical") == {"FINISHED"}
    assert "City Lights" in planet.active_material.node_tree.nodes
    count = len(planet.active_material.node_tree.nodes)
    group.city_lights = 0.0
    follow(planet)
    nodes = planet.active_material.node_tree.nodes
    assert "City Lights" not in nodes and len(nodes) == count - 3
    assert "settled" not in planet.data.attributes


def test_kinds_are_planets_to_begin_with(terrane):
    kinds = module("noise_core.landscapes.planet_kinds").KINDS
    for key, kind in kinds.items():
        planet = add(kind=key, view=False)
        for name, value in kind.values.items():
            if name not in SMALL:
                found = getattr(settings_of(planet), name)
                assert (
                    np.degrees(found) if name == "ice_latitude" else found == pytest.approx(value)
                )
        is_gas = kind.planet.gas != "none"
        assert ("terrane_gas" in planet.active_material) == is_gas
        assert len(planet.data.materials) == 1
    moon = add(kind="moon", craters=0.2)
    assert settings_of(moon).craters == pytest.approx(0.2)
    assert settings_of(moon).palette == "moon" and "deposit" in moon.data.attributes


def test_a_gas_giant_gets_solid_ground_and_bands_again(terrane):
    planet = add(kind="jovian")
    assert not planet.children and np.ptp(lengths(planet)) < 1e-6
    bands = solid_colors(planet).reshape(-1, 4)[:, :3]
    north = positions(planet.data)[:, 2] / lengths(planet)
    assert np.ptp(bands[np.abs(north) < 0.5], axis=0).max() > 0.1
    group = settings_of(planet)
    group.gas = "none"
    follow(planet)
    assert masks_of(planet).node_tree.name.startswith("Terrane Planet Masks")
    assert len(planet.data.materials) == 1
    group.gas = "neptunian"
    follow(planet)
    assert planet.active_material["terrane_gas"] == "neptunian"
    assert len(planet.data.materials) == 1


def test_another_kind_in_the_redo_panel_changes_what_the_first_one_has_set(terrane):
    """There all keywords are set to what was shown."""
    operator = module("operators.planet").TERRANE_OT_planet_add
    first = {"rings": 0.0, "gas": "none", "palette": "moon", "radius": 2.0, "craters": 0.9}
    shown = json.dumps({"preset": "none", "kind": "moon", **first})
    planet = add(kind="saturnian", shown=shown, view=False, **{**first, "craters": 0.3})
    assert "preset" in operator.beginnings and "kind" in operator.beginnings
    group = settings_of(planet)
    assert group.rings == pytest.approx(2.27) and group.gas == "saturnian"
    assert group.craters == pytest.approx(0.3)  # changed by hand


def test_craters_mark_airless_ground(terrane):
    smooth = add(kind="moon", craters=0.0, resolution=48)
    struck = add(kind="moon", resolution=48)
    assert not np.allclose(lengths(smooth), lengths(struck))
    assert lengths(struck).min() < lengths(smooth).min()
    settings_of(struck).craters = 0.0
    follow(struck)
    np.testing.assert_allclose(lengths(struck), lengths(smooth), rtol=1e-6)
    assert "deposit" not in struck.data.attributes
