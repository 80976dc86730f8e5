# SPDX-License-Identifier: GPL-3.0-or-later
"""Distance to curves: how far samples lie from them, below 0 inside closed ones."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..base import blocks
from ..base.arrays import Field
from ..rasters.level import Level
from .chains import Chain, Pieces
from .inside import inside
from .survey import Placed, survey, survey_parts, useful_reach


def curve_distance(chains: Sequence[Chain], level: Level, reach: float) -> Field:
    """Return the distance to the nearest of some chains in meters, at most `reach`; below 0 inside closed ones.

    Parameters
    ----------
    chains : sequence of Chain
    level : Level
        A land, or a part of one, whose edges need not be those of the land.
    reach : float
        In meters, above 0.

    Returns
    -------
    ndarray of shape (rows, columns), float32
    """
    result = np.full(level.shape, np.float32(reach))
    useful = useful_reach(level, reach)
    placed = Placed.on(Pieces.of(chains), level)
    for part in survey_parts(level):
        blocks.checkpoint()
        field = result[part.within(level)]
        found = survey(placed, part, useful / level.step_x, nearest_only=True)
        if found is not None:
            found.paste(np.minimum(found.distance * level.step_x, reach), field)
        for chain in chains:
            if chain.closed:
                within = inside(chain, part)
                np.copyto(field, np.float32(0.0) - np.abs(field), where=within)
    return result
