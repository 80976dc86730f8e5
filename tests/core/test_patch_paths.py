# SPDX-License-Identifier: GPL-3.0-or-later
"""Paths that are narrower than the samples of their land, in a detail patch."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from noise_core import CurvePoint, LandCurve, Recipe
from noise_core.landscapes.detail_patch import detail_heights
from noise_core.landscapes.patch_works import NO_WORKS, Works
from noise_core.landscapes.scene import DetailPatch
from noise_core.modifiers import Path
from noise_core.rasters.windows import RasterWindow

PLACES = [(0.30, 0.42), (0.36, 0.45), (0.42, 0.44), (0.48, 0.47), (0.55, 0.45)]
ROAD = LandCurve(points=[CurvePoint(at=at, width=8.0) for at in PLACES])
SIDE = 257


@pytest.fixture(scope="module")
def alps():
    """Return Alps with a road 8 m wide, of a sixth of a sample, and its heights."""
    base = Recipe.from_preset("alps")
    path = Path.of_kind("road", curves=["Road"], grade=0.10, reach=120.0)
    recipe = dataclasses.replace(base, layers=(*base.layers, path), curves={"Road": ROAD})
    grid = recipe.grid(SIDE)
    return recipe, grid, recipe.evaluate(grid).height


def patch_of(alps, at, *, has_paths=True, patch=None):
    """Return the heights of a patch around a place in tiles, and its window."""
    recipe, grid, height = alps
    patch = patch or DetailPatch(patch_size=300.0, spacing=1.0)
    middle = (at[1] * (SIDE - 1), at[0] * (SIDE - 1))
    window = RasterWindow.around(grid.shape, grid.spacing, middle, patch.patch_size, patch.spacing)
    works = Works.of(recipe, grid) if has_paths else NO_WORKS
    fine = detail_heights(height, window, recipe.size, patch, None, works)
    return fine, window


def along_road(alps, fine, window, offset=0.0):
    """Return the heights beside the middle of the road in a patch, a meter apart, away from its border."""
    recipe, grid, _ = alps
    step = grid.spacing / window.parts
    heights = []
    for first, second in zip(PLACES, PLACES[1:]):
        start, stop = (np.array(place) * recipe.size for place in (first, second))
        length = np.hypot(*(stop - start))
        ahead = (stop - start) / length
        across = np.array((-ahead[1], ahead[0])) * offset
        places = start + across + np.arange(0.0, length, 1.0)[:, np.newaxis] * ahead
        column = places[:, 0] / step - window.columns[0] * window.parts
        row = places[:, 1] / step - window.rows[0] * window.parts
        margin = 2 * window.parts + 1
        rows, columns = fine.shape
        inside = (row > margin) & (row < rows - 1 - margin)
        inside &= (column > margin) & (column < columns - 1 - margin)
        row, column = row[inside], column[inside]
        top, left = row.astype(int), column.astype(int)
        down, right = row - top, column - left
        upper = fine[top, left] * (1 - right) + fine[top, left + 1] * right
        lower = fine[top + 1, left] * (1 - right) + fine[top + 1, left + 1] * right
        heights.append(upper * (1 - down) + lower * down)
    return heights


@pytest.mark.parametrize("at", PLACES[1:-1])
def test_a_road_of_eight_meters_meets_its_grade_in_a_patch(alps, at):
    fine, window = patch_of(alps, at)
    rough, _ = patch_of(alps, at, has_paths=False)
    steepest = {}
    for name, heights in (("path", fine), ("none", rough)):
        lines = along_road(alps, heights, window)
        assert sum(map(len, lines)) > 60
        steepest[name] = max(
            np.abs(line[5:] - line[:-5]).max() / 5.0 for line in lines if len(line) > 5
        )
    assert steepest["path"] <= 0.10 * 1.02, steepest
    assert steepest["none"] > 0.2, steepest


def test_its_bed_is_level_across_but_for_the_crossfall(alps):
    fine, window = patch_of(alps, PLACES[2])
    lines = [along_road(alps, fine, window, offset) for offset in (-2.5, 0.0, 2.5)]
    for left, middle, right in zip(*lines):
        count = min(len(left), len(middle), len(right)) - 12
        if count > 0:
            apart = np.abs(left[6:count] - right[6:count])
            assert np.percentile(apart, 90) <= 5.0 * 0.05 + 0.3


def test_the_border_of_a_patch_is_that_of_the_terrain(alps):
    fine, window = patch_of(alps, PLACES[2])
    plain, _ = patch_of(alps, PLACES[2], has_paths=False)
    for edge in (np.s_[0], np.s_[-1], np.s_[:, 0], np.s_[:, -1]):
        np.testing.assert_array_equal(fine[edge], plain[edge])
    assert np.abs(fine - plain).max() > 1.0


def test_a_road_is_as_wide_as_drawn_in_the_maps_of_a_patch(alps):
    recipe, grid, land = alps
    for at in PLACES[:3]:
        _, window = patch_of(alps, at)
        maps = Works.of(recipe, grid).surfaces(window, land)
        assert set(maps) == {"bed", "road"}
        step = grid.spacing / window.parts
        beside = {
            offset: along_road(alps, maps["bed"], window, offset)
            for offset in (0.0, 4.0 - step, -4.0 + step, 4.0 + step, -4.0 - step)
        }
        for offset, shares in beside.items():
            expected = float(abs(offset) < 4.0)
            assert np.abs(np.concatenate(shares) - expected).mean() < 0.05
        np.testing.assert_allclose(maps["road"], maps["bed"] * np.float32(2.0 / 3.0), rtol=1e-6)


def test_maps_of_a_patch_are_left_alone_where_a_path_lies_below_other_layers(alps):
    recipe, grid, land = alps
    layers = (recipe.layers[-1], *recipe.layers)
    works = Works.of(dataclasses.replace(recipe, layers=layers), grid)
    assert works.layers and not works.surfaces(patch_of(alps, PLACES[0])[1], land)
