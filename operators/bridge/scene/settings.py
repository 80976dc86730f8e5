# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings of a scene's sky and camera, for panels, operators and redo panels."""

from __future__ import annotations

import functools
from typing import Any, TypeVar

import bpy

from ....noise_core.base.errors import RecipeError
from ....noise_core.base.params import Declared
from ....noise_core.preset_library import Look, preset
from ....noise_core.scene import Camera, Sky
from ..interface.registering import Parts
from ..schema import state
from ..schema.properties import blender_property, group_class
from ..schema.scene_settings import SceneSettings
from ..schema.values import assign, read_values

AnyDeclared = TypeVar("AnyDeclared", bound=Declared)


def keyword_properties(cls: type[Declared], options: frozenset[Any]) -> dict[str, Any]:
    """Return the properties of an operator's keywords; the core checks their values."""
    return {
        one.name: blender_property(one, is_strict=False, options=options)
        for one in cls.parameters()
    }


def look_of(terrain: bpy.types.Object) -> Look:
    """Return the look of the preset that a terrain began with; the usual one if it is gone."""
    try:
        return preset(getattr(terrain, state.PROPERTY).preset).look
    except RecipeError:
        return Look()


def read(context: bpy.types.Context, cls: type[AnyDeclared]) -> AnyDeclared:
    """Return the sky or the camera in a scene's settings."""
    parameters = cls.parameters()
    usual = {one.name: one.default for one in parameters}
    return cls(**read_values(OF[cls].of(context), parameters, usual))


def write(context: bpy.types.Context, declared: Declared) -> None:
    """Store a sky or a camera in a scene's settings."""
    values = {one.name: getattr(declared, one.name) for one in declared.parameters()}
    assign(OF[type(declared)].of(context), values)


@functools.cache
def _group(cls: type[Declared], name: str, description: str) -> type[bpy.types.PropertyGroup]:
    return group_class(name, cls.parameters(), description=description)


OF: dict[type[Declared], SceneSettings] = {
    Sky: SceneSettings(
        "terrane_sky", "Sky", lambda: (_group(Sky, "TERRANE_PG_sky", "The sky of a scene"),)
    ),
    Camera: SceneSettings(
        "terrane_camera",
        "Camera",
        lambda: (_group(Camera, "TERRANE_PG_camera", "Where a scene's camera stands"),),
    ),
}
"""The settings of scenes by what they hold."""

_own = Parts(*OF.values())
register, unregister = _own.register, _own.unregister
