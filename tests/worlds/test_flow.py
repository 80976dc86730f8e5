# SPDX-License-Identifier: GPL-3.0-or-later
"""Flow in tiles has the bits of the whole, wherever rivers leave a tile and come back."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noise_core import Grid
from noise_core.flow_routing.descent import FlowRandomness
from noise_core.flow_routing.incision import Incision
from noise_core.flow_routing.incision import incise as incise_whole
from noise_core.flow_routing.outlets import border, lowest_cells
from noise_core.flow_routing.routing import route as route_whole
from noise_core.noises import Fractal, Perlin
from noise_core.rasters.level import Level
from terrane_worlds.base.tiling import Tiling, Window
from terrane_worlds.flow.accumulation import accumulate
from terrane_worlds.flow.channels import through_channels
from terrane_worlds.flow.heights import incise
from terrane_worlds.flow.rings import Rings, ring
from terrane_worlds.tiles.engine import Engine

from .lands import assert_same_bits, cut, levels
from .whole_flow import Ground, Routed, Tile

some = settings(deadline=None, derandomize=True, max_examples=25, print_blob=True)
sides = st.sampled_from([3, 7, 16, 25, 40])
seeds = st.integers(0, 1 << 20)


def rough_ground(level: Level, seed: int, steps: int) -> np.ndarray:
    """Return random heights, with flats and equally high passes if there are few steps."""
    height = np.random.default_rng(seed).random(level.shape)
    return (np.round(height * steps) / steps if steps else height).astype(np.float32)


@st.composite
def grounds(draw: st.DrawFn) -> Ground:
    """Draw a land: rough or in steps, with outlets at its border or in its lowest cells."""
    level, seed = draw(levels(least=3, most=60)), draw(seeds)
    height = rough_ground(level, seed, draw(st.sampled_from([0, 0, 4, 30])))
    lowest, none = lowest_cells(height, 0.01), np.zeros(level.shape, bool)
    randomness = FlowRandomness(seed, 0.7) if draw(st.booleans()) else None
    kinds = ["lowest", "hollows", "none"] if level.wrap else ["lowest", "border"]
    kind = draw(st.sampled_from(kinds))
    outlets = {"lowest": lowest, "border": border(level)}.get(kind, none)
    return Ground(height, level, outlets, randomness, lowest if kind == "hollows" else None)


def whole_tree(ground: Ground, deepest_lake: float | None):
    return route_whole(
        ground.height,
        ground.level,
        ground.outlets,
        hollows=ground.hollows,
        randomness=ground.randomness,
        deepest_lake=deepest_lake,
    )


@some
@given(grounds(), sides, st.sampled_from([None, 0.0, 0.2]))
def test_directions_fill_and_areas_are_those_of_the_whole(ground, side, deepest_lake):
    tree = whole_tree(ground, deepest_lake)
    with tempfile.TemporaryDirectory() as folder:
        routed = Routed.of(ground, side, Path(folder), deepest_lake)
        assert np.array_equal(routed.read(routed.fields.ways), tree.directions)
        assert_same_bits(routed.filled(ground.height), tree.filled)
        assert np.array_equal(routed.read(routed.areas).reshape(-1), tree.accumulate())


@some
@given(grounds(), sides, seeds)
def test_what_rivers_carry_is_that_of_the_whole(ground, side, seed):
    tree = whole_tree(ground, None)
    load = np.random.default_rng(seed).normal(size=ground.height.shape).astype(np.float32)
    with tempfile.TemporaryDirectory() as folder:
        routed = Routed.of(ground, side, Path(folder))
        carried = routed.field("carried", "float64")
        accumulate(routed.flow, Tile(load), carried, Engine(), "load")
        assert np.array_equal(routed.read(carried).reshape(-1), tree.accumulate(load))


@dataclass(frozen=True)
class Rates:
    height: np.ndarray
    rate: np.ndarray
    steepest: np.ndarray
    level: Level

    def __call__(self, tile: Window, ways: np.ndarray) -> Incision:
        height, rate, limit = (cut(one, tile) for one in (self.height, self.rate, self.steepest))
        return Incision.of(height, ways, self.level, rate, limit, 0.001)


@some
@given(grounds(), sides, seeds, st.sampled_from([None, 0.1]))
def test_incision_is_that_of_the_whole(ground, side, seed, deepest_lake):
    tree, shape = whole_tree(ground, deepest_lake), ground.height.shape
    chance = np.random.default_rng(seed)
    rate = (chance.random(shape) * 3.0).astype(np.float32)
    limit = (chance.random(shape) + 0.1).astype(np.float32)
    expected = incise_whole(
        ground.height, tree, ground.level, rate.copy(), steepest=limit, gentlest=0.001
    )
    with tempfile.TemporaryDirectory() as folder:
        routed = Routed.of(ground, side, Path(folder), deepest_lake)
        new = routed.field("new", "float32")
        rates = Rates(ground.height, rate, limit, ground.level)
        incise(routed.flow, rates, new, Engine(), "incision")
        assert_same_bits(routed.read(new), expected)


def winding_river(rows: int, border_column: int) -> tuple[np.ndarray, list[tuple[int, int]]]:
    """Return a land of two tiles' width, and a river that goes from side to side of their border."""
    height = np.full((rows, 2 * border_column), 500.0, np.float32)
    height += np.abs(np.arange(2 * border_column) - border_column)  # walls that rise outwards
    path, is_east = [], False
    columns = list(range(border_column - 3, border_column + 3))
    for row in range(1, rows):
        if row % 2:
            path += [(row, one) for one in (reversed(columns) if is_east else columns)]
            is_east = not is_east
        else:
            path.append((row, columns[-1 if is_east else 0]))
    for step, (row, column) in enumerate(path):
        height[row, column] = 100.0 - 0.1 * step
    return height, path


def test_a_river_crosses_one_border_fifty_times(tmp_path):
    border_column = 20
    height, path = winding_river(110, border_column)
    level = Level(*height.shape, 1.0, 1.0, wrap=False)
    ground = Ground(height, level, border(level))
    tree = whole_tree(ground, None)
    river = [path[0][0] * level.columns + path[0][1]]
    while tree.receivers[river[-1]] != river[-1]:
        river.append(tree.receivers[river[-1]])
    east = np.array(river) % level.columns >= border_column
    assert np.count_nonzero(east[1:] != east[:-1]) >= 50
    routed = Routed.of(ground, border_column, tmp_path)
    assert np.array_equal(routed.read(routed.areas).reshape(-1), tree.accumulate())
    new = routed.field("new", "float32")
    rate = np.full(height.shape, 2.0, np.float32)
    limit = np.full(height.shape, 50.0, np.float32)
    incise(routed.flow, Rates(height, rate, limit, level), new, Engine(), "incision")
    expected = incise_whole(height, tree, level, rate.copy(), steepest=limit, gentlest=0.001)
    assert_same_bits(routed.read(new), expected)


def level_land(level: Level) -> np.ndarray:
    return np.zeros(level.shape, np.float32)


def corridor(level: Level) -> np.ndarray:
    """Return a plateau with a flat that winds through all tiles."""
    height = np.full(level.shape, 9.0, np.float32)
    height[1:-1:4, 1:-1] = 2.0
    height[3:-1:8, -2] = height[2:-1:8, -2] = height[4:-1:8, -2] = 2.0
    height[7:-1:8, 1] = height[6:-1:8, 1] = height[8:-1:8, 1] = 2.0
    return height


@pytest.mark.parametrize("side", [9, 16, 33])
@pytest.mark.parametrize("wrap", [False, True])
@pytest.mark.parametrize("land", [level_land, corridor])
@pytest.mark.parametrize("ends", ["none", "one", "border"])
def test_flats_go_on_from_tile_to_tile(tmp_path, land, wrap, ends, side):
    level = Level(33, 40, 1.0, 1.0, wrap)
    outlets = border(level) if ends == "border" else np.zeros(level.shape, bool)
    outlets[1, 2] |= ends == "one"
    ground = Ground(land(level), level, outlets)
    tree = whole_tree(ground, None)
    routed = Routed.of(ground, side, tmp_path)
    assert np.array_equal(routed.read(routed.fields.ways), tree.directions)
    assert np.array_equal(routed.read(routed.areas).reshape(-1), tree.accumulate())


@pytest.mark.parametrize("side", [256, 300, 1000])
@pytest.mark.parametrize("wrap", [False, True])
@pytest.mark.parametrize("meters", [5.0, 40.0, 400.0])
def test_land_in_whole_meters_drains_alike_in_tiles(tmp_path, meters, wrap, side):
    grid = Grid(640, 700, wrap=wrap, size=20_000.0)
    noise = Fractal(source=Perlin(frequency=3.0), octaves=8).sample_grid(grid, 4)
    height = np.round(noise * np.float32(1000.0 / meters)) * np.float32(meters)
    level = Level.from_grid(grid)
    ground = Ground(height, level, lowest_cells(height, 1e-3) if wrap else border(level))
    tree = whole_tree(ground, None)
    routed = Routed.of(ground, side, tmp_path)
    assert np.array_equal(routed.read(routed.fields.ways), tree.directions)
    assert_same_bits(routed.filled(height), tree.filled)


@pytest.mark.parametrize("shape", [(1, 1), (1, 7), (7, 1), (2, 2), (5, 9), (12, 8)])
@pytest.mark.parametrize("side", [1, 2, 3, 5, 20])
def test_places_of_rings(shape, side):
    rings = Rings(Tiling(*shape, side))
    assert np.array_equal(rings.places(rings.cells), np.arange(len(rings.cells)))
    assert len(np.unique(rings.cells)) == len(rings.cells)
    inner = np.arange(shape[0] * shape[1]).reshape(shape)
    expected = [ring(cut(inner, tile)) for tile in rings.tiling.tiles]
    assert np.array_equal(rings.cells, np.concatenate(expected))


def test_channels_hold_what_lies_below_their_entries():
    directions = np.full((4, 6), 7, np.uint8)  # all water goes down, to the next row
    channels = through_channels(directions, np.array([2, 2, 13]))
    assert sorted(channels.cells.tolist()) == [2, 8, 13, 14, 19, 20]
    assert through_channels(directions, np.array([], np.intp)).cells.size == 0
