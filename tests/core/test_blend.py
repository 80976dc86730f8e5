# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests of `Blend` beyond the contract of all noises."""

from __future__ import annotations

import numpy as np
import pytest

from noise_core import Grid
from noise_core.lattice.hash import child_seed
from noise_core.noises import Blend, Constant, Fractal, Perlin, Remap, Value

GRID = Grid(40, 30)
SEED = 11
FIRST = Fractal(source=Perlin(frequency=3.0), octaves=3.0)
SECOND = Value(frequency=4.0)


def unit(values):
    return (values + 1.0) / 2.0


def smooth_minimum(a, b, k=0.25):
    height = np.maximum(k - np.abs(a - b), 0.0) / k
    return np.minimum(a, b) - height * height * k / 4.0


FORMULAS = {
    "mix": lambda a, b: b,
    "add": lambda a, b: a + b,
    "subtract": lambda a, b: a - b,
    "multiply": lambda a, b: a * b,
    "screen": lambda a, b: 2.0 * (1.0 - (1.0 - unit(a)) * (1.0 - unit(b))) - 1.0,
    "difference": lambda a, b: np.abs(a - b),
    "min": np.minimum,
    "max": np.maximum,
    "smooth_min": smooth_minimum,
    "smooth_max": lambda a, b: -smooth_minimum(-a, -b),
}


def layers():
    """Return the two layers with the same seed."""
    return (
        FIRST.sample_grid(GRID, SEED).astype(np.float64),
        SECOND.sample_grid(GRID, SEED).astype(np.float64),
    )


@pytest.mark.parametrize("factor", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("mode", FORMULAS)
def test_modes(mode, factor):
    blend = Blend(
        first=FIRST, second=SECOND, mode=mode, factor=factor, smoothness=0.25, seed_offset=0
    )
    first, second = layers()
    expected = first * (1.0 - factor) + FORMULAS[mode](first, second) * factor
    np.testing.assert_allclose(blend.sample_grid(GRID, SEED), expected, atol=1e-6)


def test_every_mode_is_tested():
    options = next(
        parameter.options for parameter in Blend.parameters() if parameter.name == "mode"
    )
    assert set(options) == set(FORMULAS)


def test_noise_as_factor():
    mask = Perlin(frequency=2.0)
    blend = Blend(first=FIRST, second=SECOND, factor=mask, seed_offset=0)
    share = unit(mask.sample_grid(GRID, SEED))
    first, second = layers()
    expected = first + share * (second - first)
    np.testing.assert_allclose(blend.sample_grid(GRID, SEED), expected, atol=1e-6)


def test_noise_as_factor_is_cut_off():
    strong = Remap(source=Perlin(), to_minimum=-9.0, to_maximum=9.0, clamp=False)
    blend = Blend(first=Constant(value=0.0), second=Constant(value=1.0), factor=strong)
    field = blend.sample_grid(GRID, SEED)
    assert (field.min(), field.max()) == (0.0, 1.0)
    assert blend.bounds() == (0.0, 1.0)


def test_seed_offset_tells_equal_noises_apart():
    same = Blend(first=FIRST, second=FIRST, mode="difference", factor=1.0, seed_offset=0)
    assert not same.sample_grid(GRID, SEED).any()
    fields = [
        Blend(
            first=FIRST, second=FIRST, mode="difference", factor=1.0, seed_offset=offset
        ).sample_grid(GRID, SEED)
        for offset in (1, 2)
    ]
    assert all(field.mean() > 0.05 for field in fields)
    assert np.abs(fields[0] - fields[1]).mean() > 0.02


def test_second_shares_no_seed_with_an_octave():
    field = Blend(first=FIRST, second=SECOND, factor=1.0).sample_grid(GRID, SEED)
    for octave in range(25):
        other = SECOND.sample_grid(GRID, child_seed(SEED, octave))
        assert np.abs(field - other).max() > 0.1


def test_factor_0_is_the_first_to_the_bit():
    field = Blend(first=FIRST, second=SECOND, factor=0.0).sample_grid(GRID, SEED)
    np.testing.assert_array_equal(field, FIRST.sample_grid(GRID, SEED))


def test_smoothness_0_is_the_plain_minimum():
    rounded = Blend(first=FIRST, second=SECOND, mode="smooth_min", smoothness=0.0)
    plain = Blend(first=FIRST, second=SECOND, mode="min")
    np.testing.assert_array_equal(rounded.sample_grid(GRID, SEED), plain.sample_grid(GRID, SEED))


def test_bounds():
    def bounds(mode, factor=1.0):
        low = Remap(source=Perlin(), to_minimum=-0.5, to_maximum=2.0)
        return Blend(first=low, second=Perlin(), mode=mode, factor=factor, smoothness=0.4).bounds()

    assert bounds("mix") == (-1.0, 1.0)
    assert bounds("add") == (-1.5, 3.0)
    assert bounds("subtract") == (-1.5, 3.0)
    assert bounds("multiply") == (-2.0, 2.0)
    assert bounds("difference") == (0.0, 3.0)
    assert bounds("min") == (-1.0, 1.0)
    assert bounds("max") == (-0.5, 2.0)
    assert bounds("smooth_min") == pytest.approx((-1.1, 1.0))
    assert bounds("smooth_max") == pytest.approx((-0.5, 2.1))
    assert bounds("add", 0.5) == (-1.0, 2.5)
