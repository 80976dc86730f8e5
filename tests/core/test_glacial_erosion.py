# SPDX-License-Identifier: GPL-3.0-or-later
"""Glacial Erosion: ice that flows as it should, and troughs where it slid."""

from __future__ import annotations

import functools

import numpy as np
import pytest

from noise_core import Grid, Recipe
from noise_core.erosion.glaciers import abrasion, glaciation
from noise_core.erosion.glaciers.climate import Climate
from noise_core.erosion.glaciers.flow import CONDUCTIVITY, Ice, Mesh
from noise_core.modifiers import GlacialErosion, StreamErosion
from noise_core.noises import Fractal, Perlin
from noise_core.rasters import totals
from noise_core.rasters.level import Level
from tests.core.cross_profiles import exponents
from tests.core.preset_lands import land as preset_land

pytestmark = pytest.mark.newest

SIZE = 12000.0
UNIT = 0.1
"""Of thickness, in reliefs, where ice flows alone."""


class Snow:
    """A climate that does not depend on the height."""

    def __init__(self, balance: np.ndarray) -> None:
        self._balance = balance.astype(np.float32)

    def balance(self, surface: np.ndarray) -> np.ndarray:
        return self._balance.copy()


class NoSnow:
    """A climate in which nothing falls and nothing melts."""

    def balance(self, surface: np.ndarray) -> np.ndarray:
        return np.zeros_like(surface)


def test_a_sheet_of_ice_on_level_ground_has_the_profile_of_nye():
    """Snow falls evenly as far as the edge, beyond which all melts: flux x = 2 (h^5 + h^3) (unit h')^3."""
    side, edge = 96, 0.35
    x = (np.arange(side) + 0.5) / side - 0.5
    balance = np.where(np.abs(x) < edge, 1.0, -1000.0)[np.newaxis].repeat(4, axis=0)
    bed = np.zeros(balance.shape, np.float32)
    ice = Ice(bed, bed, Mesh(1.0 / side, 1.0 / side, True, UNIT))
    ice.grow(Snow(balance), 3000)
    ice.adapt(Snow(balance), 1000)
    h = np.linspace(0.0, 5.0, 20001)
    force = np.cbrt(h**5 + h**3)
    integral = np.concatenate(([0.0], np.cumsum((force[1:] + force[:-1]) / 2 * np.diff(h))))
    away = np.minimum(np.abs(x), edge) ** (4 / 3)
    wanted = 0.75 * (edge ** (4 / 3) - away) / (np.cbrt(CONDUCTIVITY) * UNIT)
    expected = np.interp(wanted, integral, h)
    inside = np.abs(x) < 0.9 * edge
    off = np.abs(ice.thickness[1] - expected)[inside]
    assert off.max() < 0.03 * expected.max()


def thick_dome(level_side: int, radius: float, height: float) -> np.ndarray:
    """Return Halfar's dome for n = 3: (1 - (r / R)^(4/3))^(3/7)."""
    y, x = np.mgrid[:level_side, :level_side] - (level_side - 1) / 2.0
    away = np.hypot(x, y) / level_side / radius
    return height * np.maximum(1.0 - away ** (4 / 3), 0.0) ** (3 / 7)


def test_a_thick_dome_spreads_as_halfar_says():
    """Its height falls as t^(-1/9), its radius grows as t^(1/18); sliding is little in ice so thick."""
    side, radius, height = 64, 0.25, 12.0
    start = thick_dome(side, radius, height)
    mesh = Mesh(1.0 / side, 1.0 / side, True, UNIT)
    ice = Ice(np.zeros_like(start, np.float32), start.astype(np.float32), mesh)
    # The age of such a dome: q = c h^5 s^3 with c = CONDUCTIVITY and s in reliefs.
    age = (7 / 4) ** 3 * radius**4 / (18 * CONDUCTIVITY * UNIT**3 * height**7)
    time = 0.0
    while time < 3.0 * age:
        rates = ice.rates(NoSnow())
        step = min(ice.stable_step(), 3.0 * age - time)
        thickness = ice.thickness
        thickness += np.float32(step) * rates
        time += step
    spread = 4.0 ** (1 / 18)
    expected = thick_dome(side, radius * spread, height / spread**2)
    assert abs(ice.thickness.max() / (height / spread**2) - 1.0) < 0.03
    assert np.abs(ice.thickness - expected).mean() < 0.03 * expected.mean()
    before, after = start.sum(), ice.thickness.sum(dtype=np.float64)
    assert abs(after - before) < 1e-4 * before


def hills(side: int, wrap: bool = False, height: float = 1500.0) -> tuple[np.ndarray, Grid]:
    """Return mountains with valleys that rivers have cut."""
    recipe = river_land(height)
    grid = recipe.grid(side, wrap=wrap)
    return recipe.evaluate(grid).height, grid


@functools.cache
def river_land(height: float) -> Recipe:
    noise = Fractal(source=Perlin(frequency=1.5), octaves=8, persistence=0.4, rotation=31.0)
    rivers = StreamErosion(
        mode="grow", strength=0.5, talus_angle=32.0, lakes="fill", valley_fill=0.0
    )
    return Recipe(layers=(noise, rivers), seed=8, height=height, size=SIZE)


@functools.cache
def land(side: int) -> tuple[np.ndarray, Grid]:
    """Return mountains before the ice."""
    return hills(side)


@functools.cache
def glaciated(side: int, **values: float):
    height, grid = land(side)
    return GlacialErosion(**values).apply(height, grid, 1)


def test_nothing_falls_and_nothing_melts_so_volume_stays():
    rng = np.random.default_rng(1)
    bed, thickness = rng.random((2, 24, 31)).astype(np.float32)
    rates = Ice(bed, thickness, Mesh(1 / 31, 1 / 31, True, UNIT)).rates(NoSnow())
    assert abs(rates.sum(dtype=np.float64)) <= 1e-5 * np.abs(rates).sum()


def test_no_place_loses_more_ice_than_it_has():
    rng = np.random.default_rng(2)
    bed = (20.0 * rng.random((24, 31))).astype(np.float32)
    thickness = np.maximum(rng.random((24, 31)) - 0.5, 0.0).astype(np.float32)
    ice = Ice(bed, thickness, Mesh(1 / 31, 1 / 31, False, UNIT))
    rates = ice.rates(NoSnow())
    assert rates[thickness == 0.0].min() >= 0.0
    assert (thickness + np.float32(ice.stable_step()) * rates).min() >= 0.0


def steady_land() -> tuple[np.ndarray, Mesh, float]:
    """Return seamless mountains in reliefs, their samples, and the unit of thickness in meters."""
    height, _ = hills(128, wrap=True)
    own = GlacialErosion().glaciation(*totals.typical_range(height))
    bed = ((height - own.lowest) / own.relief).astype(np.float32)
    return bed, Mesh(1 / 128, 1 / 128, True, own.unit / own.relief), own.unit


def imbalance(ice: Ice, climate: Climate, bed: np.ndarray) -> float:
    """Return the gain of covered places, as a share of all that falls."""
    rates = ice.rates(climate)
    gain = climate.balance(bed + ice.thickness * np.float32(ice.mesh.unit))
    kept = rates[ice.thickness > 0.0].sum(dtype=np.float64)
    return float(kept / gain[gain > 0.0].sum(dtype=np.float64))


def test_what_falls_melts_or_flows_off():
    """In a steady state; ice that flows to bare ground melts there."""
    bed, mesh, _ = steady_land()
    bed, mesh = bed[::4, ::4], Mesh(1 / 32, 1 / 32, True, mesh.unit)
    ice, climate = Ice(bed, np.zeros_like(bed), mesh), Climate(0.5)
    ice.grow(climate, 4000)
    ice.adapt(climate, 1000)
    assert 0.05 < (ice.thickness > 0.0).mean() < 0.95
    assert abs(imbalance(ice, climate, bed)) < 0.02


def test_the_modifier_comes_near_to_the_steady_state():
    """It goes from coarse to fine and has not the time for all of it."""
    bed, mesh, unit = steady_land()
    height, grid = hills(128, wrap=True)
    made = GlacialErosion(strength=1e-6).apply(height, grid).maps["ice"] / np.float32(unit)
    steady, climate = Ice(bed, made, mesh), Climate(0.5)
    assert abs(imbalance(steady, climate, bed)) < 0.25
    steady.grow(climate, 2500)
    steady.adapt(climate, 500)
    assert 0.75 < made.mean() / steady.thickness.mean() < 1.05


def test_valleys_become_troughs():
    height, grid = land(513)
    level = Level.from_grid(grid)
    relief = glaciated(513)
    where = relief.maps["ice"] > 1.0
    before, after = exponents(height, level), exponents(relief.height, level, where)
    assert np.median(before) < 1.2
    assert len(after) > 200
    assert 1.6 <= np.median(after) <= 2.3


@pytest.mark.parametrize("name", ["glacial_valley", "fjords"])
def test_presets_have_troughs(name):
    grid, made = Recipe.from_preset(name).grid(513), preset_land(name, 513)
    b = exponents(made.height, Level.from_grid(grid), made.maps["ice"] > 1.0)
    assert len(b) > 500
    assert 1.6 <= np.median(b) <= 2.2


@pytest.mark.parametrize("power", [1.0, 1.5, 2.0, 3.0])
def test_known_profiles_have_their_exponents(power):
    grid = Grid(257, 257, size=10000.0)
    y, x = np.mgrid[:257, :257]
    away = np.abs((x - 128) + 0.3 * (y - 128)) * grid.spacing
    height = 800.0 * np.minimum(away / 1000.0, 1.0) ** power + 2.0 * y
    assert abs(np.median(exponents(height, Level.from_grid(grid))) - power) < 0.15


def test_walls_are_steep_and_floors_are_flat():
    height, grid = land(513)

    def slopes(field: np.ndarray) -> np.ndarray:
        across, along = np.gradient(field.astype(np.float64), grid.spacing)
        return np.degrees(np.arctan(np.hypot(across, along)))

    before, after = slopes(height), slopes(glaciated(513).height)
    assert (after > 40.0).mean() > (before > 40.0).mean() + 0.03
    # What lay below ice thicker than most.
    ice = glaciated(513).maps["ice"]
    floor = ice > np.percentile(ice, 90)
    assert np.median(after[floor]) < 0.6 * np.median(before[floor])


def test_there_is_no_abrasion_without_ice():
    height, grid = land(257)
    warm = GlacialErosion(equilibrium_line=2.0).apply(height, grid, 1)
    assert warm.height.tobytes() == height.tobytes()
    assert not warm.maps["ice"].any() and not warm.maps["abrasion"].any()
    own = GlacialErosion().glaciation(*totals.typical_range(height))
    reach = 3 * 3 * abrasion._COUPLING * own.unit  # three boxes, and walls that fall
    reach += 4 * SIZE / 100
    iced = glaciated(257).maps["ice"] > 0.0
    near = np.zeros_like(iced)
    cells = int(np.ceil(reach / grid.spacing))
    for row, column in zip(*np.nonzero(iced)):
        near[max(row - cells, 0) : row + cells + 1, max(column - cells, 0) : column + cells + 1] = 1
    assert not glaciated(257).maps["abrasion"][~near].any()


def test_ice_lies_on_the_ground_if_it_is_left_there():
    height, grid = land(257)
    bare, covered = glaciated(257), glaciated(257, leaves="ice")
    np.testing.assert_array_equal(bare.maps["ice"], covered.maps["ice"])
    np.testing.assert_allclose(covered.height, bare.height + bare.maps["ice"], rtol=0.0, atol=1e-3)
    assert bare.maps["ice"].max() > 50.0


def test_thicker_ice_and_a_lower_line_cover_more():
    covers = [
        (glaciated(257, **values).maps["ice"] > 1.0).mean()
        for values in ({"equilibrium_line": 0.7}, {}, {"equilibrium_line": 0.35})
    ]
    assert covers == sorted(covers) and covers[0] < 0.6 * covers[2]
    own, thick = glaciated(257), glaciated(257, thickness=400.0)
    assert thick.maps["ice"].max() > 1.3 * own.maps["ice"].max()


def test_the_same_land_at_two_resolutions():
    height, grid = land(1025)
    fine = GlacialErosion().apply(height, grid, 1).height
    half = Grid(513, 513, size=SIZE)
    coarse = GlacialErosion().apply(height[::2, ::2], half, 1).height
    assert np.abs(fine[::2, ::2] - coarse).mean() < 0.003 * np.ptp(fine)


def test_a_land_twice_as_large_is_the_same_land():
    height, grid = land(129)
    twice = Grid(129, 129, size=2.0 * SIZE)
    larger = GlacialErosion().apply(2.0 * height, twice, 1).height
    same = GlacialErosion().apply(height, grid, 1).height
    np.testing.assert_allclose(larger, 2.0 * same, rtol=0.0, atol=1e-3 * np.ptp(larger))


def test_seams_are_exact():
    height, grid = hills(256, True)
    straight = GlacialErosion().apply(height, grid, 1)
    moved = GlacialErosion().apply(np.roll(height, (64, 128), (0, 1)), grid, 1)
    np.testing.assert_array_equal(np.roll(straight.height, (64, 128), (0, 1)), moved.height)


def test_ice_leaves_over_the_border():
    y = np.mgrid[:64, :64][0]
    grid = Grid(64, 64, size=SIZE)
    slope = (20.0 * y).astype(np.float32)
    ice = GlacialErosion(equilibrium_line=-1.0).apply(slope, grid).maps["ice"]
    assert ice.max() < np.ptp(slope)
    assert ice[0].mean() > 0.0


def test_level_ground_and_no_strength_change_nothing():
    grid = Grid(20, 30, size=SIZE)
    flat = np.full(grid.shape, 12.5, np.float32)
    assert GlacialErosion().apply(flat, grid).height.tobytes() == flat.tobytes()
    height = Perlin().sample_grid(grid, 1)
    still = GlacialErosion(strength=0.0).apply(height, grid)
    np.testing.assert_array_equal(still.height, height)
    assert not any(field.any() for field in still.maps.values())


def test_small_lands_are_worn_too():
    for side in (33, 60, 120):
        height = hills(side)[0]
        made = GlacialErosion().apply(height, Grid(side, side, size=SIZE))
        assert made.maps["abrasion"].max() > 10.0


def test_costs_are_those_of_the_schedule():
    levels = Level.from_grid(Grid(1025, 1025, size=SIZE)).pyramid(glaciation.COARSEST)
    plans = glaciation.schedule(levels)
    assert [plan.steps > 0 for plan in plans] == [False, True, True, True, False, False]
    assert sum(plan.must for plan in plans) == 3
    told: list[float] = []
    height, grid = land(257)
    GlacialErosion().apply(height, grid, progress=told.append)
    assert told == sorted(told) and told[-1] == 1.0 and len(told) > 20
