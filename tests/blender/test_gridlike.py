# SPDX-License-Identifier: GPL-3.0-or-later
"""A mesh is recognized as a grid by how it hangs together, and refused with a reason if it is none."""

from __future__ import annotations

import time

import bpy
import numpy as np
import pytest

from tests.blender.extension import module
from tests.blender.helpers import add_terrain
from tests.blender.panels import shown_by


def recognized(obj):
    meshes = module("operators.bridge.datablocks.meshes")
    positions = meshes.positions_of(obj.data)
    ground = module("operators.bridge.datablocks.ground")
    return ground.read_faces(obj.data, positions).vertex_grid(), positions


def grid(columns=7, rows=5, **keywords):
    bpy.ops.mesh.primitive_grid_add(
        x_subdivisions=columns - 1, y_subdivisions=rows - 1, size=2, **keywords
    )
    return bpy.context.active_object


def shuffled(obj, seed=1):
    """Return the same mesh with its vertices and faces in another order, faces begun anywhere."""
    meshes = module("operators.bridge.datablocks.meshes")
    positions = meshes.positions_of(obj.data)
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(positions))
    back = np.argsort(order)
    faces = np.array([tuple(face.vertices) for face in obj.data.polygons])
    faces = [np.roll(back[face], rng.integers(4)).tolist() for face in rng.permutation(faces)]
    mesh = bpy.data.meshes.new("shuffled")
    mesh.from_pydata(positions[order].tolist(), [], faces, shade_flat=False)
    other = bpy.data.objects.new("shuffled", mesh)
    bpy.context.collection.objects.link(other)
    return other


def assert_laid_out(found, positions):
    """Rows go up, columns go right, and both are even."""
    for axis in (0, 1):
        field = found.field(positions[:, axis].copy())
        step = np.diff(field, axis=1 - axis).ravel()
        assert step.min() > 0.0 and np.ptp(step) < 1e-5
        assert np.abs(np.diff(field, axis=axis)).max() < 1e-5
    np.testing.assert_array_equal(
        found.values(found.field(positions[:, 0].copy())), positions[:, 0]
    )


@pytest.mark.parametrize(("columns", "rows"), [(7, 5), (5, 7), (2, 2), (9, 2), (2, 9), (6, 6)])
def test_blenders_own_grid_in_any_order(terrane, columns, rows):
    for obj in (own := grid(columns, rows), shuffled(own)):
        found, positions = recognized(obj)
        assert (found.rows, found.columns) == (rows, columns)
        assert_laid_out(found, positions)


def test_a_subdivided_plane(terrane):
    bpy.ops.mesh.primitive_plane_add(size=6)
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.subdivide(number_cuts=3)
    bpy.ops.mesh.subdivide(number_cuts=2)
    bpy.ops.object.mode_set(mode="OBJECT")
    found, positions = recognized(bpy.context.active_object)
    assert (found.rows, found.columns) == (13, 13)
    assert_laid_out(found, positions)


def test_a_terrain_of_ours(terrane):
    bpy.ops.terrane.terrain_add(resolution=17, depth=0.5)
    found, _ = recognized(bpy.context.active_object)
    assert (found.rows, found.columns) == (9, 17)
    np.testing.assert_array_equal(found.places, np.arange(9 * 17))


@pytest.mark.parametrize("keywords", [{"depth": 0.5}, {"seamless": True}, {"size": 1e-3}])
def test_a_terrain_that_was_just_built_is_what_its_faces_say(terrane, keywords):
    bpy.ops.terrane.terrain_add(resolution=17, **keywords)
    found, positions = recognized(bpy.context.active_object)
    shape = found.rows, found.columns
    recognition = module("noise_core.landscapes.grid_meshes.recognition")
    known = recognition.grid_of_rows("Mine", positions, *shape)
    assert known.places.tobytes() == found.places.tobytes()
    assert (known.rows, known.columns, known.across, known.along) == (*shape, found.across, found.along)  # fmt: skip
    positions[20, 0] += np.float32(0.5 * found.across[0])
    with pytest.raises(module("noise_core").TerraneError, match="Mine .* not evenly spaced"):
        recognition.grid_of_rows("Mine", positions, *shape)


def test_a_grid_in_order_is_recognized_as_in_any_other(terrane):
    module_of = module("noise_core.landscapes.grid_meshes.recognition")
    obj = add_terrain(resolution=33, depth=0.5, size=3000.0)
    found, positions = recognized(obj)
    corners = np.empty(len(obj.data.loops), np.int32)
    obj.data.loops.foreach_get("vertex_index", corners)
    expected = module_of._find_vertex_grid(positions, corners.reshape(-1, 4))
    assert (found.rows, found.columns) == (expected.rows, expected.columns)
    np.testing.assert_array_equal(found.places, expected.places)
    np.testing.assert_allclose(found.across, expected.across, rtol=1e-6)
    np.testing.assert_allclose(found.along, expected.along, rtol=1e-6)
    ordered = module_of._ordered_grid
    assert ordered(positions, corners.reshape(-1, 4)) is not None
    for spoil in (lambda p: p[5] * np.float32(1.01), lambda p: p[5, [1, 0, 2]]):
        moved = positions.copy()
        moved[5] = spoil(positions)
        assert ordered(moved, corners.reshape(-1, 4)) is None
    assert ordered(positions[:, [1, 0, 2]], corners.reshape(-1, 4)) is None


@pytest.mark.parametrize("angle", [0.3, 0.785, 1.7, 3.0])
def test_turned_within_the_mesh(terrane, angle):
    obj = grid(8, 5)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    _, before = recognized(obj)
    meshes = module("operators.bridge.datablocks.meshes")
    turned = before.copy()
    turned[:, :2] = before[:, :2] @ turn.T.astype(np.float32)
    turned[:, 2] = before[:, 0] * 10.0  # the height plays no part
    meshes.set_positions(obj.data, turned)
    found, _ = recognized(obj)
    assert {found.rows, found.columns} == {8, 5}
    # Neighbors in the field are neighbors on the mesh.
    for axis, step in ((0, 0.5), (1, 2 / 7)) if found.rows == 5 else ((0, 2 / 7), (1, 0.5)):
        x, y = (found.field(turned[:, value].copy()) for value in (0, 1))
        length = np.hypot(np.diff(x, axis=axis), np.diff(y, axis=axis))
        np.testing.assert_allclose(length, step, rtol=1e-4)


def test_steps_are_meters_in_the_objects_scale(terrane):
    ground = module("operators.bridge.datablocks.ground")
    obj = grid(5, 3)
    obj.scale, obj.rotation_euler = (3.0, 5.0, 0.5), (1.0, 2.0, 3.0)
    parent = bpy.data.objects.new("parent", None)
    bpy.context.collection.objects.link(parent)
    parent.scale = (2.0, 2.0, 2.0)
    obj.parent = parent
    bpy.context.view_layer.update()
    found, _ = recognized(obj)
    np.testing.assert_allclose(
        ground.steps(obj.name, np.array(obj.matrix_world)[:3, :3], found),
        (3.0, 10.0, 1.0),
        rtol=1e-5,
    )
    obj.scale.z = 0.0
    bpy.context.view_layer.update()
    with pytest.raises(ValueError, match="its scale must not be 0"):
        ground.steps(obj.name, np.array(obj.matrix_world)[:3, :3], found)


def without_a_face(obj):
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.select_all(action="DESELECT")
    bpy.ops.object.mode_set(mode="OBJECT")
    obj.data.polygons[8].select = True
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.delete(type="FACE")
    bpy.ops.object.mode_set(mode="OBJECT")


def triangulated(obj):
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.quads_convert_to_tris()
    bpy.ops.object.mode_set(mode="OBJECT")


def moved(obj):
    obj.data.vertices[8].co.x += 0.1


def sheared(obj):
    for vertex in obj.data.vertices:
        vertex.co.x += vertex.co.y * 0.1


def folded(obj):
    for vertex in obj.data.vertices:
        vertex.co.x = abs(vertex.co.x)


def upright(obj):
    for vertex in obj.data.vertices:
        vertex.co.y, vertex.co.z = 0.0, vertex.co.y


def crossed(obj):
    """Swap two vertices: every place is taken, but faces join the wrong ones."""
    a, b = obj.data.vertices[8], obj.data.vertices[10]
    a.co, b.co = b.co.copy(), a.co.copy()


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (without_a_face, "holes"),
        (triangulated, "faces that are not quads"),
        (moved, "not evenly spaced"),
        (sheared, "no rectangle"),
        (folded, "no rectangle|holes"),
        (upright, "no rectangle"),
        (crossed, "do not join neighbors"),
    ],
)
def test_what_is_no_grid_is_refused_with_a_reason(terrane, spoil, reason):
    obj = grid(6, 6)
    recognized(obj)
    spoil(obj)
    with pytest.raises(ValueError, match=f"Grid is not a grid of quads.*({reason})"):
        recognized(obj)


@pytest.mark.parametrize("begins", range(5))
def test_a_triangle_and_a_pentagon_are_no_two_quads(terrane, begins):
    """They have as many corners, and the edges between them are as many as in a grid."""
    obj = grid(4, 4)
    faces = [tuple(face.vertices) for face in obj.data.polygons]
    a, b, c, d = faces[0]
    other = next(face for face in faces[1:] if {b, c} <= set(face))
    e, f = (one for one in other if one not in (b, c))
    e, f = (e, f) if (other.index(e) - other.index(b)) % 4 == 1 else (f, e)
    pentagon = np.roll((b, e, f, c, d), begins).tolist()
    rest = [face for face in faces[1:] if face != other]
    mesh = bpy.data.meshes.new("Grid")
    mesh.from_pydata(
        [tuple(vertex.co) for vertex in obj.data.vertices], [], [(a, b, d), pentagon, *rest]
    )
    assert len(mesh.loops) == 4 * len(mesh.polygons)
    obj.data = mesh
    with pytest.raises(ValueError, match="faces that are not quads|do not join neighbors"):
        recognized(obj)


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (bpy.ops.mesh.primitive_cube_add, "a grid has 4 corners, it has 0"),
        (bpy.ops.mesh.primitive_uv_sphere_add, "faces that are not quads"),
        (bpy.ops.mesh.primitive_torus_add, "a grid has 4 corners, it has 0"),
        (bpy.ops.mesh.primitive_circle_add, "it has no faces"),
    ],
)
def test_other_primitives_are_refused(terrane, make, reason):
    make()
    with pytest.raises(ValueError, match=reason):
        recognized(bpy.context.active_object)


@pytest.mark.parametrize(
    "make",
    [
        bpy.ops.mesh.primitive_cube_add,
        bpy.ops.mesh.primitive_torus_add,
        bpy.ops.mesh.primitive_monkey_add,
        bpy.ops.mesh.primitive_circle_add,
    ],
)
def test_make_terrain_of_mesh_is_shown_for_grids_alone(terrane, make):
    panel = module("ui.viewport").TERRANE_PT_terrain
    make()
    name = bpy.context.active_object.name
    assert "terrane.terrain_from_mesh" not in shown_by(panel)
    assert not bpy.ops.terrane.terrain_from_mesh.poll()
    with pytest.raises(RuntimeError, match=f"{name} is not a grid of quads"):
        bpy.ops.terrane.terrain_from_mesh()
    grid(5, 9)
    assert "terrane.terrain_from_mesh" in shown_by(panel)
    assert bpy.ops.terrane.terrain_from_mesh.poll()


@pytest.mark.parametrize("shape", [(2, 2), (2, 9), (3, 3), (5, 9), (40, 41)])
def test_counts_of_a_grid_are_those_of_its_mesh(terrane, shape):
    are_counts_of_grid = module("noise_core.landscapes.grid_meshes.recognition").are_counts_of_grid
    obj = grid(*shape)
    counts = [len(obj.data.vertices), len(obj.data.edges), len(obj.data.polygons)]
    assert are_counts_of_grid(*counts)
    for place in range(3):
        assert not are_counts_of_grid(*[count + (place == at) for at, count in enumerate(counts)])


def test_two_grids_in_one_mesh_are_refused(terrane):
    first = grid()
    grid(location=(5, 0, 0))
    first.select_set(True)
    bpy.ops.object.join()
    with pytest.raises(ValueError, match="a grid has 4 corners, it has 8"):
        recognized(bpy.context.active_object)


@pytest.mark.slow
def test_a_million_vertices_take_less_than_a_second(terrane):
    obj = grid(1024, 1024)
    start = time.process_time()
    found, _ = recognized(obj)
    assert time.process_time() - start < 1.0
    assert (found.rows, found.columns) == (1024, 1024)


# --- cells that are no squares ------------------------------------------------------------------


def test_long_cells_become_squares_and_come_back(terrane):
    square_cells = module("noise_core.rasters.resampling")
    cells = square_cells.SquareCells.of(9, 17, 1.0, 2.5)
    assert cells.grid.shape == (21, 17) and cells.grid.size == 16.0
    field = np.add.outer(np.arange(9.0) ** 2, np.arange(17.0)).astype(np.float32)
    spread = cells.spread(field)
    np.testing.assert_allclose(spread[::5], field[::2], rtol=1e-5)
    np.testing.assert_allclose(spread[5:16, 0], (np.arange(5, 16) * 0.4) ** 2, atol=1e-3)
    np.testing.assert_allclose(cells.gather(spread)[::2], field[::2], rtol=1e-5)
    linear = np.add.outer(np.arange(9.0), np.arange(17.0)).astype(np.float32)
    np.testing.assert_allclose(cells.gather(cells.spread(linear)), linear, atol=0.05)


def test_square_cells_are_left_alone(terrane):
    square_cells = module("noise_core.rasters.resampling")
    cells = square_cells.SquareCells.of(9, 17, 1.0, 1.005)
    field = np.arange(153, dtype=np.float32).reshape(9, 17)
    assert cells.are_square and cells.spread(field) is field


def test_very_long_cells_are_refused(terrane):
    square_cells = module("noise_core.rasters.resampling")
    with pytest.raises(ValueError, match="at most 16 times as long as wide; got 20 times"):
        square_cells.SquareCells.of(9, 17, 1.0, 20.0)
