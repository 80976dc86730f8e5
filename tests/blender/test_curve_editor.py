# SPDX-License-Identifier: GPL-3.0-or-later
"""The widget for the points of a curve: in step with the settings, both ways, through undo and files."""

from __future__ import annotations

import bpy
import numpy as np
import pytest

from tests.blender.extension import module
from tests.blender.helpers import add_terrain


@pytest.fixture
def editor(terrane):
    yield module("operators.bridge.schema.curve_editor")
    module("operators.bridge.schema.curve_editor").remove()


@pytest.fixture
def group(editor):
    settings = module("operators.bridge.schema.settings")
    settings.write_preset(bpy.context.scene.terrane, "none")
    bpy.ops.terrane.element_add(type="curve")
    return bpy.context.scene.terrane


def shown(editor, group):
    """Return the points of the widget after it had time to follow."""
    editor.synchronize(group)
    return editor.editor_of(editor.curves_of(group)[0]).mapping.curves[0].points


def curve(group):
    return module("operators.bridge.schema.settings").read(group).layers[0].noise.source


def places(points):
    return [tuple(round(float(one), 5) for one in point.location) for point in points]


def test_a_new_curve_is_drawn_as_the_core_has_it(editor, group):
    points = shown(editor, group)
    assert {one.handle_type for one in points} == {"AUTO"}
    for point, place in zip(points, ((-1.0, -0.5), (0.1, 0.6), (1.0, 0.2))):
        point.location = place
    points.new(0.5, 0.9)
    editor.synchronize(group)
    noise = curve(group)
    assert len(noise.points) == 4 and noise.interpolation == "automatic"
    mapping = editor.editor_of(editor.curves_of(group)[0]).mapping
    xs = np.linspace(-1.2, 1.2, 401, dtype=np.float32)
    drawn = [mapping.evaluate(mapping.curves[0], float(x)) for x in xs]
    field = xs.copy()
    noise.change(field)
    np.testing.assert_allclose(field, drawn, rtol=0, atol=1e-4)


def test_both_ways(editor, group):
    own = group.layers[0].chain[1].curve
    points = shown(editor, group)
    assert places(points) == [(-1.0, -1.0), (0.0, -0.4), (1.0, 1.0)]
    own.points[1].position = (0.25, 0.5)
    assert places(shown(editor, group))[1] == (0.25, 0.5)
    points = shown(editor, group)
    points[1].location = (-0.5, 0.75)
    points.new(0.5, 0.9)
    editor.synchronize(group)
    assert [tuple(point) for point in curve(group).points] == [
        *((-1.0, -1.0), (-0.5, 0.75), (0.5, 0.9), (1.0, 1.0))
    ]
    own.interpolation = "linear"
    assert {one.handle_type for one in shown(editor, group)} == {"VECTOR"}
    for one in shown(editor, group):
        one.handle_type = "AUTO"
    editor.synchronize(group)
    assert own.interpolation == "automatic"


def test_points_that_are_no_curve_are_left_to_the_settings(editor, group):
    curve_before = curve(group)
    points = shown(editor, group)
    points[1].location = points[0].location
    editor.synchronize(group)
    assert curve(group) == curve_before
    assert places(shown(editor, group)) == [tuple(point) for point in curve_before.points]


def test_undo_brings_both_back(editor, group):
    bpy.ops.ed.undo_push(message="before")
    shown(editor, group)
    bpy.ops.ed.undo_push(message="shown")
    shown(editor, group)[1].location = (0.25, 0.75)
    bpy.ops.ed.undo_push(message="the widget was used")
    editor.synchronize(bpy.context.scene.terrane)
    assert curve(bpy.context.scene.terrane).points[1] == (0.25, 0.75)
    bpy.context.scene.terrane.seed = 5
    bpy.ops.ed.undo_push(message="another setting")
    bpy.ops.ed.undo()
    group = bpy.context.scene.terrane
    assert places(shown(editor, group))[1] == (0.25, 0.75) == curve(group).points[1]
    bpy.ops.ed.undo()
    group = bpy.context.scene.terrane
    assert places(shown(editor, group))[1] == (0.0, -0.4) == curve(group).points[1]
    bpy.ops.ed.redo()
    group = bpy.context.scene.terrane
    assert places(shown(editor, group))[1] == (0.25, 0.75) == curve(group).points[1]


def test_it_goes_with_the_active_element_and_with_the_file(editor, group, tmp_path):
    assert shown(editor, group)
    assert sum(one.name == editor.GROUP for one in bpy.data.node_groups) == 1
    group.layers[0].active_element = 0
    editor.synchronize(group)
    assert editor.GROUP not in bpy.data.node_groups
    group.layers[0].active_element = 1
    shown(editor, group)[1].location = (0.25, 0.75)
    editor.synchronize(group)
    path = str(tmp_path / "curve.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    assert editor.GROUP not in bpy.data.node_groups
    assert places(shown(editor, bpy.context.scene.terrane))[1] == (0.25, 0.75)


def test_copies_have_curves_of_their_own(editor, group):
    bpy.ops.terrane.layer_duplicate()
    shown(editor, group)[1].location = (0.25, 0.75)
    editor.synchronize(group)
    read = module("operators.bridge.schema.settings").read(group).layers
    assert read[1].noise.source.points[1] == (0.25, 0.75)
    assert read[0].noise.source.points[1] == (0.0, -0.4)
    obj = add_terrain(from_panel=True, resolution=9)
    obj.terrane.layers[0].active_element = 1
    shown(editor, obj.terrane)[1].location = (-0.5, 0.5)
    editor.synchronize(obj.terrane)
    assert module("operators.bridge.schema.settings").read(group).layers == read
    copy = obj.copy()
    bpy.context.collection.objects.link(copy)
    assert places(shown(editor, copy.terrane))[1] == (-0.5, 0.5)
