# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings of erosion in the panels: modifier, parameters, mask and starting heights.

Each modifier type has a group of properties made from its declaration; panels show the group of the
chosen type. Scripts cannot set a group in a call, so operators also have all parameters as plain
keywords: ``modifier="thermal_erosion", talus_angle=30``.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Mapping
from typing import Any

import bpy
from bpy.props import BoolProperty, EnumProperty, PointerProperty, StringProperty

from ....noise_core.base.params import Parameter
from ....noise_core.modifiers.bases.modifier import modifier_types
from ..interface.registering import Settings
from ..schema.declared_settings import declare
from ..schema.enum_items import type_items
from ..schema.keywords import keywords
from ..schema.modifier_values import DEFAULT_TYPE, shown_parameters
from ..schema.properties import (
    blender_property,
    declared_properties,
    new_group,
    pointers,
    type_groups,
)
from . import catalog

PROPERTY = "terrane_erosion"
"""Name of the group on a scene."""

MAPS_GROUP = "maps"

START = declare("start", "present", "What the erosion begins with", label="Begin With", options={
    "present": "The mesh as it is now: erosions add up",
    "original": "The heights from before the first erosion, where they are kept",
})  # fmt: skip

SEAMLESS = declare("seamless", False, "Opposite edges meet: keep them so")

IMAGE_MEASURES = (
    declare("size", 1000.0, "Width in meters that the image shows", (1e-3, 1e7), (1.0, 20000.0), unit="length"),
    declare("height", 200.0, "Meters from black to white", (1e-6, 1e6), (1.0, 5000.0), unit="length"),
    SEAMLESS,
    declare("in_place", False, "Change the image itself instead of making another", label="In Place"),
)  # fmt: skip
"""Parameters that an image of heights does not define."""


def mesh_borders() -> tuple[Parameter, ...]:
    """Return the parameters that a mesh other than a terrain does not define: borders and tile."""
    text = "Where this mesh lies in an endless land, in meshes to the right and up: chance depends on it"
    return (SEAMLESS, dataclasses.replace(keywords()["tile"], help=text))


def modifier_properties(options: frozenset[Any] = frozenset()) -> dict[str, Any]:
    """Return the properties that select a modifier and set its parameters."""
    return {
        "modifier": EnumProperty(
            name="Modifier",
            description="What is done to the relief",
            items=type_items(modifier_types()),
            default=DEFAULT_TYPE,
            options=set(options),
        ),
        "seed": blender_property(keywords()["seed"], is_strict=False, options=options),
        **pointers(_groups(), options=options),
    }


def mask_property(options: frozenset[Any] = frozenset()) -> Any:
    """Return the property that names the mask of an erosion."""
    return StringProperty(
        name="Mask",
        description=(
            "Where it acts: a vertex group, a float attribute or an image; 0 stays as it was, 1 changes"
        ),
        options=set(options),
    )


def chosen_maps(group: Any) -> set[str]:
    """Return the names of the maps enabled in the scene's settings."""
    ticks = getattr(group, MAPS_GROUP)
    return {name for name in catalog.entries() if getattr(ticks, name)}


@functools.cache
def _groups() -> Mapping[str, type[bpy.types.PropertyGroup]]:
    """Return the property group of each modifier type, by key."""
    types = {key: (cls.label, shown_parameters(key)) for key, cls in modifier_types().items()}
    return type_groups("erode", types, is_strict=False)


@functools.cache
def _classes() -> tuple[type[bpy.types.PropertyGroup], ...]:
    """Return all groups, that of a scene last."""
    # A switch per map: names stay valid in files, the bits of an enum do not.
    ticks = {
        name: BoolProperty(
            name=entry.label, description=entry.help.rstrip("."), default=entry.is_made
        )
        for name, entry in catalog.entries().items()
    }
    maps = new_group("TERRANE_PG_erode_maps", "Which maps are made", ticks)
    properties = {
        **modifier_properties(),
        "mask": mask_property(),
        **declared_properties((START, *IMAGE_MEASURES, mesh_borders()[1])),
        MAPS_GROUP: PointerProperty(type=maps),
    }
    own = new_group("TERRANE_PG_erosion", "How meshes and images are eroded", properties)
    return (*_groups().values(), maps, own)


_own = Settings(PROPERTY, "Erosion", _classes)
register, unregister, of = _own.register, _own.unregister, _own.of
