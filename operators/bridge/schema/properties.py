# SPDX-License-Identifier: GPL-3.0-or-later
"""Blender properties made from declared parameters: one function per kind.

Names, limits, tooltips and defaults come from the declaration.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, cast

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
from ....noise_core.base.params import Parameter
from ....translations import CONTEXT
from . import changes
from .enum_items import enum_items
from .fields import AUTO, fields_of

_FLOATS = (-3.4028234e38, 3.4028234e38)
_INTEGERS = (-0x80000000, 0x7FFFFFFF)
"""Limits of Blender's numbers."""

_SUBTYPES = {"factor": "FACTOR", "length": "DISTANCE", "angle": "ANGLE"}
"""Subtypes by unit. Lengths are in meters, which Blender shows in the scene's unit. Settings store
angles in radians, as Blender does; `values.py` converts them to degrees."""

_COLORS = {"color": "COLOR", "display_color": "COLOR_GAMMA"}
"""Subtypes of vectors by unit: Blender's first is linear, as most colors of the core are."""

_TYPES: Mapping[str, Callable[..., Any]] = {
    "number": FloatProperty,
    "number_or_noise": FloatProperty,
    "integer": IntProperty,
    "boolean": BoolProperty,
    "vector": FloatVectorProperty,
    "pixels": PointerProperty,
    "choice": EnumProperty,
    "text": StringProperty,
}
"""Blender's properties by kind. Noises, maps and masks have no simple one."""

_MOVING = ("number", "number_or_noise", "vector")
"""Kinds of parameters that can change from frame to frame: whole numbers and choices would jump."""

_SHARE = 1.0 / 3.0
"""By which share dragging over 100 pixels changes a number of its usual size."""


def blender_property(
    parameter: Parameter,
    *,
    is_strict: bool = True,
    items: list[Any] | None = None,
    options: frozenset[str] = frozenset(),
) -> Any | None:
    """Return the Blender property for a declared parameter, None if it has no simple one.

    If it is strict, Blender clamps values to the hard limits, and angles are in radians. Operators leave
    the limits to the core, which raises an error instead of changing the number silently; their angles
    are in degrees. `items` replace those made from the options of a choice; `options` are Blender's own,
    such as "SKIP_SAVE".
    """
    if parameter.kind == "curve":
        kind, text = curve_point(), parameter.help
        return CollectionProperty(type=kind, name=parameter.title, description=text)
    declare = _TYPES.get(parameter.kind)
    if declare is None or (parameter.kind == "pixels" and not is_strict):
        return None  # operators take no images
    if parameter.unit == "angle" and is_strict:
        parameter = _in_radians(parameter)
    keywords: dict[str, Any] = {
        "name": parameter.title,
        "description": (parameter.help if is_strict else parameter.full_help).rstrip("."),
        "translation_context": CONTEXT,
        **_keywords_of_kind(parameter, is_strict),
    }
    if options:
        keywords["options"] = set(options)
    if items:
        keywords["items"] = items
    return declare(**keywords)


def declared_properties(
    parameters: Iterable[Parameter], options: frozenset[str] = frozenset()
) -> dict[str, Any]:
    """Return the properties of declared parameters; the core checks their values.

    Those that may be automatic have their switch, which scripts need not know: they give 0.
    """
    declared = tuple(parameters)
    switches = {
        name: _with_overrides(switch, options={"HIDDEN", "SKIP_SAVE", "SKIP_PRESET"})
        for name, switch in shown_properties(declared).items()
        if name.endswith(AUTO)
    }
    values = {
        parameter.name: blender_property(parameter, is_strict=False, options=options)
        for parameter in declared
    }
    return values | switches


def shown_properties(parameters: Iterable[Parameter]) -> dict[str, Any]:
    """Return the properties that show those of declared parameters in panels; see `fields.py`."""
    declarations = {parameter.name: parameter for parameter in parameters}
    return {
        name: _with_overrides(blender_property(field.parameter), **field.access)
        for parameter in declarations.values()
        for name, field in fields_of(parameter, declarations).items()
    }


def _in_radians(parameter: Parameter) -> Parameter:
    """Return the declaration of an angle with the default and all limits in radians."""
    names = ("default", "minimum", "maximum", "soft_minimum", "soft_maximum")
    values: Any = {name: math.radians(getattr(parameter, name)) for name in names}
    return parameter._replace(**values)


def _keywords_of_kind(parameter: Parameter, is_strict: bool) -> dict[str, Any]:
    """Return the keywords of a property that depend on the kind of its parameter."""
    kind, default = parameter.kind, cast(Any, parameter.default)
    if kind == "boolean":
        return {"default": bool(default)}
    if kind == "pixels":
        return {"type": bpy.types.Image}
    if kind == "choice":
        return {"default": default, "items": enum_items(parameter.options)}
    if kind == "text":
        return {"default": str(default), "maxlen": LONGEST_TEXT}
    if kind == "integer":
        return {"default": int(default), **_limits(parameter, is_strict, int, _INTEGERS)}
    limits = _limits(parameter, is_strict, float, _FLOATS)
    if kind == "vector":
        subtype = _COLORS.get(parameter.unit, "NONE")
        shape = {"size": parameter.size, "subtype": subtype, "precision": 2}
        return {"default": tuple(default), **shape, **limits}
    is_angle, is_small = parameter.unit == "angle", parameter.soft_maximum <= 1.0
    has_subtype = is_strict or not is_angle
    return {
        "default": float(default),
        "subtype": _SUBTYPES.get(parameter.unit, "NONE") if has_subtype else "NONE",
        "precision": 3 if is_small else 2,
        "step": _step(parameter, 100 if is_angle else (1 if is_small else 10)),
        **limits,
    }


def _step(parameter: Parameter, step: int) -> int:
    """Return by how many hundredths a pixel of dragging changes a number: so many, unless it has a usual size."""
    return round(float(f"{parameter.usual * _SHARE:.1g}")) or step


def _limits(
    parameter: Parameter,
    is_strict: bool,
    convert: Callable[[float], float],
    possible: tuple[float, float],
) -> dict[str, float]:
    limits = {
        "soft_min": max(parameter.soft_minimum, parameter.minimum),
        "soft_max": min(parameter.soft_maximum, parameter.maximum),
    }
    if is_strict:
        limits |= {"min": parameter.minimum, "max": parameter.maximum}
    least, most = possible
    return {name: convert(min(max(value, least), most)) for name, value in limits.items()}


def type_groups(
    prefix: str,
    types: Mapping[str, tuple[str, Iterable[Parameter]]],
    *,
    is_strict: bool = True,
    animated: Collection[str] | None = (),
) -> dict[str, type[bpy.types.PropertyGroup]]:
    """Return one property group per type, by key, given its label and its parameters.

    Those that are not strict are also for operators: they notify no one, and the core checks values.
    For `animated` see `group_class`.
    """
    groups = {}
    for key, (label, parameters) in types.items():
        name, text = f"TERRANE_PG_{prefix}_{key}", f"The parameters of {label}"
        if is_strict:
            groups[key] = group_class(name, parameters, description=text, animated=animated)
        else:
            groups[key] = new_group(name, text, declared_properties(parameters))
    return groups


def pointers(
    groups: Mapping[str, type[bpy.types.PropertyGroup]],
    prefix: str = "",
    options: frozenset[Any] = frozenset(),
) -> dict[str, Any]:
    """Return the properties that hold groups, which must be registered first."""
    return {
        f"{prefix}{key}": PointerProperty(type=cls, name=str(cls.__doc__), options=set(options))
        for key, cls in groups.items()
    }


@functools.cache
def curve_point() -> type[bpy.types.PropertyGroup]:
    """Return the group of a point of a curve."""
    text = "Input value and output value"
    position = FloatVectorProperty(name="Position", description=text, size=2)
    extra = {"position": position}
    return group_class("TERRANE_PG_curve_point", (), description="A point of a curve", extra=extra)


_SOLIDS = ("CURVE", "MESH", "EMPTY", "SURFACE", "FONT", "META")
"""Types of objects that are followed; those of empties are their children and instances."""


@functools.cache
def curve_slot() -> type[bpy.types.PropertyGroup]:
    """Return the group of a slot for a drawn curve; see `curve_slots.py`."""
    extra = {
        "object": PointerProperty(
            type=bpy.types.Object,
            name="Curve",
            description=(
                "Curve object whose points are followed, where radius is width and tilt is tilt;"
                " or another object, whose outline from above is followed, with its children"
            ),
            poll=_has_outline,
        ),
        "collection": PointerProperty(
            type=bpy.types.Collection,
            name="Collection",
            description="Collection whose outlines from above are followed",
        ),
        "known_name": StringProperty(options={"HIDDEN"}),
        "curve_name": StringProperty(options={"HIDDEN"}),
        "points": StringProperty(options={"HIDDEN"}),
    }
    return group_class("TERRANE_PG_curve_slot", (), description="A drawn curve", extra=extra)


def _has_outline(slot: Any, obj: Any) -> bool:
    """Return whether a slot can hold an object."""
    return obj.type in _SOLIDS and obj != slot.id_data


@functools.cache
def placement_slot() -> type[bpy.types.PropertyGroup]:
    """Return the group of a slot for an object that places a stamp; see `curve_slots.py`."""
    extra = {
        "object": PointerProperty(
            type=bpy.types.Object,
            name="Place",
            description="Object whose location, turn about Z and scale are followed",
            poll=lambda slot, obj: getattr(obj, "type", "") == "EMPTY",
        ),
        "known_name": StringProperty(options={"HIDDEN"}),
        "curve_name": StringProperty(options={"HIDDEN"}),
        "points": StringProperty(options={"HIDDEN"}),
    }
    return group_class("TERRANE_PG_placement_slot", (), description="A place", extra=extra)


def places_property() -> Any:
    """Return the property of a layer that holds the places of a stamp."""
    text = "Empties that it follows"
    return CollectionProperty(type=placement_slot(), name="Places", description=text)


def slots_property(title: str) -> Any:
    """Return the property of a node that holds drawn curves, as panels name them; operators take no pointers to objects."""
    text = "Drawn curves that it follows"
    return CollectionProperty(type=curve_slot(), name=title, description=text)


def group_class(
    name: str,
    parameters: Iterable[Parameter],
    *,
    description: str,
    extra: Mapping[str, Any] | None = None,
    numbers: Collection[str] = (),
    animated: Collection[str] | None = (),
) -> type[bpy.types.PropertyGroup]:
    """Return a new property group with one property per parameter that has one, and extra ones by name.

    All properties notify `changes.py` when they are set; those among `numbers` call
    `changes.on_number_change`. Parameters in `animated` can have keyframes and drivers; None means all that
    are numbers with a fraction.
    """
    properties, declared = {}, tuple(parameters)
    for parameter in declared:
        moves = parameter.kind in _MOVING if animated is None else parameter.name in animated
        options = frozenset({"ANIMATABLE"} if moves else ())
        properties[parameter.name] = blender_property(parameter, options=options)
    properties |= dict(extra or {})
    for key, definition in properties.items():
        if definition is not None and not _is_nested(definition):
            update = changes.on_number_change if key in numbers else changes.on_change
            properties[key] = _with_defaults(definition, update=update)
    return new_group(name, description, properties | shown_properties(declared))


def new_group(name: str, text: str, properties: Mapping[str, Any]) -> type[bpy.types.PropertyGroup]:
    """Return a new property group with a docstring; properties that are None are left out.

    They can have keyframes and drivers only if they say so; Blender allows them by default. Terrains follow only
    some properties from frame to frame (`terrain/motion.py`); others would not match the heights on screen.
    """
    annotations = {
        key: _with_defaults(definition, options=set())
        for key, definition in properties.items()
        if definition is not None
    }
    body = {"__doc__": text, "__annotations__": annotations, "__module__": __name__}
    return type(name, (bpy.types.PropertyGroup,), body)


def _is_nested(declared: Any) -> bool:
    """Return whether a property holds groups, which notify by themselves."""
    if declared.function is PointerProperty:
        return not issubclass(declared.keywords["type"], bpy.types.ID)
    return bool(declared.function is CollectionProperty)


def _with_overrides(declared: Any, **keywords: Any) -> Any:
    """Return the same property with other keywords."""
    return declared.function(**{**declared.keywords, **keywords})


def _with_defaults(declared: Any, **keywords: Any) -> Any:
    """Return the same property with keywords that it does not give itself."""
    return declared.function(**{**keywords, **declared.keywords})
