# SPDX-License-Identifier: GPL-3.0-or-later
"""Build to Here leaves out what acts after the selected layer, and says so; the list shows what layers take."""

from __future__ import annotations

import itertools
from types import SimpleNamespace

import bpy
import numpy as np
import pytest

from tests.blender.extension import module
from tests.blender.helpers import add_terrain, heights
from tests.blender.panels import shown_by

TERRAIN = {"preset": "none", "resolution": 33, "size": 1000.0, "height": 200.0}


def settle():
    module("operators.bridge.tasks.live").update_now()


def partial():
    return module("operators.bridge.terrain.partial_lands")


def times():
    return module("operators.bridge.terrain.layer_times")


@pytest.fixture
def layered(terrane):
    """A terrain of a noise, an erosion and terraces, the first layer active."""
    terrain = add_terrain(**TERRAIN)
    for kind in ("thermal_erosion", "terraces"):
        bpy.ops.terrane.layer_add(type=kind)
    settle()
    return terrain


def select(terrain, place):
    terrain.terrane.active_layer = place
    settle()


def test_each_layer_shows_the_land_up_to_it(layered):
    whole, stages = heights(layered), []
    layered.terrane.build_to_here = True
    for place in range(3):
        select(layered, place)
        stages.append(heights(layered))
    np.testing.assert_array_equal(stages[2], whole)
    for place in range(2):
        layered.terrane.build_to_here = False
        for entry in layered.terrane.layers[place + 1 :]:
            entry.muted = True
        settle()
        np.testing.assert_array_equal(heights(layered), stages[place])
        for entry in layered.terrane.layers:
            entry.muted = False
    settle()
    np.testing.assert_array_equal(heights(layered), whole)
    assert np.abs(stages[0] - stages[1]).max() > 0.1 < np.abs(stages[1] - whole).max()


def test_a_layer_in_a_group_leaves_out_the_rest_of_the_group(terrane):
    terrain = add_terrain(**TERRAIN)
    bpy.ops.terrane.layer_add(type="group")
    for kind in ("perlin", "simplex"):
        bpy.ops.terrane.layer_add(type=kind)
    states = module("operators.bridge.schema.settings").states
    terrain.terrane.build_to_here = True
    for place, count in ((0, 1), (1, 4), (2, 3), (3, 4)):
        terrain.terrane.active_layer = place
        assert [layer.is_beyond for layer in states(terrain.terrane)] == [
            index >= count for index in range(4)
        ]


def test_it_is_off_for_scenes_and_where_nothing_is_left_out(layered):
    layered.terrane.build_to_here = True
    select(layered, 2)
    assert partial().note(layered) == ""
    select(layered, 1)
    assert partial().note(layered) == f"{layered.name} is built to Thermal Erosion"
    layered.terrane.layers[2].muted = True
    assert partial().note(layered) == ""
    bpy.context.scene.terrane.build_to_here = True
    assert module("operators.bridge.schema.layer_list").built_end(bpy.context.scene.terrane) is None
    bpy.context.scene.terrane.build_to_here = False


def test_panel_and_status_bar_say_so(layered):
    panel = module("ui.viewport").TERRANE_PT_terrain_layers
    assert ("TERRANE_PG_settings", "build_to_here") in shown_by(panel)
    layered.terrane.build_to_here = True
    select(layered, 0)
    text = f"{layered.name} is built to Perlin"
    assert ("label", text) in shown_by(panel)
    assert partial().notes(bpy.context.scene) == [text]
    drawn = []
    layout = SimpleNamespace(label=lambda **options: drawn.append(options["text"]))
    module("ui.blender_menus")._draw_status(SimpleNamespace(layout=layout), bpy.context)
    assert drawn == [text]
    layered.terrane.build_to_here = False
    assert partial().notes(bpy.context.scene) == []


def test_exports_and_added_layers_are_refused_by_name(layered, tmp_path):
    layered.terrane.build_to_here = True
    select(layered, 1)
    message = f"Turn off Build to Here first: {layered.name} is built to Thermal Erosion"
    for source in ("auto", "recipe", "mesh"):
        with pytest.raises(RuntimeError, match=message):
            bpy.ops.terrane.heightmap_export(filepath=str(tmp_path / "land.exr"), source=source)
    assert not list(tmp_path.iterdir())
    for call in (bpy.ops.terrane.mesh_erode, bpy.ops.terrane.layer_from_sculpt):
        with pytest.raises(RuntimeError, match=message):
            call()
    layered.terrane.build_to_here = False
    settle()
    bpy.ops.terrane.heightmap_export(filepath=str(tmp_path / "land.exr"))
    assert (tmp_path / "land.exr").exists()


def test_renders_warn(layered, capfd):
    layered.terrane.build_to_here = True
    select(layered, 1)
    module("operators.bridge.terrain.motion")._before_render(bpy.context.scene)
    assert f"{layered.name} is built to Thermal Erosion" in "".join(capfd.readouterr())


def test_update_keeps_it_and_a_new_terrain_is_whole(layered):
    whole = heights(layered)
    layered.terrane.build_to_here = True
    select(layered, 0)
    part = heights(layered)
    assert bpy.ops.terrane.terrain_update() == {"FINISHED"}
    np.testing.assert_array_equal(heights(layered), part)
    assert layered.terrane.build_to_here and layered.terrane.active_layer == 0
    settle()
    np.testing.assert_array_equal(heights(layered), part)
    bpy.ops.terrane.terrain_add(from_panel=True)
    other = bpy.context.active_object
    assert other != layered and not other.terrane.build_to_here
    np.testing.assert_array_equal(heights(other), whole)


def test_undo_and_redo_bring_heights_and_switch_together(layered):
    bpy.ops.ed.undo_push(message="whole")
    whole = heights(layered)
    layered.terrane.build_to_here = True
    select(layered, 0)
    part = heights(layered)
    bpy.ops.ed.undo_push(message="part")
    bpy.ops.ed.undo()
    settle()
    terrain = bpy.context.active_object
    assert not terrain.terrane.build_to_here
    np.testing.assert_array_equal(heights(terrain), whole)
    bpy.ops.ed.redo()
    settle()
    terrain = bpy.context.active_object
    assert terrain.terrane.build_to_here
    np.testing.assert_array_equal(heights(terrain), part)


def test_a_saved_file_keeps_it_and_says_so(layered, tmp_path):
    whole = heights(layered)
    layered.terrane.build_to_here = True
    select(layered, 0)
    part, name = heights(layered), layered.name
    file = str(tmp_path / "part.blend")
    bpy.ops.wm.save_as_mainfile(filepath=file)
    bpy.ops.wm.open_mainfile(filepath=file)
    terrain = bpy.data.objects[name]
    assert partial().notes(bpy.context.scene) == [f"{name} is built to Perlin"]
    settle()
    np.testing.assert_array_equal(heights(terrain), part)
    terrain.terrane.build_to_here = False
    settle()
    np.testing.assert_array_equal(heights(terrain), whole)


# --- milliseconds -------------------------------------------------------------------------------


@pytest.fixture
def ticking(monkeypatch):
    """A clock on which every layer takes 12 ms."""
    ticks = itertools.count()
    monkeypatch.setattr(times(), "clock", lambda: 0.012 * next(ticks))


def test_each_layer_that_was_evaluated_has_its_time(layered, ticking):
    times().forget()
    assert times().texts(layered.terrane) == {}
    bpy.ops.terrane.terrain_update()
    texts = times().texts(layered.terrane)
    # What lies below the last layer came from the memory of the last evaluation.
    assert texts == {2: "12 ms"}
    layered.terrane.layers[0].seed_offset += 1
    layered.terrane.layers[1].muted = True
    settle()
    assert times().texts(layered.terrane) == {0: "12 ms", 2: "12 ms"}


def test_layers_that_are_one_noise_have_one_time(terrane, ticking):
    terrain = add_terrain(**TERRAIN)
    bpy.ops.terrane.layer_add(type="simplex")
    bpy.ops.terrane.layer_add(type="terraces")
    settle()
    assert times().texts(terrain.terrane) == {1: "Σ 12 ms", 2: "12 ms"}
    assert [times().is_shared(terrain.terrane, place) for place in range(3)] == [True, True, False]
    panel = module("ui.viewport").TERRANE_PT_terrain_layers
    terrain.terrane.active_layer = 1
    assert ("label", "Σ: layers that are one noise") in shown_by(panel)
    # Times go with their layers when the list changes, before it is evaluated again.
    terrain.terrane.active_layer = 2
    bpy.context.scene.terrane_live = False
    bpy.ops.terrane.layer_add(type="blur")
    assert times().texts(terrain.terrane) == {1: "Σ 12 ms", 2: "12 ms"}
    bpy.ops.terrane.layer_move(direction="DOWN")
    assert times().texts(terrain.terrane) == {1: "Σ 12 ms", 3: "12 ms"}
    bpy.context.scene.terrane_live = True


def test_times_are_measured(terrane):
    terrain = add_terrain(preset="alps", resolution=129, seed=4711)
    (seconds,) = [dict(pairs) for pairs in times()._times.values() if pairs][-1:]
    assert all(0.0 < duration < 60.0 for duration in seconds.values())
    kinds = {layer[0] for layers in seconds for layer in layers}
    assert "stream_erosion" in kinds
    slow = max(seconds, key=seconds.get)
    assert slow[0][0] == "stream_erosion"
    assert all(text.endswith(" ms") for text in times().texts(terrain.terrane).values())


@pytest.fixture
def image(terrane):
    """An image of a noise, an erosion and terraces, the first layer active."""
    bpy.ops.terrane.image_new(
        recipe=_recipe_text(), name="Land", width=32, height=32, levels="fixed", float_buffer=True
    )
    image = bpy.data.images["Land"]
    settle()
    return image


def _recipe_text():
    core, modifiers = module("noise_core"), module("noise_core.modifiers")
    layers = (
        module("noise_core.noises").Perlin(frequency=3.0),
        modifiers.ThermalErosion(),
        modifiers.Terraces(),
    )
    return core.Recipe(layers=layers, seed=3, size=1000.0, height=200.0).to_json()


def _pixels(image):
    values = np.empty(len(image.pixels), np.float32)
    image.pixels.foreach_get(values)
    return values


def test_images_are_built_to_a_layer_too(image):
    group, whole, stages = image.terrane, _pixels(image), []
    assert [entry.type for entry in group.layers] == ["noise", "thermal_erosion", "terraces"]
    group.build_to_here = True
    for place in range(3):
        group.active_layer = place
        settle()
        stages.append(_pixels(image))
    np.testing.assert_array_equal(stages[2], whole)
    assert np.abs(stages[0] - stages[1]).max() > 1e-3 < np.abs(stages[1] - whole).max()
    assert partial().note(image) == ""
    group.active_layer = 0
    settle()
    assert partial().note(image) == f"Land is built to {group.layers[0].name}"
    group.build_to_here = False
    settle()
    np.testing.assert_array_equal(_pixels(image), whole)


def test_updating_an_image_keeps_to_the_layer_and_a_new_one_is_whole(image):
    whole = _pixels(image)
    image.terrane.build_to_here = True
    image.terrane.active_layer = 0
    settle()
    bpy.ops.terrane.image_update(image=image.name, from_panel=True)
    first = _pixels(image)
    assert image.terrane.build_to_here and np.abs(first - whole).max() > 1e-3
    assert len(image.terrane.layers) == 3
    settle()
    np.testing.assert_array_equal(_pixels(image), first)


def test_the_list_of_an_image_shows_what_its_layers_take(image, monkeypatch):
    now = itertools.count(0.0, 0.25)
    monkeypatch.setattr(times(), "clock", lambda: next(now))
    image.terrane.seed = 9
    settle()
    texts = times().texts(image.terrane)
    assert set(texts) == {0, 1, 2} and all(text.endswith(" ms") for text in texts.values())
    assert times().texts(bpy.context.scene.terrane) == {}


def test_the_name_of_a_layer_has_room_before_its_time(layered):
    """A narrow sidebar shows the whole name; the time of the active layer stands below the list then."""
    ui = module("ui.layers")
    entry = layered.terrane.layers[0]
    sharp = SimpleNamespace(system=SimpleNamespace(ui_scale=2.0))

    def fitting(points, name, texts=("Multiply", "120 ms")):
        entry.name = name
        region = SimpleNamespace(width=2.0 * points)
        context = SimpleNamespace(region=region, preferences=sharp)
        return ui.fitting_texts(context, entry, texts)

    assert fitting(400, "Ridges") == ["Multiply", "120 ms"]
    assert fitting(260, "Ridges") == ["Multiply"]
    assert fitting(260, "Ridges of the North") == []
    assert fitting(240, "Ridges", ("", "120 ms")) == ["120 ms"]
    entry.painted_mask = "Somewhere"
    assert fitting(240, "Ridges", ("", "120 ms")) == []
    no_region = SimpleNamespace(region=None, preferences=sharp)
    assert ui.fitting_texts(no_region, entry, ("", "120 ms")) == ["120 ms"]
