# SPDX-License-Identifier: GPL-3.0-or-later
"""Strokes of brushes on terrains: shown on the mesh while they are drawn, and kept in the layer *Sculpted Change*.

A stroke changes the heights that the mesh shows. Their difference is added to the pixels of the layer
(`change_layer.ChangeLayer`), and the heights are evaluated anew: the layer may be faded or masked, and layers above it
act on the change. So undo, files and layers that are moved give the same bits. Why a stroke itself is not kept is said
in `noise_core.erosion.brushes.strokes`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import bpy
import numpy as np

from ....noise_core.base.arrays import Field
from ....noise_core.base.errors import Message, TerraneError
from ....noise_core.erosion.brushes.brush import Brush
from ....noise_core.erosion.brushes.strokes import Covered, Stroke, StrokePoint
from ..datablocks import compat, editing, linked, meshes
from ..datablocks.ground import sample_field, vertex_field
from ..datablocks.ref import Ref
from ..schema import live_switch, state
from ..tasks import live
from ..tasks.task import Task
from . import mesh_record, sculpting, terrain_product, terrains
from .change_layer import ChangeLayer
from .terrain_product import TERRAIN
from .tile_frame import TileFrame


def why_not(terrain: bpy.types.Object) -> str:
    """Return why no stroke can be drawn on a terrain; an empty text if one can."""
    mesh = meshes.mesh_of(terrain)
    reason = linked.why_not_write(terrain, mesh) or editing.why_not_object(terrain)
    if reason or terrain.mode != "OBJECT":
        return reason or Message("Switch to Object Mode first")
    if mesh.shape_keys is not None:
        return Message("{} has shape keys: remove them first", terrain.name)
    if editing.other_users(mesh):
        return Message("Other objects share this mesh: make it single-user first")
    return sculpting.why_not(terrain)


class TerrainStroke:
    """A stroke on a terrain, whose live update waits until the stroke is finished or canceled.

    Raises a TerraneError if the mesh does not have the heights of the settings, or the brush does not fit.

    Attributes
    ----------
    frame : TileFrame
        Tiles of the terrain in its own space.
    height : ndarray of shape (rows, columns), float32
        Present heights at the samples, in meters.
    """

    def __init__(self, terrain: bpy.types.Object, brush: Brush) -> None:
        if reason := why_not(terrain):
            raise TerraneError(reason)
        mesh = meshes.mesh_of(terrain)
        if terrain_product.why_not_move(terrain):
            raise TerraneError("The heights were changed by hand: keep that as a layer first")
        request = terrains.present_request(terrain)
        grid = request.grid()
        built, vertices = terrains.built_grid(terrain), terrains.vertices_of(terrain, grid)
        if (built.shape, built.size) != (vertices.shape, vertices.width):
            raise TerraneError("The measures have changed since the terrain was made: press Update")
        self._layer = ChangeLayer.find(getattr(terrain, state.PROPERTY), request.recipe)
        self.frame, self._terrain = TileFrame.of(terrain), Ref.of(terrain)
        self._grid, self._vertices = grid, vertices
        self._positions = meshes.positions_of(mesh).reshape(*vertices.shape, 3)
        self._before: Field = np.ascontiguousarray(
            sample_field(self._positions[..., 2], grid), np.float32
        )
        self.height = self._before.copy()
        self._stroke = Stroke(self.height, grid, brush)
        terrain_product.held.add(self._terrain.uid)
        live.queue.discard(Task(TERRAIN, terrain).key)

    def move_to(self, points: Iterable[StrokePoint]) -> None:
        """Draw on to some points, and show the change."""
        covered = [part for point in points for part in self._stroke.move_to(point)]
        covered = [part for part in covered if part[0].size and part[1].size]
        if covered:
            self._show(covered)

    def _show(self, covered: list[Covered]) -> None:
        """Write the heights in the rectangle around some samples to the mesh; Blender takes all positions at once."""
        window: tuple[slice, ...] = tuple(
            slice(int(min(part[axis][0] for part in covered)), int(max(part[axis][-1] for part in covered)) + 1)
            for axis in (0, 1)
        )  # fmt: skip
        if self._grid.wrap:  # across edges that meet
            window = (slice(None), slice(None))
        shown = self.height[window]
        if self._layer.opacity != 1.0:
            before = self._before[window]
            shown = before + (shown - before) * np.float32(self._layer.opacity)
        if self._grid.wrap:
            shown = vertex_field(shown, self._grid)
        self._positions[..., 2][window] = shown
        self._write()

    def _write(self) -> None:
        mesh = meshes.mesh_of(self._terrain.resolve())
        meshes.set_positions(mesh, self._positions)
        compat.update_positions(mesh)

    def cancel(self) -> None:
        """Show the heights before the stroke again."""
        self._positions[..., 2] = vertex_field(self._before, self._grid)
        self._write()
        self._release()

    def finish(self) -> bool:
        """Keep the change in its layer; return whether there was one."""
        terrain = self._terrain.resolve()
        change = self.height - self._before
        if not change.any():
            self._release()
            return False
        try:
            self._layer.add(terrain, change, self._grid)
            self._note_preview(terrain)
        except TerraneError:
            self.cancel()
            raise
        finally:
            self._release()
        return True

    def _note_preview(self, terrain: bpy.types.Object) -> None:
        """Record the shown heights as a preview of the settings, after undo too: the whole follows without a coarser one."""
        digest = TERRAIN.digest(terrain, TERRAIN.request(terrain))
        mesh_record.remember(meshes.mesh_of(terrain), digest, self._vertices, is_preview=True)

    def _release(self) -> None:
        """Let live update go on."""
        terrain_product.held.discard(self._terrain.uid)
        terrain: Any = self._terrain.find()
        if terrain is not None and live_switch.is_live(terrain):
            live.add(Task(TERRAIN, terrain))
