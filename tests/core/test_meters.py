# SPDX-License-Identifier: GPL-3.0-or-later
"""A grid may have no meters: types that need them refuse it, all others are the same at any size."""

from __future__ import annotations

import dataclasses
import re

import numpy as np
import pytest

from noise_core import Grid, ParameterError, Recipe, map_types, modifier_types, read_maps
from noise_core.masks import MapMask
from noise_core.materials.surfaces import surface
from noise_core.modifiers import Blur, FillLakes, Normalize
from noise_core.noises import Fractal, Perlin
from noise_core.pictures.thumbnail import thumbnail
from tests.drawing import count_of, generator

pytestmark = pytest.mark.newest

SHAPE = (17, 24)
SIZES = (64.0, 100.0, 12_000.0)
SMALL = ("amplify", "river_distance")
"""Of few samples the first has no large cells, and all are a river for the second."""

TYPES = {**map_types(), **modifier_types()}
EVERY_TYPE = pytest.mark.parametrize("cls", TYPES.values(), ids=TYPES.keys())


def ground(seed=3):
    return Fractal(source=Perlin(frequency=3.0), octaves=4).sample_grid(Grid(*SHAPE), seed) * 40.0


def run(one, grid, seed=3):
    """Return all fields that a map or modifier makes."""
    if type(one) in map_types().values():
        return {"values": one.values(ground(seed), grid)}
    relief = one.apply(ground(seed), grid, seed)
    return {"height": relief.height, **relief.maps}


def variants(cls):
    """Yield a type with its defaults, and with each length or choice that may make it need meters."""
    yield cls()
    for parameter in cls.parameters():
        if parameter.kind == "number" and parameter.unit == "length" and parameter.minimum == 0.0:
            yield cls(**{parameter.name: 7.0})
        elif parameter.kind == "choice":
            for option in parameter.options:
                yield cls(**{parameter.name: option})


@EVERY_TYPE
def test_each_type_refuses_a_grid_without_size_or_does_the_same_at_any_size(cls):
    for variant in variants(cls):
        wrap = generator(cls.key).random() < 0.5
        plain = Grid(*SHAPE, wrap=wrap)
        if variant.needs_meters:
            with pytest.raises(ParameterError) as refused:
                run(variant, plain)
            text = str(refused.value)
            assert re.match(rf"{cls.__name__}\.(values|apply) needs meters: ", text), text
            assert "size=1000.0" in text and "\n" not in text
            continue
        result = run(variant, plain)
        for size in SIZES:
            for name, field in run(variant, dataclasses.replace(plain, size=size)).items():
                np.testing.assert_allclose(field, result[name], rtol=1e-4, atol=1e-4, err_msg=name)


@EVERY_TYPE
def test_who_is_refused_does_depend_on_the_size(cls):
    one = cls()
    if not one.needs_meters or cls.key in SMALL:
        return
    few, many = (run(one, Grid(*SHAPE, size=size)) for size in (40.0, 4_000.0))
    assert any(not np.array_equal(few[name], many[name]) for name in few)


def test_several_maps_are_refused_by_the_name_of_the_one_that_needs_meters():
    maps = {name: map_types()[name]() for name in ("flow", "slope")}
    with pytest.raises(ParameterError, match=r"^read_maps: Slope needs meters: "):
        read_maps(ground(), Grid(*SHAPE), maps)
    del maps["slope"]
    assert read_maps(ground(), Grid(*SHAPE), maps)["flow"].shape == SHAPE


def test_masks_are_refused_by_the_name_of_their_map():
    with pytest.raises(ParameterError, match=r"^Slope\.values needs meters: "):
        Blur(mask=MapMask()).apply(ground(), Grid(*SHAPE))
    with pytest.raises(ParameterError, match=r"^Slope\.mask needs meters: "):
        map_types()["slope"]().mask(ground(), Grid(*SHAPE))
    below = MapMask(map=map_types()["height"](), limits="below")
    assert FillLakes(mask=below).apply(ground(), Grid(*SHAPE)).height.shape == SHAPE


@pytest.mark.parametrize("name", ["alps", "badlands", "dunes", "none"])
def test_a_recipe_gives_a_grid_its_own_size(name):
    recipe = Recipe.from_preset(name)
    grid = recipe.grid(33)
    plain = dataclasses.replace(grid, size=None)
    np.testing.assert_array_equal(recipe.evaluate(plain).height, recipe.evaluate(grid).height)


def test_a_grid_of_another_size_is_land_of_that_size():
    draw = generator("size")
    for _ in range(count_of(40)):
        recipe = Recipe.from_preset(draw.choice(["alps", "canyon", "dunes"]))
        size = draw.uniform(0.2, 5.0) * recipe.size
        there = recipe.evaluate(Grid(21, 21, size=size)).height
        variant = dataclasses.replace(recipe, size=size)
        np.testing.assert_array_equal(there, variant.evaluate(variant.grid(21)).height)


def test_noise_needs_no_meters_and_normalizing_neither():
    recipe = Recipe(layers=(Fractal(), Normalize(), Blur(), FillLakes()), height=90.0)
    height = recipe.evaluate(Grid(9, 9)).height
    assert height.shape == (9, 9) and np.isfinite(height).all()


def test_textures_are_as_wide_as_their_surface():
    granite = surface("granite")
    textures = granite.textures(Grid(16, 16, wrap=True), 1, ("height",))
    assert textures.size == granite.size and textures.depth == granite.depth


def test_a_picture_of_land_needs_meters_and_one_of_a_texture_none():
    recipe = Recipe.from_preset("alps")
    from noise_core.landscapes.look import Look

    with pytest.raises(ParameterError, match=r" needs meters: "):
        thumbnail(ground(), Grid(*SHAPE), Look(), recipe.height)
    flat = thumbnail(ground(), Grid(*SHAPE), Look(is_flat=True), recipe.height)
    assert flat.shape == (*SHAPE, 3)


def test_a_grid_says_that_it_has_none():
    grid = Grid(5, 5)
    assert grid.size is None and grid.depth == 1.0
    for name in ("spacing", "width"):
        with pytest.raises(ParameterError, match=r"^Grid\.spacing needs meters: "):
            getattr(grid, name)
    assert grid.for_user("Somebody") == grid
    with pytest.raises(ParameterError, match=r"^Somebody needs meters: .*Grid\(5, 5, size="):
        grid.for_user("Somebody").spacing  # noqa: B018
