# SPDX-License-Identifier: GPL-3.0-or-later
"""Clouds in the sky, stars and Earth, and the block under a terrain."""

from __future__ import annotations

import bpy
import numpy as np
import pytest

from tests.blender.extension import module
from tests.blender.helpers import part, positions


def make_terrain():
    bpy.context.scene.world = None
    bpy.ops.terrane.terrain_add(preset="fjords", resolution=33)


@pytest.fixture
def terrain(made_once):
    """Return a terrain of a preset with a sea."""
    return made_once("fjords_33", make_terrain)


@pytest.fixture
def small(monkeypatch):
    """Draw small images of clouds, and count how many are drawn."""
    owner = module("operators.bridge.scene.cloud_images")
    draw, calls = owner.draw_cumulus, []

    def draw_small(*given, **more):
        calls.append(given)
        return draw(*given, side=64, **more)

    monkeypatch.setattr(owner, "draw_cumulus", draw_small)
    cache = module("operators.bridge.textures.disk_cache").DiskCache
    monkeypatch.setattr(cache, "open", lambda: cache(None))  # others would find small ones
    return calls


def clouds():
    return bpy.context.scene.world.get("terrane_clouds")


def test_clouds_are_a_packed_image_that_the_world_shows(terrain, small):
    bpy.ops.terrane.sky_add(cumulus=0.2)
    image = clouds()
    assert tuple(image.size) == (64, 64) and image.packed_file is not None
    assert image.colorspace_settings.name == "Non-Color"
    shown = [node for node in bpy.context.scene.world.node_tree.nodes if node.type == "TEX_IMAGE"]
    assert [one.image for one in shown] == [image] and shown[0].inputs["Vector"].is_linked
    drawn = module("noise_core.landscapes.cumulus").draw_cumulus(*small[0], side=64)
    pixels = np.empty(64 * 64 * 4, np.float32)
    image.pixels.foreach_get(pixels)
    np.testing.assert_allclose(pixels.reshape(64, 64, 4)[..., :3], drawn, atol=0.51 / 255.0)
    assert drawn[..., 2].max() > 0.9


def test_shadows_of_clouds_cover_a_quarter_and_go_with_the_clouds(terrain, small):
    bpy.ops.terrane.sky_add(cumulus=0.2)
    nodes = bpy.context.scene.world["terrane_sky"].nodes
    assert nodes["Cloud Shadow"].outputs[0].default_value == pytest.approx(
        module("operators.bridge.scene.hazes")._SHADOW * terrain.terrane.size, rel=1e-4
    )
    noise = module("noise_core.materials.ground.shader_noise").shader_fractal
    x, y = np.meshgrid(*(np.linspace(-15.0, 15.0, 120, dtype=np.float32),) * 2)
    places = [x, y, np.full_like(x, 0.53 + 3.17)]
    values = 0.5 + 0.5 * noise(places, 1.0, range(4), 0.5) / 1.875
    low, high = module("operators.bridge.scene.sky_nodes")._SHADOWED
    assert (values > 0.5 * (low + high)).mean() == pytest.approx(0.25, abs=0.04)
    bpy.ops.terrane.terrain_material(mapping="none")
    bpy.ops.terrane.water_add()
    shown = {"ground": terrain.active_material, "water": part("water").active_material}
    air = {name: material.node_tree.nodes["Air"] for name, material in shown.items()}
    shaded = {name: node.inputs["Cloud Shadows"].default_value for name, node in air.items()}
    assert shaded == {"ground": 1.0, "water": 0.0}
    bpy.ops.terrane.sky_add(from_panel=True, cumulus=0.0)
    assert "Cloud Shadow" not in bpy.context.scene.world["terrane_sky"].nodes


@pytest.mark.wide
def test_clouds_are_drawn_anew_only_when_they_change(terrain, small):
    bpy.ops.terrane.sky_add(cumulus=0.2)
    image, count = clouds(), len(bpy.data.images)
    bpy.ops.terrane.sky_add(from_panel=True, sun_strength=3.0, visibility=1.0)
    assert len(small) == 1 and clouds() == image
    bpy.ops.terrane.sky_add(from_panel=True, sun_elevation=40.0)
    assert len(small) == 2 and clouds() == image
    bpy.ops.terrane.sky_add(from_panel=True, cumulus_seed=9)
    assert len(small) == 3 and clouds() == image and len(bpy.data.images) == count


@pytest.mark.slow
@pytest.mark.parametrize("how", ["cumulus", "air", "remove"])
def test_clouds_go_without_a_trace(terrain, small, how):
    count_before = len(bpy.data.images)
    bpy.ops.terrane.sky_add(cumulus=0.2)
    assert len(bpy.data.images) == count_before + 1
    if how == "cumulus":
        bpy.ops.terrane.sky_add(from_panel=True, cumulus=0.0)
    elif how == "air":
        bpy.ops.terrane.sky_add(from_panel=True, has_air=False)
    else:
        bpy.ops.terrane.landscape_part_remove(part="sky")
    assert len(bpy.data.images) == count_before
    world = bpy.context.scene.world
    assert world is None or not any(node.type == "TEX_IMAGE" for node in world.node_tree.nodes)


def test_an_image_that_the_user_shows_elsewhere_stays(terrain, small):
    bpy.ops.terrane.sky_add(cumulus=0.2)
    image = clouds()
    image.use_fake_user = True
    bpy.ops.terrane.sky_add(from_panel=True, cumulus=0.0)
    assert image.name in bpy.data.images


def test_a_refused_sky_draws_nothing(terrain, small):
    bpy.context.scene.world = bpy.data.worlds.new("Mine")
    with pytest.raises(RuntimeError, match="World Mine is yours"):
        bpy.ops.terrane.sky_add(cumulus=0.5)
    assert not small and bpy.context.scene.terrane_sky.cumulus != 0.5


def test_without_air_there_are_stars_and_earth_but_no_clouds(terrain, small):
    bpy.ops.terrane.sky_add(has_air=False, stars=0.5, earth_width=4.0)
    nodes = {node.type for node in bpy.context.scene.world.node_tree.nodes}
    assert "TEX_VORONOI" in nodes and "TEX_NOISE" in nodes and not small
    bpy.ops.terrane.sky_add(has_air=False, stars=0.0, earth_width=0.0)
    nodes = {node.type for node in bpy.context.scene.world.node_tree.nodes}
    assert not nodes & {"TEX_VORONOI", "TEX_NOISE", "TEX_SKY"}


def evaluated(obj):
    mesh = obj.evaluated_get(bpy.context.evaluated_depsgraph_get()).to_mesh()
    points = np.empty(len(mesh.vertices) * 3, np.float32)
    mesh.vertices.foreach_get("co", points)
    normals = np.array([tuple(polygon.normal) for polygon in mesh.polygons])
    middles = np.array([tuple(polygon.center) for polygon in mesh.polygons])
    used = {polygon.material_index for polygon in mesh.polygons}
    names = [mesh.materials[one].name for one in sorted(used)]
    return points.reshape(-1, 3), normals, middles, names


def position_grid(terrain):
    return positions(terrain.data).reshape(33, 33, 3)


def test_a_block_ends_the_land_with_upright_walls_and_a_floor(terrain):
    bpy.ops.terrane.surroundings_add(kind="base", depth=0.1)
    base, size = part("base"), terrain.terrane.size
    land = position_grid(terrain)
    points, normals, middles, names = evaluated(base)
    floor = land[..., 2].min() - 0.1 * size
    assert points[:, 2].min() == pytest.approx(floor, rel=1e-5)
    edges = np.concatenate([land[0], land[-1], land[:, 0], land[:, -1]])
    top = {tuple(point) for point in points.tolist()}
    assert all(tuple(edge) in top for edge in edges.tolist())
    assert np.abs(points[:, :2]).max() == pytest.approx(0.5 * size, rel=1e-6)
    upright = np.abs(normals[:, 2]) < 1e-4
    assert upright.sum() == 4 * 32 and len(normals) == 4 * 32 + 1
    outwards = (normals[upright, :2] * middles[upright, :2]).sum(axis=1)
    assert (outwards > 0.0).all() and normals[~upright][0, 2] == pytest.approx(-1.0)
    assert names == ["Terrane Base"]


def test_a_block_follows_the_terrain_and_shows_its_sea_cut(terrain):
    bpy.ops.terrane.water_add()
    bpy.ops.terrane.surroundings_add(kind="base", depth=0.0)
    land = position_grid(terrain)
    points, _, _, names = evaluated(part("base"))
    edges = np.concatenate([land[0], land[-1], land[:, 0], land[:, -1]])
    assert edges[:, 2].min() < 0.0 and "Terrane Water" in names
    under = edges[edges[:, 2] < -1.0]
    at_sea = {tuple(point[:2]) for point in points.tolist() if point[2] == 0.0}
    assert all(tuple(one[:2]) in at_sea for one in under.tolist())
    bpy.ops.terrane.terrain_update(height=2.0 * terrain.terrane.height)
    later = {tuple(one) for one in evaluated(part("base"))[0].tolist()}
    land = position_grid(terrain)
    assert all(tuple(one) in later for one in land[0].tolist())
    assert min(one[2] for one in later) == pytest.approx(land[..., 2].min())


def test_a_block_takes_the_ground_or_its_own_color(terrain):
    bpy.ops.terrane.terrain_material(mapping="none")
    bpy.ops.terrane.surroundings_add(kind="base", is_plain=False)
    assert evaluated(part("base"))[3] == [terrain.active_material.name]
    bpy.ops.terrane.surroundings_add(kind="base", color=(0.5, 0.1, 0.2))
    own = part("base").active_material
    shader = next(node for node in own.node_tree.nodes if node.type == "BSDF_PRINCIPLED")
    assert tuple(shader.inputs["Base Color"].default_value)[:3] == pytest.approx((0.5, 0.1, 0.2))
    assert "Air" not in own.node_tree.nodes


def test_one_kind_of_surroundings_takes_the_place_of_another(terrain):
    names = ("objects", "meshes", "materials", "node_groups")
    before = {name: len(getattr(bpy.data, name)) for name in names}
    bpy.ops.terrane.surroundings_add(kind="base")
    bpy.ops.terrane.surroundings_add(kind="mirror")
    assert part("base") is None and part("surroundings") is not None
    bpy.ops.terrane.surroundings_add(kind="base")
    assert part("base") is not None and part("surroundings") is None
    assert bpy.context.scene.terrane_surroundings.kind == "base"
    bpy.ops.terrane.landscape_part_remove(part="surroundings")
    assert {name: len(getattr(bpy.data, name)) for name in names} == before
