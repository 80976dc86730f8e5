# SPDX-License-Identifier: GPL-3.0-or-later
"""A terrain changes its resolution step by step, and nothing of the user's is lost on the way."""

from __future__ import annotations

import itertools
import sys

import bpy
import numpy as np
import pytest

from tests.blender.extension import PACKAGE, bridge, module
from tests.blender.helpers import add_terrain

ROWS = 33


@pytest.fixture
def in_steps(jobs, monkeypatch):
    """Make small meshes anew as large ones are."""
    monkeypatch.setattr(bridge("terrain.rebuilding"), "SMALL", 0)
    return monkeypatch


def no_other_way(monkeypatch):
    """Fail if a mesh seems to be changed while it is made anew."""

    def refuse(*arguments):
        raise AssertionError("it was changed meanwhile")

    monkeypatch.setattr(bridge("terrain.rebuilding").MeshWatch, "_note", refuse)


class StopError(Exception):
    """The user pressed Esc."""


def in_a_window(monkeypatch, between=lambda turn: None):
    """Make operators take their steps as in a window; something may happen after each, from 0 on."""

    def execute(self, context):
        def taking():
            steps, given = self.run(context), None
            try:
                for turn in itertools.count():
                    work = steps.send(given)
                    given = None if work is None else bridge("tasks.jobs").at_once(work)
                    between(turn)
            except StopIteration as end:
                return end.value
            finally:
                steps.close()

        try:
            return self._report_refusals(taking)
        except StopError:
            return {"CANCELLED"}

    monkeypatch.setattr(module("operators.long_operator").LongOperator, "execute", execute)


# --- a terrain with everything that a user may add ---


def lines_of(mesh):
    """Return where the middle of each edge lies, as shares of the terrain, and whether it runs along x."""
    ends = np.empty((len(mesh.edges), 2), np.int32)
    mesh.edges.foreach_get("vertices", ends.reshape(-1))
    places = np.empty(3 * len(mesh.vertices), np.float32)
    mesh.vertices.foreach_get("co", places)
    places = places.reshape(-1, 3)[:, :2]
    places = (places - places.min(axis=0)) / np.ptp(places, axis=0)
    first, second = places[ends[:, 0]], places[ends[:, 1]]
    return (first + second) / 2.0, np.isclose(first[:, 1], second[:, 1])


def marked(mesh):
    """Return which edges are seams, which are sharp, and the creases."""
    seams, sharp = (np.zeros(len(mesh.edges), np.bool_) for _ in range(2))
    mesh.edges.foreach_get("use_seam", seams)
    mesh.edges.foreach_get("use_edge_sharp", sharp)
    creases = np.zeros(len(mesh.edges), np.float32)
    if "crease_edge" in mesh.attributes:
        mesh.attributes["crease_edge"].data.foreach_get("value", creases)
    return seams, sharp, creases


def wanted_marks(mesh):
    """Return the marks that a terrain is given: a seam, a sharp line and a crease along grid lines."""
    middle, is_along_x = lines_of(mesh)
    seams = is_along_x & np.isclose(middle[:, 1], 0.5)
    sharp = ~is_along_x & np.isclose(middle[:, 0], 0.25) & (middle[:, 1] > 0.5)
    creases = np.where(is_along_x & np.isclose(middle[:, 1], 1.0), np.float32(0.5), np.float32(0.0))
    return seams, sharp, creases


def mark_edges(mesh):
    seams, sharp, creases = wanted_marks(mesh)
    mesh.edges.foreach_set("use_seam", seams)
    mesh.edges.foreach_set("use_edge_sharp", sharp)
    mesh.attributes.new("crease_edge", "FLOAT", "EDGE").data.foreach_set("value", creases)


def decorated():
    terrain = add_terrain(resolution=ROWS, size=100.0, height=20.0, noise="perlin", seed=1)
    mesh = terrain.data
    for name in ("rock", None, "snow"):
        mesh.materials.append(None if name is None else bpy.data.materials.new(name))
    for face in mesh.polygons:
        face.material_index = int(face.center.x > 0.0) + int(face.center.y > 20.0)
    terrain.material_slots[2].link = "OBJECT"
    terrain.material_slots[2].material = bpy.data.materials.new("ice")
    chance = np.random.default_rng(3)
    for name, kind, domain, field, width in (
        ("wet", "FLOAT", "POINT", "value", 1),
        ("tint", "FLOAT_COLOR", "CORNER", "color", 4),
        ("paint", "BYTE_COLOR", "POINT", "color", 4),
        ("kind", "INT", "FACE", "value", 1),
        ("wind", "FLOAT_VECTOR", "POINT", "vector", 3),
    ):
        mesh.attributes.new(name, kind, domain)
        data = mesh.attributes[name].data
        values = chance.random(len(data) * width) * (9.0 if kind == "INT" else 1.0)
        data.foreach_set(field, values.astype(np.int32 if kind == "INT" else np.float32))
    mesh.uv_layers.new(name="Second")
    data = mesh.attributes["Second"].data
    data.foreach_set("vector", chance.random(2 * len(data)).astype(np.float32))
    mesh.uv_layers.active = mesh.uv_layers["Second"]
    mesh.uv_layers["Second"].active_render = True
    mesh.attributes.active_color_name = "tint"
    mesh.attributes.new("label", "STRING", "POINT")  # cannot be carried over
    mark_edges(mesh)
    for name, share in (("other", 0.5), ("empty", 0.0), ("right", 0.75)):
        group = terrain.vertex_groups.new(name=name)
        count = int(share * ROWS * ROWS)
        if count:
            group.add(list(range(count)), share, "REPLACE")
    terrain.vertex_groups["right"].lock_weight = True
    terrain.vertex_groups.active_index = 1
    terrain.modifiers.new("smooth", "SMOOTH").vertex_group = "right"
    mesh["question"] = "?"
    mesh["answer"] = 42
    mesh.id_properties_ui("answer").update(description="of everything")
    mesh.use_mirror_x = True
    mesh.use_auto_texspace = False
    mesh.texspace_size = (3.0, 4.0, 5.0)
    mesh.remesh_voxel_size = 0.3
    mesh.use_fake_user = True
    mesh["answer"] = 41
    mesh.keyframe_insert('["answer"]', frame=1)
    driver = terrain.driver_add("location", 2).driver
    driver.type = "SCRIPTED"
    driver.expression = "value"
    variable = driver.variables.new()
    variable.name, variable.type = "value", "SINGLE_PROP"
    variable.targets[0].id_type = "MESH"
    variable.targets[0].id = mesh
    variable.targets[0].data_path = '["answer"]'
    other = bpy.data.objects.new("Other", mesh)
    bpy.context.scene.collection.objects.link(other)
    other.material_slots[0].link = "OBJECT"
    child = bpy.data.objects.new("Child", None)
    bpy.context.scene.collection.objects.link(child)
    child.parent = terrain
    child.select_set(True)
    bpy.context.view_layer.update()
    return terrain


def settings_of(mesh):
    """Return the properties of a mesh besides its geometry."""
    left_out = {"session_uid", "is_evaluated", "original", "tag", "is_runtime_data"}
    left_out.add("normals_domain")  # what it is comes of sharp edges, which are geometry
    plain = {"BOOLEAN", "INT", "FLOAT", "STRING", "ENUM"}
    counts = {key for key in mesh.bl_rna.properties.keys() if key.startswith("total_")}
    results = {}
    for prop in mesh.bl_rna.properties:
        name = prop.identifier
        if prop.type in plain and name not in left_out | counts:
            value = getattr(mesh, name)
            is_array = getattr(prop, "is_array", False) or isinstance(value, set)
            results[name] = str(list(value)) if is_array else value
    return results


def attributes_of(mesh):
    """Return all values on a mesh."""
    read = bridge("datablocks.meshes").read_values
    formats = bridge("datablocks.meshes").FORMATS
    return {
        attribute.name: (attribute.domain, attribute.data_type, read(attribute).tobytes())
        for attribute in mesh.attributes
        if attribute.data_type in formats
    } | {
        name: mesh.attributes[name].data.__len__()
        for name in (".edge_verts", ".corner_vert", ".corner_edge")
    }


def state_of(terrain):
    """Return everything that is the user's, and the geometry."""
    mesh = terrain.data
    read_weights = bridge("datablocks.vertex_groups").read_weights
    # Its own attribute of the reader is not the mesh's.
    groups = [
        (group.name, group.lock_weight, read_weights(mesh, group.name).tobytes())
        for group in terrain.vertex_groups
    ]
    objects = {
        obj.name: (
            obj.type,
            obj.data and obj.data.name,
            obj.select_get(),
            [(slot.link, slot.material and slot.material.name) for slot in obj.material_slots],
        )
        for obj in bpy.data.objects
    }
    action = mesh.animation_data.action
    return {
        "settings": settings_of(mesh),
        "attributes": attributes_of(mesh),
        "corners": [loop.vertex_index for loop in mesh.loops],
        "starts": [polygon.loop_start for polygon in mesh.polygons],
        "groups": groups,
        "active group": terrain.vertex_groups.active_index,
        "materials": [material and material.name for material in mesh.materials],
        "uv": ([layer.name for layer in mesh.uv_layers], mesh.uv_layers.active.name),
        "render": [layer.active_render for layer in mesh.uv_layers],
        "color": (mesh.attributes.active_color_name, mesh.attributes.default_color_name),
        "custom": {name: repr(mesh[name]) for name in mesh.keys()},
        "hint": mesh.id_properties_ui("answer").as_dict()["description"],
        "action": (action.name, action.users),
        "driver": terrain.animation_data.drivers[0].driver.variables[0].targets[0].id == mesh,
        "modifiers": [(modifier.name, modifier.vertex_group) for modifier in terrain.modifiers],
        "parent": bpy.data.objects["Child"].parent == terrain,
        "objects": objects,
        "active": bpy.context.view_layer.objects.active == terrain,
        "datablocks": {
            name: len(getattr(bpy.data, name))
            for name in ("meshes", "objects", "node_groups", "materials", "actions")
        },
    }


def differences(one, other):
    return [name for name in one if one[name] != other[name]]


# --- what stays ---


@pytest.mark.parametrize("resolution", [20, 65])
def test_in_steps_a_terrain_becomes_what_it_becomes_at_once(in_steps, resolution):
    keywords = {"resolution": resolution, "seed": 5}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bridge("terrain.rebuilding"), "SMALL", 1 << 30)
        terrain = decorated()
        settings_before = settings_of(terrain.data)
        assert bpy.ops.terrane.terrain_update(**keywords) == {"FINISHED"}
        expected = state_of(terrain)
    assert expected["groups"][2][1] and "label" not in terrain.data.attributes
    bpy.ops.wm.read_homefile(use_empty=True)
    no_other_way(in_steps)
    turns = []
    in_a_window(in_steps, turns.append)
    terrain = decorated()
    mesh, number = terrain.data, terrain.data.session_uid
    assert bpy.ops.terrane.terrain_update(**keywords) == {"FINISHED"}
    assert len(turns) > 40
    assert terrain.data is mesh and mesh.session_uid == number, "others may keep the mesh"
    assert bpy.data.objects["Other"].data == mesh and mesh.users == 3
    assert not mesh.validate(verbose=True)
    assert len(mesh.vertices) == resolution**2
    assert {face.material_index for face in mesh.polygons} == {0, 1, 2}
    assert differences(expected, state_of(terrain)) == []
    assert settings_of(mesh) == settings_before
    bpy.context.view_layer.update()
    highest = max(vertex.co.z for vertex in mesh.vertices)
    assert max(corner[2] for corner in bpy.data.objects["Other"].bound_box) == pytest.approx(
        highest
    )


def test_a_script_goes_the_same_way(in_steps):
    no_other_way(in_steps)
    terrain = decorated()
    assert bpy.ops.terrane.terrain_update(resolution=20) == {"FINISHED"}
    assert len(terrain.data.vertices) == 400 and terrain.vertex_groups["right"].lock_weight
    assert len(bpy.data.meshes) == 1 and not bpy.data.node_groups


def test_one_object_alone_follows_if_asked_to(in_steps):
    no_other_way(in_steps)
    in_a_window(in_steps)
    terrain = decorated()
    shared = terrain.data
    attributes_before = attributes_of(shared)
    assert bpy.ops.terrane.terrain_update(resolution=20, single_user=True) == {"FINISHED"}
    assert terrain.data is not shared and len(terrain.data.vertices) == 400
    assert bpy.data.objects["Other"].data is shared and attributes_of(shared) == attributes_before
    assert terrain.data["answer"] == shared["answer"]


def test_maps_of_the_new_grid_are_there(in_steps):
    keywords = {"resolution": ROWS, "preset": "alps", "size": 500.0, "maps": {"slope", "flow"}}
    bpy.ops.terrane.terrain_add(**keywords)
    expected, wanted = {}, None
    for is_window in (False, True):
        terrain = add_terrain(**keywords)
        terrain.vertex_groups.new(name="height")  # no map of that name can be stored
        with pytest.MonkeyPatch.context() as patch:
            if is_window:
                no_other_way(patch)
                in_a_window(patch)
            else:
                patch.setattr(bridge("terrain.rebuilding"), "SMALL", 1 << 30)
            update = {"resolution": 20, "maps": {"slope", "wear"}}
            assert bpy.ops.terrane.terrain_update(**update) == {"FINISHED"}
        found = attributes_of(terrain.data)
        record = bridge("terrain.map_layers").MapChoice.of(terrain.data)
        assert set(record.written) == {"slope", "wear"} and "flow" not in found
        if is_window:
            assert found == expected and record == wanted
        expected, wanted = found, record


def test_undo_brings_the_old_grid_back(in_steps):
    no_other_way(in_steps)
    terrain = decorated()
    bpy.ops.ed.undo_push(message="before")
    attributes_before = attributes_of(terrain.data)
    name = terrain.name
    assert bpy.ops.terrane.terrain_update("EXEC_DEFAULT", True, resolution=20) == {"FINISHED"}
    bpy.ops.ed.undo()
    terrain = bpy.data.objects[name]
    assert attributes_of(terrain.data) == attributes_before
    bpy.ops.ed.redo()
    assert len(bpy.data.objects[name].data.vertices) == 400


# --- Esc, and what happens meanwhile ---


def turns_of(keywords):
    """Return how many turns an update takes."""
    decorated()
    with pytest.MonkeyPatch.context() as patch:
        turns = []
        in_a_window(patch, turns.append)
        bpy.ops.terrane.terrain_update(**keywords)
    bpy.ops.wm.read_homefile(use_empty=True)
    return len(turns)


def test_esc_at_any_moment_leaves_everything_to_the_bit(in_steps):
    keywords = {"resolution": 20, "seed": 5}
    count = turns_of(keywords)
    terrain = decorated()
    state_before, settings = state_of(terrain), terrain.terrane.seed
    assert count > 40
    for last in {0, 1, 2, 5, 8, 13, 21, 34, *range(count - 4, count), count // 2}:
        with pytest.MonkeyPatch.context() as patch:

            def press(turn, last=last):
                if turn == last:
                    raise StopError

            no_other_way(patch)
            in_a_window(patch, press)
            assert bpy.ops.terrane.terrain_update(**keywords) == {"CANCELLED"}
        assert differences(state_before, state_of(terrain)) == [], f"after turn {last}"
        assert terrain.terrane.seed == settings
    handlers = bpy.app.handlers
    for one in (handlers.depsgraph_update_post, handlers.undo_post, handlers.redo_post):
        assert not any("watching" in function.__module__ for function in one)


@pytest.mark.slow
@pytest.mark.parametrize("change", ["attribute", "edit mode", "weights"])
def test_what_is_changed_meanwhile_counts(in_steps, change):
    count = turns_of({"resolution": 20})
    for late in (8, count // 2, count - 1):
        terrain = decorated()

        def happen(turn, late=late, terrain=terrain):
            if turn != late:
                return
            if change == "attribute":
                terrain.data.attributes.new("late", "FLOAT", "POINT")
            elif change == "weights":
                terrain.vertex_groups["empty"].add([0], 1.0, "REPLACE")
            else:
                bpy.ops.object.mode_set(mode="EDIT")
            bpy.context.view_layer.update()

        with pytest.MonkeyPatch.context() as patch:
            in_a_window(patch, happen)
            assert bpy.ops.terrane.terrain_update(resolution=20) == {"FINISHED"}
        assert (terrain.mode == "EDIT") == (change == "edit mode")
        if change == "edit mode":
            bpy.ops.object.mode_set(mode="OBJECT")
        mesh = terrain.data
        assert len(mesh.vertices) == 400 and not bpy.data.node_groups
        assert ("late" in mesh.attributes) == (change == "attribute")
        weights = bridge("datablocks.vertex_groups").read_weights(mesh, "empty")
        assert (weights[0] > 0.0) == (change == "weights")
        assert len(bpy.data.meshes) == 1
        bpy.ops.wm.read_homefile(use_empty=True)


def test_a_terrain_that_is_removed_meanwhile_is_noticed(in_steps):
    terrain = decorated()

    def remove(turn):
        if turn == 20:
            bpy.data.objects.remove(terrain)

    in_a_window(in_steps, remove)
    mesh = bpy.data.objects["Other"].data
    attributes_before = attributes_of(mesh)
    with pytest.raises(RuntimeError, match="removed meanwhile"):
        bpy.ops.terrane.terrain_update(resolution=20)
    assert attributes_of(mesh) == attributes_before
    assert len(bpy.data.meshes) == 1 and not bpy.data.node_groups


@pytest.mark.parametrize("is_own", [True, False], ids=["new mesh", "old mesh"])
def test_where_blender_does_not_evaluate_nothing_is_changed(in_steps, is_own):
    terrain = decorated()
    state_before = state_of(terrain)
    transfer = bridge("datablocks.evaluated_geometry")
    with pytest.MonkeyPatch.context() as patch:
        real = transfer.temporary_object

        def hidden(scene, mesh, graph):
            if is_own != (scene == bpy.context.scene):
                graph.results["Geometry"] = graph.node("GeometryNodeObjectInfo")["Geometry"]
            return real(scene, mesh, graph)

        patch.setattr(transfer, "temporary_object", hidden)
        with pytest.raises(RuntimeError, match="nothing was changed"):
            bpy.ops.terrane.terrain_update(resolution=20)
    assert differences(state_before, state_of(terrain)) == []


# --- live ---


@pytest.fixture
def dispatcher(in_steps, tick):
    """Return a dispatcher that takes one step in a turn, and whose time passes when told to."""
    live, cls = bridge("tasks.live"), bridge("tasks.queue").TaskQueue
    in_steps.setattr(bridge("tasks.queue"), "TURN", 0.0)

    class Still(cls):
        now = 0.0

        def __init__(self):
            super().__init__(clock=lambda: tick(self.now))

        def turn(self):
            """Take a turn, when the threads have ended."""
            self.step()
            self.now += 0.01
            if self.run is not None and self.run.job is not None:
                self.run.job.wait(30.0)

    own = Still()
    in_steps.setattr(live, "queue", own)
    yield own
    own.clear()


def test_live_a_terrain_gets_another_resolution_step_by_step(dispatcher, in_steps):
    no_other_way(in_steps)
    terrain = decorated()
    attributes_before = attributes_of(terrain.data)
    bpy.data.objects.remove(bpy.data.objects["Other"])
    terrain.terrane.resolution, turns = 20, 0
    while not dispatcher.is_idle:
        if len(terrain.data.vertices) != 400:
            assert attributes_of(terrain.data) == attributes_before
        dispatcher.turn()
        turns += 1
        assert turns < 500
    assert turns > 40 and len(terrain.data.vertices) == 400 and len(bpy.data.meshes) == 1
    assert terrain.terrane.built_rows == 20 and terrain.vertex_groups["right"].lock_weight
    assert bridge("tasks.jobs").running() is None


@pytest.mark.parametrize("change", ["settings", "edit mode", "other work", "gone"])
def test_live_writing_is_given_up_for_what_is_newer(dispatcher, jobs, change):
    terrain = decorated()
    bpy.data.objects.remove(bpy.data.objects["Other"])
    attributes_before = attributes_of(terrain.data)
    terrain.terrane.resolution = 20
    while len(bpy.data.meshes) < 2:
        dispatcher.turn()
    for _ in range(5):
        dispatcher.turn()
    mesh = terrain.data
    (aside,) = {one.session_uid for one in bpy.data.meshes} - {mesh.session_uid}
    if change == "settings":
        dispatcher.now += 1.0
        terrain.terrane.resolution = 25
    elif change == "edit mode":
        bpy.ops.object.mode_set(mode="EDIT")
    elif change == "other work":
        other = jobs.start("Other", lambda progress, cancel: None)
    else:
        bpy.data.objects.remove(terrain)
    dispatcher.turn()
    assert aside not in {one.session_uid for one in bpy.data.meshes}, "something is left of it"
    if change == "gone":
        return
    if change == "edit mode":
        bpy.ops.object.mode_set(mode="OBJECT")
    elif change == "other work":
        jobs.end(other)
    assert attributes_of(mesh) == attributes_before or change == "edit mode"
    while not dispatcher.is_idle:
        dispatcher.turn()
    assert len(mesh.vertices) == (625 if change == "settings" else 400)
    assert len(bpy.data.meshes) == 1


# --- how much is done in one step ---


class Counted:
    """Note in each turn the calls whose time in Blender grows with a mesh."""

    OURS = ("add_attribute", "_add_uv_map", "new_grid", "replace_geometry")
    """Functions that give a mesh room, or make it copy what it shares."""

    def __init__(self):
        self.turns = [[]]

    def __call__(self, frame, event, function):
        if event == "c_call" and function.__name__ in ("foreach_set", "foreach_get"):
            self.turns[-1].append((function.__name__, len(function.__self__)))
        elif event == "call" and frame.f_globals.get("__name__", "").startswith(PACKAGE):
            name = frame.f_code.co_qualname
            if name in self.OURS:
                self.turns[-1].append((name, 0))

    def next(self, turn):
        self.turns.append([])


def test_each_step_does_one_long_thing_at_most(in_steps):
    no_other_way(in_steps)
    decorated()
    counted = Counted()
    in_a_window(in_steps, counted.next)
    sys.setprofile(counted)
    try:
        bpy.ops.terrane.terrain_update(resolution=65)
    finally:
        sys.setprofile(None)
    several = [turn for turn in counted.turns if len(turn) > 1]
    assert several == []
    seen = {name for turn in counted.turns for name, _ in turn}
    assert {"foreach_set", "foreach_get", "add_attribute", "_add_uv_map", "new_grid"} < seen
    assert ("foreach_set", 64 * 64 * 4) in {one for turn in counted.turns for one in turn}
    assert counted.turns[-1] == [("replace_geometry", 0)], "the last step only hands over"


def test_only_the_attribute_that_is_read_is_looked_up(terrane):
    """Older versions copy an attribute that they share as soon as it is looked up."""

    class Attributes(list):
        def get(self, name):
            raise AssertionError(name)

        __getitem__ = get

    class Attribute:
        data_type, is_internal = "FLOAT", False

        def __init__(self, name):
            self.name = name

    class Mesh:
        attributes = Attributes(map(Attribute, ("position", "own", "ours")))

    assert bridge("datablocks.meshes").layer_names(Mesh, ("ours",)) == (("own",), ())


def test_weights_are_written_in_small_portions(terrane):
    weights = bridge("datablocks.vertex_groups")
    values = np.zeros(3 * weights.MANY + 17, np.float32)
    values[5:] = 0.25
    values[: weights.MANY : 2] = 0.75
    written = np.zeros(len(values), np.float32)
    counts = []

    class Group:
        def add(self, members, weight, how):
            counts.append(len(members))
            written[members] = weight

    taken = bridge("terrain.rebuilding").write_weights(Group, values)
    work, seen = next(taken), []
    levels = work(lambda share: None, lambda: False)
    taken.send(levels)
    seen.append(len(counts))
    for _ in taken:
        seen.append(len(counts))
    assert seen == list(range(1, len(counts) + 1)), "more than one portion in a step"
    assert max(counts) == weights.MANY
    np.testing.assert_array_equal(written, values)


# --- seams, sharp edges and creases ---


@pytest.mark.parametrize("rows", [17, 65, 129, 97])
def test_marked_edges_follow_to_another_resolution(terrane, capfd, rows):
    terrain = add_terrain(resolution=ROWS, noise="perlin")
    mark_edges(terrain.data)
    assert bpy.ops.terrane.terrain_update(resolution=rows) == {"FINISHED"}
    assert len(terrain.data.vertices) == rows * rows
    for name, made, expected in zip(
        ("seams", "sharp edges", "creases"),
        marked(terrain.data),
        wanted_marks(terrain.data),
        strict=True,
    ):
        np.testing.assert_array_equal(made, expected, name)
    assert "carried over" not in "".join(capfd.readouterr())


def test_marked_edges_without_a_counterpart_are_named(terrane, capfd):
    terrain = add_terrain(resolution=ROWS, noise="perlin")
    mark_edges(terrain.data)
    assert bpy.ops.terrane.terrain_update(resolution=50) == {
        "FINISHED"
    }  # lines meet at the border alone
    said = "".join(capfd.readouterr())
    assert "Could not be carried over: " in said
    for name in ("uv_seam", "sharp_edge"):
        assert f"{name} of some edges" in said
    assert "crease_edge" not in said
    seams, sharp, creases = marked(terrain.data)
    assert not seams.any() and not sharp.any()
    np.testing.assert_array_equal(creases, wanted_marks(terrain.data)[2])


def test_an_edge_is_marked_where_all_that_it_covers_are(terrane):
    resampling = module("noise_core.landscapes.grid_meshes.regular_grid")
    topology = resampling.Topology
    old, new = topology(5, 9), topology(3, 5)
    values = np.zeros((old.edges, 1), np.bool_)
    values[[0, 1, 2, 9, 10]] = (
        True  # on the first line both halves of one edge, and half of another; none on the next
    )
    carried = resampling.resample_layer(values, "EDGE", old, new)
    assert np.flatnonzero(carried).tolist() == [0]
    assert not resampling.all_edges_remain(values, old, new)
    finer = topology(9, 17)
    assert resampling.all_edges_remain(values, old, finer)
    back = resampling.resample_layer(
        resampling.resample_layer(values, "EDGE", old, finer), "EDGE", finer, old
    )
    np.testing.assert_array_equal(back, values)


def test_marked_edges_come_back_with_undo(terrane):
    bpy.ops.terrane.terrain_add(resolution=ROWS, noise="perlin")
    mark_edges(bpy.context.active_object.data)
    bpy.ops.ed.undo_push(message="marked")
    assert bpy.ops.terrane.terrain_update("EXEC_DEFAULT", True, resolution=50) == {"FINISHED"}
    bpy.ops.ed.undo_push(message="updated")
    bpy.ops.ed.undo()
    mesh = bpy.context.active_object.data
    for made, expected in zip(marked(mesh), wanted_marks(mesh), strict=True):
        np.testing.assert_array_equal(made, expected)
