# SPDX-License-Identifier: GPL-3.0-or-later
"""Drawing of values over a terrain in viewports or over an image in its editor, from white at 0 to red at 1."""

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
class _ShownImage:
    """Drawn colors of an image."""

    owner: Ref[bpy.types.Image]
    colors: Colors  # shape (rows, columns, 4), row 0 at the bottom
    texture: Any = None  # on the graphics card, made when it is first drawn

    space = "SpaceImageEditor"

    def draw(self) -> None:
        """Draw it in an Image Editor that shows the image."""
        context: Any = bpy.context
        if not self.owner.refers_to(context.space_data.image):
            return
        import gpu  # here: Blender without a window has none
        from gpu_extras.presets import draw_texture_2d

        rows, columns = self.colors.shape[:2]
        if self.texture is None:
            flat: Any = self.colors.ravel()
            types: Any = gpu.types
            content = types.Buffer("FLOAT", flat.size, flat)
            self.texture = types.GPUTexture((columns, rows), format="RGBA16F", data=content)
        view = context.region.view2d
        low, high = (view.view_to_region(*corner, clip=False) for corner in ((0, 0), (1, 1)))
        gpu.state.blend_set("ALPHA")
        draw_texture_2d(self.texture, low, high[0] - low[0], high[1] - low[1])
        gpu.state.blend_set("NONE")


@dataclass
class _Shown:
    """Drawn terrain, its triangles, and the color of each vertex."""

    owner: Ref[bpy.types.Object]
    positions: npt.NDArray[np.float32]  # shape (vertices, 3)
    triangles: npt.NDArray[np.int32]  # shape (triangles, 3)
    colors: Colors
    batch: Any = None  # on the graphics card, made when it is first drawn

    space = "SpaceView3D"

    def draw(self) -> None:
        """Draw it in a viewport that shows the terrain, while that is active."""
        context: Any = bpy.context
        terrain = state.active_terrain(context)
        if terrain is None or not self.owner.refers_to(terrain):
            return
        if not terrain.visible_in_viewport_get(context.space_data):
            return
        import gpu  # here: Blender without a window has none

        if self.batch is None:
            self.batch = _batch(gpu, self)
        projection = gpu.matrix.get_projection_matrix()
        projection[2] -= _NEARER * projection[3]
        matrices: Any = gpu.matrix  # whose contexts the stubs do not know
        with matrices.push_pop_projection(), matrices.push_pop():
            gpu.matrix.load_projection_matrix(projection)
            gpu.matrix.multiply_matrix(terrain.matrix_world)
            gpu.state.blend_set("ALPHA")
            gpu.state.depth_test_set("LESS_EQUAL")
            shader, batch = self.batch
            shader.bind()
            batch.draw(shader)
            gpu.state.depth_test_set("NONE")
            gpu.state.blend_set("NONE")


shown: _Shown | _ShownImage | None = None

_handle: Any = None


def colors_of(values: Field) -> Colors:
    """Return the colors of values from 0 to 1: shape (..., 4)."""
    share = values[..., np.newaxis]
    return np.ascontiguousarray(
        (1.0 - share) * np.array(WHITE, np.float32) + share * np.array(RED, np.float32), np.float32
    )


def show(owner: bpy.types.Object | bpy.types.Image, values: Field) -> None:
    """Draw values of the vertices of a terrain, or of pixels over all of an image, from now on."""
    if isinstance(owner, bpy.types.Image):
        _begin(_ShownImage(Ref.of(owner), colors_of(values)))
    else:
        _show_terrain(owner, values)


def _show_terrain(terrain: bpy.types.Object, values: Field) -> None:
    """Draw values of the vertices of a terrain, in its present shape; nothing if it has other vertices."""
    mesh = meshes.mesh_of(terrain)
    if len(mesh.vertices) != values.size or terrain.mode == "EDIT":
        hide()
        return
    mesh.calc_loop_triangles()
    triangles = np.empty(3 * len(mesh.loop_triangles), np.int32)
    mesh.loop_triangles.foreach_get("vertices", triangles)
    positions = np.array(meshes.present_positions(terrain), np.float32)
    _begin(_Shown(Ref.of(terrain), positions, triangles.reshape(-1, 3), colors_of(values)))


def _begin(content: _Shown | _ShownImage) -> None:
    """Draw something from now on, in place of what was drawn."""
    global shown, _handle
    hide()
    shown = content
    if not bpy.app.background:
        space = getattr(bpy.types, content.space)
        moment = "POST_VIEW" if content.space == "SpaceView3D" else "POST_PIXEL"
        _handle = space, space.draw_handler_add(_draw, (), "WINDOW", moment)
    _redraw()


def hide() -> None:
    """Draw nothing any more."""
    global shown, _handle
    shown = None
    if _handle is not None:
        space, handle = _handle
        space.draw_handler_remove(handle, "WINDOW")
        _handle = None
        _redraw()


def _redraw() -> None:
    for _, area in open_areas(bpy.context, "VIEW_3D", "IMAGE_EDITOR"):
        area.tag_redraw()


def _draw() -> None:
    """Draw what is shown."""
    if shown is not None:
        shown.draw()


def _batch(gpu: Any, content: _Shown) -> tuple[Any, Any]:
    """Return the shader and the triangles on the graphics card."""
    from gpu_extras.batch import batch_for_shader

    shader = gpu.shader.from_builtin("SMOOTH_COLOR")
    values: Any = {"pos": content.positions, "color": content.colors}
    triangles: Any = content.triangles
    return shader, batch_for_shader(shader, "TRIS", values, indices=triangles)
