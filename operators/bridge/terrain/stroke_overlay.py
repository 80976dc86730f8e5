# SPDX-License-Identifier: GPL-3.0-or-later
"""The stroke that is being drawn, shown over everything in all viewports."""

from __future__ import annotations

from typing import Any

import bpy

from ..interface.messages import open_areas

COLOR = (1.0, 0.55, 0.1, 1.0)
"""Blender's orange of active objects."""

_WIDTH = 3.0
"""Pixels, on a screen of usual density."""


class StrokeOverlay:
    """A line of places in the world, until it is removed."""

    def __init__(self) -> None:
        self.places: list[tuple[float, float, float]] = []
        self._handle: Any = None
        if not bpy.app.background:
            self._handle = bpy.types.SpaceView3D.draw_handler_add(
                self._draw, (), "WINDOW", "POST_VIEW"
            )

    def add(self, place: tuple[float, float, float]) -> None:
        """Draw the line on to a place."""
        self.places.append(place)
        _redraw()

    def show(self, places: list[tuple[float, float, float]]) -> None:
        """Draw a line of places instead."""
        self.places = places
        _redraw()

    def remove(self) -> None:
        """Draw it no longer."""
        if self._handle is not None:
            bpy.types.SpaceView3D.draw_handler_remove(self._handle, "WINDOW")
            self._handle = None
            _redraw()

    def _draw(self) -> None:
        if len(self.places) < 2:
            return
        import gpu  # here: Blender without a window has none
        from gpu_extras.batch import batch_for_shader

        shader: Any = gpu.shader.from_builtin("POLYLINE_UNIFORM_COLOR")
        batch = batch_for_shader(shader, "LINE_STRIP", {"pos": self.places})
        shader.bind()
        view: Any = gpu.state.viewport_get()
        shader.uniform_float("viewportSize", view[2:])
        shader.uniform_float("lineWidth", _WIDTH * bpy.context.preferences.system.ui_scale)
        shader.uniform_float("color", COLOR)
        gpu.state.blend_set("ALPHA")
        gpu.state.depth_test_set("NONE")
        batch.draw(shader)
        gpu.state.blend_set("NONE")


def _redraw() -> None:
    for _, area in open_areas(bpy.context, "VIEW_3D"):
        area.tag_redraw()
