# SPDX-License-Identifier: GPL-3.0-or-later
"""Water leaves flats the shortest way, away from higher ground, against the papers' gradients cell after cell."""

from __future__ import annotations

import numpy as np
import pytest

from noise_core import Grid
from noise_core.flow_routing.descent import FlowRandomness, closed_ways, steepest
from noise_core.flow_routing.outlets import border
from noise_core.flow_routing.routing import fill, route
from noise_core.modifiers import FillLakes
from noise_core.noises import Fractal, Perlin
from noise_core.rasters.level import Level
from tests.core import drainage_references as reference
from tests.drawing import count_of, generator

MOST_TURNS = 0.02
"""Share of the steps of channels that turn by 135 degrees or more."""


def steps_to_end(receivers):
    """Return how many steps each cell's water takes to its end; an AssertionError if it runs in circles."""
    steps, place = np.zeros(len(receivers), int), np.arange(len(receivers))
    for _ in receivers:
        moves = receivers[place] != place
        if not moves.any():
            return steps
        steps += moves
        place = receivers[place]
    raise AssertionError("a circle")


def example():
    """Return the flat of Garbrecht & Martz 1997: 5 x 5 cells among higher ones, with one outlet below."""
    height = np.full((7, 7), 9.0, np.float32)
    height[1:6, 1:6] = 6.0
    height[6, 3] = 5.0
    return height


@pytest.mark.parametrize("is_mirrored", [False, True])
@pytest.mark.parametrize("turns", range(4))
def test_the_papers_example_drains_in_five_steps(turns, is_mirrored):
    height = np.ascontiguousarray(np.rot90(example(), turns))
    if is_mirrored:
        height = np.ascontiguousarray(height[:, ::-1])
    level = Level(7, 7, 1.0, 1.0, wrap=False)
    tree = route(height, level, height == 5.0)
    steps = steps_to_end(tree.receivers).reshape(7, 7)
    assert steps[height == 6.0].max() == 5


def test_the_papers_example_drains_away_from_its_walls():
    directions = route(example(), Level(7, 7, 1.0, 1.0, wrap=False)).directions
    inner = directions[1:5, 1:6]  # the last row is that of the exits
    assert (inner[:, 0] == 8).all() and (inner[:, -1] == 6).all() and (inner[:, 2] == 7).all()


def draw_land(chance):
    """Return a drawn land with many flats, its level, its outlets and whether it is a mesh."""
    shape = (chance.randint(1, 24), chance.randint(1, 24))
    wrap, steps = chance.random() < 0.4, chance.choice([1, 2, 4, 30])
    random = np.random.default_rng(chance.randrange(1 << 30))
    noise = random.random(shape)
    if chance.random() < 0.5:
        noise = Fractal(source=Perlin(frequency=2.0)).sample_grid(Grid(*shape, wrap=wrap), 3)
    height = (np.floor(noise * steps) / steps).astype(np.float32)
    outlets = random.random(shape) < chance.choice([0.0, 0.02, 0.2])
    level = Level(*shape, 1.0, chance.choice([1.0, 1.3]), wrap)
    return height, level, outlets, chance.random() < 0.3


@pytest.mark.parametrize("case", range(count_of(400)))
def test_flats_follow_both_gradients_of_the_papers(case):
    chance = generator(f"flats {case}")
    height, level, outlets, on_triangles = draw_land(chance)
    randomness = FlowRandomness(case, 0.7) if chance.random() < 0.3 else None
    ways = steepest(height, level, randomness, outlets=outlets, on_triangles=on_triangles)
    closed = closed_ways(on_triangles)
    down, up = reference.flats(height, outlets, level.wrap, closed)
    furthest = max(up.values(), default=0)

    def mask(place):
        return 2 * down[place] + furthest - up.get(place, 0)

    def neighbor(place, way):
        dr, dc = reference.WAYS[way - 1]
        return (place[0] + dr) % level.rows, (place[1] + dc) % level.columns

    for place, steps in down.items():
        assert ways[place] > 0 and ways[place] not in closed
        to = neighbor(place, ways[place])
        assert height[to] == height[place]
        if steps == 1:
            assert to not in down
        else:
            assert down[to] == steps - 1
            beside = reference.neighbors(*place, level.shape, level.wrap, closed)
            assert mask(to) == min(mask(n) for n in beside if n in down)
    tree = route(height, level, outlets, on_triangles=on_triangles)
    steps_to_end(tree.receivers)  # no circles
    assert (tree.ends == outlets).all() or not outlets.any()


@pytest.mark.parametrize("case", range(count_of(200)))
def test_a_flat_without_an_exit_ends_in_its_first_cell(case):
    height, level, outlets, on_triangles = draw_land(generator(f"ends {case}"))
    ways = steepest(height, level, outlets=outlets, on_triangles=on_triangles)
    closed = closed_ways(on_triangles)
    down, _ = reference.flats(height, outlets, level.wrap, closed)
    ends = {tuple(place) for place in np.argwhere((ways == 0) & ~outlets).tolist()}
    left = {divmod(cell, level.columns) for cell in range(height.size)} - down.keys()
    left -= {tuple(place) for place in np.argwhere(outlets).tolist()}
    first = set()
    while left:
        start = min(left)
        part, queue, is_pit = {start}, [start], True
        while queue:
            place = queue.pop()
            for other in reference.neighbors(*place, level.shape, level.wrap, closed):
                is_pit &= bool(height[other] >= height[place])
                if height[other] == height[place] and other in left - part:
                    part.add(other)
                    queue.append(other)
        first |= {start} if is_pit else set()
        left -= part if is_pit else {start}
    assert ends == first


def test_level_ground_drains_to_the_nearest_border():
    level = Level(90, 131, 1.0, 1.0, wrap=False)
    steps = steps_to_end(route(np.zeros(level.shape, np.float32), level).receivers)
    row, column = np.ogrid[:90, :131]
    nearest = np.minimum(np.minimum(row, 89 - row), np.minimum(column, 130 - column))
    np.testing.assert_array_equal(steps.reshape(level.shape), nearest)


def test_a_winding_flat_drains_all_along():
    height = np.full((41, 41), 5.0, np.float32)
    height[1:-1:2, 1:-1] = 1.0  # corridors, joined at one end after the other
    height[2:-2:4, -2] = height[4:-2:4, 1] = 1.0
    height[1, 0] = 0.0
    level = Level(41, 41, 1.0, 1.0, wrap=False)
    tree = route(height, level, height == 0.0)
    steps = steps_to_end(tree.receivers).reshape(level.shape)
    down, _ = reference.flats(height, height == 0.0, False)
    assert max(down.values()) > 600
    assert all(steps[place] == least + 1 for place, least in down.items() if place != (1, 0))


def test_rolling_a_torus_rolls_the_ways_over_its_lakes():
    grid = Grid(48, 60, wrap=True, size=100.0)
    level = Level.from_grid(grid)
    noise = Fractal(source=Perlin(frequency=3.0)).sample_grid(grid, 7)
    outlets = noise == noise.min()
    lakes = fill(noise, level, outlets)
    assert np.count_nonzero(lakes > noise) > 200
    ways = steepest(lakes, level, outlets=outlets)
    rolled = (np.roll(field, (11, 29), (0, 1)) for field in (lakes, outlets))
    lakes, outlets = (np.ascontiguousarray(field) for field in rolled)
    expected = np.roll(ways, (11, 29), (0, 1))
    np.testing.assert_array_equal(steepest(lakes, level, outlets=outlets), expected)


@pytest.mark.parametrize("scale", [1e-45, 3e-45, 1e-44])
def test_falls_that_vanish_when_they_are_weighted_lead_down(scale):
    rng = np.random.default_rng(8)
    height = (np.floor(rng.random((40, 40)) * 6) * scale).astype(np.float32)
    level = Level(40, 40, 1.0, 9.0, wrap=False)
    ways = steepest(height, level, FlowRandomness(3, 1.0))
    for row, column in np.argwhere(ways == 0):
        around = reference.neighbors(row, column, level.shape, False)
        assert all(height[place] >= height[row, column] for place in around)
    tree = route(height, level, randomness=FlowRandomness(3, 1.0))
    steps_to_end(tree.receivers)
    assert (tree.ends == border(level)).all()


def land(chance, least=400, most=560):
    """Return a drawn land some 1,500 m high with samples 30 m apart, as from a shuttle's radar, and its grid."""
    rows, columns = chance.randint(least, most), chance.randint(least, most)
    grid = Grid(rows, columns, size=30.0 * (columns - 1))
    noise = Fractal(source=Perlin(frequency=chance.uniform(2.0, 4.0)), octaves=9)
    return noise.sample_grid(grid, chance.randrange(1 << 30)) * np.float32(1500.0), grid


def share_of_turns(height, grid, least=20):
    turns, steps = reference.sharp_turns(route(height, Level.from_grid(grid)), least)
    return turns / steps


@pytest.mark.parametrize("case", range(count_of(40)))
def test_channels_hardly_turn_back_over_filled_lakes(case):
    height, grid = land(generator(f"lakes {case}"))
    lakes = FillLakes().apply(height, grid).height
    assert np.count_nonzero(lakes > height) > 0.05 * height.size
    assert share_of_turns(lakes, grid) <= MOST_TURNS


@pytest.mark.parametrize("meters", [1.0, 5.0, 20.0])
@pytest.mark.parametrize("case", range(count_of(40)))
def test_channels_hardly_turn_back_over_rounded_land(case, meters):
    height, grid = land(generator(f"rounded {case}"))
    rounded = np.round(height / np.float32(meters)) * np.float32(meters)
    assert share_of_turns(rounded, grid) <= MOST_TURNS
