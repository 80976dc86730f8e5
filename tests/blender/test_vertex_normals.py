# SPDX-License-Identifier: GPL-3.0-or-later
"""The normals that a thread makes are those that Blender makes."""

from __future__ import annotations

import importlib

import bpy
import numpy as np
import pytest

PACKAGE = "bl_ext.user_default.terrane"


def module(name):
    return importlib.import_module(f"{PACKAGE}.{name}")


def bridge(name):
    return module(f"operators.bridge.{name}")


def values(collection, name, dtype, width=1):
    read = np.empty(len(collection) * width, dtype)
    collection.foreach_get(name, read)
    return read.reshape(-1, width) if width > 1 else read


def parts(mesh):
    """Return the positions of a mesh, the vertices of its corners, and where its faces begin."""
    return (
        values(mesh.vertices, "co", np.float32, 3),
        values(mesh.loops, "vertex_index", np.int32),
        values(mesh.polygons, "loop_start", np.int32),
    )


def blenders(mesh):
    return values(mesh.vertex_normals, "vector", np.float32, 3)


def worked_out(*given, **keywords):
    return bridge("geometry.vertex_normals").vertex_normals(*given, **keywords)


def rough(mesh, roughness):
    """Move all vertices a little, as chance has it."""
    positions = parts(mesh)[0]
    positions += np.random.default_rng(1).normal(0.0, roughness, positions.shape)
    mesh.vertices.foreach_set("co", positions.reshape(-1))
    mesh.update()
    return mesh


def added(name, **keywords):
    getattr(bpy.ops.mesh, f"primitive_{name}_add")(**keywords)
    return bpy.context.active_object.data


def of(vertices, *faces):
    mesh = bpy.data.meshes.new("Mesh")
    mesh.from_pydata(vertices, [], faces)
    mesh.update()
    return mesh


WHOLE = {
    "quads far from the origin": lambda: rough(
        added("grid", x_subdivisions=90, y_subdivisions=70, size=1000.0), 3.0
    ),
    "triangles": lambda: rough(added("ico_sphere", subdivisions=5), 0.005),
    "quads and triangles": lambda: rough(added("uv_sphere", segments=64, ring_count=32), 0.01),
    "a monkey": lambda: added("monkey"),
    "a polygon": lambda: rough(added("circle", fill_type="NGON", vertices=33), 0.2),
    "triangles and a polygon": lambda: added("cone", end_fill_type="NGON"),
}


@pytest.mark.parametrize("name", WHOLE)
@pytest.mark.parametrize("corners", [None, 64])
def test_they_are_blenders(terrane, monkeypatch, name, corners):
    if corners is not None:
        monkeypatch.setattr(bridge("geometry.vertex_normals"), "_CORNERS", corners)
    mesh, shares = WHOLE[name](), []
    before = parts(mesh)
    made = worked_out(*before, shares.append)
    np.testing.assert_allclose(made, blenders(mesh), rtol=0.0, atol=1e-5)
    np.testing.assert_allclose(np.linalg.norm(made, axis=1), 1.0, atol=1e-6)
    assert made.dtype == np.float32 and made.flags.c_contiguous
    assert shares == sorted(shares) and shares[-1] == 1.0
    assert corners is None or len(shares) > 1 or len(mesh.polygons) == 1
    for one, other in zip(before, parts(mesh)):
        np.testing.assert_array_equal(one, other)


STRANGE = {
    "loose vertices": ([(0, 0, 0), (1, 2, 3), (1e-3, 0, 0)],),
    "one loose vertex": ([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 3, 4)], (0, 1, 2)),
    "a point": ([(1, 0, 0)] * 4, (0, 1, 2, 3)),
    "a line": ([(0, 0, 0), (1, 1, 1), (2, 2, 2)], (0, 1, 2)),
    "a line of many": ([(i, i, i) for i in range(5)], (0, 1, 2, 3, 4)),
    "a doubled vertex": ([(0, 0, 0), (0, 0, 0), (1, 0, 0), (1, 1, 0)], (0, 1, 2, 3)),
    "back to back": ([(0, 0, 0), (1, 0, 0), (1, 1, 0)], (0, 1, 2), (2, 1, 0)),
    "a bow tie": ([(0, 0, 0), (1, 1, 0), (1, 0, 0), (0, 1, 0)], (0, 1, 2, 3)),
    "tiny": ([(0, 0, 0), (0, 1e-9, 0), (0, 1e-9, 1e-9), (0, 0, 1e-9)], (0, 1, 2, 3)),
    "small": ([(0, 0, 0), (0, 1e-7, 0), (0, 1e-7, 1e-7), (0, 0, 1e-7)], (0, 1, 2, 3)),
    "huge": ([(0, 0, 0), (1e20, 0, 0), (1e20, 1e20, 5e8), (0, 1e20, 0)], (0, 1, 2, 3)),
}


@pytest.mark.parametrize("name", STRANGE)
def test_strange_faces_are_as_blender_takes_them(terrane, name):
    vertices, *faces = STRANGE[name]
    mesh = of(vertices, *faces)
    np.testing.assert_allclose(worked_out(*parts(mesh)), blenders(mesh), rtol=0.0, atol=1e-6)


def test_the_order_of_the_vertices_does_not_matter(terrane, monkeypatch):
    monkeypatch.setattr(bridge("geometry.vertex_normals"), "_CORNERS", 64)
    mesh = rough(added("uv_sphere", segments=64, ring_count=32), 0.01)
    positions, corners, starts = parts(mesh)
    order = np.random.default_rng(2).permutation(len(positions)).astype(np.int32)
    places = np.argsort(order).astype(np.int32)
    shuffled = worked_out(positions[order], places[corners], starts)
    np.testing.assert_allclose(
        shuffled, worked_out(positions, corners, starts)[order], rtol=0.0, atol=1e-6
    )


def test_it_stops_when_told_to(terrane, monkeypatch):
    monkeypatch.setattr(bridge("geometry.vertex_normals"), "_CORNERS", 64)
    given, blocks, shares = parts(added("uv_sphere")), module("noise_core.blocks"), []
    with (
        pytest.raises(module("noise_core.errors").Cancelled),
        blocks.cancellable(lambda: len(shares) > 2),
    ):
        worked_out(*given, shares.append)
    assert len(shares) == 3


@pytest.mark.parametrize("is_known", [True, False])
@pytest.mark.parametrize("name", [*WHOLE, "loose vertices"])
def test_faces_are_read_where_they_begin(terrane, monkeypatch, name, is_known):
    compat = bridge("compat")
    if not is_known:
        monkeypatch.setattr(compat, "_laid_out", lambda faces: None)
    mesh = WHOLE[name]() if name in WHOLE else of(*STRANGE[name])
    starts = np.full(len(mesh.polygons), -1, np.int32)
    compat.read_face_starts(mesh, starts)
    assert starts.tolist() == [face.loop_start for face in mesh.polygons]


def test_faces_elsewhere_in_memory_are_not_believed(terrane, monkeypatch):
    compat, mesh = bridge("compat"), added("uv_sphere")
    wrong = np.arange(len(mesh.polygons), dtype=np.int32)
    monkeypatch.setattr(compat, "_laid_out", lambda faces: wrong)
    starts = np.empty(len(mesh.polygons), np.int32)
    compat.read_face_starts(mesh, starts)
    assert starts.tolist() == [face.loop_start for face in mesh.polygons]


# --- displacing along them ---


def displaced(thing, monkeypatch, *, is_window):
    """Return where a thread moves the vertices, with normals of its own in a window."""
    displacement = bridge("geometry.displacement")
    monkeypatch.setattr(displacement, "_MANY", 1)
    recipe = module("noise_core.preset_library").preset("none").recipe
    way = displacement.Displacement(1.0, 0.0, "normal", (0.0, 0.0, 1.0), "", as_shape_key=False)
    present, shares, asked = displacement.present_positions(thing), [], []
    with monkeypatch.context() as patch:
        patch.setattr(bridge("work.attendance"), "is_at_once", lambda: not is_window)
        own = bridge("geometry.displacement").vertex_normals
        patch.setattr(displacement, "vertex_normals", lambda *a: asked.append(1) or own(*a))
        work = displacement.work(bpy.context, thing, present, recipe, way)
        result = work(shares.append, lambda: False)
    assert shares == sorted(shares) and shares[-1] == 1.0
    assert bool(asked) == is_window
    return result.positions


def test_a_window_displaces_as_a_script_does(terrane, monkeypatch):
    added("monkey")
    thing = bpy.context.active_object
    at_once, in_window = (
        displaced(thing, monkeypatch, is_window=is_window) for is_window in (False, True)
    )
    np.testing.assert_allclose(in_window, at_once, rtol=0.0, atol=2e-6)
    assert np.ptp(at_once - parts(thing.data)[0]) > 0.1


def test_the_mesh_s_own_normals_count_for_a_shape_key(terrane, monkeypatch):
    added("monkey")
    thing = bpy.context.active_object
    thing.shape_key_add(name="Basis")
    key = thing.shape_key_add(name="Turned")
    for point in key.points:
        point.co.xyz = point.co.zxy
    thing.active_shape_key_index = 1
    at_once, in_window = (
        displaced(thing, monkeypatch, is_window=is_window) for is_window in (False, True)
    )
    np.testing.assert_allclose(in_window, at_once, rtol=0.0, atol=2e-6)
