# SPDX-License-Identifier: GPL-3.0-or-later
"""Catalog of all maps: those that modifiers make, and those computed from a finished relief.

The panel's choice among them is stored with the scene.
"""

from __future__ import annotations

import functools
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import bpy

from ....noise_core.base.arrays import Field
from ....noise_core.base.blocks import Cancel, Progress
from ....noise_core.base.errors import ParameterError
from ....noise_core.base.grid import Grid
from ....noise_core.base.params import Declared
from ....noise_core.maps.bases.map import as_height_field, map_types, read_from
from ....noise_core.modifiers.bases.modifier import modifier_types
from ..interface.registering import Settings
from ..schema.declared_settings import declare
from ..schema.enum_items import enum_label, map_summary
from ..schema.properties import declared_properties, new_group

if TYPE_CHECKING:
    from ....noise_core.rasters.height_field import HeightField

PROPERTY = "terrane_maps"
"""Name of the scene's group with a switch per map: names stay valid in files, the bits of an enum do not."""

NONE = "none"
"""Stands for no map in a channel of a splat map."""


@dataclass(frozen=True)
class CatalogEntry:
    """One map: texts, whether modifiers make it, numbers per vertex, and limits, infinite if it has none."""

    label: str
    help: str
    is_made: bool = False
    channels: int = 1
    limits: tuple[float, float] = (float("-inf"), float("inf"))


@functools.cache
def entries() -> Mapping[str, CatalogEntry]:
    """Return all maps by name: those of modifiers first, then alphabetically.

    A map that is measured from curves is none of them: only masks choose its curves.
    """
    computed = {key: cls() for key, cls in map_types().items() if not _has_curves(cls)}
    from_modifiers = {
        name: CatalogEntry(enum_label(name), text, is_made=True)
        for cls in modifier_types().values()
        for name, text in cls.makes.items()
    }
    catalog = dict(sorted(from_modifiers.items()))
    for key, map_type in computed.items():
        text = map_summary(type(map_type))
        catalog[key] = CatalogEntry(
            map_type.label, text, key in from_modifiers, map_type.channels, map_type.bounds()
        )
    return catalog


@functools.cache
def drawn_maps() -> frozenset[str]:
    """Return the names of the maps that paths make: all maps together are too many for one keyword."""
    return frozenset(modifier_types()["path"].makes)


def _has_curves(cls: type[Declared]) -> bool:
    """Return whether a type acts along drawn curves alone; lists of other names than `curves` add to what it does."""
    return cls.name_of("curves") == "curves"


def modifier_maps() -> frozenset[str]:
    """Return the names of the maps that modifiers make, which are stored by default."""
    return frozenset(name for name, entry in entries().items() if entry.is_made)


def masks() -> tuple[str, ...]:
    """Return the names of the maps with one number per vertex."""
    return tuple(name for name, entry in entries().items() if entry.channels == 1)


def check_names(names: Iterable[str]) -> tuple[str, ...]:
    """Return names of maps in the order of the catalog; raise a ParameterError for one that is not in it."""
    requested = set(names)
    if unknown := sorted(requested - set(entries())):
        raise ParameterError("maps must be of {}", ", ".join(entries()), got=repr(unknown[0]))
    return tuple(name for name in entries() if name in requested)


def compute(
    requested: Collection[str],
    computed: Mapping[str, Field],
    height: Field,
    grid: Grid,
    progress: Progress,
    cancel: Cancel,
    *,
    surface: HeightField | None = None,
) -> dict[str, Field]:
    """Return the requested maps: those in `computed`, which modifiers made, and those that can be computed.

    `height` is the finished relief in meters on a grid; `surface` is the same, for callers that need the fields
    that maps derive from it.
    """
    types = map_types()
    fields = {name: computed[name] for name in requested if name in computed}
    readers = {name: types[name]() for name in requested if name not in fields and name in types}
    if readers:
        surface = surface or as_height_field(height, grid, "read_maps")
        fields.update(read_from(surface, readers, progress, cancel))
    return {name: fields[name] for name in entries() if name in fields}


def chosen_maps(group: Any) -> set[str]:
    """Return the names of the maps enabled in the scene's settings."""
    return {name for name in entries() if getattr(group, name)}


def _classes() -> tuple[type[bpy.types.PropertyGroup], ...]:
    switches = (
        declare(name, entry.is_made, entry.help, label=entry.label)
        for name, entry in entries().items()
    )
    return (new_group("TERRANE_PG_maps", "Which maps are made", declared_properties(switches)),)


_settings = Settings(PROPERTY, "Maps", _classes)
register, unregister, of = _settings.register, _settings.unregister, _settings.of
