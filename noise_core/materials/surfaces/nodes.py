# SPDX-License-Identifier: GPL-3.0-or-later
"""Fields of a surface, by name, each computed from others.

============  =============================================================================
in JSON       what it is
============  =============================================================================
"a * b"       `FormulaField`: arithmetic with other fields
{"type": }    `NoiseField`: a noise, in [-1, 1] as its type says
{"read": }    `MapField`: a map read off the finished height: slope, cavity, curvature ...
{"stops": }   `RampField`: a ramp that a formula is looked up in
"#8a6f55"     `FormulaField` of one color
============  =============================================================================
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Union

import numpy as np

from ...base.arrays import Field, to_float
from ...base.errors import ParameterError, format_value
from ...base.params import Parameter
from ...lattice.hash import child_seed
from ...serial import TYPE, check_depth, from_plain
from ...types.map import Map, check_limits, map_types
from ...types.noise import Noise, noise_types
from ..colors.ramp import Ramp
from ..colors.spaces import to_linear
from ..tilings import Pattern
from .expressions import Expression
from .terms import Ask, Lookup, Result, Value, read_only

Settings = Mapping[str, Value]
"""What exposed parameters are set to, as formulas see them."""


@dataclass(frozen=True)
class FormulaField:
    """A formula of other fields, or a color."""

    expression: Expression | None
    color: Field | None = None

    @property
    def needs(self) -> frozenset[str]:
        """The fields that must be there first."""
        return self.expression.names if self.expression else frozenset()

    @property
    def counts(self) -> Mapping[str, int]:
        """How often it asks for each of them."""
        return self.expression.counts if self.expression else {}

    def value(self, lookup: Lookup) -> Value:
        """Return a block of the field."""
        return self.result(read_only(lookup))[0]

    def result(self, ask: Ask) -> Result:
        """Return a block of the field, and whether it may be overwritten: see `Expression.result`."""
        if self.expression is None:
            assert self.color is not None
            return self.color, False
        return self.expression.result(ask)

    def simplify(self, known: Settings) -> FormulaField:
        """Return the field with what is known of others in its place."""
        return self if self.expression is None else FormulaField(self.expression.simplify(known))


@dataclass(frozen=True)
class RampField:
    """A color ramp of a formula."""

    ramp: Ramp
    by: Expression

    @property
    def needs(self) -> frozenset[str]:
        """The fields that must be there first."""
        return self.by.names

    @property
    def counts(self) -> Mapping[str, int]:
        """How often it asks for each of them."""
        return self.by.counts

    def value(self, lookup: Lookup) -> Value:
        """Return a block of the field, shape (3, rows, columns)."""
        return self.result(read_only(lookup))[0]

    def result(self, ask: Ask) -> Result:
        """Return a block of the field, and whether it may be overwritten: see `Expression.result`."""
        where, _ = self.by.result(ask)
        if np.ndim(where) == 3:
            raise ParameterError(
                "Surface: what a ramp is looked up by must be a number; got colors"
            )
        colors = self.ramp.colors(where)
        return colors if colors.ndim == 3 else colors.reshape(3, 1, 1), True

    def simplify(self, known: Settings) -> RampField:
        """Return the field with what is known of others in its place."""
        return RampField(self.ramp, self.by.simplify(known))


@dataclass(frozen=True)
class NoiseField:
    """A noise, at the samples or at displaced points.

    Attributes
    ----------
    noise : Noise
    seed_name : str
        Noises with the same name share a seed, so that several outputs of one pattern match.
    moves : tuple of two Expressions, or None
        Displacement of each sample along x and y, in tiles.
    way : str
        Evaluation of a displaced noise: see `WAYS`.
    """

    noise: Noise
    seed_name: str
    moves: tuple[Expression, Expression] | None = None
    way: str = "moved"

    @property
    def needs(self) -> frozenset[str]:
        """The fields that must be there first."""
        return self.moves[0].names | self.moves[1].names if self.moves else frozenset()

    @property
    def pattern(self) -> Pattern | None:
        """The layout that all outputs of a pattern share; None if the noise is no pattern."""
        return self.noise.layout() if isinstance(self.noise, Pattern) else None

    def seed(self, seed: int) -> int:
        """Return the noise's seed, which depends on its name alone."""
        return child_seed(seed, zlib.crc32(self.seed_name.encode()))

    def shifts(
        self, lookup: Lookup, shape: tuple[int, int], factors: tuple[float, float] = (1.0, 1.0)
    ) -> Field:
        """Return the displacements of a block of samples along x and y, in tiles, times factors.

        Returns
        -------
        ndarray of shape (2, rows, columns), float32
        """
        assert self.moves is not None
        shifts = np.empty((2, *shape), np.float32)
        for axis, move, factor in zip(shifts, self.moves, factors):
            np.multiply(move.value(lookup), np.float32(factor), out=axis)
            if not np.abs(axis).max() <= _MAX_SHIFT * abs(factor):  # nor for nan
                raise ParameterError(
                    "Surface: what moves {} must be at most {:g} tiles; got more",
                    format_value(self.seed_name),
                    _MAX_SHIFT,
                )
        return shifts

    def simplify(self, known: Settings) -> NoiseField:
        """Return the field with what is known of others in its place."""
        if self.moves is None:
            return self
        x, y = (move.simplify(known) for move in self.moves)
        return replace(self, moves=(x, y))


@dataclass(frozen=True)
class MapField:
    """A map of the finished height, or a mask of that map."""

    map: Map
    limits: tuple[float, float, float] | None
    needs: frozenset[str] = frozenset()

    def mask(self, values: Field) -> Field:
        """Return the mask of the map's values, or the values themselves without limits."""
        return values if self.limits is None else self.map.mask_values(values, *self.limits)

    def simplify(self, known: Settings) -> MapField:
        """Return the field itself, because it depends on the height alone."""
        return self


WAYS = {
    "moved": "Exactly, point by point",
    "looked_up": "Rendered once, looked up between samples: for fractals that are bent smoothly",
    "snapped": "Rendered once, looked up at the nearest sample: for what jumps, such as the numbers "
    "of cells, and for moves that are the same all over a tile of a pattern",
}
"""How a noise may be moved. The last two are much faster, and used on wrapping grids only."""

_MAX_SHIFT = 1000.0
"""Tiles that a noise may be moved by: beyond, float32 tells few places of a tile apart."""

_BESIDES = ("seed", *WAYS)
"""What stands beside the noise's own parameters."""

Node = Union[FormulaField, RampField, NoiseField, MapField]


def parse_node(plain: object, settings: Settings, who: str) -> Node:
    """Return the field for its JSON.

    Parameters
    ----------
    plain : object
        See the table above.
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
        "{} must be a formula, or an object with {}; got {}",
        who,
        ", ".join(makers),
        format_value(plain),
    )


_Maker = Callable[[Mapping[str, Any], Settings, str], Node]


def _parse_noise(plain: Mapping[str, Any], settings: Settings, who: str) -> NoiseField:
    rest = {name: value for name, value in plain.items() if name not in _BESIDES}
    noise = from_plain(resolve(rest, settings, who), noise_types(), who)
    seed_name = plain.get("seed", who.rpartition(".")[2])
    if not isinstance(seed_name, str):
        raise ParameterError("{}.seed must be a word; got {}", who, format_value(seed_name))
    given = [name for name in WAYS if name in plain]
    if not given:
        return NoiseField(noise, seed_name)
    moves = plain[given[0]]
    if len(given) > 1 or not isinstance(moves, (list, tuple)) or len(moves) != 2:
        raise ParameterError(
            "{}: {} must be two formulas; got {}", who, " or ".join(WAYS), format_value(moves)
        )
    x, y = (_parse_expression(move, f"{who}.{given[0]}") for move in moves)
    return NoiseField(noise, seed_name, (x, y), given[0])


def _parse_expression(plain: object, who: str) -> Expression:
    """Return the formula for a text or a number."""
    if not isinstance(plain, str):
        if not math.isfinite(to_float(plain)):
            raise ParameterError("{} must be a formula; got {}", who, format_value(plain))
        plain = repr(to_float(plain))
    return Expression(plain, who)


def _parse_reading(plain: Mapping[str, Any], settings: Settings, who: str) -> MapField:
    rest = {name: value for name, value in plain.items() if name not in _LIMITS}
    rest[TYPE] = rest.pop("read")
    types = {key: cls for key, cls in map_types().items() if cls.channels == 1}
    one = from_plain(_with_numbers(rest, types, settings, who), types, who)
    if not set(plain) & set(_LIMITS):
        return MapField(one, None)
    low, high, falloff = (
        number(plain.get(name, default), settings, f"{who}.{name}")
        for name, default in _LIMITS.items()
    )
    return MapField(one, check_limits(low, high, falloff, who))


_LIMITS = {"low": -np.inf, "high": np.inf, "falloff": 0.0}
"""Of a reading, with what they are if left out."""


def _parse_colors(plain: Mapping[str, Any], settings: Settings, who: str) -> RampField:
    unknown = sorted(set(plain) - {"stops", "by", "interpolation", "space"})
    stops, by = plain["stops"], plain.get("by")
    if unknown or not isinstance(by, str) or not isinstance(stops, (list, tuple)):
        raise ParameterError(
            "{} must have stops, by, and maybe interpolation and space; got {}",
            who,
            format_value(plain),
        )
    pairs = []
    for pair in stops:
        if not isinstance(pair, (list, tuple)) or len(pair) != 2:
            raise ParameterError(
                "{}.stops must be pairs (place, color); got {}", who, format_value(pair)
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
        raise ParameterError("{} must be a number; got the color {}", who, format_value(plain))
    if not math.isfinite(value):
        raise ParameterError("{} must be finite; got {}", who, format_value(plain))
    return value


def _color(plain: object, settings: Settings, who: str) -> object:
    if not isinstance(plain, str) or plain.startswith("#"):
        return plain
    value = _constant(plain, settings, who)
    if isinstance(value, float):
        raise ParameterError("{}: a color is needed; got the number {}", who, format_value(plain))
    return np.clip(value.ravel().astype(np.float64), 0.0, 1.0).tolist()


def _constant(plain: object, settings: Settings, who: str) -> Value:
    if not isinstance(plain, str):
        raise ParameterError("{} must be a number or a formula; got {}", who, format_value(plain))

    def lookup(name: str) -> Value:
        if name not in settings:
            allowed = ", ".join(settings) or "none are"
            raise ParameterError(
                "{} may use exposed parameters ({}); got {}", who, allowed, format_value(name)
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
    known = {} if cls is None else {one.name: one for one in cls.parameters()}
    return {
        name: _with_number(value, known[name], settings, f"{who}.{name}")
        if name in known
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
