# SPDX-License-Identifier: GPL-3.0-or-later
"""Linear remapping of a noise from one range to another."""

from __future__ import annotations

import numpy as np

from ..base import intervals
from ..base.arrays import Field
from ..base.errors import Message, ParameterError, format_value
from ..base.params import boolean, number
from .bases.noise import noise_type
from .bases.pointwise import Pointwise

_MIN_RANGE = 1e-4
"""A narrower range would magnify the last bit of float32 into steps that can be seen."""


@noise_type("remap", "Remap", family="combine")
class Remap(Pointwise):
    """Maps values from one range to another: contrast, offsets, masks from 0 to 1.

    Notes
    -----
    A range that runs backwards turns the noise upside down.

    Examples
    --------
    >>> from noise_core import Grid
    >>> from noise_core.noises import Gradient, Remap
    >>> ramp = Gradient(shape="linear", falloff=1.0, fade="linear")
    >>> mask = Remap(source=ramp, from_minimum=-0.5, from_maximum=0.5)
    >>> print(mask.sample_grid(Grid(1, 5)).round(2))
    [[0.  0.  0.5 1.  1. ]]
    >>> mask.bounds()
    (0.0, 1.0)
    """

    from_minimum: float = number(
        -1.0,
        help="Value that becomes the new minimum",
        minimum=-100.0,
        maximum=99.0,
        soft_minimum=-1.0,
        soft_maximum=1.0,
    )
    from_maximum: float = number(
        1.0,
        help="Value that becomes the new maximum",
        minimum=-99.0,
        maximum=100.0,
        soft_minimum=-1.0,
        soft_maximum=1.0,
    )
    to_minimum: float = number(
        0.0,
        help="The new minimum",
        minimum=-1000.0,
        maximum=1000.0,
        soft_minimum=-1.0,
        soft_maximum=1.0,
    )
    to_maximum: float = number(
        1.0,
        help="The new maximum",
        minimum=-1000.0,
        maximum=1000.0,
        soft_minimum=-1.0,
        soft_maximum=1.0,
    )
    clamp: bool = boolean(True, help="Clip values to the new range")

    def __post_init__(self) -> None:
        super().__post_init__()
        if abs(self.from_maximum - self.from_minimum) < _MIN_RANGE:
            raise ParameterError(
                "Remap.from_maximum must be at least {:g} away from from_minimum",
                _MIN_RANGE,
                got=Message(
                    "{} and {}", format_value(self.from_minimum), format_value(self.from_maximum)
                ),
            )

    def change(self, field: Field) -> None:
        """Map every value."""
        field -= np.float32(self.from_minimum)
        field *= np.float32(self._slope)
        field += np.float32(self.to_minimum)
        # Rounding errors are those of the longer range, which may be far from the shorter one.
        low, high = self.bounds()
        np.clip(field, np.float32(low), np.float32(high), out=field)

    def bounds(self) -> tuple[float, float]:
        """Return the source's interval, mapped."""
        low, high = self.source.bounds()
        distance = (low - self.from_minimum, high - self.from_minimum)
        steeper = intervals.times(distance, (self._slope,) * 2)
        mapped = intervals.plus(steeper, (self.to_minimum,) * 2)
        if not self.clamp:
            return mapped
        return intervals.clip(mapped, *sorted((self.to_minimum, self.to_maximum)))

    @property
    def _slope(self) -> float:
        return (self.to_maximum - self.to_minimum) / (self.from_maximum - self.from_minimum)
