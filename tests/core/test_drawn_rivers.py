# SPDX-License-Identifier: GPL-3.0-or-later
"""Rivers run and ridges stand where they are drawn, after erosion, and nothing changes where nothing is drawn."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from benchmarks.drawn_land import (
    GROWN,
    PRESETS,
    before_erosion,
    crest_share,
    draw_ridge,
    draw_river,
    grid_of,
    measure_ridge,
    measure_river,
)
from benchmarks.relief_figures import difference
from noise_core import CurvePoint, Grid, LandCurve, ParameterError, Recipe
from noise_core.curves.chains import chain_of
from noise_core.erosion.drawn.courses import RiverCourse, RiverGround, find_courses
from noise_core.erosion.drawn.lifts import find_lift
from noise_core.erosion.drawn.places import LevelFrame
from noise_core.erosion.drawn.rivers import Rivers
from noise_core.flow_routing.routing import route
from noise_core.modifiers import StreamErosion
from noise_core.noises import Fractal, Perlin
from noise_core.rasters.level import Level
from tests.drawing import count_of, generator

pytestmark = pytest.mark.newest

SIZE = 12000.0
RIVER = LandCurve(points=[CurvePoint(at=at) for at in ((0.2, 0.8), (0.4, 0.45), (0.8, 0.0))])
RIDGE = LandCurve(points=[CurvePoint(at=at) for at in ((0.2, 0.3), (0.5, 0.5), (0.8, 0.7))])


def hills(side=257, *, wrap=False):
    grid = Grid(side, side, size=SIZE, wrap=wrap)
    return grid, 1200.0 * Fractal(source=Perlin(frequency=3.0), octaves=7.0).sample_grid(grid, 5)


@pytest.mark.parametrize("name", PRESETS)
def test_water_follows_drawn_rivers_from_head_to_mouth(name):
    draw, cuts = generator(f"rivers {name}"), []
    for _ in range(count_of(24)):
        curve = draw_river(draw)
        result = measure_river(name, curve, side=257)
        cuts.append(result.cut)
        assert result.covered >= 0.95, [point.at for point in curve.points]
    # Of few draws a river across a range may be the one in twenty that cuts deeper.
    assert max(cuts) <= 0.045 and (len(cuts) < 20 or np.percentile(cuts, 95) <= 0.015), cuts


def test_water_follows_drawn_rivers_of_growing_mountains():
    draw = generator("growing rivers")
    for _ in range(count_of(20)):
        assert measure_river("hills", draw_river(draw), side=257).covered >= 0.95


@pytest.mark.parametrize("name", [*GROWN, *PRESETS])
def test_crests_stand_on_drawn_ridges(name):
    draw, shares = generator(f"ridges {name}"), []
    for _ in range(count_of(24)):
        curve = draw_ridge(draw)
        shares.append(measure_ridge(name, curve, curve, side=513))
        assert shares[-1] >= 0.75, [point.at for point in curve.points]
    assert np.mean(shares) >= 0.9 or len(shares) < 24


def test_crests_stand_elsewhere_without_ridges():
    assert measure_ridge("hills", None, RIDGE) < 0.5
    assert measure_ridge("hills", RIDGE, RIDGE) > 0.75


def test_resolutions_agree_on_drawn_land():
    heights = {}
    for side in (257, 513):
        grid = grid_of("alps", side)
        ground, erosion, seed = before_erosion("alps", grid)
        heights[side] = erosion.with_values(rivers=(RIVER,)).apply(ground, grid, seed).height
    mean, _ = difference(heights[257], heights[513], float(np.ptp(heights[513])))
    assert mean < 1.0  # 0.5 of 513 against 1025, in the benchmark


def test_resolutions_of_mountains_that_grow_around_rivers_agree():
    heights = []
    for side in (513, 1025):
        grid = grid_of("hills", side)
        ground, erosion, seed = before_erosion("hills", grid)
        heights.append(erosion.with_values(rivers=(RIVER,)).apply(ground, grid, seed).height)
    mean, _ = difference(*heights, float(np.ptp(heights[1])))
    assert mean < 0.5


def test_a_tributary_joins_its_river():
    grid, ground = hills()
    tributary = LandCurve(points=[CurvePoint(at=(0.8, 0.6)), CurvePoint(at=(0.402, 0.452))])
    relief = StreamErosion(rivers=[RIVER, tributary]).apply(ground, grid, seed=1)
    level = Level.from_grid(grid)
    receivers = route(relief.height, level).receivers
    place = round(0.6 * 256) * 257 + round(0.8 * 256)
    way = [place]
    while receivers[way[-1]] != way[-1]:
        way.append(int(receivers[way[-1]]))
    row, column = np.divmod(np.array(way), 257)
    apart = np.hypot(row - 0.2 * 256, column - (0.4 + 0.4 * 0.25 / 0.45) * 256)
    assert apart.min() < 4.0  # of a place on the river, below the junction
    assert row[-1] == 0 and abs(column[-1] - 0.8 * 256) < 4


def test_a_river_that_ends_on_the_land_goes_on_to_the_border():
    grid, ground = hills()
    level = Level.from_grid(grid)
    frame = LevelFrame(level, level)
    inland = LandCurve(points=[CurvePoint(at=(0.3, 0.6)), CurvePoint(at=(0.5, 0.5))])
    where = RiverGround(frame, ground, np.zeros(level.shape, np.bool_), is_open=True)
    (course,) = find_courses([chain_of(inland, SIZE, 1.0)], where)
    places = frame.places(course.vertices)
    assert not frame.contains(np.floor(places[-1:]).astype(np.intp)).any()
    steps = np.diff(places[:-1], axis=0)
    assert np.hypot(*steps.T).max() < 3.0


def test_rivers_and_ridges_wrap():
    grid, ground = hills(256, wrap=True)
    across = LandCurve(points=[CurvePoint(at=(0.7, 0.4)), CurvePoint(at=(1.3, 0.6))])
    moved = LandCurve(points=[CurvePoint(at=(-0.3, 0.4)), CurvePoint(at=(0.3, 0.6))])
    for name in ("rivers", "ridges"):
        one, other = (
            StreamErosion(outlets="lowest", **{name: [curve]}).apply(ground, grid, seed=1).height
            for curve in (across, moved)
        )
        assert one.tobytes() == other.tobytes()


def test_a_closed_river_does_not_close():
    grid, ground = hills(65)
    one, other = (
        StreamErosion(rivers=[dataclasses.replace(RIVER, closed=closed)]).apply(ground, grid).height
        for closed in (True, False)
    )
    assert one.tobytes() == other.tobytes()


def test_unbound_names_are_refused_in_one_line():
    grid, ground = hills(65)
    with pytest.raises(ParameterError, match=r"^StreamErosion.ridges must be curves, or names"):
        StreamErosion(ridges=["Crest"]).apply(ground, grid)


def test_recipes_name_rivers_and_ridges():
    layers = (
        Fractal(source=Perlin(frequency=3.0)),
        StreamErosion(rivers=["Drawn river"], ridges=["Crest"]),
    )
    recipe = Recipe(
        layers=layers, curves={"Drawn river": RIVER, "Crest": RIDGE}, size=SIZE, height=800.0
    )
    again = Recipe.from_json(recipe.to_json())
    assert again == recipe
    height = recipe.evaluate(recipe.grid(65)).height
    assert height.tobytes() == again.evaluate(recipe.grid(65)).height.tobytes()
    plain = dataclasses.replace(recipe, layers=(layers[0], StreamErosion()), curves={})
    assert (plain.evaluate(recipe.grid(65)).height != height).any()


def test_curves_beyond_the_land_change_nothing_there():
    grid, ground = hills(129)
    far = LandCurve(points=[CurvePoint(at=(3.0, 3.0)), CurvePoint(at=(4.0, 3.0))])
    relief = StreamErosion(rivers=[far], ridges=[far]).apply(ground, grid, seed=1)
    assert relief.height.tobytes() == StreamErosion().apply(ground, grid, seed=1).height.tobytes()


def test_the_crest_of_a_tent_is_found():
    grid = Grid(129, 129, size=1280.0)
    y = np.arange(129.0)[:, np.newaxis] * np.ones(129)
    tent = (-np.abs(y - 64.0)).astype(np.float32)
    line = LandCurve(points=[CurvePoint(at=(0.1, 0.5)), CurvePoint(at=(0.9, 0.5))])
    assert crest_share(tent, Level.from_grid(grid), line) == 1.0
    assert crest_share(np.roll(tent, 4, 0), Level.from_grid(grid), line) == 0.0


def test_a_crest_below_a_mountain_is_lifted_but_not_where_a_river_breaks_through():
    grid = Grid(257, 257, size=SIZE)
    level = Level.from_grid(grid)
    slope = np.tile(np.linspace(0.0, 3000.0, 257, dtype=np.float32), (257, 1))
    along = LandCurve(points=[CurvePoint(at=(0.5, y)) for y in (0.1, 0.9)])
    across = LandCurve(points=[CurvePoint(at=at) for at in ((1.0, 0.5), (0.0, 0.5))])
    ridge, river = (chain_of(curve, SIZE, 1.0) for curve in (along, across))
    for courses in ([], [RiverCourse(river.vertices, len(river.vertices))]):
        rise = find_lift(slope, level.pyramid(128), [ridge], Rivers(courses, 1e-4, 1.0))
        beside = (slope + rise)[60:100, 123:134]  # a fiftieth of the width to both sides
        assert (beside.argmax(axis=1) == 5).all()
        assert (rise[128, 128] == 0.0) == bool(courses)
        assert rise.min() == 0.0 and not rise[:, :100].any()
