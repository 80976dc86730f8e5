# SPDX-License-Identifier: GPL-3.0-or-later
"""No rims: a border changes as if the land went on beyond it, by modifiers that lead water, and in every landform.

Modifiers without water are held to more in `test_borders`.
"""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from noise_core import Grid, modifier_types
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
BESIDE = 128
"""Samples by which a wider land goes on beyond each border."""

GENTLER_BY_SHAPE = {
    "island": "the sea floor around it is gentler than its mountains",
    "canyon": "the slopes to the trough level off toward the upland, at two borders",
    "river_delta": "it runs out into a plain, and that into the floor of a bay",
    "ridge_rivers": "drawn ridges stand in its middle, and the floors of drawn valleys end at its border",
}
"""Landforms whose outer samples are to be gentler than the next ones, and what makes them so."""

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


def rim(height, spacing):
    """Return the mean slopes of a land's outer eight samples, and of the next 24."""
    steepness = slopes(height, spacing)
    distance = distance_from_border(steepness.shape)
    return steepness[distance < 8].mean(), steepness[(distance >= 8) & (distance < 32)].mean()


def as_it_is(recipe):
    """Return the heights of a land."""
    return recipe.evaluate(recipe.grid(SAMPLES)).height


def where_it_goes_on(recipe):
    """Return the heights at the same places of a land with half as much more on each side."""
    begin, side = -BESIDE / (SAMPLES - 1), SAMPLES + 2 * BESIDE
    grid = Grid(side, side, origin=(begin, begin), size=recipe.size, per_tile=SAMPLES - 1)
    return recipe.evaluate(grid).height[BESIDE:-BESIDE, BESIDE:-BESIDE]


def steepness_at_border(name, heights):
    """Return the outer slope of a landform over the next one, and its standard error; the same lands each time."""
    recipe, draw = preset(name).recipe, generator(f"rims {name}")
    lands = [dataclasses.replace(recipe, seed=draw.randrange(1 << 31)) for _ in range(LANDS)]
    spacing = recipe.grid(SAMPLES).spacing
    outer, following = np.array([rim(heights(land), spacing) for land in lands]).T
    ratio = outer.sum() / following.sum()
    spread = (outer - following * ratio).std() / following.mean()
    return ratio, spread / LANDS**0.5


def drawn(name, names):
    """Return which of some landforms this run looks at: all of them, or one."""
    return generator(name).sample(names, max(count_of(len(names)), 1))


PLAIN = [name for name in LANDFORMS if name not in GENTLER_BY_SHAPE]


@pytest.mark.parametrize("name", drawn("rims", PLAIN))
def test_landforms_have_no_rim(name):
    """As steep at the border as further inside, but for those that are gentler there by their shape."""
    ratio, error = steepness_at_border(name, as_it_is)
    assert abs(ratio - 1.0) <= 0.1 + 3.0 * error, (ratio, error)


@pytest.mark.parametrize("name", drawn("shapes at borders", list(GENTLER_BY_SHAPE)))
def test_landforms_that_are_gentler_at_the_border_are_so_where_they_go_on(name):
    """Their shape is to blame, not the border: cut out of a wider land the same places are as much gentler."""
    ratio, error = steepness_at_border(name, as_it_is)
    expected, its_error = steepness_at_border(name, where_it_goes_on)
    error = np.hypot(error, its_error)
    assert abs(ratio / expected - 1.0) <= 0.1 + 3.0 * error, (ratio, expected, error)
    assert expected < 1.0 + 3.0 * its_error, "needs no exemption"
