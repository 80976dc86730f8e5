# SPDX-License-Identifier: GPL-3.0-or-later
"""Masks that are part of a recipe: their sources, and their conversion between groups of properties and masks.

One enum lists all sources of values: the maps of the ground, and the types of mask that read other
data. All of them share the limits.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ....noise_core.base.errors import TerraneError
from ....noise_core.base.params import Parameter
from ....noise_core.maps.bases.map import Map, map_types
from ....noise_core.masks.bases.mask import Mask, mask_types
from ..interface.icons import mask_icon
from . import elements
from .enum_items import enum_number, map_summary, summary
from .type_choice import TreeChoice

MASK = "mask"
"""Path of an entry's mask; see `layers.chain_holders`."""

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
        if cls.name_of("map") is None:
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


MASKS = TreeChoice(
    "mask",
    lambda: {key: (source.label, source.parameters) for key, source in sources().items()},
    lambda: {key: source.mask for key, source in sources().items()},
    ("Mask: update Terrane: this file's mask source is unknown",),
    shared=lambda cls: Mask.parameters(),
    nested={"chain": elements.NOISES},
    prefix="mask_",
    key="source",
    empty=EVERYWHERE,
)
"""Masks, with groups of the parameters that sources have themselves."""

MASKS.nested["mask"] = MASKS


def has_chain(group: Any) -> bool:
    """Return whether a mask is made of a noise."""
    source = sources().get(group.source)
    return source is not None and source.mask.name_of("chain") is not None


def masks_in(group: Any) -> dict[str, Any]:
    """Return the group of a mask, and those of the masks that it is made of, by path: "mask", "mask.first".

    A half has none; the masks that combine into a mask in it are kept as text.
    """
    walked = MASKS.walk(group, f"{MASK}.")
    return {path.rstrip("."): node for path, choice, node in walked if choice is MASKS}


def find_part(group: Any, path: str) -> Any:
    """Return the group at a path: that of a mask itself, or of a half such as "mask.first".

    Raises a TerraneError if the mask is not made of two.
    """
    parts = masks_in(group)
    if path not in parts:
        raise TerraneError("This mask is not made of two")
    return parts[path]


def layer_references(group: Any) -> Iterator[tuple[Any, str]]:
    """Yield the properties that name the layers a mask reads: the group and the name of each."""
    for node in masks_in(group).values():
        source = sources().get(node.source)
        for parameter in () if source is None else source.parameters:
            if parameter.kind == "text":
                yield MASKS.group(node, node.source), parameter.name


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
    values: dict[str, Any] = {str(source.mask.name_of("map")): scalar_map}
    return source.mask(**values, low=_round(low + width / 3.0), falloff=_round(width / 10.0))


def _round(value: float) -> float:
    """Return a number rounded to two significant digits."""
    return float(f"{value:.2g}")
