# SPDX-License-Identifier: GPL-3.0-or-later
"""Erosion by rivers: the physics, the borders, and the looks."""

from __future__ import annotations

import dataclasses
import functools
import time

import numpy as np
import pytest

from noise_core import Cancelled, Grid
from noise_core.base import blocks
from noise_core.erosion.stream import law
from noise_core.erosion.stream.limits import LevelTerrain, StreamPowerParams
from noise_core.erosion.stream.rock import RockLayers
from noise_core.erosion.stream.schedules import Schedule
from noise_core.erosion.stream.step import advance
from noise_core.flow_routing.descent import steepest
from noise_core.flow_routing.directions import add_rim, distances, neighbor
from noise_core.flow_routing.outlets import border, find_outlets, lowest_cells
from noise_core.flow_routing.routing import route
from noise_core.modifiers import FillLakes, StreamErosion
from noise_core.noises import Fractal, Perlin
from noise_core.rasters.level import Level

pytestmark = pytest.mark.newest

STREAMS = StreamPowerParams(
    duration=100.0,
    exponent=0.5,
    gentlest=1e-6,
    smoothing=0.0,
    sediment=0.0,
    deepest_lake=None,
)


@functools.cache
def hills(rows, columns, *, wrap=False, seed=3):
    """Return a grid of 10 km and rough hills 1 km high."""
    grid = Grid(rows, columns, size=10_000.0, wrap=wrap)
    height = Fractal(source=Perlin(frequency=3.0), octaves=9.0).sample_grid(grid, seed) * 1000
    height.flags.writeable = False
    return grid, height


def pits(height, level):
    """Return which cells inside have no lower neighbor."""
    return (steepest(height, level) == 0) & ~border(level)


def fixed(level):
    """Return ground whose border keeps its height."""
    return LevelTerrain(fixed=border(level))


def test_the_ground_drains_after_a_step():
    grid, height = hills(90, 120)
    level = Level.from_grid(grid)
    new, tree, _ = advance(height, level, STREAMS, fixed(level), 1.0)
    flat, drains = new.reshape(-1), ~tree.ends.reshape(-1)
    assert (flat > flat[tree.receivers])[drains].all()
    assert pits(height, level).sum() > 50 and not pits(new, level).any()
    np.testing.assert_array_equal(new[border(level)], height[border(level)])


def test_what_is_worn_off_leaves_through_the_outlets():
    grid, height = hills(90, 120)
    new, tree, _ = advance(
        height, Level.from_grid(grid), STREAMS, fixed(Level.from_grid(grid)), 1.0
    )
    worn = (height - new).astype(np.float64)
    through = tree.accumulate(worn)[tree.ends.reshape(-1)].sum()
    assert worn.sum() > 1e5
    assert through == pytest.approx(worn.sum(), rel=1e-9)


def test_sediment_settles_and_is_not_made():
    grid, height = hills(90, 120)
    bare, *_ = advance(height, Level.from_grid(grid), STREAMS, fixed(Level.from_grid(grid)), 1.0)
    silty = dataclasses.replace(STREAMS, sediment=1.0)
    covered, *_ = advance(height, Level.from_grid(grid), silty, fixed(Level.from_grid(grid)), 1.0)
    assert (covered - bare).max() > 5.0
    # Hollows that no river could leave are raised until they drain: so much is made, and no more.
    raised = np.maximum(bare - height, 0.0).sum(dtype=float)
    total = height.sum(dtype=float)
    assert bare.sum(dtype=float) < covered.sum(dtype=float) < total + 0.2 * raised


@pytest.mark.parametrize("exponent", [0.35, 0.5])
def test_slope_and_area_obey_the_law(exponent):
    """In balance with even uplift, slope falls as the area to the power of minus the exponent."""
    level = Level(60, 70, 100.0, 100.0, False)
    duration = 2.0 * 100.0 ** (1.0 - 2.0 * exponent)
    streams = dataclasses.replace(STREAMS, exponent=exponent, duration=duration)
    height = np.random.default_rng(5).random(level.shape).astype(np.float32)
    uplift = np.where(border(level), 0.0, 5.0).astype(np.float32)
    ground = LevelTerrain(fixed=border(level), uplift=uplift)
    for _ in range(150):
        before = height
        height, tree, _ = advance(height, level, streams, ground, 1.0)
    assert np.median(np.abs(height - before)) < 1e-3 * height.max()
    areas = tree.accumulate()
    run = np.array([np.nan, *([2**0.5, 1.0, 2**0.5, 1.0] + [1.0, 2**0.5, 1.0, 2**0.5])])
    flat = height.reshape(-1)
    slopes = (flat - flat[tree.receivers]) / run[tree.directions.reshape(-1)]
    inside = areas < areas.max()
    inside &= ~tree.ends.reshape(-1)
    fitted = np.polyfit(np.log(areas[inside]), np.log(slopes[inside]), 1)[0]
    assert fitted == pytest.approx(-exponent, abs=0.03)


@pytest.mark.parametrize("shape", [(64, 64), (300, 200)])
def test_a_torus_has_no_border(shape):
    grid, height = hills(*shape, wrap=True)
    erosion = StreamErosion(randomness=0.0)
    result = erosion.apply(height, grid).height
    by = (shape[0] // 2 // 4 * 4, 20)
    moved = erosion.apply(np.roll(height, by, (0, 1)), grid).height
    assert np.abs(result - height).max() > 50
    np.testing.assert_array_equal(moved, np.roll(result, by, (0, 1)))


@pytest.mark.newest
@pytest.mark.parametrize(
    "erosion", [StreamErosion(), StreamErosion(sediment=1.0), StreamErosion(mode="grow")]
)
def test_chance_moves_along_with_a_torus(erosion):
    """By multiples of the coarsest spacing, which is 4 samples along and 2 across here."""
    rows, columns = 256, 512
    grid, height = hills(rows, columns, wrap=True)
    straight = erosion.apply(height, grid, 7)
    assert np.abs(straight.height - height).max() > 50
    for down, right in ((2, 4), (-66, 128), (rows, 3 * columns + 8)):
        origin = (-right / columns, -down / columns)
        there = Grid(rows, columns, size=10_000.0, wrap=True, origin=origin)
        moved = erosion.apply(np.roll(height, (down, right), (0, 1)), there, 7)
        for one, other in (
            (straight.height, moved.height),
            *((straight.maps[name], moved.maps[name]) for name in erosion.makes),
        ):
            np.testing.assert_allclose(np.roll(one, (down, right), (0, 1)), other, atol=1e-3)


def test_chance_belongs_to_the_world():
    """Tiles that share their border share its chance, at every level."""
    left, right = (Level.from_grid(Grid(257, 513, origin=(x, 0.0), size=100.0)) for x in (0.0, 1.0))
    for _ in range(3):
        one, other = (level.random_bits(0, level.rows, 5) for level in (left, right))
        np.testing.assert_array_equal(one[:, -1], other[:, 0])
        assert (one[:, -2] != other[:, 1]).any()
        left, right = left.coarser(), right.coarser()


def jumps(height, axis):
    """Return the largest step across the seam, and across any line inside."""
    steps = np.abs(np.diff(np.concatenate((height, height.take([0], axis)), axis), axis=axis))
    means = steps.mean(axis=1 - axis)
    return means[-1], means[:-1].max()


@pytest.mark.parametrize("mode", ["erode", "grow"])
def test_a_seam_is_like_any_line_inside(mode):
    grid, height = hills(192, 256, wrap=True)
    result = StreamErosion(mode=mode).apply(height, grid, 5).height
    for axis in (0, 1):
        seam, inside = jumps(result, axis)
        assert seam <= inside


def test_resolution_does_not_change_the_look():
    grid, height = hills(513, 513)
    fine = StreamErosion().apply(height, grid, 1).height[::2, ::2]
    coarse = StreamErosion().apply(height[::2, ::2], Grid(257, 257, size=10_000.0), 1).height
    assert np.corrcoef(fine.ravel(), coarse.ravel())[0, 1] > 0.995
    assert abs(fine.mean() - coarse.mean()) < 0.015 * np.ptp(fine)


def test_size_does_not_change_the_look():
    grid, height = hills(200, 200)
    one = StreamErosion().apply(height, grid).height
    assert np.abs(one - height).max() > 100
    # A power of two rounds nothing.
    other = StreamErosion().apply(height / 128, Grid(200, 200, size=10_000.0 / 128)).height
    np.testing.assert_array_equal(other * 128, one)
    # Anything else does, which in a few places decides where water goes.
    other = StreamErosion().apply(height / 100, Grid(200, 200, size=100.0)).height * 100
    assert np.quantile(np.abs(one - other), 0.99) < 0.5


def test_four_times_the_height_is_eroded_alike():
    grid, height = hills(150, 150)
    # Angles are those of rock and sand, whatever the height: nothing slides, and nothing fills.
    erosion = StreamErosion(talus_angle=85.0, valley_fill=0.0, randomness=0.0)
    once, fourfold = (erosion.apply(height / 8 * k, grid).height for k in (1, 4))
    np.testing.assert_array_equal(fourfold, once * 4)


def test_strength_cuts_deeper():
    grid, height = hills(200, 200)
    wear = [
        StreamErosion(strength=s).apply(height, grid).maps["wear"].mean() for s in (0.1, 0.4, 1)
    ]
    assert 5 < wear[0] < 0.7 * wear[1] < 0.5 * wear[2]
    none = StreamErosion(strength=0.0).apply(height, grid)
    np.testing.assert_array_equal(none.height, height)


def steep_share(height, level, angle):
    """Return how many cells fall more steeply than an angle in degrees."""
    slope = np.hypot(*np.gradient(height, level.step_y, level.step_x))
    return (slope > np.tan(np.radians(angle))).mean()


def test_the_talus_angle_limits_slopes():
    grid, height = hills(200, 200)
    level = Level.from_grid(grid)
    gentle = StreamErosion(talus_angle=20.0, randomness=0.0).apply(height, grid).height
    assert steep_share(height, level, 25.0) > 0.2
    assert steep_share(gentle, level, 25.0) < 0.01


def wall_share(height, level, angle):
    """Return how many cells stand above a neighbor more steeply than an angle in degrees."""
    rim = add_rim(height, level.wrap, np.inf)
    is_wall = np.zeros(height.shape, bool)
    for direction, distance in enumerate(distances(level), 1):
        rise = height - neighbor(rim, direction, 0, level.rows)
        is_wall |= rise > np.tan(np.radians(angle)) * distance
    return is_wall.mean()


def test_slides_leave_no_walls_between_valleys_of_unequal_depth():
    grid, height = hills(200, 200)
    result = StreamErosion(talus_angle=20.0, randomness=0.0).apply(height, grid).height
    assert wall_share(height, Level.from_grid(grid), 25.0) > 0.2
    assert wall_share(result, Level.from_grid(grid), 25.0) < 0.004


class TestBorders:
    def test_an_open_border_wears_down_like_the_rest(self):
        grid, height = hills(256, 256)
        change = np.abs(StreamErosion(strength=1.0).apply(height, grid).height - height)
        edge = change[border(Level.from_grid(grid))].mean()
        assert edge > 0.35 * change.mean()

    def test_a_river_digs_on_through_its_outlet(self):
        level = Level.from_grid(Grid(40, 41, size=1000.0))
        y, x = np.mgrid[:40, -20:21].astype(np.float32)
        valley = y * 10 + np.abs(x) * 8
        open_ground = LevelTerrain(fixed=np.zeros(level.shape, bool), is_open=True)
        new, _, _ = advance(valley, level, STREAMS, open_ground, 1.0)
        assert new[0, 20] < valley[0, 20] - 1.0

    def test_a_corner_falls_on_as_steeply_as_its_flattest_side(self):
        level = Level.from_grid(Grid(5, 6, size=5.0))
        y, x = np.mgrid[:5, :6].astype(np.float32)
        never = np.zeros(level.shape, bool)
        for rows, columns in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
            plane = y[::rows] * 2 + x[:, ::columns] * 3
            corner = (0 if rows > 0 else -1, 0 if columns > 0 else -1)
            leaving = find_outlets(plane, level, never, True)
            assert leaving.cells[corner] and leaving.slopes[corner] == 2.0

    def test_all_ground_as_low_as_the_lowest_is_an_outlet(self):
        height = np.zeros((6, 7), np.float32)
        height[2:] = 1.0
        np.testing.assert_array_equal(lowest_cells(height, 0.04), height == 0.0)

    def test_a_fixed_border_stays(self):
        grid, height = hills(256, 200)
        result = StreamErosion(outlets="fixed").apply(height, grid).height
        edge = border(Level.from_grid(grid))
        np.testing.assert_array_equal(result[edge], height[edge])

    def test_the_sea_stays(self):
        grid, height = hills(260, 300)  # two levels
        result = StreamErosion(outlets="sea", sea_level=-100.0).apply(height, grid)
        deep = height < -100
        assert deep.sum() > 1000
        np.testing.assert_array_equal(result.height[deep], height[deep])
        assert (result.height[height > 0] < height[height > 0]).mean() > 0.5

    def test_without_a_sea_a_torus_drains_to_its_lowest_ground(self):
        grid, height = hills(140, 130, wrap=True)
        dry = StreamErosion(outlets="sea", sea_level=-1e5).apply(height, grid).height
        lowest = StreamErosion(outlets="lowest").apply(height, grid).height
        np.testing.assert_array_equal(dry, lowest)

    def test_the_lowest_ground_takes_the_rivers(self):
        grid, height = hills(128, 128)
        result = StreamErosion(outlets="lowest", lakes="fill").apply(height, grid)
        assert result.maps["flow"][result.height.argmin() // 128].max() > 0.5


def test_deep_basins_keep_their_lakes_only_if_asked():
    grid, height = hills(256, 256)
    kept = StreamErosion(lakes="keep", lake_depth=0.02).apply(height, grid).maps["lake"]
    filled = StreamErosion(lakes="fill").apply(height, grid).maps["lake"]
    assert kept.max() > 20 and kept.max() > 3 * filled.max()


def test_the_water_of_a_lake_is_level():
    grid, height = hills(256, 256)
    relief = StreamErosion(lakes="keep", lake_depth=0.02).apply(height, grid)
    surface, wet = relief.height + relief.maps["lake"], relief.maps["lake"] > 1.0
    assert wet.sum() > 50
    for axis in (0, 1):
        beside = np.take(wet, range(255), axis) & np.take(wet, range(1, 256), axis)
        assert np.abs(np.diff(surface, axis=axis))[beside].max() < 0.01


def test_hard_layers_stand_as_cliffs():
    grid, height = hills(256, 256)
    slopes = [
        np.hypot(*np.gradient(StreamErosion(layer_thickness=t).apply(height, grid).height, 39.2))
        for t in (0.0, 100.0)
    ]
    smooth, layered = (np.percentile(slope, 99) for slope in slopes)
    assert layered > 1.2 * smooth


def test_wear_and_deposit_are_the_change():
    grid, height = hills(130, 100)
    relief = StreamErosion(sediment=0.5).apply(height, grid, 2)
    change = relief.maps["deposit"] - relief.maps["wear"]
    np.testing.assert_allclose(change, relief.height - height, atol=1e-3)
    flow = relief.maps["flow"]
    assert 0.0 <= flow.min() < 0.4 and 0.8 < flow.max() <= 1.0


def test_chance_depends_on_the_seed():
    grid, height = hills(130, 100)
    one, same, other = (StreamErosion().apply(height, grid, s).height for s in (1, 1, 2))
    assert one.tobytes() == same.tobytes() != other.tobytes()
    strict = [StreamErosion(randomness=0.0).apply(height, grid, s).height for s in (1, 2)]
    assert strict[0].tobytes() == strict[1].tobytes()


def test_mountains_grow_out_of_a_picture():
    grid = Grid(256, 256, size=10_000.0)
    y, x = np.mgrid[-1:1:256j, -1:1:256j]
    mask = np.maximum(0.0, 1.0 - np.hypot(x, y) * 1.2).astype(np.float32) * 1000
    relief = StreamErosion(mode="grow").apply(mask, grid)
    level = Level.from_grid(grid)
    areas = route(relief.height, level).accumulate()
    assert areas.max() >= 0.05 * areas.size
    assert pits(relief.height, level).mean() < 0.0015
    assert 300 < relief.height.max() < 5000
    ridges = relief.height[128, 30:226]
    assert (np.diff(np.sign(np.diff(ridges))) != 0).sum() > 12  # it is no cone any more


@pytest.mark.newest
@pytest.mark.parametrize(
    ("wrap", "outlets"), [(False, "fixed"), (False, "sea"), (True, "sea"), (True, "open")]
)
def test_mountains_grow_but_where_rivers_end(wrap, outlets):
    grid, picture = hills(260, 270, wrap=wrap)
    grown = StreamErosion(mode="grow", outlets=outlets, sea_level=-100.0).apply(picture, grid)
    stays = {
        "fixed": border(Level.from_grid(grid)),
        "sea": picture < -100.0,
        "open": picture <= np.quantile(picture, 0.039),
    }[outlets]
    assert stays.mean() > 0.01
    assert np.abs(grown.height[stays]).max() < 0.003 * np.ptp(picture)
    assert np.median(grown.height[~stays]) > 0.1 * np.ptp(picture)


@pytest.mark.parametrize("seed", [3, 4, 6])
def test_rivers_of_growing_mountains_leave_onto_the_plain(seed):
    """Their outlets fell on without end where the ground hardly rises: the pits were 30 to 220 m deep."""
    grid = Grid(104, 90, size=3000.0)
    uplift = 400.0 * Fractal(source=Perlin(frequency=4.0)).sample_grid(grid, seed)
    grown = StreamErosion(mode="grow").apply(uplift.astype(np.float32), grid, 5)
    assert grown.maps["wear"].max() < 2e-3 * np.ptp(uplift)
    assert grown.height.min() > -2e-3 * np.ptp(uplift)
    assert grown.height.max() > np.ptp(uplift)


def test_eroded_ground_has_few_pits():
    grid, height = hills(256, 256)
    level = Level.from_grid(grid)
    result = StreamErosion(lakes="fill").apply(height, grid).height
    assert pits(result, level).mean() < 0.2 * pits(height, level).mean()
    assert pits(result, level).mean() < 0.0015


def test_fine_ground_keeps_its_detail_if_asked():
    grid, height = hills(513, 513)
    coarse = StreamErosion(finest=128).apply(height, grid, 1)
    fine = StreamErosion().apply(height, grid, 1)
    assert np.corrcoef(coarse.height.ravel(), fine.height.ravel())[0, 1] > 0.98
    for name in ("flow", "lake"):
        assert coarse.maps[name].shape == (513, 513)
    rough = [np.abs(np.diff(one.height, 2)).mean() for one in (coarse, fine)]
    own = np.abs(np.diff(height, 2)).mean()
    assert abs(rough[0] - own) < 0.5 * own


def test_the_schedule_counts_from_the_coarsest_level():
    levels = Level.from_grid(Grid(1024, 1200, size=100.0)).pyramid(128)
    assert len(levels) == 4
    whole = Schedule(8, (3, 2, 1), largest=8192)
    plan = [whole.on(place, levels) for place in range(4)]
    assert [steps for steps, _ in plan] == [1, 2, 3, 8]
    durations = [duration for _, duration in plan]
    assert durations == sorted(durations) and durations[0] > 0.0
    # Fewer levels, the same steps on each.
    assert [whole.on(place, levels[1:]) for place in range(3)] == plan[1:]
    assert [whole.on(place, levels[3:]) for place in range(1)] == plan[3:]
    for schedule in (Schedule(8, (3, 2, 1), largest=300), Schedule(8, (3, 2, 1), 8192, left_out=2)):
        assert [schedule.on(place, levels) for place in range(4)] == [(0, 0.0), (0, 0.0), *plan[2:]]
    assert Schedule(8, (1,), largest=16, left_out=1).on(0, levels[-1:]) == plan[3]


def test_deposit_buries_the_detail_of_the_ground(monkeypatch):
    grid, height = hills(256, 256)
    # On a grid that is not bent, which would smooth what chance puts on single samples.
    erosion = StreamErosion(sediment=1.0, lakes="fill", strength=1.0, randomness=0.0)
    rough = height + np.random.default_rng(5).normal(0, 15, height.shape).astype(np.float32)

    def roughness():
        relief = erosion.apply(rough, grid)
        is_plain = relief.maps["deposit"] > 40.0
        assert is_plain.mean() > 0.02
        return np.abs(np.diff(relief.height, 2, append=0, prepend=0))[is_plain].mean()

    buried = roughness()
    monkeypatch.setattr(law, "_BURIED", 1e6)
    assert buried < 0.8 * roughness()


def test_rock_does_not_depend_on_what_else_is_shown():
    layers = RockLayers(20.0, 1.0, 0.0)
    height = np.linspace(-900, 900, 5001).astype(np.float32)[np.newaxis]
    offset = np.zeros_like(height)
    whole, part = (layers.hardness(height[:, cut:], offset[:, cut:], 3) for cut in (0, 1234))
    assert np.ptp(whole) > 0.7
    np.testing.assert_allclose(part, whole[:, 1234:], atol=0.12)  # a step of the table
    assert np.abs(part - whole[:, 1234:]).mean() < 1e-3


def test_layers_are_level_unless_bent():
    grid = Grid(30, 40, size=100.0)
    assert not RockLayers(10.0, 1.0, 0.0).offset(grid, 1).any()
    once, twice = (RockLayers(10.0, 1.0, bend).offset(grid, 1) for bend in (1.0, 2.0))
    assert np.ptp(once) > 0.3
    np.testing.assert_array_equal(twice, 2 * once)


def test_cancel_comes_through_at_once():
    grid, height = hills(256, 256)
    asked = []

    def cancel():
        asked.append(None)
        return len(asked) > 40

    with pytest.raises(Cancelled):
        StreamErosion().apply(height, grid, cancel=cancel)
    shares = []
    StreamErosion().apply(height, grid, progress=shares.append)
    assert len(asked) == 41
    assert shares == sorted(shares) and shares[-1] == 1.0 and len(shares) > 8


@pytest.mark.newest
@pytest.mark.parametrize(
    ("modifier", "share"),
    [(StreamErosion(), 0.05), (StreamErosion(sediment=0.5), 0.05), (FillLakes(), 0.5)],
)
def test_a_cancel_is_heard_soon(modifier, share):
    """0.2 s of one thread's work at 2048 x 2048: a quarter of that on a quarter of the samples.

    And a share of the whole, for processors that are faster.
    """
    grid, height = hills(1024, 1024)
    found = []
    for _ in range(4):
        moments = [time.thread_time()]

        def never(moments=moments):
            moments.append(time.thread_time())
            return False

        with blocks.on_threads(1):
            modifier.apply(height, grid, cancel=never)
        silences = np.diff([*moments, time.thread_time()])
        found.append(silences.max() / min(0.05, share * silences.sum()))
        if found[-1] < 1.0:
            break
    assert min(found) < 1.0
