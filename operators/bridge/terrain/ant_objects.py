# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects made by A.N.T. Landscape, with the settings that it stored on them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import bpy

from ..schema import state
from ..schema.keywords import keywords
from . import terrains

if TYPE_CHECKING:
    from ....noise_core.landscapes.scene import Planet
    from ....noise_core.recipes.ant_landscape.recipe import AntRecipe

_STORED = "ant_landscape"


def stored_settings(obj: bpy.types.Object | None) -> Mapping[str, object]:
    """Return the settings that A.N.T. Landscape stored on an object; an empty mapping if none.

    They outlive the add-on. Blender 5 keeps the properties of add-ons apart from a user's own.
    """
    if obj is None or obj.type != "MESH" or state.is_terrain(obj) or obj.get(state.PLANET):
        return {}
    owner: Any = obj
    group = owner.get(_STORED)
    if group is None and hasattr(owner, "bl_system_properties_get"):
        group = (owner.bl_system_properties_get() or {}).get(_STORED)
    return dict(group.items()) if hasattr(group, "items") else {}


def is_sphere(obj: bpy.types.Object) -> bool:
    """Return whether A.N.T. Landscape made a sphere."""
    return bool(stored_settings(obj).get("sphere_mesh"))


def read_sphere(obj: bpy.types.Object) -> tuple[AntRecipe, Planet]:
    """Return the recipe for a sphere, and its measures.

    Raises
    ------
    ParameterError
        If the value of a setting is not allowed.
    """
    from ....noise_core.landscapes.planets.ant_planet import planet_from_ant  # here, as in `read`

    return planet_from_ant(stored_settings(obj))


def read(obj: bpy.types.Object) -> tuple[AntRecipe, terrains.Measures]:
    """Return the recipe for an object, and its measures.

    Raises
    ------
    ParameterError
        If the value of a setting is not allowed.
    """
    # Here, since few have such objects.
    from ....noise_core.recipes.ant_landscape.recipe import recipe_from_ant
    from ....noise_core.recipes.ant_landscape.settings import AntSettings

    stored = stored_settings(obj)
    settings = AntSettings(stored)
    most = int(keywords()["resolution"].maximum)
    resolution = max(settings.integer("subdivision_x"), settings.integer("subdivision_y"))
    measures = terrains.Measures(resolution=min(most, resolution))
    return recipe_from_ant(stored), measures
