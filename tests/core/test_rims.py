# SPDX-License-Identifier: GPL-3.0-or-later
"""No rims: a border changes as if the land went on beyond it, by modifiers that lead water, and in every landform.

Modifiers without water are held to more in `test_borders`.
"""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from noise_core import Grid, Modifier, modifier_types
from noise_core.landscapes.preset_library import preset, shipped_names
from noise_core.noises import Fractal, Perlin
from tests.drawing import count_of, generator

pytestmark = pytest.mark.newest

SAMPLES = 257
SEEDS = 24
AT = (8, 32)
"""Samples from the border; nearer to it fewer samples are counted, and streams end or begin."""

WIDTHS = {"amplify": 1000.0}
"""Of lands in meters, 8000 for all others: Amplify adds what is smaller than 30 meters."""

LAND = Fractal(source=Perlin(frequency=4.0), octaves=8)
RELIEF = 0.125
"""Of the width."""

LANDS = 24
"""Lands of each landform: their mean has a standard error of 1 to 4 percent."""

ROUTED = [key for key, cls in modifier_types().items() if cls.routes_water and not cls.keeps_border]
LANDFORMS = [name for name in shipped_names() if preset(name).group == "landforms"]


def distance_from_border(shape):
    """Return how many samples each one lies from the border: shape (rows, columns)."""
    down, along = (np.minimum(np.arange(count), np.arange(count)[::-1]) for count in shape)
    return np.minimum(down[:, np.newaxis], along)


def changes(cls, seed):
    """Return how far heights change on a torus, and at `AT` where it has been cut open."""
    width = WIDTHS.get(cls.key, 8000.0)
    torus = Grid(SAMPLES, SAMPLES, wrap=True, size=width)
    opened = Grid(SAMPLES, SAMPLES, size=width * (SAMPLES - 1) / SAMPLES)
    height = LAND.sample_grid(torus, seed) * np.float32(RELIEF * width)
    whole, cut = (
        np.abs(cls().apply(height, grid, seed).height.astype(float) - height)
        for grid in (torus, opened)
    )
    distance = distance_from_border(cut.shape)
    return whole.mean(), [cut[distance == samples].mean() for samples in AT]


@pytest.mark.parametrize("key", ROUTED)
def test_borders_change_as_if_the_land_went_on(key):
    draw = generator(f"borders {key}")
    seeds = [draw.randrange(1 << 31) for _ in range(max(count_of(SEEDS), 8))]
    whole, near = zip(*(changes(modifier_types()[key], seed) for seed in seeds))
    whole, near = np.array(whole), np.array(near)
    ratios = near.mean(axis=0) / whole.mean()
    # Lands are so different that few of them say little.
    error = 3.0 * near.std(axis=0) / whole.mean() / len(seeds) ** 0.5
    assert (ratios > 0.8 - error).all(), ratios
    assert (ratios < 1.2 + error).all(), ratios


def slopes(height, spacing):
    """Return the slope of each cell between four samples, in degrees."""
    rise = height.astype(float) / spacing
    along, down = np.diff(rise, axis=1), np.diff(rise, axis=0)
    length = np.hypot(along[1:] + along[:-1], down[:, 1:] + down[:, :-1]) / 2.0
    return np.degrees(np.arctan(length))


def rim(recipe):
    """Return the mean slopes of a land's outer eight samples, and of the next 24."""
    grid = recipe.grid(SAMPLES)
    steepness = slopes(recipe.evaluate(grid).height, grid.spacing)
    distance = distance_from_border(steepness.shape)
    return steepness[distance < 8].mean(), steepness[(distance >= 8) & (distance < 32)].mean()


def noise_of(recipe):
    """Return a recipe without its modifiers."""
    layers = tuple(layer for layer in recipe.layers if not isinstance(layer, Modifier))
    return dataclasses.replace(recipe, layers=layers)


def ratio_and_error(recipe, seeds):
    """Return the outer slope over the next one, and its standard error."""
    outer, following = np.array([rim(dataclasses.replace(recipe, seed=seed)) for seed in seeds]).T
    spread = (outer - following * (outer.sum() / following.sum())).std() / following.mean()
    return outer.sum() / following.sum(), spread / len(seeds) ** 0.5


def steepness_at_border(name, draw):
    """Return the outer slope of a landform over the next one, that of its noise alone, and the standard error."""
    recipe = preset(name).recipe
    seeds = [draw.randrange(1 << 31) for _ in range(LANDS)]
    ratio, error = ratio_and_error(recipe, seeds)
    return ratio, ratio_and_error(noise_of(recipe), seeds)[0], error


def test_landforms_have_no_rim():
    """As steep at the border as further inside, or as much gentler as the shape of the noise is, such as an island's."""
    draw = generator("rims")
    names = draw.sample(LANDFORMS, max(count_of(len(LANDFORMS)), 2))
    measured = {name: steepness_at_border(name, draw) for name in names}
    rims = {
        name: (ratio, shape, error)
        for name, (ratio, shape, error) in measured.items()
        if min(abs(ratio - 1.0), abs(ratio / shape - 1.0)) > 0.1 + 3.0 * error
    }
    assert not rims, rims
