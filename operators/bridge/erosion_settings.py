# SPDX-License-Identifier: GPL-3.0-or-later
"""What the panels say of an erosion: the modifier, its parameters, where it acts, what it begins with.

There is one group of properties per modifier type, made from its declaration: panels show the one
of the chosen type. Scripts cannot set a group in a call, so operators have all parameters as plain
keywords besides: ``modifier="thermal_erosion", talus=30``.
"""

from __future__ import annotations

import dataclasses
import functools
import json
from collections.abc import Collection, Mapping
from typing import Any

import bpy
from bpy.props import BoolProperty, EnumProperty, PointerProperty, StringProperty

from ...noise_core.errors import ParameterError
from ...noise_core.modifier import Modifier, modifier_types
from ...noise_core.noise import Noise, noise_types
from ...noise_core.params import Parameter
from ...noise_core.serial import from_plain, to_plain
from . import catalogue, stack
from .keywords import keywords, summary
from .properties import blender_property, enum_items
from .values import assign, read_values

PROPERTY = "terrane_erosion"
"""Name of the group on a scene."""

MAPS_GROUP = "maps"

PREFERRED = "stream_erosion"
"""The type to begin with, where there is one: what people mean by erosion."""

START = Parameter(
    "choice", "present", "What the erosion begins with", name="start", label="Begin With",
    options={
        "present": "The mesh as it is now: erosions add up",
        "original": "The heights from before the first erosion, where they are kept",
    },
)  # fmt: skip

IMAGE_MEASURES = (
    Parameter(
        "number", 1000.0, "Width in metres that the image shows", name="size", unit="length",
        minimum=1e-3, maximum=1e7, soft_minimum=1.0, soft_maximum=20000.0,
    ),
    Parameter(
        "number", 200.0, "Metres from black to white", name="height", unit="length",
        minimum=1e-6, maximum=1e6, soft_minimum=1.0, soft_maximum=5000.0,
    ),
    Parameter("boolean", False, "Opposite edges of the image meet: keep them so", name="seamless"),
    Parameter(
        "boolean", False, "Change the image itself instead of making another", name="in_place",
        label="In Place",
    ),
)  # fmt: skip
"""What an image of heights does not say itself."""

_FORMS = {"number_or_noise": "number"}
"""Kinds that have the same sort of property as another."""

_HIDDEN = frozenset({"HIDDEN", "SKIP_SAVE"})

_registered: list[type] = []


def register() -> None:
    """Make the groups and hang one on scenes; operators need the groups registered."""
    for cls in (*_groups().values(), _maps_group(), _scene_group()):
        bpy.utils.register_class(cls)
        _registered.append(cls)
    setattr(bpy.types.Scene, PROPERTY, PointerProperty(type=_scene_group(), name="Erosion"))


def unregister() -> None:
    """Take it all away again."""
    delattr(bpy.types.Scene, PROPERTY)
    while _registered:
        bpy.utils.unregister_class(_registered.pop())


def of(context: bpy.types.Context) -> Any:
    """Return the settings of the scene."""
    return getattr(context.scene, PROPERTY)


def default_type() -> str:
    """Return the key of the modifier type to begin with."""
    types = modifier_types()
    return PREFERRED if PREFERRED in types else next(iter(types))


def shown_parameters(key: str) -> tuple[Parameter, ...]:
    """Return the parameters of a modifier type that have a property, the shared ones last."""
    cls = modifier_types()[key]
    influence = [one for one in Modifier.parameters() if one.name == "influence"]
    return (*stack.own_parameters(cls), *influence)


def modifier_properties(options: frozenset[str] = frozenset()) -> dict[str, Any]:
    """Return the properties that say which modifier is to be applied, and how."""
    types = modifier_types()
    items = enum_items({key: summary(cls) for key, cls in types.items()}, {key: cls.label for key, cls in types.items()})  # fmt: skip
    return {
        "modifier": EnumProperty(
            name="Modifier",
            description="What is done to the relief",
            items=items,
            default=default_type(),
            options=set(options),
        ),
        "seed": blender_property(keywords()["seed"], is_strict=False, options=options),
        **{
            key: PointerProperty(type=cls, name=types[key].label, options=set(options))
            for key, cls in _groups().items()
        },
    }


def mask_property(options: frozenset[str] = frozenset()) -> Any:
    """Return the property that names where an erosion acts."""
    return StringProperty(
        name="Mask",
        description=(
            "Where it acts: a vertex group, a float attribute or an image; 0 stays as it was, 1 changes"
        ),
        options=set(options),
    )


def declared_properties(
    parameters: tuple[Parameter, ...], options: frozenset[str] = frozenset()
) -> dict[str, Any]:
    """Return the properties of declared parameters; the core checks their values."""
    return {
        one.name: blender_property(one, is_strict=False, is_metric=True, options=options)
        for one in parameters
    }


def plain_properties(taken: Collection[str]) -> dict[str, Any]:
    """Return one property per name of a parameter that any modifier type has.

    A name that means numbers here and choices there, or that is taken, gets none; such parameters
    can be given as JSON.
    """
    by_name: dict[str, list[Parameter]] = {}
    for key in modifier_types():
        for one in shown_parameters(key):
            by_name.setdefault(one.name, []).append(one)
    made = {name: _plain_property(alike) for name, alike in by_name.items() if name not in taken}
    return {name: one for name, one in made.items() if one is not None}


def _plain_property(alike: list[Parameter]) -> Any | None:
    """Return a property that can hold any of some parameters of the same name."""
    first = alike[0]
    # The default plays no part: only what is given counts.
    text = first.help if len(alike) == 1 else f"The modifier's {first.title.lower()}"
    options: dict[str, str] = {}
    for one in alike:
        options |= one.options
    common = dataclasses.replace(first, help=text, options=options)
    if (
        len({_FORMS.get(one.kind, one.kind) for one in alike}) > 1
        or len({one.size for one in alike}) > 1
    ):
        return None
    return blender_property(common, is_strict=False, options=_HIDDEN)


def plain_values(operator: Any, key: str) -> dict[str, object]:
    """Return the parameters of a modifier type that were given as plain keywords, and forget them."""
    properties = operator.properties
    given = tuple(
        one
        for one in shown_parameters(key)
        if one.name in properties.bl_rna.properties and properties.is_property_set(one.name)
    )
    values = read_values(properties, given, defaults(key))
    for one in given:
        properties.property_unset(one.name)
    return values


def values_of(group: Any, key: str, base: Mapping[str, object]) -> dict[str, object]:
    """Return the parameters of a modifier type that a group of properties holds."""
    return read_values(getattr(group, key), shown_parameters(key), base)


def write_values(group: Any, modifier: Modifier) -> str:
    """Make a group of properties say what a modifier is.

    Returns
    -------
    str
        As JSON, the parameters that have no property; empty if all have.
    """
    own, names = getattr(group, modifier.key), {one.name for one in shown_parameters(modifier.key)}
    assign(own, {name: getattr(modifier, name) for name in names})
    known = own.bl_rna.properties
    default = type(modifier)()
    plain = to_plain(modifier)
    rest = {
        name: plain[name]
        for name in (one.name for one in modifier.parameters())
        if (name not in known or isinstance(getattr(modifier, name), Noise))
        and getattr(modifier, name) != getattr(default, name)
    }
    return json.dumps(rest) if rest else ""


def defaults(key: str) -> dict[str, object]:
    """Return the default parameters of a modifier type."""
    modifier = modifier_types()[key]()
    return {one.name: getattr(modifier, one.name) for one in modifier.parameters()}


def made(key: str, values: Mapping[str, object]) -> Modifier:
    """Return a modifier.

    Raises
    ------
    ParameterError
        If a value is not allowed.
    """
    return modifier_types()[key](**values)


def parsed(key: str, text: str) -> dict[str, object]:
    """Return the parameters that JSON text gives.

    Raises
    ------
    TerraneError
        If it is no JSON object, or the modifier type has no such parameter.
    """
    if not text:
        return {}
    try:
        plain = json.loads(text)
    except ValueError as error:
        raise ParameterError(f"parameters must be JSON; {error}; got {text!r}") from error
    if not isinstance(plain, dict):
        raise ParameterError(f"parameters must be a JSON object; got {text!r}")
    known = [one.name for one in modifier_types()[key].parameters()]
    for name in plain:
        if name not in known:
            raise ParameterError(f"{key}.parameters must be of {', '.join(known)}; got {name!r}")
    return {name: _value(name, value) for name, value in plain.items()}


def chosen_maps(group: Any) -> set[str]:
    """Return the names of the maps that are ticked in the scene's settings."""
    ticks = getattr(group, MAPS_GROUP)
    return {name for name in catalogue.entries() if getattr(ticks, name)}


def _value(name: str, value: object) -> object:
    if isinstance(value, dict):
        return from_plain(value, noise_types(), f"parameters.{name}")
    if isinstance(value, list):
        return tuple(tuple(one) if isinstance(one, list) else one for one in value)
    return value


@functools.cache
def _groups() -> Mapping[str, type[bpy.types.PropertyGroup]]:
    """Return the group of each modifier type, by its key."""
    return {
        key: _group(
            f"TERRANE_PG_erode_{key}",
            f"The parameters of {cls.label}",
            declared_properties(shown_parameters(key)),
        )  # fmt: skip
        for key, cls in modifier_types().items()
    }


@functools.cache
def _maps_group() -> type[bpy.types.PropertyGroup]:
    """Return a group with one switch per map: unlike the bits of an enum, names last."""
    ticks = {
        name: BoolProperty(
            name=entry.label, description=entry.help.rstrip("."), default=entry.is_made
        )
        for name, entry in catalogue.entries().items()
    }
    return _group("TERRANE_PG_erode_maps", "Which maps are made", ticks)


@functools.cache
def _scene_group() -> type[bpy.types.PropertyGroup]:
    return _group(
        "TERRANE_PG_erosion",
        "How meshes and images are eroded",
        {
            **modifier_properties(),
            "mask": mask_property(),
            **declared_properties((START, *IMAGE_MEASURES)),
            MAPS_GROUP: PointerProperty(type=_maps_group()),
        },
    )


def _group(name: str, text: str, properties: Mapping[str, Any]) -> type[bpy.types.PropertyGroup]:
    """Return a new property group; what has no property is left out."""
    annotations = {key: one for key, one in properties.items() if one is not None}
    body = {"__doc__": text, "__annotations__": annotations, "__module__": __name__}
    return type(name, (bpy.types.PropertyGroup,), body)
