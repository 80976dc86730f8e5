# SPDX-License-Identifier: GPL-3.0-or-later
"""Perlin noise against the classic algorithm, written out slowly, and its bounds from the mathematics."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from noise_core import Grid
from noise_core.lattice.hash import PERMUTATION, hash_indices
from noise_core.noises import Fractal, Perlin
from noise_core.noises.perlin import _BOUNDS, _slopes

FADES = {
    "linear": lambda t: t,
    "cubic": lambda t: t * t * (3 - 2 * t),
    "quintic": lambda t: t * t * t * (t * (t * 6 - 15) + 10),
}
EVERY_FADE = pytest.mark.parametrize("fade", list(FADES))

P = list(PERMUTATION) * 2


def lerp(t, a, b):
    return a + t * (b - a)


def classic_2d(x, y, fade):
    """Ken Perlin's noise in the plane, with the diagonals as gradients."""
    cell_x, cell_y = math.floor(x) & 255, math.floor(y) & 255
    x, y = x - math.floor(x), y - math.floor(y)
    gradients = [(1, 1), (-1, 1), (-1, -1), (1, -1)]

    def corner(i, j):
        gx, gy = gradients[P[P[cell_x + i] + ((cell_y + j) & 255)] & 3]
        return gx * (x - i) + gy * (y - j)

    u, v = fade(x), fade(y)
    return lerp(v, lerp(u, corner(0, 0), corner(1, 0)), lerp(u, corner(0, 1), corner(1, 1)))


def improved_3d(x, y, z, fade):
    """The improved noise of 2002, line by line."""
    cell_x, cell_y, cell_z = (math.floor(value) & 255 for value in (x, y, z))
    x, y, z = (value - math.floor(value) for value in (x, y, z))
    u, v, w = fade(x), fade(y), fade(z)
    a = P[cell_x] + cell_y
    aa, ab = P[a] + cell_z, P[a + 1] + cell_z
    b = P[cell_x + 1] + cell_y
    ba, bb = P[b] + cell_z, P[b + 1] + cell_z
    return lerp(
        w,
        lerp(
            v,
            lerp(u, grad(P[aa], x, y, z), grad(P[ba], x - 1, y, z)),
            lerp(u, grad(P[ab], x, y - 1, z), grad(P[bb], x - 1, y - 1, z)),
        ),
        lerp(
            v,
            lerp(u, grad(P[aa + 1], x, y, z - 1), grad(P[ba + 1], x - 1, y, z - 1)),
            lerp(u, grad(P[ab + 1], x, y - 1, z - 1), grad(P[bb + 1], x - 1, y - 1, z - 1)),
        ),
    )


def grad(hash_, x, y, z):
    h = hash_ & 15
    u = x if h < 8 else y
    v = y if h < 4 else (x if h in (12, 14) else z)
    return (u if h & 1 == 0 else -u) + (v if h & 2 == 0 else -v)


def classic(fade):
    return Perlin(frequency=1.0, fade=fade, gradients="diagonal", lattice="permutation")


@EVERY_FADE
def test_the_plane_equals_the_classic_algorithm(fade):
    points = np.random.default_rng(1).uniform(-300.0, 300.0, (1500, 2))
    points[:90] = np.random.default_rng(4).uniform(254.5, 256.5, (90, 2))  # where the table ends
    expected = [classic_2d(x, y, FADES[fade]) for x, y in points.tolist()]
    np.testing.assert_allclose(classic(fade).sample(points, 0), expected, rtol=0, atol=1e-6)


@EVERY_FADE
def test_a_grid_equals_the_classic_algorithm(fade):
    grid = Grid(25, 33, origin=(-3.0, 250.0))
    axes = grid.axes()
    expected = [[classic_2d(8 * x, 8 * y, FADES[fade]) for x in axes.x] for y in axes.y]
    field = classic(fade).with_values(frequency=8.0).sample_grid(grid, 0)
    np.testing.assert_allclose(field, expected, rtol=0, atol=1e-6)


@EVERY_FADE
def test_space_equals_the_improved_noise(fade):
    points = np.random.default_rng(2).uniform(-300.0, 300.0, (1000, 3))
    # Some in the last cell of 256 along each axis, from which the doubled table is read on.
    points[:90] = np.random.default_rng(4).uniform(254.5, 256.5, (90, 3))
    expected = np.clip([improved_3d(*point, FADES[fade]) for point in points.tolist()], -1.0, 1.0)
    np.testing.assert_allclose(classic(fade).sample(points, 0), expected, rtol=0, atol=1e-6)


def test_a_slice_of_space_on_a_grid_equals_the_improved_noise():
    grid = Grid(9, 9, origin=(3.0, 5.0))
    axes = grid.axes()
    noise = classic("quintic").with_values(frequency=4.0)
    expected = [
        [improved_3d(4 * x, 4 * y, 4 * 0.7, FADES["quintic"]) for x in axes.x] for y in axes.y
    ]
    np.testing.assert_allclose(
        noise.sample_grid(grid, 0, evolution=(0.7,)), np.clip(expected, -1, 1), rtol=0, atol=1e-6
    )


def test_published_values_of_the_improved_noise():
    # Well-known results of the reference program, as whole-number positions give 0 and
    # (3.14, 42, 7) its often quoted 0.13691995878400012.
    noise = classic("quintic")
    assert noise.sample([[3.0, 42.0, 7.0]], 0)[0] == 0.0
    assert noise.sample([3.14, 42.0, 7.0], 0) == pytest.approx(0.13691995878400012, abs=1e-6)


@pytest.mark.parametrize("lattice", ["hash", "permutation"])
@pytest.mark.parametrize("gradients", ["circle", "diagonal"])
def test_it_is_zero_at_every_lattice_point(lattice, gradients):
    noise = Perlin(frequency=1.0, gradients=gradients, lattice=lattice)
    for dimension in (1, 2, 3, 4):
        points = np.random.default_rng(dimension).integers(-99, 99, (200, dimension)) * 1.0
        assert np.abs(noise.sample(points, 5)).max() == 0.0


def test_the_permutation_repeats_after_256_cells_and_the_hash_does_not():
    points = np.random.default_rng(3).uniform(0.0, 10.0, (200, 2))
    moved = points + [256.0, -512.0]
    permuted, hashed_ = Perlin(frequency=1.0, lattice="permutation"), Perlin(frequency=1.0)
    np.testing.assert_allclose(permuted.sample(moved, 3), permuted.sample(points, 3), atol=2e-6)
    assert np.abs(hashed_.sample(moved, 3) - hashed_.sample(points, 3)).max() > 0.5


def test_unit_gradients_are_unit_and_point_all_around():
    table = _slopes("circle", 2, "quintic") / math.sqrt(2.0)
    np.testing.assert_allclose(np.hypot(*table), 1.0, atol=1e-6)
    angles = np.sort(np.arctan2(table[1], table[0]))
    np.testing.assert_allclose(np.diff(angles), 2.0 * math.pi / 256, atol=1e-5)


def test_slopes_are_those_of_the_hash():
    noise = Perlin(frequency=1.0)
    step = 1e-3
    points = np.array([[i, j] for i in range(-3, 3) for j in range(-3, 3)], float)
    cells = points.astype(np.int32).T
    angle = (hash_indices(list(cells), 9) & np.uint32(255)) * (2.0 * math.pi / 256)
    for axis, expected in enumerate((np.cos(angle), np.sin(angle))):
        ahead = points.copy()
        ahead[:, axis] += step
        np.testing.assert_allclose(
            noise.sample(ahead, 9) / step, expected * math.sqrt(2.0), atol=5e-3
        )


def corner_sums(place, edges, fade):
    """Return the largest sums of the corners of a cell at some places."""
    dimension = len(place)
    total = np.zeros(place.shape[1])
    for bits in itertools.product((0, 1), repeat=dimension):
        distance = place - np.array(bits)[:, None]
        weights = [fade(t) if bit else 1.0 - fade(t) for t, bit in zip(place, bits)]
        total += np.prod(weights, axis=0) * (edges.T @ distance).max(axis=0)
    return total


def largest_sum(edges, fade, dimension):
    """Return the maximum over a cell: everywhere coarsely, then ever finer around the best."""
    middle, reach = np.full(dimension, 0.25), 0.25
    for _ in range(6):
        axes = [np.linspace(max(m - reach, 0.0), m + reach, 9) for m in middle]
        place = np.stack(np.meshgrid(*axes, indexing="ij")).reshape(dimension, -1)
        sums = corner_sums(place, edges, fade)
        middle, reach = place[:, sums.argmax()], reach / 3.0
    return sums.max()


@EVERY_FADE
@pytest.mark.parametrize("dimension", [3, 4])
def test_the_tabled_bounds_are_the_largest_sums(dimension, fade):
    bound = _BOUNDS[dimension][fade]
    edges = np.unique(_slopes("circle", dimension, fade).astype(np.float64) * bound, axis=1)
    np.testing.assert_allclose(np.abs(edges).max(), 1.0, rtol=1e-6)
    found = largest_sum(edges, FADES[fade], dimension)
    assert bound - 1e-5 < found <= bound + 1e-6


@EVERY_FADE
def test_the_plane_is_bounded_by_its_corners_distances(fade):
    axis = np.linspace(0.0, 1.0, 201)
    x, y = np.meshgrid(axis, axis)
    total = np.zeros_like(x)
    for i, j in itertools.product((0, 1), repeat=2):
        weight_x = FADES[fade](x) if i else 1.0 - FADES[fade](x)
        weight_y = FADES[fade](y) if j else 1.0 - FADES[fade](y)
        total += weight_x * weight_y * np.hypot(x - i, y - j)
    assert total.max() == pytest.approx(math.sqrt(0.5), abs=1e-9)


@EVERY_FADE
@pytest.mark.parametrize("gradients", ["circle", "diagonal"])
def test_the_bounds_are_nearly_reached(gradients, fade):
    noise = Perlin(frequency=1.0, fade=fade, gradients=gradients)
    for dimension, least in ((1, 0.95), (2, 0.9), (3, 0.75), (4, 0.5)):
        cells = np.random.default_rng(5).integers(-500, 500, (60000, dimension))
        field = noise.sample(cells + 0.5, 1)
        assert -1.0 <= field.min() < -least
        assert least < field.max() <= 1.0


def test_its_mean_is_zero_and_its_neighborhoods_alike():
    field = Perlin(frequency=32.0).sample_grid(Grid(256, 256, wrap=True), 4)
    assert abs(field.mean()) < 0.02
    halves = [np.std(part) for part in (field[:128], field[128:], field[:, :128], field[:, 128:])]
    assert max(halves) / min(halves) < 1.2


@pytest.mark.parametrize("gradients", ["circle", "diagonal"])
def test_one_octave_of_a_fractal_in_place_is_the_noise_to_the_bit(gradients):
    noise = Perlin(frequency=5.0, gradients=gradients)
    fractal = Fractal(source=noise, octaves=1.0, shift=False)
    points = np.random.default_rng(6).uniform(-2.0, 2.0, (100, 3))
    assert fractal.sample(points, 8).tobytes() == noise.sample(points, 8).tobytes()
    grid = Grid(20, 30)
    assert fractal.sample_grid(grid, 8).tobytes() == noise.sample_grid(grid, 8).tobytes()
