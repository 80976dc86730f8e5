# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings of the erosion of images, and the maps that are chosen in the panel.

Parameters are in the groups that layers have; panels show that of the chosen type. Scripts cannot set a group
in a call, so operators also have all parameters as plain keywords: ``modifier="thermal_erosion", talus_angle=30``.
"""

from __future__ import annotations

import functools
from typing import Any

import bpy
from bpy.props import BoolProperty, EnumProperty, PointerProperty, StringProperty

from ..interface.registering import Settings
from ..schema import layers, state
from ..schema.declared_settings import declare
from ..schema.keywords import keywords
from ..schema.modifier_values import DEFAULT_TYPE, opacity_parameter
from ..schema.properties import blender_property, declared_properties, new_group
from . import catalog

PROPERTY = "terrane_erosion"
"""Name of the group on a scene."""

MAPS_GROUP = "maps"

SEAMLESS = declare("seamless", False, "Keep the image seamless")

IMAGE_MEASURES = (
    declare("size", 1000.0, "Width of the image's ground in meters", (1e-3, 1e7), (1.0, 20000.0), unit="length"),
    declare("height", 200.0, "Height from black to white in meters", (1e-6, 1e6), (1.0, 5000.0), unit="length"),
    SEAMLESS,
    declare("in_place", False, "Change the image itself instead of a copy", label="In Place"),
)  # fmt: skip
"""Parameters that an image of heights does not define."""


def modifier_properties(options: frozenset[Any] = frozenset()) -> dict[str, Any]:
    """Return the properties that select a modifier and set its parameters, in the groups that layers have."""
    return {
        "modifier": EnumProperty(
            name="Modifier",
            description="Modifier of the relief",
            items=state.modifier_items(),
            default=DEFAULT_TYPE,
            options=set(options),
        ),
        "seed": blender_property(keywords()["seed"], is_strict=False, options=options),
        "opacity": blender_property(opacity_parameter(), is_strict=False, options=options),
        **layers.MODIFIERS.properties(options),
    }


def mask_property(options: frozenset[Any] = frozenset()) -> Any:
    """Return the property that names the image that is the mask of an erosion."""
    return StringProperty(
        name="Mask",
        description="Image that masks the erosion: 0 keeps, 1 erodes",
        options=set(options),
    )


def chosen_maps(group: Any) -> set[str]:
    """Return the names of the maps enabled in the scene's settings."""
    ticks = getattr(group, MAPS_GROUP)
    return {name for name in catalog.entries() if getattr(ticks, name)}


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
        **declared_properties(IMAGE_MEASURES),
        MAPS_GROUP: PointerProperty(type=maps),
    }
    group = new_group(
        "TERRANE_PG_erosion", "How images are eroded, and which maps are made", properties
    )
    return (maps, group)


_own = Settings(PROPERTY, "Erosion", _classes)
register, unregister, of = _own.register, _own.unregister, _own.of
