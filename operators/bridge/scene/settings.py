# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings of a scene's sky, camera, surroundings, plants and detail patch, and of a terrain's water, for panels and operators."""

from __future__ import annotations

import functools
from typing import TypeVar

import bpy

from ....noise_core.base.params import Declared
from ....noise_core.landscapes.plants import Plants
from ....noise_core.landscapes.scene import Camera, DetailPatch, Planet, Sky, Surroundings, Water
from ..interface.registering import Parts, Settings
from ..schema import changes
from ..schema.keywords import keywords
from ..schema.properties import group_class
from ..schema.values import read_values, values_of, write_values

AnyDeclared = TypeVar("AnyDeclared", bound=Declared)


def read(context: bpy.types.Context, cls: type[AnyDeclared]) -> AnyDeclared:
    """Return the sky, the camera or another part in a scene's settings."""
    return cls(**read_values(OF[cls].of(context), cls.parameters()))


def write(context: bpy.types.Context, declared: Declared) -> None:
    """Store one of them in a scene's settings."""
    write_values(OF[type(declared)].of(context), values_of(declared))


def water_of(thing: bpy.types.Object) -> Water:
    """Return the settings of an object that is the water over a terrain."""
    return Water(**read_values(getattr(thing, WATER), Water.parameters()))


def write_water(thing: bpy.types.Object, water: Water) -> None:
    """Store the settings of water in its object; live update is not told."""
    with changes.paused.on():
        write_values(getattr(thing, WATER), values_of(water))


def _settings(
    name: str, cls: type[Declared], group: str, description: str, owner: type = bpy.types.Scene
) -> Settings:
    """Return the settings that hold what is declared, of scenes or of objects."""

    @functools.cache
    def groups() -> tuple[type, ...]:
        return (group_class(group, cls.parameters(), description=description),)

    return Settings(name, cls.label, groups, (owner,))


OF: dict[type[Declared], Settings] = {
    cls: _settings(name, cls, group, description)
    for cls, name, group, description in (
        (Sky, "terrane_sky", "TERRANE_PG_sky", "The sky of a scene"),
        (Camera, "terrane_camera", "TERRANE_PG_camera", "Where a scene's camera stands"),
        (Surroundings, "terrane_surroundings", "TERRANE_PG_surroundings", "What lies around terrains of a scene"),
        (Plants, "terrane_plants", "TERRANE_PG_plants", "Plants and stones on a terrain"),
        (DetailPatch, "terrane_detail_patch", "TERRANE_PG_detail_patch", "Fine ground before a camera"),
    )
}  # fmt: skip
"""The settings of scenes by what they hold."""

WATER = "terrane_water"
"""Name of the settings on an object that is water: each terrain has its own."""

_water = _settings(
    WATER, Water, "TERRANE_PG_water", "The water over a terrain", owner=bpy.types.Object
)

PLANET = "terrane_planet_settings"
"""Name of the settings on an object that is a planet."""

PLANET_PARAMETERS = (keywords()["seed"], *Planet.parameters())

_planet = Settings(
    PLANET,
    "Planet",
    lambda: (
        group_class("TERRANE_PG_planet", PLANET_PARAMETERS, description="The measures of a planet"),
    ),
    (bpy.types.Object,),
)

_own = Parts(*OF.values(), _water, _planet)
register, unregister = _own.register, _own.unregister
