# SPDX-License-Identifier: GPL-3.0-or-later
"""Records of the recipes of planets, kept with their objects and meshes."""

from __future__ import annotations

import dataclasses
import hashlib
import zlib
from typing import TYPE_CHECKING

import bpy
import numpy as np

from ....noise_core.landscapes.scene import Planet
from ..datablocks import meshes
from ..datablocks.record import Record
from ..nodetree.terrain_material import plan
from ..schema import changes, state
from ..schema.exact_numbers import signed
from ..schema.recipe_texts import recipe_of
from ..schema.values import values_of
from ..tasks.product import PLANET_KEY
from . import settings

if TYPE_CHECKING:
    from ....noise_core.landscapes.planets.ground import PlanetGround
    from ....noise_core.recipes.recipe import Recipe


def read(obj: bpy.types.Object) -> tuple[Recipe, Planet]:
    """Return the recipe and the measures in the settings of a planet; a TerraneError says why they cannot be read."""
    values = settings.PLANET.read(obj)
    seed = values.pop("seed")
    return dataclasses.replace(recipe_of(str(obj[state.PLANET_RECIPE])), seed=seed), Planet(
        **values
    )


def digest(recipe: Recipe, planet: Planet) -> str:
    """Return a digest of the recipe and the measures of a planet."""
    values = [repr(getattr(planet, parameter.name)) for parameter in Planet.parameters()]
    return hashlib.blake2b(f"{recipe.to_json()} {values}".encode(), digest_size=16).hexdigest()


def remember(obj: bpy.types.Object, about: PlanetGround, recipe: Recipe, planet: Planet) -> None:
    """Store the recipe and the measures of a planet, without live update."""
    plan.note_planet(obj, about)
    obj[state.PLANET_RECIPE] = recipe.to_json()
    with changes.paused.on():
        settings.PLANET.write(obj, {**values_of(planet), "seed": signed(recipe.seed)})
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
