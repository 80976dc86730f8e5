# SPDX-License-Identifier: GPL-3.0-or-later
"""Base of operators that follow the mouse over the ground of a terrain: brushes, and the tool that draws curves."""

from __future__ import annotations

from typing import Any

import bpy

from .bridge.datablocks.ref import Ref
from .bridge.interface.messages import Message, translate
from .bridge.terrain.drawn_ground import DrawnGround
from .options import UntypedOperator

NAVIGATION = {
    *("MIDDLEMOUSE", "WHEELUPMOUSE", "WHEELDOWNMOUSE", "TRACKPADPAN", "TRACKPADZOOM"),
    *("NDOF_MOTION", "MOUSEROTATE"),
}
"""Events that turn the view before a gesture begins."""


def viewport_at(context: bpy.types.Context, event: bpy.types.Event) -> Any:
    """Return the region of a viewport under the mouse; None if there is none."""
    for area in context.screen.areas:
        for region in area.regions if area.type == "VIEW_3D" else ():
            is_across = region.x <= event.mouse_x < region.x + region.width
            is_along = region.y <= event.mouse_y < region.y + region.height
            if region.type == "WINDOW" and is_across and is_along:
                return region
    return None


def why_no_viewport(context: bpy.types.Context) -> str:
    """Return a message unless a 3D viewport is under the mouse, "" if one is."""
    return "" if context.region_data is not None else Message("Draw in a 3D viewport")


class PointerOperator(UntypedOperator):
    """Mix-in of operators that follow the mouse until a button is released, or until Esc.

    Attributes
    ----------
    terrain : Ref
    ground : DrawnGround or None
        Its heights before the gesture; None while the operator waits for its begin.
    region : Region
    view : RegionView3D
    overlay : StrokeOverlay or None
        A line of the gesture, shown until its end.
    """

    terrain: Ref[bpy.types.Object]
    ground: DrawnGround | None = None
    region: Any = None
    view: Any = None
    overlay: Any = None

    def look_at(self, terrain: bpy.types.Object, region: Any, view: Any) -> None:
        """Begin over the ground of a terrain as it is now; raise a TerraneError if its mesh is no grid."""
        self.terrain, self.ground = Ref.of(terrain), DrawnGround.of(terrain)
        self.region, self.view = region, view

    def place_under(self, event: bpy.types.Event) -> Any:
        """Return the place under the mouse in the terrain's own space; None beside the terrain."""
        mouse = (float(event.mouse_x - self.region.x), float(event.mouse_y - self.region.y))
        return None if self.ground is None else self.ground.hit(self.region, self.view, mouse)

    def wait(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Handle an event before the gesture begins."""
        raise NotImplementedError

    def follow(self, context: bpy.types.Context, event: bpy.types.Event) -> None:
        """Follow a move of the mouse."""
        raise NotImplementedError

    def is_over(self, event: bpy.types.Event) -> bool:
        """Return whether an event ends the gesture: the release of the button, by default."""
        return event.type == "LEFTMOUSE" and event.value == "RELEASE"

    def confirm(self, context: bpy.types.Context) -> set[str]:
        """Keep what was done; return the final status."""
        raise NotImplementedError

    def cancel(self, context: bpy.types.Context) -> None:
        """Leave everything as it was; Blender calls this when a window closes."""
        self.end(context)

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Follow the mouse until the end, or until Esc or the right button cancels."""
        if event.type in {"ESC", "RIGHTMOUSE"} or self.terrain.find() is None:
            self.cancel(context)
            return {"CANCELLED"}
        if self.ground is None:
            return self.wait(context, event)
        if event.type in {"MOUSEMOVE", "INBETWEEN_MOUSEMOVE"}:
            self.follow(context, event)
        elif self.is_over(event):
            return self.confirm(context)
        return {"RUNNING_MODAL"}

    def begin(self, context: bpy.types.Context, text: str, cursor: Any = "DEFAULT") -> set[str]:
        """Become modal, with a help text in the status bar and a cursor of Blender's."""
        context.workspace.status_text_set(translate(text))
        if cursor != "DEFAULT":
            context.window.cursor_modal_set(cursor)
        manager: Any = context.window_manager
        manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def end(self, context: bpy.types.Context) -> None:
        """Show the land without a line of the gesture, and the usual texts and cursor again."""
        if self.overlay is not None:
            self.overlay.remove()
        if context.window is not None:
            context.window.cursor_modal_restore()
        if context.workspace is not None:
            context.workspace.status_text_set(None)
        if context.area is not None:
            context.area.header_text_set(None)
            context.area.tag_redraw()
