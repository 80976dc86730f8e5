# SPDX-License-Identifier: GPL-3.0-or-later
"""Files of later versions: what this version does not know is kept, named, and saved again as it was."""

from __future__ import annotations

import json
import re

import bpy
import numpy as np
import pytest

from tests.blender.extension import module
from tests.blender.helpers import heights


def reopen(tmp_path):
    """Save the file and open it again."""
    path = tmp_path / "later.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path), check_existing=False)
    bpy.ops.wm.open_mainfile(filepath=str(path))


def activate(name):
    terrain = bpy.data.objects[name]
    bpy.context.view_layer.objects.active = terrain
    return terrain


@pytest.fixture
def later(terrane, tmp_path):
    """Open a file with two terrains: one has a noise of an unknown type, the other such a modifier."""
    for name in ("Unknown Noise", "Unknown Modifier"):
        bpy.ops.terrane.terrain_add(preset="none", resolution=17)
        bpy.context.active_object.name = name
    element = bpy.data.objects["Unknown Noise"].terrane.layers[0].chain[0]
    element.type, text = KEPT["noise"]
    element.text = json.dumps(text)
    for _ in range(2):
        bpy.ops.terrane.layer_add(type="blur")
    layer = bpy.data.objects["Unknown Modifier"].terrane.layers[1]
    layer.type, layer.name, layer.text = KEPT["type"], KEPT["name"], json.dumps(KEPT["text"])
    reopen(tmp_path)


def unknown_state():
    """Return all that is stored of what nobody knows."""
    first, second = bpy.data.objects["Unknown Noise"], bpy.data.objects["Unknown Modifier"]
    element, entry = first.terrane.layers[0].chain[0], second.terrane.layers[1]
    return {
        "noise": (element.type, json.loads(element.text)),
        "type": entry.type,
        "name": entry.name,
        "text": json.loads(entry.text),
        "count": len(second.terrane.layers),
    }


KEPT = {
    "noise": ("noise_of_tomorrow", {"depth": 3.5}),
    "type": "modifier_of_tomorrow",
    "name": "Glaciers",
    "text": {"speed": 2.0},
    "count": 3,
}


def test_what_nobody_knows_is_kept_and_saved_again(later, tmp_path):
    assert unknown_state() == KEPT
    for _ in range(2):
        reopen(tmp_path)
        assert unknown_state() == KEPT


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("Unknown Noise", "Update Terrane or remove .*: the type of its noise is unknown"),
        (
            "Unknown Modifier",
            "Update Terrane or remove Glaciers from the list: its type is unknown",
        ),
    ],
)
def test_it_is_said_and_noterrain_is_made_anew(later, name, reason):
    terrain = activate(name)
    heights_before = heights(terrain)
    assert re.search(
        reason, module("operators.bridge.schema.settings").why_unreadable(terrain.terrane)
    )
    assert not bpy.ops.terrane.terrain_update.poll()
    with pytest.raises(RuntimeError, match=reason):
        bpy.ops.terrane.terrain_update()
    with pytest.raises(RuntimeError, match="unknown|must be one of"):
        bpy.ops.terrane.terrain_add(from_panel=True, resolution=9)
    np.testing.assert_array_equal(heights(terrain), heights_before)
    assert len(bpy.data.objects) == 2 and unknown_state() == KEPT


def test_work_on_the_rest_of_the_stack_keeps_it(later):
    terrain = activate("Unknown Modifier")
    bpy.ops.terrane.layer_add(type="terraces")
    terrain.terrane.active_layer = 2
    bpy.ops.terrane.layer_move(direction="DOWN")
    assert [entry.type for entry in list(terrain.terrane.layers)[1:]] == [
        *("blur", "modifier_of_tomorrow", "terraces")
    ]
    assert json.loads(terrain.terrane.layers[2].text) == KEPT["text"]


def test_once_it_is_removed_the_terrain_can_be_made_anew(later):
    terrain = activate("Unknown Modifier")
    terrain.terrane.active_layer = 1
    bpy.ops.terrane.layer_remove()
    assert bpy.ops.terrane.terrain_update() == {"FINISHED"}
    bpy.ops.ed.undo_push(message="removed")
    other = activate("Unknown Noise")
    bpy.ops.terrane.preset_load(preset="none")
    assert module("operators.bridge.schema.settings").why_unreadable(other.terrane) == ""
    assert bpy.ops.terrane.terrain_update() == {"FINISHED"}


def test_the_panel_draws_a_box_about_it(later):
    """Drawn on a stand-in: Blender's module has no window."""

    class Layout:
        def __init__(self, lines):
            self.lines, self.alert = lines, False

        def box(self):
            return self

        def column(self, **options):
            return self

        def label(self, *, text, icon, translate):
            self.lines.append((text, icon))

    draw = module("ui.live").draw_unknown
    for name in ("Unknown Noise", "Unknown Modifier"):
        lines = []
        draw(Layout(lines), bpy.context, bpy.data.objects[name].terrane)
        assert lines[0][1] == "ERROR" and len(lines) > 1
        text = " ".join(line for line, _ in lines)
        assert text == module("operators.bridge.schema.settings").why_unreadable(
            bpy.data.objects[name].terrane
        )
    lines = []
    draw(Layout(lines), bpy.context, bpy.context.scene.terrane)
    assert lines == []


def stored(owner):
    """Return the settings as Blender stores them: custom properties, since 5.0 system properties."""
    has_system = hasattr(owner, "bl_system_properties_get")
    return (owner.bl_system_properties_get() if has_system else owner)["terrane"]


def mark(owner):
    """Store values under names that this version does not declare, in all kinds of groups."""
    group = stored(owner)
    group["of_tomorrow"] = {"number": 3, "text": "kept", "list": [1.5, 2.5]}
    for layer in group["layers"]:
        layer["of_tomorrow"] = 7
        for element in layer.get("chain", ()):
            element["of_tomorrow"] = 0.25


def marks(owner):
    group = stored(owner)
    return (
        json.dumps(group["of_tomorrow"].to_dict()),
        [layer["of_tomorrow"] for layer in group["layers"]],
        [one["of_tomorrow"] for layer in group["layers"] for one in layer.get("chain", ())],
    )


def test_properties_that_are_not_declared_are_kept_and_saved_again(terrane, tmp_path):
    bpy.ops.terrane.terrain_add(preset="alps", resolution=17)
    bpy.context.active_object.name = "Terrain"
    bpy.ops.terrane.image_new(name="Image", width=8, height=8)
    bpy.data.images["Image"].use_fake_user = True

    def owners():
        return bpy.data.objects["Terrain"], bpy.data.images["Image"], bpy.context.scene

    for owner in owners():
        mark(owner)
    expected = [marks(owner) for owner in owners()]
    assert all(layers for _, layers, _ in expected) and any(chains for _, _, chains in expected)
    for _ in range(2):
        reopen(tmp_path)
        module("operators.bridge.tasks.live").update_now()
        assert [marks(owner) for owner in owners()] == expected


def test_changed_settings_keep_what_is_not_declared(terrane):
    bpy.ops.terrane.terrain_add(preset="alps", resolution=17)
    terrain = bpy.context.active_object
    mark(terrain)
    expected = marks(terrain)
    terrain.terrane.height = 12.0
    terrain.terrane.layers[0].opacity = 0.5
    module("operators.bridge.tasks.live").update_now()
    assert marks(terrain) == expected
    assert bpy.ops.terrane.terrain_update() == {"FINISHED"}
    assert marks(terrain) == expected


def test_what_is_not_declared_stands_for_no_other_layers(terrane):
    bpy.ops.terrane.terrain_add(preset="alps", resolution=17)
    terrain = bpy.context.active_object
    mark(terrain)
    bpy.ops.terrane.preset_load(preset="island")
    group = stored(terrain)
    assert not any("of_tomorrow" in layer for layer in group["layers"])
    assert group["of_tomorrow"]["number"] == 3
