# SPDX-License-Identifier: GPL-3.0-or-later
"""Extreme values: results are finite, memory stays small, or an error gives the reason."""

from __future__ import annotations

import time
import tracemalloc

import numpy as np
import pytest

from noise_core import Grid, ParameterError, noise_types
from noise_core.noises import Fractal

pytestmark = pytest.mark.newest

EVERY_TYPE = pytest.mark.parametrize("cls", noise_types().values(), ids=list(noise_types()))
MEBIBYTE = 1 << 20


def frequency_types():
    return [cls for cls in noise_types().values() if "frequency" in names(cls)]


def names(cls):
    return {parameter.name for parameter in cls.parameters()}


def peak(function):
    """Return the result of a call, and its peak memory."""
    tracemalloc.start()
    try:
        result = function()
        return result, tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("frequency", [1e3, 1e5, 1e6])
@pytest.mark.parametrize("wrap", [False, True])
@pytest.mark.parametrize("cls", frequency_types(), ids=lambda cls: cls.key)
def test_cells_far_finer_than_samples_cost_neither_memory_nor_time(cls, wrap, frequency):
    noise = cls(frequency=frequency)
    grid = Grid(48, 48, wrap=wrap)
    begin = time.process_time()
    field, memory = peak(lambda: noise.sample_grid(grid, 3))
    assert time.process_time() - begin < 5.0
    assert memory < 48 * MEBIBYTE
    assert np.isfinite(field).all()
    low, high = noise.bounds()
    assert field.min() >= low - 1e-5
    assert field.max() <= high + 1e-5


@pytest.mark.parametrize("frequency", [1e-4, 0.01])
@pytest.mark.parametrize("wrap", [False, True])
@pytest.mark.parametrize("cls", frequency_types(), ids=lambda cls: cls.key)
def test_cells_far_larger_than_a_tile_are_smooth(cls, wrap, frequency):
    field = cls(frequency=frequency).sample_grid(Grid(20, 20, wrap=wrap), 3)
    assert np.isfinite(field).all()


@pytest.mark.parametrize("cls", noise_types().values(), ids=noise_types())
def test_points_so_far_out_that_cells_cannot_be_told_apart_are_taken_or_refused(cls):
    noise = cls()
    dimension = max(noise.dimensions)
    for far in (1e6, 1e9, 1e15, 1e30, 1e300):
        for sign in (1.0, -1.0):
            points = np.full((5, dimension), sign * far)
            try:
                field = noise.sample(points, 1)
            except ParameterError as error:
                assert "tiles of the origin" in str(error)
            else:
                assert np.isfinite(field).all()
    single = np.full((5, dimension), 1e30, np.float32)
    try:
        assert np.isfinite(noise.sample(single, 1)).all()
    except ParameterError as error:
        assert "tiles of the origin" in str(error)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, "a", None, 1j, True])
def test_an_evolution_must_be_finite_numbers(value):
    with pytest.raises(ParameterError, match=r"^Fractal\.sample_grid: evolution must be "):
        Fractal().sample_grid(Grid(3, 3), 1, evolution=(value,))


@pytest.mark.parametrize(
    "bad", [[[1.0], [1.0, 2.0]], [["1", "2"]], [[{}, 1.0]], np.array([[1j, 2j]])]
)
def test_points_that_are_no_numbers_are_refused(bad):
    with pytest.raises(ParameterError, match=r"^Fractal\.sample: points must be numbers; got "):
        Fractal().sample(bad, 1)


def test_points_may_be_any_real_numbers():
    noise = Fractal(octaves=2.0)
    expected = noise.sample([[0.5, 2.0], [1.0, 0.0]], 1)
    for given in (
        ((0.5, 2), (1, 0)),
        np.array([[0.5, 2.0], [1.0, 0.0]], np.float16),
        np.array([[0.5, 2.0], [1.0, 0.0]], object),
        np.array([[0.5, 2.0], [1.0, 0.0]], np.longdouble),
    ):
        np.testing.assert_array_equal(noise.sample(given, 1), expected)
    whole = noise.sample([[1.0, 0.0]], 1)
    for dtype in (bool, np.int8, np.uint64):
        np.testing.assert_array_equal(noise.sample(np.array([[1, 0]], dtype), 1), whole)


@EVERY_TYPE
@pytest.mark.parametrize("shape", [(1, 300), (300, 1), (2, 2), (3, 500)])
@pytest.mark.parametrize("wrap", [False, True])
def test_narrow_grids_are_like_any_other(cls, shape, wrap):
    noise = cls()
    grid = Grid(*shape, wrap=wrap)
    field = noise.sample_grid(grid, 4)
    low, high = noise.bounds()
    assert np.isfinite(field).all()
    assert low - 1e-5 <= field.min()
    assert field.max() <= high + 1e-5


def tiny_values():
    """Yield each number that may be next to nothing, with the choice that makes it count."""
    for key, cls in noise_types().items():
        for parameter in cls.parameters():
            if parameter.kind == "number" and parameter.minimum <= 0.0 < parameter.maximum:
                shown, options = parameter.visible_when or ("", ("",))
                if not isinstance(options, tuple):
                    shown, options = "", ("",)  # as its default is above the limit
                for option in options:
                    values = {shown: option} if shown else {}
                    name = f"{key}.{parameter.name}-{option}".rstrip("-")
                    yield pytest.param(cls, values, parameter.name, id=name)


@pytest.mark.parametrize(("cls", "values", "name"), list(tiny_values()))
def test_numbers_that_vanish_in_float32_are_like_zero(cls, values, name):
    for tiny in (5e-324, 1e-300, 1e-45, 1e-39, 1e-30):
        noise = cls(**values, **{name: tiny})
        low, high = noise.bounds()
        for field in (
            noise.sample(np.random.default_rng(0).uniform(-2.0, 2.0, (100, 2)), 1),
            noise.sample_grid(Grid(12, 12, wrap=True), 1),
        ):
            assert np.isfinite(field).all()
            assert low - 1e-5 <= field.min()
            assert field.max() <= high + 1e-5
