# SPDX-License-Identifier: GPL-3.0-or-later
"""The camera and the haze follow the terrain; the user's changes to them stay."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from mathutils import Matrix

from tests.blender.extension import module
from tests.blender.helpers import add_terrain


@pytest.fixture
def terrain(terrane):
    bpy.context.scene.world = bpy.context.scene.camera = None
    obj = add_terrain(preset="mesa", seed=11, resolution=129)
    bpy.ops.terrane.camera_add()
    return obj


def eye():
    bpy.context.view_layer.update()
    return np.array(bpy.context.scene.camera.matrix_world.translation)


def above_ground(terrain):
    """Return how far the camera is above the vertex next to it."""
    points = np.empty(len(terrain.data.vertices) * 3, np.float32)
    terrain.data.vertices.foreach_get("co", points)
    points = points.reshape(-1, 3)
    place = np.clip(eye()[:2], points[:, :2].min(axis=0), points[:, :2].max(axis=0))
    nearest = np.hypot(*(points[:, :2] - place).T).argmin()
    return eye()[2] - points[nearest, 2]


def cameras():
    return module("operators.bridge.scene.cameras")


def lift(terrain):
    return bpy.context.scene.terrane_camera.lift * terrain.terrane.size


@pytest.mark.slow
@pytest.mark.parametrize("preset", ["mesa", "badlands"])
def test_another_seed_leaves_the_camera_above_the_ground(terrane, preset):
    bpy.context.scene.camera = None
    terrain = add_terrain(preset=preset, seed=10, resolution=129)
    bpy.ops.terrane.camera_add()
    for seed in range(11, 17):
        bpy.ops.terrane.terrain_update(seed=seed)
        assert above_ground(terrain) == pytest.approx(lift(terrain), rel=1e-3)


def test_live_update_moves_the_camera_when_a_drag_ends(terrain, live):
    eye_before = eye()
    terrain.terrane.seed = 12
    live.update_now(is_preview=True)
    assert (eye() == eye_before).all()
    live.update_now()
    assert above_ground(terrain) == pytest.approx(lift(terrain), rel=1e-3)


def test_a_terrain_twice_as_wide_has_its_camera_twice_as_far_away(terrain):
    eye_before, clips = eye(), [getattr(bpy.context.scene.camera.data, one) for one in CLIPS]
    bpy.ops.terrane.terrain_update(size=2.0 * terrain.terrane.size)
    np.testing.assert_allclose(eye()[:2], 2.0 * eye_before[:2], rtol=1e-5)
    assert above_ground(terrain) == pytest.approx(lift(terrain), rel=1e-3)
    data = bpy.context.scene.camera.data
    assert [getattr(data, one) / old for one, old in zip(CLIPS, clips)] == pytest.approx(
        [2.0, 2.0], rel=0.2
    )


CLIPS = ("clip_start", "clip_end")


def test_the_lens_and_the_limits_of_the_user_stay(terrain):
    data = bpy.context.scene.camera.data
    data.lens, data.clip_end = 85.0, 123456.0
    start = data.clip_start
    bpy.ops.terrane.terrain_update(size=2.0 * terrain.terrane.size)
    assert data.lens == 85.0 and data.clip_end == 123456.0 and data.clip_start > 1.5 * start


def move(camera):
    camera.location.z += 1.0


def turn(camera):
    camera.rotation_euler.z += 0.002


def fasten(camera):
    camera.constraints.new("TRACK_TO")


def animate(camera):
    camera.keyframe_insert("location", frame=1)


@pytest.mark.slow
@pytest.mark.parametrize("change", [move, turn, fasten, animate])
def test_a_camera_that_the_user_has_moved_stays(terrain, change):
    camera = bpy.context.scene.camera
    change(camera)
    matrix_basis_before = camera.matrix_basis.copy()
    bpy.ops.terrane.terrain_update(size=2.0 * terrain.terrane.size)
    assert camera.matrix_basis == matrix_basis_before
    assert not cameras().CAMERA.is_due(terrain)


def test_a_second_press_makes_it_follow_again(terrain):
    bpy.context.scene.camera.location.z += 1000.0
    bpy.ops.terrane.camera_add()
    bpy.ops.terrane.terrain_update(seed=13)
    assert above_ground(terrain) == pytest.approx(lift(terrain), rel=1e-3)


def test_the_camera_of_another_terrain_stays(terrain):
    eye_before = eye()
    bpy.ops.terrane.terrain_add(preset="mesa", seed=12, resolution=129)
    bpy.ops.terrane.terrain_update(seed=13)
    assert (eye() == eye_before).all()


def test_undo_takes_the_camera_back(terrain, live):
    name, first = terrain.name, eye()
    bpy.ops.ed.undo_push(message="before")
    terrain.terrane.seed = 14
    bpy.ops.ed.undo_push(message="seed")
    live.update_now()  # after the step, as the timer does
    assert (eye() != first).any()
    bpy.ops.ed.undo()
    live.update_now()
    np.testing.assert_allclose(eye(), first, rtol=1e-6)
    assert not cameras().CAMERA.is_due(bpy.data.objects[name])


# --- haze ---------------------------------------------------------------------------------------


def numbers():
    nodes = bpy.context.scene.world["terrane_sky"].nodes
    names = ("Visibility", "Haze Height", "Floor")
    return np.array([nodes[name].outputs[0].default_value for name in names])


@pytest.fixture
def hazy(terrain):
    bpy.ops.terrane.sky_add(cumulus=0.0)
    return terrain


def test_the_haze_of_a_terrain_twice_as_wide_reaches_twice_as_far(hazy):
    numbers_before = numbers()
    width = hazy.terrane.size
    sky = bpy.context.scene.terrane_sky
    assert numbers_before[:2] == pytest.approx(
        [sky.visibility * width, sky.haze_height * width], rel=1e-5
    )
    bpy.ops.terrane.terrain_update(size=2.0 * width)
    assert numbers()[:2] == pytest.approx(2.0 * numbers_before[:2], rel=1e-5)


@pytest.mark.slow
def test_the_foot_of_the_haze_lies_at_the_lowest_ground(hazy, live):
    for seed in (12, 13):
        hazy.terrane.seed = seed
        live.update_now()
        points = np.empty(len(hazy.data.vertices) * 3, np.float32)
        hazy.data.vertices.foreach_get("co", points)
        assert numbers()[2] == pytest.approx(points[2::3].min(), abs=1e-2)


@pytest.mark.slow
def test_a_number_of_the_haze_that_the_user_has_set_stays(hazy):
    nodes, numbers_before = bpy.context.scene.world["terrane_sky"].nodes, numbers()
    nodes["Visibility"].outputs[0].default_value = 777.0
    for _ in range(2):
        bpy.ops.terrane.terrain_update(size=2.0 * hazy.terrane.size)
    assert numbers()[0] == 777.0 and numbers()[1] == pytest.approx(
        4.0 * numbers_before[1], rel=1e-5
    )


def test_without_air_nothing_follows(terrain):
    bpy.ops.terrane.sky_add(has_air=False)
    assert not module("operators.bridge.scene.hazes").HAZE.is_due(terrain)
    assert bpy.ops.terrane.terrain_update(seed=15) == {"FINISHED"}


def test_a_terrain_that_is_moved_takes_its_camera_along_at_the_next_change(terrain):
    eye_before = eye()
    terrain.matrix_world = Matrix.Translation((500.0, 0.0, 0.0))
    bpy.context.view_layer.update()
    bpy.ops.terrane.terrain_update(size=1.0001 * terrain.terrane.size)
    assert eye()[0] == pytest.approx(eye_before[0] + 500.0, abs=1.0)
