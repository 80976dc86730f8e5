# SPDX-License-Identifier: GPL-3.0-or-later
"""Records of the recipes of planets, kept with their objects and meshes."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Sequence
from typing import TYPE_CHECKING

import bpy
import numpy as np

from ....noise_core.base.errors import TerraneError
from ....noise_core.landscapes.scene import Planet
from ..datablocks import meshes
from ..datablocks.record import Record
from ..nodetree.terrain_material import plan
from ..schema import changes, state
from ..schema import settings as recipe_settings
from ..schema.layers import LayerState
from ..schema.values import values_of
from ..tasks.product import PLANET_KEY
from . import settings

if TYPE_CHECKING:
    from ....noise_core.landscapes.planets.ground import PlanetGround
    from ....noise_core.recipes.recipe import Recipe

STANDARD = ""
"""Name in the settings of a planet whose recipe is that of no preset."""


def read(obj: bpy.types.Object) -> tuple[Recipe, Planet]:
    """Return the recipe in the settings of a planet as it acts, and its measures.

    Raises
    ------
    TerraneError
        If they cannot be read, or a layer has a painted mask.
    """
    group = getattr(obj, state.PROPERTY)
    check_masks(recipe_settings.states(group))
    return recipe_settings.acting(group), Planet(**settings.PLANET.read(obj))


def check_masks(states: Sequence[LayerState]) -> None:
    """Raise a TerraneError if a layer has a painted mask, which lies on the grid of a terrain."""
    for layer_state in states:
        if layer_state.mask and not layer_state.is_muted:
            raise TerraneError(
                "Remove the painted mask of {}: a planet has no grid for it", layer_state.name
            )


def digest(recipe: Recipe, planet: Planet) -> str:
    """Return a digest of the recipe and the measures of a planet."""
    values = [repr(getattr(planet, parameter.name)) for parameter in Planet.parameters()]
    return hashlib.blake2b(f"{recipe.to_json()} {values}".encode(), digest_size=16).hexdigest()


def remember(
    obj: bpy.types.Object,
    about: PlanetGround,
    recipe: Recipe,
    planet: Planet,
    preset: str = STANDARD,
    states: Sequence[LayerState] = (),
) -> None:
    """Store the recipe and the measures of a planet, without live update."""
    plan.note_planet(obj, about)
    group = getattr(obj, state.PROPERTY)
    with changes.paused.on():
        recipe_settings.write(group, recipe, states)
        group.preset = preset
        settings.PLANET.write(obj, values_of(planet))
    record_of(obj, digest(*read(obj)), planet.palette).store(meshes.mesh_of(obj), PLANET_KEY)


def record_of(obj: bpy.types.Object, digest: str, palette: str) -> Record:
    """Return the record of the present mesh."""
    return Record(digest, checksum(meshes.mesh_of(obj)), details={"palette": palette})


def palette_of(record: Record) -> object:
    """Return the name of the palette that a planet was colored by; None if unknown."""
    return record.details.get("palette")


def checksum(mesh: bpy.types.Mesh) -> int:
    """Return a checksum of the vertices."""
    return zlib.crc32(np.ascontiguousarray(meshes.positions_of(mesh)).data)
