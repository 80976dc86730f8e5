# SPDX-License-Identifier: GPL-3.0-or-later
"""Heights that the numbers of a file stand for."""

from __future__ import annotations

from typing import Union

import numpy as np

from ...base.arrays import Field, to_float
from ...base.errors import ParameterError, format_value
from ..targets.bases.target import Encoding

HeightRange = Union[str, tuple[float, float]]
""""as_is", "proportional", or the meters of the lowest and of the highest number."""

RANGES = ("as_is", "proportional")


def scale_of(
    lowest: float, highest: float, range_: HeightRange, encoding: Encoding, reach: float | None
) -> tuple[float, float]:
    """Return scale and offset: a number n stands for offset + n * scale meters.

    Parameters
    ----------
    lowest, highest : float
        Of the land, in meters.
    range_ : str or tuple of two floats
        See `HeightRange`.
    encoding : Encoding
        Where it stores meters, or its numbers have a fixed meaning, the range is a check alone.
    reach : float, optional
        The height of the recipe, if there is one.

    Raises
    ------
    ParameterError
        If the range cannot be, or does not hold the land.
    """
    low, high = _limits(lowest, highest, range_, reach)
    _check_limits(lowest, highest, low, high)
    number = encoding.highest_number
    if encoding.steps:
        scale, offset = encoding.steps
        _check_limits(lowest, highest, offset, offset + scale * number)
        return scale, offset
    # What is flat has one number, whatever a step is.
    return ((high - low) or 1.0) / number if number else 1.0, low if number else 0.0


def _check_limits(lowest: float, highest: float, low: float, high: float) -> None:
    if lowest < low or highest > high:
        raise ParameterError(
            "the terrain reaches from {:.2f} to {:.2f} m, which the range from {:g} to {:g} m does not hold: choose a wider one",
            lowest,
            highest,
            low,
            high,
        )


def _limits(
    lowest: float, highest: float, range_: HeightRange, reach: float | None
) -> tuple[float, float]:
    if isinstance(range_, str) and range_ == "as_is":
        return lowest, highest
    if isinstance(range_, str) and range_ == "proportional":
        if reach is None:
            raise ParameterError(
                "a range that is proportional needs a recipe; got heights alone: give two meters"
            )
        return -abs(reach), abs(reach)
    is_pair = isinstance(range_, (tuple, list)) and len(range_) == 2
    low, high = (to_float(range_[0]), to_float(range_[1])) if is_pair else (0.0, 0.0)
    if not (np.isfinite(low) and np.isfinite(high) and low < high):
        raise ParameterError(
            "range_ must be one of {}, or two rising numbers of meters",
            ", ".join(RANGES),
            got=format_value(range_),
        )
    return low, high


def extremes(height: Field) -> tuple[float, float]:
    """Return the lowest and the highest value."""
    return float(height.min()), float(height.max())
