# SPDX-License-Identifier: GPL-3.0-or-later
"""Balance of a change of heights: as much is added as is taken away."""

from __future__ import annotations

import functools
from collections.abc import Sequence

import numpy as np

from ...base.arrays import Field
from ...base.blocks import Progress
from ...rasters.level import Level
from ...rasters.totals import total
from ...stages.description import Local, Part, Raster
from ...stages.runner import Runner

Factors = tuple[float, float] | None
"""Of the added and of the removed part; None if both stay as they are."""


def balance(change: Field) -> Field:
    """Scale a change of heights so that it conserves volume, in place.

    The larger of the added and the removed volume is scaled down by one factor, so that
    places without a change keep none.
    """
    return scale_sides(
        change, balancing_factors(total(additions(change)), -total(removals(change)))
    )


def add_balanced(run: Runner, height: Raster, change: Raster) -> Raster:
    """Return heights with a change of them that conserves volume; see `balance`."""
    work = functools.partial(_add_scaled, factors=_measure(run, change))
    (raised,) = run.local(Local("raise", work, held=4.0, is_lazy=True), height, change)
    return raised


def balance_stage(run: Runner, change: Raster) -> Raster:
    """Return a change of heights that conserves volume; see `balance`."""
    work = functools.partial(_scale, factors=_measure(run, change))
    (balanced,) = run.local(Local("balance", work, held=4.0, is_lazy=True), change)
    return balanced


def _measure(run: Runner, change: Raster) -> Factors:
    return balancing_factors(run.total(change, additions), -run.total(change, removals))


def _scale(target: Level, parts: Sequence[Part], progress: Progress, *, factors: Factors) -> Field:
    return scale_sides(parts[0].values.copy(), factors)


def _add_scaled(
    target: Level, parts: Sequence[Part], progress: Progress, *, factors: Factors
) -> Field:
    height, change = (part.values for part in parts)
    result = scale_sides(change.copy(), factors)
    result += height
    return result


def additions(change: Field) -> Field:
    """Return the part of a change of heights that adds."""
    return np.maximum(change, np.float32(0.0))


def removals(change: Field) -> Field:
    """Return the part of a change of heights that removes, as negative numbers."""
    return np.minimum(change, np.float32(0.0))


def balancing_factors(gain: float, loss: float) -> Factors:
    """Return the factors that balance a change which adds and takes away so much on the whole."""
    if gain == loss:
        return None
    if gain == 0.0 or loss == 0.0:
        return (0.0, 0.0)
    return (loss / gain, 1.0) if gain > loss else (1.0, gain / loss)


def scale_sides(change: Field, factors: Factors) -> Field:
    """Multiply the added and the removed part by a factor each, in place."""
    if factors is None:
        return change
    if factors == (0.0, 0.0):
        change[:] = 0.0
        return change
    sunk = removals(change)
    sunk *= np.float32(factors[1])
    np.maximum(change, np.float32(0.0), out=change)
    change *= np.float32(factors[0])
    change += sunk
    return change
