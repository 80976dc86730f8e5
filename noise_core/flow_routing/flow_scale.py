# SPDX-License-Identifier: GPL-3.0-or-later
"""Logarithmic scale of drainage areas, from 0 to 1."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from ..base.arrays import Field
from ..base.blocks import checkpoint
from ..base.elementary import logarithm2
from ..rasters.level import Level
from .directions import row_blocks

MIN_SHARE = 1e-6
"""Of the whole area: what one sample of 1024 x 1024 drains. Below is no flow worth showing."""


def flow_scale(areas: npt.NDArray[np.floating], level: Level, land: Level | None = None) -> Field:
    """Return 0 where a millionth of the whole area or less drains through, 1 where all of it does.

    Parameters
    ----------
    areas : ndarray of as many elements as samples, float
        In samples, as `FlowTree.accumulate` counts them.
    level : Level
        Gives the shape; the whole area is that of its whole.
    land : Level, optional
        That the whole area is of, if the level has land around it.

    Returns
    -------
    ndarray of shape (rows, columns), float32
        The same for any resolution and size, so that limits found on one terrain fit all others.
    """
    rows, columns = (land or level).whole_shape
    shares, flow = areas.reshape(level.shape), np.empty(level.shape, np.float32)
    for start, stop in row_blocks(level.shape):
        checkpoint()
        part = flow[start:stop]
        np.multiply(
            shares[start:stop], 1.0 / (rows * columns * MIN_SHARE), out=part, dtype=np.float32
        )
        np.maximum(part, np.ones(1, np.float32), out=part)
        np.multiply(logarithm2(part), np.float32(-1.0 / math.log2(MIN_SHARE)), out=part)
        np.clip(part, 0.0, 1.0, out=part)
    return flow
