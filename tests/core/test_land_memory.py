# SPDX-License-Identifier: GPL-3.0-or-later
"""Evaluations that leave a land to the next one: the same bits, and less work."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from noise_core import CurvePoint, LandCurve, Recipe
from noise_core.masks import LayerMask
from noise_core.modifiers import Blur, Path, Terraces, ThermalErosion
from noise_core.noises import Fractal, Perlin, Value
from noise_core.recipes.land_memory import LandMemory
from noise_core.recipes.layers import NoiseLayer
from tests.drawing import count_of, generator

BASE = Recipe(
    layers=(Fractal(source=Perlin(frequency=2.0), octaves=5), ThermalErosion()),
    height=300.0,
    size=1000.0,
)


def road(y):
    """Return a path whose middle lies at some y."""
    points = [CurvePoint(at=at, width=40.0) for at in ((0.1, 0.5), (0.5, y), (0.9, 0.5))]
    return Path(curves=[LandCurve(points=points)])


def compare(recipe, memory, **keywords):
    """Return the numbers of the layers that an evaluation with a memory takes; its bits are those without."""
    numbers = []
    grid = recipe.grid(65)
    plain = recipe.evaluate(grid, **keywords)
    relief = recipe.evaluate(grid, memory=memory, finished=numbers.append, **keywords)
    np.testing.assert_array_equal(relief.height, plain.height)
    assert relief.maps.keys() == plain.maps.keys()
    for name, values in plain.maps.items():
        np.testing.assert_array_equal(relief.maps[name], values)
    return numbers


def test_only_the_layers_from_the_changing_one_on_are_evaluated():
    memory, taken = LandMemory(), []
    for y in (0.3, 0.4, 0.5, 0.6):
        recipe = dataclasses.replace(BASE, layers=(*BASE.layers, road(y), Blur()))
        taken.append(compare(recipe, memory))
    assert taken == [[(0,), (1,), (2,), (3,)]] * 2 + [[(2,), (3,)]] * 2


def test_another_layer_that_changes_is_found_out():
    memory = LandMemory()
    chance = generator("land memory")
    layers = [*BASE.layers, road(0.5), Blur()]
    skipped = 0
    for _ in range(count_of(200)):
        place = chance.randrange(1, 4)
        changed = {
            1: ThermalErosion(talus_angle=chance.uniform(20.0, 50.0)),
            2: road(chance.uniform(0.2, 0.8)),
            3: Blur(radius=chance.uniform(1.0, 9.0), muted=chance.random() < 0.3),
        }
        for _ in range(chance.randrange(1, 4)):
            layers[place] = changed[place]
            numbers = compare(dataclasses.replace(BASE, layers=tuple(layers)), memory)
            skipped += (1,) not in numbers
            changed[2] = road(chance.uniform(0.2, 0.8))
    assert skipped or count_of(200) < 20


@pytest.mark.parametrize("change", [{"seed": 5}, {"height": 400.0}, {"size": 900.0}])
def test_other_numbers_of_the_recipe_forget_the_land(change):
    memory = LandMemory()
    for y in (0.3, 0.4, 0.5):
        compare(dataclasses.replace(BASE, layers=(*BASE.layers, road(y))), memory)
    changed = dataclasses.replace(BASE, layers=(*BASE.layers, road(0.6)), **change)
    assert (1,) in compare(changed, memory)


def test_a_mask_by_a_later_layer_is_not_taken_from_memory():
    memory = LandMemory()
    for frequency in (3.0, 4.0, 5.0):
        layers = (
            BASE.layers[0],
            ThermalErosion(mask=LayerMask(layer="Later")),
            NoiseLayer(name="Later", noise=Perlin(frequency=frequency)),
        )
        compare(dataclasses.replace(BASE, layers=layers), memory)


def test_painted_masks_are_not_remembered():
    memory = LandMemory()
    for share in (0.0, 0.5, 1.0):
        mask = np.full((65, 65), share, np.float32)
        recipe = dataclasses.replace(BASE, layers=(*BASE.layers, road(share)))
        compare(recipe, memory, masks={1: mask})
    assert memory.kept is None


def test_layers_that_are_added_and_removed():
    memory = LandMemory()
    for count in (2, 3, 4, 3, 4, 2, 4):
        layers = (*BASE.layers, road(0.5), Blur())[:count]
        compare(dataclasses.replace(BASE, layers=layers), memory)


def test_layers_that_are_moved_muted_and_taken_away_have_the_bits_of_a_new_evaluation():
    chance = generator("land memory, moved")
    pool = [
        Perlin(frequency=4.0),
        NoiseLayer(noise=Value(frequency=7.0), height=80.0),
        NoiseLayer(noise=Perlin(frequency=9.0), height=30.0, mode="max"),
        Blur(),
        ThermalErosion(passes=3),
        Terraces(count=5),
    ]
    for _ in range(count_of(60)):
        memory, layers = LandMemory(), chance.sample(pool, 3)
        for _ in range(12):
            turn = chance.randrange(4)
            if turn == 0 and len(layers) > 1:
                layers.pop(chance.randrange(len(layers)))
            elif turn == 1 and len(layers) < 6:
                layers.insert(chance.randrange(len(layers) + 1), chance.choice(pool))
            elif turn == 2:
                chance.shuffle(layers)
            else:
                place = chance.randrange(len(layers))
                layer = Recipe(layers=(layers[place],)).layers[0]
                layers[place] = dataclasses.replace(layer, muted=not layer.muted)
            compare(Recipe(layers=tuple(layers), height=300.0, size=1000.0, seed=3), memory)
