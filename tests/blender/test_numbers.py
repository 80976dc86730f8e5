# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers that differ by orders of magnitude: their steps, and how they are scaled."""

from __future__ import annotations

import bpy
import pytest

from tests.blender.extension import module


@pytest.fixture
def settings(terrane):
    return bpy.context.scene.terrane


@pytest.mark.parametrize(("name", "count"), [("height", 6), ("size", 8)])
def test_a_drag_of_a_field_suits_most_landforms(settings, name, count):
    """By a quarter to a half in 100 pixels; one step cannot suit both 12 and 2,600 meters."""
    library = module("noise_core.landscapes.preset_library")
    known = [library.preset(one) for one in library.shipped_names()]
    numbers = [getattr(one.recipe, name) for one in known if one.group == "landforms"]
    change = 100.0 * settings.bl_rna.properties[name].step / 100.0
    assert sum(0.25 <= change / number <= 0.5 for number in numbers) >= count
    assert 0.25 <= change / getattr(settings, name) <= 0.5, "the default preset"


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [("height", 12.0, 16.0), ("height", 2600.0, 3470.0), ("size", 24000.0, 32000.0)],
)
def test_any_number_is_scaled(settings, name, before, after):
    setattr(settings, name, before)
    bpy.ops.terrane.number_scale(name=name, factor=4.0 / 3.0)
    assert getattr(settings, name) == after
    bpy.ops.terrane.number_scale(name=name, factor=1.0)
    assert getattr(settings, name) == after


def test_an_integer_stays_one_within_its_limits(settings):
    settings.resolution = 512
    bpy.ops.terrane.number_scale(name="resolution", factor=4.0 / 3.0)
    assert settings.resolution == 683
    bpy.ops.terrane.number_scale(name="resolution", factor=1e6)
    assert settings.resolution == 16384
    bpy.ops.terrane.number_scale(name="resolution", factor=1e-6)
    assert settings.resolution == 2


def test_a_height_of_0_can_be_scaled_away_from_it(settings):
    settings.height = 0.0
    bpy.ops.terrane.number_scale(name="height", factor=1.0)
    assert settings.height == 0.0
    bpy.ops.terrane.number_scale(name="height", factor=2.0)
    assert settings.height == 40.0


def test_it_changes_the_active_terrain(settings):
    bpy.ops.terrane.terrain_add(preset="dunes", resolution=17)
    terrain, height_before = bpy.context.active_object, settings.height
    first = terrain.terrane.height
    bpy.ops.terrane.number_scale(name="height", factor=2.0)
    assert terrain.terrane.height == 2.0 * first != 0.0 and settings.height == height_before
