# SPDX-License-Identifier: GPL-3.0-or-later
"""Heights of a terrain in a frame of the scene, whole or as a preview that keeps up with the animation."""

from __future__ import annotations

import functools
import time  # noqa: TID251 (how much a preview shows, never what a render shows)
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import bpy

from ....noise_core.base.blocks import part_of
from ....noise_core.rasters import resampling
from ..datablocks import ground, meshes
from ..datablocks.record import Record
from ..datablocks.ref import Ref
from ..schema import masks, preferences
from ..tasks import jobs, live
from ..tasks.pace import Update
from . import animated_values, catalog, evaluation, followers, mesh_record, terrains
from .terrain_product import TERRAIN
from .user_mesh.heights import UserMeshHeights

if TYPE_CHECKING:  # imported with the first frame
    from ....noise_core.recipes.known_fields import KnownFields
    from .evaluation import Evaluated

_QUICK = 0.02
"""Seconds that the heights of a frame are meant to take: with the vertices and Blender's drawing 40 ms."""

_SMALLEST = 96
"""Samples along the longer side of a preview, at least: fewer samples would hardly save time."""

_GROWTH = 0.15
"""Share of its size by which a preview could be larger than the one before to become so."""

_sides: dict[int, int] = {}
"""Samples along the longer side of the last frame of terrains, by UID."""


@functools.cache
def known_fields() -> KnownFields:
    """Return the noise of the last frames, which spares layers that do not move."""
    from ....noise_core.recipes.known_fields import KnownFields  # here: few terrains move

    return KnownFields()


@dataclass(frozen=True)
class Frame:
    """The settings of a terrain in a frame, and the points of what it follows, slot by slot."""

    terrain: Ref[bpy.types.Object]
    request: terrains.Request
    digest: str
    points: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        terrain: bpy.types.Object,
        depsgraph: Any,
        in_main_thread: animated_values.InMainThread = lambda make: make(),
    ) -> Frame | None:
        """Return the settings of an evaluated terrain; None if the dependency graph has no copy of it."""
        present = animated_values.read(terrain, depsgraph, terrains.present_request, in_main_thread)
        if present is None:
            return None
        request, points = present
        return cls(Ref.of(terrain), request, mesh_record.digest(request), points)


def work(owner: bpy.types.Object, frame: Frame, side: int | None = None) -> jobs.Work:
    """Read the masks, and return the work that gives the heights of a frame as `Evaluated`.

    A preview has so many samples along its longer side.
    """
    grid, recipe = frame.request.grid(), frame.request.acting
    is_coarse = side is not None and side < max(grid.shape)
    coarse = resampling.coarse_grid(grid, side) if is_coarse else grid
    where = masks.fields(owner, frame.request, coarse, grid.depth if is_coarse else None)
    user_mesh = UserMeshHeights.of(owner)

    def make(progress: Any, cancel: Any) -> Evaluated:
        count = 1 + len(recipe.layers_on_grid)
        first = part_of(progress, 0.0, 1.0 / count)
        noise = known_fields().sample(
            recipe.noise, recipe.seed, coarse, progress=first, cancel=cancel
        )
        options = {"masks": where, "progress": progress, "cancel": cancel}
        height = recipe.evaluate(coarse, ground=noise, **options).height
        if is_coarse:
            height = resampling.spread(height, coarse, grid)
        return evaluation.on_vertices(recipe, grid, height, {}, user_mesh)

    return make


def preview_side(terrain: bpy.types.Object, frame: Frame, record: Record | None) -> int | None:
    """Return the samples along the longer side of a frame's preview; None if no preview is needed.

    As long as a preview is shown it grows only if it can grow much: the land must not flicker.
    Where parts, colors or maps follow when the animation stands still, heights are a preview in any case.
    """
    if frame.request.acting.needs_grid:
        return preferences.preview_cap()
    update = _update_of(frame)
    whole = max(update.shape)
    side = live.queue.quick_side(TERRAIN, update, _QUICK)
    side = min(max(side, _SMALLEST), whole)
    last = _sides.get(frame.terrain.uid, whole)
    if record is not None and record.is_preview and last <= side < (1.0 + _GROWTH) * last:
        side = last
    if side < whole or followers.has_any(terrain):
        return side
    has_no_map = catalog.entries().keys().isdisjoint(meshes.mesh_of(terrain).attributes.keys())
    return None if has_no_map else side


def evaluate_frame(frame: Frame, side: int | None, work_of_frame: jobs.Work) -> Evaluated:
    """Evaluate a frame, and remember its duration, unless it is the first frame of its size.

    The first frame also computes the layers that do not move.
    """
    update, uid = _update_of(frame), frame.terrain.uid
    size = side or max(update.shape)
    start = time.perf_counter()
    result: Evaluated = jobs.at_once(work_of_frame)
    if _sides.get(uid) == size:
        live.queue.pace.measure(update, size, time.perf_counter() - start)
    _sides[uid] = size
    return result


def _update_of(frame: Frame) -> Update:
    """Return a frame as an update, for the queue's estimate of its duration."""
    request = frame.request
    modifiers = tuple(modifier.key for modifier in request.acting.modifiers)
    cost = (("frame", frame.terrain.uid), modifiers)
    return Update(request, frame.digest, cost, ground.vertex_grid(request.grid()).shape)


def forget() -> None:
    """Forget the sizes of the last frames."""
    _sides.clear()
