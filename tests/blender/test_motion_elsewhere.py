# SPDX-License-Identifier: GPL-3.0-or-later
"""Keyed terrains that are shown from elsewhere move as a mesh with keyed shape keys does there."""

from __future__ import annotations

import itertools
import math
from types import SimpleNamespace

import bpy
import numpy as np
import pytest

from tests import drawing
from tests.blender.extension import module
from tests.blender.helpers import add_terrain, load_pixels
from tests.blender.panels import RecordingLayout

FRAMES = (1, 6, 11)
LOW, HIGH = 10.0, 40.0
"""Heights in the first and the last of these frames."""


# --- what is shown --------------------------------------------------------------------------------


def curves(holder):
    for each in module("operators.bridge.datablocks.compat").action_curves(holder):
        yield from each


def linear(holder):
    for curve in curves(holder):
        for point in curve.keyframe_points:
            point.interpolation = "LINEAR"


def keyed_terrain(resolution=9):
    terrain = add_terrain(preset="none", resolution=resolution, size=60.0)
    for frame, height in ((FRAMES[0], LOW), (FRAMES[-1], HIGH)):
        terrain.terrane.height = height
        terrain.keyframe_insert("terrane.height", frame=frame)
    linear(terrain.animation_data)
    bpy.context.scene.frame_set(FRAMES[0])
    return terrain


def shape_keys(resolution=9):
    """Return an object with the heights of the terrain as shape keys, and no terrain of Terrane."""
    terrain, poses = keyed_terrain(resolution), []
    for frame in (FRAMES[0], FRAMES[-1]):
        bpy.context.scene.frame_set(frame)
        poses.append([tuple(vertex.co) for vertex in terrain.data.vertices])
    faces = [tuple(polygon.vertices) for polygon in terrain.data.polygons]
    mesh = bpy.data.meshes.new("Keys")
    mesh.from_pydata(poses[0], [], faces)
    mesh.shade_smooth()
    obj = bpy.data.objects.new("Keys", mesh)
    bpy.data.objects.remove(terrain)
    obj.shape_key_add(name="Basis")
    key = obj.shape_key_add(name="High", from_mix=False)
    key.points.foreach_set("co", np.ravel(poses[1]))
    for frame, value in ((FRAMES[0], 0.0), (FRAMES[-1], 1.0)):
        key.value = value
        key.keyframe_insert("value", frame=frame)
    linear(mesh.shape_keys.animation_data)
    bpy.context.collection.objects.link(obj)
    bpy.context.scene.frame_set(FRAMES[0])
    return obj


# --- ways to show it ------------------------------------------------------------------------------


def unlinked(obj):
    """Take an object out of all scenes and collections."""
    obj.use_fake_user = True
    for collection in obj.users_collection:
        collection.objects.unlink(obj)
    return obj


def collected(obj):
    """Return a collection in no scene with the object."""
    collection = bpy.data.collections.new("Collected")
    collection.objects.link(unlinked(obj))
    return collection


def grid_object(side=13):
    """Return a flat mesh above the object, in no scene."""
    across = np.linspace(-25.0, 25.0, side)
    points = [(x, y, 90.0) for y in across for x in across]
    faces = [(r * side + c, r * side + c + 1, (r + 1) * side + c + 1, (r + 1) * side + c) for r in range(side - 1) for c in range(side - 1)]  # fmt: skip
    mesh = bpy.data.meshes.new("Flat")
    mesh.from_pydata(points, [], faces)
    return bpy.data.objects.new("Flat", mesh)


def by_nodes(kind, socket, value, rng):
    """Return an object whose nodes read an object or a collection; they make a mesh of it."""
    tree = bpy.data.node_groups.new("Source", "GeometryNodeTree")
    tree.interface.new_socket("Geometry", in_out="OUTPUT", socket_type="NodeSocketGeometry")
    source, out = tree.nodes.new(kind), tree.nodes.new("NodeGroupOutput")
    realize = tree.nodes.new("GeometryNodeRealizeInstances")
    source.inputs[socket].default_value = value
    if socket == "Object":
        source.inputs["As Instance"].default_value = rng.random() < 0.5
    tree.links.new(source.outputs["Geometry" if socket == "Object" else 0], realize.inputs[0])
    geometry = realize.outputs[0]
    if rng.random() < 0.5:  # in a group of its own
        inner, tree = tree, bpy.data.node_groups.new("Outer", "GeometryNodeTree")
        inner.links.new(geometry, out.inputs[0])
        tree.interface.new_socket("Geometry", in_out="OUTPUT", socket_type="NodeSocketGeometry")
        node, out = tree.nodes.new("GeometryNodeGroup"), tree.nodes.new("NodeGroupOutput")
        node.node_tree = inner
        geometry = node.outputs[0]
    tree.links.new(geometry, out.inputs[0])
    shown = bpy.data.objects.new("Nodes", bpy.data.meshes.new("Nodes"))
    shown.modifiers.new("Nodes", "NODES").node_group = tree
    return shown


def as_mesh(obj, rng):
    """Return an object with a mesh that shows an object's geometry: no modifier reads an empty."""
    if obj.type == "EMPTY":
        unlinked(obj)
        collection = obj.instance_collection
        return by_nodes("GeometryNodeCollectionInfo", "Collection", collection, rng)
    return unlinked(obj)


def object_info(obj, rng):
    return by_nodes("GeometryNodeObjectInfo", "Object", as_mesh(obj, rng), rng)


def collection_info(obj, rng):
    return by_nodes("GeometryNodeCollectionInfo", "Collection", collected(obj), rng)


def instanced(obj, rng):
    empty = bpy.data.objects.new("Empty", None)
    empty.instance_type, empty.instance_collection = "COLLECTION", collected(obj)
    return empty


def nested_collection(obj, rng):
    outer = bpy.data.collections.new("Outer")
    outer.children.link(collected(obj))
    empty = bpy.data.objects.new("Empty", None)
    empty.instance_type, empty.instance_collection = "COLLECTION", outer
    return empty


def shrinkwrap(obj, rng):
    flat = grid_object()
    modifier = flat.modifiers.new("Wrap", "SHRINKWRAP")
    modifier.target, modifier.wrap_method = as_mesh(obj, rng), "PROJECT"
    modifier.use_project_z, modifier.use_negative_direction = True, True
    modifier.use_positive_direction = False
    return flat


def array_cap(obj, rng):
    cap = bpy.data.objects.new("Cap", bpy.data.meshes.new("Cap"))
    cap.data.from_pydata([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [], [(0, 1, 2)])
    modifier = cap.modifiers.new("Array", "ARRAY")
    modifier.count, modifier.end_cap = 1, as_mesh(obj, rng)
    return cap


def another_scene(obj, rng):
    """Let it lie in a scene of its own, and be read from there."""
    obj, scene = as_mesh(obj, rng), bpy.data.scenes.new("Away")
    scene.collection.objects.link(obj)
    return by_nodes("GeometryNodeObjectInfo", "Object", obj, rng)


def faces(obj, rng):
    if obj.parent is not None or obj.type == "EMPTY":
        return instanced(obj, rng)
    parent = bpy.data.objects.new("Faces", bpy.data.meshes.new("Faces"))
    parent.data.from_pydata([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)], [], [(0, 1, 2, 3)])
    parent.instance_type = "FACES"
    collection = collected(obj)
    collection.objects.link(parent)
    obj.parent = parent
    empty = bpy.data.objects.new("Empty", None)
    empty.instance_type, empty.instance_collection = "COLLECTION", collection
    return empty


def linked(obj, rng):
    """Save the file, and link the object that shows it into another file."""
    return from_library(obj, rng, override=False)


def overridden(obj, rng):
    return from_library(obj, rng, override=True)


numbers = itertools.count()


def from_library(obj, rng, *, override):
    collection = collected(obj)
    collection.name, collection.use_fake_user = "Library", True
    name, path = collection.name, f"{bpy.app.tempdir}{next(numbers)}.blend"
    bpy.context.scene.frame_set(FRAMES[0])
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.read_homefile(use_empty=True)
    with bpy.data.libraries.load(path, link=True) as (_, into):
        into.collections = [name]
    (collection,) = into.collections
    if override:
        scene, layer = bpy.context.scene, bpy.context.view_layer
        scene.collection.children.link(collection)
        collection = collection.override_hierarchy_create(scene, layer, do_fully_editable=True)
        for child in list(scene.collection.children):
            scene.collection.children.unlink(child)
    empty = bpy.data.objects.new("Empty", None)
    empty.instance_type, empty.instance_collection = "COLLECTION", collection
    return empty


WAYS = (
    *(object_info, collection_info, instanced, nested_collection, shrinkwrap, array_cap),
    *(another_scene, faces, linked, overridden),
)


def viewing_scene(obj, rng):
    """Return a scene that shows an object, perhaps through background sets."""
    unlinked(obj)
    scene = bpy.data.scenes.new("Shown")
    place = scene.collection
    if rng.random() < 0.3:
        place = bpy.data.collections.new("Inner")
        scene.collection.children.link(place)
    place.objects.link(obj)
    for _ in range(rng.randrange(3)):
        outer = bpy.data.scenes.new("Set")
        outer.background_set, scene = scene, outer
    bpy.context.window.scene = scene
    return scene


# --- measuring ------------------------------------------------------------------------------------


def span(scene):
    """Return the largest extent along z of all that a scene shows."""
    spans = [0.0]
    for instance in scene.view_layers[0].depsgraph.object_instances:
        data = instance.object.data
        if isinstance(data, bpy.types.Mesh) and len(data.vertices):
            positions = np.empty(len(data.vertices) * 3, np.float32)
            data.vertices.foreach_get("co", positions)
            spans.append(float(np.ptp(positions[2::3])))
    return max(spans)


def spans(scene):
    results = []
    for frame in FRAMES:
        scene.frame_set(frame)
        results.append(span(scene))
    return np.array(results)


def shown_by(make, ways, rng):
    bpy.ops.wm.read_homefile(use_empty=True)
    obj = make()
    for way in ways:
        obj = way(obj, rng)
    return spans(viewing_scene(obj, rng))


def shows_motion(extents):
    return 0.0 < 1.05 * extents[0] < extents[1] < 0.97 * extents[2]


def check(ways, name):
    """Compare a terrain with shape keys; return the extents of the shape keys."""
    expected = shown_by(shape_keys, ways, drawing.generator(name))
    assert shows_motion(expected), "the set-up shows no motion"
    found = shown_by(keyed_terrain, ways, drawing.generator(name))
    np.testing.assert_allclose(found, expected, rtol=1e-4)
    return expected


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_a_frame_shows_keyed_terrain_as_shape_keys(terrane, way):
    expected = check([way], way.__name__)
    np.testing.assert_allclose(expected / expected[0], (1.0, 2.5, 4.0), rtol=0.02)


def drawn(rng):
    """Return two to four ways, one through the other."""
    ways = [rng.choice(WAYS) for _ in range(rng.randint(2, 4))]
    # A file that links another one is Blender's own matter; rays of a second shrinkwrap miss the first.
    twice = [
        *[way for way in ways if way in (linked, overridden)][1:],
        *[way for way in ways if way is shrinkwrap][1:],
    ]
    for way in twice:
        ways.remove(way)
    return ways


@pytest.mark.parametrize("number", range(drawing.count_of(160)))
def test_whatever_shows_it_through_whatever(terrane, number):
    for attempt in range(10):  # a shrinkwrap has nothing to go to where an empty shows the land
        name = f"shown {number}, {attempt}"
        ways = drawn(drawing.generator(f"ways {name}"))
        print([way.__name__ for way in ways])
        if shows_motion(shown_by(shape_keys, ways, drawing.generator(name))):
            check(ways, name)
            return
    pytest.fail("ten set-ups show no motion of shape keys")


# --- what else moves it, and what shares it -------------------------------------------------------


def hidden_operand(terrain):
    """Return the scene with an object that reads the terrain, which itself is hidden."""
    rng = drawing.generator("operand")
    scene, flat = bpy.context.scene, shrinkwrap(terrain, rng)
    scene.collection.objects.link(flat)
    scene.collection.objects.link(terrain)
    terrain.hide_viewport = terrain.hide_render = True
    return scene


def driven(terrain):
    terrain.animation_data_clear()
    terrain.driver_add("terrane.height").driver.expression = "10 + 3 * (frame - 1)"


def in_a_strip(terrain):
    """Move the keyframes into a strip of the NLA editor."""
    data = terrain.animation_data
    action, slot = data.action, getattr(data, "action_slot", None)
    data.action = None
    strip = data.nla_tracks.new().strips.new("Strip", 1, action)
    if slot is not None:
        strip.action_slot = slot


@pytest.mark.parametrize("move", [None, driven, in_a_strip])
def test_a_hidden_source_moves_by_keys_drivers_and_strips(terrane, move):
    terrain = keyed_terrain()
    if move is not None:
        move(terrain)
    found = spans(hidden_operand(terrain))
    np.testing.assert_allclose(found / found[0], (1.0, 2.5, 4.0), rtol=0.05)
    assert len(bpy.data.scenes) == 1


def twins(high):
    """Return two terrains with one mesh, of which the second has its own keyframes, higher by a factor in the last frame."""
    terrain = keyed_terrain()
    twin = terrain.copy()
    bpy.context.scene.collection.objects.link(twin)
    twin.animation_data.action = twin.animation_data.action.copy()
    if hasattr(twin.animation_data, "action_slot"):
        twin.animation_data.action_slot = twin.animation_data.action.slots[0]
    for curve in curves(twin.animation_data):
        curve.keyframe_points[-1].co.y *= high
        curve.update()
    return terrain, twin


def panel_of(terrain):
    """Return the labels and buttons of the main panel for a terrain, as it is drawn."""
    bpy.context.view_layer.objects.active = terrain
    shown = set()
    panel = module("ui.viewport").TERRANE_PT_terrain
    panel.draw(SimpleNamespace(layout=RecordingLayout(shown)), bpy.context)
    return shown


def says_still(terrain):
    """Return whether the panel says so (its labels come in no order), and whether it has the button."""
    shown = panel_of(terrain)
    words = {word for item in shown if item[0] == "label" for word in item[1].split()}
    return {"keyframes:", "both", "still"} <= words, "terrane.mesh_single_user" in shown


def test_objects_that_share_a_mesh_move_if_they_agree(terrane):
    terrain, twin = twins(1.0)
    scene = bpy.context.scene
    scene.collection.objects.link(bpy.data.objects.new("Still", terrain.data))
    found = spans(scene)
    np.testing.assert_allclose(found / found[0], (1.0, 2.5, 4.0), rtol=1e-3)
    for obj in (terrain, twin):
        assert says_still(obj) == (False, False)


def test_objects_that_share_a_mesh_and_differ_are_told_of(terrane, tmp_path, capfd):
    terrain, twin = twins(2.0)
    scene = bpy.context.scene
    assert np.ptp(spans(scene)) == 0.0, "neither of two motions of one mesh is shown"
    scene.frame_set(FRAMES[0])
    for obj in (terrain, twin):
        assert says_still(obj) == (True, True)
    capfd.readouterr()
    lit(terrain)
    prepare(scene)
    scene.frame_start, scene.frame_end = FRAMES[0], FRAMES[0] + 2
    scene.render.filepath = str(tmp_path / "frame")
    bpy.ops.render.render(animation=True)
    printed = capfd.readouterr().out
    assert printed.count("stand still: they share a mesh") == 1, printed
    assert terrain.name in printed and twin.name in printed


@pytest.mark.parametrize("active", [0, 1])
def test_one_click_gives_each_motion_its_mesh(terrane, active):
    pair = twins(2.0)
    third = pair[0].copy()
    bpy.context.scene.collection.objects.link(third)
    bpy.context.view_layer.objects.active = pair[active]
    bpy.context.view_layer.update()
    assert bpy.ops.terrane.mesh_single_user() == {"FINISHED"}
    assert third.data == pair[0].data != pair[1].data
    found = []
    for frame in FRAMES:
        bpy.context.scene.frame_set(frame)
        found.append([span_of(obj.data) for obj in (*pair, third)])
    found = np.array(found)
    for column, high in ((0, 4.0), (1, 8.0), (2, 4.0)):
        extents = found[:, column] / found[0, column]
        np.testing.assert_allclose(extents, (1.0, (1.0 + high) / 2.0, high), rtol=1e-3)
    for obj in (*pair, third):
        assert says_still(obj) == (False, False)
    bpy.context.view_layer.objects.active = pair[1]  # the only one with its mesh
    assert not bpy.ops.terrane.mesh_single_user.poll()


def test_settings_beside_the_keyframes_count_too(terrane):
    terrain, twin = twins(1.0)
    twin.terrane.seed += 1
    bpy.context.view_layer.update()
    assert says_still(terrain) == (True, True)


def test_a_file_that_is_opened_shows_its_frame_of_a_linked_terrain(terrane, tmp_path):
    terrain = keyed_terrain()
    low, name = span_of(terrain.data), terrain.name
    library, shot = str(tmp_path / "library.blend"), str(tmp_path / "shot.blend")
    bpy.ops.wm.save_as_mainfile(filepath=library)
    bpy.ops.wm.read_homefile(use_empty=True)
    bpy.context.scene.frame_set(FRAMES[-1])
    with bpy.data.libraries.load(library, link=True) as (_, into):
        into.objects = [name]
    bpy.context.scene.collection.objects.link(into.objects[0])
    bpy.ops.wm.save_as_mainfile(filepath=shot)
    bpy.ops.wm.open_mainfile(filepath=shot)
    bpy.context.view_layer.update()
    assert span(bpy.context.scene) == pytest.approx(4.0 * low, rel=1e-3)


def span_of(mesh):
    return float(np.ptp([vertex.co.z for vertex in mesh.vertices]))


# --- renders --------------------------------------------------------------------------------------


def background_set(scene):
    outer = bpy.data.scenes.new("Outer")
    outer.background_set, outer.camera = scene, scene.camera
    return outer


def scene_strip(scene):
    outer = bpy.data.scenes.new("Edit")
    editor = outer.sequence_editor_create()
    strips = editor.strips if hasattr(editor, "strips") else editor.sequences
    strips.new_scene("Strip", background_set(scene), 1, 1)
    return outer


def compositor(scene):
    outer = bpy.data.scenes.new("Composed")
    outer.camera = scene.camera
    if "compositing_node_group" in outer.bl_rna.properties:
        tree = bpy.data.node_groups.new("Composed", "CompositorNodeTree")
        tree.interface.new_socket("Image", in_out="OUTPUT", socket_type="NodeSocketColor")
        outer.compositing_node_group, out = tree, tree.nodes.new("NodeGroupOutput")
    else:
        outer.use_nodes = True
        tree = outer.node_tree
        tree.nodes.clear()
        out = tree.nodes.new("CompositorNodeComposite")
    layers = tree.nodes.new("CompositorNodeRLayers")
    layers.scene = scene
    tree.links.new(layers.outputs["Image"], out.inputs[0])
    return outer


def prepare(scene):
    scene.render.engine, scene.cycles.samples = "CYCLES", 1
    scene.cycles.use_denoising = False
    if hasattr(scene.render, "compositor_device"):
        scene.render.compositor_device = "CPU"
    scene.render.resolution_x = scene.render.resolution_y = 16


def lit(obj):
    scene = bpy.context.scene
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    camera.location, camera.rotation_euler.x = (0.0, -90.0, 60.0), math.radians(55.0)
    sun = bpy.data.objects.new("Sun", bpy.data.lights.new("Sun", "SUN"))
    sun.rotation_euler.x, sun.data.energy, scene.camera = 0.8, 1.0, camera
    for part in (camera, sun, instanced(obj, None)):
        scene.collection.objects.link(part)
    return scene


def rendered(make, show, folder):
    bpy.ops.wm.read_homefile(use_empty=True)
    outer, pictures = show(lit(make())), []
    for scene in bpy.data.scenes:
        prepare(scene)
    bpy.context.window.scene = outer
    outer.view_settings.view_transform = "Standard"
    for frame in (FRAMES[0], FRAMES[-1]):
        outer.frame_set(frame)
        outer.render.filepath = str(folder / f"{make.__name__}{frame}.png")
        bpy.ops.render.render(write_still=True)
        pictures.append(load_pixels(outer.render.filepath))
    return pictures


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of Blender's compositor, from 5.3 on
@pytest.mark.parametrize("show", [background_set, scene_strip, compositor])
def test_a_render_shows_keyed_terrain_as_shape_keys(terrane, tmp_path, show):
    low, high = rendered(shape_keys, show, tmp_path)
    assert np.abs(high - low).mean() > 0.01, "the set-up shows no motion"
    for found, expected in zip(rendered(keyed_terrain, show, tmp_path), (low, high)):
        np.testing.assert_allclose(found, expected, atol=0.03)


# --- which scenes show it -------------------------------------------------------------------------


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_the_scenes_that_show_a_terrain_are_known(terrane, way):
    terrain = keyed_terrain()
    bpy.data.scenes.new("Other")
    viewing_scene(way(terrain, drawing.generator("scenes")), drawing.generator("scenes"))
    terrain = next(obj for obj in bpy.data.objects if obj.name.startswith("Terrain"))
    showing = module("operators.bridge.datablocks.scene_sources").showing
    names = {scene.name for scene in showing(terrain)}
    assert bpy.context.scene.name in names and "Other" not in names
