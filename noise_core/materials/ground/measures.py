# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures of land in which the limits of layers count: heights, and thicknesses of moved material."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ...base.arrays import Field
from ..colors import COVERS

THICK = ("wear", "deposit", "scree")
"""Maps of thicknesses in meters."""

USUAL = 10.0
"""Thickness in meters that counts as 1 if nothing is known."""

_TYPICAL = 0.97
"""The share of what was worn away or left that is thinner than what counts as 1."""

_LOWEST, _HIGHEST = 0.005, 0.999
"""Shares of the ground that lie below what counts as 0 and as 1."""


@dataclass(frozen=True)
class GroundMeasures:
    """Measures of a land, in its own axes.

    Attributes
    ----------
    width : float
        The longer side, seen from above.
    low, high : float
        Between which heights nearly all of it lies.
    full : mapping of str to float
        Thickness of wear, deposit and scree that counts as 1; and of covers, if the land has their maps.
    """

    width: float
    low: float
    high: float
    full: Mapping[str, float]

    @classmethod
    def of(
        cls, heights: Field, width: float, maps: Mapping[str, Field], level: float | None
    ) -> GroundMeasures:
        """Return the measures of heights in meters; ground below a sea does not count."""
        if level is not None and (heights > level).any():
            heights = heights[heights > level]
        low, high = _quantiles(heights, (_LOWEST, _HIGHEST))
        full = {}
        for name in (*THICK, *COVERS):
            values = maps.get(name)
            if values is not None and name in COVERS and COVERS[name].full:
                full[name] = COVERS[name].full
            elif values is not None and (values > 0.0).any():
                full[name] = max(*_quantiles(values[values > 0.0], (_TYPICAL,)), 1e-6)
            elif values is not None and name in COVERS:
                full[name] = USUAL
        return cls(width, low, max(high, low + 1e-3 * width), full)


def _quantiles(values: Field, shares: Sequence[float]) -> list[float]:
    """Return the values below which some shares of all lie, straight between two.

    NumPy's own function imports masked arrays, which takes longer than all else here.
    """
    places = [share * (values.size - 1) for share in shares]
    firsts = [math.floor(place) for place in places]
    lasts = [min(first + 1, values.size - 1) for first in firsts]
    ordered = np.partition(values, sorted({*firsts, *lasts}), axis=None)
    found = []
    for place, first, last in zip(places, firsts, lasts):
        low, high, rest = ordered[first], ordered[last], place - first
        step = float(high - low)
        # From the nearer end, as NumPy does it.
        found.append(float(low) + step * rest if rest < 0.5 else float(high) - step * (1.0 - rest))
    return found
