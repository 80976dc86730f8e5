# SPDX-License-Identifier: GPL-3.0-or-later
"""A number that follows something has a switch *Auto* and says what it is now; lengths are in meters."""

from __future__ import annotations

import bpy
import pytest

from tests.blender.extension import module
from tests.blender.panels import RecordingLayout

SHARED = ("TERRANE_PG_target_", "TERRANE_PG_material")
"""Groups of properties that operators have too, whose tooltips scripts read."""


def _layer(kind):
    bpy.ops.terrane.terrain_add(preset="perlin", resolution=17, size=2000.0)
    bpy.ops.terrane.layer_add(type=kind)
    settings = bpy.context.active_object.terrane
    return settings, getattr(settings.layers[settings.active_layer], kind)


def _drawn(holder, name):
    declared = module("ui.declared")
    types = module("noise_core.modifiers.bases.modifier").modifier_types()
    key = holder.bl_rna.identifier.removeprefix("TERRANE_PG_modifier_")
    parameter = next(item for item in types[key].parameters() if item.name == name)
    shown = set()
    declared.draw_parameter(RecordingLayout(shown), holder, parameter)
    return {item[1] for item in shown}


def test_an_automatic_number_says_what_it_is_now(terrane):
    settings, blur = _layer("blur")
    assert blur.radius == 0.0 and blur.radius_auto
    assert blur.radius_field == pytest.approx(20.0)
    settings.size = 500.0
    assert blur.radius_field == pytest.approx(5.0)
    blur.radius_auto = False
    assert blur.radius == pytest.approx(5.0)
    blur.radius_auto = True
    assert blur.radius == 0.0
    blur.radius_field = 12.0
    assert blur.radius == 12.0 and not blur.radius_auto


def test_an_automatic_number_follows_another_one(terrane):
    _, meanders = _layer("meanders")
    assert meanders.width_field == pytest.approx(20.0)
    assert meanders.depth_field == pytest.approx(20.0 / 12.0)
    meanders.width = 48.0
    assert meanders.depth_field == pytest.approx(4.0)


def test_what_only_the_terrain_tells_has_a_switch_and_begins_somewhere(terrane):
    _, strata = _layer("strata")
    name = next(
        item.identifier.removesuffix("_auto")
        for item in strata.bl_rna.properties
        if item.identifier.endswith("_auto")
    )
    assert f"{name}_field" not in strata.bl_rna.properties
    setattr(strata, f"{name}_auto", False)
    assert getattr(strata, name) > 0.0


def test_the_panel_shows_the_switch_beside_the_number(terrane):
    _, blur = _layer("blur")
    assert {"radius_auto", "radius_field"} <= _drawn(blur, "radius")
    blur.radius = 3.0
    assert _drawn(blur, "radius") == {"radius_auto", "radius", "Radius"}


def test_zero_is_automatic_only_where_it_is_typed(terrane):
    types = module("noise_core.modifiers.bases.modifier").modifier_types()
    automatic = [item for cls in types.values() for item in cls.parameters() if item.automatic]
    assert len(automatic) >= 20
    for parameter in automatic:
        assert "automatic" not in parameter.help and "0 is automatic" in parameter.full_help
        assert parameter.default == 0.0 == parameter.minimum


def test_redo_panels_and_file_dialogs_have_the_switch(terrane):
    seen = set()
    for name in dir(bpy.ops.terrane):
        declared = getattr(bpy.ops.terrane, name).get_rna_type().properties
        for item in declared:
            if "; 0 is automatic" not in item.description or item.is_hidden:
                continue
            switch = declared[f"{item.identifier}_auto"]
            assert switch.name == "Auto" and switch.is_hidden and switch.is_skip_save
            seen.add((name, item.identifier))
    assert {
        ("heightmap_export", "samples"),
        ("heightmap_import", "size"),
        ("heightmap_import", "columns"),
        ("mesh_displace", "tile"),
    } <= seen


def test_fields_that_have_a_switch_do_not_speak_of_zero(terrane):
    groups = [cls for cls in bpy.types.PropertyGroup.__subclasses__() if cls.is_registered]
    holders = [cls.bl_rna for cls in groups if cls.__name__.startswith("TERRANE_PG_")]
    holders += [cls.bl_rna for cls in bpy.types.AddonPreferences.__subclasses__()]
    count = 0
    for holder in holders:
        is_of_scripts = holder.identifier.startswith(SHARED)
        for item in holder.properties:
            if f"{item.identifier}_auto" in holder.properties and not is_of_scripts:
                assert "0 is" not in item.description and "0 takes" not in item.description
                count += 1
    assert count >= 30


def test_the_switch_of_an_export_begins_with_a_number_that_can_be_typed(terrane):
    export = bpy.context.scene.terrane_export
    assert export.samples_auto
    export.samples_auto = False
    assert export.samples == 1024
    export.samples_auto = True
    assert export.samples == 0
    zoom = export.target_terrain_rgb
    assert zoom.max_zoom_auto and zoom.min_zoom_auto
    zoom.max_zoom_auto = False
    assert zoom.max_zoom > 0 and not zoom.max_zoom_auto


def test_paths_have_switches_instead_of_zeros(terrane):
    _, path = _layer("path")
    assert path.width_auto and path.tolerance_auto
    assert {"width_auto", "tolerance_auto"} <= _drawn(path, "width") | _drawn(path, "tolerance")


def test_lengths_of_the_camera_and_the_haze_are_in_meters(terrane):
    settings, _ = _layer("blur")
    camera, sky = bpy.context.scene.terrane_camera, bpy.context.scene.terrane_sky
    camera.lift = 0.05
    assert camera.lift_field == pytest.approx(100.0)
    camera.lift_field = 16.0
    assert camera.lift == pytest.approx(0.008)
    camera.aim_field = -20.0
    assert camera.aim == pytest.approx(-0.01)
    sky.visibility_field = 5000.0
    assert sky.visibility == pytest.approx(2.5)
    assert camera.bl_rna.properties["lift_field"].subtype == "DISTANCE"
    settings.size = 4000.0
    assert camera.lift_field == pytest.approx(32.0)
