# SPDX-License-Identifier: GPL-3.0-or-later
"""The panel Export: its settings reach the file, and its place is by use."""

from __future__ import annotations

import json

import bpy
import numpy as np
import pytest

from tests.blender.extension import module
from tests.blender.helpers import add_terrain
from tests.blender.panels import shown_by

TERRAIN = {"resolution": 33, "size": 640.0, "height": 90.0}


@pytest.fixture
def settings(terrain):
    group = bpy.context.scene.terrane_export
    group.target, group.samples, group.value_range = "png16", 0, "as_is"
    yield group
    group.target, group.samples, group.value_range = "png16", 0, "as_is"


def export(path, **keywords):
    keywords = {"from_panel": True, **keywords}
    return bpy.ops.terrane.heightmap_export(filepath=str(path), **keywords)


def test_the_settings_of_the_panel_reach_the_file(settings, tmp_path):
    settings.target, settings.samples = "unity", 65
    settings.target_unity.byte_order = "mac"
    settings.value_range, settings.low, settings.high = "meters", -300.0, 300.0
    assert export(tmp_path / "land") == {"FINISHED"}
    says = json.loads((tmp_path / "land.raw.json").read_text(encoding="utf-8"))
    assert says["target"] == "unity" and says["options"]["byte_order"] == "mac"
    assert says["samples"] == [65, 65] and says["offset"] == -300.0


def test_given_keywords_win_over_the_panel(settings, tmp_path):
    settings.target, settings.samples = "unity", 65
    assert export(tmp_path / "land", target="npy", samples=17) == {"FINISHED"}
    assert np.load(tmp_path / "land.npy").shape == (17, 17)


def test_scripts_take_nothing_from_the_panel(settings, tmp_path):
    settings.target, settings.samples = "npy", 65
    assert export(tmp_path / "land.npy", from_panel=False, target="npy") == {"FINISHED"}
    assert np.load(tmp_path / "land.npy").shape == (33, 33)


@pytest.mark.parametrize("target", ["unity", "geotiff", "mujoco", "terrarium", "npy"])
def test_the_panel_shows_the_fields_that_matter(settings, target):
    settings.target = target
    shown = shown_by(module("ui.erosion").TERRANE_PT_export)
    names = {name for name in shown if isinstance(name, tuple)}
    assert {("TERRANE_PG_export", name) for name in ("target", "samples", "value_range")} <= names
    assert ("TERRANE_PG_export", "low") not in names
    assert "terrane.heightmap_export" in shown
    _, declared = module("operators.bridge.exchange.target_settings").TARGETS.part(settings, target)
    group = f"TERRANE_PG_target_{target}"
    usual = [one for one in declared if one.is_visible(getattr(settings, f"target_{target}"))]
    assert {(group, one.name) for one in usual if not one.advanced} <= names


def test_samples_that_are_not_told_are_said(settings):
    settings.target = "unreal"
    shown = shown_by(module("ui.erosion").TERRANE_PT_export)
    text = " ".join(label[1] for label in shown if isinstance(label, tuple) and label[0] == "label")
    assert "505" in text, text


def test_import_stands_beside_add(terrain):
    shown = shown_by(module("ui.viewport").TERRANE_PT_terrain)
    assert {"terrane.terrain_add", "terrane.heightmap_import"} <= shown


def test_panels_stand_in_the_order_of_use(terrane):
    add_terrain(**TERRAIN)
    names = ("viewport", "landscape", "erosion", "motion")
    viewport, landscape, erosion, motion = (module(f"ui.{name}") for name in names)
    order = [
        viewport.TERRANE_PT_terrain_preview, viewport.TERRANE_PT_terrain_noise,
        viewport.TERRANE_PT_terrain_measures, viewport.TERRANE_PT_terrain_layers,
        viewport.TERRANE_PT_terrain_layer, landscape.TERRANE_PT_landscape,
        erosion.TERRANE_PT_export,
    ]  # fmt: skip
    places = [panel.bl_order for panel in order]
    assert places == sorted(set(places))
    for panel in (erosion.TERRANE_PT_maps, motion.TERRANE_PT_motion):
        assert panel.bl_order > places[-1]
