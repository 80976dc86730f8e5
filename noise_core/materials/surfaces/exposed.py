# SPDX-License-Identifier: GPL-3.0-or-later
"""Exposed parameters of a surface, declared from its JSON."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Union

import numpy as np

from ...base.arrays import Field, to_float
from ...base.errors import Message, ParameterError, format_value
from ...base.params import Parameter
from ..colors.spaces import Color, to_linear

Setting = Union[float, int, bool, Color]
"""Value of an exposed parameter."""

NAME = re.compile(r"[a-z][a-z0-9_]*")

_COMMON = {"label", "help", "default"}
_NUMBER = _COMMON | {"minimum", "maximum", "whole"}


def exposed_parameter(name: str, plain: object, who: str) -> Parameter:
    """Return the parameter that a surface's JSON describes.

    The default says which kind it is: ``0.5`` with `minimum` and `maximum` is a number (an
    integer with ``"whole": true``), ``true`` a switch, ``"#8a6f55"`` a color.

    Raises
    ------
    ParameterError
        If something is missing, unknown or contradicts itself.
    """
    place = f"{who}.exposed.{name}"
    if not NAME.fullmatch(name):
        raise ParameterError("{}.exposed: a name must be lower_case", who, got=format_value(name))
    if not isinstance(plain, Mapping):
        raise ParameterError("{} must be an object", place, got=format_value(plain))
    default = plain.get("default")
    is_number = isinstance(default, (int, float)) and not isinstance(default, bool)
    needed = (_NUMBER - {"whole"}) if is_number else _COMMON
    allowed = _NUMBER if is_number else _COMMON
    if not needed <= set(plain) or not set(plain) <= allowed:
        raise ParameterError(
            "{} must have {}", place, ", ".join(sorted(needed)), got=", ".join(sorted(plain))
        )
    label, text = plain["label"], plain["help"]
    if not isinstance(label, str) or not isinstance(text, str) or not label or not text:
        raise ParameterError(
            "{}: label and help must be text",
            place,
            got=f"{format_value(label)}, {format_value(text)}",
        )
    if isinstance(default, bool):
        return Parameter("boolean", default, text, name, label)
    if not is_number:
        color = to_linear(default, f"{place}.default")
        return Parameter(
            "vector", color, text, name, label, 0.0, 1.0, 0.0, 1.0, unit="color", size=3
        )
    low, high = to_float(plain["minimum"]), to_float(plain["maximum"])
    if not low < high:
        raise ParameterError(
            "{}: minimum must be below maximum", place, got=Message("{:g} and {:g}", low, high)
        )
    kind = "integer" if plain.get("whole", False) else "number"
    parameter = Parameter(
        "integer" if kind == "integer" else "number",
        default,
        text,
        name,
        label,
        low,
        high,
        low,
        high,
        unit="factor" if kind == "number" and (low, high) == (0.0, 1.0) else "none",
    )
    parameter.check(default, f"{who}.exposed")
    return parameter


def check_settings(
    parameters: Mapping[str, Parameter], values: Mapping[str, object], who: str
) -> dict[str, Setting]:
    """Return the value of every parameter: the given one, else its default.

    Raises
    ------
    ParameterError
        If a name is unknown, or a value is outside the range of its parameter.
    """
    for name in values:
        if name not in parameters:
            allowed = ", ".join(parameters) or "none"
            raise ParameterError(
                "{}: an exposed parameter must be one of {}",
                who,
                allowed,
                got=format_value(name),
            )
    settings: dict[str, Setting] = {}
    for name, parameter in parameters.items():
        value = values.get(name, parameter.default)
        if parameter.unit == "color":
            settings[name] = to_linear(value, f"{who}.{name}")
        else:
            settings[name] = parameter.check(value, who)  # type: ignore[assignment]
    return settings


def to_array(setting: Setting) -> float | Field:
    """Return a setting as an operand of formulas: a number, or a color of shape (3, 1, 1)."""
    if isinstance(setting, tuple):
        return np.array(setting, np.float32).reshape(3, 1, 1)
    return float(setting)
