# SPDX-License-Identifier: GPL-3.0-or-later
"""Ground near the camera: tiles that do not repeat, their own color, and the detail patch."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from mathutils import Vector
from mathutils.bvhtree import BVHTree

from tests.blender.extension import module
from tests.blender.helpers import add_terrain, positions
from tests.blender.rendering import add_plane_with_camera, emit_color, render_linear
from tests.blender.shader_size import LIMIT, shader_size

PIXELS = 128


# --- tiles ----------------------------------------------------------------------------------------


@pytest.fixture
def plane(terrane):
    """A plane of one meter with an empty material, and a camera that looks straight down on it."""
    plane, camera = add_plane_with_camera(), bpy.context.scene.camera
    camera.data.type, camera.data.ortho_scale = "ORTHO", 1.0
    camera.location = (0.0, 0.0, 1.0)
    return plane


def rendered(tmp_path, samples=4):
    """Return a picture of the scene in linear colors, shape (PIXELS, PIXELS, 3)."""
    return render_linear(tmp_path, PIXELS, samples)


def tile_images(name):
    images = module("operators.bridge.nodetree.terrain_material.tile_images")
    core = module("noise_core.base.blocks")
    baked = images.bake_tiles([name], 128)(core.unheard, lambda: False)
    return images.find_or_write(name, 128, baked)


def near_tile(plane, name, size, *, is_sided=False):
    """Return the node of a near tile, so wide on the plane, in its true size at any distance."""
    tiles = module("operators.bridge.nodetree.terrain_material.near_tiles")
    tree = plane.active_material.node_tree
    node = tree.nodes.new("ShaderNodeGroup")
    node.node_tree = tiles.find_or_create_group(name, 128, tile_images(name), is_sided=is_sided)
    coordinates = tree.nodes.new("ShaderNodeNewGeometry")
    tree.links.new(coordinates.outputs["Position"], node.inputs["Position"])
    node.inputs["Size"].default_value = size
    node.inputs["Apart"].default_value = 1e3
    return node


def repetition(picture, period):
    """Return how well a picture, moved by a period, correlates with itself: the best of both axes."""
    gray = picture.mean(axis=-1)
    gray = gray - gray.mean()
    power = np.abs(np.fft.fft2(gray)) ** 2
    correlation = np.fft.ifft2(power).real / power.sum() * gray.size
    near = range(period - 1, period + 2)
    return max(max(correlation[0, at], correlation[at, 0]) for at in near)


def show_plainly(plane, name, size):
    """Let the plane, which shows a near tile, show the tile itself."""
    tree = plane.active_material.node_tree
    plain = tree.nodes.new("ShaderNodeTexImage")
    plain.image = tile_images(name).detail
    scaled = tree.nodes.new("ShaderNodeVectorMath")
    scaled.operation = "SCALE"
    scaled.inputs["Scale"].default_value = 1.0 / size
    geometry = next(one for one in tree.nodes if one.type == "NEW_GEOMETRY")
    tree.links.new(geometry.outputs["Position"], scaled.inputs[0])
    tree.links.new(scaled.outputs[0], plain.inputs["Vector"])
    emission = next(one for one in tree.nodes if one.type == "EMISSION")
    tree.links.new(plain.outputs["Color"], emission.inputs["Color"])


def image_nodes(tree):
    """Return the nodes with images of a group and of those in it."""
    found = []
    for node in tree.nodes:
        if node.type == "GROUP":
            found += image_nodes(node.node_tree)
        elif node.type == "TEX_IMAGE":
            found.append(node)
    return found


def test_groups_of_alike_tiles_are_copies_with_images_of_their_own(plane):
    tiles = module("operators.bridge.nodetree.terrain_material.near_tiles")
    shared = module("operators.bridge.nodetree.shared_groups")
    alike, made = shared.AlikeGroups(), {}
    for name in ("gravel", "moss"):
        made[name] = tiles.find_or_create_group(
            name, 128, tile_images(name), is_sided=False, alike=alike
        )
        images = tile_images(name)
        shown = {(one.label, one.image) for one in image_nodes(made[name])}
        assert shown == {("Detail", images.detail), ("Relief", images.relief)}
    again = tiles.find_or_create_group("moss", 128, tile_images("moss"), is_sided=False)
    assert again == made["moss"] != made["gravel"]
    lookups = [one for one in bpy.data.node_groups if one.name.startswith("Terrane Lookup")]
    assert len(lookups) == len({one[shared.MARK] for one in lookups}) == 2


def test_an_image_that_was_removed_comes_back(plane):
    node = near_tile(plane, "gravel", 0.5)
    bpy.data.images.remove(tile_images("gravel").relief)
    tiles = module("operators.bridge.nodetree.terrain_material.near_tiles")
    group = tiles.find_or_create_group("gravel", 128, tile_images("gravel"), is_sided=False)
    assert group == node.node_tree
    assert all(one.image is not None for one in image_nodes(group))


def test_no_tree_is_large(plane):
    """Blender updates a whole tree after each change that a user makes of it."""
    node = near_tile(plane, "granite", 0.5, is_sided=True)
    assert len(image_nodes(node.node_tree)) == 36
    assert max(len(one.nodes) for one in bpy.data.node_groups) < 200


@pytest.mark.parametrize("name", ["gravel", "sand_ripples"])
def test_tiles_do_not_repeat(plane, tmp_path, name):
    node = near_tile(plane, name, 0.25)
    emit_color(plane, node.outputs["Near Color"])
    hexagonal = repetition(rendered(tmp_path), 32)
    show_plainly(plane, name, 0.25)
    plain = repetition(rendered(tmp_path), 32)
    assert plain > 0.55 and hexagonal < 0.4 * plain


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "is_sided"), [("gravel", False), ("grass", False), ("granite", True)]
)
def test_a_blend_keeps_mean_and_contrast(plane, tmp_path, name, is_sided):
    """So the ground keeps its color from near to far, and no hexagon is paler than its corners."""
    node = near_tile(plane, name, 0.5, is_sided=is_sided)
    emit_color(plane, node.outputs["Near Color"])
    shown = rendered(tmp_path, samples=1)
    show_plainly(plane, name, 0.5)
    usual = 2.0 * rendered(tmp_path, samples=1)
    np.testing.assert_allclose(shown.mean(axis=(0, 1)), usual.mean(axis=(0, 1)), atol=0.08)
    assert 0.9 < shown.std() / usual.std() < 1.3


def test_copies_are_turned_and_their_slopes_with_them(plane, tmp_path):
    """A tile that rises along one axis alone: turned copies rise in all directions."""
    node = near_tile(plane, "gravel", 0.4)
    tree = plane.active_material.node_tree
    relief = tile_images("gravel").relief
    pixels = np.full((128, 128, 4), 0.5, np.float32)
    pixels[..., 0], pixels[..., 3] = 0.8, 1.0
    relief.pixels.foreach_set(pixels.ravel())
    absolute = tree.nodes.new("ShaderNodeVectorMath")
    absolute.operation = "LENGTH"
    tree.links.new(node.outputs["Slopes"], absolute.inputs[0])
    emit_color(plane, absolute.outputs["Value"])
    steep = rendered(tmp_path, samples=1)
    # Within a hexagon the slope is 0.6 / 0.8; where copies that are turned differently blend, it differs.
    assert np.median(steep) == pytest.approx(0.75, abs=0.12)
    emission = next(one for one in tree.nodes if one.type == "EMISSION")
    tree.links.new(node.outputs["Slopes"], emission.inputs["Color"])
    along = rendered(tmp_path, samples=1)[..., 0]
    assert along.min() < -0.4 and along.max() > 0.4


# --- the material ---------------------------------------------------------------------------------


def look_down(terrain, height):
    """Let the scene's camera look down on the middle of a terrain, and light it evenly."""
    scene = bpy.context.scene
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    scene.collection.objects.link(camera)
    scene.camera = camera
    middle = terrain.data.vertices[len(terrain.data.vertices) // 2].co
    camera.location = middle + Vector((0.0, 0.0, height))
    camera.data.clip_end = 1e5
    scene.world = bpy.data.worlds.new("Even")
    tree = module("operators.bridge.datablocks.compat").node_tree(scene.world)
    tree.nodes["Background"].inputs["Color"].default_value = (1, 1, 1, 1)
    bpy.context.view_layer.update()


@pytest.mark.slow
@pytest.mark.parametrize("palette", ["alpine", "desert", "volcanic", "temperate"])
def test_near_ground_has_the_colors_of_far_ground(terrane, tmp_path, palette):
    """All layers fit into the stack of Cycles, and no ring is visible where they change."""
    terrain = add_terrain(preset="alps", resolution=65, size=1000.0, height=120.0)
    bpy.ops.terrane.terrain_material(palette=palette, detail_pixels=64, water="none", woods=False)
    look_down(terrain, 90.0)
    near = rendered(tmp_path, samples=2)
    nodes = terrain.active_material.node_tree.nodes
    nearness = next(one for one in nodes if one.name.endswith("Nearness"))
    nearness.inputs["From"].default_value, nearness.inputs["To"].default_value = 0.0, 0.01
    far = rendered(tmp_path, samples=2)
    assert np.abs(near - far).mean() > 0.01
    np.testing.assert_allclose(near.mean(axis=(0, 1)), far.mean(axis=(0, 1)), rtol=0.35)


@pytest.mark.parametrize(
    ("palette", "water"),
    [("alpine", "both"), ("volcanic", "none"), ("tropical", "both"), ("temperate", "sea")],
)
def test_all_layers_and_water_fit_into_cycles(terrane, tmp_path, palette, water):
    """Cycles has places for 255 numbers between nodes, and older ones waste some; a material that needs more is black."""
    terrain = add_terrain(preset="alps", resolution=33, size=1000.0, height=120.0)
    terrain.data.attributes.new("road", "FLOAT", "POINT")  # no palette has roads of its own
    # The water lies below all ground, which shows.
    level = {} if water == "none" else {"water_level": -1e3}
    bpy.ops.terrane.terrain_material(palette=palette, detail_pixels=16, water=water, **level)
    names = [one.name for one in terrain.active_material.node_tree.nodes]
    layers = ("Rock", "Soil", "Grass", "Scree", "River", "Snow", "Sand", "Woods", "Road")
    shown = [one for one in layers if any(name.endswith(f"Near {one}") for name in names)]
    assert len(shown) > 5 and "Road" in shown
    look_down(terrain, 90.0)
    assert rendered(tmp_path, samples=1).mean() > 0.01


@pytest.mark.slow
@pytest.mark.parametrize("palette", ["temperate", "tropical", "desert"])
def test_eevee_shows_far_ground_which_fits_into_a_graphics_card(terrane, palette):
    terrain = add_terrain(preset="alps", resolution=33)
    terrain.data.attributes.new("road", "FLOAT", "POINT")
    bpy.ops.terrane.terrain_material(palette=palette, detail_pixels=16, water="both")
    bpy.ops.terrane.sky_add()
    material = bpy.context.active_object.active_material
    assert shader_size(material, "CYCLES") > LIMIT * 0.8
    assert shader_size(material, "EEVEE") < LIMIT / 2


@pytest.mark.slow
@pytest.mark.parametrize("palette", ["alpine", "temperate", "desert"])
def test_rays_see_on_average_what_eevee_shows(terrane, tmp_path, palette):
    """Each ray sees one layer and one copy of a tile; all together see the blend of all."""
    terrain = add_terrain(preset="alps", resolution=65, size=4000.0, height=900.0)
    bpy.ops.terrane.terrain_material(palette=palette, detail_pixels=64, water="none")
    look_down(terrain, 3000.0)
    bpy.context.scene.camera.data.lens = 25.0
    by_chance = rendered(tmp_path, samples=32)
    nodes = terrain.active_material.node_tree.nodes
    output = next(one for one in nodes if one.name.endswith("Material Output"))
    blend = nodes["Terrane Principled BSDF"].outputs[0]
    terrain.active_material.node_tree.links.new(blend, output.inputs["Surface"])
    blended = rendered(tmp_path, samples=32)
    blocks = [one.reshape(8, 16, 8, 16, 3).mean(axis=(1, 3)) for one in (by_chance, blended)]
    assert blocks[1].std() > 0.02
    np.testing.assert_allclose(*blocks, atol=0.04)
    np.testing.assert_allclose(blocks[0].mean(), blocks[1].mean(), rtol=0.02)


def test_no_layer_waits_for_another(terrane):
    """Cycles calculates nodes that several layers share before all of them."""
    bpy.ops.terrane.terrain_add(preset="alps", resolution=33)
    bpy.ops.terrane.terrain_material(detail_pixels=16)
    tree = bpy.context.active_object.active_material.node_tree
    places = {
        one.name: one.inputs["Position"].links[0].from_node
        for one in tree.nodes
        if one.name.startswith("Terrane Lumps")
    }
    assert len(places) == len(set(places.values())) > 5
    assert tree.nodes["Terrane Lumps Snow"].node_tree.name.startswith("Terrane Sastrugi")
    numbers = [tuple(one.inputs[1].default_value) for one in places.values()]
    assert len(set(numbers)) == len(numbers) and max(max(one) for one in numbers) < 1e-20


def test_without_textures_there_is_no_near_ground(terrane):
    bpy.ops.terrane.terrain_add(preset="alps", resolution=65)
    bpy.ops.terrane.terrain_material(mapping="none")
    names = [one.name for one in bpy.context.active_object.active_material.node_tree.nodes]
    assert not any("Near" in one for one in names)


# --- the detail patch -----------------------------------------------------------------------------


@pytest.fixture
def terrain(terrane):
    """A terrain with rock, and a camera over it that looks along Y."""
    made = add_terrain(preset="canyon", resolution=129, size=512.0, height=120.0)
    look_down(made, 10.0)
    bpy.context.scene.camera.rotation_euler = (1.4, 0.0, 0.0)
    bpy.context.view_layer.update()
    return made


def patch_object():
    return next(
        one for one in bpy.context.scene.objects if one.get("terrane_part") == "detail_patch"
    )


def shown_mesh(terrain):
    return terrain.evaluated_get(bpy.context.evaluated_depsgraph_get()).data


def triangles(mesh):
    mesh.calc_loop_triangles()
    corners = [tuple(one.vertices) for one in mesh.loop_triangles]
    return BVHTree.FromPolygons(
        [tuple(one) for one in positions(mesh)], corners, all_triangles=True
    )


def border(points):
    low, high = points.min(axis=0), points.max(axis=0)
    at_edge = np.isclose(points[:, :2], low[:2], atol=1e-3) | np.isclose(
        points[:, :2], high[:2], atol=1e-3
    )
    return points[at_edge.any(axis=1)]


def test_patch_takes_the_place_of_faces_and_its_border_lies_on_the_triangles(terrain):
    faces = len(terrain.data.polygons)
    assert bpy.ops.terrane.detail_patch_add(patch_size=80.0, spacing=0.5) == {"FINISHED"}
    fine = patch_object().data
    assert len(terrain.data.polygons) == faces
    assert len(fine.polygons) == (20 * 8) ** 2
    assert len(shown_mesh(terrain).polygons) == faces - 20 * 20 + len(fine.polygons)
    tree = triangles(terrain.data)
    off = [tree.find_nearest(Vector(one))[3] for one in border(positions(fine)).tolist()]
    assert len(off) == 4 * 160 and max(off) < 1e-3
    # Elsewhere there is more than the triangles have.
    inner = [
        tree.ray_cast(Vector((x, y, 1e4)), Vector((0, 0, -1)))[0].z - z
        for x, y, z in positions(fine)[::37].tolist()
    ]
    assert np.abs(inner).max() > 0.2


def test_core_divides_quads_as_blender_does(terrain):
    core = module("noise_core.rasters.windows")
    mesh = terrain.data
    points = positions(mesh)
    points[:, 2] = np.random.default_rng(3).normal(size=len(points)) * 8.0
    mesh.vertices.foreach_set("co", points.ravel())
    window = core.RasterWindow((40, 60), (40, 60), 3)
    field = points[:, 2].reshape(129, 129)
    flat = core.triangle_surface(field, window, 4.0)
    tree = triangles(mesh)
    x, y = np.meshgrid(*(-256.0 + 160.0 + np.arange(61) * 4.0 / 3.0 for _ in range(2)))
    for place in np.ndindex(59, 59):
        at = (place[0] + 1, place[1] + 1)
        hit = tree.ray_cast(Vector((x[at], y[at], 1e3)), Vector((0, 0, -1)))[0]
        assert hit.z == pytest.approx(float(flat[at]), abs=2e-3)


def test_patch_lies_before_the_camera_and_moves_with_it(terrain):
    bpy.ops.terrane.detail_patch_add(patch_size=80.0, spacing=1.0)
    camera = bpy.context.scene.camera
    first = positions(patch_object().data)
    assert first[:, 1].min() <= camera.location.y < first[:, 1].mean()
    camera.location.x += 60.0
    bpy.context.view_layer.update()
    things = len(bpy.data.objects), len(bpy.data.meshes), len(bpy.data.node_groups)
    bpy.ops.terrane.detail_patch_add()
    second = positions(patch_object().data)
    assert len(second) == len(first)
    assert second[:, 0].mean() - first[:, 0].mean() == pytest.approx(60.0, abs=4.1)
    assert (len(bpy.data.objects), len(bpy.data.meshes), len(bpy.data.node_groups)) == things


def test_patch_follows_the_terrain(terrain):
    bpy.ops.terrane.detail_patch_add(patch_size=40.0, spacing=1.0)
    before = positions(patch_object().data)[:, 2]
    bpy.ops.terrane.terrain_update(height=60.0)
    after = positions(patch_object().data)
    assert np.abs(after[:, 2] - before).max() > 1.0
    tree = triangles(terrain.data)
    assert max(tree.find_nearest(Vector(one))[3] for one in border(after).tolist()) < 1e-3
    bpy.ops.terrane.terrain_update(resolution=65)
    tree = triangles(terrain.data)
    points = positions(patch_object().data)
    assert max(tree.find_nearest(Vector(one))[3] for one in border(points).tolist()) < 1e-3


def test_patch_has_the_terrains_attributes_map_and_material(terrain):
    bpy.ops.terrane.terrain_material(mapping="none")
    bpy.ops.terrane.detail_patch_add(patch_size=40.0, spacing=2.0)
    fine, ground = patch_object().data, terrain.data
    assert list(fine.materials) == list(ground.materials)
    coarse = positions(ground)
    nearest = [
        int(np.abs(coarse - one).sum(axis=1).argmin()) for one in border(positions(fine))[:3]
    ]
    for name in ("flow", "cavity"):
        shared = {
            one: fine.attributes[name].data[at].value
            for at, one in enumerate(map(tuple, np.round(positions(fine)[:, :2], 2)))
        }
        for at in nearest:
            place = tuple(np.round(coarse[at, :2], 2))
            assert shared[place] == pytest.approx(ground.attributes[name].data[at].value, abs=1e-6)
    layer = fine.uv_layers[0].data
    loop = fine.loops[0].vertex_index
    x, y, _ = positions(fine)[loop]
    assert tuple(layer[0].uv) == pytest.approx((x / 512.0 + 0.5, y / 512.0 + 0.5), abs=1e-5)


def test_patch_is_removed_without_a_trace(terrain):
    bpy.ops.terrane.terrain_material(mapping="none")
    kinds = ("objects", "meshes", "node_groups", "collections", "materials")
    before = {kind: sorted(one.name for one in getattr(bpy.data, kind)) for kind in kinds}
    keys, points = sorted(terrain.keys()), positions(terrain.data)
    bpy.ops.terrane.detail_patch_add(patch_size=40.0, spacing=1.0)
    bpy.ops.terrane.landscape_part_remove(part="detail_patch")
    assert {kind: sorted(one.name for one in getattr(bpy.data, kind)) for kind in kinds} == before
    assert sorted(terrain.keys()) == keys and not terrain.modifiers
    np.testing.assert_array_equal(positions(shown_mesh(terrain)), points)


def test_there_is_no_hole_when_the_patch_was_deleted_by_hand(terrain):
    faces = len(terrain.data.polygons)
    bpy.ops.terrane.detail_patch_add(patch_size=40.0, spacing=1.0)
    bpy.data.objects.remove(patch_object())
    terrain.update_tag()  # Blender 4.2 does not notice by itself
    assert len(shown_mesh(terrain).polygons) == faces
    bpy.ops.terrane.detail_patch_add(patch_size=40.0, spacing=1.0)
    assert len(shown_mesh(terrain).polygons) > faces and len(terrain.modifiers) == 1


def test_what_cannot_be_done_is_refused_in_a_line_and_nothing_is_made(terrain):
    things = len(bpy.data.objects), len(bpy.data.node_groups)
    with pytest.raises(RuntimeError, match="at most 4194304 vertices"):
        bpy.ops.terrane.detail_patch_add(patch_size=400.0, spacing=0.02)
    bpy.context.scene.camera.location.x = 1000.0
    bpy.context.view_layer.update()
    with pytest.raises(RuntimeError, match="Camera is not over"):
        bpy.ops.terrane.detail_patch_add()
    bpy.context.scene.camera = None
    with pytest.raises(RuntimeError, match="no camera"):
        bpy.ops.terrane.detail_patch_add()
    assert (len(bpy.data.objects), len(bpy.data.node_groups)) == things


def standing(terrain):
    """Return the places of plants of a terrain."""
    bpy.context.view_layer.update()
    graph = bpy.context.evaluated_depsgraph_get()
    found = [
        tuple(one.matrix_world.translation)
        for one in graph.object_instances
        if one.is_instance and one.parent.original.get("terrane_part") == "plants"
    ]
    return np.array(found).reshape(-1, 3)


@pytest.mark.wide
@pytest.mark.parametrize("is_subdivided", [False, True])
def test_plants_stand_on_the_patch(terrain, is_subdivided):
    kinds = ("conifers", "broadleaves", "bushes", "grass")
    lone = {f"{one}_density": 0.0 for one in kinds}
    # In the gorge that the camera stands over most ground is steep or dry: many, for enough to count.
    everywhere = {**lone, "stones_density": 6000.0, "stones_clumps": 0.0, "stones_lowest": -1.0}
    # On a mesh that is no grid all slopes are the mesh's own, and nothing knows of hollows.
    usual = {"stones_moisture": 0.0, "stones_steepest": 90.0} if is_subdivided else {}
    usual = usual or {"stones_moisture": 0.6, "stones_steepest": 40.0}
    bpy.ops.terrane.scatter_add(
        **everywhere, **usual, stones_highest=2.0, near=1e4, viewport_share=1.0
    )
    before = standing(terrain)
    bpy.ops.terrane.detail_patch_add(patch_size=80.0, spacing=0.5)
    if is_subdivided:
        terrain.modifiers.new("Finer", "SUBSURF").levels = 1
        terrain.modifiers["Finer"].subdivision_type = "SIMPLE"
    after = standing(terrain)
    low, high = (end(positions(patch_object().data), axis=0)[:2] for end in (np.min, np.max))

    def inside(places):
        return places[((places[:, :2] > low + 1.0) & (places[:, :2] < high - 1.0)).all(axis=1)]

    # Neither are they gone within the patch nor do others stand elsewhere: steep bits are no slopes.
    assert len(inside(after)) > 100
    assert len(inside(after)) > 0.97 * len(inside(before))
    assert len(after) == pytest.approx(len(before), rel=0.005)
    fine = triangles(shown_mesh(terrain))
    down = Vector((0.0, 0.0, -1.0))
    off = [fine.ray_cast(Vector((x, y, 1e4)), down)[0].z - z for x, y, z in inside(after).tolist()]
    assert np.abs(off).max() < 0.02
    coarse = triangles(terrain.data)
    away = [
        coarse.ray_cast(Vector((x, y, 1e4)), down)[0].z - z for x, y, z in inside(after).tolist()
    ]
    assert np.abs(away).max() > 0.2
