# SPDX-License-Identifier: GPL-3.0-or-later
"""Curves, houses and empties that move from frame to frame shape the land of each frame, as keyed settings do."""

from __future__ import annotations

import dataclasses

import bpy
import numpy as np
import pytest
from mathutils import Euler, Matrix, Vector

from tests import drawing
from tests.blender.extension import module
from tests.blender.helpers import activate, add_fractal_terrain, heights, read_recipe

FRAMES = (1, 4, 11)
"""The first and the last have keyframes, between which all values are linear."""

SIZE, RESOLUTION = 1000.0, 65
PLACES = ((-300.0, 20.0, 60.0), (0.0, -120.0, 90.0), (320.0, 60.0, 70.0))
RADIUS = 60.0


@pytest.fixture
def terrain(terrane):
    return add_fractal_terrain(size=SIZE, height=100.0, resolution=RESOLUTION)


def key(owner, path, first, last, index=-1):
    """Give a property of a datablock two linear keyframes."""
    for frame, value in ((FRAMES[0], first), (FRAMES[-1], last)):
        setattr(owner, path, value)
        owner.keyframe_insert(path, index=index, frame=frame)
    holder = owner.id_data.animation_data
    for curves in module("operators.bridge.datablocks.compat").action_curves(holder):
        for point in (point for curve in curves for point in curve.keyframe_points):
            point.interpolation = "LINEAR"


def share(frame):
    return (frame - FRAMES[0]) / (FRAMES[-1] - FRAMES[0])


def new_curve(name="Road"):
    curve = bpy.data.curves.new(name, "CURVE")
    curve.dimensions = "3D"
    points = curve.splines.new("POLY").points
    points.add(len(PLACES) - 1)
    for point, place in zip(points, PLACES):
        point.co, point.radius = (*place, 1.0), RADIUS
    obj = bpy.data.objects.new(name, curve)
    bpy.context.scene.collection.objects.link(obj)
    return obj


def path_along(terrain, obj):
    """Add a path that takes the heights of a curve, chosen as in the panel."""
    bpy.ops.terrane.layer_add(type="path")
    entry = terrain.terrane.layers[-1]
    entry.path.heights = "given"
    entry.curves[0].object = obj
    bpy.ops.terrane.terrain_update()


# --- motions: each moves an object, and returns by how much in a frame ----------------------------


def vector(rng, size):
    return Vector([rng.uniform(-size, size) for _ in range(2)] + [rng.uniform(0.0, 0.2 * size)])


def empty(name):
    obj = bpy.data.objects.new(name, None)
    bpy.context.scene.collection.objects.link(obj)
    return obj


class Motion:
    """What a frame adds to a curve: the matrix of its object, offsets and radii of its points."""

    def matrix(self, frame):
        return Matrix()

    def moved(self, outer, frame):
        """Return the matrix of all motions up to this one from that of the outer ones."""
        return outer @ self.matrix(frame)

    def offset(self, frame, place):
        return Vector((0.0, 0.0, 0.0))

    def radius(self, frame, place):
        return 1.0


class Location(Motion):
    def __init__(self, obj, rng):
        self.by = vector(rng, 150.0)
        key(obj, "location", (0.0, 0.0, 0.0), self.by)

    def matrix(self, frame):
        return Matrix.Translation(share(frame) * self.by)


class Turn(Motion):
    def __init__(self, obj, rng):
        self.angle = rng.uniform(0.2, 1.0)
        key(obj, "rotation_euler", (0.0, 0.0, 0.0), (0.0, 0.0, self.angle))

    def matrix(self, frame):
        return Euler((0.0, 0.0, share(frame) * self.angle)).to_matrix().to_4x4()


class Scale(Motion):
    def __init__(self, obj, rng):
        self.factor = rng.uniform(0.5, 0.9)
        key(obj, "scale", (1.0, 1.0, 1.0), (self.factor,) * 3)

    def matrix(self, frame):
        return Matrix.Scale(1.0 + share(frame) * (self.factor - 1.0), 4)


class Parent(Location):
    """A parent with keyframes, perhaps of another parent."""

    def __init__(self, obj, rng):
        parent = empty("Parent")
        super().__init__(parent, rng)
        if rng.random() < 0.5:
            child = empty("Child")
            child.parent, parent = parent, child
        obj.parent = parent


class Copied(Location):
    """A constraint whose target has keyframes."""

    def __init__(self, obj, rng):
        target = empty("Target")
        super().__init__(target, rng)
        obj.constraints.new("COPY_LOCATION").target = target

    def moved(self, outer, frame):
        """Return the matrix at the target in the world, wherever parents are."""
        return Matrix.Translation(share(frame) * self.by) @ outer.to_3x3().to_4x4()


class FollowedPath(Motion):
    def __init__(self, obj, rng):
        self.by = vector(rng, 150.0)
        line = bpy.data.curves.new("Line", "CURVE")
        line.dimensions, line.use_path, line.path_duration = "3D", True, 100
        points = line.splines.new("POLY").points
        points.add(1)
        points[1].co = (*self.by, 1.0)
        path = bpy.data.objects.new("Line", line)
        bpy.context.scene.collection.objects.link(path)
        key(line, "eval_time", 0.0, 100.0)
        constraint = obj.constraints.new("FOLLOW_PATH")
        constraint.target, constraint.use_curve_follow = path, False

    def matrix(self, frame):
        return Matrix.Translation(share(frame) * self.by)


class Driver(Motion):
    def __init__(self, obj, rng):
        self.by = rng.uniform(5.0, 15.0)
        driver = obj.driver_add("location", 0).driver
        driver.expression = f"frame * {self.by!r}"

    def matrix(self, frame):
        return Matrix.Translation((frame * self.by, 0.0, 0.0))


class Strip(Location):
    """Keyframes in a strip of the NLA editor."""

    def __init__(self, obj, rng):
        super().__init__(obj, rng)
        data = obj.animation_data
        action, slot = data.action, getattr(data, "action_slot", None)
        data.action = None
        strip = data.nla_tracks.new().strips.new("Strip", FRAMES[0], action)
        if slot is not None:
            strip.action_slot = slot


class Point(Motion):
    """Keyframes of a control point and its radius."""

    def __init__(self, obj, rng):
        self.place, self.by, self.wide = rng.randrange(3), vector(rng, 100.0), rng.uniform(1.0, 2.0)
        point = obj.data.splines[0].points[self.place]
        last = Vector(PLACES[self.place]) + self.by
        key(point, "co", (*PLACES[self.place], 1.0), (*last, 1.0))
        key(point, "radius", RADIUS, RADIUS * self.wide)

    def offset(self, frame, place):
        return share(frame) * self.by if place == self.place else Vector((0.0, 0.0, 0.0))

    def radius(self, frame, place):
        return 1.0 + share(frame) * (self.wide - 1.0) if place == self.place else 1.0


class ShapeKey(Motion):
    def __init__(self, obj, rng):
        self.place, self.by = rng.randrange(3), vector(rng, 100.0)
        obj.shape_key_add(name="Basis")
        shape = obj.shape_key_add(name="Other", from_mix=False)
        shape.data[self.place].co = Vector(PLACES[self.place]) + self.by
        key(shape, "value", 0.0, 1.0)

    def offset(self, frame, place):
        return share(frame) * self.by if place == self.place else Vector((0.0, 0.0, 0.0))


class Hook(Motion):
    def __init__(self, obj, rng):
        self.place, self.by = rng.randrange(3), vector(rng, 100.0)
        hook = empty("Hook")
        hook.parent = obj  # it pulls the point in the object's own space
        key(hook, "location", (0.0, 0.0, 0.0), self.by)
        modifier = obj.modifiers.new("Hook", "HOOK")
        modifier.object = hook
        modifier.vertex_indices_set([self.place])

    def offset(self, frame, place):
        return share(frame) * self.by if place == self.place else Vector((0.0, 0.0, 0.0))


OF_PLACE = (Location, Copied, FollowedPath, Driver, Strip)
"""They set the location of the object: one of them at a time."""

OF_POINTS = (Point, ShapeKey, Hook)
OTHERS = (Turn, Scale, Parent)


def drawn_motions(rng):
    """Return one to three kinds of motion that can act at once, the outermost first."""
    kinds = [rng.choice(OF_PLACE), rng.choice(OTHERS), rng.choice(OF_POINTS)]
    kept = rng.sample(range(3), rng.randint(1, 3))
    kinds = [kind for place, kind in enumerate(kinds) if place in kept]
    # A parent acts before the object's own place.
    return sorted(kinds, key=lambda kind: kind is not Parent)


def world_points(motions, frame):
    """Return the places and widths of the points in the world, worked out by hand."""
    matrix = Matrix()
    for motion in motions:
        matrix = motion.moved(matrix, frame)
    points = []
    for place, start in enumerate(PLACES):
        inner = Vector(start) + sum((each.offset(frame, place) for each in motions), Vector())
        width = RADIUS
        for motion in motions:
            width *= motion.radius(frame, place)
        points.append((matrix @ inner, width * matrix.to_scale()[0]))
    return points


def evaluated_by_hand(terrain, points):
    """Return the heights of a terrain's recipe with other points in its path."""
    core = module("noise_core.curves.land_curve")
    recipe = read_recipe(terrain)
    road = core.LandCurve(
        points=[
            core.CurvePoint(at=(place.x / SIZE + 0.5, place.y / SIZE + 0.5), z=place.z, width=width)
            for place, width in points
        ]
    )
    path = recipe.layers[-1].with_values(curves=(road,))
    recipe = dataclasses.replace(recipe, layers=(*recipe.layers[:-1], path))
    return recipe.evaluate(recipe.grid(RESOLUTION)).height.ravel()


def check_frames(terrain, motions):
    """Compare frames, in any order, with recipes evaluated by hand; return the heights of each."""
    found = {}
    for frame in (*FRAMES, FRAMES[1], FRAMES[0]):
        bpy.context.scene.frame_set(frame)
        expected = evaluated_by_hand(terrain, world_points(motions, frame))
        np.testing.assert_allclose(heights(terrain), expected, atol=0.02, err_msg=str(frame))
        assert np.array_equal(found.setdefault(frame, heights(terrain)), heights(terrain)), frame
        settings = read_recipe(terrain)
        present = settings.evaluate(settings.grid(RESOLUTION)).height.ravel()
        np.testing.assert_array_equal(heights(terrain), present, err_msg="the settings are of it")
    assert np.ptp(found[FRAMES[0]] - found[FRAMES[-1]]) > 1.0
    return found


def check(terrain, kinds, rng, hide=lambda obj: None):
    road = new_curve()
    motions = [kind(road, rng) for kind in kinds]
    bpy.context.scene.frame_set(FRAMES[0])
    hide(road)
    path_along(terrain, road)
    return check_frames(terrain, motions)


KINDS = (*OF_PLACE, *OTHERS, *OF_POINTS)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_each_motion_of_a_curve_shapes_the_land(terrain, kind):
    check(terrain, [kind], drawing.generator(kind.__name__))


def hide(obj):
    obj.hide_set(True)


def disable(obj):
    obj.hide_viewport = obj.hide_render = True


def exclude(obj):
    collection = bpy.data.collections.new("Excluded")
    bpy.context.scene.collection.children.link(collection)
    bpy.context.scene.collection.objects.unlink(obj)
    collection.objects.link(obj)
    bpy.context.view_layer.layer_collection.children["Excluded"].exclude = True


def leave(obj):
    """Leave it where it is seen."""


HIDINGS = (leave, hide, disable, exclude)


@pytest.mark.parametrize("number", range(max(6, drawing.count_of(120))))
def test_motions_at_once_shape_the_land(terrain, number):
    rng = drawing.generator(f"motions {number}")
    kinds, hiding = drawn_motions(rng), rng.choice(HIDINGS)
    print([kind.__name__ for kind in kinds], hiding.__name__)
    check(terrain, kinds, rng, hiding)


# --- other things that a terrain follows ----------------------------------------------------------


def test_a_terrain_that_moves_below_a_curve(terrain):
    path_along(terrain, new_curve())
    by = vector(drawing.generator("carried"), 150.0)
    key(terrain, "location", (0.0, 0.0, 0.0), by)

    class Away(Motion):
        def matrix(self, frame):
            return Matrix.Translation(-share(frame) * by)

    check_frames(terrain, [Away()])


def test_a_curve_that_is_edited_and_stands_still_needs_no_frames(terrain):
    animated = module("operators.bridge.terrain.animated_values").is_animated
    road = new_curve()
    path_along(terrain, road)
    assert not animated(terrain)
    road.parent = empty("Parent")
    assert not animated(terrain)
    key(road.parent, "location", (0.0, 0.0, 0.0), (50.0, 0.0, 0.0))
    assert animated(terrain)


def test_a_mask_by_the_distance_to_a_moving_curve(terrain):
    road = new_curve()
    key(road, "location", (0.0, 0.0, 0.0), (0.0, 200.0, 0.0))
    bpy.context.scene.frame_set(FRAMES[0])
    activate(terrain)
    bpy.ops.terrane.layer_add(type="perlin")
    bpy.ops.terrane.layer_mask(source="curve_distance")
    assert bpy.ops.terrane.curve_choose(part="MASK", object="Road") == {"FINISHED"}
    mask = terrain.terrane.layers[-1].mask
    mask.limits, mask.high = "below", 50.0
    bpy.ops.terrane.terrain_update()
    shown = []
    for frame in FRAMES:
        bpy.context.scene.frame_set(frame)
        recipe = read_recipe(terrain)
        (curve,) = recipe.layers[-1].mask.map.curves
        assert curve.points[0].at[1] == pytest.approx(0.5 + 0.02 + 0.2 * share(frame), abs=1e-6)
        expected = recipe.evaluate(recipe.grid(RESOLUTION)).height.ravel()
        np.testing.assert_array_equal(heights(terrain), expected)
        shown.append(heights(terrain))
    assert np.abs(shown[0] - shown[-1]).max() > 0.1


def new_house(place, home=None):
    mesh = bpy.data.meshes.new("House")
    corners = [(x, y, z) for z in (0, 30) for x, y in ((-60, -40), (60, -40), (60, 40), (-60, 40))]
    faces = [(0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)]
    mesh.from_pydata(corners, [], faces)
    house = bpy.data.objects.new("House", mesh)
    house.location = place
    (home or bpy.context.scene.collection).objects.link(house)
    return house


def level(terrain, frame, place):
    """Return the heights around a place in a frame."""
    bpy.context.scene.frame_set(frame)
    across = np.linspace(-0.5, 0.5, RESOLUTION) * SIZE
    x, y = np.meshgrid(across, across)
    near = (np.abs(x - place[0]) <= 40) & (np.abs(y - place[1]) <= 25)
    return heights(terrain)[near.ravel()]


@pytest.mark.parametrize("hiding", [leave, lambda obj: setattr(obj, "hide_render", True)])
@pytest.mark.parametrize("how", ["object", "collection", "child", "shape keys"])
def test_level_ground_follows_moving_houses(terrain, how, hiding):
    home = bpy.data.collections.new("Village")
    bpy.context.scene.collection.children.link(home)
    house = new_house((-200.0, 0.0, 40.0), home)
    source = house
    if how == "shape keys":
        house.shape_key_add(name="Basis")
        shape = house.shape_key_add(name="Other", from_mix=False)
        for point in shape.data:
            point.co += Vector((300.0, 50.0, 20.0))
        key(shape, "value", 0.0, 1.0)
    elif how == "child":
        source = new_house((-200.0, 0.0, 40.0), home)
        house.parent, house.location = source, (0.0, 0.0, 0.0)
        key(source, "location", (-200.0, 0.0, 40.0), (100.0, 50.0, 60.0))
    else:
        key(house, "location", (-200.0, 0.0, 40.0), (100.0, 50.0, 60.0))
    hiding(house)
    bpy.context.scene.frame_set(FRAMES[0])
    where = {"collection": home.name} if how == "collection" else {"object": source.name}
    assert bpy.ops.terrane.footprint_add(**where) == {"FINISHED"}
    bpy.ops.terrane.terrain_update()
    for frame in FRAMES:
        part = share(frame)
        ground = level(terrain, frame, (-200.0 + 300.0 * part, 50.0 * part))
        assert len(ground) > 3
        np.testing.assert_allclose(ground, 40.0 + 20.0 * part, atol=1e-3)


def test_a_stamp_follows_its_moving_empty(terrain):
    assert bpy.ops.terrane.stamp_add(preset="volcano", at=(0.3, 0.5), size=300.0) == {"FINISHED"}
    place = bpy.context.object
    start = place.location.copy()
    key(place, "location", start, start + Vector((300.0, 0.0, 50.0)))
    key(place, "rotation_euler", (0.0, 0.0, 0.0), (0.0, 0.0, 1.0))
    for frame in FRAMES:
        bpy.context.scene.frame_set(frame)
        recipe = read_recipe(terrain)
        (stamp,) = [layer for layer in recipe.layers if layer.key == "stamp"]
        (found,) = stamp.placements
        assert found.at == pytest.approx((0.3 + 0.3 * share(frame), 0.5), abs=1e-6)
        assert found.rotation == pytest.approx(np.degrees(share(frame)), abs=1e-4)
        expected = recipe.evaluate(recipe.grid(RESOLUTION)).height.ravel()
        np.testing.assert_array_equal(heights(terrain), expected)


# --- ways to show it ------------------------------------------------------------------------------


@pytest.mark.parametrize("target", ["cache", "keys"])
def test_a_bake_plays_what_was_seen(terrain, target, tmp_path):
    rng = drawing.generator(f"bake {target}")
    found = check(terrain, drawn_motions(rng), rng, rng.choice(HIDINGS))
    points = [slot.points for slot in terrain.terrane.layers[-1].curves]
    bake = {"start": 1, "end": 11, "target": target, "filepath": str(tmp_path / "land.pc2")}
    assert bpy.ops.terrane.motion_bake(**bake) == {"FINISHED"}
    assert [slot.points for slot in terrain.terrane.layers[-1].curves] == points
    for frame, expected in found.items():
        bpy.context.scene.frame_set(frame)
        shown = terrain.evaluated_get(bpy.context.evaluated_depsgraph_get()).data
        positions = np.empty(3 * len(shown.vertices), np.float32)
        shown.vertices.foreach_get("co", positions)
        np.testing.assert_allclose(positions[2::3], expected, atol=1e-3)


def test_what_stands_still_cannot_be_baked(terrain):
    path_along(terrain, new_curve())
    with pytest.raises(RuntimeError, match="has no keyframes and no drivers"):
        bpy.ops.terrane.motion_bake(start=1, end=3)


@pytest.mark.parametrize("hiding", HIDINGS, ids=lambda hiding: hiding.__name__)
def test_a_render_shows_its_frames(terrain, hiding, tmp_path):
    road, rng, scene = new_curve(), drawing.generator("render"), bpy.context.scene
    motions = [kind(road, rng) for kind in drawn_motions(rng)]
    scene.frame_set(FRAMES[0])
    hiding(road)
    path_along(terrain, road)
    before = heights(terrain)
    found = {}

    def note(scene, depsgraph):
        if depsgraph.mode == "RENDER":
            found[scene.frame_current] = heights(terrain)

    scene.camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    scene.collection.objects.link(scene.camera)
    scene.render.engine, scene.cycles.samples = "CYCLES", 1
    scene.render.resolution_x = scene.render.resolution_y = 4
    scene.frame_start, scene.frame_end, scene.frame_step = FRAMES[1], FRAMES[2], 7
    scene.render.filepath = str(tmp_path / "moving")
    bpy.app.handlers.frame_change_post.append(note)
    try:
        bpy.ops.render.render(animation=True)
    finally:
        bpy.app.handlers.frame_change_post.remove(note)
    np.testing.assert_array_equal(heights(terrain), before, err_msg="the frame of the view is back")
    assert sorted(found) == [FRAMES[1], FRAMES[2]]
    for frame, shown in found.items():
        expected = evaluated_by_hand(terrain, world_points(motions, frame))
        np.testing.assert_allclose(shown, expected, atol=0.02)


@pytest.mark.parametrize("hiding", HIDINGS, ids=lambda hiding: hiding.__name__)
def test_a_hidden_curve_that_stands_still_keeps_its_place(terrain, live, hiding, tmp_path):
    road = new_curve()
    road.location.x = 50.0
    bpy.context.view_layer.update()
    path_along(terrain, road)
    hiding(road)
    before, points = heights(terrain), terrain.terrane.layers[-1].curves[0].points
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "hidden.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "hidden.blend"))
    terrain = bpy.data.objects["Terrain"]
    new_curve("Another")  # an event that terrains follow
    bpy.context.view_layer.update()
    live.update_now()
    assert terrain.terrane.layers[-1].curves[0].points == points
    np.testing.assert_array_equal(heights(terrain), before)


def test_objects_are_listed_once_for_all_curves(terrain, live, monkeypatch):
    """A render has thousands of objects, and a terrain dozens of curves."""
    for count in range(4):
        path_along(terrain, new_curve(f"Road {count}"))
    key(bpy.data.objects["Road 0"], "location", (0.0, 0.0, 0.0), (50.0, 0.0, 0.0))
    sources, lists = module("operators.bridge.datablocks.scene_sources"), []

    class Counted(sources.SceneSources):
        def __init__(self, depsgraph):
            lists.append(depsgraph)
            super().__init__(depsgraph)

    monkeypatch.setattr(sources, "SceneSources", Counted)
    bpy.context.scene.frame_set(FRAMES[1])
    assert len(lists) == 1
    lists.clear()
    bpy.data.objects["Road 1"].location.y = 20.0
    bpy.context.view_layer.update()
    assert len(lists) == 1


@pytest.mark.parametrize("fails_in", ["copying", "reading"])
def test_an_error_leaves_nothing_of_a_temporary_scene(terrain, monkeypatch, fails_in):
    probes = module("operators.bridge.terrain.probes")
    for name in ("Road", "Trail"):
        path_along(terrain, new_curve(name))
    find, sources = probes.source_of, []

    def source_of(slot):
        sources.append(find(slot))
        if fails_in == "copying" and len(sources) == 2:
            raise ValueError("the second one")
        return sources[-1]

    def read(copy, depsgraph):
        raise ValueError("all were copied")

    monkeypatch.setattr(probes, "source_of", source_of)
    before = set(bpy.data.objects), set(bpy.data.scenes)
    with pytest.raises(ValueError, match="second" if fails_in == "copying" else "all"):
        probes.probe(terrain, 1, 0.0, read)
    assert len(sources) == 2 and not probes.is_on.is_on
    assert (set(bpy.data.objects), set(bpy.data.scenes)) == before


def in_a_set(objects):
    """Show objects from a background set; return the scene."""
    scene = bpy.data.scenes.new("Set")
    for obj in objects:
        scene.collection.objects.link(obj)
        bpy.context.scene.collection.objects.unlink(obj)
    bpy.context.scene.background_set = scene


def in_an_instance(objects):
    """Show objects by an instance of their collection alone."""
    collection = bpy.data.collections.new("Instanced")
    for obj in objects:
        collection.objects.link(obj)
        bpy.context.scene.collection.objects.unlink(obj)
    instance = empty("Instance")
    instance.instance_type, instance.instance_collection = "COLLECTION", collection


def curve_in_another_scene(objects):
    scene = bpy.data.scenes.new("Other")
    scene.collection.objects.link(objects[-1])
    bpy.context.scene.collection.objects.unlink(objects[-1])


@pytest.mark.parametrize("show", [in_a_set, in_an_instance, curve_in_another_scene])
def test_it_moves_wherever_it_is_shown_from(terrain, show):
    rng, road = drawing.generator(show.__name__), new_curve()
    motions = [kind(road, rng) for kind in drawn_motions(rng)]
    bpy.context.scene.frame_set(FRAMES[0])
    path_along(terrain, road)
    show([terrain, road])
    for frame in (*FRAMES, FRAMES[1]):
        bpy.context.scene.frame_set(frame)
        expected = evaluated_by_hand(terrain, world_points(motions, frame))
        np.testing.assert_allclose(heights(terrain), expected, atol=0.02, err_msg=str(frame))


def test_keyframes_of_settings_and_of_a_curve_at_once(terrain):
    rng, road = drawing.generator("both"), new_curve()
    motions = [kind(road, rng) for kind in drawn_motions(rng)]
    key(terrain.terrane, "height", 100.0, 200.0)
    bpy.context.scene.frame_set(FRAMES[0])
    path_along(terrain, road)
    check_frames(terrain, motions)


@pytest.mark.parametrize("hiding", HIDINGS, ids=lambda hiding: hiding.__name__)
def test_a_saved_file_shows_its_frame(terrain, hiding, tmp_path):
    rng = drawing.generator("saved")
    check(terrain, drawn_motions(rng), rng, hiding)
    bpy.context.scene.frame_set(FRAMES[1])
    before, points = heights(terrain), [slot.points for slot in terrain.terrane.layers[-1].curves]
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "moving.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "moving.blend"))
    terrain = bpy.data.objects["Terrain"]
    assert [slot.points for slot in terrain.terrane.layers[-1].curves] == points
    np.testing.assert_array_equal(heights(terrain), before)
    bpy.context.scene.frame_set(FRAMES[0])
    assert not np.array_equal(heights(terrain), before)
    bpy.context.scene.frame_set(FRAMES[1])
    np.testing.assert_array_equal(heights(terrain), before)
