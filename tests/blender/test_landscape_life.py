# SPDX-License-Identifier: GPL-3.0-or-later
"""The life of a landscape: a terrain is dressed, and all is as before when its landscape is removed or it is deleted."""

from __future__ import annotations

from types import SimpleNamespace

import bpy
import numpy as np
import pytest

from tests.blender.extension import module
from tests.blender.helpers import (
    activate,
    add_fractal_terrain,
    add_terrain,
    attribute_names,
    heights,
    part,
)
from tests.blender.panels import RecordingLayout

SMALL = {"preset": "fjords", "resolution": 33}

KINDS = ("objects", "meshes", "collections", "lights", "cameras", "materials", "worlds")
KINDS += ("node_groups",)


def names():
    """Return the names of all data that a landscape consists of."""
    return {kind: sorted(block.name for block in getattr(bpy.data, kind)) for kind in KINDS}


def scene_state():
    """Return the settings of the scene that a landscape replaces."""
    scene = bpy.context.scene
    view = scene.view_settings
    return (
        *(scene.world, scene.camera, scene.render.engine, scene.cycles.samples),
        *(scene.cycles.use_denoising, view.view_transform, view.look),
    )


def mesh_state(terrain):
    """Return the attributes, the materials, the modifiers and the custom properties of a terrain."""
    return (
        attribute_names(terrain),
        [slot.material for slot in terrain.material_slots],
        list(terrain.modifiers),
        sorted(terrain.keys()),
        {key: terrain.data[key] for key in terrain.data.keys()},
        terrain.data.attributes.active_color_name,
    )


def parts():
    return {obj["terrane_part"] for obj in bpy.context.scene.objects if "terrane_part" in obj}


def lost():
    return module("operators.bridge.scene.parts").lost(bpy.context.scene)


def drawn():
    """Return the labels and operators of the main panel."""
    shown = set()
    panel = module("ui.viewport").TERRANE_PT_terrain
    panel.draw(SimpleNamespace(layout=RecordingLayout(shown)), bpy.context)
    return shown


def terrains():
    return [obj for obj in bpy.context.scene.objects if obj.terrane.is_terrain]


# --- dressing ------------------------------------------------------------------------------------


def test_a_landscape_on_a_terrain_dresses_it_and_keeps_its_recipe(terrane):
    terrain = add_fractal_terrain(size=4000.0, height=800.0)
    before, recipe = heights(terrain), module("operators.bridge.schema.settings").read
    kept = recipe(terrain.terrane)
    assert bpy.ops.terrane.landscape_add(preset="fjords") == {"FINISHED"}
    assert terrains() == [terrain] and bpy.context.active_object == terrain
    np.testing.assert_array_equal(heights(terrain), before)
    assert recipe(terrain.terrane) == kept and terrain.terrane.preset == "none"
    assert {"sun", "camera", "land"} <= parts()
    assert terrain.active_material.name == "Alpine Ground"
    look = module("operators.bridge.terrain.terrains").look_of(terrain)
    assert look == module("noise_core.landscapes.preset_library").preset("fjords").look


def test_the_look_of_a_dressed_terrain_is_that_of_its_own_next_preset(terrane):
    terrain = add_fractal_terrain(size=4000.0)
    bpy.ops.terrane.landscape_add(preset="mesa")
    library = module("noise_core.landscapes.preset_library")
    terrain.terrane.preset = "dunes"
    assert (
        module("operators.bridge.terrain.terrains").look_of(terrain) == library.preset("dunes").look
    )


def test_the_panels_button_dresses_the_active_terrain_in_its_own_look(terrane):
    terrain = add_terrain(**SMALL)
    terrain.select_set(False)
    assert bpy.ops.terrane.landscape_add(from_panel=True) == {"FINISHED"}
    assert terrains() == [terrain] and "terrane_look" not in terrain.keys()
    assert part("water", terrain) is not None


def test_an_active_part_leads_to_its_terrain(terrane):
    terrain = add_terrain(**SMALL)
    bpy.ops.terrane.water_add()
    activate(part("water"))
    bpy.ops.terrane.landscape_add(plants=False)
    assert terrains() == [terrain] and len(parts() & {"water", "land"}) == 2
    assert sum(obj.get("terrane_part") == "water" for obj in bpy.context.scene.objects) == 1


def test_a_new_terrain_is_made_where_none_is_selected_or_it_is_asked_for(terrane):
    first = add_terrain(**SMALL)
    bare = dict.fromkeys(("ground", "colors", "water", "surroundings", "plants"), False)
    bpy.ops.terrane.landscape_add(preset="mesa", resolution=17, new_terrain=True, **bare)
    assert len(terrains()) == 2
    activate(first)
    bpy.ops.object.select_all(action="DESELECT")
    bpy.ops.terrane.landscape_add(preset="mesa", resolution=17, **bare)
    assert len(terrains()) == 3


@pytest.mark.parametrize(
    ("name", "value"),
    [("resolution", 65), ("seed", 12), ("size", 99.0), ("octaves", 3.0), ("recipe", "{}")],
)
def test_keywords_of_another_land_are_refused_by_name(terrane, name, value):
    terrain = add_terrain(**SMALL)
    before = names()
    with pytest.raises(
        RuntimeError, match=rf"{terrain.name} keeps its recipe.*: Landscape.{name} changes"
    ):
        bpy.ops.terrane.landscape_add(**{name: value})
    assert names() == before


def test_keywords_that_the_terrain_has_already_are_taken(terrane):
    terrain = add_terrain(**SMALL, seed=5, size=123.4)
    bpy.ops.terrane.landscape_add(
        **SMALL, seed=5, size=123.4, plants=False, surroundings=False, water=False
    )
    assert terrains() == [terrain]


@pytest.mark.slow
@pytest.mark.parametrize("where", ["water", "plants"])
def test_dressing_that_fails_leaves_the_terrain_as_it_was(terrane, monkeypatch, where):
    bpy.context.scene.world = bpy.context.scene.camera = None
    terrain = add_terrain(**SMALL)
    before, had = names(), mesh_state(terrain)

    def fail(*_, **__):
        raise module("noise_core.base.errors").TerraneError("no luck")

    owner, name = {"water": ("waters", "_add"), "plants": ("plants", "_maps")}[where]
    monkeypatch.setattr(module(f"operators.bridge.scene.{owner}"), name, fail)
    with pytest.raises(RuntimeError, match="no luck"):
        bpy.ops.terrane.landscape_add(preset="island")
    assert names() == before and mesh_state(terrain)[1:4] == had[1:4]


@pytest.mark.parametrize(("name", "side"), [("crater_field", 1025), ("alps", 512)])
def test_landscapes_that_take_few_seconds_are_fine_unless_told(terrane, name, side):
    bare = dict.fromkeys(("ground", "colors", "water", "surroundings", "plants", "sky"), False)
    bpy.ops.terrane.landscape_add(preset=name, **bare)
    assert len(bpy.context.active_object.data.vertices) == side**2


# --- removing ------------------------------------------------------------------------------------


def of_the_user():
    """Give the scene a world, a camera and render settings of the user's; return a material."""
    scene = bpy.context.scene
    scene.world = bpy.data.worlds.new("Mine")
    camera = bpy.data.objects.new("Mine", bpy.data.cameras.new("Mine"))
    scene.collection.objects.link(camera)
    scene.camera = camera
    scene.render.engine, scene.cycles.samples = "CYCLES", 7
    scene.view_settings.view_transform, scene.view_settings.look = "Standard", "None"
    return bpy.data.materials.new("Mine")


@pytest.mark.parametrize("owner", ["nobody", "user"])
def test_removing_gives_back_what_was_there(terrane, owner):
    scene = bpy.context.scene
    material = of_the_user() if owner == "user" else None
    terrain = add_terrain(**SMALL)
    if material is not None:
        terrain.data.materials.append(material)
        terrain.data.color_attributes.new("Paint", "BYTE_COLOR", "POINT")
        terrain.data.attributes.active_color_name = "Paint"
    before = names(), scene_state(), mesh_state(terrain)
    bpy.ops.terrane.landscape_add(render_settings=True)
    if owner == "user":
        bpy.ops.terrane.sky_add(replace=True)
        bpy.ops.terrane.camera_add(replace=True)
        assert scene.camera == part("camera") and scene.world.get("terrane_sky") is not None
    bpy.ops.terrane.detail_patch_add(patch_size=40.0, spacing=2.0)
    assert scene.render.engine == "CYCLES" and scene.cycles.samples == usual_samples()
    assert scene.view_settings.view_transform == "AgX"
    assert bpy.ops.terrane.landscape_remove() == {"FINISHED"}
    after = names(), scene_state(), mesh_state(terrain)
    assert after == before
    assert bpy.context.active_object == terrain


def test_a_terrain_that_came_with_its_landscape_goes_with_it(terrane):
    before, state = names(), scene_state()
    bpy.ops.terrane.landscape_add(**SMALL)
    bpy.ops.terrane.landscape_remove()
    assert names() == before and scene_state() == state
    bpy.ops.terrane.landscape_add(**SMALL)
    terrain = bpy.context.active_object
    bpy.ops.terrane.landscape_remove(keep_terrain=True)
    assert terrains() == [terrain] and not parts()
    bpy.ops.terrane.landscape_add()  # now it was a terrain before
    bpy.ops.terrane.landscape_remove()
    assert terrains() == [terrain]


def test_removing_and_its_undo_are_one_step_each(terrane):
    terrain = add_terrain(**SMALL)
    bpy.ops.ed.undo_push(message="terrain")
    bare = names(), str(scene_state())
    bpy.ops.terrane.landscape_add()
    bpy.ops.ed.undo_push(message="dressed")
    dressed = names(), str(scene_state())
    bpy.ops.terrane.landscape_remove()
    bpy.ops.ed.undo_push(message="removed")
    assert (names(), str(scene_state())) == bare
    bpy.ops.ed.undo()
    assert (names(), str(scene_state())) == dressed and not lost()
    bpy.ops.ed.undo()
    assert (names(), str(scene_state())) == bare
    bpy.ops.ed.redo()
    activate(terrains()[0])
    bpy.ops.terrane.landscape_remove()
    assert (names(), str(scene_state())) == bare
    del terrain


def test_a_landscape_of_a_saved_file_is_removed_too(terrane, tmp_path):
    material = of_the_user()
    terrain = add_terrain(**SMALL)
    terrain.data.materials.append(material)
    before = str(scene_state()), attribute_names(terrain)
    bpy.ops.terrane.landscape_add(render_settings=True)
    bpy.ops.terrane.sky_add(replace=True)
    path = str(tmp_path / "land.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    (terrain,) = terrains()
    activate(terrain)
    bpy.ops.terrane.landscape_remove()
    assert (str(scene_state()), attribute_names(terrain)) == before and not parts()
    assert terrain.active_material == bpy.data.materials["Mine"]


def test_other_landscapes_keep_the_sky_until_the_last_one_goes(terrane):
    scene = bpy.context.scene
    former = scene.world = bpy.data.worlds.new("Mine")
    first = add_terrain(**SMALL)
    bpy.context.scene.cursor.location.x = 1e5
    second = add_terrain(**SMALL)
    bpy.ops.terrane.landscape_add()
    bpy.ops.terrane.sky_add(replace=True)
    activate(first)
    bpy.ops.terrane.landscape_add(camera=False)
    world = scene.world
    assert world["terrane_terrain"] == first
    bpy.ops.terrane.landscape_remove()
    assert scene.world == world and world["terrane_terrain"] == second
    haze = module("operators.bridge.scene.hazes")
    assert haze.HAZE.request(second) is not None and not haze.HAZE.is_due(second)
    assert part("water", first) is None and part("water", second) is not None
    assert part("camera") is not None and part("sun") is not None
    activate(second)
    bpy.ops.terrane.landscape_remove()
    assert scene.world == former and not parts()


def test_a_world_that_two_scenes_share_stays_in_the_other(terrane):
    first = bpy.context.scene
    former = first.world = bpy.data.worlds.new("Mine")
    terrain = add_terrain(**SMALL)
    bpy.ops.terrane.landscape_add(surroundings=False, plants=False, water=False)
    bpy.ops.terrane.sky_add(replace=True)
    world, other = first.world, bpy.data.scenes.new("Other")
    other.world = world
    other.collection.objects.link(terrain)
    bpy.ops.terrane.landscape_part_remove(part="sky")
    assert first.world == former and other.world == world and former.use_fake_user
    assert "Air" in terrain.active_material.node_tree.nodes
    bpy.ops.terrane.landscape_remove()
    assert terrain.active_material is None


def test_settings_that_the_user_has_changed_since_stay(terrane):
    scene = bpy.context.scene
    add_terrain(**SMALL)
    bpy.ops.terrane.landscape_add(plants=False)
    assert scene.render.engine == "CYCLES"
    scene.cycles.samples = 9
    bpy.ops.terrane.landscape_remove()
    assert scene.render.engine != "CYCLES" and scene.cycles.samples == 9


# --- render settings -----------------------------------------------------------------------------

PLAIN = dict.fromkeys(
    ("ground", "colors", "water", "surroundings", "plants", "sky", "camera"), False
)


@pytest.mark.parametrize("touched", ["nothing", "engine", "samples", "view", "saved"])
def test_render_settings_are_set_in_untouched_files_alone(terrane, tmp_path, touched):
    scene = bpy.context.scene
    usual = scene.render.engine
    if touched == "engine":
        scene.render.engine = "BLENDER_WORKBENCH"
    elif touched == "samples":
        scene.cycles.samples = 12
    elif touched == "view":
        scene.view_settings.view_transform = "Standard"
    elif touched == "saved":
        bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "mine.blend"))
    before = scene_state()
    bpy.ops.terrane.landscape_add(preset="mesa", resolution=17, **PLAIN)
    assert (scene_state() == before) == (touched != "nothing")
    bpy.ops.terrane.landscape_add(render_settings=True, **PLAIN)
    assert scene.render.engine == "CYCLES" and scene.cycles.samples == usual_samples()
    bpy.ops.terrane.landscape_remove()
    assert scene_state() == before and (touched == "engine" or scene.render.engine == usual)


def usual_samples():
    """Return the samples that a preset's picture takes: more where Blender has no denoiser."""
    import _cycles

    return 64 if _cycles.with_openimagedenoise else 256


def test_engines_have_the_same_samples_and_eevee_mirrors(terrane):
    scene = bpy.context.scene
    bpy.ops.terrane.landscape_add(preset="mesa", resolution=17, render_settings=True, **PLAIN)
    assert scene.eevee.taa_render_samples == 64 and scene.eevee.use_raytracing
    bpy.ops.terrane.landscape_remove()
    assert not scene.eevee.use_raytracing


def test_cube_and_lamp_of_a_new_file_are_no_part_of_the_picture(terrane):
    bpy.ops.wm.read_homefile(use_factory_startup=True, load_ui=False)
    bpy.ops.object.select_all(action="DESELECT")
    cube, lamp = bpy.data.objects["Cube"], bpy.data.objects["Light"]
    bpy.ops.terrane.landscape_add(preset="mesa", resolution=17, **PLAIN)
    assert cube.hide_render and lamp.hide_render
    assert not cube.hide_viewport and not lamp.hide_viewport
    bpy.ops.terrane.landscape_remove()
    assert not cube.hide_render and not lamp.hide_render
    cube.location.x = 3.0
    bpy.context.view_layer.update()
    bpy.ops.terrane.landscape_add(preset="mesa", resolution=17, render_settings=True, **PLAIN)
    assert lamp.hide_render and not cube.hide_render


# --- deleted terrains ----------------------------------------------------------------------------


@pytest.mark.parametrize("how", ["operator", "script", "unlink"])
def test_parts_of_a_deleted_terrain_are_told_and_removed_by_one_click(terrane, how):
    before, state = names(), scene_state()
    bpy.ops.terrane.landscape_add(**SMALL)
    terrain = bpy.context.active_object
    objects = [obj for obj in bpy.context.scene.objects if obj != terrain]
    bpy.ops.ed.undo_push(message="dressed")
    assert not lost()
    if how == "operator":
        bpy.ops.object.delete()
    elif how == "script":
        bpy.data.objects.remove(terrain)
    else:
        for home in terrain.users_collection:
            home.objects.unlink(terrain)
    assert {obj.name for obj in lost()} == {obj.name for obj in objects}
    text = f"The terrain of {len(objects)} objects was deleted"
    assert {("label", text), "terrane.landscape_remove"} <= drawn()
    assert bpy.ops.terrane.landscape_remove(lost=True) == {"FINISHED"}
    bpy.data.orphans_purge(do_recursive=True)
    assert names() == before and scene_state() == state
    assert not lost() and "terrane.landscape_remove" not in drawn()


def test_undoing_the_deletion_takes_the_message_back(terrane):
    bpy.ops.terrane.landscape_add(**SMALL)
    bpy.ops.ed.undo_push(message="dressed")
    count = len(bpy.context.scene.objects)
    bpy.ops.object.delete()
    bpy.ops.ed.undo_push(message="deleted")
    assert len(lost()) == count - 1
    bpy.ops.terrane.landscape_remove()
    bpy.ops.ed.undo_push(message="removed")
    assert len(bpy.context.scene.objects) == 0
    bpy.ops.ed.undo()
    assert len(lost()) == count - 1
    bpy.ops.ed.undo()
    assert not lost() and len(terrains()) == 1
    assert not {text for text in drawn() if "deleted" in str(text)}


def test_parts_are_lost_in_a_saved_file_too(terrane, tmp_path):
    bpy.ops.terrane.landscape_add(**SMALL)
    bpy.ops.object.delete()
    path = str(tmp_path / "lost.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    assert {"plants", "camera", "sun", "plant_model"} <= {obj["terrane_part"] for obj in lost()}
    bpy.ops.terrane.landscape_remove()
    assert len(bpy.context.scene.objects) == 0 and bpy.context.scene.render.engine != "CYCLES"


def test_another_landscape_stays_when_the_terrain_of_one_is_deleted(terrane):
    first = add_terrain(**SMALL)
    bpy.ops.terrane.landscape_add()
    bpy.context.scene.cursor.location.x = 1e5
    bpy.ops.object.select_all(action="DESELECT")
    second = add_terrain(**SMALL)
    bpy.ops.terrane.landscape_add()
    assert part("camera")["terrane_terrain"] == second
    bpy.data.objects.remove(second)
    assert {obj.parent for obj in lost()} <= {None, second}
    assert {obj["terrane_part"] for obj in lost()} == {
        *("water", "land", "open_sea", "plants", "plant_model", "camera")
    }  # the sun shines on the first one
    activate(first)
    bpy.ops.terrane.landscape_remove(lost=True)
    assert not lost() and part("water", first) is not None and part("plants", first) is not None
    assert part("plant_model") is not None and part("sun") is not None
    assert bpy.context.scene.world["terrane_terrain"] == first and part("camera") is None


def instance(terrain):
    """Take a terrain out of the scene, and show it by an instance of a collection of its own."""
    home = bpy.data.collections.new("Home")
    for collection in terrain.users_collection:
        collection.objects.unlink(terrain)
    home.objects.link(terrain)
    empty = bpy.data.objects.new("Instance", None)
    empty.instance_type, empty.instance_collection = "COLLECTION", home
    bpy.context.scene.collection.objects.link(empty)
    assert not terrain.users_scene


def test_an_instanced_terrain_is_neither_deleted_nor_removed_meanwhile(terrane):
    terrain = add_terrain(**SMALL)
    bpy.ops.terrane.water_add()
    instance(terrain)
    assert not lost()
    guard = module("operators.bridge.datablocks.editing").MeshGuard.of(terrain)
    assert guard.resolve() == terrain
    before = heights(terrain)
    with bpy.context.temp_override(object=terrain, active_object=terrain):
        assert bpy.ops.terrane.terrain_update(seed=77) == {"FINISHED"}
    assert not np.array_equal(heights(terrain), before)


def test_planets_and_children_of_the_user_lose_nothing(terrane):
    bpy.ops.terrane.planet_add(resolution=16)
    assert not lost()
    add_terrain(**SMALL)
    bpy.ops.mesh.primitive_cube_add()
    assert not lost() and not {text for text in drawn() if "deleted" in str(text)}
    with pytest.raises(RuntimeError, match="Select a terrain"):
        bpy.ops.terrane.landscape_remove()


# --- a terrain alone -----------------------------------------------------------------------------


@pytest.mark.parametrize("context", ["EXEC_DEFAULT", "INVOKE_DEFAULT"])
def test_a_terrain_is_a_mesh_and_nothing_else(terrane, context):
    before, state = names(), scene_state()
    bpy.ops.terrane.terrain_add(context, **SMALL)
    terrain = bpy.context.active_object
    module("operators.bridge.tasks.live").queue.clear()
    assert scene_state() == state and "Terrane Color" not in attribute_names(terrain)
    assert "terrane_colors" not in terrain.keys() and not terrain.material_slots
    more = {kind: set(found) - set(before[kind]) for kind, found in names().items()}
    assert more == {**dict.fromkeys(KINDS, set()), "objects": {"Fjords"}, "meshes": {"Fjords"}}
