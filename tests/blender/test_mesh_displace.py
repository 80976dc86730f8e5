# SPDX-License-Identifier: GPL-3.0-or-later
"""Any mesh moves by noise in space: directions, distances, and the data that stays."""

from __future__ import annotations

import bpy
import numpy as np
import pytest

from tests.blender.extension import module
from tests.blender.helpers import positions


def key_positions(key):
    return np.array([point.co[:] for point in key.points], np.float32)


@pytest.fixture
def sphere(terrane):
    bpy.ops.mesh.primitive_uv_sphere_add(segments=32, ring_count=16, radius=1.0)
    return bpy.context.active_object


def displace(**keywords):
    assert bpy.ops.terrane.mesh_displace(**keywords) == {"FINISHED"}


def expected_amount(before, **knobs):
    """Return plain noise at the vertices, in tiles of the mesh's largest dimension."""
    core = module("noise_core.landscapes.preset_library").preset("none").recipe
    noise = module("noise_core.recipes.chain_keywords").with_values(core.noise, **knobs)
    return noise.sample(before / np.float32(np.ptp(before, axis=0).max()), seed=3)


def test_a_sphere_becomes_a_planet(sphere):
    positions_before = positions(sphere.data)
    displace(strength=0.2, frequency=2, seed=3)
    positions_after = positions(sphere.data)
    amount = expected_amount(positions_before, frequency=2.0) * np.float32(0.2)
    # The vertex normals of a sphere point outwards, nearly.
    np.testing.assert_allclose(np.linalg.norm(positions_after, axis=1), 1.0 + amount, atol=2e-3)
    assert np.ptp(amount) > 0.05
    np.testing.assert_allclose(
        sphere.dimensions, np.ptp(positions_after, axis=0), rtol=1e-5, err_msg="bounds are stale"
    )


@pytest.mark.parametrize(
    ("keywords", "axis"),
    [
        ({"direction": "x"}, (1, 0, 0)),
        ({"direction": "y"}, (0, 1, 0)),
        ({"direction": "z"}, (0, 0, 1)),
        ({"direction": "vector", "vector": (3, 0, 4)}, (0.6, 0, 0.8)),
    ],
)
def test_along_an_axis_or_a_vector(sphere, keywords, axis):
    positions_before = positions(sphere.data)
    displace(strength=0.5, seed=3, **keywords)
    amount = expected_amount(positions_before) * np.float32(0.5)
    moved = positions(sphere.data) - positions_before
    np.testing.assert_allclose(moved, amount[:, np.newaxis] * np.array(axis), atol=1e-6)


def test_the_object_s_own_axes_count_not_the_worlds(sphere):
    positions_before = positions(sphere.data)
    sphere.rotation_euler, sphere.location, sphere.scale = (1, 2, 3), (4, 5, 6), (2, 2, 2)
    bpy.context.view_layer.update()
    displace(strength=0.5, direction="z", seed=3)
    moved = positions(sphere.data) - positions_before
    np.testing.assert_allclose(
        moved[:, 2], expected_amount(positions_before) * np.float32(0.5), atol=1e-6
    )


def test_a_smaller_tile_is_finer_noise(sphere):
    positions_before = positions(sphere.data)
    displace(strength=1.0, tile=1.0, frequency=2, fractal="none", direction="z", seed=3)
    finer = positions(sphere.data) - positions_before
    amount = expected_amount(positions_before, frequency=4.0, fractal="none")
    np.testing.assert_allclose(finer[:, 2], amount, atol=1e-5)


def test_a_vertex_group_limits_it(sphere):
    positions_before = positions(sphere.data)
    upper = np.flatnonzero(positions_before[:, 2] > 0.1)
    sphere.vertex_groups.new(name="upper").add(upper.tolist(), 0.5, "REPLACE")
    displace(strength=0.5, direction="z", seed=3, mask="upper")
    moved = (positions(sphere.data) - positions_before)[:, 2]
    amount = expected_amount(positions_before) * np.float32(0.25)
    np.testing.assert_allclose(moved[upper], amount[upper], atol=1e-6)
    assert not np.delete(moved, upper).any()


def test_an_attribute_limits_it(sphere):
    positions_before = positions(sphere.data)
    mask = (positions_before[:, 0] > 0).astype(np.float32)
    sphere.data.attributes.new("east", "FLOAT", "POINT").data.foreach_set("value", mask)
    displace(strength=0.5, direction="z", mask="east")
    moved = (positions(sphere.data) - positions_before)[:, 2]
    assert moved[mask == 1].any() and not moved[mask == 0].any()


def test_as_a_shape_key_the_mesh_stays(sphere):
    positions_before = positions(sphere.data)
    displace(strength=0.5, direction="z", seed=3, as_shape_key=True)
    basis, key = sphere.data.shape_keys.key_blocks
    np.testing.assert_array_equal(key_positions(basis), positions_before)
    moved = key_positions(key) - positions_before
    np.testing.assert_allclose(
        moved[:, 2], expected_amount(positions_before) * np.float32(0.5), atol=1e-6
    )
    assert key.value == 1.0 and sphere.active_shape_key == key


def test_the_active_shape_key_moves_alone(sphere):
    positions_before = positions(sphere.data)
    sphere.shape_key_add(name="Basis")
    key = sphere.shape_key_add(name="Key")
    sphere.active_shape_key_index = 1
    displace(strength=0.5, direction="z")
    np.testing.assert_array_equal(positions(sphere.data), positions_before)
    assert np.ptp(key_positions(key)[:, 2] - positions_before[:, 2]) > 0.1


def test_a_locked_shape_key_stays(sphere):
    sphere.shape_key_add(name="Basis")
    key = sphere.shape_key_add(name="Key")
    key.lock_shape = True
    sphere.active_shape_key_index = 1
    key_positions_before = key_positions(key)
    with pytest.raises(RuntimeError, match="The shape key Key is locked: unlock it first"):
        displace(strength=0.5)
    np.testing.assert_array_equal(key_positions(key), key_positions_before)
    displace(strength=0.5, as_shape_key=True)


def test_the_reference_key_takes_the_others_along(sphere):
    positions_before = positions(sphere.data)
    basis, key = sphere.shape_key_add(name="Basis"), sphere.shape_key_add(name="Key")
    key.points[5].co.x += 1.0
    sphere.active_shape_key_index = 0
    displace(strength=0.5, direction="z")
    difference = key_positions(key) - key_positions(basis)
    np.testing.assert_allclose(difference[5], (1, 0, 0), atol=1e-6)
    assert np.abs(np.delete(difference, 5, axis=0)).max() < 1e-6
    assert np.ptp(key_positions(basis)[:, 2] - positions_before[:, 2]) > 0.1


def test_edit_mode_is_left_and_entered_again(sphere):
    positions_before = positions(sphere.data)
    bpy.ops.object.mode_set(mode="EDIT")
    displace(strength=0.5)
    assert sphere.mode == "EDIT"
    bpy.ops.object.mode_set(mode="OBJECT")
    assert np.abs(positions(sphere.data) - positions_before).max() > 0.05


def test_a_shared_mesh_changes_for_all_or_becomes_single(sphere):
    twin = sphere.copy()
    bpy.context.collection.objects.link(twin)
    displace()
    assert twin.data is sphere.data
    positions_before = positions(twin.data)
    displace(single_user=True)
    assert twin.data is not sphere.data
    np.testing.assert_array_equal(positions(twin.data), positions_before)


def test_the_panel_gives_what_is_left_out(sphere):
    positions_before = positions(sphere.data)
    scene = bpy.context.scene.terrane
    scene.displace_options.direction, scene.displace_options.strength = "z", 0.5
    sphere.vertex_groups.new(name="few").add([1, 2, 3], 1.0, "REPLACE")
    scene.displace_options.mask = "few"
    displace(from_panel=True)
    moved = positions(sphere.data) - positions_before
    assert set(np.flatnonzero(moved.any(axis=1))) <= {1, 2, 3}
    assert not moved[:, :2].any()


def test_wrong_values_are_one_line_and_change_nothing(sphere):
    positions_before = positions(sphere.data)
    for keywords, message in (
        ({"mask": "nothing"}, "mask must name a vertex group or a float attribute; got 'nothing'"),
        ({"direction": "vector", "vector": (0, 0, 0)}, "Displace.vector must have a length"),
        ({"octaves": 0}, r"Fractal.octaves must be in \[1, 24\]; got 0.0"),
        ({"tile": -1}, "Displace.tile must be in"),
        ({"strength": 2e6}, r"Displace.strength must be in \[-1e\+06, 1e\+06\]; got 2000000.0"),
        ({"strength": float("-inf")}, "Displace.strength must be in"),
    ):
        with pytest.raises(RuntimeError, match=message) as error:
            bpy.ops.terrane.mesh_displace(**keywords)
        assert "Traceback" not in str(error.value)
    np.testing.assert_array_equal(positions(sphere.data), positions_before)


def test_it_needs_a_mesh(terrane):
    with pytest.raises(RuntimeError, match="Select a mesh first"):
        bpy.ops.terrane.mesh_displace()
    bpy.ops.object.empty_add()
    with pytest.raises(RuntimeError, match="Select a mesh first"):
        bpy.ops.terrane.mesh_displace()


def test_sculpt_mode_is_refused(sphere):
    bpy.ops.object.mode_set(mode="SCULPT")
    with pytest.raises(RuntimeError, match="Switch to Object Mode or Edit Mode first"):
        bpy.ops.terrane.mesh_displace()


def test_an_empty_mesh_says_so(terrane):
    empty = bpy.data.objects.new("empty", bpy.data.meshes.new("empty"))
    bpy.context.collection.objects.link(empty)
    bpy.context.view_layer.objects.active = empty
    with pytest.raises(RuntimeError, match="empty has no vertices"):
        bpy.ops.terrane.mesh_displace()


def test_it_says_how_far_it_is_and_stops_when_told_to(sphere, monkeypatch):
    displacement = module("operators.bridge.terrain.displacement")
    monkeypatch.setattr(displacement, "_POINTS", 100)
    recipe = module("noise_core.landscapes.preset_library").preset("none").recipe
    way = displacement.Displacement(1.0, 0.0, "normal", (0.0, 0.0, 1.0), "", as_shape_key=False)
    work = displacement.work(sphere, positions(sphere.data), recipe, way)
    count, shares = len(sphere.data.vertices), []
    whole = work(shares.append, lambda: False)
    assert shares[-1] == 1.0 and shares == sorted(shares) and len(shares) == -(-count // 100)
    monkeypatch.setattr(displacement, "_POINTS", count)
    again = work(lambda share: None, lambda: False)
    np.testing.assert_array_equal(again, whole)
    monkeypatch.setattr(displacement, "_POINTS", 100)
    shares.clear()
    with pytest.raises(module("noise_core.base.errors").Cancelled):
        work(shares.append, lambda: len(shares) > 1)
    assert len(shares) == 2


def test_the_normals_of_the_mesh_itself_count_for_a_shape_key(sphere):
    normals = np.array([vertex.normal[:] for vertex in sphere.data.vertices], np.float32)
    sphere.shape_key_add(name="Basis")
    key = sphere.shape_key_add(name="Turned")
    for point in key.points:
        point.co.xyz = point.co.zxy
    sphere.active_shape_key_index = 1
    key_positions_before = key_positions(key)
    displace(strength=0.2, frequency=2, seed=3, direction="normal")
    offset = key_positions(key) - key_positions_before
    amount = np.sum(offset * normals, axis=1)
    np.testing.assert_allclose(offset, amount[:, np.newaxis] * normals, atol=2e-6)
    assert np.ptp(amount) > 0.05
