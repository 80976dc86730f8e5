# SPDX-License-Identifier: GPL-3.0-or-later
"""Looks of presets: sky, camera, surroundings and limits are read, checked and written again."""

from __future__ import annotations

import dataclasses
import json

import pytest

from noise_core import RecipeError
from noise_core.landscapes.look import Look
from noise_core.landscapes.preset_library import FOLDER, parse_preset, preset, shipped_names
from noise_core.landscapes.scene import RIVERS, SURROUNDINGS, Camera, Sky
from noise_core.materials.colors import LANDSCAPES, LAYER_LIMITS

LAND = [name for name in shipped_names() if preset(name).group == "landforms"]


def with_look(**look: object) -> str:
    plain = json.loads((FOLDER / "alps.json").read_text(encoding="utf-8"))
    return json.dumps({**plain, "look": look})


@pytest.mark.parametrize("name", LAND)
def test_a_look_is_what_its_file_says_and_is_written_as_it_was_read(name: str) -> None:
    text = (FOLDER / f"{name}.json").read_text(encoding="utf-8")
    shipped = preset(name)
    look = json.loads(text).get("look", {})
    for key, value in look.get("sky", {}).items():
        found = getattr(shipped.look.sky, key)
        assert (list(found) if isinstance(found, tuple) else found) == value
    assert shipped.look.surroundings in SURROUNDINGS
    assert parse_preset(name, shipped.to_json()).look == shipped.look
    assert json.loads(shipped.to_json()).get("look", {}) == look


def test_every_landform_has_its_own_view() -> None:
    cameras = {preset(name).look.camera for name in LAND}
    assert len(cameras) == len(LAND) == 23


def test_what_is_left_out_has_its_default() -> None:
    look = parse_preset("x", with_look(sky={"clouds": 0.0})).look
    assert look.sky == Sky(clouds=0.0) and look.camera == Camera() and not look.limits


@pytest.mark.parametrize(
    ("look", "message"),
    [
        ({"sky": {"cloud": 1.0}}, "look.sky must be an object of air, clouds"),
        ({"rivers": 2.0}, r"look.rivers must be a number from 0 to 1; got 2"),
        ({"rivers": True}, "look.rivers must be a number from 0 to 1; got True"),
        ({"sky": {"clouds": 2.0}}, r"look.sky: Sky.clouds must be in \[0, 1\]; got 2"),
        ({"camera": [1.0]}, "look.camera must be an object of aim, eye"),
        ({"camera": {"eye": [0.5]}}, "look.camera: Camera.eye must be"),
        (
            {"surroundings": "walls"},
            "look.surroundings must be one of none, land, mirror, sea, base; got 'walls'",
        ),
        ({"limits": {"tree": 1.0}}, "look.limits must be an object of snow_line"),
        ({"limits": {"snow_line": "high"}}, "look.limits.snow_line must be a number"),
    ],
)
def test_a_look_that_is_not_allowed_is_refused(look: dict[str, object], message: str) -> None:
    with pytest.raises(RecipeError, match=message):
        parse_preset("x", with_look(**look))


@pytest.mark.parametrize("name", sorted(LAYER_LIMITS))
def test_a_limit_changes_one_value_of_one_layer(name: str) -> None:
    layer, value = LAYER_LIMITS[name]
    before = LANDSCAPES["alpine"]
    with_limits_after = before.with_limits({name: 0.25})
    assert getattr(with_limits_after.layers[layer], value) == 0.25
    assert with_limits_after.layers[layer] == dataclasses.replace(
        before.layers[layer], **{value: 0.25}
    )
    assert {
        one: with_limits_after.layers[one] for one in with_limits_after.layers if one != layer
    } == {one: before.layers[one] for one in before.layers if one != layer}


@pytest.mark.parametrize("name", ["canyon", "dunes", "mesa", "moon"])
def test_no_snow_lies_on_deserts_and_on_the_moon(name: str) -> None:
    layer = LANDSCAPES[preset(name).look.palette].layers.get("snow")
    assert layer is None or layer.lowest > 1.0


def test_looks_are_compared_by_value() -> None:
    assert Look() == Look() and Look() != Look(sky=Sky(air=2.0))


def test_water_is_what_the_look_says() -> None:
    water = preset("coast").look.water
    assert (water.sea, water.level, water.rivers) == (True, 0.0, RIVERS)
    for name in ("dunes", "moon", "mesa", "volcano"):
        look = preset(name).look
        assert not look.water.sea and look.water.rivers == 0.0
