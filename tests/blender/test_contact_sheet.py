# SPDX-License-Identifier: GPL-3.0-or-later
"""A contact sheet: nine recipes with pictures, one of which is taken."""

from __future__ import annotations

from types import SimpleNamespace

import bpy
import numpy as np
import pytest

from tests.blender.extension import module
from tests.blender.helpers import add_terrain
from tests.blender.panels import RecordingLayout

KINDS = ("seeds", "variations")


def sheet():
    return module("operators.bridge.textures.recipe_preview").present_sheet


def read(group):
    return module("operators.bridge.schema.settings").read(group)


def picture(place: int) -> np.ndarray:
    preview = module("operators.bridge.interface.thumbnails")._collection[f"sheet {place}"]
    assert tuple(preview.image_size) == (128, 128)
    return np.array(preview.image_pixels_float[:]).reshape(128, 128, 4)


@pytest.fixture(autouse=True)
def no_sheet(terrane):
    module("operators.bridge.textures.recipe_preview").forget_sheet()
    bpy.ops.terrane.preset_load(preset="none")


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_nine_different_pictures(terrane, kind):
    assert bpy.ops.terrane.contact_sheet(kind=kind) == {"FINISHED"}
    pictures = [picture(place) for place in range(9)]
    assert all(one[..., :3].std() > 0.03 and (one[..., 3] == 1.0).all() for one in pictures)
    assert all(abs(pictures[i] - pictures[j]).max() > 0.1 for i in range(9) for j in range(i))


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_taking_one_writes_it_into_the_settings(terrane, kind):
    group = bpy.context.scene.terrane
    bpy.ops.terrane.contact_sheet(kind=kind, roll=2)
    expected = sheet().entries[7].recipe
    assert read(group) != expected
    assert bpy.ops.terrane.contact_sheet_take(index=7) == {"FINISHED"}
    assert read(group) == expected
    bpy.ops.terrane.contact_sheet_take(index=0)
    assert read(group) == sheet().entries[0].recipe


@pytest.mark.slow
def test_pictures_show_what_would_be_taken(terrane):
    bpy.ops.terrane.contact_sheet(kind="variations")
    drawn = picture(3)
    bpy.ops.terrane.contact_sheet_take(index=3)
    pictures = module("operators.bridge.textures.recipe_pictures")
    order = pictures.order_of(bpy.context, bpy.context.scene.terrane)
    again = module("operators.bridge.tasks.jobs").at_once(pictures.work(order))
    assert np.allclose(again, drawn[..., :3], atol=0.6 / 255)


@pytest.mark.slow
def test_rolling_again_gives_others(terrane):
    bpy.ops.terrane.contact_sheet(kind="seeds", roll=0)
    first = {entry.recipe.seed for entry in sheet().entries}
    bpy.ops.terrane.contact_sheet(kind="seeds", roll=1)
    assert not first & {entry.recipe.seed for entry in sheet().entries}


@pytest.mark.slow
def test_a_terrains_sheet_changes_the_terrain_it_was_made_for(terrane):
    bpy.ops.terrane.terrain_add(preset="none", resolution=17)
    terrain, scene = bpy.context.active_object, read(bpy.context.scene.terrane)
    bpy.ops.terrane.contact_sheet(kind="seeds")
    bpy.context.view_layer.objects.active = None
    bpy.ops.terrane.contact_sheet_take(index=1)
    assert terrain.terrane.seed == sheet().entries[1].recipe.seed
    assert read(bpy.context.scene.terrane) == scene


@pytest.mark.slow
def test_layers_masks_and_what_is_alone_stay(terrane):
    terrain = add_terrain(preset="alps", resolution=17)
    bpy.ops.terrane.layer_add(type="value")
    terrain.terrane.layers[-1].name = "Mine"
    states_before = module("operators.bridge.schema.settings").states(terrain.terrane)
    bpy.ops.terrane.contact_sheet(kind="variations")
    bpy.ops.terrane.contact_sheet_take(index=2)
    assert module("operators.bridge.schema.settings").states(terrain.terrane) == states_before
    assert terrain.terrane.layers[-1].name == "Mine"


def test_it_is_undone_in_one_step(terrane):
    group = bpy.context.scene.terrane
    bpy.ops.terrane.contact_sheet(kind="seeds")
    bpy.ops.ed.undo_push(message="before")
    old = group.seed
    bpy.ops.terrane.contact_sheet_take("EXEC_DEFAULT", True, index=4)
    assert bpy.context.scene.terrane.seed == sheet().entries[4].recipe.seed != old
    bpy.ops.ed.undo()
    assert bpy.context.scene.terrane.seed == old


def test_without_a_sheet_or_beyond_it_nothing_is_taken(terrane):
    with pytest.raises(RuntimeError, match="Make a contact sheet first"):
        bpy.ops.terrane.contact_sheet_take(index=0)
    bpy.ops.terrane.contact_sheet()
    with pytest.raises(RuntimeError, match=r"index must be in \[0, 8\]; got 9"):
        bpy.ops.terrane.contact_sheet_take(index=9)


def test_what_is_gone_is_told(terrane):
    bpy.ops.terrane.terrain_add(preset="none", resolution=17)
    bpy.ops.terrane.contact_sheet()
    bpy.data.objects.remove(bpy.context.active_object)
    with pytest.raises(RuntimeError, match="are gone"):
        bpy.ops.terrane.contact_sheet_take(index=0)


def test_labels_fit_on_a_button_and_all_differences_are_told(terrane):
    bpy.ops.terrane.contact_sheet(kind="variations")
    for place in range(9):
        assert 0 < len(sheet().label(place)) <= 30
        assert sheet().differences(place).count(",") == len(sheet().entries[place].changes) - 1


class ButtonsLayout(RecordingLayout):
    """Stand-in for a layout that lists the buttons and pictures in their order, with their looks."""

    def __setattr__(self, name, value):
        self.__dict__[name] = value

    def _part(self, *arguments, **options):
        return ButtonsLayout(self.shown)

    row = column = grid_flow = _part

    def operator(self, name, **options):
        button = SimpleNamespace()
        self.shown.append((name, button, getattr(self, "ui_units_y", None), self.__dict__))
        return button

    def template_icon(self, icon_value, scale=1.0):
        self.shown.append(("icon", icon_value, scale))

    def label(self, **options):
        """Accept a text."""


def test_a_button_lies_below_each_picture(terrane):
    """A window test clicks on all of them; this is for versions without a window here."""
    bpy.ops.terrane.contact_sheet(kind="seeds")
    drawn = []
    panel = module("ui.presets").TERRANE_PT_contact_sheet
    panel.draw(SimpleNamespace(layout=ButtonsLayout(drawn)), bpy.context)
    takes = drawn[0:18:2]
    assert [name for name, *_ in takes] == ["terrane.contact_sheet_take"] * 9
    assert [button.index for _, button, *_ in takes] == list(range(9))
    for (_, _, room, looks), (name, _, scale) in zip(takes, drawn[1:18:2]):
        assert name == "icon" and 0.0 < room < 0.01 and looks["scale_y"] >= scale
