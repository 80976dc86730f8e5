# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings of a scene's sky, camera, surroundings, plants and detail patch, of a terrain's water, and of planets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

import bpy

from ....noise_core.base.params import Declared
from ....noise_core.landscapes.plants import KINDS, Plants
from ....noise_core.landscapes.scene import (
    Camera,
    Cliffs,
    DetailPatch,
    Planet,
    Sky,
    Surroundings,
    Water,
)
from ..interface.registering import Parts
from ..schema import changes
from ..schema.declared_settings import DeclaredSettings
from ..schema.values import values_of

AnyDeclared = TypeVar("AnyDeclared", bound=Declared)

OF: dict[type[Declared], DeclaredSettings] = {
    cls: DeclaredSettings(name, cls.label, group, description, cls.parameters())
    for cls, name, group, description in (
        (Sky, "terrane_sky", "TERRANE_PG_sky", "The sky of a scene"),
        (Camera, "terrane_camera", "TERRANE_PG_camera", "Where a scene's camera stands"),
        (Surroundings, "terrane_surroundings", "TERRANE_PG_surroundings", "What lies around terrains of a scene"),
        (Plants, "terrane_plants", "TERRANE_PG_plants", "Plants and stones on a terrain"),
        (DetailPatch, "terrane_detail_patch", "TERRANE_PG_detail_patch", "Fine ground before a camera"),
        (Cliffs, "terrane_cliffs", "TERRANE_PG_cliffs", "Finer meshes of steep ground"),
    )
}  # fmt: skip
"""The settings of scenes by their class of values."""

WATER = DeclaredSettings(
    *("terrane_water", "Water", "TERRANE_PG_water", "The water over a terrain"),
    Water.parameters(),
    bpy.types.Object,
)
"""Settings on an object that is water: each terrain has its own."""

PLANET = DeclaredSettings(
    *("terrane_planet_settings", "Planet", "TERRANE_PG_planet", "The measures of a planet"),
    Planet.parameters(),
    bpy.types.Object,
)
"""Measures on an object that is a planet; its recipe is in the settings that terrains and images have too."""

_own = Parts(*OF.values(), WATER, PLANET)
register, unregister = _own.register, _own.unregister


def read(context: bpy.types.Context, cls: type[AnyDeclared]) -> AnyDeclared:
    """Return the sky, the camera or another part in a scene's settings."""
    return cls(**OF[cls].read(context.scene))


def write(context: bpy.types.Context, declared: Declared) -> None:
    """Store one of them in a scene's settings."""
    OF[type(declared)].write(context.scene, values_of(declared))


def plant_kinds() -> Mapping[str, str]:
    """Return the labels of the kinds of plants by key."""
    return KINDS


def water_of(obj: bpy.types.Object) -> Water:
    """Return the settings of an object that is the water over a terrain."""
    return Water(**WATER.read(obj))


def write_water(obj: bpy.types.Object, water: Water) -> None:
    """Store the settings of water in its object; live update is not told."""
    with changes.paused.on():
        WATER.write(obj, values_of(water))
