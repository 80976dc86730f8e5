# SPDX-License-Identifier: GPL-3.0-or-later
"""Water stands as high as the ground holds it; rivers run down, over their beds and below their banks."""

from __future__ import annotations

import functools
import heapq

import numpy as np
import pytest

from noise_core import Grid, Recipe
from noise_core.base.errors import ParameterError
from noise_core.flow_routing import water_levels as levels
from noise_core.flow_routing.outlets import border
from noise_core.flow_routing.routing import fill, route
from noise_core.flow_routing.streams import find_streams
from noise_core.flow_routing.water_levels import StandingWater, standing_water, water_levels
from noise_core.landscapes.water.courses import WIDTH, MeshGround, RiverCourses, lay_courses
from noise_core.landscapes.water.ribbons import ACROSS, rivers
from noise_core.maps.bases.map import as_height_field, read_from
from noise_core.maps.flow_map import Flow
from noise_core.modifiers import StreamErosion
from noise_core.noises import Fractal, Perlin
from noise_core.rasters.level import Level

AROUND = ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1))
ALONG_TRIANGLES = tuple(one for one in AROUND if one not in ((-1, 1), (1, -1)))
LANDS = ("eroded", "rough", "coast")
SIZE, LEAST = 4000.0, 0.004


def priority_flood(
    height: np.ndarray, outlets: np.ndarray, neighbors: tuple[tuple[int, int], ...] = AROUND
) -> np.ndarray:
    """Fill depressions one sample at a time, the lowest first (Barnes, Lehman & Mulla 2014)."""
    filled = np.full(height.shape, np.inf, np.float32)
    waiting = [(height[place], *place) for place in zip(*np.nonzero(outlets))]
    for level, *place in waiting:
        filled[tuple(place)] = level
    heapq.heapify(waiting)
    while waiting:
        level, row, column = heapq.heappop(waiting)
        for down, along in neighbors:
            place = (row + down, column + along)
            inside = 0 <= place[0] < height.shape[0] and 0 <= place[1] < height.shape[1]
            if inside and filled[place] == np.inf:
                filled[place] = max(level, height[place])
                heapq.heappush(waiting, (filled[place], *place))
    return filled


@functools.cache
def land(name: str, side: int = 129) -> tuple[np.ndarray, Grid, np.ndarray | None, float | None]:
    """Return heights, their grid, the lakes that erosion has left, and the level of the sea."""
    grid = Grid(side, side, size=SIZE)
    noise = Fractal(source=Perlin(frequency=3.0), octaves=6)
    seed = LANDS.index(name) + 8
    if name == "rough":
        return Recipe(layers=(noise,), height=300.0, size=SIZE, seed=seed).evaluate(grid).height, grid, None, None  # fmt: skip
    erosion = StreamErosion(strength=0.5, lake_depth=0.03)
    made = Recipe(layers=(noise, erosion), height=600.0, size=SIZE, seed=seed).evaluate(grid)
    return made.height, grid, made.maps["lake"], -40.0 if name == "coast" else None


@functools.cache
def water(name: str, side: int = 129) -> StandingWater:
    height, grid, lakes, sea = land(name, side)
    return standing_water(height, grid, sea=sea, lakes=lakes, rivers=LEAST)


@functools.cache
def courses(name: str, side: int = 129) -> RiverCourses:
    height, grid, _, _ = land(name, side)
    return lay_courses(find_streams(water(name, side), LEAST), MeshGround(height), grid, 1.0)


def lines(found: RiverCourses) -> list[slice]:
    starts = found.streams.starts.tolist()
    return [slice(*pair) for pair in zip(starts[:-1], starts[1:])]


@pytest.mark.newest
@pytest.mark.parametrize("name", LANDS)
def test_water_stands_as_a_priority_flood_says(name):
    height, _, _, sea = land(name)
    outlets = border(Level(*height.shape, 1.0, 1.0, False))
    flooded = height if sea is None else np.maximum(height, np.float32(sea))
    if sea is not None:
        outlets = outlets | (height <= np.float32(sea))
    expected = priority_flood(flooded, outlets)
    levels = water(name).levels
    wet = np.isfinite(levels)
    assert wet.sum() > 20
    np.testing.assert_array_equal(levels[wet], expected[wet])
    assert (levels[wet] > height[wet]).all()


@pytest.mark.parametrize("name", LANDS)
def test_no_water_stands_above_its_shore(name):
    height, _, _, _ = land(name)
    levels = water(name).levels
    wide = np.pad(levels, 1, constant_values=-np.inf)
    rows, columns = levels.shape
    for down, along in AROUND:
        beside = wide[1 + down : 1 + down + rows, 1 + along : 1 + along + columns]
        dry = ~np.isfinite(levels) & np.isfinite(beside)
        assert (height[dry] >= beside[dry]).all()


def test_lakes_are_those_of_erosion_unless_a_river_crosses_a_hollow():
    height, grid, lakes, _ = land("eroded")
    own = np.isfinite(water_levels(height, grid, lakes=lakes))
    assert own.any() and not np.isfinite(water_levels(height, grid)).any()
    assert (own <= np.isfinite(water("eroded").levels)).all()
    rough, _, _, _ = land("rough")
    assert (
        np.isfinite(water("rough").levels).any()
        and not np.isfinite(water_levels(rough, grid)).any()
    )


@pytest.mark.parametrize("seed", range(3))
def test_flow_along_triangles_equals_a_priority_flood_along_their_edges(seed):
    height = np.random.default_rng(seed).normal(size=(31, 40)).astype(np.float32)
    if seed == 2:
        height = np.round(height * 2)
    level = Level(*height.shape, 1.0, 1.0, False)
    tree = route(height, level, on_triangles=True)
    np.testing.assert_array_equal(
        tree.filled, priority_flood(height, border(level), ALONG_TRIANGLES)
    )
    assert not np.isin(tree.directions, (3, 6)).any()


@pytest.mark.parametrize("name", LANDS)
def test_rivers_only_run_down(name):
    found = courses(name)
    assert found.streams.count >= 3
    for one in lines(found):
        assert (np.diff(found.levels[one]) <= 0.0).all()


@pytest.mark.parametrize("name", LANDS)
def test_no_river_is_under_the_ground_between_samples_either(name):
    found, ground = courses(name), MeshGround(land(name)[0])
    for one in lines(found):
        for share in np.linspace(0.0, 1.0, 5):
            rows, columns, levels = (
                # The last step leads under other water, whose level is given.
                values[one][:-2] * (1.0 - share) + values[one][1:-1] * share
                for values in (found.streams.rows, found.streams.columns, found.levels)
            )
            # Between two looks the ground may have an edge of a triangle.
            assert (levels - ground.at(rows, columns) > -0.01 * found.widths[one].max()).all()
        bed = ground.at(found.streams.rows[one], found.streams.columns[one])
        assert (found.levels[one] > bed).all()


@pytest.mark.parametrize("name", LANDS)
def test_no_river_floats(name):
    height, grid, _, _ = land(name)
    made = rivers(height, grid, water(name), LEAST)
    columns, rows, levels = made.places.astype(np.float64).T
    edges = (MeshGround(height).at(rows, columns) - levels).reshape(-1, len(ACROSS))[:, [0, -1]]
    assert edges.min() > -1e-3
    depth = made.depth.reshape(-1, len(ACROSS))
    assert not depth[:, [0, -1]].any() and (depth[:, 2] > 0.0).all()


@pytest.mark.parametrize("name", LANDS)
def test_rivers_meet_at_their_levels(name):
    found = courses(name)
    streams = found.streams
    tails, joins = streams.tails()
    assert len(tails)
    np.testing.assert_array_equal(found.levels[tails], found.levels[joins])
    np.testing.assert_allclose(streams.rows[tails], streams.rows[joins], atol=1e-9)
    last = streams.starts[1:] - 1
    ends = np.isfinite(streams.mouths)
    assert ends.any()
    np.testing.assert_array_equal(found.levels[last[ends]], streams.mouths[ends])


def test_faces_look_up_and_flow_leads_on():
    height, grid, _, _ = land("eroded")
    made = rivers(height, grid, water("eroded"), LEAST)
    flat = made.places[:, :2].astype(np.float64)
    first, second, third = (flat[made.faces[:, corner]] for corner in (0, 1, 3))
    one, other = second - first, third - first
    turns = one[:, 0] * other[:, 1] - one[:, 1] * other[:, 0]
    assert (turns > 0.0).mean() > 0.9  # the rest lies on the inner side of narrow bends
    np.testing.assert_allclose(np.square(made.flow).sum(axis=1), 1.0, atol=1e-5)
    assert (made.flow[:, 2] <= 0.0).all()
    along = made.course[:, 0].reshape(-1, len(ACROSS))[:, 0]
    assert (np.diff(along) >= 0.0).mean() > 0.9


def test_the_width_grows_with_the_square_root_of_the_water():
    found = courses("eroded")
    place = int(np.argmax(found.streams.shares))
    expected = WIDTH * SIZE * np.sqrt(found.streams.shares[place])
    assert found.widths[place] == pytest.approx(expected, rel=0.05)
    height, grid, _, _ = land("eroded")
    wide = lay_courses(find_streams(water("eroded"), LEAST), MeshGround(height), grid, 2.0)
    assert wide.widths[place] == pytest.approx(2.0 * found.widths[place], rel=1e-9)


def test_lines_are_smoother_than_the_samples():
    streams = find_streams(water("eroded"), LEAST)
    found = courses("eroded")

    def turning(rows, columns, parts, step):
        total = 0.0
        for one in parts:
            row, column = np.diff(rows[one][::step]), np.diff(columns[one][::step])
            total += np.abs(np.diff(np.unwrap(np.arctan2(row, column)))).sum()
        return total

    starts = streams.starts.tolist()
    raw = turning(
        streams.rows, streams.columns, [slice(*pair) for pair in zip(starts[:-1], starts[1:])], 1
    )
    assert turning(found.streams.rows, found.streams.columns, lines(found), 2) < 0.75 * raw


def test_the_same_rivers_at_another_resolution():
    coarse, fine = courses("eroded", 129), courses("eroded", 257)
    one = np.stack((coarse.streams.rows, coarse.streams.columns), axis=1) / 128.0
    other = np.stack((fine.streams.rows, fine.streams.columns), axis=1) / 256.0
    apart = np.sqrt(np.square(one[:, np.newaxis] - other).sum(axis=-1)).min(axis=1)
    assert np.median(apart) < 0.01 and (apart < 0.04).mean() > 0.75


@pytest.mark.parametrize("name", LANDS)
def test_what_maps_have_found_out_changes_no_bit(name, monkeypatch):
    height, grid, lakes, sea = land(name)
    unread, read, other = (
        as_height_field(one, grid, "test") for one in (height, height, height + np.float32(1.0))
    )
    for one in (read, other):
        read_from(one, {"flow": Flow()})
    plain, filled = water(name), []
    monkeypatch.setattr(levels, "fill", lambda *what: filled.append(1) or fill(*what))
    asked = {"sea": sea, "lakes": lakes, "rivers": LEAST}
    for surface, count in ((unread, 1), (read, sea is not None), (other, 1)):
        filled.clear()
        found = standing_water(height, grid, surface=surface, **asked)
        assert filled == [1] * count  # the sea is another outlet
        assert found.levels.tobytes() == plain.levels.tobytes()
        assert found.shares.tobytes() == plain.shares.tobytes()


def test_no_rivers_where_none_are_asked_for_and_bad_values_are_refused():
    height, grid, lakes, _ = land("eroded")
    assert standing_water(height, grid, lakes=lakes).shares is None
    with pytest.raises(ParameterError, match=r"water_levels.rivers must be in \[0, 1\]; got 2"):
        standing_water(height, grid, rivers=2.0)
    wrapping = Grid(129, 129, size=SIZE, wrap=True)
    with pytest.raises(ParameterError, match="must not wrap"):
        rivers(height, wrapping, standing_water(height, wrapping, rivers=0.01), 0.01)
    flat = np.zeros((9, 9), np.float32)
    level = standing_water(flat, Grid(9, 9, size=10.0), rivers=1.0)
    assert len(rivers(flat, Grid(9, 9, size=10.0), level, 1.0).faces) == 0


def test_rivers_end_in_a_drawn_lake_below_the_brim_of_its_hollow():
    from noise_core import CurvePoint, LandCurve
    from noise_core.modifiers import Path

    grid = Grid(129, 129, size=4000.0)
    y, x = np.mgrid[-1:1:129j, -1:1:129j]
    bowl = (200.0 * (x * x + y * y) + 12.0 * np.sin(9.0 * x) * np.cos(7.0 * y)).astype(np.float32)
    turns = np.linspace(0.0, 2.0 * np.pi, 24, endpoint=False)
    points = [
        CurvePoint(at=(0.5 + 0.1 * np.cos(turn), 0.5 + 0.1 * np.sin(turn)), z=12.0, width=1.0)
        for turn in turns
    ]
    lake = Path.of_kind("lake", curves=[LandCurve(points=points, closed=True)], heights="given")
    relief = lake.apply(bowl, grid)
    pond = relief.maps["pond"]
    water = standing_water(relief.height, grid, drawn=pond, rivers=0.01)
    wet = np.isfinite(water.levels)
    assert wet[pond > 0.0].all()
    np.testing.assert_allclose(water.levels[pond > 0.0], 12.0, atol=1e-4)
    # Nothing stands higher, though the bowl has no other outlet than its rim, and rivers flow to the lake alone.
    assert water.levels[wet].max() < 40.0 and wet.sum() < 2 * (pond > 0.0).sum()
    assert (water.shares[pond > 0.0] > 0.01).any()
