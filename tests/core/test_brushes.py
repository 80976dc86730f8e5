# SPDX-License-Identifier: GPL-3.0-or-later
"""Brushes on height fields: what each kind does, where, and the same at every resolution."""

from __future__ import annotations

import numpy as np
import pytest

from noise_core import Grid, Recipe
from noise_core.base.errors import ParameterError
from noise_core.erosion.brushes.brush import Brush
from noise_core.erosion.brushes.effects import EFFECTS
from noise_core.erosion.brushes.nodes import NodeSquare
from noise_core.erosion.brushes.strokes import Stroke, StrokePoint, apply_stroke
from noise_core.noises import Fractal, Perlin
from noise_core.rasters.steepness import rise_over_run
from tests import drawing

KINDS = tuple(EFFECTS)
SIZE = 2000.0
WAY = (StrokePoint(0.25, 0.3), StrokePoint(0.5, 0.55), StrokePoint(0.75, 0.45, 0.4))


def land(side=129, *, wrap=False, octaves=4):
    """Return a grid and hills on it, 400 m high."""
    grid = Grid(side, side, size=SIZE, wrap=wrap)
    noise = Fractal(source=Perlin(frequency=3.0), octaves=octaves)
    return grid, noise.sample_grid(grid, 5) * np.float32(400.0)


def brushed(kind, grid, height, way=WAY, **values):
    return apply_stroke(
        height, grid, Brush(kind=kind, **{"size": 400.0, "strength": 1.0, **values}), way
    )


def places(grid):
    """Return the distance of each sample from the way, in meters."""
    steps = grid.steps_per_tile
    y, x = (np.mgrid[0 : grid.rows, 0 : grid.columns] / steps).astype(np.float64)
    nearest = np.full(grid.shape, np.inf)
    for first, second in zip(WAY, WAY[1:]):
        for share in np.linspace(0.0, 1.0, 200):
            px = first.x + share * (second.x - first.x)
            py = first.y + share * (second.y - first.y)
            np.minimum(nearest, np.hypot(x - px, y - py), out=nearest)
    return nearest * SIZE


def test_the_kinds_of_the_declaration_are_those_of_the_effects():
    (kind,) = (each for each in Brush.parameters() if each.name == "kind")
    assert tuple(kind.options) == KINDS


@pytest.mark.parametrize("kind", KINDS)
def test_a_stroke_changes_the_ground_within_its_radius_alone(kind):
    grid, height = land()
    before = height.copy()
    change = brushed(kind, grid, height) - height
    np.testing.assert_array_equal(height, before)
    far = places(grid) > 200.0 + 1.0
    assert not change[far].any()
    assert np.abs(change[~far]).max() > 2.0
    assert np.isfinite(change).all()


def test_erosion_only_cuts_and_cuts_most_where_water_gathers():
    grid, height = land()
    x = (np.arange(129) - 64) / 128.0
    valley = (np.abs(x)[np.newaxis] * 600.0 + np.arange(129)[:, np.newaxis]).astype(np.float32)
    change = brushed("erode", grid, valley, [StrokePoint(0.5, 0.5)], size=800.0) - valley
    assert change.max() <= 0.0
    assert change[64, 64] < 2.0 * change[64, 74] < 0.0
    assert (brushed("erode", grid, height) <= height).all()


def test_sediment_only_raises_and_fills_hollows_first():
    grid, _ = land()
    x = (np.arange(129) - 64) / 128.0
    bumps = np.broadcast_to(20.0 * np.cos(2.0 * np.pi * 8.0 * x), (129, 129)).astype(np.float32)
    change = brushed("deposit", grid, bumps, [StrokePoint(0.5, 0.5)], size=1600.0) - bumps
    assert change.min() >= 0.0
    hollow, crest = change[64, 56], change[64, 64]
    assert hollow > 1.5 * crest > 0.0


def test_smoothing_takes_bumps_and_leaves_slopes():
    grid, height = land()
    plane = np.add.outer(np.arange(129.0), 2.0 * np.arange(129.0)).astype(np.float32)
    np.testing.assert_allclose(
        brushed("smooth", grid, plane)[20:-20, 20:-20], plane[20:-20, 20:-20], atol=0.01
    )
    smooth = brushed("smooth", grid, height)
    near = places(grid) < 80.0

    def rough(field):
        return np.abs(np.diff(field, 2, axis=0))[near[1:-1]].mean()

    assert rough(smooth) < 0.5 * rough(height)


def test_flattening_levels_to_where_the_stroke_begins():
    grid, height = land()
    plane = height[38, 32]
    flat = brushed(
        "flatten", grid, height, 6 * [StrokePoint(0.25, 38.4 / 128.0), StrokePoint(0.5, 0.3)]
    )
    near = flat[36:41, 36:60]
    assert np.abs(near - near.mean()).max() < 1.0
    assert abs(near.mean() - plane) < 0.1 * np.ptp(height)


@pytest.mark.parametrize("angle", [20.0, 33.0, 45.0])
def test_steep_ground_slumps_and_gentle_ground_stays(angle):
    grid, _ = land()
    x = np.arange(129) * grid.spacing
    for slope, moves in ((0.8, False), (1.6, True)):
        rise = rise_over_run(angle) * slope
        roof = np.broadcast_to(rise * np.minimum(x, x[::-1]), (129, 129)).astype(np.float32)
        change = brushed("slump", grid, roof, [StrokePoint(0.5, 0.5)], angle=angle) - roof
        # At the ridge alone gentle ground may be rounded by the nodes.
        assert (np.abs(change).max() > 1.0) == moves, (slope, np.abs(change).max())
        assert change[64, 64] <= 0.0


@pytest.mark.parametrize("kind", KINDS)
def test_strength_and_pressure_count_alike(kind):
    grid, height = land()
    way = [StrokePoint(0.5, 0.5)]
    full = brushed(kind, grid, height, way) - height
    half = brushed(kind, grid, height, way, strength=0.5) - height
    pressed = brushed(kind, grid, height, [StrokePoint(0.5, 0.5, 0.5)]) - height
    np.testing.assert_array_equal(half, pressed)
    np.testing.assert_allclose(half, full / 2.0, atol=1e-3)
    np.testing.assert_array_equal(brushed(kind, grid, height, way, strength=0.0), height)


@pytest.mark.parametrize("kind", KINDS)
def test_a_stroke_in_many_pieces_is_the_same(kind):
    grid, height = land()
    ends = [StrokePoint(0.25, 0.25), StrokePoint(0.75, 0.75)]
    way = [StrokePoint(0.25 + k / 32.0, 0.25 + k / 32.0) for k in range(17)]
    whole, pieces = (brushed(kind, grid, height, each) for each in (ends, way))
    np.testing.assert_allclose(whole, pieces, atol=0.02)


@pytest.mark.parametrize("kind", KINDS)
def test_513_and_1025_agree_on_the_same_ground(kind):
    grid, height = land(1025, octaves=7)
    coarse = Grid(513, 513, size=SIZE)
    fine = (brushed(kind, grid, height, size=300.0) - height)[::2, ::2]
    every_second = np.ascontiguousarray(height[::2, ::2])
    difference = np.abs(brushed(kind, coarse, every_second, size=300.0) - every_second - fine)
    relief = float(np.ptp(height))
    within = fine != 0.0
    assert difference.max() <= 0.005 * relief
    assert difference[within].mean() <= 0.0005 * relief


@pytest.mark.parametrize("kind", KINDS)
def test_places_of_a_torus_are_alike(kind):
    grid, height = land(128, wrap=True)
    moved = np.roll(height, (40, -24), axis=(0, 1))
    way = [StrokePoint(0.1, 0.9), StrokePoint(0.3, 1.05)]
    other = [StrokePoint(p.x - 24 / 128, p.y + 40 / 128) for p in way]
    first, second = brushed(kind, grid, height, way), brushed(kind, grid, moved, other)
    if kind == "erode":  # its chance hangs on the place
        np.testing.assert_allclose(np.roll(first, (40, -24), (0, 1)), second, atol=15.0)
    else:
        np.testing.assert_allclose(np.roll(first, (40, -24), (0, 1)), second, atol=1e-2)
    assert (first != height)[:10].any() and (first != height)[-10:].any()


@pytest.mark.parametrize("kind", KINDS)
def test_strokes_over_the_border_and_beyond(kind):
    grid, height = land()
    for way in ([StrokePoint(0.0, 0.0)], [StrokePoint(-0.05, 0.5), StrokePoint(0.2, 0.5)]):
        changed = brushed(kind, grid, height, way)
        assert np.isfinite(changed).all() and (changed != height).any()
    np.testing.assert_array_equal(brushed(kind, grid, height, [StrokePoint(3.0, 0.5)]), height)


def test_dabs_tell_the_samples_that_they_cover():
    grid, height = land()
    changed = height.copy()
    stroke = Stroke(changed, grid, Brush(kind="deposit", size=300.0))
    seen = np.zeros(grid.shape, bool)
    for point in WAY:
        for rows, columns in stroke.move_to(point):
            seen[np.ix_(rows, columns)] = True
    assert not (changed != height)[~seen].any() and (changed != height).any()


def test_drawn_brushes_are_finite_and_repeat():
    draw = drawing.generator("brushes")
    for _ in range(drawing.count_of(200)):
        rows, columns = draw.randint(17, 200), draw.randint(17, 200)
        grid = Grid(rows, columns, size=10.0 ** draw.uniform(0.0, 5.0))
        bumps = [draw.gauss(0.0, 1.0) for _ in range(rows * columns)]
        scale = 10.0 ** draw.uniform(-3.0, 4.0)
        height = (np.reshape(bumps, grid.shape) * scale).astype(np.float32)
        most = grid.spacing * (min(grid.shape) - 1)
        brush = Brush(
            kind=draw.choice(KINDS),
            size=draw.uniform(min(8.0 * grid.spacing, most), most),
            strength=draw.random(),
            angle=draw.uniform(1.0, 85.0),
        )
        way = [StrokePoint(draw.uniform(-0.2, 1.2), draw.uniform(-0.2, 1.2)) for _ in range(3)]
        first, second = (apply_stroke(height, grid, brush, way) for _ in range(2))
        assert np.isfinite(first).all()
        np.testing.assert_array_equal(first, second)
        if brush.kind in ("smooth", "flatten"):
            limit = 0.01 * np.ptp(height)
            assert height.min() - limit <= first.min() and first.max() <= height.max() + limit


def test_nodes_average_samples():
    grid = Grid(257, 257, size=1000.0)
    square = NodeSquare(grid, 128.0, 128.0, 100.0)
    plane = np.add.outer(np.arange(257.0), 3.0 * np.arange(257.0)).astype(np.float32)
    expected = np.add.outer(
        128.0 + (np.arange(65) - 32) * square.step,
        3.0 * (128.0 + (np.arange(65) - 32) * square.step),
    )
    np.testing.assert_allclose(square.read(plane), expected, rtol=1e-4)
    rows, columns = square.covered()
    spread = square.spread(square.read(plane), rows, columns)
    np.testing.assert_allclose(spread, plane[np.ix_(rows, columns)], rtol=1e-3)


@pytest.mark.parametrize(
    ("size", "side", "wrap"), [(0.1, 65, False), (1001.0, 65, False), (1001.0, 64, True)]
)
def test_sizes_that_do_not_fit_are_refused(size, side, wrap):
    grid = Grid(side, side, size=1000.0, wrap=wrap)
    with pytest.raises(ParameterError, match="Brush.size must be in"):
        apply_stroke(np.zeros(grid.shape, np.float32), grid, Brush(size=size), WAY)


@pytest.mark.parametrize(
    "values", [(np.nan, 0.0), (0.0, np.inf), (0.0, 1e5), (0.0, 0.0, -0.1), (0.0, 0.0, 1.1)]
)
def test_points_that_are_none_are_refused(values):
    with pytest.raises(ParameterError, match="StrokePoint"):
        StrokePoint(*values)


def test_a_stroke_on_a_preset():
    recipe = Recipe.from_preset("alps", seed=7)
    grid = recipe.grid(65)
    height = recipe.evaluate(grid).height
    assert (apply_stroke(height, grid, Brush(), WAY) != height).any()
