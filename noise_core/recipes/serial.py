# SPDX-License-Identifier: GPL-3.0-or-later
"""Noises, modifiers, maps and masks as the plain data of JSON, and back."""

from __future__ import annotations

import base64
import binascii
import zlib
from collections.abc import Callable, Mapping
from typing import TypeVar, Union, cast

import numpy as np

from ..base.arrays import Field
from ..base.checks import MAX_LAYERS, MOST_PIXELS
from ..base.errors import ParameterError, RecipeError, format_value
from ..base.params import Declared, Kind, Parameter
from ..curves import land_curve
from ..erosion import earthworks
from ..maps.bases.map import map_types
from ..masks.bases.mask import mask_types
from ..modifiers.bases.layer import Layer
from ..noises.bases.noise import DEEPEST_BUILT, Noise, noise_types
from .chains import PLACEHOLDER, elements, from_elements, primary_source
from .layers import layer_types

Plain = Union[None, bool, int, float, str, "list[Plain]", "dict[str, Plain]"]
"""A value that JSON can hold."""

AnyDeclared = TypeVar("AnyDeclared", bound=Declared)

TYPE, CHAIN = "type", "chain"

_MOST_UNPACKED = 1032
"""Bytes that zlib makes of one at the most (RFC 1951: 258 bytes take at least two bits)."""


def to_plain(declared: Declared) -> dict[str, Plain]:
    """Return all values of a noise, modifier, map or mask with its type's key.

    All of them, so that a later change of a default cannot change a saved recipe.
    """
    plain: dict[str, Plain] = {TYPE: declared.key}
    for parameter in declared.parameters():
        value = getattr(declared, parameter.name)
        if parameter.kind == "chain":
            plain[_entry(parameter)] = [_element_to_plain(element) for element in elements(value)]
        elif parameter.kind == "filters":
            plain[_entry(parameter)] = [_element_to_plain(element) for element in value]
        else:
            plain[_entry(parameter)] = _value_to_plain(value)
    return plain


def _entry(parameter: Parameter) -> str:
    """Return the name of the entry that a parameter has in plain data."""
    return CHAIN if parameter.kind == "chain" else parameter.name


def _element_to_plain(element: Noise) -> dict[str, Plain]:
    """Return an element of a chain as plain data, without the source that the chain gives it."""
    source = primary_source(type(element))
    return {name: value for name, value in to_plain(element).items() if name != source}


def from_plain(
    plain: object,
    types: Mapping[str, type[AnyDeclared]],
    place: str,
    *,
    source: Noise | None = None,
) -> AnyDeclared:
    """Return the noise or modifier that `plain` describes.

    Parameters
    ----------
    plain : object
        The result of `to_plain`, or any JSON. Parameters left out take their default.
    types : mapping of str to type
        `noise_types()` or `modifier_types()`.
    place : str
        Where in the recipe this stands, for error messages: "noise.source".
    source : Noise, optional
        Primary source of a filter that does not bring one: the allowed values may depend on it.

    Raises
    ------
    RecipeError
        If it is no object, the type is unknown, a parameter is unknown or not allowed, or noises
        stand one inside the other without end.
    """
    check_depth(place)
    if not isinstance(plain, dict):
        raise RecipeError(
            "Recipe: {} must be an object with a type", place, got=format_value(plain)
        )
    key = plain.get(TYPE)
    if not isinstance(key, str) or key not in types:
        raise RecipeError(
            "Recipe: {}.type must be one of {}", place, ", ".join(types), got=format_value(key)
        )
    cls = types[key]
    declared = {_entry(parameter): parameter for parameter in cls.parameters()}
    unknown = sorted(set(plain) - set(declared) - {TYPE})
    if unknown:
        raise RecipeError(
            "Recipe: {} ({}) has the parameters {}",
            place,
            key,
            ", ".join(declared),
            got=format_value(unknown[0]),
        )
    values: dict[str, object] = {}
    if source is not None and (primary := primary_source(cls)) is not None:  # type: ignore[arg-type]
        values[primary] = source
    for name, value in plain.items():
        if name != TYPE:
            parameter = declared[name]
            values[parameter.name] = value_from_plain(value, parameter.kind, f"{place}.{name}")
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
    if hasattr(value, "to_plain"):  # curves and placements
        return cast("Plain", value.to_plain())
    raise TypeError(f"no plain form for {type(value).__name__}")


def value_from_plain(value: object, kind: Kind, place: str) -> object:
    """Return the value that `plain` describes of a parameter of some kind; see `from_plain`.

    Only values that JSON has no form for are converted; the type checks whether a value is allowed.
    """
    if kind == "pixels":
        return _pixels_from_plain(value, place)
    if kind in _FROM_OBJECTS:
        return _objects_from_plain(value, kind, place)
    if kind in _LISTS:
        return _list_from_plain(value, kind, place)
    if kind in _NOT_ALWAYS_AN_OBJECT and not isinstance(value, dict):
        return value
    types = _types_of(kind)
    return value if types is None else from_plain(value, types, place)


def _objects_from_plain(value: object, kind: Kind, place: str) -> object:
    """Return the curves or placements of a list; names of curves stay as they are."""
    if not isinstance(value, list):
        return value
    return tuple(
        _object_from_plain(item, kind, f"{place}[{number}]") if isinstance(item, dict) else item
        for number, item in enumerate(value)
    )


def _object_from_plain(plain: object, kind: Kind, place: str) -> object:
    try:
        return _FROM_OBJECTS[kind](plain, place)
    except ParameterError as error:
        raise RecipeError("Recipe: {}", error) from error


def curve_from_plain(plain: object, place: str) -> land_curve.LandCurve:
    """Return the curve that plain data describe.

    Raises
    ------
    RecipeError
        If they describe none.
    """
    return cast("land_curve.LandCurve", _object_from_plain(plain, "curves", place))


_FROM_OBJECTS: Mapping[str, Callable[[object, str], object]] = {
    "curves": lambda plain, place: land_curve.LandCurve.from_plain(plain, place),
    "placements": lambda plain, place: earthworks.placement.Placement.from_plain(plain, place),
}
"""Kinds that are lists of objects which are no types, by what reads one of them."""


_LISTS = ("chain", "filters", "layers")
"""Kinds that are lists of objects."""


def layers_from_plain(plain: object, place: str) -> tuple[Layer, ...]:
    """Return the layers that a list describes; see `from_plain`.

    Raises
    ------
    RecipeError
        If it is not a list of layers.
    """
    return cast("tuple[Layer, ...]", _list_from_plain(plain, "layers", place))


def _list_from_plain(value: object, kind: Kind, place: str) -> object:
    """Return the noise, the filters or the layers that a list describes."""
    if not isinstance(value, list):
        raise RecipeError("Recipe: {} must be a list", place, got=format_value(value))
    most = MAX_LAYERS if kind == "layers" else DEEPEST_BUILT
    if len(value) > most:
        raise RecipeError("Recipe: {} must be at most {} objects", place, most, got=len(value))
    types: Mapping[str, type[Declared]] = layer_types() if kind == "layers" else noise_types()
    filters = {"chain": 1, "filters": 0}.get(kind, len(value))  # where they begin
    declared = [
        from_plain(
            *(element, types, f"{place}[{index}]"), source=PLACEHOLDER if index >= filters else None
        )
        for index, element in enumerate(value)
    ]
    _check_sources(value, declared, filters, place)
    if kind != "chain":
        return tuple(declared)
    try:
        return from_elements(cast("list[Noise]", declared))
    except ParameterError as error:
        raise RecipeError("Recipe: {}: {}", place, error) from error


def _check_sources(plain: list[object], declared: list[Declared], first: int, place: str) -> None:
    """Raise a RecipeError if an element from the first on brings a source that the chain gives it."""
    for index in range(first, len(declared)):
        source = primary_source(cast("type[Noise]", type(declared[index])))
        if source is not None and source in cast("dict[str, object]", plain[index]):
            raise RecipeError(
                "Recipe: {}[{}] ({}) must have its source from the chain",
                place,
                index,
                declared[index].key,
                got=source,
            )


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
