# SPDX-License-Identifier: GPL-3.0-or-later
"""Noises, modifiers, maps and masks as plain data, and back: what JSON holds."""

from __future__ import annotations

import base64
import binascii
import zlib
from collections.abc import Mapping
from typing import TypeVar, Union

import numpy as np

from .arrays import Field
from .checks import MOST_PIXELS
from .errors import ParameterError, RecipeError, format_value
from .map import map_types
from .mask import mask_types
from .noise import DEEPEST_BUILT, noise_types
from .params import Declared, Kind

Plain = Union[None, bool, int, float, str, "list[Plain]", "dict[str, Plain]"]
"""What JSON can hold."""

AnyDeclared = TypeVar("AnyDeclared", bound=Declared)

TYPE = "type"

_MOST_UNPACKED = 1032
"""Bytes that zlib makes of one at the most (RFC 1951: 258 bytes take at least two bits)."""


def to_plain(declared: Declared) -> dict[str, Plain]:
    """Return all values of a noise, modifier, map or mask with its type's key.

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
    check_depth(place)
    if not isinstance(plain, dict):
        raise RecipeError(
            "Recipe: {} must be an object with a type; got {}", place, format_value(plain)
        )
    key = plain.get(TYPE)
    if not isinstance(key, str) or key not in types:
        raise RecipeError(
            "Recipe: {}.type must be one of {}; got {}", place, ", ".join(types), format_value(key)
        )
    cls = types[key]
    known = {parameter.name: parameter for parameter in cls.parameters()}
    unknown = sorted(set(plain) - set(known) - {TYPE})
    if unknown:
        raise RecipeError(
            "Recipe: {} ({}) has the parameters {}; got {}",
            place,
            key,
            ", ".join(known),
            format_value(unknown[0]),
        )
    values: dict[str, object] = {}
    for name, value in plain.items():
        if name != TYPE:
            values[name] = value_from_plain(value, known[name].kind, f"{place}.{name}")
    try:
        return cls(**values)
    except ParameterError as error:
        raise RecipeError("Recipe: {}: {}", place, error) from error


def check_depth(place: str) -> None:
    """Raise a RecipeError if a place such as "noise.source.source" lies too deep."""
    if place.count(".") > DEEPEST_BUILT:
        raise RecipeError("Recipe: more than {} noises stand one inside the other", DEEPEST_BUILT)


def _value_to_plain(value: object) -> Plain:
    if isinstance(value, Declared):
        return to_plain(value)
    if isinstance(value, np.ndarray):
        return _pixels_to_plain(value)
    if isinstance(value, tuple):
        return [_value_to_plain(item) for item in value]
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    raise TypeError(f"no plain form for {type(value).__name__}")


def value_from_plain(value: object, kind: Kind, place: str) -> object:
    """Return the value that `plain` describes of a parameter of some kind; see `from_plain`.

    Only what JSON has no form of its own for is made anew; whether it is allowed is for the type to say.
    """
    if kind == "pixels":
        return _pixels_from_plain(value, place)
    types = _types_of(kind)
    if types is None or (kind in _NOT_ALWAYS_AN_OBJECT and not isinstance(value, dict)):
        return value
    return from_plain(value, types, place)


_NOT_ALWAYS_AN_OBJECT = ("number_or_noise", "mask")
"""Kinds of which a plain value is allowed too."""


def _types_of(kind: Kind) -> Mapping[str, type[Declared]] | None:
    """Return the types that a parameter of some kind takes, None if it takes none."""
    if kind in ("noise", "number_or_noise"):
        return noise_types()
    if kind == "map":
        return map_types()
    if kind == "mask":
        return mask_types()
    return None


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
        shape = (value["rows"], value["columns"])
        if not all(type(side) is int and 0 < side <= MOST_PIXELS for side in shape):
            raise ValueError(f"rows and columns are {format_value(shape)}")
        if shape[0] * shape[1] > MOST_PIXELS:
            raise ValueError(f"{shape[0]} x {shape[1]} are more than {MOST_PIXELS}")
        packed = base64.b64decode(value["float32_zlib_base64"], validate=True)
        size = shape[0] * shape[1] * 4
        if size > _MOST_UNPACKED * len(packed):
            raise ValueError(f"{shape[0]} x {shape[1]} take {size} bytes, there are fewer")
        # A byte too many shows that there are more, which stay packed: they might fill the memory.
        data = zlib.decompressobj().decompress(packed, size + 1)
        if len(data) != size:
            wrong = "more" if len(data) > size else str(len(data))
            raise ValueError(f"{shape[0]} x {shape[1]} take {size} bytes, there are {wrong}")
        return np.frombuffer(data, "<f4").reshape(shape).astype(np.float32)
    except (TypeError, KeyError, ValueError, binascii.Error, zlib.error) as error:
        raise RecipeError("Recipe: {} holds no pixels: {}", place, error) from error
