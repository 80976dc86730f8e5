# SPDX-License-Identifier: GPL-3.0-or-later
"""Terrains that follow their settings live.

Only heights are written while a slider is dragged: the mesh keeps its topology and all attributes.
What was sculpted, edited or eroded is left alone, and so is a mesh that other objects share.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import bpy

from ....noise_core.blocks import Cancel, Progress
from ....noise_core.grid import Grid
from .. import compat, meshes, state
from ..geometry import editing
from ..geometry.subjects import Thing
from ..maps import map_needs
from ..recipes import masks, painting
from ..terrain import before, borders, evaluation, made, regrid, terrains
from ..terrain.evaluation import Evaluated
from ..terrain.made import Made
from ..terrain.terrains import Request
from ..terrain_material import terrain_water
from ..work.jobs import Work
from ..work.steps import Steps
from .live_pace import structure
from .live_preview import coarse_grid, spread
from .live_target import Plan, Target

EDITED = "The heights were sculpted, edited or eroded: only Update makes them anew"
UNKNOWN = "Press Update once: from then on the terrain follows the settings"
SHARED = "Other objects share this mesh: press Update to change them all"
BEFORE = "The ground before the erosion is shown: press Show After to go on"
LINKED = "The terrain is linked from another file: make it local first"
WAITS = "Waits for Object Mode"


@dataclass(frozen=True)
class _Order:
    asked: Request
    grid: Grid


class TerrainTarget(Target):
    """A terrain."""

    kind = "terrain"

    def found(self) -> bpy.types.Object | None:
        """Return the terrain."""
        thing: bpy.types.Object | None = self._among(bpy.data.objects)
        return thing if thing is not None and state.is_terrain(thing) else None

    def must_wait(self, owner: bpy.types.Object) -> bool:
        """Wait for Object Mode: in others the mesh is not what it seems, or is the user's."""
        return owner.mode != "OBJECT"

    def why_waiting(self, owner: bpy.types.Object) -> str:
        """Say when it goes on; who paints a mask knows, from the button that ends it."""
        return "" if owner.mode in painting.MODES.values() else WAITS

    def refusal(self, owner: bpy.types.Object) -> str:
        """Protect what is not ours to change."""
        mesh = meshes.mesh_of(owner)
        if not (editing.is_writable(owner) and editing.is_writable(mesh)):
            return LINKED
        if editing.other_users(mesh):
            return SHARED
        record = Made.of(mesh)
        if record is None:
            return UNKNOWN
        if before.is_shown(owner):
            return BEFORE
        return EDITED if made.checksum(mesh) != record.heights else ""

    def state(self, owner: bpy.types.Object) -> object:
        """Return whose mesh it is, what it was made of, and what there is by name."""
        mesh = meshes.mesh_of(owner)
        names = (owner.vertex_groups, mesh.attributes, bpy.data.images)
        return (
            (mesh.session_uid, mesh.users, mesh.get(made.PROPERTY), len(mesh.vertices)),
            (editing.is_writable(owner), editing.is_writable(mesh), mesh.shape_keys is None),
            [one.name for collection in names for one in collection],
        )

    def plan(self, owner: bpy.types.Object, *, is_thorough: bool = False) -> Plan | None:
        """Compare what is asked for with what the mesh was made of."""
        request, record = terrains.present_request(owner), Made.of(meshes.mesh_of(owner))
        digest = made.digest(request)
        is_same = record is not None and record.settings == digest
        grid = request.grid()
        shape = borders.vertex_grid(grid).shape
        is_painted = is_thorough and _is_painted_anew(owner, request, grid)
        if is_same and record is not None and not record.is_preview and not is_painted:
            return None
        mesh = meshes.mesh_of(owner)
        can_preview = record is not None and record.built.fits(mesh)
        can_preview &= record is not None and (record.rows, record.columns) == shape
        order = _Order(request, grid)
        text = made.recipe_text(request)
        # A vertex group is read by evaluating a modifier.
        is_light = can_preview and not any(note.mask for note in request.states)
        kind = structure(request.recipe, text)
        return Plan(digest, kind, shape, is_same, can_preview, order, is_light=is_light)

    def work(self, owner: bpy.types.Object, plan: Plan, side: int | None) -> Work:
        """Evaluate the recipe; a preview is spread over the vertices, and has no maps."""
        order: _Order = plan.order
        request, grid = order.asked, order.grid
        if side is None:
            where = masks.fields(owner, request, grid)
            maps = map_needs.chosen(owner, request.acting, request.states)
            painted = masks.painted(owner, request, where)
            return evaluation.work(request.acting, grid, where, maps, painted)
        coarse = grid if side >= max(grid.shape) else coarse_grid(grid, side)
        # The coarse grid may reach beyond the terrain: a mask is not to be stretched with it.
        where = masks.fields(owner, request, coarse, grid.depth)
        acting = request.acting

        def preview(progress: Progress, cancel: Cancel) -> Evaluated:
            rough = acting.evaluate(coarse, masks=where, progress=progress, cancel=cancel).height
            height = borders.vertex_field(spread(rough, coarse, grid), grid)
            return Evaluated(borders.vertex_grid(grid), height, {})

        return preview

    def write(
        self, owner: bpy.types.Object, plan: Plan, result: Evaluated, *, is_preview: bool
    ) -> str | Steps[str]:
        """Move the vertices; the whole gets its maps too, and another grid if one is asked for."""
        if not is_preview:
            return self._write_whole(owner, plan, result)
        mesh = meshes.mesh_of(owner)
        regrid.move(mesh, terrains.built(owner), result.grid, result.height)
        compat.positions_changed(mesh)
        self._remember(owner, plan, result, is_preview=True)
        return ""

    def _write_whole(self, owner: bpy.types.Object, plan: Plan, result: Evaluated) -> Steps[str]:
        built, thing = terrains.built(owner), Thing.of(owner)
        lost = yield from regrid.update_mesh(
            bpy.context, owner, built, result.grid, result.height, result.maps
        )
        self._remember(thing.found(), plan, result, is_preview=False)
        terrain_water.refresh(thing.found())
        return f"Could not be carried over: {', '.join(lost)}" if lost else ""

    def _remember(
        self, owner: bpy.types.Object, plan: Plan, result: Evaluated, *, is_preview: bool
    ) -> None:
        mesh, grid = meshes.mesh_of(owner), result.grid
        made.remember(
            mesh, plan.settings, grid, result.height, painted=result.painted, is_preview=is_preview
        )
        _note_grid(owner, grid.rows, grid.columns, grid.size)

    def undone(self, owner: bpy.types.Object) -> None:
        """Let the object say of the grid what its mesh says."""
        record = Made.of(meshes.mesh_of(owner))
        if record is not None and editing.is_writable(owner):
            _note_grid(owner, record.rows, record.columns, record.size)


def _is_painted_anew(owner: bpy.types.Object, request: Request, grid: Grid) -> bool:
    """Return whether what was painted, which is no setting, is another than the heights were made of."""
    record = Made.of(meshes.mesh_of(owner))
    if record is None or not masks.are_painted(owner, request):
        return False
    return masks.painted(owner, request, masks.fields(owner, request, grid)) != record.painted


def _note_grid(terrain: bpy.types.Object, rows: int, columns: int, size: float) -> None:
    group: Any = getattr(terrain, state.PROPERTY)
    group.built_rows, group.built_columns, group.built_size = rows, columns, size
