# SPDX-License-Identifier: GPL-3.0-or-later
"""A cover of snow that is smoother than the ground below it.

Hollows fill and bumps are blown bare. As much lies as before.

References
----------
Paul Fearing (2000). Computer modelling of fallen snow. SIGGRAPH.
Adam Winstral, Kelly Elder, Robert E. Davis (2002). Spatial snow modeling of wind-redistributed snow
using terrain-based parameters. Journal of Hydrometeorology 3. (snow in concavities)
"""

from __future__ import annotations

import dataclasses
import math

import numpy as np

from ...base import blocks
from ...base.arrays import Field
from ...rasters import boxes, smoothing
from ...types.level import Level
from ..slides import balancing

_WIDTHS = (2.0, 1.0, 0.5)
"""Of the averages, the widest first: what one leaves is seen by the next."""

_MOST_FILL = 0.3
"""Of a hollow's depth, how much counts beside the snow that lies there: it gets up to four times as thick."""

_KEPT = 1.8
"""Of a bump's height likewise: nearly half of the snow stays on the highest. With less in three steps all crests
of alps were bare, like threads over the white."""

_SHARE = 0.65
"""Of bumps and hollows that one step takes. What is left of channels leads water as the ground below does: with all
of it the water of smooth slopes ran along the rows and columns of samples."""

_MARGIN = 4.0
"""Deviations of the average that count beyond a border."""


def even_out(snow: Field, height: Field, level: Level, deviation: float) -> Field:
    """Return the thickness of snow after hollows of the ground have filled, in meters.

    Parameters
    ----------
    snow, height : ndarray of shape (rows, columns), float32
        Thickness, and height of the ground, in meters.
    level : Level
        Of that shape.
    deviation : float
        Standard deviation in meters of the average that tells bumps from hollows.
    """
    for width in _WIDTHS:
        snow = _even_once(snow, height, level, width * deviation)
    return snow


def _even_once(snow: Field, height: Field, level: Level, deviation: float) -> Field:
    """Return the thickness after one step; bumps of the snow itself count too."""
    bumps = height + snow
    bumps -= _average(bumps, level, deviation)
    change = np.empty_like(snow)

    def work(start: int, stop: int) -> None:
        blocks.checkpoint()
        here, bump = snow[start:stop], bumps[start:stop]
        away = np.maximum(bump, np.float32(0.0)) * np.float32(_KEPT)
        away -= np.minimum(bump, np.float32(0.0)) * np.float32(_MOST_FILL)
        away += here
        away += np.float32(1e-30)  # neither snow nor bump
        part = here / away
        part *= bump
        np.multiply(part, np.float32(-_SHARE), out=change[start:stop])

    blocks.run(work, level.rows, max(1, (1 << 16) // level.columns))
    balancing.balance(change)
    change += snow
    return np.maximum(change, np.float32(0.0), out=change)


def _average(height: Field, level: Level, deviation: float) -> Field:
    """Return heights smoothed by a Gaussian; beyond borders slopes go on, so that a plane stays a plane."""
    if level.wrap:
        return boxes.blur(height, level, deviation)
    margins = [
        min(math.ceil(_MARGIN * deviation / step), count)
        for step, count in ((level.step_y, level.rows), (level.step_x, level.columns))
    ]
    wide = height
    for axis, margin in enumerate(margins):
        wide = smoothing.pad(wide, margin, axis, False)
    rows, columns = wide.shape
    around = dataclasses.replace(level, rows=rows, columns=columns)
    smooth = boxes.blur(wide, around, deviation)
    down, along = margins
    return smooth[down : down + level.rows, along : along + level.columns]
