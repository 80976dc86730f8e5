# SPDX-License-Identifier: GPL-3.0-or-later
"""Stamps whose pixels are finer than the samples of their land, in a detail patch."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from noise_core import CurvePoint, LandCurve, Placement, Recipe
from noise_core.landscapes.detail_patch import detail_heights
from noise_core.landscapes.patch_works import NO_WORKS, Works
from noise_core.landscapes.scene import DetailPatch
from noise_core.maps import Slope
from noise_core.masks import MapMask
from noise_core.modifiers import Path, Stamp, StreamErosion
from noise_core.noises import Perlin
from noise_core.rasters.windows import RasterWindow
from tests import drawing

SIDE, PARTS = 65, 8
SIZE, HEIGHT = 3200.0, 60.0
MODES = ("add", "max", "min", "mix", "smooth_max", "smooth_min")
PATCH = DetailPatch(patch_size=600.0, spacing=SIZE / (SIDE - 1) / PARTS, roughness=0.0, rock=0.0)


def landform():
    """Return a hill with ridges a third of a sample of the land wide."""
    share = np.linspace(-1.0, 1.0, 257)
    x, y = np.meshgrid(share, share)
    hill = np.maximum(1.0 - x * x - y * y, 0.0)
    ridges = 0.12 * np.sin(60.0 * x) * np.sin(55.0 * y)
    return (hill * (0.88 + ridges)).astype(np.float32)


def recipe_of(mode, rng, count=1):
    """Return smooth ground with a stamp near the middle, upside down in modes of the lower one."""
    sign = -1.0 if "min" in mode else 1.0
    places = [
        Placement(
            at=(rng.uniform(0.47, 0.53), rng.uniform(0.47, 0.53)),
            z=rng.uniform(-10.0, 10.0),
            rotation=rng.uniform(-180.0, 180.0),
            scale=(rng.uniform(0.7, 1.3), rng.uniform(0.7, 1.3), sign * rng.uniform(0.7, 1.3)),
        )
        for _ in range(count)
    ]
    stamp = Stamp(
        pixels=landform(), placements=places, size=500.0, height=150.0, mode=mode,
        falloff=rng.uniform(0.3, 0.6),
    )  # fmt: skip
    ground = Perlin(frequency=2.0)
    return Recipe(layers=(ground, stamp), height=HEIGHT, size=SIZE, seed=rng.randrange(1000))


def patch_of(recipe, works=None):
    """Return the heights of a patch over the middle, those of a finer land there, and its window."""
    grid = recipe.grid(SIDE)
    middle = ((SIDE - 1) / 2, (SIDE - 1) / 2)
    window = RasterWindow.around(grid.shape, grid.spacing, middle, PATCH.patch_size, PATCH.spacing)
    assert window.parts == PARTS
    works = Works.of(recipe, grid) if works is None else works
    height = recipe.evaluate(grid).height
    patch = detail_heights(height, window, recipe.size, PATCH, None, works)
    fine = recipe.evaluate(recipe.grid((SIDE - 1) * PARTS + 1)).height
    (low, high), (left, right) = window.rows, window.columns
    fine = fine[low * PARTS : high * PARTS + 1, left * PARTS : right * PARTS + 1]
    inner = slice(2 * PARTS, -2 * PARTS)  # the border is the land's own triangles
    return patch[inner, inner], fine[inner, inner]


@pytest.mark.parametrize("mode", MODES)
def test_a_patch_has_the_detail_of_a_stamp(mode):
    rng = drawing.generator(f"stamp in a patch, {mode}")
    for _ in range(max(2, drawing.count_of(40))):
        recipe = recipe_of(mode, rng)
        patch, fine = patch_of(recipe)
        rough, _ = patch_of(recipe, NO_WORKS)
        error, before = (float(np.abs(each - fine).mean()) for each in (patch, rough))
        assert before > 1.0, "the land shows the detail itself"
        assert error < 0.35 * before, (error, before)


@pytest.mark.parametrize("mode", ["add", "max", "mix"])
def test_several_places_of_one_layer_and_several_layers(mode):
    rng = drawing.generator(f"stamps in a patch, {mode}")
    recipe = recipe_of(mode, rng, count=3)
    first, second = recipe_of("add", rng).layers[1], recipe.layers[1]
    recipe = dataclasses.replace(recipe, layers=(recipe.layers[0], first, second))
    assert len(Works.of(recipe, recipe.grid(SIDE)).layers) == 2
    patch, fine = patch_of(recipe)
    rough, _ = patch_of(recipe, NO_WORKS)
    assert np.abs(patch - fine).mean() < 0.6 * np.abs(rough - fine).mean()


def test_a_stamp_smaller_than_a_sample_stands_in_the_patch():
    place = Placement(at=(0.5 + 0.5 / (SIDE - 1), 0.5 + 0.5 / (SIDE - 1)), z=200.0)
    for mode in ("add", "max", "mix"):
        stamp = Stamp(placements=[place], size=30.0, height=20.0, mode=mode, falloff=0.3)
        recipe = Recipe(layers=(Perlin(frequency=2.0), stamp), height=HEIGHT, size=SIZE)
        patch, fine = patch_of(recipe)
        rough, _ = patch_of(recipe, NO_WORKS)
        middle = (patch.shape[0] // 2 + PARTS // 2,) * 2
        assert fine[middle] > rough[middle] + 10.0
        assert patch[middle] == pytest.approx(fine[middle], abs=1.0), mode


def test_stamps_below_other_layers_and_masked_ones_stay_as_the_land_has_them():
    rng = drawing.generator("stamps below")
    recipe = recipe_of("add", rng)
    ground, stamp = recipe.layers
    grid = recipe.grid(SIDE)
    for layers in (
        (ground, stamp, StreamErosion()),
        (ground, dataclasses.replace(stamp, opacity=0.5)),
        (ground, stamp, dataclasses.replace(stamp, opacity=0.5)),
        (ground, dataclasses.replace(stamp, mask=MapMask(map=Slope()))),
    ):
        assert not Works.of(dataclasses.replace(recipe, layers=layers), grid).layers


def test_a_path_below_a_stamp_is_not_laid_again():
    recipe = recipe_of("add", drawing.generator("path below"))
    road = LandCurve(points=[CurvePoint(at=(0.2, 0.5)), CurvePoint(at=(0.8, 0.5))])
    path, (ground, stamp) = Path(curves=[road]), recipe.layers
    grid = recipe.grid(SIDE)
    for layers, count in (((path, stamp), 1), ((stamp, path), 2), ((path, stamp, path), 2)):
        land = dataclasses.replace(recipe, layers=(ground, *layers))
        assert len(Works.of(land, grid).layers) == count
