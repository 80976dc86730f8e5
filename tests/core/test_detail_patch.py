# SPDX-License-Identifier: GPL-3.0-or-later
"""Detail patches: exact at the terrain's samples, without creases, on its triangles at the border."""

from __future__ import annotations

import numpy as np
import pytest

from noise_core.base.errors import ParameterError
from noise_core.landscapes.detail_patch import RockSlopes, border_share, detail_heights
from noise_core.landscapes.scene import DetailPatch
from noise_core.rasters.windows import (
    RasterWindow,
    linear_surface,
    smooth_surface,
    triangle_surface,
)

CELL = 4.0
SIZE = 64 * CELL
ROCK = RockSlopes(35.0, 8.0)


@pytest.fixture
def field():
    steep = np.random.default_rng(7).normal(size=(65, 65))
    return (5.0 * steep + np.linspace(0.0, 200.0, 65)).astype(np.float32)


def window(rows=(20, 40), columns=(11, 43), parts=8):
    return RasterWindow(rows, columns, parts)


def inner(field, at):
    (low, high), (left, right) = at.rows, at.columns
    return field[low : high + 1, left : right + 1]


@pytest.mark.parametrize(
    "at", [window(), RasterWindow((0, 64), (0, 64), 5), RasterWindow((0, 3), (60, 64), 1)]
)
def test_surface_meets_the_samples_to_the_bit(field, at):
    fine = smooth_surface(field, at)
    assert fine.shape == at.shape and fine.dtype == np.float32
    np.testing.assert_array_equal(fine[:: at.parts, :: at.parts], inner(field, at))


def test_surface_has_no_creases(field):
    """Slopes on both sides of each sample approach each other as steps get smaller."""
    creases = []
    for parts in (8, 32):
        fine = smooth_surface(field, window(parts=parts)).astype(np.float64)
        slope = np.diff(fine, axis=0) * parts
        creases.append(np.abs(slope[parts::parts] - slope[parts - 1 : -1 : parts]).max())
    assert creases[1] < 0.3 * creases[0]
    flat = triangle_surface(field, window(parts=32), CELL).astype(np.float64)
    slope = np.diff(flat, axis=0) * 32
    assert np.abs(slope[32::32] - slope[31:-1:32]).max() > 10.0 * creases[1]


def test_a_finer_patch_has_what_a_coarser_one_has(field):
    coarse = smooth_surface(field, window(parts=3))
    np.testing.assert_array_equal(smooth_surface(field, window(parts=6))[::2, ::2], coarse)


def test_a_plane_stays_a_plane_up_to_the_border():
    rows, columns = np.mgrid[:9, :9]
    plane = (3.0 * columns - 2.0 * rows).astype(np.float32)
    fine = smooth_surface(plane, RasterWindow((0, 8), (0, 8), 4))
    rows, columns = np.mgrid[:33, :33] / 4.0
    np.testing.assert_allclose(fine, 3.0 * columns - 2.0 * rows, atol=1e-5)


@pytest.mark.parametrize("rock", [ROCK, None])
def test_border_lies_on_the_triangles(field, rock):
    at = window()
    fine = detail_heights(field, at, SIZE, DetailPatch(), rock)
    flat = triangle_surface(field, at, CELL)
    for edge in (np.s_[0], np.s_[-1], np.s_[:, 0], np.s_[:, -1]):
        np.testing.assert_allclose(fine[edge], flat[edge], atol=1e-4)
    edge = inner(field, at)[0]
    along = np.interp(np.arange(at.shape[1]) / at.parts, np.arange(len(edge)), edge)
    np.testing.assert_allclose(fine[0], along, atol=1e-4)
    assert border_share(at).max() == 1.0 and np.abs(fine - flat).max() > 0.1


def test_quads_are_divided_along_their_first_diagonal_unless_they_fold(field):
    at = RasterWindow((0, 1), (0, 1), 2)
    quad = np.array([[0.0, 1.0], [1.0, 4.0]], np.float32)
    assert triangle_surface(quad, at, 1.0)[1, 1] == 2.0
    folded = np.array([[0.0, 9.0], [9.0, 0.0]], np.float32)
    assert triangle_surface(folded, at, 1.0)[1, 1] == 9.0
    assert linear_surface(folded, at)[1, 1] == 0.0


def test_detail_stays_where_it_was_when_the_patch_is_moved(field):
    first, second = window(rows=(10, 50), columns=(10, 50)), window(rows=(13, 53), columns=(17, 57))
    results = [detail_heights(field, one, SIZE, DetailPatch(), ROCK) for one in (first, second)]
    shared = np.s_[16 + 24 : -16, 16 + 56 : -16]
    np.testing.assert_array_equal(results[0][shared], results[1][16 : -16 - 24, 16 : -16 - 56])


def test_smooth_ground_stays_smooth_and_rough_ground_is_rough(field):
    rows, columns = np.mgrid[:65, :65]
    dune = (10.0 * np.sin(columns / 9.0) + 8.0 * np.cos(rows / 8.0)).astype(np.float32)
    added = []
    for one in (dune, field):
        fine = detail_heights(one, window(), SIZE, DetailPatch(), None)
        added.append(np.abs(fine - smooth_surface(one, window()))[20:-20, 20:-20].std())
    assert 0.0 < added[0] < 0.05 < added[1]


def test_ledges_are_where_rock_is_bare_only():
    _, columns = np.mgrid[:65, :65]
    bend = np.where(columns < 32, 0.0, (columns - 32) * 2.0 * CELL).astype(np.float32)
    with_rock, without = (
        detail_heights(bend, window(), SIZE, DetailPatch(roughness=0.0), rock)
        for rock in (ROCK, None)
    )
    change = np.abs(with_rock - without)
    half = (32 - 11) * 8
    assert change[:, : half - 16].max() == 0.0
    assert change[20:-20, half + 20 : -20].mean() > 0.2
    # A ledge is nowhere lower than the one below it.
    kept = with_rock[20:-20, half + 20 : -20]
    assert np.diff(kept, axis=1).min() > -0.8


def test_window_lies_around_the_middle_and_within_the_terrain():
    def around(shape, middle, width):
        return RasterWindow.around(shape, CELL, middle, width, 0.5)

    assert around((65, 65), (30.2, 40.0), 40.0) == RasterWindow((25, 35), (35, 45), 8)
    assert around((65, 65), (0.0, 64.0), 40.0) == RasterWindow((0, 10), (54, 64), 8)
    assert around((65, 33), (0.0, 9.0), 1e4) == RasterWindow((0, 64), (0, 32), 8)


def test_too_many_vertices_are_refused():
    with pytest.raises(ParameterError, match=r"DetailPatch: at most 4194304 vertices"):
        RasterWindow.around((1025, 1025), CELL, (500.0, 500.0), 1000.0, 0.1)
