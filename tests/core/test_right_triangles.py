# SPDX-License-Identifier: GPL-3.0-or-later
"""Nested triangulations of a grid: they cover it once, hold their error, and fit together."""

from __future__ import annotations

import numpy as np
import pytest

from noise_core.landscapes.grid_meshes.right_triangles import RightTriangles
from tests import drawing

ERRORS = (0.0, 0.4, 1.5, 6.0, 1e9)


def drawn_land(chance):
    """Return rough heights of some shape, smooth in places, level in others."""
    rows, columns = (chance.choice([2, 3, 5, 17, 33, chance.randrange(2, 60)]) for _ in range(2))
    noise = np.random.default_rng(chance.randrange(2**31))
    height = noise.normal(0.0, 1.0, (rows, columns)).cumsum(axis=0).cumsum(axis=1) * 0.2
    height[noise.random((rows, columns)) < 0.1] += 3.0
    return np.maximum(height, chance.choice([-1e9, 0.0])).astype(np.float32)


def places_of(found, columns):
    """Return rows and columns of the corners of all triangles: two arrays of shape (triangles, 3)."""
    return np.divmod(found.vertices[found.triangles], columns)


def doubled_areas(rows, columns):
    across = columns - columns[:, :1]
    along = rows - rows[:, :1]
    return across[:, 1] * along[:, 2] - across[:, 2] * along[:, 1]


def surface(found, height):
    """Return the height of a triangulation at all samples, triangle by triangle."""
    result = np.full(height.shape, np.nan)
    rows, columns = places_of(found, height.shape[1])
    for row, column, area in zip(rows, columns, doubled_areas(rows, columns)):
        y, x = np.mgrid[row.min() : row.max() + 1, column.min() : column.max() + 1]
        shares = []
        for first, second in ((1, 2), (2, 0), (0, 1)):
            edge = (column[second] - column[first]) * (y - row[first])
            edge = edge - (row[second] - row[first]) * (x - column[first])
            shares.append(edge / area)
        inside = np.min(shares, axis=0) >= 0.0
        plane = sum(share * float(height[at]) for share, at in zip(shares, zip(row, column)))
        result[y[inside], x[inside]] = plane[inside]
    return result


def edges_seen_once(found):
    ends = np.concatenate([found.triangles[:, pair] for pair in ([0, 1], [1, 2], [2, 0])])
    edges, counts = np.unique(np.sort(ends, axis=1), axis=0, return_counts=True)
    assert counts.max() <= 2
    return edges[counts == 1]


@pytest.mark.parametrize("number", range(drawing.count_of(120)))
def test_triangles_cover_the_grid_once_and_hold_the_error(number):
    chance = drawing.generator(f"right triangles {number}")
    height, keeps_border = drawn_land(chance), chance.random() < 0.5
    rows, columns = height.shape
    hierarchy = RightTriangles(height, keeps_border=keeps_border)
    before = None
    for error in ERRORS:
        found = hierarchy.triangulate(error)
        areas = doubled_areas(*places_of(found, columns))
        assert (areas > 0).all() and areas.sum() == 2 * (rows - 1) * (columns - 1)
        assert len(np.unique(found.triangles)) == len(found.vertices)
        row, column = np.divmod(found.vertices[edges_seen_once(found)], columns)
        on_border = [(row == 0), (row == rows - 1), (column == 0), (column == columns - 1)]
        assert np.any([side.all(axis=1) for side in on_border], axis=0).all()
        assert np.abs(surface(found, height) - height).max() <= error + 1e-4
        if keeps_border:
            border = np.zeros(height.shape, bool)
            border[[0, -1]] = border[:, [0, -1]] = True
            assert np.isin(np.flatnonzero(border), found.vertices).all()
        if before is not None:
            assert np.isin(found.vertices, before).all()
        before = found.vertices


def test_what_is_farther_off_than_asked_for_changes_nothing():
    height = drawn_land(drawing.generator("largest"))
    whole, part = RightTriangles(height), RightTriangles(height, largest=1.5)
    for error in (0.0, 0.4, 1.5):
        np.testing.assert_array_equal(
            whole.triangulate(error).triangles, part.triangulate(error).triangles
        )


def test_a_plane_has_two_triangles_and_a_sphere_more():
    y, x = np.mgrid[-1.0:1.0:33j, -1.0:1.0:33j]
    plane = RightTriangles((2.0 * x + y).astype(np.float32), keeps_border=False)
    assert len(plane.triangulate(1e-5).triangles) == 2
    length = np.sqrt(x * x + y * y + 1.0)
    axes = [(axis / length).astype(np.float32) for axis in (x, y, np.ones_like(x))]
    sphere = RightTriangles(*axes, keeps_border=False)
    fewer, more = (len(sphere.triangulate(error).triangles) for error in (0.02, 0.001))
    assert 2 < fewer < more < 2 * 32 * 32


def test_padding_is_left_out_and_wastes_little():
    height = np.zeros((70, 41), np.float32)
    found = RightTriangles(height, keeps_border=False).triangulate(0.0)
    assert found.vertices.max() == 70 * 41 - 1
    assert len(found.triangles) < 1000


def test_the_page_says_how_many_triangles_a_level_has_at_least():
    level = np.zeros((513, 513), np.float32)
    kept, free = (RightTriangles(level, keeps_border=keeps) for keeps in (True, False))
    assert len(kept.triangulate(1.0).triangles) == 8040
    assert len(free.triangulate(1.0).triangles) == 2
