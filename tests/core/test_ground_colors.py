# SPDX-License-Identifier: GPL-3.0-or-later
"""Colors of land without a renderer: the shader's noise, layers where they belong, one curve."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from noise_core import Grid
from noise_core.base.blocks import Cancelled
from noise_core.landscapes.look import Look
from noise_core.materials.colors import LANDSCAPES
from noise_core.materials.ground.colors import expose, ground_colors, land_colors, top_layers
from noise_core.materials.ground.layers import _strata
from noise_core.materials.ground.measures import GroundMeasures, _quantiles
from noise_core.materials.ground.noises import GroundNoises
from noise_core.materials.ground.plan import GroundPlan
from noise_core.materials.ground.shader_noise import shader_fractal, shader_noise
from noise_core.pictures.thumbnail import plan_of

GRID = Grid(96, 128, size=4000.0)


def hills(height: float = 900.0) -> np.ndarray:
    y, x = np.mgrid[0:3:96j, 0:4:128j]
    return (height * (0.5 - 0.5 * np.cos(3.0 * x) * np.cos(2.0 * y))).astype(np.float32)


def plan(palette: str, **values: object) -> GroundPlan:
    return dataclasses.replace(plan_of(Look(palette)), **{"rivers": None, **values})


THREE = (0.4629693925, 0.5726181269, 0.4607861638)
ONE = (0.5241860747, 0.4742856920, 0.4805993832)


def test_noise_is_that_of_the_node() -> None:
    # Values that Blender 5.2 gives for its Noise Texture: detail 3, roughness 0.55, scale 9.
    x, y, z = np.array([[0.1, 0.2, 0.3], [-0.7, 0.4, 1.9], [2.6, -1.1, 0.05]], np.float32).T
    weight = sum(0.55**octave for octave in range(4))
    three = shader_fractal([x.copy(), y.copy(), z.copy()], 9.0, range(4), 0.55)
    one = shader_fractal([x.copy()], 9.0, range(4), 0.55)
    np.testing.assert_allclose(three * 0.5 / weight + 0.5, THREE, atol=2e-6)
    np.testing.assert_allclose(one * 0.5 / weight + 0.5, ONE, atol=2e-6)


def test_noise_is_0_at_the_lattice() -> None:
    places = np.arange(-3.0, 4.0, dtype=np.float32)
    assert not shader_noise([places, places, places]).any()
    assert not shader_noise([places]).any()


def test_rows_of_strata_are_those_of_the_whole() -> None:
    level = np.linspace(-70.3, 131.7, 4000, dtype=np.float32).reshape(40, 100)
    whole = _strata(level)
    for start in range(0, 40, 10):
        rows = slice(start, start + 10)
        for part, one in zip(_strata(level[rows]), whole):
            np.testing.assert_allclose(part, one[rows], atol=1e-3)


def test_noises_are_as_strong_at_every_resolution() -> None:
    for rows, columns in ((64, 64), (300, 400), (700, 700)):
        grid = Grid(rows, columns, size=1000.0)
        found = GroundNoises.of(np.zeros(grid.shape, np.float32), grid)
        for field, mean, spread in ((found.patches, 0.5, 0.17), (found.push, 0.0, 0.27)):
            assert field.shape == grid.shape and field.dtype == np.float32
            assert field.mean() == pytest.approx(mean, abs=0.05)
            assert field.std() == pytest.approx(spread, rel=0.2)


def test_noises_lie_in_the_same_places_at_every_resolution() -> None:
    fine, coarse = (Grid(side, side, size=1000.0) for side in (513, 257))
    many, few = (GroundNoises.of(np.zeros(one.shape, np.float32), one) for one in (fine, coarse))
    assert np.corrcoef(many.patches[::2, ::2].ravel(), few.patches.ravel())[0, 1] > 0.9


def test_snow_lies_high_and_rock_is_steep() -> None:
    height = hills()
    color, _ = ground_colors(height, GRID, plan("alpine"), {})
    is_white = color.min(axis=0) > 0.6
    assert is_white.any() and height[is_white].min() > 0.45 * height.max()
    limits = LANDSCAPES["alpine"].with_limits({"snow_line": 1.5})
    color, _ = ground_colors(height, GRID, plan("alpine", landscape=limits), {})
    assert not (color.min(axis=0) > 0.6).any()


@pytest.mark.parametrize("palette", LANDSCAPES)
def test_every_palette_gives_colors(palette: str) -> None:
    height = hills()
    before = height.copy()
    for layers in (tuple(LANDSCAPES[palette].layers), ("soil",), ()):
        color = land_colors(height, GRID, plan(palette, layers=layers, painted=200.0), {})
        assert color.shape == (3, 96, 128) and color.dtype == np.float32
        assert color.min() >= 0.0 and color.max() <= 1.0
    np.testing.assert_array_equal(height, before)


def test_water_is_painted_below_its_level_and_in_lakes() -> None:
    height, lake = hills(), np.zeros(GRID.shape, np.float32)
    lake[40:50, 40:50] = 30.0
    _, dry = ground_colors(height, GRID, plan("alpine"), {"lake": lake * 0.0})
    _, wet = ground_colors(height, GRID, plan("alpine", painted=200.0), {"lake": lake})
    assert not dry.any()
    assert (wet[height < 190.0] == 1.0).all() and (wet[lake > 0.0] == 1.0).all()
    _, kept = ground_colors(
        height, GRID, plan("alpine"), {"lake": lake, "dry": np.ones(GRID.shape, np.float32)}
    )
    assert not kept.any()


def test_measures_that_are_given_count() -> None:
    high = GroundMeasures(4000.0, -9000.0, -8000.0, {})
    color, _ = ground_colors(hills(), GRID, plan("alpine", measures=high), {})
    assert np.median(color.min(axis=0)) > 0.5, "all of it lies above the snow line"


def test_what_is_dark_is_shown_brighter_in_its_hue() -> None:
    colors = np.array([[0.05, 1.0, 0.4], [0.10, 1.0, 0.2], [0.02, 1.0, 0.1]], np.float32)
    before = colors.copy()
    expose(colors)
    np.testing.assert_allclose(colors[:, 1], 1.0, atol=1e-6)
    ratios = colors / before
    np.testing.assert_allclose(ratios.max(axis=0), ratios.min(axis=0), rtol=1e-5)
    assert ratios[0, 0] > 2.0 > ratios[0, 2] > 1.2


def test_it_can_be_cancelled() -> None:
    with pytest.raises(Cancelled):
        land_colors(hills(), GRID, plan("alpine"), {}, cancel=lambda: True)


# --- a map of snow ------------------------------------------------------------------------------


def is_white(color: np.ndarray) -> np.ndarray:
    return np.asarray(color.min(axis=0) > 0.6)


def half_covered() -> np.ndarray:
    """Return thicknesses in meters: 2 in the west, none in the east."""
    snow = np.zeros(GRID.shape, np.float32)
    snow[:, :64] = 2.0
    return snow


@pytest.mark.parametrize("palette", ["alpine", "arctic", "tropical", "desert", "moon", "dunes"])
def test_snow_lies_where_its_map_says(palette: str) -> None:
    maps = {"snow": half_covered()}
    color, _ = ground_colors(hills(), GRID, plan(palette), maps)
    assert is_white(color)[:, :64].all()
    assert not is_white(color)[:, 64:].any()


def test_without_a_map_snow_lies_by_height_and_a_map_of_none_shows_none() -> None:
    color, _ = ground_colors(hills(), GRID, plan("alpine"), {})
    assert is_white(color).any()
    color, _ = ground_colors(
        hills(), GRID, plan("alpine"), {"snow": np.zeros(GRID.shape, np.float32)}
    )
    assert not is_white(color).any()


def test_the_thinner_the_snow_the_more_ground_shows() -> None:
    thickness = np.repeat(np.linspace(0.0, 2.0, 128, dtype=np.float32)[np.newaxis], 96, axis=0)
    color, _ = ground_colors(hills(0.0), GRID, plan("alpine"), {"snow": thickness})
    bright = color.min(axis=0).mean(axis=0)
    assert bright[0] < 0.2 < bright[4] < 0.7 < bright[12]
    assert color.min(axis=0)[:, 4].std() > 0.03, "its edges are ragged"


def test_snow_is_the_uppermost_layer_of_a_desert_too() -> None:
    maps = {"snow": half_covered()}
    covered = plan("desert").covered_by(maps)
    assert covered.layers == (*plan("desert").layers, "snow")
    assert covered.covered_by(maps) is covered
    top = top_layers(hills(), GRID, covered, maps)
    assert (top[:, :64] == len(covered.layers) - 1).all()
    assert (top[:, 64:] < len(covered.layers) - 1).all()


def test_a_material_without_snow_gets_none() -> None:
    maps = {"snow": half_covered()}
    known = GroundMeasures.of(hills(), 4000.0, maps, None)
    assert set(known.full) == {"snow"}
    layers = tuple(name for name in LANDSCAPES["alpine"].layers if name != "snow")
    color, _ = ground_colors(hills(), GRID, plan("alpine", layers=layers, measures=known), maps)
    assert not is_white(color).any()


def test_a_material_older_than_the_map_has_snow_by_height() -> None:
    before = GroundMeasures.of(hills(), 4000.0, {}, None)
    asked = plan("alpine", measures=before)
    old, _ = ground_colors(hills(), GRID, asked, {})
    new, _ = ground_colors(hills(), GRID, asked, {"snow": half_covered()})
    np.testing.assert_array_equal(old, new)


@pytest.mark.parametrize("count", [1, 2, 7, 1000])
def test_limits_are_those_of_numpy(count: int) -> None:
    values = (1000.0 * np.random.default_rng(count).random(count)).astype(np.float32)
    shares = (0.0, 0.005, 0.4, 0.97, 0.999, 1.0)
    assert _quantiles(values, shares) == np.quantile(values, shares).tolist()


@pytest.mark.parametrize("palette", list(LANDSCAPES))
def test_roads_are_painted_exactly_where_their_map_is(palette: str) -> None:
    draw = np.random.default_rng(5)
    bare, _ = ground_colors(hills(), GRID, plan(palette), {})
    road = np.zeros(GRID.shape, np.float32)
    for firm in (1.0 / 3.0, 2.0 / 3.0, 1.0):
        row, column = (int(draw.integers(0, count - 12)) for count in GRID.shape)
        road[row : row + 12, column : column + 12] = firm
    color, _ = ground_colors(hills(), GRID, plan(palette), {"road": road})
    differs = (color != bare).any(axis=0)
    assert not differs[road == 0.0].any() and differs[road > 0.0].all()
    paved = color[:, road == 1.0].mean()
    assert paved < color[:, (road > 0.5) & (road < 1.0)].mean() or palette in ("moon", "volcanic")
    top = top_layers(hills(), GRID, plan(palette).covered_by({"road"}), {"road": road})
    np.testing.assert_array_equal(
        top == len(plan(palette).covered_by({"road"}).layers) - 1, road > 0.2
    )


def test_no_road_takes_no_time_of_layers() -> None:
    assert "road" not in plan("alpine").covered_by({"snow"}).layers


@pytest.mark.parametrize("palette", ["temperate", "alpine", "tropical"])
def test_lawns_differ_over_a_twentieth_of_the_land_and_are_not_lurid(palette):
    """On level ground: slopes and heights would add to it. 12 % is what the pictures of lawns need at least."""
    grid = Grid(200, 200, size=4000.0)
    lawn = plan(palette, layers=("grass",))
    color, _ = ground_colors(np.zeros(grid.shape, np.float32), grid, lawn, {})
    luminance = 0.2126 * color[0] + 0.7152 * color[1] + 0.0722 * color[2]
    blocks = luminance.reshape(20, 10, 20, 10).mean(axis=(1, 3))
    assert blocks.std() / blocks.mean() >= 0.12
    # As a screen encodes it; the view transform takes more of it away.
    low, high = (np.power(pick(color, axis=0), 1.0 / 2.2) for pick in (np.min, np.max))
    assert (1.0 - low / high).mean() <= 0.45


def test_a_road_across_a_painted_lake_is_dry() -> None:
    height = np.full(GRID.shape, 10.0, np.float32)
    rows, columns = GRID.shape
    pond = np.zeros(GRID.shape, np.float32)
    pond[rows // 4 : -rows // 4, columns // 4 : -columns // 4] = 4.0
    road = slice(columns // 2 - 1, columns // 2 + 1)
    height[:, road] += 6.0  # a later layer, above the level of the lake
    depth = plan("alpine").water_depth(height, GRID, {"pond": pond})
    assert not depth[:, road].any()
    apart = np.delete(depth, np.arange(columns)[road], axis=1)
    assert set(np.unique(apart).tolist()) == {0.0, 4.0}
