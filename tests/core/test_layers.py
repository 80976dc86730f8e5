# SPDX-License-Identifier: GPL-3.0-or-later
"""Noise layers and groups: the noise that they fold to, their samples on a grid, and lists of them."""

from __future__ import annotations

import dataclasses
import json

import numpy as np
import pytest

from noise_core import Grid, ParameterError, Recipe, RecipeError, modifier_types
from noise_core.base.blending import OPTIONS
from noise_core.lattice.hash import child_seed
from noise_core.maps import Height, Slope
from noise_core.masks import LayerMask, MapMask, NoiseMask
from noise_core.modifiers import Blur, Terraces
from noise_core.noises import Absolute, Blend, Constant, Curve, Fractal, Perlin, Value, Warp
from noise_core.recipes.layers import (
    Group,
    NoiseLayer,
    flatten,
    free_seed_offset,
    layer_types,
    nest,
    number_layers,
)

GRID = Grid(24, 31, size=600.0)
LOWER = Fractal(source=Perlin(frequency=3.0), octaves=3.0)
UPPER = Value(frequency=5.0)
EVERYWHERE = MapMask(map=Height(), limits="above", low=-1e9)
"""Lets everything through, but needs a grid, so that layers with it are not folded."""


def heights(*layers, grid=GRID, **values):
    return Recipe(layers=layers, **{"seed": 3, "height": 40.0, **values}).evaluate(grid).height


def close(height, expected, reach=40.0):
    np.testing.assert_allclose(height, expected, rtol=0.0, atol=4e-6 * reach)


# --- one noise -----------------------------------------------------------------------------------


def test_a_single_noise_layer_is_its_noise():
    recipe = Recipe(layers=LOWER, seed=3, height=40.0)
    assert recipe.layers == (NoiseLayer(noise=LOWER),)
    assert recipe.noise == LOWER and not recipe.needs_grid
    expected = LOWER.sample_grid(GRID, 3) * np.float32(40.0)
    assert recipe.evaluate(GRID).height.tobytes() == expected.tobytes()


def test_a_recipe_without_layers_is_a_plain():
    for layers in ((), NoiseLayer(muted=True), Group(), Group(layers=(NoiseLayer(muted=True),))):
        height = Recipe(layers=layers, height=50.0).evaluate(GRID).height
        assert height.shape == GRID.shape and height.dtype == np.float32 and not height.any()


@pytest.mark.parametrize("mode", OPTIONS)
def test_layers_fold_to_the_blend_of_their_noises(mode):
    layer = NoiseLayer(noise=UPPER, mode=mode, opacity=0.7, smoothness=0.4, seed_offset=5)
    recipe = Recipe(layers=(NoiseLayer(noise=LOWER), layer), seed=3)
    expected = Blend(
        first=LOWER, second=UPPER, mode=mode, factor=0.7, smoothness=0.4, seed_offset=5
    )
    assert recipe.noise == expected


@pytest.mark.parametrize("mode", OPTIONS)
@pytest.mark.parametrize("height", [0.0, 40.0, 12.0, 90.0])
@pytest.mark.parametrize("own", [40.0, -40.0])
def test_layers_on_a_grid_are_what_they_are_folded(mode, height, own):
    layer = NoiseLayer(noise=UPPER, mode=mode, height=height, opacity=0.6, seed_offset=2)
    folded = Recipe(layers=(NoiseLayer(noise=LOWER), layer), seed=3, height=own)
    on_grid = dataclasses.replace(
        folded, layers=(folded.layers[0], layer.with_values(mask=EVERYWHERE))
    )
    assert not folded.needs_grid and on_grid.needs_grid
    close(folded.evaluate(GRID).height, on_grid.evaluate(GRID).height, 100.0)


@pytest.mark.parametrize("mode", ["add", "mix", "min", "screen"])
def test_the_first_layer_lies_on_a_plain(mode):
    layer = NoiseLayer(noise=LOWER, mode=mode, opacity=0.5)
    plain = NoiseLayer(noise=Constant(value=0.0))
    close(heights(layer), heights(plain, layer))
    assert np.ptp(heights(layer)) > 1.0
    muted = NoiseLayer(noise=UPPER, muted=True)
    np.testing.assert_array_equal(heights(muted, layer), heights(layer))


def test_a_group_is_filtered_and_blended_as_one():
    layers = (NoiseLayer(noise=LOWER), NoiseLayer(noise=UPPER, seed_offset=1, opacity=0.5))
    warp, curve = Warp(strength=0.2), Curve(points=((-1, -1), (0, 0.2), (1, 1)))
    group = Group(layers=layers, chain=(Absolute(), warp, curve), seed_offset=7, mode="max")
    inner = Blend(first=LOWER, second=UPPER, mode="add", factor=0.5, seed_offset=1)
    filtered = Curve(source=Warp(source=Absolute(source=inner), strength=0.2), points=curve.points)
    expected = Blend(first=LOWER, second=filtered, mode="max", factor=1.0, seed_offset=7)
    assert Recipe(layers=(LOWER, group)).noise == expected


def test_seeds_hang_on_offsets_and_groups_hand_theirs_on():
    layer = NoiseLayer(noise=UPPER, seed_offset=4)
    parent = child_seed(3, 0x100 + 9)
    inner = UPPER.sample_grid(GRID, child_seed(parent, 0x100 + 4)) * np.float32(40.0)
    close(heights(Group(layers=(layer,), seed_offset=9)), inner)
    close(heights(Group(layers=(layer.with_values(mask=EVERYWHERE),), seed_offset=9)), inner)
    same = NoiseLayer(noise=UPPER)
    close(heights(same), UPPER.sample_grid(GRID, 3) * np.float32(40.0))
    assert np.abs(heights(layer) - heights(same)).max() > 1.0


def test_moving_a_layer_keeps_its_shape():
    one, other = NoiseLayer(noise=UPPER, seed_offset=1), NoiseLayer(noise=LOWER, seed_offset=2)
    close(heights(one, other), heights(other, one), 80.0)
    blur = Blur(muted=True)
    close(heights(one, blur, other), heights(blur, other, one), 80.0)


def test_layers_of_another_height_are_in_meters():
    layer = NoiseLayer(noise=Constant(value=0.5), height=30.0, seed_offset=1)
    for height in (40.0, -40.0, 0.0, 1e-6, 1e9):
        flat = Recipe(layers=(Constant(value=0.0), layer), height=height)
        np.testing.assert_allclose(flat.evaluate(GRID).height, 15.0, rtol=1e-5)
    group = Group(layers=(Constant(value=0.25), layer.with_values(height=5.0)), height=10.0)
    np.testing.assert_allclose(heights(group), 0.25 * 10.0 + 0.5 * 5.0, rtol=1e-6)


def test_more_layers_than_a_tree_has_room_for_lie_on_the_grid():
    layers = [NoiseLayer(noise=Constant(value=0.01), seed_offset=n) for n in range(300)]
    recipe = Recipe(layers=layers, height=10.0)
    assert recipe.needs_grid
    np.testing.assert_allclose(recipe.evaluate(Grid(3, 3)).height, 30.0, rtol=1e-4)


# --- masks ---------------------------------------------------------------------------------------


MASKS = [
    NoiseMask(noise=Value(frequency=3.0)),
    NoiseMask(noise=Value(frequency=3.0), span="positive", seed_offset=8),
    NoiseMask(noise=Value(frequency=3.0), limits="above", low=0.4, falloff=0.2, inverted=True),
    LayerMask(layer="upper", limits="values"),
    LayerMask(limits="between", low=-0.2, high=0.1, falloff=0.4),
]


@pytest.mark.parametrize("opacity", [1.0, 0.4])
@pytest.mark.parametrize("mask", MASKS)
def test_masks_that_are_noises_are_folded(mask, opacity):
    named = NoiseLayer(name="upper", noise=UPPER, seed_offset=3)
    layer = NoiseLayer(noise=Perlin(), seed_offset=5, mask=mask, opacity=opacity)
    recipe = Recipe(layers=(LOWER, named, layer), seed=3, height=40.0)
    assert not recipe.needs_grid
    below = Recipe(layers=(LOWER, named), seed=3, height=40.0).evaluate(GRID).height
    whole = heights(LOWER, named, layer.with_values(mask=None, opacity=1.0)) - below
    on_grid = Recipe(layers=(LOWER, named, Blur(opacity=0.0), layer), seed=3, height=40.0)
    assert on_grid.needs_grid
    for evolution in ((), (0.3,)):
        one, other = (each.evaluate(GRID, evolution=evolution) for each in (recipe, on_grid))
        close(one.height, other.height, 80.0)
    share = (recipe.evaluate(GRID).height - below)[np.abs(whole) > 1.0] / whole[np.abs(whole) > 1.0]
    assert -1e-4 < share.min() < 0.3 * opacity and 0.6 * opacity < share.max() < opacity + 1e-4


def test_a_noise_mask_has_the_seed_after_its_layer():
    noise = Value(frequency=3.0)
    layer = NoiseLayer(noise=Constant(value=1.0), seed_offset=5, mask=NoiseMask(noise=noise))
    share = noise.sample_grid(GRID, child_seed(3, 0x106)) * 0.5 + 0.5
    close(heights(layer), 40.0 * share)


def test_masks_see_the_ground_as_it_is_when_their_turn_comes():
    layer = NoiseLayer(
        noise=Constant(value=0.1), mask=MapMask(map=Slope(), low=10.0, falloff=5.0), seed_offset=1
    )
    ground = heights(LOWER)
    expected = ground + 4.0 * layer.mask.map.mask(ground, GRID, 10.0, 1e38, 5.0)
    close(heights(LOWER, layer), expected, 100.0)
    close(heights(LOWER, Group(layers=(layer,))), expected, 100.0)


def test_a_mask_that_needs_a_grid_ends_what_is_folded():
    masked = NoiseLayer(noise=UPPER, seed_offset=1, mask=EVERYWHERE)
    recipe = Recipe(layers=(LOWER, masked, NoiseLayer(noise=UPPER, seed_offset=2)))
    assert recipe.noise == LOWER
    assert recipe.layers_on_grid == recipe.layers[1:]


def test_a_group_that_needs_a_grid_can_only_change_values():
    masked = NoiseLayer(noise=UPPER, mask=EVERYWHERE)
    group = Group(name="Hills", layers=(LOWER, masked), chain=(Absolute(),))
    plain = group.with_values(layers=(LOWER, masked.with_values(mask=None)))
    close(heights(group), heights(plain))
    with pytest.raises(
        ParameterError, match=r"a layer in the group 'Hills' needs a grid; got Warp"
    ):
        heights(group.with_values(chain=(Warp(),)))


def test_a_group_on_a_grid_is_what_it_is_folded():
    inner = NoiseLayer(noise=UPPER, height=9.0, mode="smooth_max", smoothness=0.6, seed_offset=1)
    group = Group(layers=(LOWER, inner), height=25.0, mode="max", seed_offset=4, opacity=0.8)
    masked = group.with_values(layers=(LOWER, inner.with_values(mask=EVERYWHERE)))
    ground = Perlin(frequency=2.0)
    assert Recipe(layers=(ground, group)).needs_grid is False
    assert Recipe(layers=(ground, masked)).needs_grid is True
    close(heights(ground, masked), heights(ground, group), 80.0)


def test_the_noise_of_a_modifiers_mask_moves_on_with_the_recipe():
    noise = Perlin(frequency=3.0)
    recipe = Recipe(
        layers=(LOWER, Terraces(mask=NoiseMask(noise=noise, span="positive"))), height=40.0
    )
    still, moved = (recipe.evaluate(GRID, evolution=one).height for one in ((0.0,), (0.4,)))
    for evolution, height in (((0.0,), still), ((0.4,), moved)):
        ground = LOWER.sample_grid(GRID, 0, evolution=evolution) * np.float32(40.0)
        changed = np.abs(height - ground) > 1e-3
        seed = child_seed(Terraces().seed_in(0), 0x1F)
        share = noise.sample_grid(GRID, seed, evolution=evolution)
        assert changed.any() and (share[changed] > 0.0).all()


def test_a_mask_can_stand_for_a_group_but_not_for_its_own():
    group = Group(name="hills", layers=(LOWER, NoiseLayer(noise=UPPER, seed_offset=1)))
    layer = NoiseLayer(noise=Constant(value=1.0), mask=LayerMask(layer="hills", limits="values"))
    ground = heights(group)
    close(heights(group, layer), ground + 40.0 * np.clip(ground / 40.0, 0.0, 1.0))
    inner = NoiseLayer(noise=UPPER, mask=LayerMask(layer="hills"))
    with pytest.raises(ParameterError, match="must not name a group that the mask is part of"):
        heights(group.with_values(layers=(inner,)))


def test_painted_masks_belong_to_a_number_in_the_unfolded_list():
    inner = NoiseLayer(noise=Constant(value=0.5), seed_offset=1)
    layers = (
        NoiseLayer(noise=Constant(value=0.0)),
        Group(layers=(NoiseLayer(noise=Constant(value=0.0)), inner)),
        inner,
        Terraces(),
    )
    recipe = Recipe(layers=layers[:3], height=40.0)
    mask = np.zeros(GRID.shape)
    mask[:, 5:] = 0.5
    for number, expected in ((1, (20.0, 30.0)), (3, (20.0, 30.0)), (4, (20.0, 30.0))):
        height = recipe.evaluate(GRID, masks={number: mask}).height
        np.testing.assert_allclose(height[0, [0, -1]], expected)
    assert [number for number, _ in number_layers(layers)] == [0, 1, 4, 5]
    with pytest.raises(ParameterError, match="must be those of 5 layers, by their numbers from 0"):
        recipe.evaluate(GRID, masks={5: mask})
    with pytest.raises(ParameterError, match=r"mask 4 must be in \[0, 1\]; got 2 to 2"):
        recipe.evaluate(GRID, masks={4: np.full(GRID.shape, 2.0)})


# --- lists ---------------------------------------------------------------------------------------


def test_lists_unfold_and_nest():
    inner = Group(name="inner", layers=(NoiseLayer(name="c"),))
    layers = (NoiseLayer(name="a"), Group(name="g", layers=(inner, NoiseLayer(name="d"))), Blur())
    rows = list(flatten(layers))
    assert [(depth, row.name) for depth, row in rows] == [
        *((0, "a"), (0, "g"), (1, "inner"), (2, "c"), (1, "d"), (0, ""))
    ]
    assert nest(rows) == layers
    # What is deeper than a group allows comes as near as it can.
    loose = [(3, NoiseLayer(name="a")), (0, Group()), (5, NoiseLayer(name="b"))]
    assert nest(loose) == (NoiseLayer(name="a"), Group(layers=(NoiseLayer(name="b"),)))


def test_plain_noises_get_seed_offsets_of_their_own():
    given = NoiseLayer(noise=UPPER, seed_offset=6)
    recipe = Recipe(layers=(LOWER, UPPER, given, UPPER))
    assert [layer.seed_offset for layer in recipe.layers] == [0, 7, 6, 9]
    assert free_seed_offset(recipe.layers) == 11 and free_seed_offset(()) == 1


def test_joints_become_layers_and_groups():
    blend = Blend(first=LOWER, second=UPPER, mode="max", factor=0.5, seed_offset=3)
    upper = NoiseLayer(noise=UPPER, mode="max", opacity=0.5, seed_offset=3)
    assert Recipe(layers=blend).layers == (NoiseLayer(noise=LOWER), upper)
    group = Group(
        layers=(NoiseLayer(noise=LOWER), upper), chain=(Absolute(),), name="x", mode="min"
    )
    named = NoiseLayer(noise=Absolute(source=blend), name="x", mode="min")
    assert Recipe(layers=named).layers == (group,)
    assert Group(layers=named).layers == (group,)
    noise = Warp(source=Blend(first=blend, second=Absolute(source=blend), factor=UPPER))
    assert Recipe(layers=noise).noise == noise
    field = Recipe(layers=noise, seed=3).evaluate(GRID).height
    assert field.tobytes() == noise.sample_grid(GRID, 3).tobytes()


@pytest.mark.parametrize(
    ("layers", "message"),
    [
        (3, "Recipe.layers must be noises, groups and modifiers; got 3"),
        ((Perlin(), None), "Recipe.layers must be noises, groups and modifiers; got None"),
        (({"type": "perlin"},), "Recipe.layers must be noises, groups and modifiers; got {"),
    ],
)
def test_what_is_no_layer_is_refused(layers, message):
    with pytest.raises(ParameterError) as caught:
        Recipe(layers=layers)
    assert str(caught.value).startswith(message)


def test_groups_take_no_modifiers():
    with pytest.raises(
        ParameterError, match="^Group.layers must be noise layers and groups; got Blur"
    ):
        Group(layers=(Blur(),))
    with pytest.raises(ParameterError, match="^Group.chain must be noises with a source each"):
        Group(chain=(Perlin(),))


def test_long_lists_and_deep_groups_are_refused():
    with pytest.raises(
        ParameterError, match=r"^Recipe.layers must be at most 1000 layers; got 1001"
    ):
        Recipe(layers=(Blur(),) * 1001)
    assert len(Recipe(layers=(Blur(),) * 1000).layers) == 1000
    group = Group()
    with pytest.raises(ParameterError, match=r"^Group.layers must be at most 64 groups deep"):
        for _ in range(70):
            group = Group(layers=(group,))


def test_layer_types_are_noise_group_and_all_modifiers():
    assert set(layer_types()) == {"noise", "group", *modifier_types()}
    assert layer_types()["noise"] is NoiseLayer and layer_types()["group"] is Group


# --- values by keyword ---------------------------------------------------------------------------


def test_keywords_change_the_first_noise_layer():
    first, second = NoiseLayer(name="a", noise=LOWER), NoiseLayer(noise=UPPER, seed_offset=1)
    recipe = Recipe(layers=(Blur(muted=True), Group(layers=(first, second)), second))
    changed = recipe.with_values(octaves=5.0, noise="value", frequency=6.0)
    assert changed.base == NoiseLayer(
        name="a", noise=Fractal(source=Value(frequency=6.0), octaves=5.0)
    )
    assert changed.layers[1].layers[1:] == (second,) and changed.layers[2] == second
    assert recipe.with_values() == recipe
    with pytest.raises(ParameterError, match="needs a noise layer; got none"):
        Recipe(layers=Blur()).with_values(octaves=3.0)


# --- JSON ----------------------------------------------------------------------------------------


def test_json_is_a_list_of_layers_with_chains():
    layers = (
        NoiseLayer(name="Base", noise=Fractal(source=Perlin(frequency=2.0))),
        Group(layers=(UPPER,), chain=(Absolute(),), mask=NoiseMask(noise=Absolute(source=UPPER))),
        Blur(opacity=0.5),
    )
    recipe = Recipe(layers=layers, seed=5, height=2000.0, size=12000.0)
    plain = json.loads(recipe.to_json())
    assert list(plain) == ["format", "seed", "size", "height", "layers"]
    base, group, blur = plain["layers"]
    assert base["type"] == "noise" and [one["type"] for one in base["chain"]] == [
        "perlin",
        "fractal",
    ]
    assert "source" not in base["chain"][1] and "noise" not in base
    assert group["type"] == "group" and group["layers"][0]["chain"][0]["type"] == "value"
    assert [one["type"] for one in group["chain"]] == ["abs"]
    assert [one["type"] for one in group["mask"]["chain"]] == ["value", "abs"]
    assert blur["type"] == "blur" and blur["opacity"] == 0.5
    again = Recipe.from_json(json.dumps(plain))
    assert again == recipe and again.to_json() == recipe.to_json()


def test_what_a_filter_may_be_depends_on_the_chain_before_it():
    """A fractal of many octaves is allowed on a coarse noise, which its own default is not."""
    allowed = Fractal(source=Perlin(frequency=0.1), octaves=11.0, lacunarity=8.0)
    recipe = Recipe(layers=allowed)
    assert Recipe.from_json(recipe.to_json()) == recipe
    plain = json.loads(recipe.to_json())
    plain["layers"][0]["chain"][0]["frequency"] = 4.0
    with pytest.raises(RecipeError, match="Fractal.octaves must leave at most"):
        Recipe.from_json(json.dumps(plain))


def test_json_may_leave_out_defaults():
    text = '{"format": 1, "layers": [{"type": "noise", "chain": [{"type": "fractal"}]}]}'
    assert Recipe.from_json(text) == Recipe(layers=Fractal())
    assert Recipe.from_json('{"format": 1}') == Recipe()
    text = '{"format": 1, "layers": [{"type": "noise"}, {"type": "group", "chain": []}]}'
    assert Recipe.from_json(text) == Recipe(layers=(NoiseLayer(), Group()))


@pytest.mark.parametrize(
    ("layer", "message"),
    [
        (3, "layers[0] must be an object with a type; got 3"),
        ({}, "layers[0].type must be one of noise, group, amplify, "),
        ({"type": "perlin"}, "layers[0].type must be one of "),
        ({"type": "noise", "chain": {}}, "layers[0].chain must be a list; got {}"),
        ({"type": "noise", "chain": []}, "layers[0].chain: a chain must have at least one noise"),
        (
            {"type": "noise", "chain": [{"type": "perlin"}, {"type": "value"}]},
            "layers[0].chain: Value takes no source, so it can only stand first in a chain",
        ),
        (
            {
                "type": "noise",
                "chain": [{"type": "perlin"}, {"type": "abs", "source": {"type": "value"}}],
            },
            "layers[0].chain[1] (abs) must have its source from the chain; got source",
        ),
        (
            {"type": "group", "chain": [{"type": "abs", "source": {"type": "value"}}]},
            "layers[0].chain[0] (abs) must have its source from the chain; got source",
        ),
        ({"type": "noise", "chain": [{"type": "abs"}] * 200}, "layers[0].chain must be at most 80"),
        ({"type": "noise", "noise": {"type": "perlin"}}, "layers[0] (noise) has the parameters "),
        ({"type": "noise", "mode": "plus"}, "layers[0]: NoiseLayer.mode must be one of 'mix', "),
        ({"type": "group", "layers": 3}, "layers[0].layers must be a list; got 3"),
        ({"type": "group", "layers": [{"type": "blur"}]}, "layers[0]: Group.layers must be noise"),
        ({"type": "group", "chain": [{"type": "perlin"}]}, "layers[0]: Group.chain must be noises"),
        ({"type": "noise", "mask": {"type": "x"}}, "layers[0].mask.type must be one of "),
    ],
)
def test_json_that_is_no_layer_is_refused_with_its_reason(layer, message):
    with pytest.raises(RecipeError) as caught:
        Recipe.from_json(json.dumps({"format": 1, "layers": [layer]}))
    assert str(caught.value).startswith(f"Recipe: {message}")


def test_deep_json_is_refused():
    layer = {"type": "noise"}
    for _ in range(70):
        layer = {"type": "group", "layers": [layer]}
    with pytest.raises(RecipeError, match="deep|one inside the other"):
        Recipe.from_json(json.dumps({"format": 1, "layers": [layer]}))
    for _ in range(100):
        layer = {"type": "group", "layers": [layer]}
    with pytest.raises(RecipeError, match="deep|one inside the other"):
        Recipe.from_json(json.dumps({"format": 1, "layers": [layer]}))
