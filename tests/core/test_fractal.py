# SPDX-License-Identifier: GPL-3.0-or-later
"""Fractals are made of scaled copies; fractions, band limits and extremes."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from noise_core import Grid, Recipe
from noise_core.fractals.kinds import KINDS
from noise_core.fractals.sums import SHIFTS, Mix, amplitudes
from noise_core.lattice.hash import child_seed
from noise_core.lattice.seed_shifts import CELLS, seed_shift
from noise_core.noises import Cellular, Constant, Fractal, Perlin, Remap, Simplex, Value
from tests.core.slow_octaves import mix, slow

EVERY_KIND = pytest.mark.parametrize("kind", list(KINDS))


PLAIN = ("fbm", "billow", "ping_pong", "turbulence")


def octave_fields(fractal, points, seed):
    """Sample the octaves one by one: scaled, turned, moved, each with its own seed."""
    for octave in range(math.ceil(fractal.octaves)):
        scale = fractal.lacunarity**octave
        angle = math.radians(fractal.rotation * octave)
        moved = points * scale
        if points.shape[1] > 1:
            x, y = moved[:, 0].copy(), moved[:, 1].copy()
            moved[:, 0] = math.cos(angle) * x - math.sin(angle) * y
            moved[:, 1] = math.sin(angle) * x + math.cos(angle) * y
        if fractal.shift:
            moved += [octave * step % 1.0 for step in SHIFTS[: points.shape[1]]]
            if fractal.octave_seeds == "different":
                span = CELLS / fractal.source.frequency
                moved += seed_shift(seed, octave, span)[: points.shape[1]]
        own = seed if fractal.octave_seeds == "same" else child_seed(seed, octave)
        yield fractal.source.sample(moved, own)


@EVERY_KIND
@pytest.mark.parametrize("rotation", [0.0, 37.0])
@pytest.mark.parametrize("shift", [True, False])
@pytest.mark.parametrize("dimension", [2, 3])
@pytest.mark.parametrize("octave_seeds", ["different", "same"])
def test_a_fractal_is_made_of_scaled_copies_of_its_source(
    kind, rotation, shift, dimension, octave_seeds
):
    fractal = Fractal(
        source=Perlin(frequency=3.0), kind=kind, octaves=3.5, lacunarity=2.1, rotation=rotation,
        shift=shift, offset=0.9, gain=1.7, folds=2.5, persistence=0.6, octave_seeds=octave_seeds,
    )  # fmt: skip
    points = np.random.default_rng(1).uniform(-1.0, 2.0, (100, dimension))
    octaves = list(octave_fields(fractal, points, 11))
    expected = [slow(kind, n, mix(3.5)) for n in np.array(octaves, np.float64).T.tolist()]
    np.testing.assert_allclose(fractal.sample(points, 11), expected, rtol=0, atol=2e-5)


CLASSIC = Fractal(
    source=Perlin(frequency=4.0), octaves=6.0, persistence=0.55, shift=False, octave_seeds="same"
)


def classic_sum(sampled):
    """Return the sum of one noise at six scales, from a function of the scale."""
    total = sum(sampled(2.0**k) * 0.55**k for k in range(6))
    return total / sum(0.55**k for k in range(6))


@pytest.mark.parametrize("source", [Perlin, Value, Simplex, Cellular])
@pytest.mark.parametrize("dimension", [2, 3])
def test_the_same_noise_at_every_octave_is_the_classic_sum(source, dimension):
    fractal = CLASSIC.with_values(source=source(frequency=4.0))
    points = np.random.default_rng(11).uniform(-1.0, 2.0, (500, dimension))
    expected = classic_sum(lambda scale: fractal.source.sample(points * scale, 9).astype("f8"))
    np.testing.assert_allclose(fractal.sample(points, 9), expected, rtol=0, atol=1e-6)


def test_the_same_noise_at_every_octave_is_the_classic_sum_on_grids_and_in_slopes():
    grid = Grid(33, 33, origin=(0.3, -0.6))
    points = np.stack(grid.axes().points(0, 33), axis=-1)
    expected = classic_sum(lambda scale: CLASSIC.source.sample(points * scale, 9).astype("f8"))
    np.testing.assert_allclose(CLASSIC.sample_grid(grid, 9), expected, rtol=0, atol=1e-6)
    slopes = classic_sum(lambda scale: CLASSIC.source.gradient(points * scale, 9) * scale)
    np.testing.assert_allclose(CLASSIC.gradient(points, 9), slopes, rtol=0, atol=2e-4)
    np.testing.assert_allclose(CLASSIC.gradient_grid(grid, 9), slopes, rtol=0, atol=2e-4)
    ridged = CLASSIC.with_values(kind="ridged")
    np.testing.assert_allclose(
        ridged.sample_grid(grid, 9), ridged.sample(points, 9), rtol=0, atol=1e-5
    )


def test_which_seeds_octaves_have_is_kept_in_a_recipe():
    recipe = Recipe(layers=CLASSIC)
    assert Recipe.from_json(recipe.to_json()) == recipe
    assert Fractal().octave_seeds == "different"


@EVERY_KIND
def test_one_octave_of_a_plain_kind_is_its_shape_alone(kind):
    points = np.random.default_rng(2).uniform(-1.0, 2.0, (50, 2))
    source = Value(frequency=3.0)
    m = mix(1.0, offset=1.0, gain=2.0, folds=2.0)
    expected = [slow(kind, [n], m) for n in source.sample(points, 3).tolist()]
    field = Fractal(source=source, kind=kind, octaves=1.0, shift=False).sample(points, 3)
    np.testing.assert_allclose(field, expected, rtol=0, atol=5e-6)


@EVERY_KIND
def test_a_fraction_of_an_octave_leads_from_one_number_to_the_next_without_a_jump(kind):
    points = np.random.default_rng(3).uniform(-1.0, 2.0, (300, 2))

    def field(octaves):
        return Fractal(kind=kind, octaves=octaves, offset=0.8, gain=2.0).sample(points, 5)

    for whole in (2.0, 3.0, 4.0):
        assert np.abs(field(whole + 1e-4) - field(whole)).max() < 1e-3
        assert np.abs(field(whole - 1e-4) - field(whole)).max() < 1e-3
    steps = [field(2.0 + step / 8.0) for step in range(9)]
    jumps = [np.abs(b - a).max() for a, b in itertools.pairwise(steps)]
    assert max(jumps) < 0.6 * np.abs(steps[-1] - steps[0]).max()


@pytest.mark.parametrize("kind", PLAIN)
def test_clamping_is_the_plain_sum_cut_off(kind):
    points = np.random.default_rng(4).uniform(-1.0, 2.0, (400, 2))
    divided = Fractal(kind=kind, octaves=5.0, persistence=0.8)
    clamped = divided.with_values(normalize="clamp")
    expected = np.clip(divided.sample(points, 6) * sum(amplitudes(5.0, 0.8)), -1.0, 1.0)
    np.testing.assert_allclose(clamped.sample(points, 6), expected, rtol=0, atol=5e-6)
    assert clamped.bounds() == (-1.0, 1.0)


def test_turbulence_lies_between_0_and_1():
    assert Fractal(kind="turbulence").bounds() == (0.0, 1.0)


WIDE = Remap(source=Perlin(frequency=3.0), to_minimum=-3.0, to_maximum=5.0, clamp=False)


@EVERY_KIND
def test_bounds_hold_for_sources_beyond_one(kind):
    fractal = Fractal(source=WIDE, kind=kind, octaves=3.0)
    low, high = fractal.bounds()
    field = fractal.sample(np.random.default_rng(5).uniform(-9.0, 9.0, (20000, 2)), 7)
    assert low - 1e-4 <= field.min()
    assert field.max() <= high + 1e-4


HIGH = Remap(source=Perlin(frequency=3.0), to_minimum=0.5, to_maximum=1.0)


@pytest.mark.parametrize("kind", KINDS)
def test_bounds_hold_when_octaves_are_left_out(kind):
    fractal = Fractal(source=HIGH, kind=kind, octaves=6.0, band_limit=True)
    low, high = fractal.bounds()
    field = fractal.sample_grid(Grid(17, 17), 7)
    assert low - 1e-5 <= field.min()
    assert field.max() <= high + 1e-5


@pytest.mark.newest
@EVERY_KIND
@pytest.mark.parametrize("normalize", ["amplitude", "clamp"])
@pytest.mark.parametrize("frequency", [4.0, 7.0, 64.0])
def test_bounds_hold_whatever_a_band_limit_leaves_out(kind, normalize, frequency):
    grid = Grid(33, 33)
    for offset, gain, source in itertools.product(
        (0.0, 0.5, 1.0, 2.0, 4.0), (0.0, 1.0, 3.0, 16.0), (Perlin, Value)
    ):
        fractal = Fractal(
            source=source(frequency=frequency), kind=kind, offset=offset, gain=gain,
            octaves=5.0, band_limit=True, normalize=normalize, persistence=0.7,
        )  # fmt: skip
        low, high = fractal.bounds()
        field = fractal.sample_grid(grid, 7)
        assert low - 2e-6 <= field.min(), (offset, gain)
        assert field.max() <= high + 2e-6, (offset, gain)


MEANS = ("ridged", "multifractal", "hybrid_multifractal", "heterogeneous_terrain")


@pytest.mark.parametrize("kind", MEANS)
@pytest.mark.parametrize("offset", [0.5, 1.0, 2.0])
def test_the_ground_keeps_its_height_when_octaves_are_left_out(kind, offset):
    fractal = Fractal(source=Perlin(frequency=4.0), kind=kind, octaves=6.0, offset=offset)
    limited = fractal.with_values(band_limit=True)
    whole = float(fractal.sample_grid(Grid(513, 513), 7).mean())
    assert limited.sample_grid(Grid(17, 17), 7).mean() == pytest.approx(whole, abs=0.12)
    flat = limited.with_values(source=Perlin(frequency=64.0)).sample_grid(Grid(17, 17), 7)
    assert flat.min() == flat.max()
    assert flat[0, 0] == pytest.approx(whole, abs=0.25)


def presences(columns, **changes):
    """Return the share of each octave that a grid keeps, read off constant octaves."""
    fractal = Fractal(source=Perlin(frequency=4.0), octaves=8.0, band_limit=True, **changes)
    return fractal._mix(Grid(columns, columns).axes().step).present


def test_octaves_finer_than_two_samples_a_cell_are_left_out():
    # 4, 8, 16, 32 ... cells on 64 spacings: 16, 8, 4, 2 ... samples a cell.
    assert presences(65) == (1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    assert presences(1025) == (1.0,) * 7 + (0.0,)
    assert presences(4097) == (1.0,) * 8


def test_octaves_fade_in_as_the_grid_gets_finer():
    shares = [presences(columns)[3] for columns in range(60, 140, 4)]
    assert shares == sorted(shares)
    assert shares[0] == 0.0
    assert shares[-1] == 1.0
    assert max(b - a for a, b in itertools.pairwise(shares)) < 0.15


@pytest.mark.parametrize("rotation", [0.0, 20.0])
@EVERY_KIND
def test_a_limited_grid_has_only_the_octaves_that_fit(kind, rotation):
    grid = Grid(65, 65)
    points = np.stack(grid.axes().points(0, 65), axis=-1)
    limited = Fractal(source=Perlin(frequency=4.0), kind=kind, octaves=6.0, band_limit=True,
                      rotation=rotation)  # fmt: skip
    octaves = list(octave_fields(limited, points.reshape(-1, 2), 4))
    m = Mix(amplitudes(6.0, 0.5), (1.0, 1.0, 1.0, 0.0, 0.0, 0.0), 1.0, 2.0, 0.0, 2.0)
    picked = np.random.default_rng(0).choice(65 * 65, 200, replace=False)
    expected = [slow(kind, n, m) for n in np.array(octaves, np.float64).T[picked].tolist()]
    field = limited.sample_grid(grid, 4).ravel()[picked]
    np.testing.assert_allclose(field, expected, rtol=0, atol=2e-5)


@EVERY_KIND
def test_a_fine_grid_is_not_limited(kind):
    noise = Fractal(source=Perlin(frequency=2.0), kind=kind, octaves=3.0)
    grid = Grid(65, 65)
    limited = noise.with_values(band_limit=True)
    np.testing.assert_allclose(
        limited.sample_grid(grid, 1), noise.sample_grid(grid, 1), rtol=0, atol=2e-6
    )


def test_points_have_no_spacing_and_are_not_limited():
    points = np.random.default_rng(6).uniform(0.0, 1.0, (50, 2))
    noise = Fractal(octaves=10.0)
    limited = noise.with_values(band_limit=True)
    assert limited.sample(points, 2).tobytes() == noise.sample(points, 2).tobytes()


def test_finest_counts_the_finest_octave():
    assert Fractal(source=Perlin(frequency=4.0), octaves=5.0).finest() == 64.0
    assert Fractal(source=Perlin(frequency=4.0), octaves=4.5).finest() == 64.0
    assert Fractal(source=Constant(), octaves=5.0).finest() == 0.0


def test_the_octaves_lattices_do_not_lie_on_each_other():
    # Without a shift all octaves of Perlin noise vanish together at the origin.
    origin = np.zeros((1, 2))
    assert Fractal(shift=False).sample(origin, 3)[0] == 0.0
    assert Fractal(shift=True).sample(origin, 3)[0] != 0.0


@pytest.mark.parametrize("kind", ["multifractal", "hybrid_multifractal", "heterogeneous_terrain"])
@pytest.mark.parametrize(
    "extreme",
    [
        {"octaves": 24.0, "persistence": 2.0, "offset": 4.0},
        {"octaves": 24.0, "persistence": 0.01, "offset": 0.0},
        {"octaves": 12.0, "persistence": 0.1, "offset": 0.0},
    ],
    ids=["huge", "tiny", "small"],
)
def test_products_of_many_octaves_neither_overflow_nor_vanish(kind, extreme):
    fractal = Fractal(source=Value(frequency=2.0), kind=kind, lacunarity=1.3, **extreme)
    field = fractal.sample(np.random.default_rng(7).uniform(0.0, 9.0, (500, 2)), 1)
    assert np.isfinite(field).all()
    assert np.abs(field).max() <= 1.0 + 1e-5


@pytest.mark.parametrize("dimension", [1, 2, 3])
@pytest.mark.parametrize("rotation", [-180.0, 180.0, 90.0])
def test_values_and_derivatives_turn_alike(rotation, dimension):
    noise = Fractal(source=Value(frequency=2.0), octaves=4.0, rotation=rotation)
    points = tuple(np.random.default_rng(1).uniform(-2.0, 3.0, (dimension, 200)))
    value, _ = noise.slopes(points, 7, None)
    np.testing.assert_allclose(noise.values(points, 7, None), value, rtol=0, atol=2e-6)
