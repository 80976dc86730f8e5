# SPDX-License-Identifier: GPL-3.0-or-later
"""What a surface is made of: fields with names, each made of others.

============  =============================================================================
in JSON       what it is
============  =============================================================================
"a * b"       `Formula`: arithmetic with other fields
{"type": }    `Sampled`: a noise, in [-1, 1] as its type says
{"read": }    `Reading`: a map read off the finished height: slope, cavity, curvature ...
{"stops": }   `Colors`: a ramp that a formula is looked up in
"#8a6f55"     `Formula` of one color
============  =============================================================================
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Union

import numpy as np

from ..arrays import Field, plain_float
from ..colors.ramp import Ramp
from ..colors.spaces import linear_of
from ..errors import ParameterError, shown
from ..lattice import child_seed
from ..map import Map, checked_limits, map_types
from ..noise import Noise, noise_types
from ..params import Parameter
from ..serial import TYPE, check_depth, from_plain
from ..tilings import Pattern
from .expressions import Expression
from .terms import Ask, Lookup, Result, Value, held

Settings = Mapping[str, Value]
"""What exposed parameters are set to, as formulas see them."""


@dataclass(frozen=True)
class Formula:
    """Arithmetic with other fields, or one color."""

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
        return self.result(held(lookup))[0]

    def result(self, ask: Ask) -> Result:
        """Return a block of the field, and whether nobody else holds it: see `Expression.result`."""
        if self.expression is None:
            assert self.color is not None
            return self.color, False
        return self.expression.result(ask)

    def simplified(self, known: Settings) -> Formula:
        """Return the field with what is known of others in its place."""
        return self if self.expression is None else Formula(self.expression.simplified(known))


@dataclass(frozen=True)
class Colors:
    """A ramp that a formula is looked up in."""

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
        return self.result(held(lookup))[0]

    def result(self, ask: Ask) -> Result:
        """Return a block of the field, and whether nobody else holds it: see `Expression.result`."""
        where, _ = self.by.result(ask)
        if np.ndim(where) == 3:
            raise ParameterError(
                "Surface: what a ramp is looked up by must be a number; got colors"
            )
        colors = self.ramp.colors(where)
        return colors if colors.ndim == 3 else colors.reshape(3, 1, 1), True

    def simplified(self, known: Settings) -> Colors:
        """Return the field with what is known of others in its place."""
        return Colors(self.ramp, self.by.simplified(known))


@dataclass(frozen=True)
class Sampled:
    """A noise, at the samples or at points moved away from them.

    Attributes
    ----------
    noise : Noise
    seed_name : str
        Noises of one name have one seed: several outputs of one pattern fit together.
    moves : tuple of two Expressions, or None
        By how much each sample looks aside along x and y, in tiles.
    way : str
        How a moved noise is worked out: see `WAYS`.
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
        """What all outputs of one pattern share; None if the noise is none."""
        return self.noise.layout() if isinstance(self.noise, Pattern) else None

    def seed(self, seed: int) -> int:
        """Return the noise's own seed, which depends on nothing but its name."""
        return child_seed(seed, zlib.crc32(self.seed_name.encode()))

    def shifts(
        self, lookup: Lookup, shape: tuple[int, int], factors: tuple[float, float] = (1.0, 1.0)
    ) -> Field:
        """Return how far a block of samples looks aside along x and y, in tiles, times factors.

        Returns
        -------
        ndarray of shape (2, rows, columns), float32
        """
        assert self.moves is not None
        shifts = np.empty((2, *shape), np.float32)
        for axis, move, factor in zip(shifts, self.moves, factors):
            np.multiply(move.value(lookup), np.float32(factor), out=axis)
            if not np.abs(axis).max() <= _FARTHEST * abs(factor):  # nor for nan
                raise ParameterError(
                    "Surface: what moves {} must be at most {:g} tiles; got more",
                    shown(self.seed_name),
                    _FARTHEST,
                )
        return shifts

    def simplified(self, known: Settings) -> Sampled:
        """Return the field with what is known of others in its place."""
        if self.moves is None:
            return self
        x, y = (move.simplified(known) for move in self.moves)
        return replace(self, moves=(x, y))


@dataclass(frozen=True)
class Reading:
    """A map read off the finished height, or the mask that limits make of it."""

    map: Map
    limits: tuple[float, float, float] | None
    needs: frozenset[str] = frozenset()

    def mask(self, values: Field) -> Field:
        """Return what becomes of the map's values."""
        return values if self.limits is None else self.map.ramped(values, *self.limits)

    def simplified(self, known: Settings) -> Reading:
        """Return the field: it depends on nothing but the height."""
        return self


WAYS = {
    "moved": "Exactly, point by point",
    "looked_up": "Rendered once, looked up between samples: for fractals that are bent smoothly",
    "snapped": "Rendered once, looked up at the nearest sample: for what jumps, such as the numbers "
    "of cells, and for moves that are the same all over a tile of a pattern",
}
"""How a noise may be moved. The last two are much faster, and used on wrapping grids only."""

_FARTHEST = 1000.0
"""Tiles that a noise may be moved by: beyond, float32 tells few places of a tile apart."""

_BESIDES = ("seed", *WAYS)
"""What stands beside the noise's own parameters."""

Node = Union[Formula, Colors, Sampled, Reading]


def node_of(plain: object, settings: Settings, who: str) -> Node:
    """Return the field that a surface's JSON describes.

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
            return Formula(None, _shaped(linear_of(plain, who)))
        return Formula(Expression(plain, who))
    if math.isfinite(plain_float(plain)):
        return Formula(_expression(plain, who))
    makers: Mapping[str, _Maker] = {TYPE: _sampled, "read": _reading, "stops": _colors}
    if isinstance(plain, Mapping):
        for key, maker in makers.items():
            if key in plain:
                return maker(plain, settings, who)
    raise ParameterError(
        "{} must be a formula, or an object with {}; got {}", who, ", ".join(makers), shown(plain)
    )


_Maker = Callable[[Mapping[str, Any], Settings, str], Node]


def _sampled(plain: Mapping[str, Any], settings: Settings, who: str) -> Sampled:
    rest = {name: value for name, value in plain.items() if name not in _BESIDES}
    noise = from_plain(resolved(rest, settings, who), noise_types(), who)
    seed_name = plain.get("seed", who.rpartition(".")[2])
    if not isinstance(seed_name, str):
        raise ParameterError("{}.seed must be a word; got {}", who, shown(seed_name))
    given = [name for name in WAYS if name in plain]
    if not given:
        return Sampled(noise, seed_name)
    moves = plain[given[0]]
    if len(given) > 1 or not isinstance(moves, (list, tuple)) or len(moves) != 2:
        raise ParameterError(
            "{}: {} must be two formulas; got {}", who, " or ".join(WAYS), shown(moves)
        )
    x, y = (_expression(move, f"{who}.{given[0]}") for move in moves)
    return Sampled(noise, seed_name, (x, y), given[0])


def _expression(plain: object, who: str) -> Expression:
    """Return a formula that is given as text or as a number."""
    if not isinstance(plain, str):
        if not math.isfinite(plain_float(plain)):
            raise ParameterError("{} must be a formula; got {}", who, shown(plain))
        plain = repr(plain_float(plain))
    return Expression(plain, who)


def _reading(plain: Mapping[str, Any], settings: Settings, who: str) -> Reading:
    rest = {name: value for name, value in plain.items() if name not in _LIMITS}
    rest[TYPE] = rest.pop("read")
    types = {key: cls for key, cls in map_types().items() if cls.channels == 1}
    one = from_plain(_with_numbers(rest, types, settings, who), types, who)
    if not set(plain) & set(_LIMITS):
        return Reading(one, None)
    low, high, falloff = (
        number(plain.get(name, default), settings, f"{who}.{name}")
        for name, default in _LIMITS.items()
    )
    return Reading(one, checked_limits(low, high, falloff, who))


_LIMITS = {"low": -np.inf, "high": np.inf, "falloff": 0.0}
"""Of a reading, with what they are if left out."""


def _colors(plain: Mapping[str, Any], settings: Settings, who: str) -> Colors:
    unknown = sorted(set(plain) - {"stops", "by", "interpolation", "space"})
    stops, by = plain["stops"], plain.get("by")
    if unknown or not isinstance(by, str) or not isinstance(stops, (list, tuple)):
        raise ParameterError(
            "{} must have stops, by, and maybe interpolation and space; got {}", who, shown(plain)
        )
    pairs = []
    for pair in stops:
        if not isinstance(pair, (list, tuple)) or len(pair) != 2:
            raise ParameterError("{}.stops must be pairs (place, color); got {}", who, shown(pair))
        color = linear_of(_color(pair[1], settings, f"{who}.stops"), f"{who}.stops")
        pairs.append((number(pair[0], settings, f"{who}.stops"), color))
    options = {name: plain[name] for name in ("interpolation", "space") if name in plain}
    return Colors(Ramp(tuple(pairs), **options), Expression(by, f"{who}.by"))


def number(plain: object, settings: Settings, who: str) -> float:
    """Return a number, or what a formula with exposed parameters alone makes of them.

    Raises
    ------
    ParameterError
        If it is neither, or a formula that is not finite.
    """
    if isinstance(plain, (int, float)) and not isinstance(plain, bool):
        return plain_float(plain)
    value = _constant(plain, settings, who)
    if not isinstance(value, float):
        raise ParameterError("{} must be a number; got the color {}", who, shown(plain))
    if not math.isfinite(value):
        raise ParameterError("{} must be finite; got {}", who, shown(plain))
    return value


def _color(plain: object, settings: Settings, who: str) -> object:
    if not isinstance(plain, str) or plain.startswith("#"):
        return plain
    value = _constant(plain, settings, who)
    if isinstance(value, float):
        raise ParameterError("{}: a color is needed; got the number {}", who, shown(plain))
    return np.clip(value.ravel().astype(np.float64), 0.0, 1.0).tolist()


def _constant(plain: object, settings: Settings, who: str) -> Value:
    if not isinstance(plain, str):
        raise ParameterError("{} must be a number or a formula; got {}", who, shown(plain))

    def lookup(name: str) -> Value:
        if name not in settings:
            allowed = ", ".join(settings) or "none are"
            raise ParameterError(
                "{} may use exposed parameters ({}); got {}", who, allowed, shown(name)
            )
        return settings[name]

    with np.errstate(all="ignore"):  # what is not finite is refused
        return Expression(plain, who).value(lookup)


def resolved(plain: Mapping[str, Any], settings: Settings, who: str) -> dict[str, Any]:
    """Return a noise's plain data with numbers where formulas stood, through all its children."""
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
        return resolved(value, settings, who)
    if isinstance(value, str) and parameter.kind in ("number", "number_or_noise"):
        return number(value, settings, who)
    if isinstance(value, str) and parameter.kind == "integer":
        return round(number(value, settings, who))
    if isinstance(value, (list, tuple)) and parameter.kind == "vector":
        return [number(part, settings, who) if isinstance(part, str) else part for part in value]
    return value


def _shaped(color: tuple[float, float, float]) -> Field:
    return np.array(color, np.float32).reshape(3, 1, 1)
