# SPDX-License-Identifier: GPL-3.0-or-later
"""Contract of all maps."""

from __future__ import annotations

import contextlib
import pkgutil
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import noise_core.flow_routing
import noise_core.maps
import noise_core.modifiers
import noise_core.noises
import noise_core.rasters.height_field
from noise_core import Cancelled, Grid, Map, ParameterError, map_types, read_maps
from noise_core.base import blocks
from noise_core.base.arrays import MAX_HEIGHT
from noise_core.noises import Fractal, Perlin
from tests.core.strategies import instances

pytestmark = [pytest.mark.bits, pytest.mark.ends]

DRAINED = {"drainage_area", "flow", "river", "river_distance", "strahler", "wetness"}
SHAPES = [(1, 1), (1, 9), (8, 1), (2, 2), (3, 7), (33, 20)]


def variants() -> list:
    """Return every map as it is and with every option it offers."""
    found = []
    for key, cls in map_types().items():
        found.append(pytest.param(cls(), id=key))
        for parameter in cls.parameters():
            for option in list(parameter.options)[1:]:
                found.append(pytest.param(cls(**{parameter.name: option}), id=f"{key}-{option}"))
            if parameter.name == "radius":
                found.append(pytest.param(cls(radius=17.0), id=f"{key}-radius"))
    return found


every_map = pytest.mark.parametrize("one", variants())


def ground(grid: Grid, seed: int = 4) -> np.ndarray:
    return 30.0 * Fractal(source=Perlin(frequency=3.0), octaves=5).sample_grid(grid, seed)


def extremes(shape: tuple[int, int]) -> dict[str, np.ndarray]:
    """Return heights that are hard on arithmetic."""
    white = np.random.default_rng(8).normal(size=shape).astype(np.float32)
    spike = np.zeros(shape, np.float32)
    spike[shape[0] // 2, shape[1] // 2] = 1e5
    return {
        "level": np.full(shape, -3.5, np.float32),
        "spike": spike,
        "white": white,
        "deep": white - np.float32(5e3),
        "tiny": white * np.float32(1e-6),
        "huge": white * np.float32(1e5),
        "as high as allowed": white * np.float32(0.99 * MAX_HEIGHT / np.abs(white).max()),
        "next to nothing": white * np.float32(1e-40),
        "sea": np.maximum(white, 0.0),
        "terraces": np.round(white),
    }


@contextlib.contextmanager
def small_blocks(threads: int):
    """Cut even a small field into several strips and blocks."""
    with (
        mock.patch.object(blocks, "SAMPLES_PER_STRIP", 200),
        mock.patch.object(noise_core.rasters.height_field, "SAMPLES_PER_BLOCK", 90),
        mock.patch.object(blocks, "processor_count", lambda: threads),
    ):
        yield


def test_there_are_the_maps_that_artists_need():
    assert set(map_types()) >= {
        *("slope", "aspect", "curvature", "normal", "ambient_occlusion", "cavity", "flow"),
        *("drainage_area", "wetness", "river", "river_distance", "strahler", "height_bands", "sea"),
    }


def test_no_file_hides_a_function():
    files = {module.name for module in pkgutil.iter_modules(noise_core.maps.__path__)}
    assert not files & set(map_types())


@every_map
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("wrap", [False, True])
def test_finite_and_within_bounds(one: Map, shape, wrap):
    grid = Grid(*shape, wrap=wrap, size=250.0)
    low, high = one.bounds()
    for name, height in extremes(shape).items():
        before = height.copy()
        values = one.values(height, grid)
        assert values.shape == (shape if one.channels == 1 else (*shape, one.channels)), name
        assert values.dtype == np.float32, name
        assert np.isfinite(values).all(), name
        assert low <= values.min() and values.max() <= high, name
        assert values.flags.writeable and not np.shares_memory(values, height), name
        assert height.tobytes() == before.tobytes(), f"{name}: wrote into the height"


@every_map
@settings(max_examples=12)
@given(data=st.data())
def test_any_parameters_are_fine(one: Map, data):
    drawn = data.draw(instances(type(one)))
    wrap = data.draw(st.booleans())
    values = drawn.values(ground(grid := Grid(9, 14, wrap=wrap, size=100.0)), grid)
    assert np.isfinite(values).all()
    low, high = drawn.bounds()
    assert low <= values.min() and values.max() <= high


@every_map
@pytest.mark.parametrize("shape", [(24, 24), (30, 18), (17, 40)])
def test_a_torus_has_no_border(one: Map, shape):
    grid = Grid(*shape, wrap=True, size=100.0)
    height = ground(grid) + np.random.default_rng(1).normal(size=shape).astype(np.float32)
    values = one.values(height, grid)
    for shift in ((5, 0), (0, 7), (shape[0] - 1, 3)):
        rolled = one.values(np.roll(height, shift, (0, 1)), grid)
        np.testing.assert_array_equal(rolled, np.roll(values, shift, (0, 1)))


@every_map
@pytest.mark.parametrize("wrap", [False, True])
def test_blocks_and_threads_change_nothing(one: Map, wrap):
    height = ground(grid := Grid(41, 33, wrap=wrap, size=100.0))
    whole = one.values(height, grid)
    for threads in (1, 2):
        with small_blocks(threads):
            assert one.values(height, grid).tobytes() == whole.tobytes()


@every_map
def test_mirrored_ground_has_a_mirrored_map(one: Map):
    """Nothing leans to one side, except water that finds two equally low ways out of a hollow."""
    if one.key in ("aspect", "normal"):
        pytest.skip("names directions")
    height = ground(grid := Grid(25, 37, size=100.0))
    values = one.values(height, grid)
    for axis in (0, 1):
        mirrored = np.flip(one.values(np.flip(height, axis), grid), axis)
        differs = ~np.isclose(mirrored, values, rtol=2e-4, atol=2e-5)
        assert differs.mean() <= (0.02 if one.key in DRAINED else 0.0)


@every_map
def test_bad_heights_are_refused(one: Map):
    grid, name = Grid(4, 5, size=100.0), type(one).__name__
    for bad, text in (
        (np.zeros((5, 4)), r"the grid's shape \(4, 5\); got \(5, 4\)"),
        (np.zeros(20), r"the grid's shape \(4, 5\); got \(20,\)"),
        (np.full((4, 5), np.nan), "finite; got nan or inf"),
        (np.full((4, 5), np.inf, np.float32), "finite; got nan or inf"),
        (np.full((4, 5), 1e300), "finite; got nan or inf"),
        (np.full((4, 5), -2e12), r"in \[-1e\+12, 1e\+12\]; got -2e\+12 to -2e\+12"),
        ([["high"]], "numbers of shape"),
    ):
        with pytest.raises(ParameterError, match=rf"^{name}\.values: height must (have|be) {text}"):
            one.values(bad, grid)


@every_map
def test_progress_rises_to_the_end(one: Map):
    heard: list[float] = []
    height = ground(grid := Grid(40, 30, size=100.0))
    with small_blocks(2):
        one.values(height, grid, progress=heard.append)
    assert heard == sorted(heard)
    assert heard[-1] == 1.0 and heard[0] >= 0.0


@every_map
def test_cancelling_stops(one: Map):
    height = ground(grid := Grid(40, 30, size=100.0))
    with pytest.raises(Cancelled):
        one.values(height, grid, cancel=lambda: True)
    asked = []
    with small_blocks(1):
        one.values(height, grid, cancel=lambda: bool(asked.append(1)))
    if len(asked) > 2:  # those that take a while are stopped on the way
        with small_blocks(1), pytest.raises(Cancelled):
            left = [False] * (len(asked) // 2)
            one.values(height, grid, cancel=lambda: left.pop() if left else True)
    else:
        assert one.key == "height" or getattr(one, "kind", "") == "depth"


def test_several_maps_at_once_are_the_same():
    height = ground(grid := Grid(28, 35, size=100.0))
    chosen = {key: cls() for key, cls in map_types().items()}
    heard: list[float] = []
    with mock.patch(
        "noise_core.flow_routing.surface_flow.route", wraps=noise_core.flow_routing.routing.route
    ) as route:
        fields = read_maps(height, grid, chosen, progress=heard.append)
    assert route.call_count == 1, "the flow tree is worked out once"
    assert list(fields) == list(chosen)
    for name, field in fields.items():
        assert field.tobytes() == chosen[name].values(height, grid).tobytes(), name
    assert heard == sorted(heard) and heard[-1] == 1.0
    with pytest.raises(Cancelled):
        read_maps(height, grid, chosen, cancel=lambda: True)
    with pytest.raises(ParameterError, match="^read_maps: height must have"):
        read_maps(height[1:], grid, chosen)


def test_names_can_be_listed():
    names = dir(noise_core.maps)
    assert {"Slope", "slope", "slope_mask", "Normal", "normal"} <= {*names}
    assert "normal_mask" not in names
    for name in names:
        assert callable(getattr(noise_core.maps, name))
    assert "StreamErosion" in dir(noise_core.modifiers)
    assert "Perlin" in dir(noise_core.noises)
