# SPDX-License-Identifier: GPL-3.0-or-later
"""The converter between declared values and the properties that `properties.py` makes of declarations.

`read_values` and `write_values` convert between a group of properties and values by the names of their parameters.
`read_object` and `write_object` do so without loss for an object of a declared type, whose parameters may be in several
groups: a text keeps as JSON the values that no property holds, such as a noise within a noise, pixels without an
image, and the digits of a number beyond those of a 32-bit float. `parse_values` reads the same JSON from a user.
"""

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
from . import curve_slots
from .exact_numbers import angle, is_angle, is_number, number

Part = tuple[Any, Iterable[Parameter]]
"""A group of properties, and the parameters of an object that are in it."""

# One group


def read_values(
    group: Any, parameters: Iterable[Parameter], base: Mapping[str, object] | None = None
) -> dict[str, Any]:
    """Return the values of those parameters that have a property, by name.

    `base` has the values that they were written from, as far as they are not the defaults of the declarations.
    Raises a RecipeError if a choice is not known.
    """
    kinds = _kinds(group)
    values = {}
    for parameter in parameters:
        if (kind := kinds.get(parameter.name)) is not None:
            original = (
                parameter.default if base is None else base.get(parameter.name, parameter.default)
            )
            values[parameter.name] = _value(
                parameter, getattr(group, parameter.name), original, kind
            )
    return values


def read_given(
    properties: Any, parameters: Iterable[Parameter], base: Mapping[str, Any]
) -> dict[str, Any]:
    """Return `base` with the values of those properties that are set."""
    kinds = _kinds(properties)
    explicit = [
        parameter
        for parameter in parameters
        if parameter.name in kinds and properties.is_property_set(parameter.name)
    ]
    return {**base, **read_values(properties, explicit, base)}


def write_values(group: Any, values: Mapping[str, Any]) -> list[str]:
    """Set the properties of a group by name; return the names of the values that they do not hold exactly."""
    kinds, inexact = _kinds(group), []
    for name, value in values.items():
        kind = kinds.get(name)
        if kind is None or isinstance(value, (Declared, np.ndarray)):
            inexact.append(name)
            continue
        if kind == "SLOTS":
            curve_slots.write(getattr(group, name), value)
            continue
        if kind == "COLLECTION":
            points = getattr(group, name)
            points.clear()
            for position in value:
                points.add().position = position
        else:
            setattr(group, name, math.radians(value) if kind == "ANGLE" else value)
        if not _is_exact(value, kind):
            inexact.append(name)
    return inexact


_kinds_by_group: dict[str, dict[str, str]] = {}


def _kinds(group: Any) -> Mapping[str, str]:
    """Return the kinds of a group's properties by name: "ANGLE", "SLOTS" for objects, or the type of the others."""
    name = group.bl_rna.identifier
    if name not in _kinds_by_group:
        _kinds_by_group[name] = {
            rna_property.identifier: _kind(rna_property) for rna_property in group.bl_rna.properties
        }
    return _kinds_by_group[name]


def _kind(rna_property: Any) -> str:
    """Return the kind of a property; see `_kinds`."""
    if getattr(rna_property, "subtype", "") == "ANGLE":
        return "ANGLE"
    is_list = rna_property.type == "COLLECTION"
    is_slots = is_list and "points" in rna_property.fixed_type.properties
    return "SLOTS" if is_slots else str(rna_property.type)


def _is_exact(value: object, kind: str) -> bool:
    """Return whether a property that is set to a value reads as that value."""
    if isinstance(value, tuple):
        return all(_is_exact(part, kind) for part in value)
    if isinstance(value, float):
        return is_angle(value) if kind == "ANGLE" else is_number(value)
    return True


def _value(parameter: Parameter, stored: Any, base: Any, kind: str) -> object:
    """Return the value of a parameter from that of its property, of one of `_kinds`."""
    if isinstance(base, Noise):
        return base  # a noise replaces this number; it is kept as text
    if parameter.kind in ("number", "number_or_noise"):
        return angle(stored, base) if kind == "ANGLE" else number(stored, base)
    if parameter.kind in ("curves", "placements"):
        return curve_slots.read(stored)
    if parameter.kind == "curve":
        befores = itertools.chain(base, itertools.repeat((None, None)))
        return tuple(
            tuple(number(coordinate, old) for coordinate, old in zip(point.position, old_point))
            for point, old_point in zip(stored, befores)
        )
    if parameter.kind == "vector":
        return tuple(number(component, old) for component, old in zip(stored, base))
    if parameter.kind == "pixels":
        return base if stored is None else images.signed_pixels(stored)
    if parameter.kind == "choice" and stored not in parameter.options:
        raise RecipeError("{}: update Terrane: this file's choice is unknown", parameter.name)
    return stored


# An object in one or more groups, and a text with the values that they cannot hold


def values_of(declared: Declared) -> dict[str, Any]:
    """Return the values of an object by the names of its parameters."""
    return {
        parameter.name: getattr(declared, parameter.name) for parameter in declared.parameters()
    }


def _defaults(cls: type[Declared]) -> Mapping[str, Any]:
    """Return the default values of a declared type."""
    return values_of(cls())


defaults: Callable[..., Mapping[str, Any]] = functools.cache(_defaults)


def read_object(cls: type[Declared], text: str, *parts: Part) -> dict[str, object]:
    """Return the values of an object that `write_object` has written into groups and a text.

    A number in the text counts while the property is that number, rounded to 32 bits. Raises a RecipeError if
    the text cannot be read, or a choice is not known.
    """
    kept = kept_values(cls, text) if text else {}
    base, values = {**defaults(cls), **kept}, {}
    for group, parameters in parts:
        group_parameters = tuple(parameters)
        values.update(
            {
                parameter.name: kept[parameter.name]
                for parameter in group_parameters
                if parameter.name in kept
            }
        )
        values.update(read_values(group, group_parameters, base))
    return values


def make_object(cls: Any, values: Mapping[str, object]) -> Any:
    """Return an object of a declared type with some values.

    The same values return the same object, which is checked only once: dragging a slider of one
    layer costs no more than reading the properties of the others.
    """
    if any(_has_pixels(value) for value in values.values()):  # too large to keep
        return cls(**values)
    return _construct(cls, tuple(values.items()))


@functools.lru_cache(maxsize=1024)
def _construct(cls: Any, values: tuple[tuple[str, Any], ...]) -> Any:
    return cls(**dict(values))


def _has_pixels(value: object) -> bool:
    if isinstance(value, Noise):
        return value.has_picture
    if isinstance(value, tuple):
        return any(_has_pixels(part) for part in value)
    if isinstance(value, Declared):
        return any(_has_pixels(part) for part in vars(value).values())
    return isinstance(value, np.ndarray)


def write_object(declared: Declared, *parts: Part) -> str:
    """Write parameters of an object into groups; return as JSON the values that they cannot hold, "" if there are none."""
    usual, text_names = defaults(type(declared)), []
    for group, parameters in parts:
        values = {parameter.name: getattr(declared, parameter.name) for parameter in parameters}
        inexact = write_values(group, values)
        text_names += [name for name in inexact if not _is_equal(values[name], usual[name])]
    plain = to_plain(declared) if text_names else {}
    return json.dumps({name: plain[name] for name in text_names}) if text_names else ""


def _kept_values(cls: type[Declared], text: str) -> Mapping[str, object]:
    """Return the values in the text of an object by parameter; raise as `read_object` does."""
    try:
        plain = json_parameters(text)
    except ParameterError as error:
        raise RecipeError(error.message) from error
    return {
        parameter.name: _as_tuples(
            value_from_plain(plain[parameter.name], parameter.kind, f"{cls.key}.{parameter.name}")
        )
        for parameter in cls.parameters()
        if parameter.name in plain
    }


# Panels read them at every redraw.
kept_values: Callable[..., Mapping[str, object]] = functools.lru_cache(64)(_kept_values)


def _as_tuples(value: object) -> object:
    """Return a value with tuples where JSON has lists."""
    return tuple(_as_tuples(part) for part in value) if isinstance(value, list) else value


def _is_equal(value: object, reference: Any) -> bool:
    return np.array_equal(value, reference) if isinstance(value, np.ndarray) else value == reference


# JSON from a user


def parse_values(text: str, who: str, parameters: Iterable[Parameter]) -> dict[str, Any]:
    """Return the values in a JSON object that a user has written, by the names of parameters; none of an empty text.

    Raises a TerraneError that begins with `who` if it is no JSON object, or a name is not one of a parameter.
    """
    plain, declared = (
        json_parameters(text) if text else {},
        {parameter.name: parameter for parameter in parameters},
    )
    check_names(who, plain, declared)
    return {
        name: _as_tuples(value_from_plain(value, declared[name].kind, f"parameters.{name}"))
        for name, value in plain.items()
    }


def check_names(who: str, names: Iterable[str], allowed: Collection[str]) -> None:
    """Raise a ParameterError if a parameter is not known."""
    if unknown := [name for name in names if name not in allowed]:
        raise ParameterError(
            "{}.parameters must be of {}", who, ", ".join(allowed) or "none", got=repr(unknown[0])
        )


def json_parameters(text: str) -> dict[str, Any]:
    """Return the values in JSON text by the names of parameters, unchecked; raise a ParameterError if it is no JSON object."""
    try:
        plain = json_value(text)
    except ValueError as error:
        raise ParameterError("parameters must be JSON; {}", error, got=repr(text)) from error
    if not isinstance(plain, dict):
        raise ParameterError("parameters must be a JSON object", got=repr(text))
    return plain
