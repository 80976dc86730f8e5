# SPDX-License-Identifier: GPL-3.0-or-later
"""Axes of charts: linear and logarithmic ones, and where their ticks are."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from .canvas import RAISE

Values = npt.NDArray[np.float64]

MOST_TICKS = 6
"""Numbers along an axis."""

_PLAIN_DECADES = 3
"""Powers of ten up to which a logarithmic axis has plain numbers: 0.001 to 1,000."""

_MARGIN = 0.04
"""Of a logarithmic axis, beyond its lowest and its highest value."""


@dataclass(frozen=True)
class Axis:
    """An axis.

    Attributes
    ----------
    low, high : float
        Where it begins and ends; above 0 if it is logarithmic.
    label : str
        What it measures, with the unit.
    is_log : bool
    """

    low: float
    high: float
    label: str
    is_log: bool = False

    def place(self, values: npt.ArrayLike) -> Values:
        """Return how far along the axis values lie, from 0 to 1; those beyond its ends at the ends."""
        plain = np.asarray(values, np.float64)
        low, high = self.low, self.high
        if self.is_log:
            plain = np.log10(np.maximum(plain, low))
            low, high = math.log10(low), math.log10(high)
        return np.clip((plain - low) / (high - low), 0.0, 1.0)

    def ticks(self) -> list[tuple[float, str]]:
        """Return the values that have a number, and these numbers."""
        return self._log_ticks() if self.is_log else self._linear_ticks()

    def _linear_ticks(self) -> list[tuple[float, str]]:
        step = nice_step(self.high - self.low)
        first, last = math.ceil(self.low / step - 1e-9), math.floor(self.high / step + 1e-9)
        return [(number * step, _plain(number * step)) for number in range(first, last + 1)]

    def _log_ticks(self) -> list[tuple[float, str]]:
        first = math.ceil(math.log10(self.low) - 1e-9)
        last = math.floor(math.log10(self.high) + 1e-9)
        stride = -(-(last - first + 1) // MOST_TICKS) if last > first else 1
        powers = range(first, last + 1, max(stride, 1))
        is_plain = max(abs(first), abs(last)) <= _PLAIN_DECADES
        if len(powers) > 1:
            return [
                (10.0**power, _plain(10.0**power) if is_plain else _power(power))
                for power in powers
            ]
        between = [
            lead * 10.0**power for power in range(first - 1, last + 1) for lead in (1.0, 2.0, 5.0)
        ]
        inside = [value for value in between if self.low <= value <= self.high]
        return [(value, _plain(value)) for value in inside]


def linear_axis(values: npt.ArrayLike, label: str) -> Axis:
    """Return an axis from 0 to a round number that no value exceeds."""
    highest = float(np.max(values, initial=0.0))
    if not highest > 0.0:
        return Axis(0.0, 1.0, label)
    step = nice_step(highest)
    return Axis(0.0, step * math.ceil(highest / step - 1e-9), label)


def log_axis(values: npt.ArrayLike, label: str) -> Axis:
    """Return a logarithmic axis around values above 0."""
    plain = np.asarray(values, np.float64)
    low, high = (math.log10(float(end)) for end in (plain.min(), plain.max()))
    margin = max(_MARGIN * (high - low), 0.05)
    return Axis(10.0 ** (low - margin), 10.0 ** (high + margin), label, is_log=True)


def nice_step(extent: float) -> float:
    """Return the distance of ticks: 1, 2 or 5 times a power of ten."""
    rough = extent / MOST_TICKS
    power = 10.0 ** math.floor(math.log10(rough))
    return power * next(lead for lead in (1.0, 2.0, 5.0, 10.0) if lead * power >= rough * 0.9999)


def _plain(value: float) -> str:
    """Return a number in plain figures."""
    return f"{value:,.10g}".replace("-", "\N{MINUS SIGN}")


def _power(power: int) -> str:
    return f"10{RAISE}{power}".replace("-", "\N{MINUS SIGN}")
