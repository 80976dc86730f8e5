# SPDX-License-Identifier: GPL-3.0-or-later
"""Fields of a surface from JSON: see the table in `nodes.py`."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ...base.arrays import Field, to_float
from ...base.errors import Message, ParameterError, format_value
from ...base.params import Parameter
from ...maps.bases.map import check_limits, map_types
from ...noises.bases.noise import noise_types
from ...recipes.serial import TYPE, check_depth, from_plain
from ..colors.ramp import Ramp
from ..colors.spaces import to_linear
from .expressions import Expression
from .nodes import WAYS, FormulaField, MapField, Node, NoiseField, RampField, Settings
from .terms import Value

_BESIDES = ("seed", *WAYS)
"""What stands beside the noise's own parameters."""


def parse_node(plain: object, settings: Settings, who: str) -> Node:
    """Return the field for its JSON.

    Parameters
    ----------
    plain : object
    settings : mapping of str to Value
        Exposed parameters, which may stand wherever a number or a color may.
    who : str
        Name that starts error messages, ending with the field's own.

    Raises
    ------
    ParameterError, RecipeError
        If it describes none.
    """
    if isinstance(plain, str):
        if plain.startswith("#"):
            return FormulaField(None, _as_column(to_linear(plain, who)))
        return FormulaField(Expression(plain, who))
    if math.isfinite(to_float(plain)):
        return FormulaField(_parse_expression(plain, who))
    makers: Mapping[str, _Maker] = {
        TYPE: _parse_noise,
        "read": _parse_reading,
        "stops": _parse_colors,
    }
    if isinstance(plain, Mapping):
        for key, maker in makers.items():
            if key in plain:
                return maker(plain, settings, who)
    raise ParameterError(
        "{} must be a formula, or an object with {}",
        who,
        ", ".join(makers),
        got=format_value(plain),
    )


_Maker = Callable[[Mapping[str, Any], Settings, str], Node]


def _parse_noise(plain: Mapping[str, Any], settings: Settings, who: str) -> NoiseField:
    settings_of_type = {name: value for name, value in plain.items() if name not in _BESIDES}
    noise = from_plain(resolve(settings_of_type, settings, who), noise_types(), who)
    seed_name = plain.get("seed", who.rpartition(".")[2])
    if not isinstance(seed_name, str):
        raise ParameterError("{}.seed must be a word", who, got=format_value(seed_name))
    ways = [name for name in WAYS if name in plain]
    if not ways:
        return NoiseField(noise, seed_name)
    moves = plain[ways[0]]
    if len(ways) > 1 or not isinstance(moves, (list, tuple)) or len(moves) != 2:
        raise ParameterError(
            "{}: {} must be two formulas", who, " or ".join(WAYS), got=format_value(moves)
        )
    x, y = (_parse_expression(move, f"{who}.{ways[0]}") for move in moves)
    return NoiseField(noise, seed_name, (x, y), ways[0])


def _parse_expression(plain: object, who: str) -> Expression:
    """Return the formula for a text or a number."""
    if not isinstance(plain, str):
        if not math.isfinite(to_float(plain)):
            raise ParameterError("{} must be a formula", who, got=format_value(plain))
        plain = repr(to_float(plain))
    return Expression(plain, who)


def _parse_reading(plain: Mapping[str, Any], settings: Settings, who: str) -> MapField:
    settings_of_type = {name: value for name, value in plain.items() if name not in _LIMITS}
    settings_of_type[TYPE] = settings_of_type.pop("read")
    types = {key: cls for key, cls in map_types().items() if cls.channels == 1}
    node = from_plain(_with_numbers(settings_of_type, types, settings, who), types, who)
    if not set(plain) & set(_LIMITS):
        return MapField(node, None)
    low, high, falloff = (
        number(plain.get(name, default), settings, f"{who}.{name}")
        for name, default in _LIMITS.items()
    )
    return MapField(node, check_limits(low, high, falloff, who))


_LIMITS = {"low": -np.inf, "high": np.inf, "falloff": 0.0}
"""Of a reading, with what they are if left out."""


def _parse_colors(plain: Mapping[str, Any], settings: Settings, who: str) -> RampField:
    unknown = sorted(set(plain) - {"stops", "by", "interpolation", "space"})
    stops, by = plain["stops"], plain.get("by")
    if unknown or not isinstance(by, str) or not isinstance(stops, (list, tuple)):
        raise ParameterError(
            "{} must have stops, by, and maybe interpolation and space",
            who,
            got=format_value(plain),
        )
    pairs = []
    for pair in stops:
        if not isinstance(pair, (list, tuple)) or len(pair) != 2:
            raise ParameterError(
                "{}.stops must be pairs (place, color)", who, got=format_value(pair)
            )
        color = to_linear(_color(pair[1], settings, f"{who}.stops"), f"{who}.stops")
        pairs.append((number(pair[0], settings, f"{who}.stops"), color))
    options = {name: plain[name] for name in ("interpolation", "space") if name in plain}
    return RampField(Ramp(tuple(pairs), **options), Expression(by, f"{who}.by"))


def number(plain: object, settings: Settings, who: str) -> float:
    """Return a number, or the value of a formula of exposed parameters.

    Raises
    ------
    ParameterError
        If it is neither, or a formula that is not finite.
    """
    if isinstance(plain, (int, float)) and not isinstance(plain, bool):
        return to_float(plain)
    value = _constant(plain, settings, who)
    if not isinstance(value, float):
        raise ParameterError(
            "{} must be a number", who, got=Message("the color {}", format_value(plain))
        )
    if not math.isfinite(value):
        raise ParameterError("{} must be finite", who, got=format_value(plain))
    return value


def _color(plain: object, settings: Settings, who: str) -> object:
    if not isinstance(plain, str) or plain.startswith("#"):
        return plain
    value = _constant(plain, settings, who)
    if isinstance(value, float):
        raise ParameterError(
            "{}: a color is needed", who, got=Message("the number {}", format_value(plain))
        )
    return np.clip(value.ravel().astype(np.float64), 0.0, 1.0).tolist()


def _constant(plain: object, settings: Settings, who: str) -> Value:
    if not isinstance(plain, str):
        raise ParameterError("{} must be a number or a formula", who, got=format_value(plain))

    def lookup(name: str) -> Value:
        if name not in settings:
            allowed = ", ".join(settings) or "none are"
            raise ParameterError(
                "{} may use exposed parameters ({})", who, allowed, got=format_value(name)
            )
        return settings[name]

    with np.errstate(all="ignore"):  # what is not finite is refused
        return Expression(plain, who).value(lookup)


def resolve(plain: Mapping[str, Any], settings: Settings, who: str) -> dict[str, Any]:
    """Return a noise's plain data with formulas replaced by their values, children included."""
    return _with_numbers(plain, noise_types(), settings, who)


def _with_numbers(
    plain: Mapping[str, Any], types: Mapping[str, Any], settings: Settings, who: str
) -> dict[str, Any]:
    check_depth(who)
    key = plain.get(TYPE)
    cls = types.get(key) if isinstance(key, str) else None
    declared = {} if cls is None else {parameter.name: parameter for parameter in cls.parameters()}
    return {
        name: _with_number(value, declared[name], settings, f"{who}.{name}")
        if name in declared
        else value
        for name, value in plain.items()
    }


def _with_number(value: Any, parameter: Parameter, settings: Settings, who: str) -> Any:
    if isinstance(value, Mapping) and TYPE in value:
        return resolve(value, settings, who)
    if isinstance(value, str) and parameter.kind in ("number", "number_or_noise"):
        return number(value, settings, who)
    if isinstance(value, str) and parameter.kind == "integer":
        return round(number(value, settings, who))
    if isinstance(value, (list, tuple)) and parameter.kind == "vector":
        return [number(part, settings, who) if isinstance(part, str) else part for part in value]
    return value


def _as_column(color: tuple[float, float, float]) -> Field:
    return np.array(color, np.float32).reshape(3, 1, 1)
