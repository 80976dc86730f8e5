# SPDX-License-Identifier: GPL-3.0-or-later
"""Land is exported as it is seen, with the object's scale and the scene's units, and imported as large as it was."""

from __future__ import annotations

import json
import math

import bpy
import numpy as np
import pytest
from mathutils import Matrix

from tests.blender.extension import module
from tests.blender.helpers import add_terrain
from tests.drawing import count_of, generator

SIDE = 17
UNITS = (("METRIC", 1.0), ("METRIC", 0.01), ("IMPERIAL", 0.3048), ("METRIC", 1000.0), ("NONE", 7.0))


def meters():
    units = bpy.context.scene.unit_settings
    return 1.0 if units.system == "NONE" else units.scale_length


def world_points(obj):
    """Return the vertices in meters of the world from the object's origin, float64."""
    bpy.context.view_layer.update()
    data = np.empty(len(obj.data.vertices) * 3, np.float32)
    obj.data.attributes["position"].data.foreach_get("vector", data)
    matrix = np.array(obj.matrix_world, np.float64)
    return data.reshape(-1, 3) @ matrix[:3, :3].T * meters()


def field_of(points, degrees):
    """Return x, y and heights of points on a grid that is turned by so many degrees; the middle lies at 0."""
    turn = math.radians(-degrees)
    rotation = np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])
    flat = points[:, :2] @ rotation.T
    flat -= (flat.max(axis=0) + flat.min(axis=0)) / 2.0
    extent = flat.max()
    order = np.lexsort((np.round(flat[:, 0] / extent, 4), np.round(flat[:, 1] / extent, 4)))
    first = np.round(flat[order, 1] / extent, 4)
    columns = int((first == first[0]).sum())
    x, y = flat[order, 0].reshape(-1, columns)[0], flat[order, 1].reshape(-1, columns)[:, 0]
    return x, y, points[order, 2].reshape(-1, columns)


def compare(before, after, tolerance):
    """Compare two fields in meters where the second one has its samples."""
    x, y, heights = before
    new_x, new_y, new_heights = after
    extent = x[-1] - x[0]
    np.testing.assert_allclose((new_x[0], new_x[-1]), (x[0], x[-1]), atol=2e-5 * extent)
    spacing = new_x[1] - new_x[0]
    np.testing.assert_allclose((new_y[0], new_y[-1]), (y[0], y[-1]), atol=0.51 * spacing)
    rows = np.stack([np.interp(new_x, x, row) for row in heights])
    # A depth that is no whole number of samples is rounded.
    stretched = new_y * (y[-1] / new_y[-1])
    expected = np.stack([np.interp(stretched, y, column) for column in rows.T], axis=1)
    np.testing.assert_allclose(new_heights, expected, atol=tolerance * np.ptp(heights))


def export_and_import(folder, obj, **keywords):
    """Export an object, import the file in the same scene; return the new object and the sidecar."""
    path = folder / "land.npy"
    done = bpy.ops.terrane.heightmap_export(
        filepath=str(path), target="npy", object=obj.name, check_existing=False, **keywords
    )
    assert done == {"FINISHED"}
    bpy.ops.terrane.heightmap_import(filepath=str(path), samples=257)
    says = json.loads(path.with_name("land.npy.json").read_text(encoding="utf-8"))
    return bpy.context.active_object, says


def new_slope(columns, rows):
    """Return a mesh object that is a tilted plane, and so the same at any resolution."""
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=columns - 1, y_subdivisions=rows - 1, size=2.0)
    obj = bpy.context.active_object
    for vertex in obj.data.vertices:
        vertex.co.z = 0.3 * vertex.co.x - 0.2 * vertex.co.y
    return obj


def new_terrain(random):
    bpy.ops.terrane.terrain_add(
        noise="perlin", frequency=1.0, fractal="none", resolution=SIDE,
        depth=random.choice((1.0, 0.5)), size=100.0, height=20.0, seed=random.randrange(100),
    )  # fmt: skip
    return bpy.context.active_object


def draw_scale(random, *, is_even):
    x = random.choice((1.0, 2.0, 0.1, random.uniform(0.2, 30.0)))
    y = x if is_even else x * random.choice((0.5, 2.0, random.uniform(0.5, 2.0)))
    z = random.choice((1.0, x, random.uniform(0.2, 5.0)))
    signs = [random.choice((1.0, 1.0, -1.0)) for _ in range(3)]
    return [sign * one for sign, one in zip(signs, (x, y, z))]


def draw_pose(random, obj, *, is_even):
    """Scale and turn an object, or a parent of it, at random."""
    obj.location = [random.uniform(-50.0, 50.0) for _ in range(3)]
    obj.scale = draw_scale(random, is_even=is_even)
    obj.rotation_euler.z = math.radians(
        random.choice((0, 0, 90, 180, 270, random.uniform(-180, 180)))
    )
    if random.random() < 0.4:
        parent = bpy.data.objects.new("Parent", None)
        bpy.context.collection.objects.link(parent)
        factor = random.uniform(0.3, 3.0)
        parent.scale = (factor, factor, random.uniform(0.3, 3.0))
        parent.rotation_euler.z = random.uniform(-3.0, 3.0)
        obj.parent = parent


@pytest.mark.parametrize("kind", ["recipe", "mesh"])
def test_an_export_is_as_large_as_what_is_seen_and_its_import_too(terrane, tmp_path, kind):
    random = generator(f"scales {kind}")
    for _ in range(count_of(200)):
        bpy.ops.wm.read_homefile(use_empty=True)
        units = bpy.context.scene.unit_settings
        units.system, units.scale_length = random.choice(
            (*UNITS, ("METRIC", random.uniform(0.1, 10.0)))
        )
        is_even = random.random() < 0.6
        obj = new_terrain(random) if kind == "recipe" else new_slope(SIDE, random.choice((9, SIDE)))
        draw_pose(random, obj, is_even=is_even)
        source = "recipe" if kind == "recipe" else "mesh"
        made, says = export_and_import(tmp_path, obj, source=source, samples=SIDE * 2 - 1)
        field_before = field_of(world_points(obj), says["object"]["rotation_not_applied"])
        assert abs(says["object"]["rotation_not_applied"]) <= 45.0
        assert says["width"] == pytest.approx(field_before[0][-1] - field_before[0][0], rel=1e-4)
        tolerance = 1e-4 if kind == "mesh" else 0.02  # between the samples of the mesh
        compare(field_before, field_of(world_points(made), 0.0), tolerance)


@pytest.mark.parametrize("source", ["recipe", "mesh"])
def test_what_does_not_stand_upright_is_refused(terrane, tmp_path, source):
    random = generator("tilts")
    for _ in range(count_of(60)):
        bpy.ops.wm.read_homefile(use_empty=True)
        obj = new_terrain(random)
        axis = random.choice(("X", "Y"))
        angle = random.choice((0.01, 1.0, math.pi, random.uniform(0.01, 3.0)))
        turn = Matrix.Rotation(angle, 4, axis)
        if random.random() < 0.5:
            shear = Matrix.Identity(4)
            shear[0][1] = random.uniform(0.1, 2.0)
            turn = shear
            obj.matrix_parent_inverse = turn
            parent = bpy.data.objects.new("Parent", None)
            bpy.context.collection.objects.link(parent)
            obj.parent, obj.matrix_parent_inverse = parent, turn
            message = "cannot be sheared"
        else:
            obj.matrix_world = turn
            # Upside down is a mirror, whose heights are those below.
            message = "only objects rotated about Z alone"
        bpy.context.view_layer.update()
        if angle == math.pi and message == "only objects rotated about Z alone":
            continue
        with pytest.raises(RuntimeError, match=message) as error:
            export_and_import(tmp_path, obj, source=source)
        assert "Traceback" not in str(error.value) and not list(tmp_path.iterdir())


def test_scale_that_has_just_been_set_counts(terrane, tmp_path):
    obj = new_slope(9, 9)
    obj.scale = (8.0, 8.0, 8.0)  # without an update of the scene
    _, says = export_and_import(tmp_path, obj)
    assert says["width"] == pytest.approx(16.0)


def test_ranges_and_the_sea_are_lengths_of_the_scene(terrane, tmp_path):
    bpy.context.scene.unit_settings.scale_length = 0.01
    obj = new_slope(9, 9)
    bpy.ops.terrane.heightmap_export(
        filepath=str(tmp_path / "land.png"), target="png16", value_range="meters",
        low=-200.0, high=300.0, has_sea=True, sea_level=50.0,
    )  # fmt: skip
    says = json.loads((tmp_path / "land.png.json").read_text(encoding="utf-8"))
    assert says["offset"] == pytest.approx(-2.0)
    assert says["offset"] + 65535 * says["scale"] == pytest.approx(3.0)
    assert says["sea_level"]["meters"] == pytest.approx(0.5)
    assert obj.name


def test_the_dialog_says_how_it_is_written(terrane):
    placements = module("operators.bridge.exchange.placements")
    obj = new_slope(9, 9)
    of = placements.placement_of
    assert "one unit is a meter" in str(of(bpy.context, obj).line())
    obj.scale, bpy.context.scene.unit_settings.scale_length = (2.0, -2.0, 3.0), 0.5
    assert "one unit is 1 x -1 m, 1.5 m high" in str(of(bpy.context, obj).line())


@pytest.mark.slow
@pytest.mark.parametrize("source", ["recipe", "mesh"])
def test_colors_are_those_of_the_material_at_any_scale(terrane, tmp_path, source):
    obj = add_terrain(preset="alps", resolution=33)
    for name, scale, unit in (("plain", 1.0, 1.0), ("large", 3.0, 1.0), ("small", 1.0, 0.01)):
        obj.scale, bpy.context.scene.unit_settings.scale_length = [scale] * 3, unit
        bpy.ops.terrane.heightmap_export(
            filepath=str(tmp_path / f"{name}.npy"), target="npy", colors=True, source=source
        )
    read = module("noise_core.codecs.image_files").read_image
    plain, *others = (read(tmp_path / f"{name}_color.png") for name in ("plain", "large", "small"))
    for one in others:
        assert np.abs(one - plain).max() <= 2.0 / 255.0
