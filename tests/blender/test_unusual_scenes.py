# SPDX-License-Identifier: GPL-3.0-or-later
"""Terrains in scenes that are not as Blender begins: nothing active, no UV map, linked collections."""

from __future__ import annotations

import bpy
import numpy as np
import pytest

from tests.blender.helpers import add_terrain

TERRAIN = {"noise": "perlin", "resolution": 33}


def nothing_active(terrain):
    bpy.context.view_layer.objects.active = None


def active_removed(terrain):
    bpy.ops.object.empty_add()
    bpy.data.objects.remove(bpy.context.active_object)


def out_of_the_scene(terrain):
    bpy.context.collection.objects.unlink(terrain)


def another_scene(terrain):
    bpy.context.window.scene = bpy.data.scenes.new("Other")


def hidden(terrain):
    terrain.hide_set(True)
    bpy.context.view_layer.objects.active = None


def camera_active(terrain):
    bpy.ops.object.camera_add()


def another_in_edit_mode(terrain):
    bpy.ops.mesh.primitive_grid_add()
    bpy.ops.object.mode_set(mode="EDIT")


def another_in_sculpt_mode(terrain):
    bpy.ops.mesh.primitive_grid_add()
    bpy.ops.object.mode_set(mode="SCULPT")


@pytest.mark.parametrize(
    "change",
    [
        *(nothing_active, active_removed, out_of_the_scene, another_scene, hidden, camera_active),
        *(another_in_edit_mode, another_in_sculpt_mode),
    ],
)
def test_live_another_resolution_whatever_is_active(terrain, live, change):
    # Up to 4.3 Blender crashed where nothing was active.
    change(terrain)
    active, mode = bpy.context.view_layer.objects.active, bpy.context.mode
    terrain.terrane.resolution = 40
    live.update_now()
    assert not live.note(terrain)
    assert len(terrain.data.vertices) == 40 * 40
    assert (bpy.context.view_layer.objects.active, bpy.context.mode) == (active, mode)


def test_a_terrain_without_uv_maps_gets_another_resolution(terrain, live):
    terrain.data.uv_layers.remove(terrain.data.uv_layers[0])
    terrain.terrane.resolution = 40
    live.update_now()
    assert len(terrain.data.vertices) == 40 * 40
    bpy.ops.terrane.terrain_update(resolution=20)
    assert len(terrain.data.vertices) == 20 * 20


@pytest.fixture
def library(terrane, tmp_path):
    """Return a file with a collection `Props` and a scene `Set`."""
    path = str(tmp_path / "library.blend")
    scene, props = bpy.data.scenes.new("Set"), bpy.data.collections.new("Props")
    props.objects.link(bpy.data.objects.new("Prop", None))
    scene.collection.children.link(props)
    bpy.ops.wm.save_as_mainfile(filepath=path, copy=True)
    bpy.ops.wm.read_homefile(use_empty=True)
    return path


def link(path, kind, name):
    with bpy.data.libraries.load(path, link=True) as (_, to):
        setattr(to, kind, [name])
    return getattr(bpy.data, kind)[name]


def make_active(collection):
    layer = bpy.context.view_layer
    layer.active_layer_collection = next(
        one for one in layer.layer_collection.children if one.collection == collection
    )


def test_beside_a_linked_collection_that_is_active(library):
    props = link(library, "collections", "Props")
    bpy.context.scene.collection.children.link(props)
    make_active(props)
    terrain = add_terrain(resolution=17)
    assert [one.name for one in terrain.users_collection] == [bpy.context.scene.collection.name]


def test_inside_an_own_collection_around_a_linked_one(library):
    own = bpy.data.collections.new("Own")
    own.children.link(link(library, "collections", "Props"))
    bpy.context.scene.collection.children.link(own)
    outer = bpy.context.view_layer.layer_collection.children["Own"]
    bpy.context.view_layer.active_layer_collection = outer.children["Props"]
    bpy.ops.terrane.terrain_add(resolution=17)
    assert bpy.context.active_object.users_collection == (own,)


def test_in_the_active_collection_as_ever(terrane):
    own = bpy.data.collections.new("Own")
    bpy.context.scene.collection.children.link(own)
    make_active(own)
    bpy.ops.terrane.terrain_add(resolution=17)
    assert bpy.context.active_object.users_collection == (own,)


def test_a_linked_scene_takes_no_terrain(library):
    bpy.context.window.scene = link(library, "scenes", "Set")
    assert not bpy.ops.terrane.terrain_add.poll()
    with pytest.raises(RuntimeError, match="Set is linked from another file"):
        bpy.ops.terrane.terrain_add(resolution=17)
    assert not bpy.data.meshes


OF_POSITIONS = (
    *("terrain_material", "mesh_displace", "maps_bake", "mesh_erode"),
    *("colors_add", "camera_add", "sky_add", "water_add"),
)
"""Operators that read where vertices lie."""


@pytest.mark.slow
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_vertices_that_lie_nowhere_are_reported(terrane, value):
    """In one line, and without a warning of NumPy's, which is an error here."""
    bpy.ops.terrane.terrain_add(resolution=17)
    mesh = bpy.context.object.data
    positions = np.zeros(3 * len(mesh.vertices), np.float32)
    layer = mesh.attributes["position"].data
    layer.foreach_get("vector", positions)
    positions[[0, 4, 5]] = value
    layer.foreach_set("vector", positions)
    before = {kind: len(getattr(bpy.data, kind)) for kind in ("objects", "meshes", "worlds")}
    calls = [(name, {}) for name in OF_POSITIONS]
    calls += [("surroundings_add", {"kind": kind}) for kind in ("land", "mirror", "sea", "base")]
    for name, keywords in calls:
        with pytest.raises(
            RuntimeError, match="must be finite numbers; those of 2 are not"
        ) as caught:
            getattr(bpy.ops.terrane, name)(**keywords)
        assert len(str(caught.value).strip().splitlines()) == 1, name
    assert not bpy.data.materials
    assert {kind: len(getattr(bpy.data, kind)) for kind in before} == before


def test_a_sea_around_is_refused_where_vertices_lie_nowhere(terrane):
    """It asks for the corners of the terrain, once there is a sea that goes on."""
    bpy.ops.terrane.terrain_add(preset="island", resolution=33)
    bpy.ops.terrane.water_add()
    layer = bpy.context.object.data.attributes["position"].data
    layer[7].vector = (np.nan, 0.0, 0.0)
    before = len(bpy.data.objects)
    with pytest.raises(RuntimeError, match="must be finite numbers; those of 1 are not"):
        bpy.ops.terrane.surroundings_add(kind="sea")
    assert len(bpy.data.objects) == before


@pytest.mark.parametrize(
    "shown",
    ["[[", "3", "[]", "{}", '"preset"', '{"preset": []}', '{"preset": "none", "rna_type": 1}', "[" * 100_000],
)  # fmt: skip
def test_whatever_stands_where_an_operator_keeps_what_it_showed(terrane, shown):
    bpy.ops.terrane.terrain_add(resolution=17)
    assert bpy.ops.terrane.terrain_update(shown=shown) == {"FINISHED"}
    assert bpy.ops.terrane.terrain_add(resolution=9, shown=shown) == {"FINISHED"}
    assert bpy.ops.terrane.image_new(shown=shown, width=8, height=8) == {"FINISHED"}
