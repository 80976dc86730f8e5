# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether a value is what a parameter's declaration allows: one function per kind.

Each returns the value in its own plain type, or raises a `ParameterError` that begins with `who`.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeGuard, cast

import numpy as np
import numpy.typing as npt

from .arrays import plain_float
from .errors import ParameterError, shown

if TYPE_CHECKING:
    from .params import CurvePoints, Kind, Parameter


def _interval(parameter: Parameter) -> str:
    digits = ".0f" if parameter.kind == "integer" else "g"  # all digits: 2147483648 may be too much
    return f"[{parameter.minimum:{digits}}, {parameter.maximum:{digits}}]"


def _checked_number(parameter: Parameter, value: object, who: str) -> float:
    plain = plain_float(value)
    if math.isnan(plain) and not isinstance(value, (float, np.floating)):
        raise ParameterError(
            f"{who} must be a number in {_interval(parameter)}; got {shown(value)}"
        )
    if not parameter.minimum <= plain <= parameter.maximum or math.isinf(plain):
        raise ParameterError(f"{who} must be in {_interval(parameter)}; got {shown(plain)}")
    return plain


def _checked_integer(parameter: Parameter, value: object, who: str) -> int:
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)):
        raise ParameterError(
            f"{who} must be an integer in {_interval(parameter)}; got {shown(value)}"
        )
    if not parameter.minimum <= value <= parameter.maximum:
        raise ParameterError(f"{who} must be in {_interval(parameter)}; got {shown(int(value))}")
    return int(value)


def _checked_boolean(parameter: Parameter, value: object, who: str) -> bool:
    if not isinstance(value, (bool, np.bool_)):
        raise ParameterError(f"{who} must be True or False; got {shown(value)}")
    return bool(value)


def _checked_choice(parameter: Parameter, value: object, who: str) -> str:
    if not isinstance(value, str) or value not in parameter.options:
        allowed = ", ".join(repr(key) for key in parameter.options)
        raise ParameterError(f"{who} must be one of {allowed}; got {shown(value)}")
    return value


def _checked_vector(parameter: Parameter, value: object, who: str) -> tuple[float, ...]:
    is_row = isinstance(value, (tuple, list, np.ndarray)) and getattr(value, "ndim", 1) > 0
    numbers = cast("tuple[object, ...]", value) if is_row else ()
    if len(numbers) != parameter.size:
        raise ParameterError(f"{who} must be {parameter.size} numbers; got {shown(value)}")
    return tuple(_checked_number(parameter, number, who) for number in numbers)


MOST_CURVE_POINTS = 1000
"""Points of a curve; one that is drawn by hand has some ten."""


def _checked_curve(parameter: Parameter, value: object, who: str) -> CurvePoints:
    try:
        given = itertools.islice(iter(value), MOST_CURVE_POINTS + 1)  # type: ignore[call-overload]
        points = tuple((float(x), float(y)) for x, y in given)
    except (TypeError, ValueError, OverflowError):
        raise ParameterError(f"{who} must be pairs (x, y); got {shown(value)}") from None
    if len(points) > MOST_CURVE_POINTS:
        raise ParameterError(f"{who} must be at most {MOST_CURVE_POINTS} pairs (x, y); got more")
    rising = all(left[0] < right[0] for left, right in zip(points, points[1:]))
    finite = all(math.isfinite(x) and math.isfinite(y) for x, y in points)
    if len(points) < 2 or not rising or not finite:
        raise ParameterError(
            f"{who} must be at least two finite pairs (x, y) with x rising; got {shown(value)}"
        )
    return points


def _checked_noise(parameter: Parameter, value: object, who: str) -> object:
    from .noise import Noise

    if not isinstance(value, Noise):
        raise ParameterError(f"{who} must be a noise; got {shown(value)}")
    return value


def _checked_number_or_noise(parameter: Parameter, value: object, who: str) -> object:
    from .noise import Noise

    return value if isinstance(value, Noise) else _checked_number(parameter, value, who)


MOST_PIXELS = 1 << 26
"""Rows times columns of stored pixels: 8192 x 8192, 256 MiB."""


def _checked_pixels(parameter: Parameter, value: object, who: str) -> npt.NDArray[np.float32]:
    if isinstance(value, np.ndarray) and value.size > MOST_PIXELS:  # before it is copied
        raise ParameterError(f"{who} must be at most {MOST_PIXELS} pixels; got {value.size}")
    try:
        with np.errstate(over="ignore"):  # what is too large becomes inf, which is refused below
            array = np.array(value, dtype=np.float32, order="C")
    except (TypeError, ValueError, OverflowError):
        raise ParameterError(
            f"{who} must be an array of numbers; got {type(value).__name__}"
        ) from None
    if array.ndim != 2 or array.size == 0:
        raise ParameterError(f"{who} must be an array of shape (rows, columns); got {array.shape}")
    if not np.isfinite(array).all():
        raise ParameterError(f"{who} must be finite; got nan or inf")
    array.flags.writeable = False
    return array


LONGEST_TEXT = 255
"""Characters in a line of text."""


def is_line(value: object) -> TypeGuard[str]:
    """Return whether a value is a line of text that can be shown, of up to `LONGEST_TEXT` characters."""
    return isinstance(value, str) and len(value) <= LONGEST_TEXT and all(map(_is_shown, value))


def _checked_text(parameter: Parameter, value: object, who: str) -> str:
    if not is_line(value):
        raise ParameterError(
            f"{who} must be a line of text of up to {LONGEST_TEXT} characters; got {shown(value)}"
        )
    return value


def _is_shown(character: str) -> bool:
    """Return whether a character can stand in a line: no control character, no half of a pair."""
    return character.isprintable() or character.isspace() and character not in "\n\r\t\v\f"


def _checked_map(parameter: Parameter, value: object, who: str) -> object:
    from .map import Map

    if not isinstance(value, Map) or value.channels != 1:
        raise ParameterError(f"{who} must be a map with one number per sample; got {shown(value)}")
    return value


def _checked_mask(parameter: Parameter, value: object, who: str) -> object:
    from .mask import Mask

    if value is not None and not isinstance(value, Mask):
        raise ParameterError(f"{who} must be a mask or None; got {shown(value)}")
    return value


MOST_LAYERS = 1000
"""Layers of a recipe, those in groups included: far more than a list that a person looks through."""


CHECKS: dict[Kind, Callable[[Parameter, object, str], object]] = {
    "number": _checked_number,
    "integer": _checked_integer,
    "boolean": _checked_boolean,
    "choice": _checked_choice,
    "vector": _checked_vector,
    "curve": _checked_curve,
    "noise": _checked_noise,
    "number_or_noise": _checked_number_or_noise,
    "pixels": _checked_pixels,
    "text": _checked_text,
    "map": _checked_map,
    "mask": _checked_mask,
    "chain": _checked_noise,
}
"""By kind; `layers.py` adds the kinds that are declared by groups alone."""
