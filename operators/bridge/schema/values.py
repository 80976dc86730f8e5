# SPDX-License-Identifier: GPL-3.0-or-later
"""Lossless conversion between values of properties and values of the core."""

from __future__ import annotations

import functools
import itertools
import json
import math
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

import numpy as np

from ....noise_core.base.errors import ParameterError, RecipeError
from ....noise_core.base.json_texts import json_value
from ....noise_core.base.params import Declared, Parameter
from ....noise_core.noises.bases.noise import Noise
from ....noise_core.recipes.serial import to_plain, value_from_plain
from ..datablocks import images


def json_parameters(text: str) -> dict[str, Any]:
    """Return the values in JSON text by the names of parameters, unchecked; raise a ParameterError if it is no JSON object."""
    try:
        plain = json_value(text)
    except ValueError as error:
        raise ParameterError("parameters must be JSON; {}; got {!r}", error, text) from error
    if not isinstance(plain, dict):
        raise ParameterError("parameters must be a JSON object; got {!r}", text)
    return plain


def check_names(who: str, names: Iterable[str], known: Collection[str]) -> None:
    """Raise a ParameterError if a parameter is not known."""
    if unknown := [name for name in names if name not in known]:
        raise ParameterError(
            "{}.parameters must be of {}; got {!r}", who, ", ".join(known), unknown[0]
        )


def _defaults(cls: type[Declared]) -> Mapping[str, Any]:
    """Return the default values of a declared type."""
    default = cls()
    return {one.name: getattr(default, one.name) for one in cls.parameters()}


defaults: Callable[..., Mapping[str, Any]] = functools.cache(_defaults)


def read_parameters(
    group: Any, cls: type[Declared], text: str, parameters: Iterable[Parameter]
) -> dict[str, object]:
    """Return the values of parameters of a type, written by `assign_or_keep`.

    A number in the text, which is JSON, counts while the property is that number, rounded to 32 bits.
    Raises a RecipeError if the text cannot be read, or a choice is not known.
    """
    known = tuple(parameters)
    if not text:
        return read_values(group, known, defaults(cls))
    kept = held_values(cls, text)
    held = {one.name: kept[one.name] for one in known if one.name in kept}
    return {**held, **read_values(group, known, {**defaults(cls), **held})}


def _held_values(cls: type[Declared], text: str) -> Mapping[str, object]:
    """Return the values in a text by parameter; raise as `read_parameters` does."""
    kinds = {one.name: one.kind for one in cls.parameters()}
    try:
        return {
            name: _as_tuples(value_from_plain(value, kinds[name], f"{cls.key}.{name}"))
            for name, value in json_parameters(text).items()
            if name in kinds
        }
    except ParameterError as error:
        raise RecipeError(error.message) from error


# Panels read them at every redraw.
held_values: Callable[..., Mapping[str, object]] = functools.lru_cache(64)(_held_values)


def assign_or_keep(group: Any, declared: Declared, names: Iterable[str]) -> str:
    """Set properties that a group has for some parameters; return as JSON what they cannot hold."""
    values = {name: getattr(declared, name) for name in names}
    assign(group, values)
    kinds, usual = _kinds(group), defaults(type(declared))
    rest = [
        name
        for name, value in values.items()
        if not _is_equal(value, usual[name])
        and not (name in kinds and _is_held(value, kinds[name]))
    ]
    plain = to_plain(declared) if rest else {}
    return json.dumps({name: plain[name] for name in rest}) if rest else ""


def join_texts(texts: Iterable[str]) -> str:
    """Return several JSON objects as one."""
    return "".join(texts).replace("}{", ", ")


def _is_held(value: object, kind: str) -> bool:
    """Return whether a property holds a value exactly."""
    if isinstance(value, tuple):
        return all(_is_held(one, kind) for one in value)
    if isinstance(value, float):
        if kind == "ANGLE":
            return _shortest_angle(float(np.float32(math.radians(value)))) == value
        return _shortest(float(np.float32(value))) == value
    return not isinstance(value, (Declared, np.ndarray))


def _as_tuples(value: object) -> object:
    """Return a value with tuples where JSON has lists."""
    return tuple(_as_tuples(one) for one in value) if isinstance(value, list) else value


def _is_equal(value: object, other: Any) -> bool:
    return np.array_equal(value, other) if isinstance(value, np.ndarray) else value == other


def read_values(
    group: Any, parameters: Iterable[Parameter], base: Mapping[str, object] | None = None
) -> dict[str, Any]:
    """Return the values of those parameters that have a property.

    `base` has the values that they were written from, by default those of the declarations.
    """
    kinds = _kinds(group)
    found = {}
    for one in parameters:
        if (kind := kinds.get(one.name)) is not None:
            before = one.default if base is None else base[one.name]
            found[one.name] = _value(one, getattr(group, one.name), before, kind)
    return found


_kinds_by_group: dict[str, dict[str, str]] = {}


def _kinds(group: Any) -> Mapping[str, str]:
    """Return the kinds of a group's properties by name: "ANGLE", or the type of the others."""
    name = group.bl_rna.identifier
    if name not in _kinds_by_group:
        _kinds_by_group[name] = {
            one.identifier: "ANGLE" if getattr(one, "subtype", "") == "ANGLE" else one.type
            for one in group.bl_rna.properties
        }
    return _kinds_by_group[name]


def assign(group: Any, plain: Mapping[str, Any]) -> None:
    """Set a group's properties; values without a property, and noises, are left out."""
    known = _kinds(group)
    for name, value in plain.items():
        if name not in known or isinstance(value, (Declared, np.ndarray)):
            continue
        if known[name] == "COLLECTION":
            points = getattr(group, name)
            points.clear()
            for position in value:
                points.add().position = position
        else:
            setattr(group, name, math.radians(value) if known[name] == "ANGLE" else value)


@functools.lru_cache(maxsize=4096)
def _shortest(stored: float) -> float:
    """Return the number with the fewest digits that rounds to a 32-bit float."""
    return float(str(np.float32(stored)))


def number(stored: float, base: float | None = None) -> float:
    """Return the number that Blender's 32-bit float was rounded from: 0.1 reads as 0.10000000149.

    The former value `base` is returned unchanged if it rounds to `stored`.
    """
    if base is not None and (stored == base or np.float32(base) == np.float32(stored)):
        return base
    return _shortest(float(stored))


def angle(stored: float, base: float | None) -> float:
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
        return angle(stored, base) if kind == "ANGLE" else number(stored, base)
    if parameter.kind == "curve":
        befores = itertools.chain(base, itertools.repeat((None, None)))
        return tuple(
            tuple(number(one, old) for one, old in zip(point.position, before))
            for point, before in zip(stored, befores)
        )
    if parameter.kind == "vector":
        return tuple(number(one, old) for one, old in zip(stored, base))
    if parameter.kind == "pixels":
        return base if stored is None else images.signed_pixels(stored)
    if parameter.kind == "choice" and stored not in parameter.options:
        raise RecipeError("{}: this file's choice is not known to this Terrane", parameter.name)
    return stored
