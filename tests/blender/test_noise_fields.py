# SPDX-License-Identifier: GPL-3.0-or-later
"""The fields of noise that panels show first: they act on every preset, and write the chain of one layer."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np
import pytest

from tests import drawing
from tests.blender.extension import module
from tests.blender.helpers import add_terrain, read_recipe

OTHER_VALUES = {"octaves": 3.0, "frequency": 5.5, "persistence": 0.62, "warp": 0.33}
"""Values that no preset has."""


def fields() -> Any:
    """Return the module of the fields."""
    return module("operators.bridge.schema.noise_fields")


def preset_names() -> tuple[str, ...]:
    """Return the presets that are shipped."""
    return tuple(module("noise_core.landscapes.preset_library").preset_names())


def evaluated(group: Any) -> np.ndarray:
    """Return the heights of settings on a small grid."""
    recipe = module("operators.bridge.schema.settings").read(group)
    heights: np.ndarray = recipe.evaluate(recipe.grid(33)).height
    return heights


def test_each_field_acts_on_each_preset_or_says_why_not() -> None:
    silent = []
    settings = module("operators.bridge.schema.settings")
    names = preset_names()
    drawn = drawing.generator("fields").sample(names, max(4, drawing.count_of(len(names))))
    for preset in drawn:
        obj = add_terrain(preset=preset, resolution=17)
        recipe = read_recipe(obj)
        before = evaluated(obj.terrane)
        for name, value in OTHER_VALUES.items():
            reason = fields().why_inactive(obj.terrane, name)
            setattr(obj.terrane, name, value)
            if np.array_equal(evaluated(obj.terrane), before) != bool(reason):
                silent.append((preset, name, str(reason)))
            if not reason:
                assert getattr(obj.terrane, name) == pytest.approx(value), (preset, name)
            settings.write(obj.terrane, recipe)
    assert not silent


@pytest.mark.parametrize("preset", ["none", "alps", "mountain_range", "clouds"])
def test_fields_are_those_of_the_chain(preset: str) -> None:
    obj = add_terrain(preset=preset, resolution=17)
    layer = fields().noise_layer(obj.terrane)
    assert layer == obj.terrane.layers[0]
    values = module("noise_core.recipes.chains").values(read_recipe(obj).base.noise)
    for name in fields().FIELDS:
        expected = values.get(name, getattr(obj.terrane, name))
        assert getattr(obj.terrane, name) == (
            expected if isinstance(expected, str) else pytest.approx(expected)
        )


def test_fields_follow_the_active_layer_of_noise() -> None:
    obj = add_terrain(preset="alps", resolution=17)
    bpy.ops.terrane.layer_add(type="simplex")
    assert obj.terrane.noise == "simplex"
    obj.terrane.frequency = 9.0
    added = obj.terrane.layers[obj.terrane.active_layer]
    assert added.chain[0].simplex.frequency == 9.0
    obj.terrane.active_layer = next(
        place for place, layer in enumerate(obj.terrane.layers) if layer.type == "stream_erosion"
    )
    assert obj.terrane.noise == "perlin"


def test_fractal_none_and_warp_zero_take_their_elements_out() -> None:
    obj = add_terrain(noise="perlin", fractal="ridged", octaves=5, warp=0.2, resolution=17)
    chain = obj.terrane.layers[0].chain
    assert [element.type for element in chain] == ["perlin", "fractal", "warp"]
    obj.terrane.octaves = 1.0
    assert obj.terrane.fractal == "ridged"
    obj.terrane.warp = 0.0
    obj.terrane.fractal = "none"
    assert [element.type for element in chain] == ["perlin"]
    obj.terrane.octaves = 4.0
    obj.terrane.warp = 0.1
    assert [element.type for element in chain] == ["perlin", "fractal", "warp"]
    assert obj.terrane.fractal == "fbm"


def test_frequency_keeps_the_proportions_of_a_chain() -> None:
    obj = add_terrain(preset="mountain_range", resolution=17)
    base = module("noise_core.recipes.chains")
    before = read_recipe(obj).base.noise
    wanted = base.with_values(before, frequency=4.0)
    obj.terrane.frequency = 4.0
    after = read_recipe(obj).base.noise
    for old, new in zip(base.elements(wanted), base.elements(after)):
        assert type(old) is type(new)
        assert getattr(new, "frequency", 0.0) == pytest.approx(getattr(old, "frequency", 0.0))


def test_fields_of_a_new_scene_are_those_of_its_preset_and_fill_it() -> None:
    scene = bpy.data.scenes.new("New")
    assert not scene.terrane.is_filled
    assert scene.terrane.noise == "perlin"
    assert scene.terrane.frequency == pytest.approx(2.1)
    assert not scene.terrane.is_filled
    scene.terrane.frequency = 3.0
    assert scene.terrane.is_filled
    assert scene.terrane.layers[0].chain[0].perlin.frequency == 3.0


def test_one_value_is_one_notification() -> None:
    changes = module("operators.bridge.schema.changes")
    obj = add_terrain(preset="alps", resolution=17)
    owners: list[Any] = []
    changes.subscribe(owners.append)
    try:
        obj.terrane.frequency = 3.0
    finally:
        changes.unsubscribe(owners.append)
    assert owners == [obj]


def test_scripts_are_refused_what_changes_nothing() -> None:
    with pytest.raises(RuntimeError, match="frequency changes nothing"):
        bpy.ops.terrane.terrain_add(preset="stairs_up", frequency=9.0)
    with pytest.raises(RuntimeError, match="octaves changes nothing"):
        bpy.ops.terrane.terrain_add(fractal="none", octaves=9.0)
