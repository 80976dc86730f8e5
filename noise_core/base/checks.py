# SPDX-License-Identifier: GPL-3.0-or-later
"""Validation of parameter values: one function per kind of parameter.

Each returns the value in its own plain type, or raises a `ParameterError` that begins with `who`.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping
from typing import Protocol, TypeGuard, cast

import numpy as np
import numpy.typing as npt

from .arrays import to_float
from .errors import ParameterError, format_value

CurvePoints = tuple[tuple[float, float], ...]


class Declaration(Protocol):
    """The part of a parameter's declaration that its values are checked against."""

    @property
    def kind(self) -> str:
        """Key in `CHECKS`."""

    @property
    def minimum(self) -> float:
        """Least number allowed."""

    @property
    def maximum(self) -> float:
        """Largest number allowed."""

    @property
    def options(self) -> Mapping[str, str]:
        """Keys of a choice, with their help."""

    @property
    def size(self) -> int:
        """Numbers in a vector."""


_bases: dict[str, type] = {}


def register_base(kind: str, base: type) -> None:
    """Set the class that values of a kind derive from: "noise", "map", "mask", "curves" or "placements".

    The module that defines the class calls this, so that checking a value imports no other module.
    """
    _bases[kind] = base


def _is_a(kind: str, value: object) -> bool:
    """Return whether a value derives from the base of a kind."""
    return isinstance(value, _bases.get(kind, ()))


def _interval(parameter: Declaration) -> str:
    digits = ".0f" if parameter.kind == "integer" else "g"  # all digits: 2147483648 may be too much
    return f"[{parameter.minimum:{digits}}, {parameter.maximum:{digits}}]"


def _check_number(parameter: Declaration, value: object, who: str) -> float:
    plain = to_float(value)
    if math.isnan(plain) and not isinstance(value, (float, np.floating)):
        raise ParameterError(
            "{} must be a number in {}", who, _interval(parameter), got=format_value(value)
        )
    if not parameter.minimum <= plain <= parameter.maximum or math.isinf(plain):
        raise ParameterError("{} must be in {}", who, _interval(parameter), got=format_value(plain))
    return plain


def _check_integer(parameter: Declaration, value: object, who: str) -> int:
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)):
        raise ParameterError(
            "{} must be an integer in {}", who, _interval(parameter), got=format_value(value)
        )
    if not parameter.minimum <= value <= parameter.maximum:
        raise ParameterError(
            "{} must be in {}", who, _interval(parameter), got=format_value(int(value))
        )
    return int(value)


def _check_boolean(parameter: Declaration, value: object, who: str) -> bool:
    if not isinstance(value, (bool, np.bool_)):
        raise ParameterError("{} must be True or False", who, got=format_value(value))
    return bool(value)


def _check_choice(parameter: Declaration, value: object, who: str) -> str:
    if not isinstance(value, str) or value not in parameter.options:
        allowed = ", ".join(repr(key) for key in parameter.options)
        raise ParameterError("{} must be one of {}", who, allowed, got=format_value(value))
    return value


def _check_vector(parameter: Declaration, value: object, who: str) -> tuple[float, ...]:
    is_row = isinstance(value, (tuple, list, np.ndarray)) and getattr(value, "ndim", 1) > 0
    numbers = cast("tuple[object, ...]", value) if is_row else ()
    if len(numbers) != parameter.size:
        raise ParameterError("{} must be {} numbers", who, parameter.size, got=format_value(value))
    return tuple(_check_number(parameter, number, who) for number in numbers)


MOST_CURVE_POINTS = 1000
"""Points of a curve; one that is drawn by hand has some ten."""


def _check_curve(parameter: Declaration, value: object, who: str) -> CurvePoints:
    try:
        items = itertools.islice(iter(value), MOST_CURVE_POINTS + 1)  # type: ignore[call-overload]
        points = tuple((float(x), float(y)) for x, y in items)
    except (TypeError, ValueError, OverflowError):
        raise ParameterError("{} must be pairs (x, y)", who, got=format_value(value)) from None
    if len(points) > MOST_CURVE_POINTS:
        raise ParameterError("{} must be at most {} pairs (x, y); got more", who, MOST_CURVE_POINTS)
    rising = all(left[0] < right[0] for left, right in zip(points, points[1:]))
    finite = all(math.isfinite(x) and math.isfinite(y) for x, y in points)
    if len(points) < 2 or not rising or not finite:
        raise ParameterError(
            "{} must be at least two finite pairs (x, y) with x rising",
            who,
            got=format_value(value),
        )
    return points


def _check_noise(parameter: Declaration, value: object, who: str) -> object:
    if not _is_a("noise", value):
        raise ParameterError("{} must be a noise", who, got=format_value(value))
    return value


def _check_number_or_noise(parameter: Declaration, value: object, who: str) -> object:
    return value if _is_a("noise", value) else _check_number(parameter, value, who)


MOST_PIXELS = 1 << 26
"""Rows times columns of stored pixels: 8192 x 8192, 256 MiB."""


def _check_pixels(parameter: Declaration, value: object, who: str) -> npt.NDArray[np.float32]:
    if isinstance(value, np.ndarray) and value.size > MOST_PIXELS:  # before it is copied
        raise ParameterError("{} must be at most {} pixels", who, MOST_PIXELS, got=value.size)
    try:
        with np.errstate(over="ignore"):  # what is too large becomes inf, which is refused below
            array = np.array(value, dtype=np.float32, order="C")
    except (TypeError, ValueError, OverflowError):
        raise ParameterError(
            "{} must be an array of numbers", who, got=type(value).__name__
        ) from None
    if array.ndim != 2 or array.size == 0:
        raise ParameterError("{} must be an array of shape (rows, columns)", who, got=array.shape)
    if not np.isfinite(array).all():
        raise ParameterError("{} must be finite; got nan or inf", who)
    array.flags.writeable = False
    return array


LONGEST_TEXT = 255
"""Characters in a line of text."""


def is_line(value: object) -> TypeGuard[str]:
    """Return whether a value is a line of text that can be shown, of up to `LONGEST_TEXT` characters."""
    return isinstance(value, str) and len(value) <= LONGEST_TEXT and all(map(_is_printable, value))


def _check_text(parameter: Declaration, value: object, who: str) -> str:
    if not is_line(value):
        raise ParameterError(
            "{} must be a line of text of up to {} characters",
            who,
            LONGEST_TEXT,
            got=format_value(value),
        )
    return value


def _is_printable(character: str) -> bool:
    """Return whether a character can stand in a line: no control character, no half of a pair."""
    return character.isprintable() or character.isspace() and character not in "\n\r\t\v\f"


def _check_map(parameter: Declaration, value: object, who: str) -> object:
    if not _is_a("map", value) or getattr(value, "channels", 0) != 1:
        raise ParameterError(
            "{} must be a map with one number per sample", who, got=format_value(value)
        )
    return value


def _check_mask(parameter: Declaration, value: object, who: str) -> object:
    if value is not None and not _is_a("mask", value):
        raise ParameterError("{} must be a mask or None", who, got=format_value(value))
    return value


MOST_CURVES = 10_000
"""Curves or placements that one layer or map follows."""


def _check_curves(parameter: Declaration, value: object, who: str) -> tuple[object, ...]:
    if not isinstance(value, (tuple, list)) or len(value) > MOST_CURVES:
        raise ParameterError(
            "{} must be a list of at most {} curves", who, MOST_CURVES, got=format_value(value)
        )
    for item in value:
        if not _is_a("curves", item) and not (is_line(item) and item):
            raise ParameterError(
                "{} must be curves, or names of curves of the recipe", who, got=format_value(item)
            )
    return tuple(value)


def _check_placements(parameter: Declaration, value: object, who: str) -> tuple[object, ...]:
    if not isinstance(value, (tuple, list)) or len(value) > MOST_CURVES:
        raise ParameterError(
            "{} must be a list of at most {} placements", who, MOST_CURVES, got=format_value(value)
        )
    for item in value:
        if not _is_a("placements", item):
            raise ParameterError("{} must be placements", who, got=format_value(item))
    return tuple(value)


MAX_LAYERS = 1000
"""Layers of a recipe, those in groups included: far more than a list that a person looks through."""


CHECKS: dict[str, Callable[[Declaration, object, str], object]] = {
    "number": _check_number,
    "integer": _check_integer,
    "boolean": _check_boolean,
    "choice": _check_choice,
    "vector": _check_vector,
    "curve": _check_curve,
    "noise": _check_noise,
    "number_or_noise": _check_number_or_noise,
    "pixels": _check_pixels,
    "text": _check_text,
    "map": _check_map,
    "mask": _check_mask,
    "chain": _check_noise,
    "curves": _check_curves,
    "placements": _check_placements,
}
"""By kind; `layers.py` adds the kinds that are declared by groups alone."""
