# SPDX-License-Identifier: GPL-3.0-or-later
"""Building blocks of gullies, and tests of `Gullies` beyond the contract of all noises."""

from __future__ import annotations

import hashlib
import itertools
import math

import numpy as np
import pytest

from noise_core import Grid, ParameterError
from noise_core.base.torus import Torus
from noise_core.erosion.gullies.spline import Knots, Spline
from noise_core.gully_patterns import trigonometry
from noise_core.gully_patterns.at_points import filler
from noise_core.gully_patterns.carving import Carving, GullyLines, SlopeBlock
from noise_core.gully_patterns.cells import RectangleCells, ScatteredCells
from noise_core.gully_patterns.octaves import WAVES_PER_CELL, GullyPattern, normalize
from noise_core.gully_patterns.on_grid import GridCells
from noise_core.gully_patterns.phases import build_tables, required_cells
from noise_core.gully_patterns.stripes import Stripes
from noise_core.lattice.hash import hash_indices
from noise_core.noises import Fractal, Gullies, Perlin

SEED = 11
PATTERN = GullyPattern(frequency=6.0, octaves=3.0, persistence=0.5, lacunarity=2.0, branching=40.0)
SMOOTH = Perlin(frequency=2.0)


def uphill(x, y):
    """Return which way is up on a hill that is the same in every tile, to the bit."""
    x, y = x - np.floor(x), y - np.floor(y)
    return (0.4 - x).astype(np.float32), (0.55 - y).astype(np.float32)


def ground(x, y):
    up_x, up_y = uphill(x, y)
    normalize(up_x, up_y)
    return SlopeBlock(
        (-up_y, up_x), np.full(x.shape, 0.7, np.float32), np.zeros(x.shape, np.float32)
    )


def at_points(x, y, octaves):
    """Return the change of height at points, on the hill."""
    tables = build_tables(octaves, required_cells(octaves, x, y), uphill)
    carving, lines = Carving(x.shape), GullyLines(x.shape)
    carving.draw(octaves, filler(octaves, tables, x, y), ground(x, y), lines)
    return carving.change, lines.field


def on_grid(grid, octaves, rows):
    """Return the change of height on a grid, drawn so many rows at a time."""
    axes = grid.axes()
    cells = GridCells.build(octaves, axes, uphill)
    out = np.full(grid.shape, np.nan, np.float32)
    for start in range(0, grid.rows, rows):
        stop = min(start + rows, grid.rows)
        x, y = np.broadcast_arrays(axes.x, axes.y[start:stop, np.newaxis])
        carving = Carving(x.shape)
        carving.draw(octaves, cells.filler(start, stop), ground(x, y))
        out[start:stop] = carving.change
    return out


def test_cosine_and_sine_are_exact():
    turns = np.linspace(-0.5, 0.5, 100_001, dtype=np.float32)
    cosine, sine = np.empty_like(turns), np.empty_like(turns)
    trigonometry.cosine_sine(turns, cosine, sine, np.empty_like(turns))
    angle = 2.0 * np.pi * turns.astype(np.float64)
    assert np.abs(cosine - np.cos(angle)).max() < 1e-6
    assert np.abs(sine - np.sin(angle)).max() < 1e-6


def test_the_kernel_has_the_same_bits_everywhere():
    x, y = (np.arange(1, 4001) * step % 1.0 * 4.0 - 2.0 for step in (0.7548776662, 0.5698402910))
    change, lines = at_points(x, y, PATTERN.build_octaves(SEED, None))
    digest = hashlib.sha256(change.astype("<f4").tobytes() + lines.astype("<f4").tobytes())
    assert digest.hexdigest()[:16] == "1906f7e03587bcca"


def test_directions_are_never_longer_than_one():
    for size in (0.0, 1e-45, 1e-30, 1e-23, 1e-18, 1e-12, 1.0, 1e12, 1e18):
        x, y = np.full((2, 3), size, np.float32) * np.float32([[0.6], [-0.8]])
        normalize(x, y)
        assert np.hypot(x, y).max() <= 1.0 + 1e-6, size
        if size >= 1e-12:
            np.testing.assert_allclose((x, y), ([0.6] * 3, [-0.8] * 3), rtol=1e-6)


def test_waves_are_what_their_formula_says():
    octave = PATTERN.build_octaves(SEED, None)[0]
    x, y = np.random.default_rng(1).uniform(-3.0, 3.0, (2, 300))
    (table,) = build_tables([octave], required_cells([octave], x, y), uphill)
    stripes = Stripes(x.shape)
    place, weight = filler([octave], [table], x, y)(0, stripes)
    angle = np.random.default_rng(2).uniform(0.0, 2.0 * np.pi, x.shape)
    across = np.cos(angle).astype(np.float32), np.sin(angle).astype(np.float32)
    real, imag = stripes.waves(across, place, weight)
    u, v = (axis * 6.0 / WAVES_PER_CELL + shift for axis, shift in zip((x, y), octave.shift))
    expected = np.zeros(x.shape, complex)
    for a, b in itertools.product((0, 1), repeat=2):
        i, j = np.floor(u).astype(np.int32) + a, np.floor(v).astype(np.int32) + b
        cosine, sine = (part[table.cells.addresses(i, j)] for part in table.phases)
        weights = [faded(abs(part)) for part in (u - i, v - j)]
        waves = np.exp(2j * np.pi * WAVES_PER_CELL * ((u - i) * across[0] + (v - j) * across[1]))
        expected += weights[0] * weights[1] * (cosine + 1j * sine) * waves
    np.testing.assert_allclose(real + 1j * imag, expected, atol=5e-6)


def faded(distance):
    t = 1.0 - distance
    return t * t * t * (t * (t * 6.0 - 15.0) + 10.0)


def test_stripes_run_along_the_slope():
    """On a plane that rises along x the first octave changes along y, much more than along x."""
    octaves = GullyPattern(
        frequency=8.0, octaves=1.0, persistence=0.5, lacunarity=2.0, branching=40.0
    ).build_octaves(SEED, None)
    y, x = np.mgrid[0.0:1.0:200j, 0.0:1.0:200j]

    def plane(x, y):
        return np.ones(x.shape, np.float32), np.zeros(x.shape, np.float32)

    tables = build_tables(octaves, required_cells(octaves, x.ravel(), y.ravel()), plane)
    carving = Carving((x.size,))
    level = SlopeBlock(
        (np.zeros(x.size, np.float32), np.ones(x.size, np.float32)),
        *np.float32([np.ones(x.size), np.zeros(x.size)]),
    )
    carving.draw(octaves, filler(octaves, tables, x.ravel(), y.ravel()), level)
    field = carving.change.reshape(x.shape)
    along, aside = (np.abs(np.diff(field, axis=axis)).mean() for axis in (1, 0))
    assert aside > 4.0 * along


def test_later_octaves_branch_off_at_the_asked_angle():
    for branching in (0.0, 25.0, 60.0):
        pattern = GullyPattern(
            frequency=8.0, octaves=3.0, persistence=0.5, lacunarity=2.0, branching=branching
        )
        cosine, sine = pattern.build_octaves(SEED, None)[0].turn
        assert math.degrees(math.atan2(sine, cosine)) == pytest.approx(branching)


@pytest.mark.parametrize("wrap", [False, True])
def test_rows_equal_points_and_any_block_to_the_bit(wrap):
    grid = Grid(45, 70, wrap=wrap, origin=(0.25, -1.5))
    octaves = PATTERN.build_octaves(SEED, grid.torus)
    whole = on_grid(grid, octaves, 45)
    for rows in (1, 7, 44):
        assert on_grid(grid, octaves, rows).tobytes() == whole.tobytes(), rows
    axes = grid.axes()
    x, y = (part.ravel() for part in np.broadcast_arrays(axes.x, axes.y[:, np.newaxis]))
    points, _ = at_points(x, y, octaves)
    assert points.tobytes() == whole.tobytes()


@pytest.mark.parametrize("torus", [None, Torus(((1.0, 0.0), (0.0, 1.0)))])
def test_scattered_points_equal_a_box_to_the_bit(torus):
    octaves = PATTERN.build_octaves(SEED, torus)
    x, y = np.random.default_rng(4).uniform(-0.5, 1.5, (2, 5000))
    together, _ = at_points(x, y, octaves)
    assert all(isinstance(cells, RectangleCells) for cells in required_cells(octaves, x, y))
    far_x, far_y = np.append(x[:9], 4000.25), np.append(y[:9], -3000.5)
    fine = GullyPattern(
        frequency=6.0, octaves=3.0, persistence=0.5, lacunarity=2.0, branching=40.0
    ).build_octaves(SEED, torus)
    if torus is None:
        assert all(
            isinstance(cells, ScatteredCells) for cells in required_cells(fine, far_x, far_y)
        )
    alone, _ = at_points(far_x, far_y, fine)
    assert alone[:9].tobytes() == together[:9].tobytes()


def test_a_torus_repeats_to_the_bit():
    for depth in (1.0, 0.625, 0.0625):
        octaves = PATTERN.build_octaves(SEED, Torus(((1.0, 0.0), (0.0, depth))))
        x, y = np.floor(np.random.default_rng(5).uniform(-1.0, 2.0, (2, 3000)) * 4096.0) / 4096.0
        first = at_points(x, y, octaves)
        for steps_x, steps_y in ((1, 0), (0, 1), (-3, 2)):
            moved_y = y + steps_y * depth

            def there(x, y, depth=depth):
                return uphill(x, y / depth)

            tables = build_tables(octaves, required_cells(octaves, x, y), there)
            again = build_tables(octaves, required_cells(octaves, x + steps_x, moved_y), there)
            fields = []
            for table, u, v in ((tables, x, y), (again, x + steps_x, moved_y)):
                carving = Carving(x.shape)
                carving.draw(octaves, filler(octaves, table, u, v), ground(x, y))
                fields.append(carving.change)
            assert fields[0].tobytes() == fields[1].tobytes(), (depth, steps_x, steps_y)
        assert np.isfinite(first[0]).all()


def test_every_torus_closes():
    rotated = Torus(((0.8, -0.6), (0.6, 0.8)))
    octaves = PATTERN.build_octaves(SEED, rotated)
    x, y = np.random.default_rng(6).uniform(-1.0, 2.0, (2, 400))

    def level(x, y):
        return np.full(x.shape, 0.3, np.float32), np.full(x.shape, 0.9, np.float32)

    fields = []
    for step in ((0, 0), (1, 0), (-2, 3)):
        u = x + step[0] * 0.8 - step[1] * 0.6
        v = y + step[0] * 0.6 + step[1] * 0.8
        carving = Carving(x.shape)
        fill = filler(octaves, build_tables(octaves, required_cells(octaves, u, v), level), u, v)
        carving.draw(octaves, fill, ground(x, y))
        fields.append(carving.change)
    np.testing.assert_allclose(fields[1], fields[0], atol=2e-6)
    np.testing.assert_allclose(fields[2], fields[0], atol=2e-6)


def test_boxes_and_scattered_cells_find_their_own():
    octave = PATTERN.build_octaves(SEED, None)[1]
    box = RectangleCells(octave, (-7, 12), 9, 5)
    i, j = box.indices(0, box.count)
    np.testing.assert_array_equal(box.addresses(i, j), np.arange(45))
    scattered = ScatteredCells(octave, i[::-1], j[::-1])
    i, j = scattered.indices(0, 45)
    np.testing.assert_array_equal(scattered.addresses(i, j), np.arange(45))
    assert set(zip(i.tolist(), j.tolist())) == set(itertools.product(range(-7, 2), range(12, 17)))
    for step in ((0, 0), (-2, 1), (2, 2)):
        order = box.addresses(i, j)
        for one, other in zip(scattered.around(0, 45)(*step), box.around(0, 45)(*step)):
            np.testing.assert_array_equal(one, other.ravel()[order])


@pytest.mark.parametrize("torus", [None, Torus(((1.0, 0.0), (0.0, 1.0)))])
def test_corners_of_cells_are_at_their_own_addresses(torus):
    pattern = GullyPattern(
        frequency=6.0, octaves=1.0, persistence=0.5, lacunarity=2.0, branching=30.0
    )
    (octave,) = pattern.build_octaves(3, torus)
    box = RectangleCells(octave, (0, 0), 6, 6)
    j, i = (axis.ravel().astype(np.int32) for axis in np.mgrid[0:5, 0:5])
    found = box.corner_addresses(i, j)
    for (right, up), addresses in zip(((0, 0), (1, 0), (0, 1), (1, 1)), found):
        expected = box.addresses(i + np.int32(right), j + np.int32(up))
        np.testing.assert_array_equal(addresses, expected)
        np.testing.assert_array_equal(addresses, (j + up) * 6 + i + right)


def test_phases_come_from_the_hash():
    octave = PATTERN.build_octaves(SEED, None)[0]
    box = RectangleCells(octave, (0, 0), 3, 2)
    cosine, sine = (part.ravel() for part in box.around(0, 6)(0, 0))
    turns = (hash_indices(box.indices(0, 6), octave.seed) >> np.uint32(8)) / 2.0**24 - 0.5
    np.testing.assert_allclose(cosine, np.cos(2.0 * np.pi * turns), atol=1e-6)
    np.testing.assert_allclose(sine, np.sin(2.0 * np.pi * turns), atol=1e-6)


def test_a_spline_keeps_planes_and_their_slope():
    knots = Knots.with_spacing(65, 8.0, False), Knots.with_spacing(41, 5.0, False)
    y, x = np.mgrid[:65, :41].astype(np.float32)
    spline = Spline.smoothing(*knots, 2.0 * x - 3.0 * y + 5.0)
    np.testing.assert_allclose(spline.at_samples(), 2.0 * x - 3.0 * y + 5.0, atol=1e-3)
    right, up = spline.slopes(np.array([0.0, 20.5, 64.0]), np.array([0.0, 33.25, 40.0]))
    np.testing.assert_allclose(right, 2.0, atol=1e-4)
    np.testing.assert_allclose(up, -3.0, atol=1e-4)


def test_knots_on_a_torus_move_with_the_ground():
    field = np.random.default_rng(3).normal(size=(1, 64)).astype(np.float32)
    straight = Spline.smoothing(
        Knots.with_spacing(1, 9.0, True), Knots.with_spacing(64, 8.0, True), field
    )
    moved = np.roll(field, 5, axis=1)
    knots = Knots.with_spacing(64, 8.0, True, -5.0)
    rolled = Spline.smoothing(Knots.with_spacing(1, 9.0, True), knots, moved)
    expected = np.roll(straight.at_samples(), 5, axis=1)
    np.testing.assert_allclose(rolled.at_samples(), expected, atol=1e-6)


def test_no_depth_is_the_source_to_the_bit():
    grid, points = Grid(20, 30), np.random.default_rng(3).uniform(-1.0, 2.0, (50, 2))
    still = Gullies(source=SMOOTH, depth=0.0)
    np.testing.assert_array_equal(still.sample_grid(grid, SEED), SMOOTH.sample_grid(grid, SEED))
    np.testing.assert_array_equal(still.sample(points, SEED), SMOOTH.sample(points, SEED))


@pytest.mark.parametrize("balance", [-1.0, 0.0, 1.0])
def test_balance_says_what_is_carved(balance):
    grid = Grid(120, 120)
    noise = Gullies(source=SMOOTH, balance=balance)
    change = noise.sample_grid(grid, SEED) - SMOOTH.sample_grid(grid, SEED)
    assert np.sign(change.mean().round(2)) == balance
    if balance:
        assert (change * balance).min() > -1e-6


def test_bounds_are_the_sources_and_all_octaves():
    noise = Gullies(source=SMOOTH, depth=0.5, octaves=2.0, persistence=0.5, balance=0.0)
    assert noise.bounds() == pytest.approx((-1.375, 1.375))


def test_level_ground_has_no_gullies():
    flat = Gullies(source=Fractal(source=Perlin(frequency=1e-4)), crests=0.0, balance=0.0)
    assert (
        np.abs(
            flat.sample_grid(Grid(40, 40), SEED) - flat.source.sample_grid(Grid(40, 40), SEED)
        ).max()
        < 1e-4
    )


def test_too_fine_gullies_are_refused():
    with pytest.raises(
        ParameterError, match=r"^Gullies\.octaves must leave at most .*; got 12 oct"
    ):
        Gullies(frequency=1e6, octaves=12.0)


def test_tiles_of_one_world_share_their_border():
    noise = Gullies(source=SMOOTH)
    home, east = (noise.sample_grid(Grid(33, 33, origin=(x, 0.0)), SEED) for x in (5.0, 6.0))
    np.testing.assert_allclose(home[:, -1], east[:, 0], atol=2e-6)


def test_a_grid_with_more_cells_than_samples_is_drawn_point_by_point():
    noise = Gullies(source=Perlin(frequency=3.0), frequency=500.0)
    grid = Grid(6, 9)
    points = np.stack(grid.axes().points(0, 6), axis=-1)
    np.testing.assert_allclose(noise.sample_grid(grid, SEED), noise.sample(points, SEED), atol=2e-6)
