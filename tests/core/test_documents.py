# SPDX-License-Identifier: GPL-3.0-or-later
"""Ports of the documents that Terrane began with, in plain loops, beside Terrane's own results.

The documents: the encyclopedia's article on Perlin noise (a table of 256, fades, gradients, any number of
dimensions), the "zoo of noises" (callbacks that turn a noise in [0, 1] into display bytes), chapter 13 of
the Book of Shaders by Patricio Gonzalez Vivo and Jen Lowe (fBM, and a warp after Inigo Quilez), and
Steven Worley's cellular texture basis function (1996). Seed 0 is theirs.
"""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from noise_core import Grid, ParameterError
from noise_core.codecs.image_files import read_pixels
from noise_core.codecs.image_writing import image_bytes
from noise_core.lattice.hash import PERMUTATION
from noise_core.materials.colorings import (
    Cells,
    FourColorWarp,
    InvertedCells,
    SeaLevel,
    VoronoiRegions,
    WoodRings,
)
from noise_core.noises import Cellular, Constant, Fractal, Perlin, Raster, Remap, Value, Warp
from tests.drawing import count_of, generator

FADES = {
    "linear": lambda t: t,
    "cubic": lambda t: t * t * (3.0 - 2.0 * t),
    "quintic": lambda t: t * t * t * (t * (t * 6.0 - 15.0) + 10.0),
}
LEVEL = 0.5 / 255.0


def to_unit(noise):
    return (np.asarray(noise, np.float64) + 1.0) / 2.0


# --- the encyclopedia's article on Perlin noise ---------------------------------------------------


def ported_perlin(point, fade, vector_of, join):
    """Return gradient noise by the article: dot products at 2^n corners, blended axis by axis."""
    cell = [math.floor(axis) for axis in point]
    place = [axis - whole for axis, whole in zip(point, cell)]
    values = {}
    for bits in itertools.product((0, 1), repeat=len(point)):
        number = 0
        for position, (whole, bit) in enumerate(zip(cell, bits)):
            along = whole + bit & 255
            number = PERMUTATION[along if position == 0 else join(number, along) & 255]
        vector = vector_of(number)
        values[bits] = sum(g * (at - bit) for g, at, bit in zip(vector, place, bits))
    for axis in reversed(range(len(point))):
        share = fade(place[axis])
        values = {
            bits[:axis]: value + share * (values[(*bits[:axis], 1)] - value)
            for bits, value in values.items()
            if bits[axis] == 0
        }
    return values[()]


DIAGONALS = ((1, 1), (-1, 1), (-1, -1), (1, -1))
JOINS = {"permutation": lambda a, b: a + b, "permutation_xor": lambda a, b: a ^ b}


def turned(number):
    angle = 2.0 * math.pi * number / 256.0
    return (math.cos(angle), math.sin(angle))


@pytest.mark.parametrize("lattice", JOINS)
@pytest.mark.parametrize("fade", FADES)
@pytest.mark.parametrize("gradients", ["diagonal", "circle", "indexed"])
def test_the_encyclopedias_table_and_gradients(lattice, fade, gradients):
    draw = generator(f"encyclopedia {lattice} {fade} {gradients}")
    points = [[draw.uniform(-300.0, 300.0) for _ in "xy"] for _ in range(count_of(1000))]
    is_diagonal = gradients == "diagonal"
    vector_of = (lambda number: DIAGONALS[number & 3]) if is_diagonal else turned
    noise = Perlin(frequency=1.0, fade=fade, gradients=gradients, lattice=lattice)
    expected = [ported_perlin(point, FADES[fade], vector_of, JOINS[lattice]) for point in points]
    found = noise.sample(points) * (1.0 if is_diagonal else math.sqrt(0.5))
    np.testing.assert_allclose(found, expected, rtol=0.0, atol=1e-6)


def test_exclusive_or_is_another_pattern_than_the_sum():
    points = np.random.default_rng(1).uniform(0.0, 200.0, (2000, 2))
    first, second = (Perlin(lattice=lattice).sample(points) for lattice in JOINS)
    # Numbers without a common bit have their sum as exclusive or, so that some slopes stay.
    assert abs(np.corrcoef(first, second)[0, 1]) < 0.3 and abs(first.std() - second.std()) < 0.03


@pytest.mark.parametrize("dimension", [3, 4, 6, 9])
@pytest.mark.parametrize("lattice", JOINS)
def test_the_encyclopedias_unit_vectors_in_any_dimension(lattice, dimension):
    draw = generator(f"vectors {lattice} {dimension}")
    points = [[draw.uniform(-9.0, 9.0) for _ in range(dimension)] for _ in range(count_of(200))]
    noise = Perlin(frequency=1.0, gradients="indexed", lattice=lattice)
    # Along a line of lattice points p[p[X] + 0] meets each vector once.
    table, chain = np.array(PERMUTATION), np.arange(256)
    line = [chain.astype(np.int32), *[np.zeros(256, np.int32)] * (dimension - 1)]
    for _ in range(dimension):
        chain = table[chain]
    vectors = np.empty((256, dimension))
    vectors[chain] = np.array(noise.nodes(line, 0).slopes).T * math.sqrt(dimension) / 2.0
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-6)
    assert len(np.unique(vectors, axis=0)) == 256
    np.testing.assert_allclose(vectors.sum(axis=0), 0.0, atol=1e-4)
    expected = [
        ported_perlin(point, FADES["quintic"], lambda number: vectors[number], JOINS[lattice])
        for point in points
    ]
    found = noise.sample(points) * math.sqrt(dimension) / 2.0
    np.testing.assert_allclose(found, expected, rtol=0.0, atol=1e-6)


# --- the zoo of noises ----------------------------------------------------------------------------


def zoo_sea(c):
    """The callback: green from byte 128 on, else blue at twice the value."""
    return (0.0, c, 0.0) if c >= 128.0 else (0.0, 0.0, 2.0 * c)


def zoo_wood(n):
    """The callback: the grain is the fraction of 20 times the noise."""
    grain = n * 20.0
    return (255.0 * (grain - int(grain)),) * 3


def zoo_pictures(draw, grid, seed):
    """Yield colorings, and the callback of each with the noise in [0, 1] that it is called with."""
    frequency = float(draw.randint(1, 9))
    fractal = Fractal(source=Perlin(frequency=frequency), octaves=draw.uniform(1.0, 6.0))
    perlin, cellular = Perlin(frequency=frequency), Cellular(frequency=frequency)
    for coloring, callback in (
        (SeaLevel(source=fractal), lambda n: zoo_sea(255.0 * n)),
        (WoodRings(source=perlin), zoo_wood),
        (Cells(source=cellular), lambda n: (255.0 * n,) * 3),
        (InvertedCells(source=cellular), lambda n: (255.0 - 255.0 * n,) * 3),
    ):
        yield coloring, callback, to_unit(coloring.noise.sample_grid(grid, seed))


@pytest.mark.parametrize("case", range(count_of(60)))
def test_the_zoos_callbacks_make_the_bytes_of_a_png(case, tmp_path):
    draw = generator(f"zoo {case}")
    seed = draw.randrange(1 << 31)
    grid = Grid(draw.randint(9, 60), draw.randint(9, 60), wrap=draw.random() < 0.5)
    for coloring, callback, n in zoo_pictures(draw, grid, seed):
        expected = np.array([callback(value) for value in n.ravel()]).reshape(*grid.shape, 3)
        path = tmp_path / "picture.png"
        data = image_bytes(coloring.paint(grid, seed, space="srgb"), "png", 8, is_color=True)
        path.write_bytes(data)
        found = read_pixels(path)[::-1].astype(np.float64)
        apart = np.abs(found - np.clip(expected, 0.0, 255.0))
        # A last bit of the noise may turn the shore, or begin another ring.
        assert np.mean(apart > 0.5 + 1e-3) <= 2e-3, coloring


def test_the_zoos_wood_is_as_bright_as_its_bytes_and_has_20_rings():
    grid = Grid(256, 256)
    gray = WoodRings().paint(grid, 1, space="srgb")[..., 0]
    assert abs(255.0 * gray.mean() - 127.5) < 4.0
    number = np.floor(20.0 * to_unit(Perlin(frequency=2.0).sample_grid(grid, 1)))
    assert np.count_nonzero(np.abs(np.diff(gray)) > 0.5) == np.count_nonzero(np.diff(number))


def test_the_zoos_regions_have_even_display_bytes():
    picture = VoronoiRegions(frequency=40.0).paint(Grid(512, 512), 2, space="srgb")
    colors = np.unique(picture.reshape(-1, 3), axis=0)
    assert len(colors) > 1000
    np.testing.assert_allclose(colors.mean(axis=0), 0.5, atol=0.04)


METRICS = {
    "euclidean": np.hypot,
    "manhattan": lambda x, y: np.abs(x) + np.abs(y),
    "chebyshev": lambda x, y: np.maximum(np.abs(x), np.abs(y)),
}


@pytest.mark.parametrize("metric", METRICS)
def test_the_value_of_a_region_is_the_coordinate_of_its_point(metric):
    draw = generator(f"coordinates {metric}")
    for _ in range(count_of(60)):
        seed, frequency = draw.randrange(1 << 31), draw.uniform(1.0, 12.0)
        points = np.array([[draw.uniform(-2.0, 2.0) for _ in "xy"] for _ in range(50)])
        of = {
            output: Cellular(frequency=frequency, output=output, metric=metric)
            for output in ("x", "y", "f1")
        }
        way = [
            np.mod(to_unit(of[name].sample(points, seed)) - points[:, axis] + 0.5, 1.0) - 0.5
            for axis, name in enumerate("xy")
        ]
        near = to_unit(of["f1"].sample(points, seed)) * of["f1"].output_range(2)[1] / frequency
        is_unique = near < 0.45  # within half a tile a coordinate says where the point is
        assert is_unique.any()
        np.testing.assert_allclose(METRICS[metric](*way)[is_unique], near[is_unique], atol=2e-6)


# --- the Book of Shaders, chapter 13 --------------------------------------------------------------


def shader_sum(noise, points, octaves, turn, shift, seed=0):
    """Return the chapter's fBM: ``v += a n(p); p = 2 R p + shift; a /= 2``, by the sum of a."""
    value, total, amplitude = 0.0, 0.0, 0.5
    cosine, sine = math.cos(turn), math.sin(turn)
    p = np.array(points, np.float64)
    for _ in range(octaves):
        value = value + amplitude * noise.sample(p, seed)
        total += amplitude
        x, y = p.T
        p = 2.0 * np.stack((cosine * x - sine * y, sine * x + cosine * y), -1) + shift
        amplitude /= 2.0
    return value / total


def places_of(grid):
    axes = grid.axes()
    return np.stack(np.meshgrid(axes.x, axes.y), -1)


@pytest.mark.parametrize("case", range(count_of(100)))
def test_the_book_of_shaders_moves_each_octave_by_a_number(case):
    draw = generator(f"octaves {case}")
    shift = draw.choice([50.0, 100.0, draw.uniform(-200.0, 200.0)])
    turn, octaves, seed = draw.choice([0.0, 0.5, -2.0]), draw.randint(2, 6), draw.randrange(1000)
    source = draw.choice([Value(frequency=1.0, fade="cubic"), Perlin(frequency=3.0)])
    fractal = Fractal(
        source=source,
        octaves=octaves,
        octave_seeds="same",
        octave_shift=shift,
        rotation=math.degrees(turn),
    )
    points = np.array([[draw.uniform(-3.0, 3.0) for _ in "xy"] for _ in range(60)])
    expected = shader_sum(source, points, octaves, turn, shift, seed)
    np.testing.assert_allclose(fractal.sample(points, seed), expected, rtol=0.0, atol=1e-6)
    grid = Grid(7, 9)
    expected = shader_sum(source, places_of(grid).reshape(-1, 2), octaves, turn, shift, seed)
    found = fractal.sample_grid(grid, seed).ravel()
    np.testing.assert_allclose(found, expected, rtol=0.0, atol=2e-6)


def test_an_octave_shift_closes_and_is_refused_where_cells_end():
    fractal = Fractal(octave_shift=37.3, rotation=20.0)
    grid, moved = Grid(24, 32, wrap=True), Grid(24, 32, wrap=True, origin=(0.5, 0.375))
    rolled = np.roll(fractal.sample_grid(grid, 3), (-12, -16), (0, 1))
    np.testing.assert_allclose(rolled, fractal.sample_grid(moved, 3), atol=1e-5)
    points = np.random.default_rng(2).uniform(-2.0, 2.0, (20, 4))
    for dimension in (1, 2, 3, 4):
        assert fractal.sample(points[:, :dimension], 1).std() > 0.01
    single = Fractal(octaves=1.0, octave_shift=50.0)
    assert np.array_equal(single.sample(points), Fractal(octaves=1.0).sample(points))
    unmoved = Fractal(shift=False, octave_shift=50.0)
    assert np.array_equal(unmoved.sample(points), Fractal(shift=False).sample(points))
    with pytest.raises(ParameterError, match=r"Fractal\.octave_shift must move the finest octave"):
        Fractal(octaves=24.0, octave_shift=5000.0)
    with pytest.raises(ParameterError, match=r"Fractal\.octave_shift must be in \[-10000, 10000\]"):
        Fractal(octave_shift=20000.0)


SHADER_COLORS = np.array(
    (
        (0.101961, 0.619608, 0.666667),
        (0.666667, 0.666667, 0.498039),
        (0.0, 0.0, 0.164706),
        (0.666667, 1.0, 1.0),
    )
)


def shader_picture(look_up, places, t, unit):
    """Return the chapter's last picture at places in tiles, of which a unit is so long."""

    def n(p):
        return to_unit(look_up(p))

    def moved(p, x, y):
        return p + unit * np.stack(np.broadcast_arrays(x, y), -1)

    q = (n(places), n(moved(places, 1.0, 1.0)))
    bent = moved(places, *q)
    r = (
        n(moved(bent, 1.7 + 0.15 * t, 9.2 + 0.15 * t)),
        n(moved(bent, 8.3 + 0.126 * t, 2.8 + 0.126 * t)),
    )
    f = n(moved(places, *r))

    def mix(first, second, share):
        share = np.clip(share, 0.0, 1.0)[..., np.newaxis]
        return first * (1.0 - share) + second * share

    color = mix(SHADER_COLORS[0], SHADER_COLORS[1], f * f * 4.0)
    color = mix(color, SHADER_COLORS[2], np.hypot(*q))
    color = mix(color, SHADER_COLORS[3], np.abs(r[0]))
    return np.clip((f**3 + 0.6 * f**2 + 0.5 * f)[..., np.newaxis] * color, 0.0, 1.0)


def values_on(noise, places, grid):
    """Return a noise at places of a grid, which it closes on if that wraps."""
    points = tuple(np.ascontiguousarray(axis) for axis in np.moveaxis(places, -1, 0))
    return noise.values(points, 0, grid.axes().torus)


@pytest.mark.parametrize("case", range(count_of(100)))
def test_the_book_of_shaders_bends_a_picture(case):
    draw = generator(f"picture {case}")
    side, random = draw.randint(4, 40), np.random.default_rng(draw.randrange(1 << 31))
    picture = Raster(pixels=random.uniform(-1.0, 1.0, (side, side)).astype(np.float32))
    unit = draw.choice([1.0 / 3.0, 0.2, draw.uniform(0.05, 1.0)])
    t = draw.choice([0.0, draw.uniform(-9.0, 9.0)])
    grid = Grid(draw.randint(5, 30), draw.randint(5, 30), wrap=draw.random() < 0.5)
    expected = shader_picture(lambda p: values_on(picture, p, grid), places_of(grid), t, unit)
    warp = FourColorWarp(source=picture, strength=unit)
    colors = warp.paint(grid, 0, (t,) if t else (), space="srgb")
    np.testing.assert_allclose(colors, expected, rtol=0.0, atol=LEVEL)
    assert np.mean(np.abs(colors - expected)) < 1e-4


def test_the_book_of_shaders_bends_a_noise_by_its_shifts():
    source = Fractal(
        source=Value(frequency=3.0, fade="cubic"),
        octaves=5.0,
        octave_seeds="same",
        octave_shift=100.0 / 3.0,
        rotation=math.degrees(0.5),
    )
    warp, grid = FourColorWarp(source=source, copies="shifts"), Grid(30, 40)
    for seed, t in ((0, 0.0), (7, 2.5)):
        look_up = lambda p, seed=seed: source.sample(p, seed)  # noqa: E731
        expected = shader_picture(look_up, places_of(grid), t, 1.0 / 3.0)
        colors = warp.paint(grid, seed, (t,), space="srgb")
        np.testing.assert_allclose(colors, expected, rtol=0.0, atol=LEVEL)


def test_a_seed_moves_the_picture_and_its_copies_differ():
    pixels = np.random.default_rng(6).uniform(-1.0, 1.0, (16, 16)).astype(np.float32)
    warp, grid = FourColorWarp(source=Raster(pixels=pixels)), Grid(64, 64, wrap=True)
    pictures = [warp.paint(grid, seed) for seed in (0, 1, 2)]
    pictures += [warp.paint(grid, 0, time) for time in ((0.5,), (0.5, 0.3))]
    for first, second in itertools.combinations(pictures, 2):
        assert np.abs(first - second).max() > 0.2
    # Moved, but the same: sorted values of a picture that repeats hardly change.
    ordered = [np.sort(picture, axis=None) for picture in pictures[:3]]
    assert np.abs(ordered[0] - ordered[1]).mean() < 0.02
    with pytest.raises(
        ParameterError, match=r"FourColorWarp\.speed must move the noise by at most"
    ):
        warp.with_values(speed=100.0).paint(grid, 0, (1e4,))


@pytest.mark.parametrize("case", range(count_of(60)))
def test_warp_has_the_shifts_and_drifts_of_the_book_of_shaders(case):
    draw = generator(f"warp {case}")
    unit, t, levels = draw.uniform(0.05, 0.8), draw.uniform(-5.0, 5.0), draw.choice([1, 2])
    pixels = np.random.default_rng(draw.randrange(1 << 31)).uniform(-1.0, 1.0, (12, 12))
    bend = draw.choice([Raster(pixels=pixels.astype(np.float32)), Value(frequency=4.0)])
    raised = Remap(source=bend, from_minimum=-1.0, from_maximum=1.0, to_minimum=0.0, to_maximum=1.0)
    source = Perlin(frequency=3.0)
    shared = {"source": source, "displacement": raised, "strength": unit, "levels": levels}
    warp = Warp(**shared, copies="shifts", time=t)
    p = np.array([[draw.uniform(-1.0, 2.0) for _ in "xy"] for _ in range(40)])

    def n(places):
        return to_unit(bend.sample(places))

    push = np.stack((n(p), n(p + unit)), -1)
    if levels == 2:
        at = p + unit * push
        shifts = [(1.7 + 0.15 * t, 9.2 + 0.15 * t), (8.3 + 0.126 * t, 2.8 + 0.126 * t)]
        push = np.stack([n(at + unit * np.array(shift)) for shift in shifts], -1)
    expected = source.sample(p + unit * push)
    np.testing.assert_allclose(warp.sample(p), expected, rtol=0.0, atol=1e-5)
    is_another = not np.allclose(warp.sample(p, 5), Warp(**shared).sample(p, 5))
    assert is_another


def test_a_seed_moves_the_picture_that_bends():
    pixels = np.random.default_rng(6).uniform(-1.0, 1.0, (16, 16)).astype(np.float32)
    picture, grid = Raster(pixels=pixels), Grid(40, 40, wrap=True)
    warp = Warp(source=picture, displacement=picture, copies="shifts", levels=2)
    first, second = warp.sample_grid(grid, 1), warp.sample_grid(grid, 2)
    assert np.abs(first - second).max() > 0.3
    apart = np.abs(warp.gradient_grid(grid, 1)[..., 0] - slopes_along_x(warp, grid, 1))
    assert np.mean(apart > 0.5) < 0.01  # but where the spline is cut off


def slopes_along_x(noise, grid, seed, step=1e-4):
    moved = (
        noise.sample_grid(Grid(*grid.shape, wrap=True, origin=(side, 0.0)), seed).astype(float)
        for side in (-step, step)
    )
    before, after = moved
    return (after - before) / (2.0 * step)


def test_a_constant_bends_nothing():
    warp = Warp(source=Perlin(), displacement=Constant(value=0.0), copies="shifts", levels=2)
    points = np.random.default_rng(1).uniform(0.0, 1.0, (30, 2))
    np.testing.assert_array_equal(warp.sample(points, 4), Perlin().sample(points, 4))


# --- loops over pixels ----------------------------------------------------------------------------


@pytest.mark.parametrize("case", range(count_of(40)))
def test_unitys_loop_asks_for_pixel_k_of_w_at_k_over_w(case):
    draw = generator(f"loop {case}")
    side, scale, start = draw.randint(2, 50), draw.uniform(1.0, 20.0), draw.uniform(-9.0, 9.0)
    cells = Perlin(frequency=1.0, lattice="permutation")
    loop = [
        [cells.sample([start + x / side * scale, start + y / side * scale]) for x in range(side)]
        for y in range(side)
    ]
    grid = Grid(side, side, origin=(start / scale, start / scale), per_tile=side)
    field = cells.with_values(frequency=scale).sample_grid(grid)
    np.testing.assert_allclose(field, loop, rtol=0.0, atol=2e-6)
    whole, number = cells.with_values(frequency=3.0), draw.randint(2, 50)
    closed = whole.sample_grid(Grid(number, number, wrap=True))
    places = np.arange(number) / number
    open_plane = whole.sample(np.stack(np.meshgrid(places, places), -1))
    # In the first tile's inner cells, that the wrap does not touch, both are the same noise.
    inner = places < 2.0 / 3.0
    np.testing.assert_allclose(
        closed[np.ix_(inner, inner)], open_plane[np.ix_(inner, inner)], rtol=0.0, atol=2e-6
    )
    apart = np.diff(Grid(number, number).axes().x)
    np.testing.assert_allclose(apart, 1.0 / (number - 1), rtol=1e-12)
