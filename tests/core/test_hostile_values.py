# SPDX-License-Identifier: GPL-3.0-or-later
"""Hostile values: each is accepted, or refused in one short line."""

from __future__ import annotations

import math

import numpy as np
import pytest

from noise_core import (
    Grid,
    ParameterError,
    Recipe,
    RecipeError,
    TerraneError,
    coloring_types,
    map_types,
    modifier_types,
    noise_types,
)
from noise_core.base.errors import MAX_MESSAGE_LENGTH, format_value
from noise_core.materials.surfaces import Surface
from noise_core.noises import Curve, Perlin
from noise_core.recipes.layers import Group, NoiseLayer

pytestmark = pytest.mark.bits

HUGE = 10**5000
GRID = Grid(5, 5)
FLAT = np.zeros((5, 5), np.float32)

VALUES = {
    "a huge integer": HUGE,
    "a huge negative one": -HUGE,
    "beyond all floats": 10**400,
    "huge ones in a list": [HUGE, HUGE],
    "huge ones in lists": [[HUGE, 0.0], [0.0, HUGE]],
    "a long list": [0.5] * 5000,
    "a deep list": [[[[[[[[[[HUGE]]]]]]]]]],
    "a long text": "x" * 5000,
    "many lines": "a\nb\n" * 100,
    "a large dictionary": {str(number): HUGE for number in range(300)},
    "an array of integers": np.array([[HUGE]], object),
    "a large array": np.full((60, 60), np.nan),
    "no rows": np.zeros((0, 3)),
    "nothing": None,
    "nan": math.nan,
    "a type": int,
    "bytes": b"\x00" * 5000,
}
EVERY_VALUE = pytest.mark.parametrize("named", VALUES)
"""By name, since pytest cannot write huge integers either."""


def attempt(function, *arguments, **keywords):
    """Call a function; an error must be one line from Terrane."""
    try:
        return function(*arguments, **keywords)
    except TerraneError as error:
        message = str(error)
        assert 0 < len(message) <= MAX_MESSAGE_LENGTH
        assert len(message.splitlines()) == 1
        return None


@EVERY_VALUE
def test_arguments_of_a_noise(named):
    value = VALUES[named]
    noise = Perlin()
    for call in (noise.sample, noise.gradient):
        attempt(call, value)
        attempt(call, [[0.5, 0.5]], value)
        attempt(call, [[0.5, value]])
    for call in (noise.sample_grid, noise.gradient_grid):
        assert attempt(call, value) is None
        attempt(call, GRID, value)
        attempt(call, GRID, evolution=value)
        attempt(call, GRID, evolution=(value,))
        if value is not None:
            attempt(call, GRID, threads=value)


@EVERY_VALUE
def test_arguments_of_a_grid(named):
    value = VALUES[named]
    for call in (
        lambda: Grid(value, 3),
        lambda: Grid(3, value),
        lambda: Grid(3, 3, origin=value),
        lambda: Grid(3, 3, origin=(0.0, value)),
        lambda: Grid(3, 3, wrap=value),
        lambda: Grid(3, 3, size=value),
        lambda: Grid(3, 3, first=value),
        lambda: Grid(3, 3, first=(value, 0)),
        lambda: Grid(3, 3, whole=value),
        lambda: Grid(3, 3, whole=(value, 3)),
        lambda: GRID.window(value, 0, 1, 1),
        lambda: GRID.window(0, 0, 1, value),
    ):
        attempt(call)


def test_an_empty_array_is_no_whole_of_a_window():
    for bad in (np.zeros((0, 3)), np.zeros(0), np.array([9, 9]), 0, "", (), [HUGE, HUGE]):
        with pytest.raises(ParameterError, match=r"^Grid\.whole must be two whole numbers; got "):
            Grid(3, 3, whole=bad)


@EVERY_VALUE
@pytest.mark.parametrize("types", [noise_types, modifier_types, map_types, coloring_types])
def test_every_declared_parameter(named, types):
    value = VALUES[named]
    for cls in types().values():
        for parameter in cls.parameters():
            attempt(cls, **{parameter.name: value})


@EVERY_VALUE
def test_arguments_of_recipes_modifiers_maps_and_surfaces(named):
    value = VALUES[named]
    for name in ("layers", "seed", "height", "size"):
        attempt(Recipe, **{"layers": Perlin(), name: value})
    attempt(Recipe, layers=(Perlin(), value))
    for cls in (NoiseLayer, Group):
        for parameter in cls.parameters():
            attempt(cls, **{parameter.name: value})
    recipe = Recipe(layers=(Perlin(), modifier_types()["blur"]()))
    attempt(recipe.evaluate, value)
    attempt(recipe.evaluate, GRID, masks=value)
    attempt(recipe.evaluate, GRID, masks={0: value})
    attempt(recipe.evaluate, GRID, evolution=value)
    blur, slope = modifier_types()["blur"](), map_types()["slope"]()
    attempt(blur.apply, value, GRID)
    attempt(blur.apply, FLAT, value)
    attempt(blur.apply, FLAT, GRID, value)
    attempt(blur.apply, FLAT, GRID, mask=value)
    attempt(slope.values, value, GRID)
    attempt(slope.values, FLAT, value)
    attempt(slope.mask, FLAT, GRID, value, value)
    surface = Surface(label="A", fields={}, maps={})
    attempt(surface.textures, value)
    attempt(surface.textures, Grid(4, 4, wrap=True), value)
    for name in ("maps", "depth", "normal", "evolution"):
        attempt(surface.textures, Grid(4, 4, wrap=True), **{name: value})
    for name in ("label", "fields", "maps", "size", "depth", "exposed", "values"):
        attempt(Surface, **{"label": "A", "fields": {}, "maps": {}, name: value})
    attempt(Surface, label="A", fields={"a": value}, maps={"height": value})
    attempt(surface.constant, value)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Perlin().sample_grid(None), "Perlin.sample_grid: grid must be a Grid; got None"),
        (lambda: Perlin().gradient_grid(3), "Perlin.gradient_grid: grid must be a Grid; got 3"),
        (
            lambda: Perlin().sample([[10**400, 0]]),
            "Perlin.sample: points must be finite; got nan or inf",
        ),
        (
            lambda: Perlin().sample([[0.0, 0.0]], HUGE),
            "Perlin.sample: seed must be in [-2147483648, 4294967295]; got an integer of 16610 bits",
        ),
        (
            lambda: Recipe(layers=Perlin()).evaluate(GRID, masks=3),
            "Recipe.evaluate: masks must be a mapping of numbers to fields; got 3",
        ),
        (
            lambda: Recipe(layers=Perlin()).evaluate(None),
            "Recipe.evaluate: grid must be a Grid; got None",
        ),
        (lambda: Grid(3, 3, size=5e-324), "Grid.size must be in [1e-05, 1e+09]; got 5e-324"),
        (lambda: Grid(3, 3, size=1e150), "Grid.size must be in [1e-05, 1e+09]; got 1e+150"),
    ],
)
def test_what_is_said(call, message):
    with pytest.raises(ParameterError) as caught:
        call()
    assert str(caught.value) == message


def test_no_points_give_no_values():
    assert Perlin().sample(np.zeros((0, 3))).shape == (0,)
    assert Perlin().gradient(np.zeros((0, 3))).shape == (0, 3)
    assert Perlin().sample(np.zeros((4, 0, 2), np.float32)).shape == (4, 0)


@pytest.mark.newest
@pytest.mark.parametrize("size", [1e-5, 1e9])
@pytest.mark.parametrize("wrap", [False, True])
def test_every_size_of_a_grid_gives_finite_fields(size, wrap):
    grid = Grid(17, 17, size=size, wrap=wrap)
    ground = Perlin(frequency=3.0).sample_grid(grid, 3)
    for height in (ground, ground * np.float32(size / 5.0), ground * np.float32(1e12)):
        for cls in modifier_types().values():
            relief = cls().apply(height, grid, 1)
            assert np.isfinite(relief.height).all(), cls.key
            assert all(np.isfinite(map_).all() for map_ in relief.maps.values()), cls.key
        for cls in map_types().values():
            assert np.isfinite(cls().values(height, grid)).all(), cls.key


def test_long_messages_keep_both_ends():
    error = RecipeError("Recipe: " + "a" * 1000 + "; got 7")
    assert len(str(error)) == MAX_MESSAGE_LENGTH
    assert str(error).startswith("Recipe: aaa") and str(error).endswith("aaa; got 7")
    assert str(ParameterError("one\ntwo")) == "one two"
    assert str(ParameterError("short")) == "short"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (7, "7"),
        (-0.5, "-0.5"),
        ("word", "'word'"),
        ((1, 2.0), "(1, 2.0)"),
        (None, "None"),
        (np.zeros((40, 2), np.float32), "an array of shape (40, 2) and float32"),
        (np.array([1.0, 2.0]), "array([1., 2.])"),
        (np.float32(0.5), repr(np.float32(0.5))),
    ],
)
def test_values_are_shown_as_they_are_if_that_is_short(value, text):
    assert format_value(value) == text


def test_what_is_shown_is_short():
    assert format_value(HUGE) == "an integer of 16610 bits"
    assert format_value([HUGE]) == "[an integer of 16610 bits]"
    for value in VALUES.values():
        assert len(format_value(value)) <= 1000
    curve = Curve(points=tuple((float(x), 0.5) for x in range(500)))
    assert len(format_value(curve)) <= 100
