# SPDX-License-Identifier: GPL-3.0-or-later
"""Masks that are part of a recipe: conversion between a group of properties and a mask.

One enum lists all sources of values: the maps of the ground, and the types of mask that read other
data. All of them share the limits.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from ....noise_core.base.errors import RecipeError, TerraneError
from ....noise_core.base.params import Parameter
from ....noise_core.maps.bases.map import Map, map_types
from ....noise_core.masks.bases.mask import Mask, mask_types
from ....noise_core.recipes import chains
from ..interface.icons import mask_icon
from . import elements
from .enum_items import enum_number, map_summary, summary
from .type_choice import TypeChoice
from .values import make_object, read_object, write_object

MASK = "mask"
"""Path of an entry's mask; see `chain_holders`."""

EVERYWHERE = "everywhere"
"""Key of the source for no mask."""

_FIRST = ("slope", "height")
"""Most used maps, listed first; the others follow by name."""


@dataclass(frozen=True)
class MaskSource:
    """Source of a mask's values: a type of mask, with the map that it reads, if any."""

    label: str
    help: str
    mask: type[Mask]
    map: type[Map] | None = None

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """Parameters of the source itself, without the limits, which all sources have."""
        if self.map is not None:
            return self.map.parameters()
        shared = {parameter.name for parameter in Mask.parameters()}
        return tuple(
            parameter for parameter in self.mask.parameters() if parameter.name not in shared
        )


@functools.cache
def sources() -> Mapping[str, MaskSource]:
    """Return all sources by key: scalar maps, the most used first, then other masks."""
    maps = {key: cls for key, cls in map_types().items() if cls.channels == 1}
    keys = (*(key for key in _FIRST if key in maps), *(key for key in maps if key not in _FIRST))
    by_key: dict[str, MaskSource] = {}
    for cls in mask_types().values():
        if _map_parameter(cls) is None:
            by_key[cls.key] = MaskSource(cls.label, summary(cls), cls)
        else:
            by_key |= {
                key: MaskSource(maps[key].label, map_summary(maps[key]), cls, maps[key])
                for key in keys
            }
    ordered = sorted(by_key, key=lambda key: by_key[key].map is None)
    return {key: by_key[key] for key in ordered}


def source_items() -> list[Any]:
    """Return the enum items of all sources."""
    items = [(EVERYWHERE, "Everywhere", "It acts everywhere", "X", enum_number(EVERYWHERE))]
    for key, source in sources().items():
        items.append((key, source.label, source.help, mask_icon(key), enum_number(key)))
    return items


SOURCES = TypeChoice(
    "mask",
    lambda: {key: (source.label, source.parameters) for key, source in sources().items()},
    prefix="mask_",
    animated=None,
)
"""Groups of the parameters that sources have themselves."""


def read(group: Any) -> Mask | None:
    """Return the mask of a group, None if it has none.

    Raises a TerraneError if a setting is not allowed, or this Terrane does not know the source.
    """
    if group.source == EVERYWHERE:
        return None
    if group.source not in sources():
        raise RecipeError("Mask: update Terrane: this file's mask source is unknown")
    source = sources()[group.source]
    cls = source.mask
    limits = (group, Mask.parameters())
    part = SOURCES.part(group, group.source)
    if source.map is not None:
        values = read_object(cls, group.text, limits)
        values[str(_map_parameter(cls))] = make_object(
            source.map, read_object(source.map, group.map_text, part)
        )
    else:
        values = read_object(cls, group.text, limits, part)
    if (name := noise_parameter(cls)) is not None and len(group.chain):
        values[name] = elements.read_chain(group.chain)
    values = {**{name: read(half) for name, half in halves(group).items()}, **values}
    mask: Mask = make_object(cls, values)
    return mask


def write(
    group: Any,
    mask: Mask | None,
    images: elements.Images = MappingProxyType({}),
    bypassed: Mapping[str, elements.Bypassed] = MappingProxyType({}),
    path: str = MASK,
) -> None:
    """Write a mask into a group, with the images and the muted elements of its chains.

    Paths of elements are those of `chain_holders`; for images see `elements.write_chain`.
    """
    group.text = group.map_text = ""
    if mask is None:
        group.source = EVERYWHERE
        group.chain.clear()
        return
    map_name, noise = _map_parameter(type(mask)), noise_parameter(type(mask))
    of_map = None if map_name is None else getattr(mask, map_name)
    group.source = mask.key if of_map is None else of_map.key
    limits, (held, declared) = (group, Mask.parameters()), SOURCES.part(group, group.source)
    parts = halves(group)
    if of_map is not None:
        group.map_text = write_object(of_map, (held, declared))
        group.text = write_object(mask, limits)
    else:
        kept = [
            parameter
            for parameter in declared
            if parameter.name != noise and parameter.name not in parts
        ]
        group.text = write_object(mask, limits, (held, kept))
    if noise is None:
        group.chain.clear()
    else:
        noises = chains.elements(getattr(mask, noise))
        elements.write_chain(group.chain, noises, images, f"{path}.", bypassed.get(path, ()))
    for name, half in parts.items():
        write(half, getattr(mask, name), images, bypassed, f"{path}.{name}")


def noise_parameter(cls: type[Mask]) -> str | None:
    """Return the name of the parameter that holds a mask's noise, None if it has none."""
    return next(
        (parameter.name for parameter in cls.parameters() if parameter.kind in ("noise", "chain")),
        None,
    )


def halves(group: Any) -> dict[str, Any]:
    """Return the groups of the masks that a mask is made of, by name.

    A half has none; the masks that combine into a mask in it are kept as text.
    """
    source = sources().get(group.source)
    names = (
        ()
        if source is None
        else (parameter.name for parameter in source.parameters if parameter.kind == "mask")
    )
    return {name: getattr(group, name) for name in names if hasattr(group, name)}


def find_part(group: Any, path: str) -> Any:
    """Return the group at a path: that of a mask itself, or of a half such as "mask.first".

    Raises a TerraneError if the mask is not made of two.
    """
    parts = {MASK: group, **{f"{MASK}.{name}": half for name, half in halves(group).items()}}
    if path not in parts:
        raise TerraneError("This mask is not made of two")
    return parts[path]


def chain_holders(group: Any, path: str = MASK) -> dict[str, Any]:
    """Return the groups of masks made of a noise by path: "mask", or a half such as "mask.first"."""
    source = sources().get(group.source)
    has_noise = source is not None and noise_parameter(source.mask) is not None
    holders = {path: group} if has_noise else {}
    for name, half in halves(group).items():
        holders |= chain_holders(half, f"{path}.{name}")
    return holders


def layer_references(group: Any) -> Iterator[tuple[Any, str]]:
    """Yield the properties that name the layers a mask reads: the group and the name of each."""
    source = sources().get(group.source)
    for parameter in () if source is None else source.parameters:
        if parameter.kind == "text":
            yield SOURCES.group(group, group.source), parameter.name
    for half in halves(group).values():
        yield from layer_references(half)


def set_layer(group: Any, name: str) -> None:
    """Set the layer that a mask reads, if its source reads a layer."""
    for held, parameter in layer_references(group):
        setattr(held, parameter, name)


def suggest_mask(key: str, relief: float) -> Mask | None:
    """Return an initial mask: the upper two thirds of a source's range, with a falloff.

    `relief` is the range in meters of maps without bounds.
    """
    if key == EVERYWHERE:
        return None
    source = sources()[key]
    if source.map is None:
        if source.mask().limits == "values":
            return source.mask()  # already from 0 to 1
        return source.mask(limits="above", low=0.0, falloff=0.5)
    scalar_map = source.map()
    low, high = scalar_map.bounds()
    if not (math.isfinite(low) and math.isfinite(high)):
        low, high = (0.0, relief) if scalar_map.unit == "meters" else (0.0, 1.0)
    width = high - low
    values: dict[str, Any] = {str(_map_parameter(source.mask)): scalar_map}
    return source.mask(**values, low=_round(low + width / 3.0), falloff=_round(width / 10.0))


def _map_parameter(cls: type[Mask]) -> str | None:
    return next((parameter.name for parameter in cls.parameters() if parameter.kind == "map"), None)


def _round(value: float) -> float:
    """Return a number rounded to two significant digits."""
    return float(f"{value:.2g}")
