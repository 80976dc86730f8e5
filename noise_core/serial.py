# SPDX-License-Identifier: GPL-3.0-or-later
"""Noises and modifiers as plain data, and back: what JSON holds."""

from __future__ import annotations

import base64
import binascii
import zlib
from collections.abc import Mapping
from typing import TypeVar, Union

import numpy as np

from .arrays import Field
from .errors import ParameterError, RecipeError
from .noise import Noise, noise_types
from .params import Declared

Plain = Union[None, bool, int, float, str, "list[Plain]", "dict[str, Plain]"]
"""What JSON can hold."""

AnyDeclared = TypeVar("AnyDeclared", bound=Declared)

TYPE = "type"

DEEPEST = 100
"""How many noises may stand one inside the other; far more than anybody can follow."""


def to_plain(declared: Declared) -> dict[str, Plain]:
    """Return all values of a noise or modifier with its type's key.

    All of them, so that a later change of a default cannot change a saved recipe.
    """
    plain: dict[str, Plain] = {TYPE: declared.key}
    for parameter in declared.parameters():
        plain[parameter.name] = _value_to_plain(getattr(declared, parameter.name))
    return plain


def from_plain(plain: object, types: Mapping[str, type[AnyDeclared]], place: str) -> AnyDeclared:
    """Return the noise or modifier that `plain` describes.

    Parameters
    ----------
    plain : object
        What `to_plain` returned, or somebody's JSON. Parameters left out take their default.
    types : mapping of str to type
        `noise_types()` or `modifier_types()`.
    place : str
        Where in the recipe this stands, for error messages: "noise.source".

    Raises
    ------
    RecipeError
        If it is no object, the type is unknown, a parameter is unknown or not allowed, or noises
        stand one inside the other without end.
    """
    if place.count(".") >= DEEPEST:
        raise RecipeError(f"Recipe: more than {DEEPEST} noises stand one inside the other")
    if not isinstance(plain, dict):
        raise RecipeError(f"Recipe: {place} must be an object with a type; got {plain!r}")
    key = plain.get(TYPE)
    if not isinstance(key, str) or key not in types:
        raise RecipeError(f"Recipe: {place}.type must be one of {', '.join(types)}; got {key!r}")
    cls = types[key]
    known = {parameter.name: parameter for parameter in cls.parameters()}
    unknown = sorted(set(plain) - set(known) - {TYPE})
    if unknown:
        raise RecipeError(f"Recipe: {place} ({key}) has no parameter {unknown[0]!r}")
    values: dict[str, object] = {}
    for name, value in plain.items():
        if name != TYPE:
            values[name] = _value_from_plain(value, known[name].kind, f"{place}.{name}")
    try:
        return cls(**values)
    except ParameterError as error:
        raise RecipeError(f"Recipe: {place}: {error}") from error


def _value_to_plain(value: object) -> Plain:
    if isinstance(value, Noise):
        return to_plain(value)
    if isinstance(value, np.ndarray):
        return _pixels_to_plain(value)
    if isinstance(value, tuple):
        return [_value_to_plain(item) for item in value]
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    raise TypeError(f"no plain form for {type(value).__name__}")


def _value_from_plain(value: object, kind: str, place: str) -> object:
    if kind == "noise" or (kind == "number_or_noise" and isinstance(value, dict)):
        return from_plain(value, noise_types(), place)
    if kind == "pixels":
        return _pixels_from_plain(value, place)
    return value


def _pixels_to_plain(pixels: Field) -> dict[str, Plain]:
    data = zlib.compress(pixels.astype("<f4").tobytes(), 6)
    return {
        "rows": pixels.shape[0],
        "columns": pixels.shape[1],
        "float32_zlib_base64": base64.b64encode(data).decode("ascii"),
    }


def _pixels_from_plain(value: object, place: str) -> Field:
    try:
        if not isinstance(value, dict):
            raise TypeError("not an object")
        data = zlib.decompress(base64.b64decode(value["float32_zlib_base64"], validate=True))
        shape = (value["rows"], value["columns"])
        if not all(isinstance(side, int) and side > 0 for side in shape):
            raise ValueError(f"rows and columns are {shape}")
        return np.frombuffer(data, "<f4").reshape(shape).astype(np.float32)
    except (TypeError, KeyError, ValueError, binascii.Error, zlib.error) as error:
        raise RecipeError(f"Recipe: {place} holds no pixels: {error}") from error
