# SPDX-License-Identifier: GPL-3.0-or-later
"""Masks that a recipe knows: maps of the ground, noises and other layers, with limits; and their JSON."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from noise_core import Grid, ParameterError, Recipe, RecipeError, map_types, mask_types
from noise_core.lattice.hash import child_seed
from noise_core.maps import Aspect, Height, Normal, Slope
from noise_core.masks import LayerMask, MapMask, NoiseMask, ProductMask
from noise_core.masks.bases.mask import MaskContext
from noise_core.modifiers import Blur, Terraces
from noise_core.noises import Constant, Fractal, Perlin
from noise_core.recipes.evaluation import Sampling, lay_over
from noise_core.recipes.folding import Scope
from noise_core.recipes.layers import NoiseLayer
from tests.core import contract_declarations
from tests.core.strategies import instances
from tests.core.test_contract import DECLARATION_CHECKS, OF_A_CLASS

GRID = Grid(48, 40, size=600.0)
HILLS = Fractal(source=Perlin(frequency=3.0), octaves=4)
GROUND = Recipe(layers=HILLS, seed=4, height=150.0).evaluate(GRID).height
SCALAR = {key: cls for key, cls in map_types().items() if cls.channels == 1}
EVERY_MASK = pytest.mark.parametrize("cls", mask_types().values(), ids=lambda cls: cls.key)

LIMITS = {
    "above": ({"limits": "above", "low": 20.0}, (20.0, math.inf)),
    "below": ({"limits": "below", "high": 25.0}, (-math.inf, 25.0)),
    "between": ({"limits": "between", "low": 10.0, "high": 30.0}, (10.0, 30.0)),
}
# Directions go round: every one lies above and below any other.
LIMITED = [
    *((one, limits) for one in (Slope(), Height()) for limits in LIMITS),
    (Aspect(), "between"),
]


def raised(mask, **values):
    """Return a layer that raises the ground by a meter where a mask lets it."""
    return NoiseLayer(noise=Constant(value=1.0), height=1.0, mask=mask, **values)


def laid(layer, ground=GROUND, painted=None):
    """Return ground with a layer laid over it, outside of a recipe."""
    scope = Scope(0, 1.0, painted={} if painted is None else {0: painted})
    return lay_over(ground, layer, 0, scope, Sampling(GRID))


def share_of(mask, ground=GROUND):
    return mask.share(ground, GRID, MaskContext())


# --- maps -------------------------------------------------------------------------------------


@pytest.mark.parametrize("falloff", [0.0, 4.0])
@pytest.mark.parametrize(("one", "limits"), LIMITED, ids=lambda one: getattr(one, "key", one))
def test_a_maps_mask_is_that_of_the_map(one, limits, falloff):
    values, ends = LIMITS[limits]
    where = MapMask(map=one, falloff=falloff, **values)
    expected = one.mask(GROUND, GRID, *ends, falloff)
    assert 0.0 < expected.mean() < 1.0
    np.testing.assert_array_equal(share_of(where), expected)
    inverted = MapMask(map=one, falloff=falloff, inverted=True, **values)
    np.testing.assert_array_equal(share_of(inverted), np.float32(1.0) - expected)


@pytest.mark.parametrize("key", SCALAR)
def test_every_map_of_one_number_masks_a_modifier(key):
    one = SCALAR[key]()
    values = one.values(GROUND, GRID)
    low = float(np.quantile(values, 0.6))
    where = MapMask(map=one, limits="above", low=low, falloff=float(np.ptp(values)) * 0.2)
    made = laid(raised(where))
    expected = one.mask(GROUND, GRID, low, math.inf, float(np.ptp(values)) * 0.2)
    np.testing.assert_allclose(made - GROUND, expected, atol=2e-5)


def test_the_mask_is_read_when_the_modifiers_turn_comes():
    terraces = Terraces(spacing=30.0)
    where = MapMask(map=Slope(), limits="below", high=12.0, falloff=3.0)
    before = Recipe(layers=(HILLS, terraces), seed=4, height=150.0).evaluate(GRID).height
    after = Recipe(layers=(HILLS, terraces, raised(where)), seed=4, height=150.0).evaluate(GRID)
    expected = Slope().mask(before, GRID, -math.inf, 12.0, 3.0)
    first = Slope().mask(GROUND, GRID, -math.inf, 12.0, 3.0)
    assert np.abs(expected - first).max() > 0.5  # else the order could not be seen
    # A meter more on heights of up to 150, and a share of the difference: both are rounded.
    np.testing.assert_allclose(after.height, before + expected, rtol=0, atol=3e-5)


def test_the_values_themselves_can_be_the_mask():
    where = MapMask(map=Height(), limits="values")
    ground = np.array([[-3.0, 0.0, 0.25, 1.0, 7.0]], np.float32)
    share = where.share(ground, Grid(1, 5, size=100.0), MaskContext())
    np.testing.assert_array_equal(share, [[0.0, 0.0, 0.25, 1.0, 1.0]])
    assert ground.min() == -3.0, "the ground was written to"


def test_all_that_limits_a_layer_is_multiplied():
    mask = np.full(GRID.shape, 0.5, np.float32)
    where = MapMask(map=Slope(), low=20.0, falloff=5.0)
    plain = laid(raised(where), np.zeros(GRID.shape, np.float32))
    np.testing.assert_array_equal(plain, 0.0)  # level ground has no slope
    full = laid(raised(where)) - GROUND
    part = laid(raised(where, opacity=0.5), painted=mask) - GROUND
    np.testing.assert_allclose(part, full / 4.0, atol=2e-5)
    blur = Blur(mask=where)
    full = blur.apply(GROUND, GRID).height - GROUND
    part = blur.with_values(opacity=0.5).apply(GROUND, GRID, mask=mask).height - GROUND
    np.testing.assert_allclose(part, full / 4.0, atol=2e-5)


def test_masks_are_seamless():
    grid = Grid(40, 40, size=600.0, wrap=True)
    ground = HILLS.sample_grid(grid, 1) * np.float32(150.0)
    modifier = Blur(mask=MapMask(map=Slope(), low=15.0, falloff=10.0))
    straight = modifier.apply(ground, grid).height
    moved = modifier.apply(np.roll(ground, (13, 7), (0, 1)), grid).height
    np.testing.assert_array_equal(moved, np.roll(straight, (13, 7), (0, 1)))


def test_a_map_of_several_numbers_is_no_mask():
    with pytest.raises(
        ParameterError, match=r"MapMask.map must be a map with one number per sample; got Normal"
    ):
        MapMask(map=Normal())


def test_between_takes_its_limits_in_any_order():
    one, other = (
        MapMask(limits="between", low=low, high=high, falloff=2.0)
        for low, high in ((10.0, 30.0), (30.0, 10.0))
    )
    np.testing.assert_array_equal(share_of(one), share_of(other))
    assert 0.0 < share_of(one).mean() < 1.0


# --- layers -----------------------------------------------------------------------------------


def masked_by(name, *layers, noise=HILLS):
    mask = LayerMask(layer=name, limits="values")
    return Recipe(layers=(noise, *layers, raised(mask)), seed=9)


def test_a_layers_noise_masks_another():
    hills = NoiseLayer(
        name="hills", noise=Perlin(frequency=4.0), height=300.0, opacity=0.2, seed_offset=1
    )
    expected = np.clip(hills.noise.sample_grid(GRID, hills.seed_in(9)), 0.0, 1.0)
    assert 0.0 < expected.max() and expected.min() == 0.0
    muted = hills.with_values(muted=True)
    for recipe in (
        masked_by("hills", hills),
        masked_by("hills", muted),
        Recipe(layers=(*masked_by("hills").layers, muted), seed=9),
    ):
        plain = [one for one in recipe.layers if one.mask is None]
        ground = Recipe(layers=plain, seed=9).evaluate(GRID).height
        np.testing.assert_allclose(recipe.evaluate(GRID).height - ground, expected, atol=5e-5)


def test_the_empty_name_is_the_first_layer():
    made = masked_by("", noise=HILLS).evaluate(GRID).height
    ground = HILLS.sample_grid(GRID, 9)
    np.testing.assert_allclose(made, ground + np.clip(ground, 0.0, 1.0), atol=2e-6)


def test_of_two_layers_of_a_name_the_first_counts():
    first = NoiseLayer(name="one", noise=Constant(value=0.75), muted=True)
    second = NoiseLayer(name="one", noise=Constant(value=0.25), muted=True)
    made = masked_by("one", first, second, noise=Constant(value=0.0)).evaluate(GRID).height
    np.testing.assert_array_equal(made, 0.75)


def test_only_noise_layers_and_groups_have_a_noise_to_mask_with():
    for recipe in (masked_by("gone"), masked_by("blur", Blur(name="blur"))):
        with pytest.raises(
            ParameterError, match=r"LayerMask.layer must name a layer of the recipe \(''\); got"
        ):
            recipe.evaluate(GRID)
    with pytest.raises(ParameterError, match=r"\(none, outside of a recipe\); got ''"):
        laid(raised(LayerMask()))
    with pytest.raises(ParameterError, match=r"\(none, outside of a recipe\); got ''"):
        Blur(mask=LayerMask()).apply(GROUND, GRID)


def test_a_layer_as_mask_moves_on_with_the_recipe():
    recipe = masked_by("", noise=Perlin(frequency=4.0))
    moved = Perlin(frequency=4.0).sample_grid(GRID, 9, evolution=(0.3,))
    made = recipe.evaluate(GRID, evolution=(0.3,)).height
    np.testing.assert_allclose(made, moved + np.clip(moved, 0.0, 1.0), atol=2e-6)


# --- noises and products ------------------------------------------------------------------------


def test_a_noise_is_taken_from_one_range_or_the_other():
    noise = Perlin(frequency=3.0)
    field = noise.sample_grid(GRID, 5)
    context = MaskContext(own_seed=5, parent_seed=7)
    signed, positive = (
        NoiseMask(noise=noise, span=span).share(GROUND, GRID, context)
        for span in ("signed", "positive")
    )
    np.testing.assert_allclose(signed, field * 0.5 + 0.5, atol=1e-6)
    np.testing.assert_array_equal(positive, np.clip(field, 0.0, 1.0))
    own = NoiseMask(noise=noise, span="positive", seed_offset=3).share(GROUND, GRID, context)
    expected = noise.sample_grid(GRID, child_seed(7, 3))
    np.testing.assert_array_equal(own, np.clip(expected, 0.0, 1.0))


def test_a_product_is_both_of_two():
    slope = MapMask(map=Slope(), low=20.0, falloff=5.0)
    noise = NoiseMask(noise=Perlin(frequency=3.0))
    both = ProductMask(first=slope, second=noise)
    np.testing.assert_allclose(share_of(both), share_of(slope) * share_of(noise), atol=1e-6)
    np.testing.assert_array_equal(share_of(ProductMask(second=slope)), share_of(slope))
    assert (share_of(ProductMask()) == 1.0).all()
    assert both.reads_ground and not noise.reads_ground
    assert not ProductMask(first=noise, second=noise).reads_ground


# --- declarations and JSON ----------------------------------------------------------------------


@pytest.mark.parametrize(
    "check",
    [one for name, one in DECLARATION_CHECKS.items() if name != "check_has_references"],
    ids=lambda check: check.__name__[6:],
)
@EVERY_MASK
def test_declaration(cls, check):
    check(cls if check.__name__ in OF_A_CLASS else cls())


@EVERY_MASK
@given(data=st.data())
def test_any_mask_survives_json(cls, data):
    recipe = Recipe(layers=(Perlin(), Blur(mask=data.draw(instances(cls)))))
    again = Recipe.from_json(recipe.to_json())
    assert again == recipe and again.to_json() == recipe.to_json()
    contract_declarations.check_value_semantics(recipe.modifiers[0].mask)


@pytest.mark.parametrize(
    ("mask", "message"),
    [
        (3, "layers[0]: Blur.mask must be a mask or None; got 3"),
        ({}, "layers[0].mask.type must be one of layer, map, noise, product; got None"),
        (
            {"type": "slope"},
            "layers[0].mask.type must be one of layer, map, noise, product; got 'slope'",
        ),
        ({"type": "map", "steep": 3}, "layers[0].mask (map) has the parameters "),
        ({"type": "map", "map": {"type": "steep"}}, "layers[0].mask.map.type must be one of"),
        (
            {"type": "map", "map": {"type": "normal"}},
            "layers[0].mask: MapMask.map must be a map",
        ),
        ({"type": "map", "falloff": -1}, "layers[0].mask: MapMask.falloff must be in [0,"),
        ({"type": "layer", "layer": 7}, "layers[0].mask: LayerMask.layer must be a line"),
    ],
)
def test_json_that_is_no_mask_is_refused_with_its_reason(mask, message):
    text = json.dumps(
        {
            "format": 1,
            "layers": [{"type": "blur", "mask": mask}],
        }
    )
    with pytest.raises(RecipeError) as caught:
        Recipe.from_json(text)
    assert str(caught.value).startswith(f"Recipe: {message}")
