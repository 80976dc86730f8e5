# SPDX-License-Identifier: GPL-3.0-or-later
"""Sources of debris: where gullies begin that are steep and drain enough ground.

References
----------
Tamotsu Takahashi (2007). Debris Flow: Mechanics, Prediction and Countermeasures. Taylor & Francis.
(initiation on beds steeper than 15 to 20 degrees, with enough water)
Pascal Horton, Michel Jaboyedoff, Benoit Rudaz, Marc Zimmermann (2013). Flow-R, a model for susceptibility
mapping of debris flows and other gravitational hazards at a regional scale. Natural Hazards and Earth
System Sciences 13. (sources by slope and drainage area)
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ...base.arrays import Field
from ...flow_routing import surface_flow
from ...rasters import smoothing
from ...rasters import steepness as slopes
from ...types.height_field import HeightField
from ...types.level import Level

Cells = npt.NDArray[np.intp]

_AROUND = 0.5
"""Radius within which ground is compared to a gully's, in sides of the least catchment."""

_HOLLOW = 0.01
"""How much higher it is on the mean at least, in such sides: even slopes have no gullies, however much ground
drains to their foot."""

_APART, _JOINING = 0.5, 4.0
"""Over so many sides a gully drains at most so many times as much as at its source: others are the last
steps of a slope to a gully that has its own source."""


@dataclass(frozen=True)
class Sources:
    """Cells at which debris starts.

    Attributes
    ----------
    cells : ndarray of shape (sources,), intp
        Rising.
    areas : ndarray of that shape, float64
        What drains to each one, in square meters.
    """

    cells: Cells
    areas: npt.NDArray[np.float64]


def find_sources(height: Field, level: Level, start: float, catchment: float) -> Sources:
    """Return the cells that are steep and drain enough ground, those that none of them drains to.

    Parameters
    ----------
    height : ndarray of shape (rows, columns), float32
        In meters.
    level : Level
        Of that shape.
    start : float
        Steepness of the ground from which on debris starts, rise over run.
    catchment : float
        Least area that drains to a source, in square meters.
    """
    surface = HeightField(height, level)
    side = math.sqrt(catchment)
    areas = surface_flow.drainage_areas(surface).reshape(-1) * (level.step_x * level.step_y)
    can_start = areas >= catchment
    can_start &= _is_hollow(height, level, side).reshape(-1)
    can_start &= slopes.steepness(height, level).reshape(-1) >= np.float32(start)
    found = np.flatnonzero(can_start)
    receivers = surface_flow.flow_tree(surface).receivers
    below = receivers[found]
    can_start[below[below != found]] = False
    cells = np.flatnonzero(can_start)
    steps = min(round(_APART * side / min(level.step_x, level.step_y)), sum(level.shape))
    below = cells
    for _ in range(max(steps, 1) if len(cells) else 0):
        below = receivers[below]
    cells = cells[areas[below] <= _JOINING * areas[cells]]
    return Sources(cells, areas[cells])


def _is_hollow(height: Field, level: Level, side: float) -> npt.NDArray[np.bool_]:
    """Return where ground lies lower than that around it: shape (rows, columns)."""
    reach = _AROUND * side / min(level.step_x, level.step_y)
    strides = smoothing.strides_within(max(reach, 2.0), level.whole_shape)
    around: Field = smoothing.smooth_twice(height, strides, level.wrap) - height
    return np.asarray(around >= np.float32(_HOLLOW * side))
