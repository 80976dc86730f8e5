# SPDX-License-Identifier: GPL-3.0-or-later
"""Blender properties made from declared parameters: one function per kind.

An enum item is stored under a number computed from its key, so that new items never change saved
ones. Names, limits, tooltips and defaults come from the declaration.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
import zlib
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

import bpy
from bpy.props import (
    BoolProperty,
    CollectionProperty,
    EnumProperty,
    FloatProperty,
    FloatVectorProperty,
    IntProperty,
    PointerProperty,
    StringProperty,
)

from ....noise_core.base.checks import LONGEST_TEXT
from ....noise_core.base.params import Parameter, title_of
from ....translations import CONTEXT
from . import changes

LARGEST_FLOAT = 3.4028234e38
LARGEST_INT = 0x7FFFFFFF

_SUBTYPES = {"factor": "FACTOR", "meters": "DISTANCE", "angle": "ANGLE"}
"""Subtypes by unit. Settings store angles in radians, as Blender does; `values.py` converts them
to degrees. A length may be in tiles; `is_metric` tells which are in meters."""

EnumItem = tuple[str, str, str, str, int]


def enum_number(key: str) -> int:
    """Return the number that files store for an enum's key; it never changes."""
    return zlib.crc32(key.encode()) & LARGEST_INT


def enum_label(key: str) -> str:
    """Return the label of a key: "ping_pong" is Ping Pong, "fbm" is FBM, "uv" is UV."""
    is_acronym = key == "uv" or not set(key) & set("aeiouy")
    return key.upper() if is_acronym else title_of(key)


def enum_items(
    options: Mapping[str, str], labels: Mapping[str, str] | None = None
) -> list[EnumItem]:
    """Return the items of an enum from keys with their help."""
    labels = labels or {}
    return [
        (key, labels.get(key) or enum_label(key), text, "NONE", enum_number(key))
        for key, text in options.items()
    ]


def grouped_items(items: Iterable[EnumItem], group: Callable[[str], str]) -> list[Any]:
    """Return items under one heading per group, in the order of the first item of each."""
    by_group: dict[str, list[EnumItem]] = {}
    for item in items:
        by_group.setdefault(group(item[0]), []).append(item)
    if len(by_group) < 2:
        return list(itertools.chain.from_iterable(by_group.values()))
    grouped: list[Any] = []
    for name, members in by_group.items():
        grouped += [("", name, "", "NONE", 0), *members]
    return grouped


def blender_property(
    parameter: Parameter,
    *,
    default: object = None,
    is_strict: bool = True,
    is_metric: bool = False,
    is_angular: bool = False,
    items: list[Any] | None = None,
    options: frozenset[str] = frozenset(),
) -> Any | None:
    """Return the Blender property for a declared parameter, None if it has no simple one.

    Parameters
    ----------
    parameter : Parameter
        The declaration.
    default : object, optional
        Instead of the declared one.
    is_strict : bool
        Whether Blender clamps values to the hard limits. Operators leave that to the core, which
        raises an error instead of changing the number silently.
    is_metric : bool
        Whether lengths are in meters, which Blender shows in the scene's unit.
    is_angular : bool
        Whether angles are in radians with the subtype ANGLE. Keywords of operators are in degrees.
    items : list, optional
        Items of a choice, instead of those made from its options.
    options : frozenset of str
        Blender's own options, such as "SKIP_SAVE".
    """
    make = _MAKERS.get(parameter.kind)
    if make is None:
        return None
    common: dict[str, Any] = {
        "name": parameter.title,
        "description": parameter.help.rstrip("."),
        "translation_context": CONTEXT,
    }
    if options:
        common["options"] = set(options)
    if items:
        common["items"] = items
    if parameter.kind in ("number", "number_or_noise"):
        unit = "meters" if is_metric and parameter.unit == "length" else parameter.unit
        common["subtype"] = _SUBTYPES.get(unit, "NONE")
    value: Any = parameter.default if default is None else default
    if parameter.unit == "angle":
        if not is_angular:
            common["subtype"] = "NONE"
        else:
            value, parameter = math.radians(float(value)), _in_radians(parameter)
    return make(parameter, common, value, is_strict)


def _in_radians(parameter: Parameter) -> Parameter:
    """Return the declaration of an angle with all limits in radians."""
    names = ("minimum", "maximum", "soft_minimum", "soft_maximum")
    limits: Any = {name: math.radians(getattr(parameter, name)) for name in names}
    return dataclasses.replace(parameter, **limits)


def group_class(
    name: str,
    parameters: Iterable[Parameter],
    *,
    description: str,
    defaults: Mapping[str, object] | None = None,
    extra: Mapping[str, Any] | None = None,
    is_metric: bool = False,
    numbers: Collection[str] = (),
) -> type[bpy.types.PropertyGroup]:
    """Return a new property group with one property per parameter that has one.

    All properties notify `changes.py` when they are set.

    Parameters
    ----------
    name : str
        Name of the class.
    parameters : iterable of Parameter
        Declarations in the order of the properties.
    description : str
        Docstring of the class.
    defaults : mapping, optional
        Defaults by name that replace the declared ones.
    extra : mapping, optional
        More properties by name.
    is_metric : bool
        Whether lengths are in meters.
    numbers : collection of str
        Names of properties that call `changes.on_number_change`.
    """
    defaults = defaults or {}
    made = {
        parameter.name: blender_property(
            parameter,
            default=defaults.get(parameter.name),
            is_metric=is_metric,
            is_angular=True,
        )
        for parameter in parameters
    }
    annotations = {key: one for key, one in made.items() if one is not None}
    annotations.update(extra or {})
    return new_group(
        name,
        description,
        {key: _with_update(one, is_number=key in numbers) for key, one in annotations.items()},
    )


def new_group(name: str, text: str, properties: Mapping[str, Any]) -> type[bpy.types.PropertyGroup]:
    """Return a new property group with a docstring; properties that are None are left out.

    None of them can have keyframes or drivers: Terrane does not rebuild results from frame to
    frame, so that animated settings would not match what is shown.
    """
    annotations = {
        key: _without_animation(one) for key, one in properties.items() if one is not None
    }
    body = {"__doc__": text, "__annotations__": annotations, "__module__": __name__}
    return type(name, (bpy.types.PropertyGroup,), body)


def _without_animation(declared: Any) -> Any:
    """Return the same property without the option ANIMATABLE, which Blender sets by default."""
    keywords = declared.keywords
    return declared.function(**{**keywords, "options": keywords.get("options", set())})


def _with_update(declared: Any, *, is_number: bool) -> Any:
    """Return the same property with an update callback; nested groups have their own."""
    make, keywords = declared.function, declared.keywords
    is_group = make is PointerProperty and not issubclass(keywords["type"], bpy.types.ID)
    if is_group or make is CollectionProperty:
        return declared
    update = changes.on_number_change if is_number else changes.on_change
    return make(**{"update": update, **keywords})


def _number(parameter: Parameter, common: dict[str, Any], default: Any, is_strict: bool) -> Any:
    return FloatProperty(
        default=float(default),
        precision=_digits(parameter),
        step=_step(parameter),
        **_limits(parameter, is_strict, _as_float),
        **common,
    )


def _integer(parameter: Parameter, common: dict[str, Any], default: Any, is_strict: bool) -> Any:
    limits = _limits(parameter, is_strict, _as_int)
    return IntProperty(default=int(default), **limits, **common)


def _boolean(parameter: Parameter, common: dict[str, Any], default: Any, is_strict: bool) -> Any:
    return BoolProperty(default=bool(default), **common)


def _vector(parameter: Parameter, common: dict[str, Any], default: Any, is_strict: bool) -> Any:
    limits = _limits(parameter, is_strict, _as_float)
    if parameter.unit == "color":
        common["subtype"] = "COLOR"  # linear, as the core's are
    return FloatVectorProperty(
        default=tuple(default), size=parameter.size, precision=2, **limits, **common
    )


def _pixels(parameter: Parameter, common: dict[str, Any], default: Any, is_strict: bool) -> Any:
    return PointerProperty(type=bpy.types.Image, **common)


def _choice(parameter: Parameter, common: dict[str, Any], default: Any, is_strict: bool) -> Any:
    return EnumProperty(**{"items": enum_items(parameter.options), "default": default, **common})


def _text(parameter: Parameter, common: dict[str, Any], default: Any, is_strict: bool) -> Any:
    return StringProperty(default=str(default), maxlen=LONGEST_TEXT, **common)


_MAKERS: Mapping[str, Callable[[Parameter, dict[str, Any], Any, bool], Any]] = {
    "number": _number,
    "number_or_noise": _number,
    "integer": _integer,
    "boolean": _boolean,
    "vector": _vector,
    "pixels": _pixels,
    "choice": _choice,
    "text": _text,
}
"""Functions by kind. Noises, maps, masks and curves have no simple property."""


def _limits(
    parameter: Parameter, is_strict: bool, convert: Callable[[float], Any]
) -> dict[str, Any]:
    limits = {
        "soft_min": convert(max(parameter.soft_minimum, parameter.minimum)),
        "soft_max": convert(min(parameter.soft_maximum, parameter.maximum)),
    }
    if is_strict:
        limits |= {"min": convert(parameter.minimum), "max": convert(parameter.maximum)}
    return limits


def _digits(parameter: Parameter) -> int:
    """Return the number of decimals to show: more for small numbers."""
    return 3 if parameter.soft_maximum <= 1.0 else 2


def _step(parameter: Parameter) -> int:
    """Return the step of a click on an arrow in hundredths; one degree for angles."""
    if parameter.unit == "angle":
        return 100
    return 10 if parameter.soft_maximum > 1.0 else 1


def _as_float(value: float) -> float:
    return min(max(value, -LARGEST_FLOAT), LARGEST_FLOAT)


def _as_int(value: float) -> int:
    if math.isinf(value):
        return LARGEST_INT if value > 0 else -LARGEST_INT - 1
    return int(value)
