# SPDX-License-Identifier: GPL-3.0-or-later
"""The law of stream erosion on its own: slopes fall with drainage area as the exponent says, on any number of levels."""

from __future__ import annotations

import numpy as np
import pytest

from noise_core import Grid
from noise_core.flow_routing.directions import distances
from noise_core.flow_routing.routing import route
from noise_core.modifiers import StreamErosion
from noise_core.noises import Fractal, Perlin
from noise_core.pictures.relief_figures.fits import fit_line
from noise_core.rasters.level import Level
from tests.drawing import count_of, generator

pytestmark = pytest.mark.newest

LAW_ALONE = {
    "mode": "grow",
    "talus_angle": 85.0,
    "valley_fill": 0.0,
    "smoothing": 0.0,
    "randomness": 0.0,
    "lakes": "fill",
}
"""Land that rises evenly until it is in balance with its rivers, and nothing else."""

CELLS_OF_CHANNELS = 10
"""Cells that drain through one that counts as a channel."""

HIGH = 0.01
"""Of the land, in widths of it, to which its uplift relates: no slope becomes as steep as talus."""

CASES = 60


def drawn_cases():
    """Yield random grids of one to four levels, with stream erosion that has the law alone, and seeds."""
    chance = generator("theta")
    for _ in range(count_of(CASES)):
        levels = chance.choice((1, 2, 2, 3, 3, 4))
        rows, columns = (chance.randint(130, 160) * 2 ** (levels - 1) for _ in range(2))
        wrap, size = chance.random() < 0.25, 10.0 ** chance.uniform(2.0, 5.0)
        erosion = StreamErosion(
            exponent=chance.uniform(0.4, 0.6),
            strength=chance.uniform(2.5, 8.0),
            outlets="lowest" if wrap else chance.choice(("open", "fixed", "sea")),
            sea_level=0.5 * HIGH * size,
            **LAW_ALONE,
        )
        yield Grid(rows, columns, size=size, wrap=wrap), erosion, chance.getrandbits(32)


def plateau(grid, seed):
    """Return a picture of even uplift, but for a hundredth, and where there is none: at the border, or in a circle."""
    high = HIGH * grid.size
    rise = Fractal(source=Perlin(frequency=3.0), octaves=6.0).sample_grid(grid, seed)
    picture = np.float32(high) * (np.float32(1.0) + np.float32(0.01) * rise)
    if grid.wrap:
        y, x = np.mgrid[-0.5 : 0.5 : grid.rows * 1j, -0.5 : 0.5 : grid.columns * 1j]
        is_low = np.hypot(x, y) < 0.13
    else:
        is_low = np.ones(grid.shape, bool)
        is_low[1:-1, 1:-1] = False
    picture[is_low] = 0.0
    return picture.astype(np.float32), is_low


def concavity(height, level, ends):
    """Return the exponent with which the slope of channels falls with the area they drain."""
    tree = route(height, level, ends)
    areas, heights = tree.accumulate(), tree.filled.reshape(-1).astype(np.float64)
    runs = np.array([np.nan, *distances(level)])[tree.directions.reshape(-1)]
    slopes = (heights - heights[tree.receivers]) / runs
    is_channel = (areas >= CELLS_OF_CHANNELS) & ~tree.ends.reshape(-1) & (slopes > 0.0)
    assert np.count_nonzero(is_channel) > 500
    return -fit_line(np.log(areas[is_channel]), np.log(slopes[is_channel])).slope


def test_channels_are_as_concave_as_the_law_says_on_any_number_of_levels():
    for grid, erosion, seed in drawn_cases():
        picture, is_low = plateau(grid, seed)
        height = erosion.apply(picture, grid, seed).height
        theta = concavity(height, Level.from_grid(grid), is_low)
        assert theta == pytest.approx(erosion.exponent, abs=0.02), (grid, erosion, seed)
