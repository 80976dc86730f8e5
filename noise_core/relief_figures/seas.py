# SPDX-License-Identifier: GPL-3.0-or-later
"""The sea that a recipe's rivers end in."""

from __future__ import annotations

import math

from ..modifiers.stream_erosion import StreamErosion
from ..recipes.recipe import Recipe


def sea_of(recipe: Recipe) -> float:
    """Return the level of the sea that its rivers end in, in meters; -inf if in none."""
    streams = [one for one in recipe.modifiers if isinstance(one, StreamErosion) and not one.muted]
    return next((one.sea_level for one in streams if one.outlets == "sea"), -math.inf)
