# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests of `Scatter` beyond the contract of all noises."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from noise_core import Grid
from noise_core.noises import Scatter
from noise_core.tilings.shapes import OUTLINES

GRID = Grid(256, 256, wrap=True)

ALONE = {"frequency": 1.0, "per_cell": 1, "jitter": 0.0, "size_variation": 0.0, "spread": 0.0}
"""One shape in the middle of each tile."""


def fields(grid=GRID, seed=3, **parameters):
    """Return all that is known of the shapes: edge, value, x, y."""
    return [
        Scatter(output=output, **parameters).sample_grid(grid, seed)
        for output in ("edge", "value", "x", "y")
    ]


@pytest.mark.parametrize(
    ("shape", "inside", "outside"),
    [
        ("ellipse", [(0.39, 0.0), (0.0, -0.19), (0.27, 0.13)], [(0.41, 0.0), (0.0, 0.21), (0.3, 0.15)]),
        ("box", [(0.39, 0.19), (-0.39, -0.19)], [(0.41, 0.0), (0.0, 0.21)]),
        ("leaf", [(0.39, 0.0), (0.0, 0.19), (0.2, 0.14)], [(0.39, 0.02), (0.2, 0.16)]),
        ("blade", [(-0.35, 0.13), (0.38, 0.0), (0.0, 0.09)], [(0.0, 0.11), (-0.41, 0.0), (0.41, 0.0)]),
    ],
)  # fmt: skip
def test_shapes_have_their_outline(shape, inside, outside):
    one = Scatter(shape=shape, size=0.8, width=0.5, rounding=0.0, output="edge", **ALONE)
    at = one.sample(np.array([*inside, *outside]) + 0.5, 1)
    assert (at[: len(inside)] > -1.0).all() and (at[len(inside) :] == -1.0).all()
    assert one.sample([[0.5, 0.5]], 1)[0] >= -0.01


def test_stones_lie_within_their_ellipse_and_rounding_wears_them_down_to_it():
    common = {"size": 1.0, "frequency": 6.0, "per_cell": 1, "jitter": 0.0, "output": "edge"}
    stone, worn, ellipse = (
        Scatter(shape=shape, rounding=rounding, **common).sample_grid(GRID, 3) > -1.0
        for shape, rounding in (("stone", 0.0), ("stone", 1.0), ("ellipse", 0.0))
    )
    assert 0.6 * ellipse.sum() < stone.sum() < 0.95 * ellipse.sum()
    assert not (stone & ~ellipse).any()
    assert np.mean(worn != ellipse) < 0.001


def test_places_are_those_within_the_shape():
    angle = np.radians(30.0)
    one = {"shape": "ellipse", "size": 0.8, "width": 0.5, "rotation": 30.0, **ALONE}
    way = np.array([np.cos(angle), np.sin(angle)]) * 0.2 + [-np.sin(angle) * 0.1, np.cos(angle) * 0.1]  # fmt: skip
    points = np.array([way + 0.5, [0.02, 0.02]])
    x, y, edge = (Scatter(output=name, **one).sample(points, 1) for name in ("x", "y", "edge"))
    np.testing.assert_allclose(x, [0.5, 0.0], atol=2e-3)
    np.testing.assert_allclose(y, [0.5, 0.0], atol=2e-3)
    np.testing.assert_allclose(edge, [1.0 - 2.0 * np.sqrt(0.5), -1.0], atol=2e-3)


@pytest.mark.parametrize("shape", OUTLINES)
@pytest.mark.parametrize("overlap", ["order", "deepest"])
def test_what_is_seen_is_what_all_shapes_would_be_one_by_one(shape, overlap):
    """Shapes of the cells one by one, from the points' way, are the heap of the grid's."""
    parameters = {"shape": shape, "overlap": overlap, "frequency": 5.0, "per_cell": 2, "size": 2.0,
                  "bend": 0.4, "width": 0.4}  # fmt: skip
    heap = fields(Grid(60, 60, wrap=True), **parameters)
    axes = Grid(60, 60, wrap=True).axes()
    flat = tuple(np.broadcast_arrays(axes.x, axes.y[:, np.newaxis]))
    for one, output in zip(heap, ("edge", "value", "x", "y")):
        noise = Scatter(output=output, **parameters)
        values = noise.values(tuple(axis.ravel() for axis in flat), 3, axes.torus)
        np.testing.assert_allclose(one.ravel(), values, atol=1e-6)


@pytest.mark.newest
@pytest.mark.newest
@pytest.mark.parametrize("shape", OUTLINES)
@pytest.mark.parametrize("overlap", ["order", "deepest"])
@pytest.mark.parametrize(
    ("size", "width", "bend"), [(0.2, 1.0, 0.0), (3.0, 0.01, 0.0), (2.5, 0.05, 1.0), (0.02, 0.4, 0.3)]
)  # fmt: skip
def test_spans_of_rows_hold_all_of_a_shape(shape, overlap, size, width, bend):
    """On a grid only those rows are worked out that a shape is found to cross: to the bit."""
    noise = Scatter(shape=shape, overlap=overlap, frequency=5.0, size=size, width=width, bend=bend,
                    per_cell=2, rounding=0.3)  # fmt: skip
    for wrap in (True, False):
        axes = Grid(60, 50, wrap=wrap).axes()
        x, y = axes.x[np.newaxis, :], axes.y[:, np.newaxis]
        flat = tuple(axis.ravel() for axis in np.broadcast_arrays(x, y))
        for output in ("edge", "value"):
            one = noise.with_values(output=output)
            expected = one.values(flat, 3, axes.torus).reshape(60, 50)
            np.testing.assert_array_equal(one.values((x, y), 3, axes.torus), expected)
            # Neither even nor rising axes: these are seen point by point.
            backwards = one.values((x[:, ::-1], y), 3, axes.torus)
            np.testing.assert_array_equal(backwards[:, ::-1], expected)
            some = np.r_[0:20, 31:60]
            np.testing.assert_array_equal(one.values((x, y[some]), 3, axes.torus), expected[some])


def test_the_larger_number_lies_on_top():
    """Whole shapes are seen where their number is larger than that of all others there."""
    alone = {"shape": "ellipse", "frequency": 6.0, "size": 1.8, "width": 1.0}
    both = Scatter(per_cell=2, output="value", **alone).sample_grid(GRID, 3)
    first = Scatter(per_cell=1, output="value", **alone).sample_grid(GRID, 3)
    assert (both >= first).all() and (both > first).mean() > 0.2
    assert np.isin(both[both == first], first).all()


def test_deepest_shapes_meet_where_they_are_equally_deep():
    deep, ordered = (
        Scatter(overlap=overlap, output="edge", frequency=8.0, size=1.8).sample_grid(GRID, 3)
        for overlap in ("deepest", "order")
    )
    assert (deep >= ordered - 1e-3).all() and (deep > ordered + 0.1).mean() > 0.1
    # Nothing jumps except into the gaps.
    assert np.abs(np.diff(deep, axis=1)).max() < 0.5 < np.abs(np.diff(ordered, axis=1)).max()


@pytest.mark.parametrize("size", [0.4, 1.0, 1.9, 3.0])
@pytest.mark.parametrize(("shape", "bend"), [("ellipse", 0.0), ("box", 0.0), ("blade", 1.0)])
def test_no_shape_is_cut_off(size, shape, bend):
    """However far shapes reach: where one ends, the distance to its border is nearly zero."""
    noise = Scatter(output="edge", shape=shape, size=size, bend=bend, width=1.0, density=0.03,
                    size_variation=0.0, frequency=8.0, rounding=0.0)  # fmt: skip
    edge = noise.sample_grid(Grid(1024, 1024, wrap=True), 5)
    step = 2.0 / (0.5 * size * 1024.0 / 8.0) * (1.0 + 6.0 * (shape == "blade") + 2.0 * bend)
    value = noise.with_values(output="value").sample_grid(Grid(1024, 1024, wrap=True), 5)
    for axis in (0, 1):
        roll_before, after = np.roll(edge, 1, axis), edge
        into_nothing = (np.roll(value, 1, axis) > -1.0) & (value == -1.0)
        assert (roll_before[into_nothing] < -1.0 + 3.0 * step).all()
        assert (after[into_nothing] == -1.0).all()


def test_density_leaves_shapes_out():
    counts = [
        len(np.unique(Scatter(output="value", frequency=8.0, per_cell=1, size=0.5, density=density).sample_grid(GRID, 3)))
        for density in (0.0, 0.5, 1.0)
    ]  # fmt: skip
    assert counts[0] == 1 and counts[2] == 65 and 20 < counts[1] < 45


def test_few_samples_of_many_cells_are_those_of_many():
    """The result is the same with a table of all cells and without."""
    noise = Scatter(output="value", frequency=300.0)
    points = np.random.default_rng(0).uniform(0.0, 1.0, (2000, 2))
    together = noise.sample(points, 3)
    single = np.concatenate([noise.sample(points[[n]], 3) for n in range(0, 2000, 100)])
    np.testing.assert_array_equal(together[::100], single)


def test_a_grid_is_the_same_whatever_its_blocks():
    noise = Scatter(output="y", frequency=7.0, shape="leaf", bend=0.5)
    whole = noise.sample_grid(GRID, 3)
    for row, column in itertools.product((0, 100), (0, 37)):
        window = noise.sample_grid(GRID.window(row, column, 50, 90), 3)
        np.testing.assert_allclose(window, whole[row : row + 50, column : column + 90], atol=1e-5)


def test_zeros_where_no_shape_is_have_no_sign():
    """It came of candidates that a window has, and the whole has not; found by chance."""
    grid = Grid(37, 29, wrap=True, origin=(0.25, -0.5))
    leaves = Scatter(
        output="y", shape="leaf", frequency=25.467916557513213, per_cell=2, size=2.908398084406868,
        size_variation=0.0, width=0.1805367592129542, bend=0.9140152308458467, rotation=0.0,
        density=0.27502896435861374, spread=0.5013447322606527, jitter=0.037703181183739616,
        joint=0.08105810424140204, bevel=0.7884611670696948, rounding=1.0, unevenness=1.0,
        overlap="deepest",
    )  # fmt: skip
    values = leaves.sample_grid(grid.window(9, 5, 20, 11), 20260)
    assert (values == 0.0).any() and not np.signbit(values[values == 0.0]).any()
