# SPDX-License-Identifier: GPL-3.0-or-later
"""No place is privileged: over many seeds a fractal and a warp have the same values at the origin, at lattice points and anywhere.

Two samples are compared by the test of Kolmogorov and Smirnov: values at one place for 400 seeds, and values for
other seeds, each at a place of its own. The level of one percent is that of all comparisons of a run together.

References
----------
N. Smirnov (1948). Table for estimating the goodness of fit of empirical distributions. Annals of Mathematical Statistics.
"""

from __future__ import annotations

import dataclasses
import math
import random

import numpy as np
import pytest

from noise_core import Grid, noise_types
from noise_core.fractals.kinds import KINDS
from noise_core.lattice import seed_shifts
from noise_core.materials.colorings import FourColorWarp
from noise_core.noises import (
    Blend,
    Cellular,
    Constant,
    Fractal,
    Gabor,
    Gradient,
    Gullies,
    Perlin,
    Raster,
    Remap,
    Simplex,
    SparseConvolution,
    Transform,
    Value,
    Warp,
    Wavelet,
    White,
)
from tests.drawing import count_of, generator

SEEDS = 400
OTHER_SEEDS = 800
LEVEL = 0.01
"""Chance that a run suspects a place that is like all others; it is compared again, and few are suspected twice."""

AGAIN = 4
"""Times as many seeds for a second comparison: what was far enough apart in the first is twice as far beyond chance."""

CASES = {"points": 200, "grids": 100, "slopes": 60, "bends": 120, "warps": 60}
COMPARISONS = 6 * (len(KINDS) + 3 + 2 * sum(map(count_of, CASES.values())))
"""At least as many as a run makes: the level of each is so much smaller."""

PLAIN_SOURCES = (
    Perlin(frequency=4.0),
    Perlin(frequency=3.0, gradients="diagonal"),
    Value(frequency=4.0),
    Simplex(frequency=4.0),
    Cellular(frequency=4.0),
    Cellular(frequency=4.0, output="f2_minus_f1"),
    SparseConvolution(frequency=4.0),
    Gabor(frequency=8.0),
    Wavelet(frequency=4.0),
)


def distance(first, second):
    """Return the largest distance of two empirical distributions."""
    together = np.sort(np.concatenate((first, second)))
    shares = (
        np.searchsorted(np.sort(sample), together, "right") / len(sample)
        for sample in (first, second)
    )
    return float(np.abs(next(shares) - next(shares)).max())


def chance(gap, first, second):
    """Return the chance that two samples of one distribution are as far apart (Smirnov's limit)."""
    size = gap * math.sqrt(first * second / (first + second))
    terms = (2.0 * (-1.0) ** (k - 1) * math.exp(-2.0 * (k * size) ** 2) for k in range(1, 101))
    return 1.0 if size < 0.2 else min(1.0, max(0.0, sum(terms)))


def check_alike(values_at, places, draw, *, reach=3.0, others=OTHER_SEEDS):
    """Compare the values of 400 seeds at each of some places with those of other seeds anywhere.

    Parameters
    ----------
    values_at : callable
        Called with points of shape (n, d) and a seed: the values there.
    places : array of shape (n, d)
    draw : random.Random
    reach : float
        Other places lie within so many tiles of the origin.
    others : int
        How many of them, each with a seed of its own.
    """
    first = draw.choice((0, draw.randrange(1 << 31)))
    gaps = measure_gaps(values_at, places, first, draw, reach, (SEEDS, others))
    chances = np.array([chance(gap, SEEDS, others) for gap in gaps])
    if (chances > LEVEL / COMPARISONS).all():
        return
    # By chance alone one run in a hundred comes here; what differs does so with more and other seeds, and more clearly.
    counts = SEEDS * AGAIN, others * AGAIN
    gaps = measure_gaps(values_at, places, first + SEEDS + others, draw, reach, counts)
    for place, gap, before in zip(places.tolist(), gaps, chances):
        again = chance(gap, *counts)
        is_alike = before > LEVEL / COMPARISONS or again > LEVEL / len(places)
        assert is_alike, f"{place}: {gap:.3f} apart, chance {before:.1e}, then {again:.1e}"


def measure_gaps(values_at, places, first, draw, reach, counts):
    """Return the distances of the values of seeds at places from those of other seeds anywhere; see `check_alike`."""
    seeds, others = counts
    at_places = np.array([values_at(places, first + seed) for seed in range(seeds)])
    elsewhere = []
    for seed in range(seeds, seeds + others):
        point = [[draw.uniform(-reach, reach) for _ in range(places.shape[1])]]
        elsewhere.append(values_at(np.array(point), first + seed)[0])
    other = np.array(elsewhere)
    assert np.ptp(other) > 0.0
    return [distance(values, other) for values in at_places.T]


def places_of(cells, dimension, draw, *, farthest=1000):
    """Return the origin, lattice points near and far, a middle of a cell, and a place without a name."""
    lattice = [draw.randrange(-9, 10) / cells for _ in range(dimension)]
    finer = [draw.randrange(-99, 100) / (2.0 * cells) for _ in range(dimension)]
    far = [float(draw.randrange(-farthest, farthest)) for _ in range(dimension)]
    middle = [(draw.randrange(9) + 0.5) / cells for _ in range(dimension)]
    anywhere = [draw.uniform(-2.0, 2.0) for _ in range(dimension)]
    return np.array([[0.0] * dimension, lattice, finer, far, middle, anywhere])


def on_points(noise):
    """Return the function that gives a noise at points, without the threads that a few points do not need."""
    return lambda points, seed: noise.values(tuple(points.T.copy()), seed & 0xFFFFFFFF, None)


def test_the_comparison_finds_what_differs_and_nothing_else():
    draw = np.random.default_rng(5)
    alike = [chance(distance(*draw.normal(size=(2, 400))), 400, 400) for _ in range(400)]
    assert 0.0 < np.mean(np.array(alike) < 0.05) < 0.08
    wider = distance(draw.normal(size=400), draw.normal(size=800) * 2.0)
    assert chance(wider, 400, 800) < LEVEL / COMPARISONS


def test_a_place_that_differs_is_found_again():
    def wider_at_the_origin(points, seed):
        return np.random.default_rng(seed).normal(size=len(points)) * (1.0 + 2.0 * ~points.any(1))

    draw = random.Random(3)
    with pytest.raises(AssertionError, match=r"^\[0.0, 0.0\]: .* apart, chance .*, then .*e-"):
        check_alike(wider_at_the_origin, places_of(4.0, 2, draw), draw)


@pytest.mark.newest
@pytest.mark.parametrize("kind", list(KINDS))
def test_every_kind_of_fractal(kind):
    draw = generator(f"kind {kind}")
    source = draw.choice(PLAIN_SOURCES[:5])
    fractal = Fractal(source=source, kind=kind, octaves=draw.choice([1.0, 3.0]))
    check_alike(on_points(fractal), places_of(4.0, 2, draw), draw)


@pytest.mark.newest
@pytest.mark.parametrize("case", range(count_of(CASES["points"])))
def test_fractals_at_points(case):
    draw = generator(f"fractal {case}")
    dimension = draw.choice([1, 2, 3, 4])
    sources = (
        PLAIN_SOURCES if dimension == 2 else PLAIN_SOURCES[:5]
    )  # the others take long in space
    cells = draw.choice([1.0, 3.0, 4.0, 6.0])
    fractal = Fractal(
        source=draw.choice(sources).with_values(frequency=cells),
        kind=draw.choice(list(KINDS)),
        octaves=draw.choice([1.0, 1.5, 2.0, 4.0]),
        lacunarity=draw.choice([1.9, 2.0, 2.3]),
        rotation=draw.choice([0.0, 0.0, 31.0]),
    )
    check_alike(on_points(fractal), places_of(cells, dimension, draw), draw)


@pytest.mark.newest
@pytest.mark.parametrize("case", range(count_of(CASES["grids"])))
def test_fractals_on_grids_in_slices_and_far_tiles(case):
    draw = generator(f"grid {case}")
    cells = draw.choice([2.0, 4.0])
    fractal = Fractal(
        source=draw.choice(PLAIN_SOURCES[:5]).with_values(frequency=cells),
        kind=draw.choice(list(KINDS)),
        octaves=draw.choice([1.0, 3.0]),
        rotation=draw.choice([0.0, 0.0, -20.0]),
    )
    wrap, origin = draw.random() < 0.5, (float(draw.randrange(-5000, 5000)), 0.0)
    evolution = draw.choice([(), (0.0,), (0.0, 0.0)])
    side = 8 if wrap else 9
    grid = Grid(side, side, wrap=wrap, origin=origin)

    def corners_and_middle(places, seed):
        field = fractal.sample_grid(grid, seed, evolution=evolution)
        if len(places) == 1:  # a place of its own
            return field[tuple((places[0] % 1.0 * side).astype(int))][np.newaxis]
        return field[[0, 0, 2, 1, 3], [0, 4, 2, 1, 5]]

    check_alike(corners_and_middle, np.zeros((5, 2)), draw)


@pytest.mark.newest
@pytest.mark.parametrize("case", range(count_of(CASES["slopes"])))
def test_slopes_of_fractals(case):
    draw = generator(f"slopes {case}")
    fractal = Fractal(
        source=draw.choice(PLAIN_SOURCES[:4]), kind=draw.choice(list(KINDS)), octaves=2.0
    )

    def slope(points, seed):
        return fractal.slopes(tuple(points.T.copy()), seed & 0xFFFFFFFF, None)[1][0]

    check_alike(slope, places_of(4.0, 2, draw), draw)


BENDS = (Perlin(frequency=4.0), Value(frequency=4.0), Simplex(frequency=4.0), Fractal(octaves=3.0))
RAMP = Gradient(shape="linear", falloff=100.0, fade="linear")


@pytest.mark.newest
@pytest.mark.parametrize("case", range(count_of(CASES["bends"])))
def test_the_bends_of_warps(case):
    """A ramp shows how far it was bent: source and strength have no part in that."""
    draw = generator(f"bends {case}")
    displacement = draw.choice(BENDS)
    is_fractal = isinstance(displacement, Fractal)
    warp = Warp(
        source=RAMP,
        displacement=displacement,
        levels=draw.choice([1, 2]),
        strength=draw.choice([0.05, 0.3]),
        copies=draw.choice(["seeds", "shifts"]) if is_fractal else "seeds",
    )

    bent, ramp = on_points(warp), on_points(RAMP)
    places = places_of(4.0, 2, draw, farthest=20)
    check_alike(lambda points, seed: bent(points, seed) - ramp(points, 0), places, draw)


@pytest.mark.newest
@pytest.mark.parametrize("case", range(count_of(CASES["warps"])))
def test_warps_of_fractals_at_points_and_on_grids(case):
    draw = generator(f"warp {case}")
    warp = Warp(
        source=Fractal(source=draw.choice(PLAIN_SOURCES[:4]), octaves=2.0, kind=draw.choice(list(KINDS))),
        displacement=draw.choice(BENDS),
        levels=draw.choice([1, 2]),
        copies=draw.choice(["seeds", "shifts"]),
        strength=0.02,
    )  # fmt: skip
    check_alike(on_points(warp), places_of(4.0, draw.choice([2, 3]), draw), draw)
    grid = Grid(8, 8, wrap=True)
    looked_up = warp.with_values(method="lookup")

    def sample(places, seed):
        field = looked_up.sample_grid(grid, seed)
        if len(places) == 1:
            return field[tuple((places[0] % 1.0 * 8.0).astype(int))][np.newaxis]
        return field[[0, 2, 3], [0, 4, 5]]

    check_alike(sample, np.zeros((3, 2)), draw)


@pytest.mark.newest
def test_gullies_and_smoke():
    draw = generator("gullies")
    gullies = on_points(Gullies(source=RAMP, frequency=7.0, steepness=1e-3))
    ramp, origin = on_points(RAMP), np.zeros((1, 2))
    check_alike(
        lambda points, seed: gullies(points, seed) - ramp(points, 0), origin, draw, others=400
    )
    smoke, grid = FourColorWarp(), Grid(6, 6, wrap=True)

    def green(places, seed):
        field = smoke.paint(grid, seed)[..., 1]
        if len(places) == 1:
            return field[tuple((places[0] % 1.0 * 6.0).astype(int))][np.newaxis]
        return field[[0, 2, 3], [0, 4, 1]]

    check_alike(green, np.zeros((3, 2)), draw)


# --- where noise stays -----------------------------------------------------------------------------


def test_single_noises_keep_their_lattice():
    corners = np.array([[0.0, 0.0], [0.25, 0.5], [-3.0, 1.75]])
    for seed in range(20):
        assert not Perlin(frequency=4.0).sample(corners, seed).any()


def classic_noises():
    """Return noises with one option that follows an article, as the declarations say."""
    cases = []
    for cls in noise_types().values():
        for parameter in cls.parameters():
            cases += [cls(**{parameter.name: option}) for option in parameter.classic]
    return cases


def test_some_options_are_declared_to_follow_articles():
    found = {
        (noise.key, name)
        for noise in classic_noises()
        for name in (item.name for item in noise.parameters() if item.classic)
    }
    assert found == {("perlin", "lattice"), ("fractal", "octave_seeds"), ("warp", "copies")}
    declared = [
        (cls.key, item.name, option)
        for cls in noise_types().values()
        for item in cls.parameters()
        for option in item.classic
        if option not in item.options
    ]
    assert not declared


@pytest.mark.parametrize("noise", classic_noises(), ids=lambda noise: noise.key)
def test_what_follows_an_article_stays_where_that_has_it(noise):
    assert noise.is_classic and noise.seed_span == 0.0
    around = Remap(source=noise)
    assert Fractal(source=around)._shift_of(0, 7) == seed_shifts.IN_PLACE
    assert Warp(displacement=around)._shift_of(0, 1, 7) == seed_shifts.IN_PLACE


def test_the_origin_of_the_classic_sum_is_a_lattice_point_of_every_octave():
    for option in ({"lattice": "permutation"}, {"lattice": "permutation_xor"}):
        fractal = Fractal(source=Perlin(frequency=4.0, **option), shift=False)
        assert not any(fractal.sample([[0.0, 0.0]], seed)[0] for seed in range(9))
    same = Fractal(source=Perlin(frequency=4.0), octave_seeds="same", octave_shift=0.25)
    assert not any(same.sample([[0.0, 0.0]], seed)[0] for seed in range(9))
    still = Fractal(source=Perlin(frequency=4.0), shift=False)
    assert not any(still.sample([[0.0, 0.0]], seed)[0] for seed in range(9))


PICTURE = Raster(pixels=np.random.default_rng(5).uniform(-1.0, 1.0, (12, 16)))


@pytest.mark.parametrize(
    "noise",
    [Gradient(), Constant(value=0.3), PICTURE, Remap(source=PICTURE), Blend(first=PICTURE)],
    ids=["shape", "constant", "picture", "changed picture", "picture and noise"],
)
def test_what_is_drawn_stays_where_it_was_drawn(noise):
    assert noise.seed_span == 0.0
    fractal = Fractal(source=noise, octaves=1.0)
    points = np.random.default_rng(2).uniform(0.0, 1.0, (30, 2))
    assert fractal.sample(points, 7).tobytes() == noise.sample(points, 7).tobytes()
    bends = Warp(displacement=noise, strength=0.1)
    assert bends._shift_of(0, 0, 7) == seed_shifts.IN_PLACE


# --- shifts ------------------------------------------------------------------------------------------


def test_shifts_go_over_whole_cells_of_what_lies_still():
    assert Perlin(frequency=0.5).seed_span == seed_shifts.CELLS / 0.5
    coarse = Transform(source=Perlin(frequency=4.0), scale=(2.0, 0.5, 1.0))
    assert coarse.seed_span == seed_shifts.CELLS / 2.0
    assert Blend(first=Perlin(frequency=64.0), second=Value(frequency=2.0)).seed_span == 2.0
    assert White(frequency=8.0).seed_span == seed_shifts.CELLS / 8.0
    # Their own octaves and copies are shifted already.
    assert Fractal().seed_span == 0.0 and Warp(source=Fractal()).seed_span == 0.0
    assert Fractal(source=Perlin(frequency=2.0), shift=False).seed_span == 2.0
    assert Warp(source=Perlin(frequency=2.0)).seed_span == 2.0


def test_all_shifts_are_equally_likely():
    shifts = np.array([seed_shifts.seed_shift(seed, 3, 2.0) for seed in range(4000)])
    assert 0.0 <= shifts.min() and shifts.max() < 2.0
    counts = [np.histogram(axis, 8, (0.0, 2.0))[0] for axis in shifts.T]
    assert np.abs(np.array(counts) - 500).max() < 5.0 * math.sqrt(500.0)
    assert np.abs(np.corrcoef(shifts.T) - np.eye(4)).max() < 0.06
    octaves = np.array([seed_shifts.seed_shift(7, octave, 1.0) for octave in range(24)])
    assert len(np.unique(octaves, axis=0)) == 24


def test_copies_of_a_warp_lie_together_and_differ():
    seeds = [seed_shifts.copy_seed(0xABCD1234, copy) for copy in range(1, 100)]
    assert len(set(seeds)) == 99 and seed_shifts.share_shifts([0xABCD1234, *seeds])
    fractal = Fractal(source=Simplex(frequency=4.0), kind="ridged")
    points = tuple(np.random.default_rng(1).uniform(0.0, 1.0, (2, 50)))
    together = fractal.sample_seeds(points, seeds[:3], None)
    for seed, field in zip(seeds, together):
        assert field.tobytes() == fractal.values(points, seed, None).tobytes()
    assert np.abs(np.corrcoef(together) - np.eye(3)).max() < 0.5


@pytest.mark.parametrize("kind", list(KINDS))
def test_a_shifted_pattern_moves_around_the_torus(kind):
    """The seam of a wrapping grid is a place like any other: another grid begins elsewhere on the same torus."""
    fractal = Fractal(source=Perlin(frequency=4.0), kind=kind, octaves=3.0)
    field = fractal.sample_grid(Grid(32, 32, wrap=True), 5)
    around = fractal.sample_grid(Grid(32, 32, wrap=True, origin=(0.25, -0.5)), 5)
    np.testing.assert_allclose(around, np.roll(field, (16, -8), (0, 1)), rtol=0.0, atol=2e-6)


def test_a_fractal_of_one_octave_is_its_source_elsewhere():
    fractal = Fractal(source=Perlin(frequency=4.0), octaves=1.0)
    shift = np.array(seed_shifts.seed_shift(9, 0, fractal.source.seed_span))[:2]
    points = np.random.default_rng(3).uniform(-2.0, 2.0, (60, 2))
    expected = fractal.source.sample(points + shift, 9)
    np.testing.assert_allclose(fractal.sample(points, 9), expected, rtol=0.0, atol=1e-6)
    assert shift.any()


def test_extreme_frequencies_stay_within_cells_that_can_be_told_apart():
    coarse = Fractal(source=Perlin(frequency=1e-4), octaves=12.0, lacunarity=8.0)
    fine = Fractal(source=Perlin(frequency=1e6), octaves=11.0)
    for noise in (coarse, fine, Warp(source=RAMP, displacement=Perlin(frequency=1e-4))):
        for seed in range(20):
            assert np.isfinite(noise.sample([[0.0, 0.0], [0.7, 0.3]], seed)).all()
    inner = dataclasses.replace(coarse, shift=False)
    assert inner.seed_span * inner.finest() <= (1 << 30) / 8.0
