# SPDX-License-Identifier: GPL-3.0-or-later
"""Heights are finite for all values that are allowed, or a recipe is refused in one line."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

from noise_core import (
    Grid,
    Group,
    NoiseLayer,
    ParameterError,
    Recipe,
    map_types,
    mask_types,
    modifier_types,
    noise_types,
)
from noise_core.base.params import Declared, Parameter
from noise_core.noises import Constant, Perlin
from noise_core.recipes.chains import filter_types
from tests.drawing import count_of, generator

pytestmark = pytest.mark.newest

TINY = (5e-324, 1e-300, 1e-45, 1e-39, 1e-33, 1e-20)
HEIGHTS = (0.0, 1.0, 1000.0, 1e12, -1e12, 1e-33, 1e-20, 1e-6)
WIDTHS = (1e-5, 100.0, 12_000.0, 1e9)

SLOW = ("meanders",)
"""With extreme values it takes some seconds on few samples; `test_meanders.py` tries it."""

MODIFIERS = [cls for key, cls in modifier_types().items() if key not in SLOW]
MAPS = [cls for cls in map_types().values() if cls.channels == 1]


class Drawing:
    """Random recipes with extreme values, each allowed by its declaration."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance

    def number(self, one: Parameter) -> float:
        low, high = max(one.minimum, -1e9), min(one.maximum, 1e9)
        tiny = [sign * size for size in TINY for sign in (1, -1) if low <= sign * size <= high]
        known = [one.default] if isinstance(one.default, float) else []
        drawn = [
            low,
            high,
            self.chance.uniform(low, high),
            *self.chance.sample(tiny, min(2, len(tiny))),
        ]
        return self.chance.choice([*known, *drawn, min(one.soft_maximum, high)])

    def value(self, one: Parameter, depth: int) -> object:
        if one.kind in ("noise", "chain", "map", "mask", "filters", "layers"):
            return self.inner(one.kind, depth)
        chance = self.chance
        if one.kind in ("number", "number_or_noise"):
            return (
                self.number(one) if chance.random() < 0.5 or one.kind != "number" else one.default
            )
        if one.kind == "integer":  # many steps are slow, and no other case
            return chance.choice([int(max(one.minimum, -9)), one.default])
        if one.kind == "vector":
            return tuple(self.number(one) for _ in range(one.size))
        if one.kind == "choice":
            return chance.choice(list(one.options))
        plain = {"boolean": chance.random() < 0.5, "text": ""}
        return plain.get(one.kind, one.default)

    def inner(self, kind: str, depth: int) -> object:
        chance = self.chance
        if kind in ("noise", "chain"):
            return self.noise(depth - 1)
        if kind == "map":
            return self.instance(chance.choice(MAPS), depth - 1)
        if kind == "mask":
            types = list(mask_types().values())
            is_masked = depth > 0 and chance.random() < 0.4
            return self.instance(chance.choice(types), depth - 1) if is_masked else None
        if kind == "filters":
            types = list(filter_types().values())
            return tuple(
                self.instance(chance.choice(types), 0) for _ in range(chance.randint(0, 2))
            )
        return tuple(self.blended(depth - 1) for _ in range(chance.randint(0, 2)))

    def instance(self, cls: type[Declared], depth: int) -> Declared:
        for _ in range(20):
            try:
                return cls(
                    **{
                        parameter.name: self.value(parameter, depth)
                        for parameter in cls.parameters()
                    }
                )
            except ParameterError:  # by a rule about two parameters together
                continue
        return cls()

    def noise(self, depth: int) -> Declared:
        types = [
            cls
            for cls in noise_types().values()
            if depth > 0 or all(parameter.kind != "noise" for parameter in cls.parameters())
        ]
        return self.instance(self.chance.choice(types), depth)

    def blended(self, depth: int) -> Declared:
        is_group = depth > 0 and self.chance.random() < 0.5
        return self.instance(Group if is_group else NoiseLayer, depth)

    def recipe(self) -> Recipe:
        layers = [
            self.blended(2)
            if self.chance.random() < 0.6
            else self.instance(self.chance.choice(MODIFIERS), 1)
            for _ in range(self.chance.randint(1, 4))
        ]
        height, size = self.chance.choice(HEIGHTS), self.chance.choice(WIDTHS)
        return Recipe(layers=layers, seed=self.chance.getrandbits(32), height=height, size=size)


def test_recipes_with_extreme_values_are_finite_or_refused():
    drawing, refused, count = Drawing(generator("extremes")), 0, count_of(2000)
    for number in range(count):
        recipe = drawing.recipe()
        try:
            height = recipe.evaluate(recipe.grid(9, wrap=number % 3 == 0)).height
        except ParameterError as error:
            assert len(str(error).splitlines()) == 1
            refused += 1
        else:
            assert np.isfinite(height).all(), recipe.to_json()
    assert refused < max(0.2 * count, 8)


LINEAR = ("mix", "add", "subtract", "difference", "min", "max", "smooth_min", "smooth_max")


@pytest.mark.parametrize("mode", LINEAR)
@pytest.mark.parametrize("low", [5e-324, 1e-300, 1e-45, 1e-33, 1e-20, 1e-9])
def test_high_layers_in_a_group_that_is_next_to_nothing_high_keep_their_height(low, mode):
    inner = NoiseLayer(noise=Perlin(frequency=3.3), height=5e5)
    group = Group(height=low, layers=(inner, inner.with_values(height=10.0)), mode=mode)
    plain = Group(height=1.0, layers=group.layers, mode=mode, smoothness=0.0)
    base = NoiseLayer(noise=Constant(value=0.3), height=1000.0)
    grid = Grid(9, 9)
    made, same = (
        Recipe(layers=(base, one), height=1.0).evaluate(grid).height for one in (group, plain)
    )
    assert np.isfinite(made).all() and np.ptp(made) > 1e5
    np.testing.assert_allclose(made, same, rtol=1e-5, atol=0.1)


@pytest.mark.parametrize("mode", ["multiply", "screen"])
def test_what_float32_cannot_hold_is_refused(mode):
    inner = NoiseLayer(noise=Perlin(frequency=3.3), height=1e6)
    base = NoiseLayer(noise=Constant(value=1.0), height=1e6)
    recipe = Recipe(layers=(base, Group(height=1e-40, layers=(inner,), mode=mode)), height=1.0)
    with pytest.raises(ParameterError, match=r"^Recipe\.evaluate: heights must be finite; got "):
        recipe.evaluate(Grid(9, 9))


def test_many_factors_are_refused_and_not_infinite():
    thousand = NoiseLayer(noise=Constant(value=1000.0), mode="multiply")
    one = NoiseLayer(noise=Constant(value=1.0))
    for count in (4, 20):
        recipe = Recipe(layers=(one, *[thousand] * count), height=1.0)
        if count == 4:
            height = recipe.evaluate(Grid(3, 3)).height
            assert math.isclose(float(height[0, 0]), 1e12, rel_tol=1e-5)
            continue
        with pytest.raises(
            ParameterError, match=r"^Recipe\.evaluate: heights must be finite; got "
        ):
            recipe.evaluate(Grid(3, 3))
