# SPDX-License-Identifier: GPL-3.0-or-later
"""Positions of samples: tiles, windows, resolutions, and refusals."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from noise_core import Grid, ParameterError

SIDES = st.integers(1, 40)


def test_without_wrap_the_last_column_lies_at_one():
    axes = Grid(3, 5).axes()
    np.testing.assert_array_equal(axes.x, [0.0, 0.25, 0.5, 0.75, 1.0])
    np.testing.assert_array_equal(axes.y, [0.0, 0.25, 0.5])
    assert axes.torus is None
    assert axes.step == 0.25


def test_with_wrap_the_last_column_lies_one_spacing_before_one():
    grid = Grid(2, 4, wrap=True)
    np.testing.assert_array_equal(grid.axes().x, [0.0, 0.25, 0.5, 0.75])
    np.testing.assert_array_equal(grid.axes().y, [0.0, 0.25])
    assert grid.torus.periods == ((1.0, 0.0), (0.0, 0.5))


@pytest.mark.parametrize(
    ("grid", "depth", "spacing"),
    [
        (Grid(129, 257, size=512.0), 0.5, 2.0),
        (Grid(128, 256, size=512.0, wrap=True), 0.5, 2.0),
        (Grid(257, 129, size=64.0), 2.0, 0.5),
        (Grid(1, 1, size=100.0), 1.0, 100.0),
        (Grid(1, 1, wrap=True, size=100.0), 1.0, 100.0),
    ],
)
def test_depth_is_in_tiles_and_spacing_in_meters(grid, depth, spacing):
    assert (grid.depth, grid.spacing) == (depth, spacing)


@given(SIDES, SIDES, st.booleans())
def test_spacing_is_the_same_along_both_axes(rows, columns, wrap):
    grid = Grid(rows, columns, wrap=wrap, size=7.0)
    axes = grid.axes()
    for axis in (axes.x, axes.y):
        assert axis.dtype == np.float64
        np.testing.assert_allclose(np.diff(axis) * grid.size, grid.spacing, rtol=1e-12)
    assert math.isclose(axes.step * grid.size, grid.spacing)


@given(st.integers(2, 40), st.integers(2, 40))
def test_neighbors_share_their_border(rows, columns):
    home = Grid(rows, columns)
    assert home.axes().x[-1] == Grid(rows, columns, origin=(1.0, 0.0)).axes().x[0]
    assert home.axes().y[-1] == Grid(rows, columns, origin=(0.0, home.depth)).axes().y[0]


@pytest.mark.parametrize("times", [2, 3, 4, 7])
@pytest.mark.parametrize("origin", [(0.0, 0.0), (0.1, -3.7), (1000.0, -2000.0)])
def test_resolutions_agree_to_the_bit_on_shared_samples(times, origin):
    coarse = Grid(17, 25, origin=origin).axes()
    fine = Grid(16 * times + 1, 24 * times + 1, origin=origin).axes()
    np.testing.assert_array_equal(coarse.x, fine.x[::times])
    np.testing.assert_array_equal(coarse.y, fine.y[::times])
    coarse = Grid(17, 25, origin=origin, wrap=True).axes()
    fine = Grid(17 * times, 25 * times, origin=origin, wrap=True).axes()
    np.testing.assert_array_equal(coarse.x, fine.x[::times])
    np.testing.assert_array_equal(coarse.y, fine.y[::times])


@given(st.data(), SIDES, SIDES, st.booleans())
def test_a_window_has_the_very_samples_of_the_whole(data, rows, columns, wrap):
    grid = Grid(rows, columns, wrap=wrap, origin=(0.3, 7.1), size=3.0)
    row, column = data.draw(st.integers(0, rows - 1)), data.draw(st.integers(0, columns - 1))
    height, width = (
        data.draw(st.integers(1, rows - row)),
        data.draw(st.integers(1, columns - column)),
    )
    window = grid.window(row, column, height, width)
    np.testing.assert_array_equal(window.axes().x, grid.axes().x[column : column + width])
    np.testing.assert_array_equal(window.axes().y, grid.axes().y[row : row + height])
    assert window.shape == (height, width)
    assert (window.depth, window.spacing, window.torus) == (grid.depth, grid.spacing, grid.torus)
    assert window.axes().step == grid.axes().step


def test_a_window_of_a_window_is_a_window_of_the_whole():
    grid = Grid(30, 40, wrap=True)
    assert grid.window(3, 4, 20, 30).window(2, 5, 6, 7) == grid.window(5, 9, 6, 7)


@pytest.mark.parametrize(
    "part", [(-1, 0, 2, 2), (0, -1, 2, 2), (0, 0, 0, 2), (0, 0, 2, 0), (9, 0, 2, 2), (0, 0, 2, 9)]
)
def test_a_window_must_not_stick_out(part):
    row, column, rows, columns = part
    with pytest.raises(ParameterError) as caught:
        Grid(10, 8).window(*part)
    assert str(caught.value) == (
        f"Grid.window must lie within 10 x 8 samples; got {rows} x {columns} from ({row}, {column})"
    )


def test_points_stand_in_rows_with_the_further_coordinates():
    x, y, z, w = Grid(3, 4).axes((0.5, -0.25)).points(1, 3)
    assert {axis.shape for axis in (x, y, z, w)} == {(2, 4)}
    assert {axis.dtype for axis in (x, y, z, w)} == {np.dtype(np.float64)}
    np.testing.assert_array_equal(x[0], x[1])
    np.testing.assert_array_equal(y[:, 0], np.array([1, 2]) / 3)
    assert (z == 0.5).all()
    assert (w == -0.25).all()


@pytest.mark.parametrize("side", [0, -3, 2.0, "4", None, True])
def test_bad_sides_are_refused(side):
    with pytest.raises(
        ParameterError, match=r"^Grid\.rows must be an integer in \[1, 1073741824\]; got "
    ):
        Grid(side, 4)
    with pytest.raises(
        ParameterError, match=r"^Grid\.columns must be an integer in \[1, 1073741824\]; got "
    ):
        Grid(4, side)


@pytest.mark.parametrize(
    "size", [0.0, -1.0, 5e-324, 9e-6, 1.1e9, 1e150, math.nan, math.inf, "wide"]
)
def test_bad_sizes_are_refused(size):
    with pytest.raises(ParameterError, match=r"^Grid\.size must be in \[1e-05, 1e\+09\]; got "):
        Grid(4, 4, size=size)


@pytest.mark.parametrize(
    "origin", [(0.0,), (0.0, math.nan), (math.inf, 0.0), 1.0, ("a", "b"), None]
)
def test_bad_origins_are_refused(origin):
    with pytest.raises(ParameterError, match=r"^Grid\.origin must be two finite numbers; got "):
        Grid(4, 4, origin=origin)


def test_a_grid_is_a_value():
    assert Grid(np.int64(3), 4) == Grid(3, 4)
    assert type(Grid(np.int64(3), 4).rows) is int
    assert Grid(3, 4, origin=[1, 2]) == Grid(3, 4, origin=(1.0, 2.0))
    assert hash(Grid(3, 4, origin=[1, 2])) == hash(Grid(3, 4, origin=(1.0, 2.0)))
    assert Grid(3, 4, size=np.float32(2.5)).size == 2.5
    assert Grid(3, 4) != Grid(3, 4, wrap=True)
    with pytest.raises(AttributeError):
        Grid(3, 4).rows = 5


@pytest.mark.parametrize("wrap", ["yes", 1, None, 0.0])
def test_wrapping_is_a_switch(wrap):
    with pytest.raises(ParameterError, match=r"^Grid\.wrap must be True or False; got "):
        Grid(4, 4, wrap=wrap)


@pytest.mark.parametrize(
    ("place", "message"),
    [
        ({"first": None}, "Grid.first must be two whole numbers; got None"),
        ({"first": (0.5, 0)}, "Grid.first must be two whole numbers; got (0.5, 0)"),
        ({"first": (0, -1)}, "Grid.first must leave 3 x 4 samples of 3 x 4; got (0, -1)"),
        ({"first": (0, 1)}, "Grid.first must leave 3 x 4 samples of 3 x 4; got (0, 1)"),
        ({"whole": (5, 3)}, "Grid.first must leave 3 x 4 samples of 5 x 3; got (0, 0)"),
        ({"whole": 5}, "Grid.whole must be two whole numbers; got 5"),
        ({"whole": (0, 0)}, "Grid.first must leave 3 x 4 samples of 0 x 0; got (0, 0)"),
    ],
)
def test_a_grid_must_lie_within_what_it_is_a_window_of(place, message):
    with pytest.raises(ParameterError) as caught:
        Grid(3, 4, **place)
    assert str(caught.value) == message
