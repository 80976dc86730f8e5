# SPDX-License-Identifier: GPL-3.0-or-later
"""Limits and falloff, and maps as plain functions."""

from __future__ import annotations

import inspect
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import noise_core.maps
from noise_core import Grid, ParameterError, map_types
from noise_core.maps import (
    Height,
    HeightBands,
    Normal,
    Slope,
    height_bands,
    height_mask,
    slope_mask,
)

GRID = Grid(1, 101, size=100.0)
RISE = np.arange(101.0)[None]  # height 0, 1, ... 100
SCALAR = {key: cls for key, cls in map_types().items() if cls.channels == 1}


def test_inside_one_outside_zero_smooth_between():
    mask = height_mask(RISE, GRID, 40.0, 60.0, 10.0)[0]
    assert mask.dtype == np.float32
    assert (mask[40:61] == 1.0).all()
    assert (mask[:31] == 0.0).all() and (mask[70:] == 0.0).all()
    t = np.arange(1, 10) / 10.0
    np.testing.assert_allclose(mask[31:40], 3 * t**2 - 2 * t**3, atol=1e-6)
    np.testing.assert_allclose(mask[61:70], mask[31:40][::-1], atol=1e-6)


def test_hard_edges_and_open_ends():
    h = RISE
    np.testing.assert_array_equal(height_mask(h, GRID, 40.0, 60.0), (h >= 40) & (h <= 60))
    np.testing.assert_array_equal(height_mask(h, GRID, 30.0), h >= 30)
    np.testing.assert_array_equal(height_mask(h, GRID, high=30.0), h <= 30)
    np.testing.assert_array_equal(height_mask(h, GRID, 50.0, 50.0), h == 50)
    np.testing.assert_array_equal(height_mask(h, GRID), np.ones_like(h))
    np.testing.assert_array_equal(height_mask(h, GRID, math.inf), np.zeros_like(h))
    wide = height_mask(h, GRID, 30.0, math.inf, 20.0)[0]
    assert (np.diff(wide[10:31]) > 0).all() and (wide[30:] == 1).all() and (wide[:11] == 0).all()


@given(
    st.floats(-150, 150),
    st.floats(0, 200),
    st.one_of(st.just(0.0), st.floats(0, 1e-20), st.floats(0, 300), st.floats(0, 1e300)),
)
def test_masks_stay_in_range_and_contain_their_limits(low, width, falloff):
    mask = height_mask(RISE, GRID, low, low + width, falloff)
    hard = height_mask(RISE, GRID, low, low + width)
    assert np.isfinite(mask).all() and mask.min() >= 0.0 and mask.max() <= 1.0
    assert (mask >= hard).all()
    inside = (low + 1e-3 < RISE) & (low + width - 1e-3 > RISE)
    assert (mask[inside] == 1.0).all()


@pytest.mark.parametrize("key", SCALAR)
def test_every_scalar_map_is_a_mask(key):
    grid = Grid(13, 17, size=50.0)
    height = 4.0 * np.random.default_rng(7).normal(size=grid.shape)
    one = SCALAR[key]()
    values = one.values(height, grid)
    low, high = np.quantile(values[values >= 0] if key == "aspect" else values, (0.3, 0.7))
    function = getattr(noise_core.maps, f"{key}_mask")
    mask = function(height, grid, low, high, 0.25 * float(np.ptp(values)))
    assert mask.shape == grid.shape and mask.dtype == np.float32
    assert 0.0 <= mask.min() and mask.max() == 1.0
    assert (mask[(values > low) & (values < high)] == 1.0).all()
    hard = one.mask(height, grid, float(low), float(high))
    assert set(np.unique(hard)) <= {0.0, 1.0} and (mask >= hard).all()
    np.testing.assert_array_equal(getattr(noise_core.maps, key)(height, grid), values)


@pytest.mark.parametrize("key", SCALAR)
def test_bad_limits_are_refused(key):
    one, grid = SCALAR[key](), Grid(2, 3, size=100.0)
    height = np.zeros((2, 3))
    for low, high, falloff, text in (
        (2.0, 1.0, 0.0, r"low must be at most high; got 2\.0 and 1\.0"),
        (math.nan, 1.0, 0.0, "low must be at most high; got nan and 1.0"),
        ("0", 1.0, 0.0, "low must be at most high; got '0' and 1.0"),
        (0.0, 1.0, -0.5, r"falloff must be in \[0, inf\); got -0\.5"),
        (0.0, 1.0, math.nan, r"falloff must be in \[0, inf\); got nan"),
        (0.0, 1.0, math.inf, r"falloff must be in \[0, inf\); got inf"),
    ):
        with pytest.raises(ParameterError, match=rf"^{type(one).__name__}\.mask: {text}"):
            one.mask(height, grid, low, high, falloff)
    with pytest.raises(ParameterError, match="height must have the grid's shape"):
        one.mask(height.T, grid, 0.0, 1.0)


def test_vectors_make_no_mask():
    with pytest.raises(ParameterError, match=r"^Normal\.mask needs a map of 1 channel; .* has 3"):
        Normal().mask(np.zeros((2, 3)), Grid(2, 3, size=100.0))
    with pytest.raises(AttributeError, match="normal_mask"):
        noise_core.maps.normal_mask  # noqa: B018


@pytest.mark.parametrize("key", map_types())
def test_functions_look_written_by_hand(key):
    cls = map_types()[key]
    assert getattr(noise_core.maps, cls.__name__) is cls
    for name in (key, f"{key}_mask"):
        if name == "normal_mask":
            continue
        function = getattr(noise_core.maps, name)
        assert function is getattr(noise_core.maps, name)
        assert (function.__name__, function.__module__) == (name, "noise_core.maps")
        signature = inspect.signature(function)
        expected = ["height", "grid", *(("low", "high", "falloff") if "mask" in name else ())]
        own = [parameter.name for parameter in cls.parameters()]
        assert list(signature.parameters) == expected + own
        for parameter in cls.parameters():
            assert signature.parameters[parameter.name].default == parameter.default
            assert parameter.help in function.__doc__
        assert "Parameters\n" in function.__doc__ and "Raises\n" in function.__doc__


def test_functions_check_what_they_are_given():
    grid = Grid(2, 3, size=100.0)
    with pytest.raises(ParameterError, match=r"Curvature\.kind must be one of"):
        noise_core.maps.curvature(np.zeros((2, 3)), grid, kind="round")
    with pytest.raises(TypeError):
        noise_core.maps.slope(np.zeros((2, 3)), grid, color=1)
    with pytest.raises(AttributeError, match="has no attribute 'steepness_mask'"):
        noise_core.maps.steepness_mask  # noqa: B018
    assert slope_mask([[0, 0, 0], [0, 0, 0]], grid, 0, 1, 1).tolist() == [[1, 1, 1], [1, 1, 1]]


def test_maps_are_values():
    assert Slope() == Slope() and hash(Slope()) == hash(Slope()) and Slope() != Height()
    assert HeightBands(count=3) != HeightBands(count=4)
    with pytest.raises(ParameterError, match=r"HeightBands\.count must be in \[1, 1024\]; got 0"):
        HeightBands(count=0)


def test_bands():
    hard = height_bands(RISE, GRID, count=4, lowest=20.0, thickness=20.0, blend=0.0)[0]
    np.testing.assert_array_equal(hard, np.clip(np.floor((RISE[0] - 20) / 20), 0, 3))
    shared = height_bands(RISE, GRID, count=5, blend=0.0)[0]
    assert [int((shared == band).sum()) for band in range(5)] == [20, 20, 20, 20, 21]
    soft = height_bands(RISE, GRID, count=4, lowest=20.0, thickness=20.0, blend=0.5)[0]
    assert (np.diff(soft) >= 0).all() and soft[0] == 0.0 and soft[-1] == 3.0
    assert soft[40] == pytest.approx(0.5) and soft[45] == 1.0 and 0.0 < soft[37] < 0.5
    ramp = height_bands(RISE, GRID, count=2, blend=1.0)[0]
    t = np.clip((RISE[0] - 25.0) / 50.0, 0, 1)
    np.testing.assert_allclose(ramp, 3 * t**2 - 2 * t**3, atol=1e-6)
    assert (height_bands(RISE, GRID, count=1) == 0.0).all()
    assert (height_bands(np.zeros((1, 101)), GRID) == 0.0).all()
