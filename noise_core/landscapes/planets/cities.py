# SPDX-License-Identifier: GPL-3.0-or-later
"""Where people live on a planet: on low ground near the sea, where it is neither dry nor cold.

References
----------
C. Small, J. E. Cohen (2004). Continental physiography, climate, and the global distribution of human population.
    Current Anthropology 45, 269-277. (low, near coasts, temperate)
"""

from __future__ import annotations

import numpy as np

from ...base.arrays import Field
from ...materials.ground.noises import NodeFractal, even_at
from .colors import climate
from .ground import PlanetGround
from .planet import PlanetHeights

_CLUSTERS = NodeFractal(11.0, 4, 0.6)
"""Noise of regions: cells along the diameter, octaves, roughness."""

_LOW = 0.45
"""Height above the sea beyond which nobody lives, as a share of the highest."""


def settlements(heights: PlanetHeights, about: PlanetGround) -> Field:
    """Return how densely each vertex is settled, from 0 to 1: shape (vertices,), float32.

    Parameters
    ----------
    heights : PlanetHeights
    about : PlanetGround
    """
    level = float(heights.height.min()) if heights.sea is None else heights.sea
    top = max(float(heights.height.max()) - level, 1e-6 * about.radius)
    above = (heights.height - np.float32(level)) * np.float32(1.0 / top)
    low = np.clip(np.float32(1.0) - above * np.float32(1.0 / _LOW), 0.0, 1.0)
    coast = np.float32(0.35) + np.float32(0.65) * np.clip(1.0 - above * 12.0, 0.0, 1.0)
    unit = heights.directions * np.float32(0.5)
    cold, dry = climate(about, heights.directions, unit, 1.0)
    mild = np.clip(np.float32(1.0) - np.float32(1.6) * np.asarray(cold, np.float32), 0.0, 1.0)
    regions = np.clip(even_at(_CLUSTERS, unit) * np.float32(2.2) - np.float32(0.75), 0.0, 1.0)
    settled = low * low * coast * mild * regions * (np.float32(1.0) - np.float32(0.85) * dry)
    return np.where(above > 0.0, settled, 0.0).astype(np.float32)
