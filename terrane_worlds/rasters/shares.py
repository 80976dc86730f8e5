# SPDX-License-Identifier: GPL-3.0-or-later
"""Samples that work holds for each sample of a tile, from which its cost follows."""

from __future__ import annotations

from ..tiling import Tiling
from . import level_fields

MOST_RELIEF = 0.25
"""Typical relief of a land, as a share of its width, with which costs are reckoned before it is known."""


def with_margin(tiling: Tiling, margin: int) -> float:
    """Return the samples of a tile with a margin, for each of its own."""
    rows, columns = (min(tiling.side + 2 * margin, size) for size in tiling.shape)
    return rows * columns / tiling.side**2


def whole_level(tiling: Tiling) -> float:
    """Return the samples of a level that is worked on as a whole, for each of a tile."""
    return min(level_fields.MOST_SAMPLES, tiling.rows * tiling.columns) / tiling.side**2
