# SPDX-License-Identifier: GPL-3.0-or-later
"""Contract of all noises on grids, tiles, seams and refusals; see `contract.py`."""

from __future__ import annotations

import numpy as np
import pytest

from noise_core import Grid, Noise, ParameterError
from tests.core.contract import (
    ROTATED,
    SEED,
    SKEWED,
    WIDE,
    assert_agree,
    depends_on_spacing,
    dimensions,
    evolution,
    has_blocks_of,
    has_strips_of,
    largest,
    periods_away,
    plane_dimensions,
    points_of,
    scattered,
    takes,
    values_at,
)


def check_threads_agree(noise: Noise) -> None:
    """One thread equals two, and many strips one, to the bit."""
    for d in plane_dimensions(noise):
        for wrap in (False, True):
            grid = Grid(18, 20, wrap=wrap)
            rest = evolution(d)
            whole = noise.sample_grid(grid, SEED, evolution=rest)
            with has_strips_of(5 * 20), has_blocks_of(60):
                one = noise.sample_grid(grid, SEED, evolution=rest, threads=1)
                two = noise.sample_grid(grid, SEED, evolution=rest, threads=2)
            assert one.tobytes() == two.tobytes(), "threads change the field"
            assert one.tobytes() == whole.tobytes(), "strips change the field"


def check_plan_writes_any_rows(noise: Noise) -> None:
    """A plan writes the rows it is asked for, in any order, and all of them, with the bits of the whole."""
    for d in plane_dimensions(noise):
        grid = Grid(23, 17)
        axes = grid.axes(evolution(d))
        plan = noise.plan(axes, SEED)
        pieces = np.full(grid.shape, np.nan, np.float32)
        for start, stop in ((17, 23), (0, 1), (1, 17)):
            plan(start, stop, pieces[start:stop])
        whole = noise.sample_grid(grid, SEED, evolution=evolution(d))
        assert np.isfinite(pieces).all(), "plan left samples out"
        assert pieces.tobytes() == whole.tobytes(), "rows differ from the whole"


def check_grid_equals_points(noise: Noise) -> None:
    """The fast way on a grid gives the values of `sample` at the same points, wherever it lies."""
    if depends_on_spacing(noise):
        return
    for d in plane_dimensions(noise):
        for origin in ((0.0, 0.0), (-0.75, 3.125), (12.3, -7.7)):
            grid = Grid(13, 22, origin=origin)
            points = points_of(grid, evolution(d))
            field = noise.sample_grid(grid, SEED, evolution=evolution(d))
            assert_agree(noise, field, noise.sample(points, SEED), points, None, f"{d}-D {origin}")
        grid = Grid(13, 22, origin=(0.4, 0.0), wrap=True)
        points = points_of(grid, evolution(d))
        field = noise.sample_grid(grid, SEED, evolution=evolution(d))
        expected = values_at(noise, points, grid.torus)
        assert_agree(noise, field, expected, points, grid.torus, f"{d}-D wrapped")


def check_repeats_after_its_periods(noise: Noise) -> None:
    """On a torus the noise has exactly its periods, also when it is turned, skewed or not square."""
    tori = (Grid(16, 16, wrap=True).torus, Grid(11, 16, wrap=True).torus, ROTATED, SKEWED, WIDE)
    for d in plane_dimensions(noise):
        points = scattered(80, d)
        for torus in tori:
            assert torus is not None
            # All in one call: a point does not depend on its company, which is a promise of its own.
            moved = periods_away(points, torus, ((0, 0), (1, 0), (0, 1), (-2, 3)))
            expected, *fields = values_at(noise, moved, torus)
            for field in fields:
                assert_agree(noise, field, expected, points, torus, f"{d}-D {torus}")


def check_seam_is_like_the_interior(noise: Noise) -> None:
    """Across the seam of a wrapping grid samples differ no more than inside."""
    d = plane_dimensions(noise)[0]
    for rows, columns in ((60, 60), (36, 60), (60, 36)):
        grid = Grid(rows, columns, wrap=True)
        fields = [noise.sample_grid(grid, SEED + i, evolution=evolution(d)) for i in range(3)]
        for axis in (0, 1):
            inside = max(np.abs(np.diff(field, axis=axis)).max() for field in fields)
            seam = max(np.abs(f.take(0, axis) - f.take(-1, axis)).max() for f in fields)
            allowed = 1.4 * inside + 1e-5 * largest(noise)
            assert seam <= allowed, f"seam {seam:.3g}, inside {inside:.3g}, {grid.shape}"


def check_neighbors_share_borders(noise: Noise) -> None:
    """Tiles of one world share their border samples, to the bit."""
    for d in plane_dimensions(noise):
        for rows, columns in ((17, 17), (9, 25)):
            rest = evolution(d)
            home = Grid(rows, columns)
            field = noise.sample_grid(home, SEED, evolution=rest)
            for axis, origin in ((1, (1.0, 0.0)), (0, (0.0, home.depth))):
                other = noise.sample_grid(Grid(rows, columns, origin=origin), SEED, evolution=rest)
                border = field.take(-1, axis)
                what = f"{d}-D neighbor at {origin}"
                assert border.tobytes() == other.take(0, axis).tobytes(), what


def check_meters_change_nothing(noise: Noise) -> None:
    """A noise is in tiles: how many meters these are does not count."""
    for d in plane_dimensions(noise):
        rest = evolution(d)
        field = noise.sample_grid(Grid(17, 25), SEED, evolution=rest)
        for size in (1e-3, 5000.0):
            large = noise.sample_grid(Grid(17, 25, size=size), SEED, evolution=rest)
            assert field.tobytes() == large.tobytes(), f"{d}-D, {size:g} m"


def check_resolutions_agree(noise: Noise, coarse: int = 33) -> None:
    """Grids of different resolution agree on the samples they share."""
    if depends_on_spacing(noise):
        return
    for d in plane_dimensions(noise):
        for wrap in (False, True):
            small = Grid(coarse, coarse, wrap=wrap)
            fine = 2 * coarse if wrap else 2 * coarse - 1
            rest = evolution(d)
            one = noise.sample_grid(small, SEED, evolution=rest)
            field = noise.sample_grid(Grid(fine, fine, wrap=wrap), SEED, evolution=rest)
            points = points_of(small, rest)
            assert_agree(noise, one, field[::2, ::2], points, small.torus, f"{d}-D, wrap {wrap}")


def check_far_tiles_are_as_fine(noise: Noise) -> None:
    """Far from the origin neighboring samples still differ smoothly: no stairs."""
    for d in plane_dimensions(noise)[:1]:
        for column in (0, 1):
            near, far = (
                _bend(noise, origin, column, d) for origin in ((1.0, -2.0), (1000.0, -2000.0))
            )
            assert far <= 4.0 * near + 4e-5 * largest(noise), f"bends {far:.3g}, near {near:.3g}"


def _bend(noise: Noise, origin: tuple[float, float], axis: int, dimension: int) -> float:
    """Return how large second differences of samples 1/9000 tile apart are: nine of ten are less."""
    shape = (2, 200) if axis == 0 else (200, 2)
    window = Grid(9001, 9001, origin=origin).window(4000, 4000, *shape)
    field = noise.sample_grid(window, SEED, evolution=evolution(dimension))
    return float(np.percentile(np.abs(np.diff(field.astype(np.float64), 2, axis=1 - axis)), 90))


def check_precision_of_points(noise: Noise) -> None:
    """Points in float32 give the values of the same points in float64."""
    for d in dimensions(noise):
        points = np.floor(scattered(100, d) * 1024.0) / 1024.0 + 1.0 / 2048.0
        exact = noise.sample(points, SEED)
        single = noise.sample(points.astype(np.float32), SEED)
        assert np.median(np.abs(single - exact)) <= 1e-4 * largest(noise)


def check_refuses_other_dimensions(noise: Noise) -> None:
    """Numbers of coordinates that the type does not take are refused, with the ones it takes."""
    taken = [d for d in noise.dimensions if takes(noise, d)]
    assert taken, "takes no points at all"
    for d in {1, 2, 3, 4} - set(taken):
        with pytest.raises(ParameterError, match=r"points must have .* coordinates; got"):
            noise.sample(np.zeros((3, d)), SEED)
    for d in {2, 3, 4} - set(taken):
        with pytest.raises(ParameterError, match=r"points must have .* coordinates; got"):
            noise.sample_grid(Grid(3, 3), SEED, evolution=evolution(d))


def check_refuses_bad_arguments(noise: Noise) -> None:
    """Bad seeds, points, threads and evolutions are refused by name."""
    name = type(noise).__name__
    d = dimensions(noise)[0]
    points = np.zeros((2, d))
    for seed in (1.0, "7", None, True, 1 << 32, -(1 << 31) - 1, np.float32(3)):
        with pytest.raises(ParameterError, match=rf"^{name}\.sample: seed must be "):
            noise.sample(points, seed)
        with pytest.raises(ParameterError, match=rf"^{name}\.sample_grid: (seed|points) must "):
            noise.sample_grid(Grid(2, 2), seed)
    for bad, text in (
        (np.float64(0.5), r"points must have shape \(\.\.\., d\) with d from 1 to 16; got \(\)"),
        (np.zeros((2, 0)), r"points must have shape .*; got \(2, 0\)"),
        (np.zeros((2, 17)), r"points must have shape .*; got \(2, 17\)"),
        (np.full((2, d), np.nan), "points must be finite; got nan or inf"),
        (np.full((2, d), np.inf, np.float32), "points must be finite; got nan or inf"),
        (np.full((2, d), "here"), "points must be numbers; got an array of"),
    ):
        with pytest.raises(ParameterError, match=rf"^{name}\.sample: {text}"):
            noise.sample(bad, SEED)
    with pytest.raises(ParameterError, match="threads must be a whole number of at least 1; got 0"):
        noise.sample(points, SEED, threads=0)
    if plane_dimensions(noise):
        with pytest.raises(ParameterError, match="evolution must be up to 2 finite numbers; got"):
            noise.sample_grid(Grid(2, 2), SEED, evolution=(1.0, 2.0, 3.0))


def check_finest_is_a_size(noise: Noise) -> None:
    """`finest` is a finite number of cells, at least that of any child in place."""
    assert isinstance(noise.finest(), float)
    assert 0.0 <= noise.finest() < float("inf")
