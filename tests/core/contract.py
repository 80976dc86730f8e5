# SPDX-License-Identifier: GPL-3.0-or-later
"""Contract of all noises on their fields: one function per promise, raising AssertionError.

`test_contract.py` runs them over all registered types, `test_contract_catches.py` over noises
that are broken on purpose, so that no check can quietly stop checking.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator, Sequence
from unittest import mock

import numpy as np

import noise_core.base.plans
from noise_core import Grid, Noise, ParameterError
from noise_core.base import blocks
from noise_core.base.torus import Torus
from noise_core.lattice.affine import Affine

STATED = 2e-6
"""What comes on a grid and at points, two ways to add up, may differ by this much."""

SEED = 20260
ROTATED = Torus(((0.8, -0.6), (0.6, 0.8)))
SKEWED = Torus(((1.5, 0.25), (-0.5, 1.0)))
WIDE = Torus(((1.0, 0.0), (0.0, 0.625)))


TESTED = (1, 2, 3, 4)
"""The numbers of coordinates that the checks try."""


def only(*tested: int) -> mock._patch:
    """Let the checks try fewer numbers of coordinates, to save time."""
    return mock.patch(f"{__name__}.TESTED", tested)


def dimensions(noise: Noise) -> list[int]:
    """Return how many coordinates this noise takes: its children may take fewer than its type."""
    return [d for d in noise.dimensions if d in TESTED and takes(noise, d)]


@functools.lru_cache(maxsize=512)
def takes(noise: Noise, dimension: int) -> bool:
    """Return whether points may have so many coordinates."""
    try:
        noise.sample(np.zeros((1, dimension)))
    except ParameterError:
        return False
    return True


def plane_dimensions(noise: Noise) -> list[int]:
    """Return the dimensions of at least two coordinates, as a grid has."""
    return [d for d in dimensions(noise) if d > 1]


def scattered(count: int, dimension: int, low: float = -2.0, high: float = 3.0) -> np.ndarray:
    """Return points that lie on no lattice, the same every time."""
    generator = np.random.default_rng(1000 * dimension + count)
    return generator.uniform(low, high, (count, dimension))


def evolution(dimension: int) -> tuple[float, ...]:
    """Return a place along the axes beyond the plane."""
    return (0.37, -0.81)[: dimension - 2]


def tree(noise: Noise) -> Iterator[Noise]:
    """Yield a noise and everything in it."""
    yield noise
    for child in noise.children().values():
        yield from tree(child)


def depends_on_spacing(noise: Noise) -> bool:
    """Return whether the field depends on the grid's spacing, as it was asked to.

    A band limit leaves out frequencies that a spacing cannot hold; a lookup reads between samples that lie
    one spacing apart. Points have no spacing.
    """
    return any(
        getattr(part, "band_limit", False) or getattr(part, "method", "") == "lookup"
        for part in tree(noise)
    )


def finest(noise: Noise) -> float:
    """Return how many of the finest cells of anything in it lie along a tile, at least 1."""
    return max(1.0, *(part.finest() for part in tree(noise)))


def magnification(noise: Noise) -> float:
    """Return by how much a warp makes rounding errors of a displacement grow."""
    growth = 1.0
    for part in tree(noise):
        scale = getattr(part, "scale", ())
        if isinstance(scale, tuple) and hasattr(part, "strength"):
            shift = 6.0 * part.strength * max(map(abs, scale))
            growth *= 1.0 + shift * finest(part)
            # What bends the bending makes its errors grow once more.
            growth *= (1.0 + shift * finest(part.displacement)) ** (part.levels - 1)
    return growth


def largest(noise: Noise) -> float:
    """Return the scale of the noise's values, at least 1."""
    return max(1.0, *(abs(bound) for bound in noise.bounds()))


def assert_close(noise: Noise, actual: np.ndarray, expected: np.ndarray, what: str) -> None:
    """Compare two fields within the stated tolerance, relative to the noise's bounds."""
    assert actual.shape == expected.shape, what
    difference = float(np.max(np.abs(actual.astype(np.float64) - expected), initial=0.0))
    allowed = STATED * largest(noise)
    assert difference <= allowed, f"{what}: differs by {difference:.3g}, allowed {allowed:.3g}"


def assert_agree(
    noise: Noise,
    actual: np.ndarray,
    expected: np.ndarray,
    points: np.ndarray,
    torus: Torus | None,
    what: str,
) -> None:
    """Compare two fields that came different ways to the same points.

    They may differ by the stated tolerance; or, where the noise jumps or is steeper than coordinates
    are exact, by no more than it does within a rounding error around the point.
    """
    assert actual.shape == expected.shape, what
    allowed = STATED * largest(noise) * most_folds(noise)
    far = np.abs(actual.astype(np.float64) - expected) > allowed
    if not far.any():
        return
    places = points[far]
    low, high = _nearby(noise, places, torus)
    worst = np.maximum(actual[far], expected[far]) - high
    worst = np.maximum(worst, low - np.minimum(actual[far], expected[far]))
    assert worst.max() <= allowed, (
        f"{what}: {int(far.sum())} of {far.size} samples differ, by up to "
        f"{np.abs(actual - expected).max():.3g}; first at {places[0]}"
    )


def most_folds(noise: Noise) -> float:
    """Return how often a fractal folds its source, and with it the rounding of the source."""
    folds = [most_folds(child) for child in noise.children().values()]
    is_folded = getattr(noise, "kind", "") == "ping_pong"
    return max([1.0, getattr(noise, "folds", 1.0) if is_folded else 1.0, *folds])


def _nearby(noise: Noise, points: np.ndarray, torus: Torus | None) -> tuple[np.ndarray, np.ndarray]:
    """Return the lowest and highest value within a rounding error of each point."""
    dimension = points.shape[-1]
    reach = STATED * magnification(noise) / finest(noise) + 4e-16 * np.abs(points)
    fields = []
    for signs in itertools.product((-1.0, -0.5, 0.0, 0.5, 1.0), repeat=min(dimension, 2)):
        signs = (*signs, *(0.0,) * (dimension - len(signs)))
        fields.append(values_at(noise, points + np.array(signs) * reach, torus))
    return np.min(fields, axis=0), np.max(fields, axis=0)


def values_at(noise: Noise, points: np.ndarray, torus: Torus | None) -> np.ndarray:
    """Return `values` at points of shape (..., d)."""
    columns = np.moveaxis(points, -1, 0).reshape(points.shape[-1], -1)
    flat = noise.values(tuple(np.ascontiguousarray(axis) for axis in columns), SEED, torus)
    return flat.reshape(points.shape[:-1])


def shared(cases: Sequence, dimension: int, wrap: bool) -> Sequence:
    """Return all cases in the plane, on a torus and off it; beyond it, where a sample takes long, each on one of them."""
    return cases if dimension == 2 else cases[wrap::2]


SMALL_GRIDS = ((5, 7), (1, 1), (1, 6), (6, 1), (2, 2))
"""Rows and columns."""


def points_of(grid: Grid, rest: tuple[float, ...] = ()) -> np.ndarray:
    """Return where a grid's samples lie: shape (rows, columns, d)."""
    return np.stack(grid.axes(rest).points(0, grid.rows), axis=-1)


def periods_away(points: np.ndarray, torus: Torus, steps: Sequence[tuple[int, int]]) -> np.ndarray:
    """Return points of shape (n, d) moved by so many periods: shape (steps, n, d)."""
    moved = np.repeat(points[np.newaxis], len(steps), axis=0)
    moved[..., :2] += (np.array(steps) @ np.array(torus.periods).T)[:, np.newaxis]
    return moved


def has_strips_of(samples: int) -> mock._patch:
    """Make strips so small that even a small field takes several."""
    return mock.patch.multiple(blocks, SAMPLES_PER_STRIP=samples, SAMPLES_OF_SHORT_CALLS=samples)


def has_blocks_of(points: int) -> mock._patch:
    """Make blocks of points so small that even a small field takes several."""
    return mock.patch.object(noise_core.base.plans, "POINTS_PER_BLOCK", points)


def check_shape_and_type(noise: Noise) -> None:
    """Fields are new float32 arrays of the points' shape."""
    for d in dimensions(noise):
        for shape in ((), (1,), (0,), (7,), (3, 4), (2, 0, 3)):
            field = noise.sample(np.full((*shape, d), 0.3), SEED)
            assert isinstance(field, np.ndarray)
            assert (field.shape, field.dtype) == (shape, np.float32), (d, shape)
    for d in plane_dimensions(noise):
        for wrap in (False, True):
            for rows, columns in shared(SMALL_GRIDS, d, wrap):
                grid = Grid(rows, columns, wrap=wrap)
                field = noise.sample_grid(grid, SEED, evolution=evolution(d))
                assert (field.shape, field.dtype) == ((rows, columns), np.float32), (d, grid)
                assert field.flags.writeable
                assert np.isfinite(field).all(), (d, grid)


def check_values_are_the_callers(noise: Noise) -> None:
    """`values` returns a new array on every call."""
    for d in dimensions(noise):
        columns = tuple(np.ascontiguousarray(axis) for axis in scattered(50, d).T)
        first = noise.values(columns, SEED, None)
        expected = first.copy()
        assert (first.shape, first.dtype) == ((50,), np.float32)
        assert not any(np.shares_memory(first, axis) for axis in columns), d
        first[:] = 77.0
        again = noise.values(columns, SEED, None)
        assert again.tobytes() == expected.tobytes(), d


def check_seeds_are_values(noise: Noise) -> None:
    """`sample_seeds` gives for each seed the result of `values`, in separate arrays."""
    for d in dimensions(noise):
        columns = tuple(np.ascontiguousarray(axis) for axis in scattered(40, d).T)
        for torus in (None, WIDE):
            copies = noise.sample_seeds(columns, (SEED, 0, SEED), torus)
            assert len(copies) == 3
            for seed, field in zip((SEED, 0, SEED), copies):
                assert field.tobytes() == noise.values(columns, seed, torus).tobytes(), d
            assert not np.shares_memory(copies[0], copies[2])


def check_seeds_plan_is_plans(noise: Noise) -> None:
    """`seeds_plan` writes for each seed the values of `plan`."""
    seeds = (SEED, 0, SEED)
    for d in plane_dimensions(noise):
        for wrap in (False, True):
            axes = Grid(70, 11, wrap=wrap).axes(evolution(d))
            copies = np.full((3, 69, 11), np.nan, np.float32)
            noise.seeds_plan(axes, seeds)(1, 70, copies)
            for seed, field in zip(seeds, copies):
                alone = np.empty((69, 11), np.float32)
                noise.plan(axes, seed)(1, 70, alone)
                assert field.tobytes() == alone.tobytes(), (d, wrap, seed)


def check_octaves_are_seeds(noise: Noise) -> None:
    """`sample_octaves` gives for each octave the values of `sample_seeds` at its moved points."""
    shifts = ((0.0, 0.0, 0.0, 0.0), (0.6, 0.3, 0.7, 0.1), (0.1, 0.9, 0.5, 0.8))
    turned = [
        (1.0, 0.0),
        (2.0, 0.0),
        (4.0, 0.0),
        (8.0, 0.0),
        (16.0, 0.0),
        (24.0, 0.0),
        (48.0, 30.0),
    ]
    octaves = [
        (Affine.from_rotation(scale, degrees, shifts[place % 3]), (SEED + place, place))
        for place, (scale, degrees) in enumerate(turned)
    ]
    for d in dimensions(noise):
        points = scattered(40, d)
        columns = tuple(np.ascontiguousarray(axis) for axis in points.T)
        for torus in (None, WIDE):
            found = list(noise.sample_octaves(columns, octaves, torus))
            assert len(found) == len(octaves)
            for (affine, seeds), fields in zip(octaves, found):
                assert len(fields) == len(seeds)
                expected = noise.sample_seeds(affine.points(columns), seeds, affine.torus(torus))
                for field, other in zip(fields, expected):
                    assert_close(noise, field, other, f"octave {affine.scale:g} in {d}-D")


def check_third_derivative(noise: Noise) -> None:
    """The stated bound on the third derivative holds in the plane; an infinite one is no statement."""
    stated = noise.third_derivative()
    assert stated >= 0.0
    if np.isinf(stated) or 2 not in dimensions(noise):
        return
    points = scattered(4000, 2)
    step = 0.03 / noise.finest()
    for axis in ([1.0, 0.0], [0.0, 1.0]):
        far, near, beyond, opposite = (
            noise.sample(points + np.multiply(axis, steps * step), SEED).astype(np.float64)
            for steps in (2.0, 1.0, -1.0, -2.0)
        )
        third = (far - 2.0 * near + 2.0 * beyond - opposite) / (2.0 * step**3)
        largest = float(np.abs(third).max())
        assert largest <= 1.05 * stated, f"stated {stated:.3g}, found {largest:.3g}"


def check_bounds(noise: Noise) -> None:
    """Values are finite and within the stated bounds."""
    low, high = noise.bounds()
    assert np.isfinite([low, high]).all()
    assert low <= high
    slack = 1e-5 * largest(noise)
    for field in _many_fields(noise):
        assert np.isfinite(field).all(), "nan or inf"
        assert field.min() >= low - slack, f"{field.min()} is below {low}"
        assert field.max() <= high + slack, f"{field.max()} is above {high}"


def _many_fields(noise: Noise) -> Iterator[np.ndarray]:
    for d in dimensions(noise):
        yield noise.sample(scattered(600, d), SEED)
        yield noise.sample(scattered(100, d).astype(np.float32), SEED)
        # Lattice points and the middles of cells are where extremes lie.
        lattice = np.stack(np.meshgrid(*[np.arange(-2.0, 3.0, 0.5)] * min(d, 2)), axis=-1)
        padding = [(0, 0)] * (lattice.ndim - 1) + [(0, d - min(d, 2))]
        yield noise.sample(np.pad(lattice, padding) / max(noise.finest(), 1.0), SEED)
    for d in plane_dimensions(noise):
        for wrap in (False, True):
            yield noise.sample_grid(Grid(23, 18, wrap=wrap), SEED, evolution=evolution(d))


def check_same_seed_same_bits(noise: Noise) -> None:
    """The same call gives the same bits; -1 and 4294967295 are one seed."""
    grid = Grid(9, 11)
    points = scattered(40, next(d for d in noise.dimensions if takes(noise, d)))
    for seed, same in ((SEED, SEED), (-1, 0xFFFFFFFF), (np.int64(5), 5), (np.uint32(5), 5)):
        assert noise.sample(points, seed).tobytes() == noise.sample(points, same).tobytes()
        if plane_dimensions(noise):
            rest = evolution(plane_dimensions(noise)[0])
            field = noise.sample_grid(grid, seed, evolution=rest)
            assert field.tobytes() == noise.sample_grid(grid, same, evolution=rest).tobytes()


def check_seed_matters(noise: Noise) -> None:
    """Another seed gives another field, in every number of dimensions, on points and on grids.

    Of a type that says it has no seed, all seeds give the same.
    """
    seeds = (0, 1, 2, 256, 0x10000, -1)
    fields = [[noise.sample(scattered(200, d), seed) for seed in seeds] for d in dimensions(noise)]
    for d in plane_dimensions(noise):
        rest = evolution(d)
        fields.append([noise.sample_grid(Grid(14, 15), seed, evolution=rest) for seed in seeds])
    for group in fields:
        for one, other in itertools.combinations(group, 2):
            if noise.has_seed:
                assert np.mean(one != other) > 0.05, "two seeds give one field"
            else:
                assert one.tobytes() == other.tobytes(), "a seed counts, though has_seed is False"


def check_inputs_are_not_written(noise: Noise) -> None:
    """Neither the caller's points nor the columns given to `values` change."""
    for d in dimensions(noise):
        for dtype in (np.float32, np.float64):
            points = scattered(60, d).astype(dtype)
            before = points.copy()
            noise.sample(points, SEED)
            assert points.tobytes() == before.tobytes(), "sample wrote into its points"
            columns = tuple(np.ascontiguousarray(axis) for axis in before.T)
            for torus in (None, ROTATED, WIDE):
                noise.values(columns, SEED, torus)
                assert np.stack(columns, -1).tobytes() == before.tobytes(), "values wrote"
    for d in plane_dimensions(noise):
        axes = Grid(6, 9, wrap=True).axes(evolution(d))
        x, y = axes.x.copy(), axes.y.copy()
        noise.plan(axes, SEED)(0, 6, np.empty((6, 9), np.float32))
        assert axes.x.tobytes() == x.tobytes(), "plan wrote into x"
        assert axes.y.tobytes() == y.tobytes(), "plan wrote into y"


def check_points_do_not_depend_on_company(noise: Noise) -> None:
    """A value is independent of the other points, their order, the blocks and the threads."""
    for d in dimensions(noise):
        points = scattered(300, d)
        whole = noise.sample(points, SEED)
        assert_agree(noise, noise.sample(points[::-1], SEED)[::-1], whole, points, None, "order")
        assert_agree(
            noise, noise.sample(points[90:97], SEED), whole[90:97], points[90:97], None, "part"
        )
        with has_blocks_of(80), has_strips_of(150):
            one = noise.sample(points, SEED, threads=1)
            two = noise.sample(points, SEED, threads=2)
        assert one.tobytes() == two.tobytes(), "threads change points"
        assert_agree(noise, one, whole, points, None, "blocks")


WINDOWS = ((0, 0, 12, 29), (9, 5, 20, 11), (36, 28, 1, 1), (0, 7, 37, 1), (30, 0, 1, 29))
"""Row, column, rows and columns of parts of a grid."""


def check_window_equals_whole(noise: Noise) -> None:
    """A window of a grid has the bits of the whole, of the derivatives too."""
    for d in plane_dimensions(noise):
        for wrap in (False, True):
            grid = Grid(37, 29, wrap=wrap, origin=(0.25, -0.5))
            for sampled in (noise.sample_grid, noise.gradient_grid):
                whole = sampled(grid, SEED, evolution=evolution(d))
                for row, column, rows, columns in shared(WINDOWS, d, wrap):
                    window = grid.window(row, column, rows, columns)
                    field = sampled(window, SEED, evolution=evolution(d))
                    part = whole[row : row + rows, column : column + columns]
                    what = f"{sampled.__name__}, window of {rows} x {columns}, {d}-D, wrap {wrap}"
                    assert field.tobytes() == part.tobytes(), what
