# SPDX-License-Identifier: GPL-3.0-or-later
"""The functions that formulas may call: arithmetic alone, the same on every processor.

Each is written for arrays; with plain numbers alone it gives a plain number.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...base.arrays import Field
from ...base.errors import ParameterError
from ...base.waves import cosine
from ..colors.spaces import LUMINANCE

_MANY = 99


@dataclass(frozen=True)
class Function:
    """A function of formulas.

    Attributes
    ----------
    signature : str
        As the documentation shows it.
    help : str
        One line.
    work : callable
        Takes as many values as there are arguments, returns a new array (or a number).
    least, most : int
        How many arguments it takes.
    constants : tuple of int
        Places of arguments that must be plain numbers.
    """

    signature: str
    help: str
    work: Callable[..., Any]
    least: int
    most: int
    constants: tuple[int, ...] = ()

    def __call__(self, values: Sequence[Any]) -> Any:
        """Return the function's value: a float for floats, else a float32 array."""
        result = self.work(*values)
        return result if isinstance(result, np.ndarray) and result.ndim else float(result)


def _mix(first: Any, second: Any, share: Any) -> Any:
    result = second - first
    result = result * share
    result = result + first
    return result


def _clamp(value: Any, low: float = 0.0, high: float = 1.0) -> Any:
    return (
        np.clip(value, low, high) if isinstance(value, np.ndarray) else min(max(value, low), high)
    )


def _line(low: float, high: float, value: Any) -> Any:
    if low == high:
        raise ParameterError("linearstep and smoothstep: low and high must differ", got=f"{low:g}")
    share = value * (1.0 / (high - low))
    share = share - low / (high - low)
    return _clamp(share)


def _smooth_line(low: float, high: float, value: Any) -> Any:
    share = _line(low, high, value)
    result = share * -2.0
    result += 3.0
    result *= share
    result *= share
    return result


def _step(edge: Any, value: Any) -> Any:
    return np.asarray(np.greater_equal(value, edge), np.float32)


def _root(value: Any) -> Any:
    return np.sqrt(np.maximum(value, np.float32(0.0)))


def _fraction(value: Any) -> Any:
    return value - np.floor(value)


def _wave(value: Any) -> Any:
    return cosine(np.asarray(value, np.float32))


def _smooth_minimum(first: Any, second: Any, width: float) -> Any:
    # Quilez (2013), quadratic: rounded where the two differ by less than the width.
    if width <= 0.0:
        return np.minimum(first, second)
    overlap = np.maximum(width - np.abs(first - second), 0.0)
    return np.minimum(first, second) - overlap * overlap * (0.25 / width)


def _smooth_maximum(first: Any, second: Any, width: float) -> Any:
    return -_smooth_minimum(-first, -second, width)


def _luminance(color: Any) -> Any:
    if not (isinstance(color, np.ndarray) and color.ndim == 3):
        return color * 1.0
    red, green, blue = (np.float32(share) for share in LUMINANCE)
    result: Field = color[0] * red
    result += color[1] * green
    result += color[2] * blue
    return result


def _saturate(color: Any, amount: Any) -> Any:
    gray = _luminance(color)
    return _clamp(_mix(gray, color, amount))


def _overlay(first: Any, second: Any) -> Any:
    """Return 2ab where a is dark and 1 - 2 (1 - a)(1 - b) where it is bright."""
    dark = first * second * 2.0
    bright = 1.0 - (1.0 - first) * (1.0 - second) * 2.0
    return np.where(np.asarray(first) < 0.5, dark, bright)


def _least(*values: Any) -> Any:
    return _fold(np.minimum, values)


def _most(*values: Any) -> Any:
    return _fold(np.maximum, values)


def _fold(operation: np.ufunc, values: Sequence[Any]) -> Any:
    # Numbers first, as a plain one: a float64 of NumPy would make all that follows float64.
    numbers = [value for value in values if isinstance(value, float)]
    arrays = [value for value in values if not isinstance(value, float)]
    if numbers:
        arrays.append(float(functools.reduce(operation, numbers)))
    return functools.reduce(operation, arrays)


FUNCTIONS: Mapping[str, Function] = {
    function.signature.partition("(")[0]: function
    for function in (
        Function("min(a, b, ...)", "The least", _least, 2, _MANY),
        Function("max(a, b, ...)", "The largest", _most, 2, _MANY),
        Function("abs(x)", "Without sign", np.abs, 1, 1),
        Function("sqrt(x)", "Square root, 0 below 0", _root, 1, 1),
        Function("floor(x)", "The whole number below", np.floor, 1, 1),
        Function("fract(x)", "x less floor(x)", _fraction, 1, 1),
        Function("clamp(x, low=0, high=1)", "Cut off at both ends", _clamp, 1, 3),
        Function("mix(a, b, t)", "From a (t = 0) to b (t = 1)", _mix, 3, 3),
        Function("step(edge, x)", "0 below the edge, 1 from there on", _step, 2, 2),
        Function("linearstep(low, high, x)", "Straight from 0 to 1", _line, 3, 3, (0, 1)),
        Function("smoothstep(low, high, x)", "Smooth from 0 to 1", _smooth_line, 3, 3, (0, 1)),
        Function("wave(x)", "A cosine of period 1", _wave, 1, 1),
        Function("smooth_min(a, b, width)", "min, rounded", _smooth_minimum, 3, 3, (2,)),
        Function("smooth_max(a, b, width)", "max, rounded", _smooth_maximum, 3, 3, (2,)),
        Function("luminance(color)", "How bright a color is", _luminance, 1, 1),
        Function("saturation(color, amount)", "0 gray, 1 as it is, more: vivid", _saturate, 2, 2),
        Function("overlay(a, b)", "a with its contrast raised by b", _overlay, 2, 2),
    )
}
"""By name."""
