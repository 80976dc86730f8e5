# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators on exported land of any size: all of it at low detail, and regions at full detail."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import bpy
from bpy.props import IntProperty, IntVectorProperty
from mathutils import Vector

from ..noise_core.base.errors import TerraneError
from ..noise_core.landscapes.look import Look
from .bridge.datablocks.ref import Ref
from .bridge.interface.messages import Message, report
from .bridge.nodetree.terrain_material import plan
from .bridge.nodetree.terrain_material import settings as ground_settings
from .bridge.schema import paths, state
from .bridge.schema.enum_items import enum_items
from .bridge.tasks.steps import Steps
from .bridge.terrain import viewports
from .colors import colors_property
from .long_operator import BrowsedOperator, LongOperator, WaitingOperator
from .materials import DEFAULTS, GroundOperator
from .options import (
    browsed_property,
    choice_property,
    draw_columns,
    file_keywords,
    redo_layout,
    switch_property,
)
from .recipe_keywords import declared_keywords, reports_errors
from .terrain import AddTerrainOperator

if TYPE_CHECKING:
    from .bridge.exchange.open_worlds import OpenedWorld
    from .bridge.exchange.world_regions import LoadedRegion, Window

PLACES = {
    "cursor": "Around the 3D cursor",
    "camera": "In front of the scene's camera",
    "samples": "At First Sample",
}
"""Where a region can lie."""


class TERRANE_OT_world_open(BrowsedOperator, GroundOperator, bpy.types.Operator):
    """Show a large terrain, exported as NPY or GeoTIFF files, at low detail"""

    bl_idname = "terrane.world_open"
    bl_label = "Open World"
    bl_options = {"REGISTER", "UNDO", "PRESET"}
    doing = Message("Opening the World")
    passed_on = ("samples", "palette", "ground", "colors")

    __annotations__ = {
        **file_keywords("Description file of the tiles, or one of the tiles", "*.json;*.npy;*.tif"),
        "samples": IntProperty(
            name="Samples", description="Maximum vertices along the longer side; heights are averaged",
            default=513, min=3, max=4097, soft_min=129, soft_max=2049, options={"SKIP_SAVE"},
        ),
        **declared_keywords(parameter for parameter in ground_settings.LOOK if parameter.name == "palette"),
        "ground": switch_property("Ground", "Add a ground material", default=True),
        "colors": colors_property(),
        "is_browsed": browsed_property(),
    }  # fmt: skip

    writes, why_not = AddTerrainOperator.writes, staticmethod(AddTerrainOperator.why_not)

    def run(self, context: bpy.types.Context) -> Steps[set[str]]:
        """Read the tiles, add the object and its material; take all of it away if that fails."""
        from .bridge.exchange import open_worlds

        palette = self._plan()["palette"] if self.colors else None
        path = paths.resolve(self.filepath)
        opened: OpenedWorld = yield open_worlds.open_work(path, self.samples, palette)
        if reason := self.refusal(context):
            raise TerraneError("No world was opened. {}", reason)
        with ExitStack() as undo:
            added = Ref.of(open_worlds.add(context, opened))
            undo.callback(open_worlds.discard, added)
            if self.ground:
                yield from self.make_ground(context, added.resolve(), self._plan())
            undo.pop_all()
        record = opened.record
        text = "{} x {} samples of {:.4g} m: Load Region shows a part at full detail"
        report(self, {"INFO"}, text, record.columns, record.rows, record.spacing)
        return {"FINISHED"}

    def show(self, context: bpy.types.Context) -> None:
        """Adjust the viewport to show all of the land, in its colors."""
        world: Any = context.active_object
        viewports.show(context, world, float(max(world.dimensions[:2])))
        if self.colors:
            viewports.show_colors(context)

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the options."""
        draw_columns(redo_layout(self), self, ("samples",), ("palette",), ("ground", "colors"))

    def _plan(self) -> plan.TerrainPlan:
        values = {**DEFAULTS, "palette": self.palette, "water": "none"}
        return plan.TerrainPlan.of(values, (), Look())


class WorldOperator(WaitingOperator):
    """Mix-in of operators on the active object, which shows exported land."""

    writes = (state.active_object,)

    @staticmethod
    def why_not(context: bpy.types.Context) -> str:
        """Return why the active object can show no region."""
        if not state.is_world(context.active_object):
            return Message("Select a world that was opened with Open World")
        if context.mode != "OBJECT":
            return Message("Switch to Object Mode first")
        return ""


class TERRANE_OT_world_region_load(WorldOperator, LongOperator, bpy.types.Operator):
    """Show a part of the world at full detail, with three coarser rings around it"""

    bl_idname = "terrane.world_region_load"
    bl_label = "Load Region"
    bl_options = {"REGISTER", "UNDO", "PRESET"}
    doing = Message("Loading the Region")

    __annotations__ = {
        "place": choice_property("Place", "Center of the region", enum_items(PLACES), default="cursor"),
        "samples": IntProperty(
            name="Samples", description="Vertices along each side of the region",
            default=513, min=3, max=2049, soft_min=129, soft_max=1025, options={"SKIP_SAVE"},
        ),
        "first_sample": IntVectorProperty(
            name="First Sample", description="First column (from the west) and row (from the south) of the region",
            size=2, min=0, options={"SKIP_SAVE"},
        ),
    }  # fmt: skip

    def run(self, context: bpy.types.Context) -> Steps[set[str]]:
        """Find the window, read it, and write the mesh."""
        from .bridge.exchange import world_regions

        world = context.active_object
        owner = Ref.of(world)
        region: LoadedRegion = yield world_regions.region_work(world, self._window(context, world))
        if reason := self.refusal(context):
            raise TerraneError("No region was loaded. {}", reason)
        world_regions.write_region(owner.resolve(), region)
        (row, column), (rows, columns) = region.window
        text = "{} x {} samples at full detail, from column {} and row {} on"
        report(self, {"INFO"}, text, columns, rows, column, row)
        return {"FINISHED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the place."""
        more = ("first_sample",) if self.place == "samples" else ()
        draw_columns(redo_layout(self), self, ("place", *more), ("samples",))

    def _window(self, context: bpy.types.Context, world: bpy.types.Object) -> Window:
        from .bridge.exchange import world_regions

        if self.place == "samples":
            column, row = self.first_sample
            return (row, column), (self.samples, self.samples)
        if self.place == "cursor":
            cursor, name = context.scene.cursor.location, Message("The 3D cursor")
            return world_regions.window_around(world, cursor, Vector(), name, self.samples)
        camera = context.scene.camera
        if camera is None:
            raise TerraneError("The scene has no camera: add one, and move it over {}", world.name)
        matrix = camera.matrix_world
        ahead = matrix.to_3x3() @ Vector((0.0, 0.0, -1.0))
        return world_regions.window_around(
            world, matrix.translation, ahead, camera.name, self.samples
        )


class TERRANE_OT_world_region_remove(WorldOperator, bpy.types.Operator):
    """Show the whole world at low detail again"""

    bl_idname = "terrane.world_region_remove"
    bl_label = "Remove Region"
    bl_options = {"REGISTER", "UNDO"}

    @staticmethod
    def why_not(context: bpy.types.Context) -> str:
        """Refuse worlds without a region."""
        reason = WorldOperator.why_not(context)
        if not reason and not state.has_region(context.active_object):
            return Message("No region is loaded")
        return reason

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        """Show the mesh of the overview."""
        from .bridge.exchange import world_regions

        world_regions.remove_region(context.active_object)
        return {"FINISHED"}
