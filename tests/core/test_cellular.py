# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests of cellular noise against a plain search over very many cells."""

from __future__ import annotations

import functools
import itertools

import numpy as np
import pytest

from noise_core import Grid
from noise_core.base.torus import Torus, square_lattice
from noise_core.noises import Cellular, cellular
from noise_core.voronoi.distances import Metric
from noise_core.voronoi.feature_points import FeaturePoints, rings
from noise_core.voronoi.soft_minimum import largest_drop, soft_minimum

OPTIONS, OUTPUTS = (
    next(parameter.options for parameter in Cellular.parameters() if parameter.name == name)
    for name in ("metric", "output")
)
WIDE = {1: 8, 2: 6, 3: 4, 4: 3}
"""How many cells away the plain search goes: 17, 169, 729 and 2401 cells."""

TOLERANCE = 1e-6


def lengths(vectors, metric, exponent):
    absolute = np.abs(vectors)
    longest = absolute.max(-1)
    if metric == "chebyshev":
        return longest
    power = {"manhattan": 1.0, "minkowski": exponent}.get(metric, 2.0)
    scaled = absolute / np.maximum(longest, 1e-300)[..., np.newaxis]
    return longest * (scaled**power).sum(-1) ** (1.0 / power)


class Reference:
    """All distances from some points, in float64, to the feature points of (2 wide + 1)^d cells."""

    def __init__(self, points, frequency, jitter, metric, exponent, seed, torus=None):
        lattice = square_lattice(frequency, torus)
        dimension = points.shape[-1]
        coordinates = np.stack(lattice.coordinates(tuple(points.T)), -1)
        cells = np.floor(coordinates)
        wide = WIDE[dimension]
        steps = np.array(list(itertools.product(range(-wide, wide + 1), repeat=dimension)))
        around = (cells[:, np.newaxis] + steps).astype(np.int32)
        self.coordinates, self.frequency, self.torus = coordinates, frequency, torus
        self.indices = [np.ascontiguousarray(axis) for axis in np.moveaxis(around, -1, 0)]
        self.feature_points = FeaturePoints(lattice, seed, jitter)
        inside = np.stack(self.feature_points.positions(self.indices), -1).astype(np.float64)
        self.vectors = inside + steps - (coordinates - cells)[:, np.newaxis]
        self.distances = lengths(self.vectors, metric, exponent)
        self.sorted = np.sort(np.partition(self.distances, 3, -1)[:, :4], -1)

    def edge(self):
        winner = self.distances.argmin(-1)[:, np.newaxis, np.newaxis]
        own = np.take_along_axis(self.vectors, winner, 1)
        apart = self.vectors - own
        length = np.linalg.norm(apart, axis=-1)
        length[length == 0.0] = np.nan
        return np.nanmin((apart * (self.vectors + own)).sum(-1) / 2.0 / length, -1)

    def smooth(self, width):
        low, high = self.sorted[:, 0] - width, self.sorted[:, 0].copy()
        for _ in range(50):
            middle = (low + high) / 2.0
            inside = np.maximum(0.0, middle[:, np.newaxis] + width - self.distances)
            is_high = (inside**2).sum(-1) >= width**2
            low, high = np.where(is_high, low, middle), np.where(is_high, middle, high)
        return high

    def cell(self):
        winner = self.distances.argmin(-1)[:, np.newaxis]
        cells = [np.take_along_axis(axis, winner, 1)[:, 0] for axis in self.indices]
        return self.feature_points.cell_values(cells).astype(np.float64)

    def along(self, axis):
        winner = self.distances.argmin(-1)[:, np.newaxis]
        if self.torus is not None:  # which of its places counts is said by the points themselves
            cells = [np.take_along_axis(index, winner, 1)[:, 0] for index in self.indices]
            return self.feature_points.tile_coordinates(cells, axis).astype(np.float64)
        way = np.take_along_axis(self.vectors[..., axis], winner, 1)[:, 0]
        return (self.coordinates[:, axis] + way) / self.frequency % 1.0 * 2.0 - 1.0

    def expected(self, noise, dimension):
        power = 2.0 if noise.metric == "squared" else 1.0
        first, second, third, fourth = (self.sorted**power).T
        results = {
            "f1": lambda: first,
            "f2": lambda: second,
            "f3": lambda: third,
            "f4": lambda: fourth,
            "f2_minus_f1": lambda: second - first,
            "f1_plus_f2": lambda: first + second,
            "f1_times_f2": lambda: first * second,
            "edge": self.edge,
            "smooth_f1": lambda: self.smooth(noise.smoothness),
            "cell": self.cell,
            "x": lambda: self.along(0),
            "y": lambda: self.along(1),
        }
        result = results[noise.output]()
        if noise.output == "smooth_f1":
            result = np.sign(result) * np.abs(result) ** power
        low, high = noise.output_range(dimension)
        return (result - low) / (high - low) * 2.0 - 1.0


@functools.lru_cache(maxsize=8)
def searched(dimension, places, *arguments):
    """Return the reference of points that are given as bytes: the outputs of a test share it."""
    return Reference(np.frombuffer(places).reshape(-1, dimension), *arguments)


def assert_is_reference(noise, points, found, seed, torus=None):
    metric = "euclidean" if noise.output == "edge" else noise.metric
    how = (noise.frequency, noise.jitter, metric, noise.exponent)
    reference = searched(points.shape[-1], points.tobytes(), *how, seed, torus)
    error = np.abs(found - reference.expected(noise, points.shape[-1]))
    if noise.output in ("cell", "x", "y"):
        # On an edge either cell is right.
        error = error[reference.sorted[:, 1] - reference.sorted[:, 0] > 1e-5]
    assert error.max() < TOLERANCE


def scattered(count, dimension, seed=1):
    """Return points in [-3, 3], spread by the golden ratio's relatives: no two runs differ."""
    root = {
        1: 1.618033988749895,
        2: 1.324717957244746,
        3: 1.2207440846057596,
        4: 1.1673039782614187,
    }
    steps = root[dimension] ** -np.arange(1.0, dimension + 1.0)
    return (np.arange(1, count + 1)[:, np.newaxis] * steps + seed * 0.17) % 1.0 * 6.0 - 3.0


@pytest.mark.newest
# What stands first varies first: outputs, so that the search of one place serves all of them.
@pytest.mark.parametrize("output", OUTPUTS)
@pytest.mark.parametrize("metric", OPTIONS)
@pytest.mark.parametrize("jitter", [1.0, 0.4])
def test_points_equal_a_wide_search(output, metric, jitter):
    noise = Cellular(frequency=2.0, output=output, metric=metric, jitter=jitter)
    for dimension, count in ((1, 500), (2, 1500), (3, 150))[output == "y" :]:
        points = scattered(count, dimension)
        assert_is_reference(noise, points, noise.sample(points, seed=5), 5)


@pytest.mark.newest
@pytest.mark.parametrize("output", ["f1", "f3", "f4", "edge", "smooth_f1", "cell"])
@pytest.mark.parametrize("metric", OPTIONS)
def test_four_dimensions_equal_a_wide_search(output, metric):
    noise = Cellular(frequency=2.0, output=output, metric=metric)
    points = scattered(40, 4)
    assert_is_reference(noise, points, noise.sample(points, seed=6), 6)


def test_points_far_from_each_other_equal_a_wide_search():
    noise = Cellular(frequency=300.0, output="f2")
    points = scattered(400, 2)
    assert_is_reference(noise, points, noise.sample(points, seed=2), 2)


@pytest.fixture
def candidates(monkeypatch):
    """Looks for candidates on small grids too, where samples are else points."""
    monkeypatch.setattr(Cellular, "_least_samples", lambda noise, axes: 5.0)


GRIDS = [
    (Grid(60, 64), 3.0),
    (Grid(48, 64, wrap=True), 2.3),
    (Grid(64, 64, wrap=True), 0.4),
    (Grid(50, 70, origin=(1000.0, -7.0)), 9.0),
    (Grid(40, 40), 0.3),
    (Grid(40, 40), 30.0),
]


@pytest.mark.parametrize("output", OUTPUTS)
@pytest.mark.parametrize("metric", OPTIONS)
def test_grids_equal_a_wide_search(output, metric, candidates):
    for grid, frequency in GRIDS:
        noise = Cellular(frequency=frequency, output=output, metric=metric)
        points = np.stack(grid.axes().points(0, grid.rows), -1).reshape(-1, 2)[::7]
        found = noise.sample_grid(grid, seed=3).reshape(-1)[::7]
        assert_is_reference(noise, points, found, 3, grid.torus)


@pytest.mark.parametrize("output", OUTPUTS)
@pytest.mark.parametrize("evolution", [(0.37,), (0.2, -1.3)])
def test_slices_equal_points(output, evolution, candidates):
    noise = Cellular(frequency=4.0, output=output)
    grid = Grid(17, 22)
    points = np.stack(grid.axes(evolution).points(0, grid.rows), -1)
    difference = noise.sample_grid(grid, seed=4, evolution=evolution) - noise.sample(points, seed=4)
    assert np.abs(difference).max() < TOLERANCE


@pytest.mark.parametrize("frequency", [0.7, 3.0, 24.0])
@pytest.mark.parametrize(
    ("output", "metric"),
    [(output, "euclidean") for output in OUTPUTS if output != "edge"]
    + [("f2", metric) for metric in OPTIONS],
)
def test_grid_equals_points_to_the_bit(output, metric, frequency, candidates):
    noise = Cellular(frequency=frequency, output=output, metric=metric, smoothness=0.0)
    grid = Grid(130, 200)
    points = np.stack(grid.axes().points(0, grid.rows), -1)
    assert np.array_equal(noise.sample_grid(grid, seed=8), noise.sample(points, seed=8))


@pytest.mark.parametrize("output", OUTPUTS)
@pytest.mark.parametrize("least", [None, 5.0, 25.0])
def test_windows_and_strips_equal_the_whole_to_the_bit(output, least, monkeypatch):
    if least:  # with 25 the whole has enough columns for candidates, and the window has not
        monkeypatch.setattr(cellular, "_LEAST_SAMPLES_OF_DISTANCES", least)
        monkeypatch.setattr(cellular, "_LEAST_SAMPLES", {2: least})
        monkeypatch.setattr(cellular, "_SHORT_ROW", 180)
    noise = Cellular(frequency=6.0, output=output)
    grid = Grid(150, 180)
    whole = noise.sample_grid(grid, seed=9, threads=1)
    window = noise.sample_grid(grid.window(31, 57, 83, 91), seed=9, threads=2)
    assert np.array_equal(window, whole[31:114, 57:148])
    rows = noise.plan(grid.axes(), 9)
    strip = np.empty((7, 180), np.float32)
    rows(44, 51, strip)
    assert np.array_equal(strip, whole[44:51])


@pytest.mark.parametrize("output", OUTPUTS)
def test_a_slanted_torus_repeats(output):
    torus = Torus(((1.1, -0.4), (0.3, 0.9)))
    noise = Cellular(frequency=5.0, output=output)
    points = scattered(3000, 2)
    there = points + [1.1 - 2 * 0.4, 0.3 + 2 * 0.9]
    here = noise.values(tuple(points.T), 3, torus)
    error = np.abs(noise.values(tuple(there.T), 3, torus) - here)
    # On an edge either cell is right.
    assert np.sort(error)[-3 if output == "cell" else -1] < TOLERANCE


def test_precision_next_to_feature_points():
    noise = Cellular(frequency=4.0)
    feature_points = FeaturePoints(square_lattice(4.0, None), 1, 1.0)
    cells = [np.arange(4000, 4040, dtype=np.int32), np.arange(-20, 20, dtype=np.int32)]
    places = np.stack(feature_points.positions(cells), -1) + np.stack(cells, -1)
    for away in (0.0, 1e-6, 1e-3):
        points = (places + [away, 0.0]) / 4.0
        distances = (noise.sample(points, seed=1) + 1.0) / 2.0 * np.sqrt(2.0)
        assert np.abs(distances - away).max() < 3e-7


@pytest.mark.newest
@pytest.mark.parametrize("metric", OPTIONS)
@pytest.mark.parametrize("dimension", [1, 2, 3, 4])
def test_bounds_are_attained(metric, dimension):
    """The stated largest distances: no place has farther ones, and one comes close."""
    measure = Metric(metric, 3.0)
    for jitter in (0.0, 0.3, 1.0):
        largest = [
            *measure.largest(dimension, jitter),
            measure.largest_fourth(dimension, jitter),
        ]
        axis = np.linspace(0.0, 0.5, {1: 51, 2: 51, 3: 11, 4: 5}[dimension])
        steps = np.array(list(itertools.product((-2, -1, 0, 1, 2), repeat=dimension)))
        places = np.stack(np.meshgrid(*[axis] * dimension), -1).reshape(-1, 1, dimension)
        found = lengths(np.abs(steps - places) + jitter / 2.0, metric, 3.0)
        highest = np.sort(np.partition(found, 3, -1)[:, :4], -1).max(axis=0)
        assert np.allclose(highest[:3], largest[:3], atol=1e-9)
        # The place with the farthest fourth point need not lie on these axes.
        assert highest[3] <= largest[3] + 1e-9
        assert highest[3] == pytest.approx(largest[3], abs=0.01 if dimension < 3 else 0.03)


@pytest.mark.newest
@pytest.mark.parametrize("metric", OPTIONS)
@pytest.mark.parametrize("exponent", [1.0, 3.0, 32.0])
@pytest.mark.parametrize("jitter", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("dimension", [2, 3])
def test_the_bound_of_the_fourth_distance_is_attained(metric, exponent, jitter, dimension):
    if metric != "minkowski" and exponent != 3.0:
        return
    measure = Metric(metric, exponent)
    # No place is farther than half a cell from 0: whatever lies two cells away, four others are nearer.
    steps = np.array(list(itertools.product((-1, 0, 1), repeat=dimension)))

    def fourth(places):
        found = lengths(np.abs(steps - places[:, np.newaxis]) + jitter / 2.0, metric, exponent)
        return np.partition(found, 3, -1)[:, 3]

    stated = measure.largest_fourth(dimension, jitter)
    everywhere = np.random.default_rng(1).uniform(0.0, 0.5, (4000, dimension))
    assert fourth(everywhere).max() <= stated + 1e-9
    # Along the lines whose ends the docstring names.
    line, half = np.linspace(0.0, 0.5, 2001), np.full(2001, 0.5)
    places = [np.stack([line, line, *[0.0 * line] * (dimension - 2)], -1)]
    places.append(np.stack([half, *[line] * (dimension - 1)], -1))
    assert max(fourth(place).max() for place in places) == pytest.approx(stated, abs=1e-3)


def test_reach_in_the_plane():
    euclidean = Metric("euclidean")
    limits = [*euclidean.largest(2, 1.0), euclidean.largest_fourth(2, 1.0)]
    counts = [sum(map(len, rings(euclidean, 2, 1.0, limit))) for limit in limits]
    assert counts == [21, 25, 25, 25]
    assert sum(map(len, rings(Metric("euclidean"), 2, 0.0, 0.75))) == 9


@pytest.mark.parametrize("output", OUTPUTS)
@pytest.mark.parametrize("metric", OPTIONS)
def test_values_keep_to_the_bounds_and_use_them(output, metric, candidates):
    field = Cellular(frequency=12.0, output=output, metric=metric).sample_grid(Grid(150, 150), 1)
    assert field.min() >= -1.0
    assert field.max() <= 1.0
    assert field.max() - field.min() > 0.5


def test_inverted_flips_the_sign():
    for output in OUTPUTS:
        grid = Grid(40, 40)
        plain = Cellular(output=output).sample_grid(grid, 2)
        assert np.array_equal(Cellular(output=output, inverted=True).sample_grid(grid, 2), -plain)


def test_edges_ignore_the_metric():
    grid = Grid(50, 50)
    plain = Cellular(output="edge").sample_grid(grid, 2)
    assert np.array_equal(Cellular(output="edge", metric="manhattan").sample_grid(grid, 2), plain)


def test_cells_are_flat_and_uniform():
    field = Cellular(frequency=50.0, output="cell").sample_grid(Grid(1000, 1000), 3)
    values = np.unique(field)
    assert 2200 < values.size <= 2700
    share, _ = np.histogram(values, bins=4, range=(-1.0, 1.0))
    assert np.abs(share / values.size - 0.25).max() < 0.05


def test_axes_of_feature_points_are_independent():
    cells = [axis.ravel() for axis in np.mgrid[0:12, 0:12, 0:12, 0:12].astype(np.int32)]
    feature_points = FeaturePoints(square_lattice(1.0, None), 12, 1.0)
    numbers = [*feature_points.positions(cells), feature_points.cell_values(cells)]
    assert np.abs(np.corrcoef(numbers) - np.eye(5)).max() < 0.03
    for place in numbers[:4]:
        assert 0.0 < place.min() < 0.001
        assert 0.999 < place.max() < 1.0


def test_minkowski_meets_its_relatives():
    grid = Grid(60, 60)

    def field(**values):
        return Cellular(frequency=3.0, **values).sample_grid(grid, 1)

    for exponent, metric in ((1.0, "manhattan"), (2.0, "euclidean")):
        found = field(metric="minkowski", exponent=exponent)
        assert np.abs(found - field(metric=metric)).max() < TOLERANCE
    # 2^(1/32) is how far the largest exponent still is from the longest axis.
    far = field(metric="minkowski", exponent=32.0) - field(metric="chebyshev")
    assert np.abs(far).max() < 2.0 * (2.0 ** (1.0 / 32.0) - 1.0)


def test_smooth_f1_has_no_creases():
    # Squared distances have no cone around each point, so that all that is left are creases.
    x = np.linspace(0.0, 1.0, 20001)
    points = np.stack((x, np.full_like(x, 0.37)), -1)
    kinks = {
        smoothness: np.abs(
            np.diff(
                Cellular(output="smooth_f1", smoothness=smoothness, metric="squared")
                .sample(points, 3)
                .astype(np.float64)[::20],
                2,
            )
        ).max()
        for smoothness in (0.0, 0.5)
    }
    assert kinks[0.5] < kinks[0.0] / 20.0


def test_soft_minimum_of_equal_values():
    for count in (1, 2, 3, 4, 8, 21):
        values = np.full((count, 5), 0.7, np.float32)
        assert np.allclose(soft_minimum(values, 0.25), 0.7 - 0.25 * (1.0 - count**-0.5), atol=2e-7)
    assert largest_drop(2, 0.25) == pytest.approx(0.125)


def test_a_call_leaves_numpys_buffers_as_they_were(candidates):
    getbufsize_before = np.getbufsize()
    Cellular().sample_grid(Grid(20, 20), threads=1)
    assert np.getbufsize() == getbufsize_before


@pytest.mark.parametrize("dimension", [1, 2, 3])
@pytest.mark.parametrize("output", ["f1", "f2_minus_f1", "cell", "edge"])
def test_positions_in_a_row_equal_those_out_of_order(dimension, output):
    """Neighbors in one cell look its points up together: that changes no bit."""
    steps = np.linspace(0.0, 3.0, 6000)[:, np.newaxis]
    row = steps * np.array([1.0, 0.7, 0.3])[:dimension] + 0.05 * np.sin(9.0 * steps)
    order = np.random.default_rng(4).permutation(len(row))
    noise = Cellular(frequency=5.0, output=output)
    together, apart = noise.sample(row, seed=7), noise.sample(row[order], seed=7)
    assert together[order].tobytes() == apart.tobytes()
