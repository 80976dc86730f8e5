# SPDX-License-Identifier: GPL-3.0-or-later
"""Terrains that follow keyframes and drivers, in renders too, and their bakes."""

from __future__ import annotations

import dataclasses
import math

import bpy
import numpy as np
import pytest

from tests.blender.extension import module
from tests.blender.helpers import add_terrain, evaluated, heights, load_pixels, read_recipe
from tests.blender.rendering import render_with_and_without

OPACITY, POSITION = "terrane.layers[{}].opacity", "terrane.layers[0].chain[2].evolution.position"


def shown():
    obj = bpy.context.active_object
    return heights(evaluated(obj))


def add(resolution=33, eroded=False):
    """Add a terrain of two noises, whose height, evolution and upper opacity move from frame 1 to 11."""
    core = module("noise_core.noises")
    layers = module("noise_core.recipes.layers")
    evolution = module("noise_core.noises.evolution").Evolution
    noises = [
        evolution(source=core.Fractal(source=core.Perlin(frequency=3.0))),
        core.Perlin(frequency=9.0),
    ]
    erosion = [module("noise_core.modifiers.stream_erosion").StreamErosion()] * eroded
    recipe = module("noise_core.recipes.recipe").Recipe(
        layers=(*(layers.NoiseLayer(noise=one, mode="add", name=name) for name, one in zip("AB", noises)), *erosion),
        seed=5, height=10.0, size=100.0,
    )  # fmt: skip
    obj = add_terrain(recipe=recipe.to_json(), resolution=resolution)
    for frame, height, opacity, position in ((1, 10.0, 0.0, 0.0), (11, 30.0, 0.7, 0.5)):
        obj.terrane.height, obj.terrane.layers[1].opacity = height, opacity
        obj.terrane.layers[0].chain[2].evolution.position = position
        for path in ("terrane.height", OPACITY.format(1), POSITION):
            obj.keyframe_insert(path, frame=frame)
    return obj


def expected(obj):
    """Return the heights of the core for the numbers in the panel, without steps that follow frames."""
    recipe = read_recipe(obj)
    return recipe.evaluate(recipe.grid(obj.terrane.resolution)).height.ravel()


def curves_of(obj):
    compat = module("operators.bridge.datablocks.compat")
    lists = compat.action_curves(obj.animation_data)
    return sorted(curve.data_path for curves in lists for curve in curves)


def test_each_frame_is_what_the_core_makes_of_its_numbers(terrane):
    obj, seen = add(), {}
    for frame in (1, 4, 8, 11):
        bpy.context.scene.frame_set(frame)
        seen[frame] = heights(obj)
        assert np.array_equal(seen[frame], expected(obj)), frame
        assert np.array_equal(shown(), seen[frame])
    assert len({one.tobytes() for one in seen.values()}) == 4
    bpy.context.scene.frame_set(4)  # back again
    assert np.array_equal(heights(obj), seen[4])
    assert not module("operators.bridge.tasks.live").note(obj)


def test_what_takes_too_long_for_a_frame_gets_a_preview(terrane):
    frames, live = module("operators.bridge.terrain.frames"), module("operators.bridge.tasks.live")
    made = module("operators.bridge.terrain.mesh_record")
    obj = add(resolution=257)
    frame = frames.Frame.of(obj, bpy.context.evaluated_depsgraph_get())
    record = made.of(obj.data)
    update, quick = frames._update_of(frame), frames._QUICK

    def takes(seconds):
        for _ in range(3):
            live.queue.pace.measure(update, 257, seconds)

    takes(0.5 * quick)
    assert frames.preview_side(obj, frame, record) is None
    part = bpy.data.objects.new("Part", None)
    part.parent = obj
    assert frames.preview_side(obj, frame, record) == 257  # parts follow when it stands still
    bpy.data.objects.remove(part)
    takes(4.0 * quick)
    side = frames.preview_side(obj, frame, record)
    assert side == 128
    result = frames.evaluate_frame(frame, side, frames.work(obj, frame, side))
    assert result.height.shape == (257, 257)
    assert np.abs(result.height.ravel() - expected(obj)).max() < 0.05 * obj.terrane.height
    shows_preview = dataclasses.replace(record, is_preview=True)
    takes(3.5 * quick)  # a little less than before
    assert frames.preview_side(obj, frame, shows_preview) == side
    assert frames.preview_side(obj, frame, record) == 137
    takes(4.4 * quick)  # a little more
    assert frames.preview_side(obj, frame, shows_preview) == 122
    takes(16.0 * quick)  # no more than fits would be 64, which takes no less
    assert frames.preview_side(obj, frame, shows_preview) == frames._SMALLEST == 96


def test_the_first_frame_of_a_size_does_not_count(terrane, monkeypatch):
    frames, live = module("operators.bridge.terrain.frames"), module("operators.bridge.tasks.live")
    obj, seen = add(resolution=33), []
    frame = frames.Frame.of(obj, bpy.context.evaluated_depsgraph_get())
    monkeypatch.setattr(live.queue.pace, "measure", lambda _, side, __: seen.append(side))
    for side in (None, None, 16, 16, 16, None):
        frames.evaluate_frame(frame, side, frames.work(obj, frame, side))
    assert seen == [33, 16, 16]


def test_an_edited_terrain_and_one_without_keyframes_stay(terrane):
    obj = add(resolution=9)
    obj.data.vertices[3].co.z += 1.0
    edited = heights(obj)
    bpy.context.scene.frame_set(7)
    assert np.array_equal(heights(obj), edited)
    is_animated = module("operators.bridge.terrain.animated_values").is_animated
    bpy.ops.terrane.terrain_add(preset="none", resolution=9)
    assert not is_animated(bpy.context.active_object) and is_animated(obj)


def test_a_driver_moves_a_terrain(terrane):
    obj = add_terrain(preset="none", resolution=17)
    obj.driver_add("terrane.height").driver.expression = "frame * 2"
    bpy.context.scene.frame_set(6)
    assert obj.terrane.height == 12.0
    assert np.array_equal(heights(obj), expected(obj))
    target = bpy.data.objects.new("Target", None)
    bpy.context.scene.collection.objects.link(target)
    driver = obj.animation_data.drivers[0].driver
    variable = driver.variables.new()
    variable.targets[0].id, variable.targets[0].data_path = target, "location.x"
    driver.expression = variable.name
    target.location.x = 40.0  # no frame changes
    bpy.context.view_layer.update()
    module("operators.bridge.tasks.live").update_now()
    assert obj.terrane.height == 40.0
    assert np.array_equal(heights(obj), expected(obj))


def test_painted_masks_count_in_frames(terrane):
    obj = add(resolution=17)
    group = obj.vertex_groups.new(name="where")
    group.add(list(range(150)), 1.0, "REPLACE")
    obj.terrane.layers[1].painted_mask = "where"
    bpy.context.scene.frame_set(11)
    masked, free = heights(obj), expected(obj)
    np.testing.assert_allclose(masked[:100], free[:100], atol=1e-5)
    assert np.abs(masked[200:] - free[200:]).max() > 1.0


def test_a_render_shows_its_frames(terrane, tmp_path):
    obj, scene = add(resolution=33, eroded=True), bpy.context.scene
    scene.camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    scene.camera.location, scene.camera.rotation_euler.x = (0.0, -120.0, 90.0), math.radians(50.0)
    sun = bpy.data.objects.new("Sun", bpy.data.lights.new("Sun", "SUN"))
    for one in (scene.camera, sun):
        scene.collection.objects.link(one)
    scene.render.engine, scene.cycles.samples, scene.cycles.use_denoising = "CYCLES", 2, False
    scene.render.resolution_x = scene.render.resolution_y = 24
    scene.frame_start, scene.frame_end = 3, 9
    scene.frame_step, scene.render.filepath = 6, str(tmp_path / "moving")
    scene.frame_set(5)
    heights_before = heights(obj)
    bpy.ops.render.render(animation=True)
    assert np.array_equal(heights(obj), heights_before), "the viewport's frame is back"
    moving = {frame: load_pixels(tmp_path / f"moving{frame:04}.png") for frame in (3, 9)}
    assert not np.array_equal(moving[3], moving[9])
    for frame, pixels in moving.items():
        scene.frame_set(frame)
        recipe = module("operators.bridge.schema.settings").read(obj.terrane)
        still = heights(obj)
        assert np.array_equal(still, recipe.evaluate(recipe.grid(33)).height.ravel())
        copy = bpy.data.meshes.new_from_object(obj)
        other = bpy.data.objects.new("Still", copy)
        scene.collection.objects.link(other)
        obj.hide_render = True
        scene.render.filepath = str(tmp_path / f"still{frame}.png")
        bpy.ops.render.render(write_still=True)
        obj.hide_render = False
        bpy.data.objects.remove(other)
        assert np.array_equal(load_pixels(tmp_path / f"still{frame}.png"), pixels), frame


def test_keyframes_follow_their_layers(terrane):
    obj = add(resolution=9)
    layers = module("operators.bridge.schema.layer_list")
    group = obj.terrane
    group.active_layer = 1
    name = group.layers[1].name
    obj.driver_add(OPACITY.format(0)).driver.expression = "1"

    def place():
        return [layer.name for layer in group.layers].index(name)

    def check(*more):
        assert OPACITY.format(place()) in curves_of(obj) and len(curves_of(obj)) == 3
        assert obj.animation_data.drivers[0].data_path == OPACITY.format(1 - place()), more

    layers.move(group, -1)
    check("moved")
    assert POSITION.replace("[0].chain", "[1].chain") in curves_of(obj)
    layers.move(group, 1)
    check("moved back")
    group.active_layer = 0
    bpy.ops.terrane.layer_add(type="perlin")
    layers.choose(group, 2)
    layers.move(group, -1)
    assert OPACITY.format(place()) in curves_of(obj) and place() == 2
    layers.remove(group)
    check("removed another")
    elements = module("operators.bridge.schema.elements")
    elements.add_filter(group.layers[0], "abs")
    elements.move_element(group.layers[0], 1, 1)
    assert any(".chain[" in one and ".evolution.position" in one for one in curves_of(obj))
    path = next(one for one in curves_of(obj) if "evolution" in one)
    assert obj.path_resolve(path.rpartition(".evolution")[0]).type == "evolution"
    group.active_layer = 1
    bpy.ops.terrane.layer_group()
    assert OPACITY.format(1) in curves_of(obj) and group.layers[1].type == "group"
    bpy.context.scene.frame_set(6)
    assert np.array_equal(heights(obj), expected(obj))
    layers.remove(group)
    assert OPACITY.format(1) not in curves_of(obj)
    bpy.ops.terrane.preset_load(preset="dunes")
    assert curves_of(obj) == ["terrane.height"]


def test_a_shared_action_is_not_changed_for_others(terrane):
    obj = add(resolution=9)
    other = obj.copy()
    other.data = obj.data.copy()
    bpy.context.scene.collection.objects.link(other)
    if hasattr(other.animation_data, "action_slot"):
        other.animation_data.action_slot = obj.animation_data.action_slot
    layers = module("operators.bridge.schema.layer_list")
    obj.terrane.active_layer = 1
    layers.move(obj.terrane, -1)
    assert OPACITY.format(0) in curves_of(obj) and OPACITY.format(1) in curves_of(other)


def test_a_file_that_is_opened_goes_on(terrane, tmp_path):
    obj = add(resolution=17)
    bpy.context.scene.frame_set(9)
    ninth = heights(obj)
    bpy.context.scene.frame_set(2)
    path = str(tmp_path / "moving.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    obj = bpy.context.active_object
    bpy.context.scene.frame_set(9)
    assert np.array_equal(heights(obj), ninth)


@pytest.mark.parametrize("target", ["cache", "keys"])
def test_a_bake_plays_what_was_seen(terrane, target, tmp_path):
    obj, scene, seen = add(resolution=17), bpy.context.scene, {}
    for frame in range(1, 12):
        scene.frame_set(frame)
        seen[frame] = heights(obj)
    path = tmp_path / "a.pc2"
    bake = {"start": 1, "end": 11, "step": 2, "target": target, "filepath": str(path)}
    assert bpy.ops.terrane.motion_bake(**bake) == {"FINISHED"}
    assert (scene.frame_current, path.exists()) == (11, target == "cache")
    for frame in (1, 5, 11):
        scene.frame_set(frame)
        np.testing.assert_allclose(shown(), seen[frame], atol=1e-5)
    scene.frame_set(6)  # between two baked frames
    np.testing.assert_allclose(shown(), (seen[5] + seen[7]) / 2, atol=1e-4)
    assert bpy.ops.terrane.motion_unbake() == {"FINISHED"}
    assert np.array_equal(shown(), seen[6]) and obj.data.shape_keys is None
    assert not obj.modifiers and not [
        action for action in bpy.data.actions if "Motion" in action.name
    ]


def test_a_cache_plays_without_the_extension(terrane, tmp_path):
    obj, scene = add(resolution=17), bpy.context.scene
    scene.camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    scene.camera.location.z = 200.0
    sun = bpy.data.objects.new("Sun", bpy.data.lights.new("Sun", "SUN"))
    sun.rotation_euler.x = 1.0
    for one in (scene.camera, sun):
        scene.collection.objects.link(one)
    scene.frame_set(1)
    bpy.ops.terrane.motion_bake(start=1, end=11, filepath=str(tmp_path / "a.pc2"))
    shown_before = shown()
    scene.frame_set(9)
    assert not np.array_equal(shown(), shown_before)
    assert np.array_equal(heights(obj), shown_before), "the baked terrain itself is not computed"
    with_terrane, without = render_with_and_without(tmp_path)
    assert np.array_equal(with_terrane, without) and with_terrane.max() > 0.2


def test_erosion_over_time(terrane, tmp_path):
    obj = add_terrain(preset="alps", resolution=33)
    heights_before = heights(obj)
    bake = {"start": 1, "end": 3, "filepath": str(tmp_path / "a.pc2"), "erosion": True}
    assert bpy.ops.terrane.motion_bake(**bake) == {"FINISHED"}
    recipe = module("operators.bridge.schema.settings").read(obj.terrane)
    at_share = module("noise_core.recipes.erosion_over_time").at_share
    for frame in (1, 2, 3):
        bpy.context.scene.frame_set(frame)
        own = at_share(recipe, (frame - 1) / 2)
        assert np.array_equal(shown(), own.evaluate(own.grid(33)).height.ravel()), frame
    assert np.array_equal(shown(), heights_before)


def test_what_cannot_be_baked_is_one_line(terrane, tmp_path):
    add(resolution=9)
    there = tmp_path / "there.pc2"
    there.write_bytes(b"mine")
    for bake, message in (
        ({"start": 5, "end": 2}, "Motion.end must not be before Motion.start, 5; got 2"),
        ({}, "save that first, or give an absolute path"),
        ({"filepath": str(tmp_path / "none" / "a.pc2")}, "cannot be written: No such file"),
        ({"filepath": str(there)}, "already there; allow Overwrite"),
    ):
        with pytest.raises(RuntimeError, match=message):
            bpy.ops.terrane.motion_bake(**{"start": 1, "end": 3, **bake})
    assert there.read_bytes() == b"mine"
    bpy.ops.terrane.terrain_add(preset="none", resolution=9)
    with pytest.raises(RuntimeError, match="no keyframes and no drivers"):
        bpy.ops.terrane.motion_bake(start=1, end=3, filepath=str(tmp_path / "b.pc2"))


def test_a_bake_that_ends_early_leaves_nothing(terrane, tmp_path):
    obj, scene = add(resolution=9), bpy.context.scene
    scene.frame_set(4)
    baking = module("operators.bridge.terrain.motion_baking")
    refs = module("operators.bridge.datablocks.ref")
    owners, path = (refs.Ref.of(obj), refs.Ref.of(scene)), str(tmp_path / "a.pc2")
    request = baking.MotionRequest(*owners, range(1, 6), erodes=False, path=path)
    steps = baking.MOTION.write(obj, request, None)
    jobs = module("operators.bridge.tasks.jobs")
    result = None
    for _ in range(5):
        result = jobs.at_once(steps.send(result))
    assert list(tmp_path.iterdir()) and scene.frame_current != 4
    steps.close()  # as Esc does
    assert not list(tmp_path.iterdir()) and scene.frame_current == 4
    assert not obj.modifiers
    scene.frame_set(7)
    assert np.array_equal(heights(obj), expected(obj))


def test_undo_takes_a_bake_back(terrane, tmp_path):
    add(resolution=9)
    bpy.ops.ed.undo_push(message="before")
    bpy.ops.terrane.motion_bake(start=1, end=3, filepath=str(tmp_path / "a.pc2"))
    bpy.ops.ed.undo_push(message="baked")
    bpy.ops.ed.undo()
    obj = bpy.context.active_object
    assert not obj.modifiers
    bpy.context.scene.frame_set(8)
    assert np.array_equal(heights(obj), expected(obj))
    bpy.ops.ed.redo()
    assert "Terrane Motion" in bpy.context.active_object.modifiers
