# SPDX-License-Identifier: GPL-3.0-or-later
"""Contract of all noises on their derivatives; see `contract.py`."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from noise_core import Grid, Noise, ParameterError
from noise_core.base.torus import Torus
from tests.core.contract import (
    SEED,
    SKEWED,
    SMALL_GRIDS,
    STATED,
    WIDE,
    depends_on_spacing,
    dimensions,
    evolution,
    finest,
    has_blocks_of,
    has_strips_of,
    largest,
    magnification,
    periods_away,
    plane_dimensions,
    points_of,
    scattered,
    shared,
    takes,
    values_at,
)

ODD_ONES = 0.1
"""Share of the points that may lie so close to a kink or a jump that no difference can be trusted."""

GROWTH = 50.0
"""What rounding does to a slope over what it does to a value, in cells: a slope's own slope."""


def slopes_at(noise: Noise, points: np.ndarray, torus: Torus | None) -> np.ndarray:
    """Return `slopes` at points of shape (..., d), in that shape."""
    columns = points.reshape(-1, points.shape[-1]).T
    _, slopes = noise.slopes(tuple(map(np.ascontiguousarray, columns)), SEED, torus)
    return np.stack(slopes, axis=-1).reshape(points.shape)


def differences(
    noise: Noise, points: np.ndarray, torus: Torus | None, steps: np.ndarray
) -> np.ndarray:
    """Return central differences of `values` at points of shape (n, d): (steps, n, d)."""
    shifts = steps[:, np.newaxis, np.newaxis, np.newaxis] * np.eye(points.shape[-1])
    ahead, behind = points[:, np.newaxis] + shifts, points[:, np.newaxis] - shifts
    rise = np.subtract(*values_at(noise, np.stack((ahead, behind)), torus).astype(np.float64))
    return rise / (ahead - behind).diagonal(axis1=2, axis2=3)


def tori(dimension: int) -> tuple[Torus | None, ...]:
    """Return the periods of points with so many coordinates."""
    return (None, WIDE, SKEWED) if dimension > 1 else (None,)


def detail(noise: Noise) -> float:
    """Return how fine a noise is, with parts that have no cells: octaves and scales of shapes, folds."""
    children = noise.children().values()
    inside = max((detail(child) for child in children), default=1.0)
    # Steps and folds lie on heights: high sources meet more of them.
    heights = max((largest(child) for child in children), default=1.0)
    inside *= getattr(noise, "steps", 1) * getattr(noise, "folds", 1.0) * heights
    scale = 1.0 if hasattr(noise, "strength") else max(getattr(noise, "scale", (1.0,)))
    octaves = math.ceil(getattr(noise, "octaves", 1.0))
    inside *= scale * getattr(noise, "lacunarity", 1.0) ** (octaves - 1)
    return max(inside, noise.finest(), 1.0)


def assert_slopes_agree(
    noise: Noise,
    actual: np.ndarray,
    expected: np.ndarray,
    points: np.ndarray,
    torus: Torus | None,
    what: str,
) -> None:
    """Compare derivatives that came different ways to the same points.

    Where they differ by more than rounding, they may by their change within a rounding error
    around the point: at a kink either side is right.
    """
    assert actual.shape == expected.shape, what
    scale = largest(noise) * finest(noise) + np.abs(expected).max(initial=0.0)
    allowed = GROWTH * STATED * scale
    far = (np.abs(actual.astype(np.float64) - expected) > allowed).any(axis=-1)
    if not far.any():
        return
    places = points[far]
    reach = GROWTH * STATED * magnification(noise) / finest(noise) + 4e-16 * np.abs(places)
    near = [expected[far]]
    for signs in itertools.product((-1.0, -0.3, 0.0, 0.3, 1.0), repeat=2):
        signs = (*signs, *(0.0,) * points.shape[-1])[: points.shape[-1]]
        near.append(
            slopes_at(noise, places + np.array(signs) * reach, torus)[..., : actual.shape[-1]]
        )
    low, high = np.min(near, axis=0), np.max(near, axis=0)
    worst = np.maximum(actual[far] - high, low - actual[far])
    assert worst.max() <= allowed + 0.5 * (high - low).max(), (
        f"{what}: {int(far.sum())} of {far.size} differ, by up to "
        f"{np.abs(actual - expected).max():.3g}; first at {places[0]}"
    )


def check_gradient_shape_and_type(noise: Noise) -> None:
    """Gradients are new, finite float32 arrays with one number per coordinate."""
    for d in dimensions(noise):
        for shape in ((), (1,), (0,), (7,), (3, 4), (2, 0, 3)):
            field = noise.gradient(np.full((*shape, d), 0.3), SEED)
            assert isinstance(field, np.ndarray)
            assert (field.shape, field.dtype) == ((*shape, d), np.float32), (d, shape)
        columns = tuple(map(np.ascontiguousarray, scattered(40, d).T))
        value, slopes = noise.slopes(columns, SEED, None)
        arrays = (value, *slopes)
        assert len(slopes) == d
        assert {(array.shape, array.dtype) for array in arrays} == {((40,), np.dtype(np.float32))}
        for one, other in itertools.combinations((*arrays, *columns), 2):
            assert not np.shares_memory(one, other), d
        assert all(array.flags.writeable for array in arrays)
    for d in plane_dimensions(noise):
        for wrap in (False, True):
            for rows, columns in shared(SMALL_GRIDS, d, wrap):
                grid = Grid(rows, columns, wrap=wrap)
                field = noise.gradient_grid(grid, SEED, evolution=evolution(d))
                assert (field.shape, field.dtype) == ((rows, columns, 2), np.float32), (d, grid)
                assert np.isfinite(field).all(), (d, grid)


def _in_few_steps(known: np.ndarray, steps: np.ndarray) -> np.ndarray:
    """Return where a value rises in so few steps of float32 that no difference knows its slope.

    Where it is smooth, the shortest way rises a 64th of the longest.
    """
    rises = np.abs(known) * steps[:, np.newaxis, np.newaxis]
    least = np.where(rises > 0.0, rises, np.inf).min(axis=0)
    return (rises[0] > 0.0) & (16.0 * least >= rises[0])


def check_gradient_is_the_slope(noise: Noise) -> None:
    """Derivatives are those of the values, on any torus, and come with the value.

    Central differences know them, if the step is small for the features and large for float32:
    one of several has to agree.
    """
    steps = np.array([2.0**-6, 2.0**-9, 2.0**-12]) / (detail(noise) * magnification(noise))
    for d in dimensions(noise):
        # Far enough apart for what a transform magnifies.
        points = scattered(160 // 2**d + 40, d, -40.0, 60.0)
        for torus in tori(d):
            columns = tuple(map(np.ascontiguousarray, points.T))
            value, slopes = noise.slopes(columns, SEED, torus)
            # What float32 does to a value shows when a point hardly moves.
            hardly = points + steps[0] * 2.0**-18
            exact, moved = values_at(noise, np.stack((points, hardly)), torus)
            assert np.abs(value - exact).max() <= STATED * largest(noise), f"{d}-D {torus}: value"
            assert np.isfinite(slopes).all()
            known = differences(noise, points, torus, steps)
            rounding = 4.0 * np.percentile(np.abs(moved - exact), 90) + 3e-7 * largest(noise)
            allowed = rounding / steps[:, np.newaxis, np.newaxis] + 5e-3 * np.abs(known)
            error = np.abs(np.stack(slopes, axis=-1) - known)
            wrong = (error > allowed).all(axis=0) & ~_in_few_steps(known, steps)
            assert wrong.mean() <= ODD_ONES, (
                f"{d}-D {torus}: {wrong.sum()} of {wrong.size} slopes are wrong, by at least "
                f"{error.min(axis=0).max():.3g}"
            )


def check_gradient_grid_equals_points(noise: Noise) -> None:
    """The fast way on a grid gives the derivatives at its points, wherever it lies."""
    if depends_on_spacing(noise):
        return
    for d in plane_dimensions(noise):
        for origin, wrap in (((0.0, 0.0), False), ((-0.75, 3.125), False), ((0.4, 0.0), True)):
            grid = Grid(13, 22, origin=origin, wrap=wrap)
            points = points_of(grid, evolution(d))
            field = noise.gradient_grid(grid, SEED, evolution=evolution(d))
            expected = slopes_at(noise, points, grid.torus)[..., :2]
            what = f"{d}-D {origin}, wrap {wrap}"
            assert_slopes_agree(noise, field, expected, points, grid.torus, what)
            if not wrap:
                at_points = noise.gradient(points, SEED)[..., :2]
                assert_slopes_agree(noise, at_points, expected, points, None, what)


def check_gradient_repeats_after_the_periods(noise: Noise) -> None:
    """On a torus the derivatives have exactly its periods too."""
    for d in plane_dimensions(noise):
        points = scattered(80, d)
        for torus in (Grid(11, 16, wrap=True).torus, *tori(d)[1:]):
            assert torus is not None
            moved = periods_away(points, torus, ((0, 0), (1, 0), (-2, 3)))
            expected, *fields = slopes_at(noise, moved, torus)
            for field in fields:
                assert_slopes_agree(noise, field, expected, points, torus, f"{d}-D {torus}")


def check_gradient_is_the_same_again(noise: Noise) -> None:
    """The same call gives the same bits, on one thread and on two, and in any strips."""
    for d in plane_dimensions(noise)[:1]:
        grid, points, rest = Grid(18, 20, wrap=True), scattered(60, d), evolution(d)
        whole = noise.gradient_grid(grid, SEED, evolution=rest)
        assert noise.gradient_grid(grid, SEED, evolution=rest).tobytes() == whole.tobytes()
        with has_strips_of(5 * 20), has_blocks_of(60):
            one, two = (
                noise.gradient_grid(grid, SEED, evolution=rest, threads=count) for count in (1, 2)
            )
            first, second = (noise.gradient(points, SEED, threads=count) for count in (1, 2))
        assert one.tobytes() == two.tobytes(), "threads change the field"
        assert first.tobytes() == second.tobytes(), "threads change points"
        what = "strips"
        assert_slopes_agree(noise, one, whole, points_of(grid, rest), grid.torus, what)


def check_gradient_leaves_its_inputs(noise: Noise) -> None:
    """Neither the caller's points nor a grid's axes change."""
    for d in dimensions(noise):
        for dtype in (np.float32, np.float64):
            points = scattered(60, d).astype(dtype)
            before = points.copy()
            noise.gradient(points, SEED)
            assert points.tobytes() == before.tobytes(), "gradient wrote into its points"
            columns = tuple(np.ascontiguousarray(axis) for axis in before.T)
            for torus in tori(d):
                noise.slopes(columns, SEED, torus)
                assert np.stack(columns, -1).tobytes() == before.tobytes(), "slopes wrote"
    for d in plane_dimensions(noise):
        axes = Grid(6, 9, wrap=True).axes(evolution(d))
        x, y = axes.x.copy(), axes.y.copy()
        noise.gradient_plan(axes, SEED)(0, 6, np.empty((2, 6, 9), np.float32))
        assert axes.x.tobytes() == x.tobytes(), "gradient_plan wrote into x"
        assert axes.y.tobytes() == y.tobytes(), "gradient_plan wrote into y"


def check_gradient_refuses_bad_arguments(noise: Noise) -> None:
    """Bad seeds, points and numbers of coordinates are refused by name."""
    name = type(noise).__name__
    points = np.zeros((2, dimensions(noise)[0]))
    for seed in (1.0, "7", None, True, 1 << 32):
        with pytest.raises(ParameterError, match=rf"^{name}\.gradient: seed must be "):
            noise.gradient(points, seed)
        with pytest.raises(ParameterError, match=rf"^{name}\.gradient_grid: (seed|points) must "):
            noise.gradient_grid(Grid(2, 2), seed)
    for bad in (np.float64(0.5), np.zeros((2, 17)), np.full(points.shape, np.nan)):
        with pytest.raises(ParameterError, match=rf"^{name}\.gradient: points must "):
            noise.gradient(bad, SEED)
    for d in {1, 2, 3, 4} - {d for d in noise.dimensions if takes(noise, d)}:
        with pytest.raises(ParameterError, match=r"points must have .* coordinates; got"):
            noise.gradient(np.zeros((3, d)), SEED)
