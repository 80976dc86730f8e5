# SPDX-License-Identifier: GPL-3.0-or-later
"""Craters: their shape, their number by size, and which one wins."""

import numpy as np
import pytest

from noise_core import Grid
from noise_core.cratering import history, shape
from noise_core.cratering.cells import CellBlock, ImpactIndex, rectangle_of
from noise_core.cratering.overlaps import Places
from noise_core.cratering.population import (
    LARGEST_RADIUS,
    MOST_CLASSES,
    REACH,
    Impacts,
    size_classes,
)
from noise_core.noises import Craters

SEED = 7
ROUND = {"wear": 0.0, "floors": 0.0, "irregularity": 0.0}


def all_craters(noise: Craters, seed: int = SEED) -> list[history.PlacedCraters]:
    """Return the craters of each class that reach the tile at the origin."""
    classes = size_classes(noise.frequency, noise.sizes, noise.density, noise.exponent, seed, None)
    corners = np.array([0.0, 1.0]), np.array([0.0, 1.0])
    style = shape.CraterStyle(noise.depth, noise.wear, noise.floors, noise.irregularity)
    nothing = Places(np.zeros(0), np.zeros(0))
    return history.ImpactHistory(
        classes, style, nothing, lambda one: rectangle_of(*one.cells(*corners))
    ).craters


def is_first_from(
    crater: int, own: history.PlacedCraters, sets: list[history.PlacedCraters], younger: bool
) -> bool:
    """Return whether no other crater, or no younger one, comes near a crater's rim."""
    x, y = centers(own)
    radius = own.impacts.radius / own.size_class.lattice.frequency
    for craters in sets:
        other_x, other_y = centers(craters)
        reach = REACH * craters.impacts.radius / craters.size_class.lattice.frequency
        apart = np.hypot(other_x - x[crater], other_y - y[crater])
        margin = radius[crater] * (1.2 if younger else REACH)
        is_near = apart < reach + margin
        if younger:
            is_near &= craters.impacts.time > own.impacts.time[crater]
        if craters is own:
            is_near[crater] = False
        if is_near.any():
            return False
    return True


def centers(craters: history.PlacedCraters) -> tuple[np.ndarray, np.ndarray]:
    """Return the centers in tiles."""
    return craters.size_class.tiles(craters.impacts.x, craters.impacts.y)


def lone_crater() -> tuple[Craters, float, float, float]:
    """Return a noise with a crater far from all others: its center and radius in tiles."""
    noise = Craters(frequency=6.0, sizes=1, density=0.06, **ROUND)
    sets = all_craters(noise)
    x, y = centers(sets[0])
    for crater in np.flatnonzero((np.abs(x - 0.5) < 0.4) & (np.abs(y - 0.5) < 0.4)):
        if is_first_from(crater, sets[0], sets, younger=False):
            return noise, x[crater], y[crater], sets[0].impacts.radius[crater] / noise.frequency
    raise AssertionError("no lone crater")


def along_radius(shares: np.ndarray) -> np.ndarray:
    """Return the heights of a lone fresh crater over its diameter, at shares of its radius.

    Of a terrain as high as the notes of `Craters` say.
    """
    noise, x, y, radius = lone_crater()
    points = np.stack([x + shares * radius, np.full(len(shares), y)], axis=-1)
    height_over_width = 0.16 / (noise.frequency * noise.depth)
    return noise.sample(points, SEED) * height_over_width / (2.0 * radius)


def test_a_fresh_crater_is_a_fifth_as_deep_as_wide_with_a_rim_of_a_25th():
    floor, rim = along_radius(np.array([0.0, 1.0]))
    assert rim == pytest.approx(0.04, abs=1e-4)
    assert rim - floor == pytest.approx(0.2, abs=1e-4)


def test_walls_stay_below_the_angle_of_repose():
    shares = np.linspace(0.0, 1.0, 401)
    rise = np.diff(2.0 * along_radius(shares)) / np.diff(shares)
    steepest = np.degrees(np.arctan(rise.max()))
    assert 29.0 < steepest < 33.0


def test_ejecta_thin_with_the_third_power_of_the_distance():
    shares = np.array([1.0, 1.25, 1.5, 1.75, 2.0, shape.END, 2.4])
    blanket = along_radius(shares)
    assert np.all(blanket[-2:] == 0.0)
    # All but a constant that lets them end.
    ends = shape.END**-3
    expected = 0.04 * (shares[:-1] ** -3 - ends) / (1.0 - ends)
    np.testing.assert_allclose(blanket[:-1], expected, atol=2e-5)


@pytest.mark.parametrize("irregularity", [0.0, 1.0])
@pytest.mark.parametrize("sizes", [1, 4])
def test_within_its_rim_the_younger_crater_wins_whole(sizes, irregularity):
    noise = Craters(frequency=4.0, sizes=sizes, density=1.0, wear=0.3, irregularity=irregularity)
    sets = all_craters(noise)
    checked = 0
    angle = np.linspace(0.0, 2.0 * np.pi, 25)
    for craters in sets:
        x, y = centers(craters)
        inside = (np.abs(x - 0.5) < 0.4) & (np.abs(y - 0.5) < 0.4)
        for crater in np.flatnonzero(inside)[:60]:
            if not is_first_from(crater, craters, sets, younger=True):
                continue
            dx, dy = (
                np.outer([0.0, 0.3, 0.6, 0.9], turn(angle)).ravel().astype(np.float32)
                for turn in (np.cos, np.sin)
            )
            radius = craters.impacts.radius[crater] / noise.frequency / 2**craters.size_class.number
            values = noise.sample(
                np.stack([x[crater] + dx * radius, y[crater] + dy * radius], -1), SEED
            )
            own, cover = craters.shapes.of(crater).evaluate(dx, dy)
            assert np.all(cover == 1.0)
            # Its plane, its bowl, and nothing else.
            np.testing.assert_allclose(values, own, atol=3e-6)
            checked += 1
    assert checked >= 3


def test_a_small_young_crater_on_the_floor_of_a_large_one_lies_deeper():
    noise = Craters(frequency=2.0, sizes=4, density=0.25, exponent=3.0, **ROUND)
    sets = all_craters(noise)
    large, small = sets[0], sets[2]
    large_x, large_y = centers(large)
    radius = large.impacts.radius / noise.frequency
    x, y = centers(small)
    found = 0
    for crater in range(large.impacts.size):
        if not is_first_from(crater, large, sets[:2], younger=True):
            continue
        is_on_floor = np.hypot(x - large_x[crater], y - large_y[crater]) < 0.5 * radius[crater]
        is_on_floor &= small.impacts.time > large.impacts.time[crater]
        levels = small.shapes.table[shape.LEVEL, is_on_floor]
        assert np.all(levels < -0.1 * noise.depth)
        found += levels.size
    assert found


@pytest.mark.parametrize("exponent", [2.0, 2.5, 3.0])
def test_cumulative_numbers_by_size_follow_the_exponent(exponent):
    classes = size_classes(16.0, 5, 0.04, exponent, SEED, None)
    diameters = []
    for cls in classes:
        side = 96 << cls.number
        impacts = ImpactIndex(cls, CellBlock((0, 0), side, side)).impacts
        diameters.append(impacts.radius / np.float32(1 << cls.number))
    every = np.sort(np.concatenate(diameters))[::-1]
    largest = LARGEST_RADIUS
    limits = largest * 2.0 ** -np.linspace(0.7, 4.9, 15)
    numbers = [np.count_nonzero(every > limit) for limit in limits]
    # N(> D) is D^-b but for a constant: nothing is larger than the largest.
    model = np.log2((limits / largest) ** -exponent - 1.0)
    slope, _ = np.polyfit(model, np.log2(numbers), 1)
    assert slope == pytest.approx(1.0, abs=0.03)


def test_old_craters_are_shallower_and_rounder():
    def crater(time: int) -> shape.CraterShapes:
        radius = np.full(1, LARGEST_RADIUS, np.float32)
        impacts = Impacts(
            *(np.zeros(1, np.int32), np.zeros(1, np.int32), np.zeros(1), np.zeros(1)),
            *(radius, np.array([time], np.uint32), np.zeros((4, 1), np.float32)),
        )
        return shape.build_shapes(impacts, 1, shape.CraterStyle(1.0, 0.9, 0.0, 0.0))

    shares = np.linspace(0.0, 1.0, 101, dtype=np.float32)
    fresh, old = (
        crater(time).evaluate(shares, np.zeros_like(shares))[0] for time in (0xFFFFFFFF, 1 << 30)
    )
    assert 0.0 < np.ptp(old) < 0.4 * np.ptp(fresh)
    assert old[-1] < 0.3 * fresh[-1]  # the rim goes first
    # Near the crest the wall of the fresh one is steep, that of the old one level.
    assert fresh[-1] - fresh[-11] > 0.1 * np.ptp(fresh)
    assert old[-1] - old[-11] < 0.09 * np.ptp(old)


@pytest.mark.parametrize("wrap", [False, True])
@pytest.mark.parametrize(("rows", "columns"), [(97, 64), (300, 420)])
def test_windows_on_a_grid_have_the_bits_of_points(rows, columns, wrap):
    noise = Craters(frequency=3.0, sizes=4, density=0.9)
    grid = Grid(rows, columns, wrap=wrap, origin=(0.3, -1.7))
    field = noise.sample_grid(grid, SEED)
    points = tuple(axis.ravel() for axis in grid.axes().points(0, rows))
    assert noise.values(points, SEED, grid.torus).tobytes() == field.tobytes()


def test_scattered_points_have_the_bits_of_those_side_by_side():
    noise = Craters(density=0.3)
    points = np.random.default_rng(1).uniform(0.0, 1.0, (3000, 2))
    far = np.concatenate([points[:40], [[9000.0, 0.0], [-70.0, 8000.0]]])
    assert noise.sample(far, SEED)[:40].tobytes() == noise.sample(points, SEED)[:40].tobytes()


def test_no_density_is_level_ground():
    assert not Craters(density=0.0).sample_grid(Grid(20, 20), SEED).any()


def test_there_are_enough_turns_for_all_classes():
    (sizes,) = (parameter for parameter in Craters.parameters() if parameter.name == "sizes")
    assert sizes.maximum < MOST_CLASSES


def test_craters_and_their_ejecta_stay_within_neighboring_cells():
    # The least round outline, where its ejecta end.
    farthest = shape.END / np.sqrt(1.0 - shape.ELLIPSE - shape.TRIANGLE * REACH)
    assert farthest <= REACH
    assert REACH * LARGEST_RADIUS < 1.0
