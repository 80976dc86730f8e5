# SPDX-License-Identifier: GPL-3.0-or-later
"""Levels of detail around a window are one surface without a crack, for any window."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from noise_core.base.errors import ParameterError
from noise_core.landscapes.nested_levels import coarse_level, level_mesh, nested_levels

# Pure geometry in float64 of whole numbers.


def edges_of(mesh):
    """Return each edge once with how many faces have it, and the area of each face."""
    starts = np.cumsum(mesh.counts) - mesh.counts
    following = np.roll(mesh.corners, -1)
    following[starts + mesh.counts - 1] = mesh.corners[starts]
    pairs = np.sort(np.stack((mesh.corners, following), axis=1), axis=1)
    edges, uses = np.unique(pairs, axis=0, return_counts=True)
    (x, y), (x_next, y_next) = mesh.points[mesh.corners].T, mesh.points[following].T
    return edges, uses, np.add.reduceat(0.5 * (x * y_next - x_next * y), starts)


def check_is_whole(mesh, shape):
    """Check that faces cover the land once, and meet edge by edge within its borders."""
    edges, uses, areas = edges_of(mesh)
    ends = mesh.points[edges]
    last = np.array(shape[::-1]) - 1.0
    at_border = ((ends == 0.0).all(axis=1) | (ends == last).all(axis=1)).any(axis=1)
    assert (uses[~at_border] == 2).all()
    assert (uses[at_border] == 1).all()
    assert (areas > 0.0).all()
    assert areas.sum() == pytest.approx(last.prod(), rel=1e-9)
    assert len(np.unique(mesh.points, axis=0)) == len(mesh.points)
    assert set(mesh.corners) == set(range(len(mesh.points)))


@st.composite
def windows(draw):
    shape, first, size = [], [], []
    for _ in range(2):
        count = draw(st.integers(2, 150))
        own = draw(st.integers(2, count))
        shape.append(count)
        size.append(own)
        first.append(draw(st.integers(0, count - own)))
    return tuple(shape), tuple(first), tuple(size), draw(st.integers(2, 40))


@given(windows())
def test_all_edges_within_the_land_have_two_faces(one):
    shape, first, size, samples = one
    levels = nested_levels(shape, coarse_level(shape, samples), first, size)
    check_is_whole(level_mesh(levels), shape)


def test_rings_fall_in_detail_from_the_window_outward():
    shape, first, size = (4097, 4097), (1800, 2000), (257, 257)
    coarse = coarse_level(shape, 129)
    window, *rings, outer = nested_levels(shape, coarse, first, size)
    assert window.rows[0] == 1800.0 and window.columns[-1] == 2256.0
    assert [float(ring.rows[1] - ring.rows[0]) for ring in rings] == [2.0, 4.0, 8.0]
    np.testing.assert_array_equal(outer.rows, coarse.rows)
    for inner, around in zip((window, *rings), (*rings, outer)):
        (low, high), (left, right) = around.hole
        assert around.rows[low] <= inner.rows[0] - 1.0 and inner.rows[-1] + 1.0 <= around.rows[high]
        assert around.columns[left] <= inner.columns[0] - 1.0
        assert inner.columns[-1] + 1.0 <= around.columns[right]
    mesh = level_mesh((window, *rings, outer))
    check_is_whole(mesh, shape)
    # Of full detail within the window, coarse far away, and few in all.
    inside = (mesh.points >= (2000.0, 1800.0)).all(axis=1) & (mesh.points <= (2256.0, 2056.0)).all(
        axis=1
    )
    assert np.count_nonzero(inside) == 257 * 257
    assert len(mesh.points) < 2.2 * 257 * 257


def test_a_ring_as_coarse_as_the_overview_is_left_out():
    shape = (513, 257)
    assert len(nested_levels(shape, coarse_level(shape, 513), (10, 10), (30, 30))) == 2
    assert len(nested_levels(shape, coarse_level(shape, 129), (10, 10), (30, 30))) == 3


def test_the_coarse_level_is_even_and_ends_at_the_border():
    level = coarse_level((16384, 8192), 513)
    assert level.shape == (513, 257)
    for places, count in ((level.rows, 16384), (level.columns, 8192)):
        assert (places[0], places[-1]) == (0.0, count - 1.0)
        assert np.ptp(np.diff(places)) < 1e-9
    assert coarse_level((100, 60), 513).shape == (100, 60)


@pytest.mark.parametrize(
    ("first", "size"), [((-1, 0), (9, 9)), ((0, 60), (9, 9)), ((0, 0), (9, 1))]
)
def test_a_window_outside_is_refused(first, size):
    with pytest.raises(ParameterError, match="the window's (rows|columns) must be"):
        nested_levels((65, 65), coarse_level((65, 65), 17), first, size)
