# SPDX-License-Identifier: GPL-3.0-or-later
"""Balance of a change of heights: as much is added as is taken away."""

from __future__ import annotations

import numpy as np

from ...base.arrays import Field
from ...rasters.totals import total

Factors = tuple[float, float] | None
"""Of what is added and of what is taken away; None if both stay as they are."""


def balance(change: Field) -> Field:
    """Scale a change of heights so that it conserves volume, in place.

    What is added or what is taken away, whichever is more, is made less by one factor, so that
    places without a change keep none.
    """
    return scale_sides(change, balancing_factors(total(added(change)), -total(taken(change))))


def added(change: Field) -> Field:
    """Return what a change of heights adds."""
    return np.maximum(change, np.float32(0.0))


def taken(change: Field) -> Field:
    """Return what a change of heights takes away, as negative numbers."""
    return np.minimum(change, np.float32(0.0))


def balancing_factors(gain: float, loss: float) -> Factors:
    """Return the factors that balance a change which adds and takes away so much on the whole."""
    if gain == loss:
        return None
    if gain == 0.0 or loss == 0.0:
        return (0.0, 0.0)
    return (loss / gain, 1.0) if gain > loss else (1.0, gain / loss)


def scale_sides(change: Field, factors: Factors) -> Field:
    """Multiply what is added and what is taken away by factors of their own, in place."""
    if factors is None:
        return change
    if factors == (0.0, 0.0):
        change[:] = 0.0
        return change
    sunk = taken(change)
    sunk *= np.float32(factors[1])
    np.maximum(change, np.float32(0.0), out=change)
    change *= np.float32(factors[0])
    change += sunk
    return change
