# SPDX-License-Identifier: GPL-3.0-or-later
"""Live updates of planets from their settings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bpy

from ..datablocks import editing, linked, meshes
from ..datablocks.record import Record
from ..datablocks.ref import Ref
from ..interface.registering import Handlers
from ..schema import state
from ..tasks.pace import Update, structure
from ..tasks.product import PLANET_KEY, Product
from ..tasks.task import PRODUCTS
from ..terrain import terrain_product
from . import planet_records, planet_updates

if TYPE_CHECKING:  # imported with the first update
    from ....noise_core.landscapes.scene import Planet
    from ....noise_core.recipes.recipe import Recipe
    from ..tasks.jobs import Work


class PlanetProduct(Product):
    """A planet with its sea and air; live update makes it in full, as soon as a gesture rests."""

    key = PLANET_KEY
    is_of = staticmethod(state.is_planet)

    def must_wait(self, owner: bpy.types.Object) -> bool:
        """Return whether updates wait for Object Mode."""
        return owner.mode != "OBJECT"

    def why_waiting(self, owner: bpy.types.Object) -> str:
        """Return when updates continue."""
        return terrain_product.WAITS

    def refusal(self, owner: bpy.types.Object) -> str:
        """Return why the mesh must not be changed; an empty text if it may be."""
        mesh = meshes.mesh_of(owner)
        if reason := linked.why_not_write(owner, mesh):
            return reason
        if editing.other_users(mesh):
            return terrain_product.SHARED
        if mesh.shape_keys is not None:
            return planet_updates.KEYS
        record = Record.of(mesh, self.key)
        is_ours = record is not None and record.checksum == planet_records.checksum(mesh)
        return "" if is_ours else terrain_product.EDITED

    def state(self, owner: bpy.types.Object) -> object:
        """Return the state of the mesh."""
        mesh = meshes.mesh_of(owner)
        return (Ref.of(mesh).uid, mesh.users, len(mesh.vertices), mesh.shape_keys is None)

    def request(self, owner: bpy.types.Object) -> tuple[Recipe, Planet]:
        """Return the recipe and the measures of the planet."""
        return planet_records.read(owner)

    def digest(self, owner: bpy.types.Object, request: tuple[Recipe, Planet]) -> str:
        """Return a digest of the recipe and the measures."""
        return planet_records.digest(*request)

    def update(self, owner: bpy.types.Object, request: tuple[Recipe, Planet]) -> Update:
        """Return the update to a request: of six sides."""
        recipe, planet = request
        shape = (6 * planet.resolution, planet.resolution)
        cost = structure(recipe, recipe.to_json())
        return Update(request, self.digest(owner, request), cost, shape)

    def lacks_more(
        self, owner: bpy.types.Object, request: tuple[Recipe, Planet], *, is_thorough: bool
    ) -> bool:
        """Return whether the shells differ from the settings."""
        return planet_updates.lacks_parts(owner, request[1])

    def work(
        self, owner: bpy.types.Object, request: tuple[Recipe, Planet], side: int | None = None
    ) -> Work:
        """Return the work that makes the arrays of the planet."""
        return planet_updates.work(owner, *request)

    def write(
        self, owner: bpy.types.Object, request: Any, result: Any, *, is_preview: bool = False
    ) -> str:
        """Write them into the planet and its shells."""
        planet_updates.rewrite(owner, result)
        return ""

    def record(
        self, owner: bpy.types.Object, update: Update, result: Any, *, is_preview: bool = False
    ) -> Record:
        """Return the record of the vertices and the palette."""
        return planet_records.record_of(owner, update.digest, result.planet.palette)


PLANET = PlanetProduct()


def _begin() -> None:
    PRODUCTS.append(PLANET)


def _end() -> None:
    if PLANET in PRODUCTS:
        PRODUCTS.remove(PLANET)


_handlers = Handlers(begin=_begin, end=_end)
register, unregister = _handlers.register, _handlers.unregister
