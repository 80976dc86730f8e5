# SPDX-License-Identifier: GPL-3.0-or-later
"""Live updates of terrains from their settings.

Only heights are written while a slider is dragged: the mesh keeps its topology and all attributes.
Sculpted and edited meshes are not changed, nor are meshes that other objects share.

While only the seed or the height changes, the settings are read once (`quick_plan`); a new height alone
scales the cached ground at all vertices.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import bpy
import numpy as np

from ....noise_core.base.errors import Message, TerraneError
from ....noise_core.rasters import resampling
from ..datablocks import compat, editing, ground, linked, meshes
from ..datablocks.record import Record, text_of
from ..datablocks.ref import Ref
from ..interface.registering import Handlers
from ..schema import masks, painting, state
from ..schema.exact_numbers import number
from ..tasks import live
from ..tasks.pace import structure
from ..tasks.product import TERRAIN_KEY, Product, Update
from ..tasks.task import PRODUCTS, Key, Task, known_plans
from . import (
    catalog,
    evaluation,
    followers,
    map_layers,
    mesh_record,
    regrid,
    terrains,
)
from .user_mesh import grid as user_grid
from .user_mesh import heights

if TYPE_CHECKING:  # imported with the first update
    from ....noise_core.base.arrays import Field
    from ....noise_core.base.blocks import Cancel, Progress
    from ....noise_core.base.grid import Grid
    from ....noise_core.recipes.recipe import Recipe
    from ..tasks.jobs import Work
    from ..tasks.steps import Steps
    from .evaluation import Evaluated
    from .terrains import Request

EDITED = Message("The heights were sculpted or edited: only Update makes them anew")
UNKNOWN = Message("Press Update once: from then on the terrain follows the settings")
SHARED = Message("Other objects share this mesh: press Update to change them all")
WAITS = Message("Waits for Object Mode")


@dataclass(frozen=True)
class _TerrainRequest:
    snapshot: Request
    recipe: Recipe
    """Its active layers."""
    grid: Grid
    vertices: Grid
    has_masks: bool
    noise: Field | None = None
    """Its noise at the vertices, if that is cached and no other layers act."""


refreshers: list[Callable[[bpy.types.Object], None]] = []
"""Callbacks after an update of a terrain, for attributes that belong to its heights."""

_painted: dict[Key, Task] = {}
"""Terrains in a painting mode."""

_edited = 0
"""UID of the terrain in Edit Mode or Sculpt Mode, 0 for none."""


class Terrain(Product):
    """The heights and maps of a terrain, made of its settings."""

    key = TERRAIN_KEY
    is_of = staticmethod(state.is_terrain)

    def must_wait(self, owner: bpy.types.Object) -> bool:
        """Return whether updates wait for Object Mode: in other modes the mesh is outdated, or the user works on it."""
        return owner.mode != "OBJECT"

    def why_waiting(self, owner: bpy.types.Object) -> str:
        """Return when updates continue; a painted mask needs no hint, its button ends the mode."""
        return "" if owner.mode in painting.MODES.values() else WAITS

    def refusal(self, owner: bpy.types.Object) -> str:
        """Return why the mesh must not be changed; an empty text if it may be."""
        mesh = meshes.mesh_of(owner)
        if reason := linked.why_not_write(owner, mesh):
            return reason
        if editing.other_users(mesh):
            return SHARED
        return why_not_move(owner)

    def state(self, owner: bpy.types.Object) -> object:
        """Return the state of the mesh, its build record, and the names of datablocks and attributes."""
        mesh = meshes.mesh_of(owner)
        names = (owner.vertex_groups, mesh.attributes, bpy.data.images)
        return (
            (Ref.of(mesh).uid, mesh.users, text_of(mesh, self.key), len(mesh.vertices)),
            (linked.is_writable(owner), linked.is_writable(mesh), mesh.shape_keys is None),
            [item.name for collection in names for item in collection],
        )

    def plan(self, owner: bpy.types.Object, *, is_thorough: bool = False) -> Update | None:
        """Compare the settings with the build record of the mesh."""
        request, mesh = terrains.present_request(owner), meshes.mesh_of(owner)
        record, digest, grid = mesh_record.of(mesh), mesh_record.digest(request), request.grid()
        vertices = terrains.vertices_of(owner, grid)
        is_same = record is not None and record.digest == digest
        has_masks = any(layer.mask for layer in request.states)
        can_preview = (
            record is not None
            and mesh_record.grid_of(record).shape == vertices.shape
            and mesh_record.grid_of(record).fits(mesh)
        )
        update = Update(
            digest,
            structure(request.recipe, mesh_record.recipe_text(request)),
            vertices.shape,
            _TerrainRequest(request, request.acting, grid, vertices, has_masks),
            is_shown=is_same,
            can_preview=can_preview,
            is_light=can_preview and not has_masks,  # reading a vertex group evaluates the object
        )
        if not (
            has_masks
            or any(state.pictures for state in request.states)
            or mesh.get(user_grid.RECORD)
        ):
            known_plans[Ref.of(owner).uid] = update
        if record is None or not is_same or record.is_preview:
            return update
        return update if is_thorough and _is_painted_again(owner, request, grid, record) else None

    def quick_plan(self, owner: bpy.types.Object) -> Update | None:
        """Return the last plan with the present seed and height, if nothing else has changed."""
        cached, mesh = known_plans.get(Ref.of(owner).uid), meshes.mesh_of(owner)
        record = None if cached is None else mesh_record.of(mesh)
        if cached is None or record is None:
            return None
        mesh_grid = mesh_record.grid_of(record)
        is_grid = len(mesh.vertices) == mesh_grid.rows * mesh_grid.columns
        if (mesh_grid.rows, mesh_grid.columns) != cached.shape:
            return None
        if not is_grid or not catalog.entries().keys().isdisjoint(mesh.attributes.keys()):
            return None  # maps would not match the heights
        group: Any = getattr(owner, state.PROPERTY)
        request: _TerrainRequest = cached.request
        height = number(group.height, request.recipe.height)
        # Seeds are signed in Blender and unsigned in recipes.
        has_same_seed = (group.seed - request.recipe.seed) % (1 << 32) == 0
        if has_same_seed and height == request.recipe.height and record.digest == cached.digest:
            return None
        noise, instant = self._find_noise(owner, cached) if has_same_seed else None, None
        if noise is not None:
            instant = lambda: evaluation.Evaluated(request.vertices, noise * np.float32(height), {})  # noqa: E731
        else:
            recipe = dataclasses.replace(request.recipe, seed=group.seed, height=height)
            request = dataclasses.replace(request, recipe=recipe)
        return dataclasses.replace(
            cached,
            digest="",
            request=request,
            is_shown=False,
            can_preview=True,
            is_light=True,
            is_provisional=True,
            instant=instant,
        )

    def _find_noise(self, owner: bpy.types.Object, cached: Update) -> Field | None:
        """Return the noise of the last plan at the vertices; None if it is not cached."""
        former: _TerrainRequest = cached.request
        # Painted masks apply to the noise on the grid.
        if former.noise is not None or former.has_masks:
            return former.noise
        noise = evaluation.known_ground(former.recipe, former.grid)
        if noise is not None:
            noise = ground.vertex_field(noise, former.grid)
            request = dataclasses.replace(former, noise=noise)
            known_plans[Ref.of(owner).uid] = dataclasses.replace(cached, request=request)
        return noise

    def work(self, owner: bpy.types.Object, update: Any = None, side: int | None = None) -> Work:
        """Evaluate the recipe; a preview is interpolated at the vertices, and has no maps."""
        terrain_request: _TerrainRequest = update.request
        grid, acting = terrain_request.grid, terrain_request.recipe
        is_user_mesh = user_grid.RECORD in meshes.mesh_of(owner)
        user_mesh = heights.UserMeshHeights.of(owner) if is_user_mesh else None
        if side is None:
            request = terrain_request.snapshot
            where = masks.fields(owner, request, grid)
            maps = map_layers.choose_maps(owner, acting, request.states)
            painted = masks.painted_checksum(owner, request, where)
            return evaluation.work(acting, grid, where, maps, painted, user_mesh, is_live=True)
        is_coarse = side < max(grid.shape)
        coarse = resampling.coarse_grid(grid, side) if is_coarse else grid
        where = {}
        if terrain_request.has_masks:
            # The coarse grid may extend beyond the terrain; masks must not be stretched with it.
            where = masks.fields(owner, terrain_request.snapshot, coarse, grid.depth)

        def preview(progress: Progress, cancel: Cancel) -> Evaluated:
            height = evaluation.relief(acting, coarse, where, progress, cancel).height
            if is_coarse:
                height = resampling.spread(height, coarse, grid)
            return evaluation.on_vertices(acting, grid, height, {}, user_mesh)

        return preview

    def write(
        self, owner: bpy.types.Object, update: Any, result: Any, *, is_preview: bool = False
    ) -> str | Steps[str]:
        """Move the vertices; a full update also writes maps, and another grid if requested."""
        if not is_preview:
            return self._write_whole(owner, update, result)
        mesh, grid = meshes.mesh_of(owner), result.grid
        record = mesh_record.of(mesh)
        assert record is not None  # or the plan would allow no preview
        mesh_grid = mesh_record.grid_of(record)
        regrid.move(mesh, mesh_grid, grid, result.height)
        compat.update_positions(mesh)
        mesh_record.remember(mesh, update.digest, grid, result.height, is_preview=True)
        if grid.width != mesh_grid.size:
            terrains.note_grid(getattr(owner, state.PROPERTY), grid)
        followers.show_preview(owner)
        return ""

    def _write_whole(
        self, owner: bpy.types.Object, update: Update, result: Evaluated
    ) -> Steps[str]:
        ref = Ref.of(owner)
        lost, _ = yield from self.rewrite(owner, update.request.snapshot, result)
        followers.follow_live(ref.resolve())
        return f"Could not be carried over: {', '.join(lost)}" if lost else ""

    def rewrite(
        self,
        owner: bpy.types.Object,
        request: Request,
        result: Evaluated,
        *,
        settings_then: Request | None = None,
        single_user: bool = False,
    ) -> Steps[tuple[tuple[str, ...], bool]]:
        """Take the steps that write heights and maps, on another grid if requested, and the record of their settings.

        The request is written into the settings if these are `settings_then`. `single_user` leaves other objects
        that share the mesh as they are. Returns the names of data that could not be carried over, and whether
        there are newer settings.
        """
        ref, mesh_grid, grid = Ref.of(owner), terrains.built_grid(owner), result.grid
        lost = yield from regrid.update_mesh(
            bpy.context, owner, mesh_grid, grid, result.height, result.maps, single_user=single_user
        )
        terrain = ref.resolve()
        is_newer = settings_then is None or terrains.present_request(terrain) != settings_then
        terrains.remember(
            terrain, request, grid, result.height, is_newer=is_newer, painted=result.painted
        )
        for refresh in refreshers:
            refresh(terrain)
        return lost, is_newer

    def undo(self, owner: bpy.types.Object) -> None:
        """Restore the grid in the settings of the object from its mesh."""
        record = mesh_record.of(meshes.mesh_of(owner))
        if record is not None and linked.is_writable(owner):
            terrains.note_grid(getattr(owner, state.PROPERTY), mesh_record.grid_of(record))

    def shows_preview(self, owner: bpy.types.Object) -> bool:
        """Return whether the mesh shows a preview."""
        record = mesh_record.of(meshes.mesh_of(owner))
        return record is not None and record.is_preview

    def version(self, owner: bpy.types.Object) -> object:
        """Return a checksum of the heights, and their grid."""
        return f"{mesh_record.checksum(meshes.mesh_of(owner))} {terrains.built_grid(owner)!r}"

    def is_whole(self, owner: bpy.types.Object) -> bool:
        """Return whether the mesh is still a grid."""
        return terrains.built_grid(owner).fits(meshes.mesh_of(owner))

    def shape(self, owner: bpy.types.Object) -> tuple[int, int]:
        """Return the rows and columns of the grid."""
        return terrains.built_grid(owner).shape


TERRAIN = Terrain()


def why_not_move(terrain: bpy.types.Object) -> str:
    """Return why the heights of a terrain are not those of its settings; an empty text if they are."""
    mesh = meshes.mesh_of(terrain)
    record = mesh_record.of(mesh)
    if record is None:
        return UNKNOWN
    return EDITED if mesh_record.checksum(mesh) != record.checksum else ""


def _is_painted_again(
    owner: bpy.types.Object, request: Request, grid: Grid, record: Record
) -> bool:
    """Return whether painted masks, which are no settings, have changed since the heights were made."""
    if not masks.has_painted_masks(owner, request):
        return False
    where = masks.fields(owner, request, grid)
    return masks.painted_checksum(owner, request, where) != mesh_record.painted_of(record)


def _has_painted_masks(terrain: bpy.types.Object) -> bool:
    try:
        return masks.has_painted_masks(terrain, getattr(terrain, state.PROPERTY))
    except TerraneError:  # unreadable settings have no masks
        return False


# --- events -------------------------------------------------------------------------------------


def _on_change(_: Any, depsgraph: Any) -> None:
    """Update terrains that have left a painting mode: painted values are no settings.

    Blender has many ways to leave its painting modes, so the modes are compared after every change.
    """
    if not live.is_listening():
        return
    modes = painting.MODES.values()
    active = depsgraph.view_layer.objects.active  # no other is painted
    if active is not None and active.mode in modes and state.is_terrain(active):
        task = Task(TERRAIN, active)
        _painted[task.key] = task
    _note_before_edits(active)
    for key, task in list(_painted.items()):
        owner = task.find()
        if owner is None or owner.mode not in modes:
            del _painted[key]
            if owner is not None and _has_painted_masks(owner):
                live.add(task)


def _note_before_edits(active: bpy.types.Object | None) -> None:
    """Remember the settings behind the heights of a terrain when the user begins to edit them.

    So the edit can be separated from the heights when the settings have changed later.
    """
    global _edited
    is_edited = active is not None and active.mode in ("EDIT", "SCULPT")
    uid = Ref.of(active).uid if is_edited and state.is_terrain(active) else 0
    if uid and uid != _edited:
        with suppress(TerraneError):  # unreadable settings
            terrains.made_request(active)
    _edited = uid


def _forget(*_: Any) -> None:
    _painted.clear()
    terrains.made_requests.clear()


def _register() -> None:
    PRODUCTS.append(TERRAIN)


def _end() -> None:
    if TERRAIN in PRODUCTS:
        PRODUCTS.remove(TERRAIN)
    _forget()


_handlers = Handlers(
    ("depsgraph_update_post", _on_change),
    ("load_pre", _forget),
    begin=_register,
    end=_end,
)
register, unregister = _handlers.register, _handlers.unregister
