# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings of a scene's sky, camera and plants, for panels, operators and redo panels."""

from __future__ import annotations

import functools
from typing import TypeVar

import bpy

from ....noise_core.base.params import Declared
from ....noise_core.plants import Plants
from ....noise_core.scene import Camera, Sky
from ..interface.registering import Parts, Settings
from ..schema.properties import group_class
from ..schema.values import assign, read_values

AnyDeclared = TypeVar("AnyDeclared", bound=Declared)


def read(context: bpy.types.Context, cls: type[AnyDeclared]) -> AnyDeclared:
    """Return the sky or the camera in a scene's settings."""
    return cls(**read_values(OF[cls].of(context), cls.parameters()))


def write(context: bpy.types.Context, declared: Declared) -> None:
    """Store a sky or a camera in a scene's settings."""
    values = {one.name: getattr(declared, one.name) for one in declared.parameters()}
    assign(OF[type(declared)].of(context), values)


@functools.cache
def _group(cls: type[Declared], name: str, description: str) -> type[bpy.types.PropertyGroup]:
    return group_class(name, cls.parameters(), description=description)


OF: dict[type[Declared], Settings] = {
    Sky: Settings(
        "terrane_sky", "Sky", lambda: (_group(Sky, "TERRANE_PG_sky", "The sky of a scene"),)
    ),
    Camera: Settings(
        "terrane_camera",
        "Camera",
        lambda: (_group(Camera, "TERRANE_PG_camera", "Where a scene's camera stands"),),
    ),
    Plants: Settings(
        "terrane_plants",
        "Plants",
        lambda: (_group(Plants, "TERRANE_PG_plants", "Plants and stones on a terrain"),),
    ),
}
"""The settings of scenes by what they hold."""

_own = Parts(*OF.values())
register, unregister = _own.register, _own.unregister
