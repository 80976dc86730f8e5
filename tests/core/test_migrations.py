# SPDX-License-Identifier: GPL-3.0-or-later
"""Recipes of older formats: they give the heights that they gave when they were written."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from noise_core import Grid, Recipe, RecipeError
from noise_core.masks import LayerMask, NoiseMask, ProductMask
from noise_core.modifiers import Blur, StreamErosion
from noise_core.modifiers.bases.modifier import modifier_types
from noise_core.noises import Blend, Fractal, Perlin
from noise_core.recipes.layers import Group, NoiseLayer
from noise_core.recipes.migrations import BEFORE, FORMAT, STEPS, migrate, use_american_keys

OLD = json.loads((Path(__file__).parents[1] / "golden" / "old_recipes.json").read_text("utf-8"))
"""Recipes of earlier formats, with the heights on 9 x 11 samples: as format 4 was evaluated, and format 5 its own."""


@pytest.mark.parametrize("name", OLD)
def test_old_recipes_give_the_same_heights(name):
    plain = OLD[name]["recipe"]
    recipe = Recipe.from_json(json.dumps(plain))
    height = recipe.evaluate(Grid(9, 11, size=recipe.size)).height
    expected = np.array(OLD[name]["heights"], np.float32)
    reach = max(1.0, float(np.abs(expected).max()))
    # Layers are added before they are multiplied with the height, which rounds in another way.
    np.testing.assert_allclose(height, expected, rtol=0.0, atol=2e-6 * reach)
    again = Recipe.from_json(recipe.to_json())
    assert again == recipe


def test_parameters_that_came_later_do_nothing_in_old_recipes():
    stream = {"type": "stream_erosion"}
    old = {"format": 5, "layers": [stream]}
    assert Recipe.from_json(json.dumps(old)).layers[0] == StreamErosion(valley_fill=0.0)
    given = {"format": 5, "layers": [{**stream, "valley_fill": 0.1}]}
    assert Recipe.from_json(json.dumps(given)).layers[0].valley_fill == 0.1
    new = {"format": FORMAT, "layers": [stream]}
    assert Recipe.from_json(json.dumps(new)).layers[0] == StreamErosion()
    assert StreamErosion().valley_fill > 0.0


@pytest.mark.parametrize("key", BEFORE)
def test_former_values_are_allowed_values(key):
    cls = modifier_types()[key]
    assert set(BEFORE[key]) <= {one.name for one in cls.parameters()}
    cls(**BEFORE[key])


def test_every_format_has_a_step_to_the_next():
    assert sorted(STEPS) == list(range(1, FORMAT))
    assert {plain["recipe"]["format"] for plain in OLD.values()} == set(range(1, FORMAT))


def old(**entries):
    return Recipe.from_json(json.dumps({"format": 4, **entries}))


BLEND = {
    "type": "blend",
    "first": {"type": "perlin"},
    "second": {"type": "value"},
    "mode": "max",
    "factor": {"type": "simplex"},
    "seed_offset": 3,
}


def test_blends_become_layers_with_their_seeds():
    first, second = old(noise=BLEND).layers
    assert first == NoiseLayer(noise=Perlin())
    assert (second.noise.key, second.mode, second.seed_offset) == ("value", "max", 5)
    assert isinstance(second.mask, NoiseMask) and second.mask.noise.key == "simplex"


def test_filters_on_a_blend_make_a_group():
    (group,) = old(noise={"type": "abs", "source": BLEND}).layers
    assert isinstance(group, Group) and len(group.layers) == 2
    assert [one.key for one in group.chain] == ["abs"]


def test_a_blend_that_a_mask_stands_for_stays_one_layer():
    blur = {"type": "blur", "where": {"type": "layer"}}
    group, modifier = old(noise=BLEND, modifiers=[blur]).layers
    assert isinstance(group, Group) and len(group.layers) == 2
    assert modifier == Blur(mask=LayerMask())


def test_influence_and_where_become_one_mask():
    where = {"type": "layer", "layer": "x"}
    number, noise, both = old(
        noise={"type": "perlin"},
        modifiers=[
            {"type": "blur", "influence": 0.25, "where": where},
            {"type": "blur", "influence": {"type": "perlin"}},
            {"type": "blur", "influence": {"type": "perlin"}, "where": where},
        ],
    ).layers[1:]
    assert number == Blur(opacity=0.25, mask=LayerMask(layer="x"))
    positive = NoiseMask(noise=Perlin(), span="positive")
    assert noise == Blur(mask=positive, seed_offset=1)
    assert both == Blur(
        mask=ProductMask(first=positive, second=LayerMask(layer="x")), seed_offset=2
    )


def test_a_muted_noise_is_layers_that_are_muted():
    recipe = old(noise=BLEND, noise_muted=True)
    assert [layer.muted for layer in recipe.layers] == [True, True]
    assert not recipe.evaluate(Grid(4, 4)).height.any()


def test_blends_that_stay_inside_of_filters_count_seeds_too():
    warp = {"type": "warp", "displacement": {**BLEND, "factor": 0.5}}
    (layer,) = old(noise=warp).layers
    assert isinstance(layer.noise.displacement, Blend)
    assert layer.noise.displacement.seed_offset == 5
    assert layer.noise.source == Fractal()


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        ({"noise": None}, r"layers\[0\].chain\[0\] must be an object with a type; got None"),
        ({"noise": {"type": "abs", "source": 3}}, r"layers\[0\].chain\[0\] must be an object"),
        ({"noise": {"type": "perlim"}}, r"layers\[0\].chain\[0\].type must be one of "),
        ({"noise": {"type": "perlin"}, "modifiers": {}}, r"layers must be a list; got {}"),
        ({"noise": {"type": "perlin"}, "modifiers": [3]}, r"layers\[1\] must be an object"),
        ({"noise": {"type": "perlin"}, "color": 1}, "entries must be of "),
        (
            {"noise": {"type": "perlin"}, "modifiers": [{"type": "blur", "influence": "x"}]},
            r"layers\[1\]: Blur.opacity must be a number",
        ),
        (
            {
                "noise": {"type": "perlin"},
                "modifiers": [{"type": "noise_layer", "seed_offset": 0.5}],
            },
            r"layers\[1\]: NoiseLayer.seed_offset must be an integer",
        ),
    ],
)
def test_what_is_no_recipe_is_refused_after_migration(entries, message):
    with pytest.raises(RecipeError, match=message):
        old(**entries)


def test_keys_become_american_at_any_depth():
    plain = use_american_keys({"centre": [{"base_colour": "normalise"}]})
    assert plain == {"center": [{"base_color": "normalize"}]}


def test_a_step_that_is_gone_is_refused():
    with pytest.raises(RecipeError, match="format 1 can no longer be read"):
        migrate({"format": 1}, steps={})
