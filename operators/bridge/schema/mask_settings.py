# SPDX-License-Identifier: GPL-3.0-or-later
"""Masks that are part of a recipe: conversion between a group of properties and a mask.

One enum lists all sources of values: the maps of the ground, and the types of mask that read other
data. All of them share the limits.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bpy.props import (
    CollectionProperty,
    EnumProperty,
    IntProperty,
    PointerProperty,
    StringProperty,
)

from ....noise_core import chains
from ....noise_core.base.errors import RecipeError
from ....noise_core.base.params import Parameter
from ....noise_core.types.map import Map, map_types
from ....noise_core.types.mask import Mask, mask_types
from ..interface.icons import mask_icon
from . import elements
from .keywords import summary
from .properties import enum_number, group_class
from .values import assign_or_keep, join_texts, read_parameters

CHAIN = "chain"
"""Name of the property with the chain of a mask made of noise."""

EVERYWHERE = "everywhere"
"""Key of the source for no mask."""

_FIRST = ("slope", "height")
"""Most used maps, listed first; the others follow by name."""


@dataclass(frozen=True)
class Source:
    """Source of a mask's values.

    Attributes
    ----------
    label, help : str
        For the interface.
    mask : type of Mask
    map : type of Map or None
        The map that such a mask reads, if any.
    """

    label: str
    help: str
    mask: type[Mask]
    map: type[Map] | None = None

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """Parameters of the source itself, without the limits, which all sources have."""
        if self.map is not None:
            return self.map.parameters()
        shared = {one.name for one in Mask.parameters()}
        return tuple(one for one in self.mask.parameters() if one.name not in shared)


@functools.cache
def sources() -> Mapping[str, Source]:
    """Return all sources by key: scalar maps, the most used first, then other masks."""
    maps = {key: cls for key, cls in map_types().items() if cls.channels == 1}
    keys = (*(key for key in _FIRST if key in maps), *(key for key in maps if key not in _FIRST))
    found: dict[str, Source] = {}
    for cls in mask_types().values():
        if _map_parameter(cls) is None:
            found[cls.key] = Source(cls.label, summary(cls), cls)
        else:
            found |= {
                key: Source(maps[key].label, _help(maps[key]), cls, maps[key]) for key in keys
            }
    ordered = sorted(found, key=lambda key: found[key].map is None)
    return {key: found[key] for key in ordered}


def source_items() -> list[Any]:
    """Return the enum items of all sources."""
    nothing = (EVERYWHERE, "Everywhere", "It acts everywhere", "X", enum_number(EVERYWHERE))
    return [
        nothing,
        *(
            (key, one.label, one.help, mask_icon(key), enum_number(key))
            for key, one in sources().items()
        ),
    ]


def source_group(key: str) -> str:
    """Return the name of the property that holds a source's own parameters."""
    return f"mask_{key}"


def groups() -> dict[str, type]:
    """Return the groups of the sources that have parameters, by property name."""
    return {
        source_group(key): group_class(
            f"TERRANE_PG_mask_{key}",
            one.parameters,
            description=f"The parameters of the mask {one.label}",
        )
        for key, one in sources().items()
        if one.parameters
    }


def group(nested: Mapping[str, type], element: type) -> type:
    """Return the group of a mask.

    Parameters
    ----------
    nested : mapping of str to type
        The registered `groups` of its sources.
    element : type
        The registered group of the elements of its chain, for masks made of a noise.
    """
    source = EnumProperty(
        name="Mask",
        description="Source of the values, read when the turn of the layer comes",
        items=source_items(),
        default=EVERYWHERE,
    )
    pointers = {name: PointerProperty(type=cls) for name, cls in nested.items()}
    return group_class(
        "TERRANE_PG_mask",
        Mask.parameters(),
        description="Where a layer acts",
        extra={
            "source": source,
            **pointers,
            CHAIN: CollectionProperty(type=element, name="Chain"),
            "active_element": IntProperty(min=0, options={"HIDDEN"}),
            "text": StringProperty(options={"HIDDEN"}),
            "map_text": StringProperty(options={"HIDDEN"}),
        },
    )


def read(group: Any) -> Mask | None:
    """Return the mask of a group, None if it has none.

    Raises
    ------
    TerraneError
        If a setting is not allowed, or this Terrane does not know the source.
    """
    if group.source == EVERYWHERE:
        return None
    if group.source not in sources():
        raise RecipeError("Mask: what this file's mask looks at is not known to this Terrane")
    source = sources()[group.source]
    cls = source.mask
    values: dict[str, Any] = read_parameters(group, cls, group.text, Mask.parameters())
    held = getattr(group, source_group(group.source), None)
    if source.map is not None:
        own = (
            {}
            if held is None
            else read_parameters(held, source.map, group.map_text, source.parameters)
        )
        values[str(_map_parameter(cls))] = source.map(**own)
    elif held is not None:
        values.update(read_parameters(held, cls, group.text, source.parameters))
    if (name := noise_parameter(cls)) is not None and len(group.chain):
        values[name] = elements.read_chain(group.chain)
    made_of: Any = cls
    try:
        return _kept_mask(made_of, tuple(values.items()))
    except TypeError:
        return cls(**values)


@functools.lru_cache(maxsize=128)
def _kept_mask(cls: type[Mask], values: tuple[tuple[str, object], ...]) -> Mask:
    """Return a mask; the same object again for the same settings."""
    plain: dict[str, Any] = dict(values)
    return cls(**plain)


def write(group: Any, mask: Mask | None) -> None:
    """Write a mask into a group."""
    group.text = group.map_text = ""
    if mask is None:
        group.source = EVERYWHERE
        group.chain.clear()
        return
    key = source_of(mask)
    group.source = key
    source, cls = sources()[key], type(mask)
    texts = [assign_or_keep(group, mask, [one.name for one in Mask.parameters()])]
    noise = noise_parameter(cls)
    names = [one.name for one in source.parameters if one.name != noise]
    held = getattr(group, source_group(key), None)
    if source.map is not None:
        if held is not None:
            group.map_text = assign_or_keep(held, getattr(mask, str(_map_parameter(cls))), names)
    elif held is not None:
        texts.append(assign_or_keep(held, mask, names))
    if noise is not None:
        elements.write_chain(group.chain, chains.elements(getattr(mask, noise)), {})
    group.text = join_texts(texts)


def noise_parameter(cls: type[Mask]) -> str | None:
    """Return the name of the parameter that holds a mask's noise, None if it has none."""
    return next((one.name for one in cls.parameters() if one.kind in ("noise", "chain")), None)


def set_layer(group: Any, name: str) -> None:
    """Set the layer that a mask reads, if its source reads a layer."""
    source = sources().get(group.source)
    for parameter in () if source is None else source.parameters:
        if parameter.kind == "text":
            setattr(getattr(group, source_group(group.source)), parameter.name, name)


def layer_of(group: Any) -> str:
    """Return the name of the layer that a mask reads, "" if it reads none."""
    source = sources().get(group.source)
    for parameter in () if source is None else source.parameters:
        if parameter.kind == "text":
            return str(getattr(getattr(group, source_group(group.source)), parameter.name))
    return ""


def rename_layer(group: Any, old: str, new: str) -> None:
    """Replace the name of a layer that a mask reads."""
    for key, one in sources().items():
        for parameter in one.parameters:
            held = getattr(group, source_group(key))
            if parameter.kind == "text" and getattr(held, parameter.name) == old:
                setattr(held, parameter.name, new)


def source_of(mask: Mask) -> str:
    """Return the key of a mask's source."""
    parameter = _map_parameter(type(mask))
    return mask.key if parameter is None else str(getattr(mask, parameter).key)


def suggest_mask(key: str, relief: float) -> Mask | None:
    """Return an initial mask: the upper two thirds of a source's range, with a falloff.

    Parameters
    ----------
    key : str
        Key of a source, or `EVERYWHERE`.
    relief : float
        Range in meters of maps without bounds.
    """
    if key == EVERYWHERE:
        return None
    source = sources()[key]
    if source.map is None:
        if source.mask().limits == "values":
            return source.mask()  # already from 0 to 1
        return source.mask(limits="above", low=0.0, falloff=0.5)
    made = source.map()
    low, high = made.bounds()
    if not (math.isfinite(low) and math.isfinite(high)):
        low, high = (0.0, relief) if made.unit == "meters" else (0.0, 1.0)
    width = high - low
    values: dict[str, Any] = {str(_map_parameter(source.mask)): made}
    return source.mask(**values, low=_round(low + width / 3.0), falloff=_round(width / 10.0))


def _map_parameter(cls: type[Mask]) -> str | None:
    return next((one.name for one in cls.parameters() if one.kind == "map"), None)


def _help(cls: type[Map]) -> str:
    return f"{summary(cls)}{f', in {cls.unit}' if cls.unit else ''}"


def _round(value: float) -> float:
    """Return a number rounded to two significant digits."""
    return float(f"{value:.2g}")
