# SPDX-License-Identifier: GPL-3.0-or-later
"""Figures of rivers: pits, channels, how their slope falls with the area they drain, and the main river.

References
----------
Flint, J. J. (1974). Stream gradient as a function of order, magnitude, and discharge. Water Resources
Research 10. (The concavity.)
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ...base.arrays import Field
from ...base.blocks import checkpoint
from ...flow_routing.directions import Cells, Mask, distances
from ...flow_routing.outlets import border
from ...flow_routing.routing import route
from ...flow_routing.tree import FlowTree
from ...rasters.level import Level
from .fits import Line, fit_line

Values = npt.NDArray[np.float64]

MOST_CELLS_OF_HILLSLOPES = 500
"""Cells that drain through one beyond which it is a channel, whose slope falls with its area."""

FEWEST_CHANNELS = 50
"""Cells, below which a fit of slopes and areas says nothing."""

CHANNEL = 200
"""Cells that drain through one that counts as a channel where its direction is looked at."""

STRAIGHT = 12
"""Cells of a channel in one direction of the grid that real rivers seldom run."""

SHALLOW = 0.5
"""Meters below its spill level from which on ground counts as a pit."""

LEVEL_GROUND = 1e-5
"""Rise over run of what is level: filled pits, and what floating point makes of them."""

BINS_A_DECADE = 4
"""Of drainage areas, with a median of the slopes each."""

FEWEST_IN_BIN = 10
"""Cells of which a median says something."""

PROFILE_POINTS = 101
"""Of a long profile, equally far apart."""

_SQUARE_KILOMETER = 1e6


@dataclass(frozen=True, eq=False)
class Drainage:
    """Water on land whose pits are filled. Arrays are flat: shape (cells,).

    Attributes
    ----------
    tree : FlowTree
    level : Level
    land : ndarray, bool
        Ground above the sea.
    is_pit : ndarray, bool
        More than `SHALLOW` below its spill level.
    cells : ndarray, float64
        How many drain through each one, with itself.
    slope : ndarray, float64
        Rise over run along the flow; 0 at its ends.
    """

    tree: FlowTree
    level: Level
    land: Mask
    is_pit: Mask
    cells: Values
    slope: Values

    @classmethod
    def of(cls, height: Field, level: Level, sea: float = -math.inf) -> Drainage:
        """Return the drainage of heights in meters, out over the border and into the sea."""
        land = np.asarray(height > sea)
        tree = route(height, level, border(level) | ~land)
        checkpoint()
        filled = tree.filled.reshape(-1)
        fall = filled.astype(np.float64) - filled[tree.receivers]
        checkpoint()
        length = np.array([1.0, *distances(level)])[tree.directions.reshape(-1)]
        is_pit = ((tree.filled - height) > SHALLOW).reshape(-1)
        return cls(tree, level, land.reshape(-1), is_pit, tree.accumulate(), fall / length)

    @property
    def drains(self) -> Mask:
        """Cells that drain to another one."""
        return np.not_equal(self.tree.directions.reshape(-1), 0)


@dataclass(frozen=True, eq=False)
class SlopesAndAreas:
    """Slope along the flow by drainage area.

    Attributes
    ----------
    area : ndarray of shape (bins,)
        In square kilometers, rising.
    slope : ndarray of shape (bins,)
        Rise over run, the median of each bin.
    least_channel : float
        In square kilometers: from there on there are channels.
    fit : Line or None
        Through the logarithms to base 10 of all channels' areas and slopes; None if there are too few.
    """

    area: Values
    slope: Values
    least_channel: float
    fit: Line | None


def measure_pits(water: Drainage) -> float | None:
    """Return the share of the land that lies in pits, in per cent; None if there is no land."""
    land = int(np.count_nonzero(water.land))
    return 100.0 * int(np.count_nonzero(water.is_pit & water.land)) / land if land else None


def measure_slopes_and_areas(water: Drainage) -> SlopesAndAreas:
    """Return the medians of slopes by area, and the line through channels."""
    cells = np.flatnonzero(water.drains & water.land & (water.slope > LEVEL_GROUND))
    checkpoint()
    cell_area = water.level.step_x * water.level.step_y / _SQUARE_KILOMETER
    count, slope = water.cells[cells], np.log10(water.slope[cells])
    area = np.log10(count * cell_area)
    checkpoint()
    is_channel = count > MOST_CELLS_OF_HILLSLOPES
    has_channels = np.count_nonzero(is_channel) >= FEWEST_CHANNELS
    fit = fit_line(area[is_channel], slope[is_channel]) if has_channels else None
    checkpoint()
    places = (np.log10(count) * BINS_A_DECADE).astype(np.intp)
    checkpoint()
    order = np.argsort(places, kind="stable")
    ends = np.cumsum(np.bincount(places), dtype=np.intp).tolist()
    parts = [order[start:stop] for start, stop in zip([0, *ends], ends)]
    parts = [part for part in parts if len(part) >= FEWEST_IN_BIN]
    checkpoint()
    medians = [[float(np.median(values[part])) for part in parts] for values in (area, slope)]
    least = MOST_CELLS_OF_HILLSLOPES * cell_area
    return SlopesAndAreas(10.0 ** np.array(medians[0]), 10.0 ** np.array(medians[1]), least, fit)


def measure_straight(water: Drainage) -> float | None:
    """Return the share of channels that run straight along the grid for a dozen cells, in per cent."""
    tree, down = water.tree, water.tree.receivers
    ways = tree.directions.reshape(-1)
    channel = (water.cells > CHANNEL) & water.drains
    if not channel.any():
        return None
    goes_on = channel & channel[down] & (ways == ways[down])
    starts = tree.starts.tolist()
    groups = [tree.order[start:stop] for start, stop in zip(starts[1:], starts[2:])]
    groups = [cells[goes_on[cells]] for cells in groups]
    runs = np.ones(ways.size, np.int32)
    for cells in groups:  # how far it goes on from here
        runs[cells] = runs[down[cells]] + 1
    checkpoint()
    for cells in reversed(groups):  # and how far it has come
        np.maximum.at(runs, down[cells], runs[cells])
    straight = int(np.count_nonzero(runs[channel] >= STRAIGHT))
    return 100.0 * straight / int(np.count_nonzero(channel))


def measure_profile(water: Drainage) -> tuple[Values, Values]:
    """Return the long profile of the river that drains most land.

    Returns
    -------
    tuple of two ndarrays of shape (PROFILE_POINTS,)
        Kilometers from where it begins, and meters above where it ends.
    """
    path = _main_river(water)
    filled = water.tree.filled.reshape(-1)[path].astype(np.float64)
    ways = water.tree.directions.reshape(-1)[path[:-1]]
    steps = np.array([0.0, *distances(water.level)])[ways]
    way = np.concatenate((np.zeros(1), np.cumsum(steps, dtype=np.float64))) / 1000.0
    distance = np.linspace(0.0, float(way[-1]), PROFILE_POINTS)
    return distance, np.interp(distance, way, filled - filled[-1])


def _main_river(water: Drainage) -> Cells:
    """Return the cells of the main river down to its mouth."""
    rising = np.argsort(water.cells, kind="stable")
    checkpoint()
    rising = rising[water.drains[rising]]
    donor = np.full(water.cells.size, -1, np.intp)
    donor[water.tree.receivers[rising]] = rising  # the last assignment stays: the largest
    path = [int(np.argmax(water.cells))]
    while donor[path[-1]] >= 0:
        path.append(int(donor[path[-1]]))
    return np.array(path[::-1], np.intp)
