# SPDX-License-Identifier: GPL-3.0-or-later
"""The heights and maps of a terrain as a product, which live update makes while sliders are dragged.

Only heights are written while a slider is dragged: the mesh keeps its topology and all attributes.
Sculpted and edited meshes are not changed, nor are meshes that other objects share.

While only the seed or the height changes, the settings are read once (`Terrain.quick_plan`); a new height alone
scales the cached noise at all vertices.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import bpy
import numpy as np

from ....noise_core import rasters
from ....noise_core.base.errors import Message
from ..datablocks import compat, editing, ground, linked, meshes
from ..datablocks.record import Record, text_of
from ..datablocks.ref import Ref
from ..schema import masks, painting, state
from ..schema.exact_numbers import number
from ..tasks.pace import Update, known_updates, structure
from ..tasks.product import TERRAIN_KEY, Product
from . import (
    catalog,
    earth_volumes,
    evaluation,
    followers,
    layer_times,
    map_layers,
    mesh_record,
    regrid,
    terrain_request,
    terrains,
)
from . import user_mesh as user_meshes

if TYPE_CHECKING:  # imported with the first update
    from ....noise_core.base.blocks import Cancel, Progress
    from ..tasks.jobs import Work
    from ..tasks.steps import Steps
    from .evaluation import Evaluated
    from .terrain_request import TerrainRequest

EDITED = Message("Press Update to replace the sculpted heights")
UNKNOWN = Message("Press Update once to follow the settings live")
SHARED = Message("Press Update: other objects share this mesh")
WAITS = Message("Paused: return to Object Mode")

held: set[int] = set()
"""Session numbers of terrains whose heights a tool moves at this moment: updates wait."""

refreshers: list[Callable[[bpy.types.Object], None]] = []
"""Callbacks after an update of a terrain, for attributes that belong to its heights."""


class Terrain(Product):
    """The heights and maps of a terrain, made of its settings."""

    key = TERRAIN_KEY
    is_of = staticmethod(state.is_terrain)

    def record_in(self, holder: Any) -> Record | None:
        """Return the record of a mesh, if it has the grid."""
        return mesh_record.of(holder)

    def must_wait(self, owner: bpy.types.Object) -> bool:
        """Return whether updates wait for Object Mode: in other modes the mesh is outdated, or the user works on it."""
        return owner.mode != "OBJECT" or Ref.of(owner).uid in held

    def why_waiting(self, owner: bpy.types.Object) -> str:
        """Return when updates continue; a painted mask needs no hint, its button ends the mode."""
        is_brief = owner.mode in painting.MODES.values() or owner.mode == "OBJECT"
        return "" if is_brief else WAITS

    def refusal(self, owner: bpy.types.Object) -> str:
        """Return why the mesh must not be changed; an empty text if it may be."""
        mesh = meshes.mesh_of(owner)
        if reason := linked.why_not_write(owner, mesh):
            return reason
        return SHARED if editing.other_users(mesh) else why_not_move(owner)

    def state(self, owner: bpy.types.Object) -> object:
        """Return the state of the mesh, its build record, and the names of datablocks and attributes."""
        mesh = meshes.mesh_of(owner)
        names = (owner.vertex_groups, mesh.attributes, bpy.data.images)
        return (
            (Ref.of(mesh).uid, mesh.users, text_of(mesh, self.key), len(mesh.vertices)),
            (linked.is_writable(owner), linked.is_writable(mesh), mesh.shape_keys is None),
            [item.name for collection in names for item in collection],
        )

    def request(self, owner: bpy.types.Object) -> TerrainRequest:
        """Return the settings with their grids."""
        return terrain_request.TerrainRequest.of(owner, terrains.present_request(owner))

    def digest(self, owner: bpy.types.Object, request: TerrainRequest) -> str:
        """Return a digest of the settings, in which images count by name."""
        return mesh_record.digest(request.snapshot)

    def update(self, owner: bpy.types.Object, request: TerrainRequest) -> Update:
        """Return the update to a request: a preview needs the same grid."""
        mesh, snapshot = meshes.mesh_of(owner), request.snapshot
        record = mesh_record.of(mesh)
        built = None if record is None else mesh_record.grid_of(record)
        can_preview = (
            built is not None and built.shape == request.vertices.shape and built.fits(mesh)
        )
        return Update(
            request,
            self.digest(owner, request),
            (
                *structure(snapshot.recipe, snapshot.text),
                evaluation.known_layers(request.recipe, request.grid),
            ),
            request.vertices.shape,
            can_preview=can_preview,
            is_light=can_preview and not request.has_masks,  # to read a group is to evaluate
        )

    def lacks_more(
        self, owner: bpy.types.Object, request: TerrainRequest, *, is_thorough: bool
    ) -> bool:
        """Return whether painted masks, which are no settings, have changed since the heights were made."""
        snapshot, record = request.snapshot, mesh_record.of(meshes.mesh_of(owner))
        if not is_thorough or record is None or not masks.has_painted_masks(owner, snapshot):
            return False
        where = masks.fields(owner, snapshot, request.grid)
        return masks.painted_checksum(owner, snapshot, where) != mesh_record.painted_of(record)

    def can_recall(self, owner: bpy.types.Object, update: Update) -> bool:
        """Return whether no mask, image or other form of the mesh counts, which `quick_plan` does not read."""
        request: TerrainRequest = update.request
        has_images = any(layer.pictures for layer in request.snapshot.states)
        return not (request.has_masks or has_images or request.is_user_mesh)

    def quick_plan(self, owner: bpy.types.Object) -> Update | None:
        """Return the last update with the present seed and height, if nothing else has changed."""
        last, mesh = known_updates.get(Ref.of(owner).uid), meshes.mesh_of(owner)
        record = None if last is None else mesh_record.of(mesh)
        if last is None or record is None or record.details["rows"] != last.shape[0]:
            return None
        is_grid = len(mesh.vertices) == last.shape[0] * last.shape[1]
        if not is_grid or record.details["columns"] != last.shape[1]:
            return None
        if not catalog.entries().keys().isdisjoint(mesh.attributes.keys()):
            return None  # maps would not match the heights
        group: Any = getattr(owner, state.PROPERTY)
        request: TerrainRequest = last.request
        height = request.recipe.height
        if group.height != np.float32(height):
            height = number(group.height)
        # Seeds are signed in Blender and unsigned in recipes.
        seed = group.seed % (1 << 32)
        is_same_seed = seed == request.recipe.seed
        if is_same_seed and height == request.recipe.height and record.digest == last.digest:
            return None
        instant: Callable[[], Evaluated] | None = None
        if is_same_seed:
            with suppress(LookupError):
                noise, vertices = request.known_noise, request.vertices
                instant = lambda: evaluation.Evaluated(vertices, noise * np.float32(height), {})  # noqa: E731
        return dataclasses.replace(
            last,
            digest="",
            request=request if instant else request.with_numbers(seed, height),
            is_shown=False,
            can_preview=True,
            is_light=True,
            is_provisional=True,
            instant=instant,
        )

    def work(
        self, owner: bpy.types.Object, request: TerrainRequest, side: int | None = None
    ) -> Work:
        """Evaluate the recipe; a preview is interpolated at the vertices, and has no maps."""
        user_mesh = user_meshes.heights.UserMeshHeights.of(owner) if request.is_user_mesh else None
        if side is None:
            return self._whole_work(owner, request, user_mesh)
        grid = request.grid
        is_coarse = side < max(grid.shape)
        coarse = rasters.resampling.coarse_grid(grid, side) if is_coarse else grid
        where = {}
        if request.has_masks:
            # The coarse grid may extend beyond the terrain; masks must not be stretched with it.
            where = masks.fields(owner, request.snapshot, coarse, grid.depth)

        def preview(progress: Progress, cancel: Cancel) -> Evaluated:
            height = request.relief(coarse, where, progress, cancel)
            if is_coarse:
                height = rasters.resampling.spread(height, coarse, grid)
            if user_mesh is None:
                field = ground.vertex_field(height, grid)
                return evaluation.Evaluated(request.vertices, field, {})
            return evaluation.on_vertices(request.recipe, grid, height, {}, user_mesh)

        return preview

    def _whole_work(
        self,
        owner: bpy.types.Object,
        request: TerrainRequest,
        user_mesh: user_meshes.heights.UserMeshHeights | None,
    ) -> Work:
        """Evaluate the recipe in full, with its maps."""
        snapshot, maps = request.snapshot, request.maps
        where = masks.fields(owner, snapshot, request.grid)
        if maps is None:
            maps = map_layers.choose_maps(owner, request.recipe, snapshot.states)
        painted = masks.painted_checksum(owner, snapshot, where)
        return evaluation.work(
            request.recipe, request.grid, where, maps, painted, user_mesh, is_live=True
        )

    def write(
        self,
        owner: bpy.types.Object,
        request: TerrainRequest,
        result: Evaluated,
        *,
        is_preview: bool = False,
    ) -> str | Steps[str]:
        """Move the vertices; a full update also writes maps, and another grid if requested."""
        if not is_preview:
            return self._write_whole(owner, request, result)
        mesh, grid = meshes.mesh_of(owner), result.grid
        record = mesh_record.of(mesh)
        assert record is not None  # or the update would allow no preview
        size = record.details["size"]
        regrid.move(mesh, size, grid, result.height)
        compat.update_positions(mesh)
        if grid.width != size:
            terrains.note_grid(owner, grid)
        return ""

    def _write_whole(
        self, owner: bpy.types.Object, request: TerrainRequest, result: Evaluated
    ) -> Steps[str]:
        """Take the steps that write heights and maps, on another grid if requested."""
        ref, built = Ref.of(owner), terrains.built_grid(owner)
        values = (result.grid, result.height, result.maps)
        lost = yield from regrid.update_mesh(
            bpy.context, owner, built, *values, single_user=request.single_user
        )
        terrain = ref.resolve()
        terrains.note_grid(terrain, result.grid)
        terrains.note_request(self.digest(terrain, request), request.snapshot)
        layer_times.note(terrain, request.snapshot, result.seconds)
        earth_volumes.note(terrain, result.volumes)
        return Message("Could not be carried over: {}", ", ".join(lost)) if lost else ""

    def record(
        self,
        owner: bpy.types.Object,
        update: Update,
        result: Evaluated,
        *,
        is_preview: bool = False,
    ) -> Record:
        """Return the record of the heights, with their grid."""
        values = (meshes.mesh_of(owner), update.digest, result.grid, result.height)
        return mesh_record.record_of(*values, is_preview=is_preview, painted=result.painted)

    def announce(self, owner: bpy.types.Object, *, is_preview: bool = False) -> None:
        """Let its parts know of a preview, or follow its heights."""
        if is_preview and owner.children:  # its parts are its children
            followers.show_preview(owner)
        elif not is_preview:
            refresh(owner)
            followers.follow_live(owner)

    def undo(self, owner: bpy.types.Object) -> None:
        """Restore the grid in the settings of the object from its mesh."""
        record = mesh_record.of(meshes.mesh_of(owner))
        if record is not None and linked.is_writable(owner):
            terrains.note_grid(owner, mesh_record.grid_of(record))

    def version(self, owner: bpy.types.Object) -> object:
        """Return checksums of the heights and of the surfaces of drawn paths, and the grid."""
        mesh = meshes.mesh_of(owner)
        checksums = mesh_record.checksum(mesh), mesh_record.surface_checksum(mesh)
        return f"{checksums} {terrains.built_grid(owner)!r}"

    def is_whole(self, owner: bpy.types.Object) -> bool:
        """Return whether the mesh is still a grid."""
        return terrains.built_grid(owner).fits(meshes.mesh_of(owner))

    def shape(self, owner: bpy.types.Object) -> tuple[int, int]:
        """Return the rows and columns of the grid."""
        return terrains.built_grid(owner).shape


TERRAIN = Terrain()


def refresh(terrain: bpy.types.Object) -> None:
    """Update the attributes that belong to the heights of a terrain; see `refreshers`."""
    for function in refreshers:
        function(terrain)


def why_not_move(terrain: bpy.types.Object) -> str:
    """Return why the heights of a terrain are not those of its settings; an empty text if they are."""
    mesh = meshes.mesh_of(terrain)
    record = mesh_record.of(mesh)
    if record is None:
        return UNKNOWN
    return EDITED if mesh_record.checksum(mesh) != record.checksum else ""
