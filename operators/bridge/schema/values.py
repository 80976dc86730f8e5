# SPDX-License-Identifier: GPL-3.0-or-later
"""Lossless conversion between values of properties and values of the core."""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from ....noise_core.base.errors import ParameterError, RecipeError
from ....noise_core.base.json_texts import json_value
from ....noise_core.base.params import Declared, Parameter
from ....noise_core.serial import to_plain, value_from_plain
from ....noise_core.types.noise import Noise
from ..datablocks import images


def json_parameters(text: str) -> dict[str, Any]:
    """Return the values in JSON text by the names of parameters, unchecked.

    Raises
    ------
    ParameterError
        If it is no JSON object.
    """
    try:
        plain = json_value(text)
    except ValueError as error:
        raise ParameterError("parameters must be JSON; {}; got {!r}", error, text) from error
    if not isinstance(plain, dict):
        raise ParameterError("parameters must be a JSON object; got {!r}", text)
    return plain


def defaults(cls: type[Declared]) -> Mapping[str, Any]:
    """Return the default values of a declared type."""
    own: Any = cls
    return _defaults(own)


@functools.cache
def _defaults(cls: type[Declared]) -> Mapping[str, Any]:
    default = cls()
    return {one.name: getattr(default, one.name) for one in cls.parameters()}


def read_parameters(
    group: Any, cls: type[Declared], text: str, parameters: Iterable[Parameter]
) -> dict[str, object]:
    """Return the values of parameters written by `assign_or_keep`.

    Parameters
    ----------
    group : PropertyGroup
    cls : type
        The declared type.
    text : str
        The values kept as JSON. A number in it counts while the property is that number, rounded
        to 32 bits.
    parameters : iterable of Parameter

    Raises
    ------
    RecipeError
        If the text cannot be read, or a choice is not known.
    """
    usual, known = defaults(cls), tuple(parameters)
    if not text:
        return read_values(group, known, usual)
    kept = held_values(cls, text)
    held = {one.name: kept[one.name] for one in known if one.name in kept}
    return {**held, **read_values(group, known, {**usual, **held})}


def held_values(cls: type[Declared], text: str) -> Mapping[str, object]:
    """Return the values in a text by parameter; raises as `read_parameters` does."""
    own: Any = cls
    return dict(_held(own, text))


@functools.lru_cache(maxsize=64)
def _held(cls: type[Declared], text: str) -> tuple[tuple[str, object], ...]:
    """Return the values in a text; cached, since panels read them at every redraw."""
    kinds = {one.name: one.kind for one in cls.parameters()}
    try:
        plain = json_parameters(text)
        return tuple(
            (name, _as_tuples(value_from_plain(value, kinds[name], f"{cls.key}.{name}")))
            for name, value in plain.items()
            if name in kinds
        )
    except ParameterError as error:
        raise RecipeError(error.message) from error


def assign_or_keep(group: Any, declared: Declared, names: Iterable[str]) -> str:
    """Set a group's properties; return the values that no property can hold as JSON text.

    Parameters
    ----------
    group : PropertyGroup
        Made from some or all parameters of the type.
    declared : Declared
        The object with the values.
    names : iterable of str
        The parameters to write.
    """
    values = {name: getattr(declared, name) for name in names}
    assign(group, values)
    known, usual = _kinds(group), defaults(type(declared))
    rest = [
        name
        for name, value in values.items()
        if not _is_equal(value, usual[name])
        and not (name in known and _is_held(value, known[name]))
    ]
    if not rest:
        return ""
    plain = to_plain(declared)
    return json.dumps({name: plain[name] for name in rest})


def join_texts(texts: Iterable[str]) -> str:
    """Return several JSON objects as one."""
    return "".join(texts).replace("}{", ", ")


def _is_held(value: object, kind: str) -> bool:
    """Return whether a property holds a value exactly."""
    if isinstance(value, tuple):
        return all(_is_held(one, kind) for one in value)
    if isinstance(value, float):
        if kind == _ANGLE:
            return _shortest_angle(float(np.float32(math.radians(value)))) == value
        return _shortest(float(np.float32(value))) == value
    return not isinstance(value, (Declared, np.ndarray))


def _as_tuples(value: object) -> object:
    """Return a value with tuples where JSON has lists."""
    return tuple(_as_tuples(one) for one in value) if isinstance(value, list) else value


def _is_equal(value: object, other: object) -> bool:
    if isinstance(value, np.ndarray) or isinstance(other, np.ndarray):
        return np.array_equal(value, other)  # type: ignore[arg-type]
    return value == other


def read_values(
    group: Any, parameters: Iterable[Parameter], base: Mapping[str, object]
) -> dict[str, object]:
    """Return the values of those parameters that have a property."""
    known = _kinds(group)
    return {
        one.name: _value(one, getattr(group, one.name), base[one.name], known[one.name])
        for one in parameters
        if one.name in known
    }


_ANGLE, _COLLECTION, _PLAIN = "angle", "collection", "plain"

_known: dict[str, dict[str, str]] = {}


def _kinds(group: Any) -> Mapping[str, str]:
    """Return the kinds of a group's properties by name: angle, collection or plain."""
    name = group.bl_rna.identifier
    if name not in _known:
        _known[name] = {one.identifier: _kind(one) for one in group.bl_rna.properties}
    return _known[name]


def _kind(declared: Any) -> str:
    if declared.type == "COLLECTION":
        return _COLLECTION
    return _ANGLE if declared.type == "FLOAT" and declared.subtype == "ANGLE" else _PLAIN


def assign(group: Any, plain: Mapping[str, Any]) -> None:
    """Set a group's properties; values without a property, and noises, are left out."""
    known = _kinds(group)
    for name, value in plain.items():
        if isinstance(value, Mapping):
            assign(getattr(group, name), value)
        elif name in known and not isinstance(value, (Declared, np.ndarray)):
            if known[name] == _COLLECTION:
                _write_points(getattr(group, name), value)
            else:
                is_angle = known[name] == _ANGLE
                setattr(group, name, math.radians(value) if is_angle else value)


def _write_points(points: Any, value: Iterable[tuple[float, float]]) -> None:
    points.clear()
    for position in value:
        points.add().position = position


@functools.lru_cache(maxsize=4096)
def _shortest(stored: float) -> float:
    """Return the number with the fewest digits that rounds to a 32-bit float."""
    return float(str(np.float32(stored)))


def number(stored: float, base: float | None = None) -> float:
    """Return the number that Blender's 32-bit float was rounded from.

    Parameters
    ----------
    stored : float
        As read from Blender: 0.1 reads as 0.10000000149.
    base : float, optional
        The former value; returned unchanged if it rounds to `stored`.
    """
    if base is not None and (stored == base or np.float32(base) == np.float32(stored)):
        return base
    return _shortest(float(stored))


def angle(stored: float, base: float | None = None) -> float:
    """Return the degrees that Blender's 32-bit float in radians was made from; see `number`."""
    if base is not None and np.float32(math.radians(base)) == np.float32(stored):
        return base
    return _shortest_angle(stored)


@functools.lru_cache(maxsize=1024)
def _shortest_angle(stored: float) -> float:
    """Return the degrees with the fewest digits that a 32-bit float in radians was made from."""
    degrees = math.degrees(stored)
    for digits in range(1, 10):
        short = float(f"{degrees:.{digits}g}")
        if np.float32(math.radians(short)) == np.float32(stored):
            return short
    return degrees


def _value(parameter: Parameter, stored: Any, base: Any, kind: str) -> object:
    if isinstance(base, Noise):
        return base  # a noise replaces this number; it is kept as text
    if parameter.kind in ("number", "number_or_noise"):
        return angle(stored, base) if kind == _ANGLE else number(stored, base)
    if parameter.kind == "curve":
        points = [tuple(point.position) for point in stored]
        befores = (*base[: len(points)], *([(None, None)] * (len(points) - len(base))))
        return tuple(
            tuple(number(one, old) for one, old in zip(point, before))
            for point, before in zip(points, befores)
        )
    if parameter.kind == "vector":
        return tuple(number(one, old) for one, old in zip(stored, base))
    if parameter.kind == "pixels":
        return base if stored is None else images.signed_pixels(stored)
    if parameter.kind == "choice" and stored not in parameter.options:
        raise RecipeError("{}: this file's choice is not known to this Terrane", parameter.name)
    return stored
