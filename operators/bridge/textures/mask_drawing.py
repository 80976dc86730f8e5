# SPDX-License-Identifier: GPL-3.0-or-later
"""Drawing of values over a terrain in viewports, from white at 0 to red at 1."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np
import numpy.typing as npt

from ....noise_core.base.arrays import Field
from ..datablocks import meshes
from ..datablocks.ref import Ref
from ..interface.messages import open_areas
from ..schema import state

Colors = npt.NDArray[np.float32]

WHITE, RED = (1.0, 1.0, 1.0, 0.35), (1.0, 0.05, 0.0, 0.75)
"""Colors of 0 and of 1; the ground is seen through them."""

_NEARER = 2e-6
"""Share of the depth of view by which the overlay lies before the ground, which would show through otherwise."""


@dataclass
class _Shown:
    """What is drawn: a terrain, its triangles, and the color of each vertex."""

    terrain: Ref[bpy.types.Object]
    positions: npt.NDArray[np.float32]  # shape (vertices, 3)
    triangles: npt.NDArray[np.int32]  # shape (triangles, 3)
    colors: Colors
    batch: Any = None  # on the graphics card, made when it is first drawn


shown: _Shown | None = None

_handle: Any = None


def colors_of(values: Field) -> Colors:
    """Return the colors of values from 0 to 1: shape (values, 4)."""
    share = values.reshape(-1, 1)
    return np.ascontiguousarray(
        (1.0 - share) * np.array(WHITE, np.float32) + share * np.array(RED, np.float32), np.float32
    )


def show(terrain: bpy.types.Object, values: Field) -> None:
    """Draw values of the vertices of a terrain from now on, in its present shape; nothing if it has other vertices."""
    global shown, _handle
    mesh = meshes.mesh_of(terrain)
    if len(mesh.vertices) != values.size or terrain.mode == "EDIT":
        hide()
        return
    mesh.calc_loop_triangles()
    triangles = np.empty(3 * len(mesh.loop_triangles), np.int32)
    mesh.loop_triangles.foreach_get("vertices", triangles)
    positions = np.array(meshes.present_positions(terrain), np.float32)
    shown = _Shown(Ref.of(terrain), positions, triangles.reshape(-1, 3), colors_of(values))
    if _handle is None and not bpy.app.background:
        _handle = bpy.types.SpaceView3D.draw_handler_add(_draw, (), "WINDOW", "POST_VIEW")
    _redraw()


def hide() -> None:
    """Draw nothing any more."""
    global shown, _handle
    shown = None
    if _handle is not None:
        bpy.types.SpaceView3D.draw_handler_remove(_handle, "WINDOW")
        _handle = None
        _redraw()


def _redraw() -> None:
    for _, area in open_areas(bpy.context, "VIEW_3D"):
        area.tag_redraw()


def _draw() -> None:
    """Draw the overlay in a viewport that shows the terrain, while that is active."""
    context: Any = bpy.context
    terrain = state.active_terrain(context)
    if shown is None or terrain is None or not shown.terrain.refers_to(terrain):
        return
    if not terrain.visible_in_viewport_get(context.space_data):
        return
    import gpu  # here: Blender without a window has none

    if shown.batch is None:
        shown.batch = _batch(gpu, shown)
    projection = gpu.matrix.get_projection_matrix()
    projection[2] -= _NEARER * projection[3]
    matrices: Any = gpu.matrix  # whose contexts the stubs do not know
    with matrices.push_pop_projection(), matrices.push_pop():
        gpu.matrix.load_projection_matrix(projection)
        gpu.matrix.multiply_matrix(terrain.matrix_world)
        gpu.state.blend_set("ALPHA")
        gpu.state.depth_test_set("LESS_EQUAL")
        shader, batch = shown.batch
        shader.bind()
        batch.draw(shader)
        gpu.state.depth_test_set("NONE")
        gpu.state.blend_set("NONE")


def _batch(gpu: Any, content: _Shown) -> tuple[Any, Any]:
    """Return the shader and the triangles on the graphics card."""
    from gpu_extras.batch import batch_for_shader

    shader = gpu.shader.from_builtin("SMOOTH_COLOR")
    values: Any = {"pos": content.positions, "color": content.colors}
    triangles: Any = content.triangles
    return shader, batch_for_shader(shader, "TRIS", values, indices=triangles)
