# SPDX-License-Identifier: GPL-3.0-or-later
"""Grids at any origin: modifiers, maps and gullies work, and randomness moves with a torus."""

from __future__ import annotations

import numpy as np
import pytest

from noise_core import Grid, ParameterError, map_types, modifier_types
from noise_core.modifiers import GullyErosion
from noise_core.noises import Fractal, Gullies, Perlin
from tests.core import contract_modifiers

SEED = 5
WIDTH = 2000.0

ORIGINS = (
    *((1.0, 0.0), (-1.0, 2.0), (0.3, -0.7), (1.0 / 3.0, 2.0 / 3.0)),
    *((-1e-17, 1e-17), (1000.1, -2000.7), (1e6, -1e6)),
)
"""Whole and broken, next to nothing, near and far."""

SHAPES = ((33, 33), (32, 32), (48, 30), (17, 2), (1, 1))

PLACES = (
    *((shape, origin) for shape, origin in zip(SHAPES, ORIGINS[2:])),
    *((SHAPES[2], origin) for origin in ORIGINS if origin != ORIGINS[4]),
)
"""Each shape with some origin, and one with each."""

ROUGHLY = {"debris_flow": 0.01}
"""Share of the mean change by which the mean may differ: surges that meet are summed up in another order, and a
rounded sum may send one of them another way."""

TIED_TO_NUMBERS = {"meanders"}
"""Their chance belongs to the numbers of rivers, which depend on where a torus is cut: their reference says so."""


def eroded(modifier, height, grid):
    relief = modifier.apply(height, grid, SEED)
    return {"height": relief.height, **relief.maps}


@pytest.mark.newest
@pytest.mark.parametrize("wrap", [False, True])
@pytest.mark.parametrize("cls", modifier_types().values(), ids=lambda cls: cls.key)
def test_every_modifier_works_at_every_origin(cls, wrap):
    for shape, origin in PLACES:
        field = contract_modifiers.terrain(*shape, wrap)
        grid = Grid(*shape, wrap=wrap, size=WIDTH, origin=origin)
        modifier = cls(**contract_modifiers.known(cls, "few_steps", "fewer_steps"))
        relief = modifier.apply(field, grid, SEED)
        contract_modifiers.assert_sound(modifier, relief, shape, f"{shape} at {origin}")


@pytest.mark.parametrize("cls", map_types().values(), ids=lambda cls: cls.key)
def test_maps_are_the_same_at_every_origin(cls):
    for shape, wrap in (((33, 33), True), ((24, 31), False)):
        field = contract_modifiers.terrain(*shape, wrap)
        here = cls().values(field, Grid(*shape, wrap=wrap, size=WIDTH))
        for origin in ORIGINS:
            there = cls().values(field, Grid(*shape, wrap=wrap, size=WIDTH, origin=origin))
            assert there.tobytes() == here.tobytes(), origin


@pytest.mark.newest
@pytest.mark.parametrize(
    "cls",
    [cls for key, cls in modifier_types().items() if key not in TIED_TO_NUMBERS],
    ids=lambda cls: cls.key,
)
@pytest.mark.parametrize("shape", [(96, 96), (64, 128)])
def test_a_shifted_torus_gives_the_rolled_result(cls, shape):
    """With default randomness, by multiples of the coarsest spacing, which is 32 samples at most here."""
    rows, columns = shape
    grid = Grid(*shape, wrap=True, size=WIDTH)
    noise = Fractal(source=Perlin(frequency=4.0), octaves=8)
    height = noise.sample_grid(grid, 3) * np.float32(500.0)
    modifier = cls(**contract_modifiers.known(cls, "few_steps", "fewer_steps"))
    straight = eroded(modifier, height, grid)
    assert not np.array_equal(straight["height"], height)
    for down, right in ((32, 0), (-64, 32), (0, 2 * columns)):
        there = Grid(*shape, wrap=True, size=WIDTH, origin=(-right / columns, -down / columns))
        moved = eroded(modifier, np.roll(height, (down, right), (0, 1)), there)
        for name, field in straight.items():
            apart = np.abs(np.roll(field, (down, right), (0, 1)) - moved[name])
            if cls.key in ROUGHLY:
                change = np.abs(straight["height"] - height).mean()
                assert apart.mean() <= ROUGHLY[cls.key] * change, f"{name} by {down}, {right}"
            else:
                worst = apart.max()
                assert worst <= 1e-3, f"{name} by {down}, {right}: {worst:g}"


def test_the_noise_of_gullies_is_the_same_on_a_shifted_torus():
    noise = Gullies()
    field = noise.sample_grid(Grid(48, 64, wrap=True), SEED)
    for down, right in ((48, 0), (-16, 5), (7, 640)):
        there = Grid(48, 64, wrap=True, origin=(-right / 64, -down / 64))
        moved = noise.sample_grid(there, SEED)
        np.testing.assert_allclose(moved, np.roll(field, (down, right), (0, 1)), atol=1e-5)


@pytest.mark.parametrize("wrap", [False, True])
@pytest.mark.parametrize("origin", [(1e9, 0.0), (0.0, -1e9), (1e300, 0.0)])
def test_gullies_beyond_all_cells_are_refused(origin, wrap):
    field = contract_modifiers.terrain(33, 33, wrap)
    with pytest.raises(ParameterError, match=r"^GullyErosion\.apply: grid must lie within .*; got"):
        GullyErosion().apply(field, Grid(33, 33, wrap=wrap, size=WIDTH, origin=origin), SEED)
