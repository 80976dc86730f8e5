# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators for the colors of terrains in Solid view, and the mix-in of operators that store them."""

from __future__ import annotations

from typing import Any

import bpy

from ..noise_core.base.errors import TerraneError
from .bridge.datablocks.ref import Ref
from .bridge.interface.messages import Message, report
from .bridge.scene import ground_colors, planet_colors
from .bridge.schema import state
from .bridge.tasks import steps
from .bridge.tasks.steps import Steps
from .bridge.terrain import viewports
from .long_operator import LongOperator
from .options import UntypedOperator, switch_property


def colors_property(*, default: bool = True) -> Any:
    """Return the property that lets an operator color the mesh of a terrain."""
    text = "Store ground colors on the mesh and show them in Solid view"
    return switch_property("Colors", text, default=default)


class ColorsOperator(UntypedOperator):
    """Mix-in of operators that store the colors of terrains."""

    colors: bool

    def make_colors(self, terrain: bpy.types.Object) -> Steps[Any]:
        """Color a terrain or planet in steps if `colors` is set; return the stored colors, or None."""
        products = (ground_colors.COLORS, planet_colors.COLORS)
        product = next((product for product in products if product.is_of(terrain)), None)
        if product is None or not self.colors:
            return None
        if reason := product.refusal(terrain):
            report(self, {"INFO"}, "No colors in Solid view: {}", reason)
            return None
        owner, making = Ref.of(terrain), product.run(terrain, ground_colors.plan_text(terrain))
        colors = yield from steps.in_object_mode(bpy.context, terrain, making)
        self.note_colors(owner.resolve())
        return colors

    def note_colors(self, terrain: bpy.types.Object) -> None:
        """Tell if another color attribute is the active one, which stays."""
        if not ground_colors.is_shown(terrain):
            attribute = terrain.data.attributes.active_color_name
            text = "Solid view goes on to show {}: activate Terrane Color to see the land's colors"
            report(self, {"INFO"}, text, attribute)

    def show_colors(self, context: bpy.types.Context, terrain: bpy.types.Object | None) -> None:
        """Let Solid view show the colors of a terrain, and tell how to go back."""
        if not self.colors or terrain is None or not ground_colors.is_there(terrain):
            return
        if viewports.show_colors(context):
            self.tell_of_colors()

    def tell_of_colors(self) -> None:
        """Tell that Solid view has other settings now."""
        text = "Solid view shows terrain colors now: the panel Landscape takes it back"
        report(self, {"INFO"}, text)


class TERRANE_OT_colors_add(LongOperator, ColorsOperator, bpy.types.Operator):
    """Store ground colors as the attribute Terrane Color and show them in Solid view"""

    bl_idname = "terrane.colors_add"
    bl_label = "Add Colors"
    bl_options = {"REGISTER", "UNDO"}
    doing = Message("Coloring the Terrain")
    colors = True
    writes = (state.active_mesh,)

    @staticmethod
    def why_not(context: bpy.types.Context) -> str:
        """Return why a terrain cannot be colored."""
        if context.mode != "OBJECT":
            return Message("Switch to Object Mode first")
        return state.why_no_terrain(context) or state.why_not_change_object(context)

    def run(self, context: bpy.types.Context) -> Steps[set[str]]:
        """Read the heights and the maps, and store the colors."""
        terrain = state.active_terrain(context)
        self.owner = Ref.of(terrain)
        if reason := ground_colors.COLORS.refusal(terrain):
            raise TerraneError(reason)
        yield from ground_colors.COLORS.run(terrain, ground_colors.plan_text(terrain))
        self.note_colors(self.owner.resolve())
        return {"FINISHED"}

    def show(self, context: bpy.types.Context) -> None:
        """Let Solid view show them."""
        self.show_colors(context, self.owner.find())


class TERRANE_OT_viewport_colors(bpy.types.Operator):
    """Show terrain colors, bright and without floor, or set the viewports back"""

    bl_idname = "terrane.viewport_colors"
    bl_label = "Show in Solid View"
    bl_options = {"REGISTER"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Allow it in windows with viewports."""
        return bool(viewports.views(context))

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Switch."""
        viewports.toggle_colors(context)
        return {"FINISHED"}
