# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators that make chunks with levels of detail of a terrain, or of any mesh that is a grid."""

from __future__ import annotations

from typing import Any

import bpy
from bpy.props import IntVectorProperty

from ..noise_core.io.targets.bases.mesh_target import MeshTarget
from .bridge.interface.messages import Message, report
from .bridge.schema import state
from .bridge.tasks.steps import Steps
from .long_operator import LongOperator
from .options import draw_columns, redo_layout
from .recipe_keywords import declared_keywords

NAMES = ("levels", "error", "error_factor")
"""Parameters of exported meshes that objects have too."""

OPTIONS = tuple(parameter for parameter in MeshTarget.parameters() if parameter.name in NAMES)


class LevelsOperator(LongOperator):
    """Mix-in of operators that add chunks of the active mesh as objects."""

    title = ""
    """Of the collection, after the object's name."""

    @staticmethod
    def why_not(context: bpy.types.Context) -> str:
        """Refuse all but meshes."""
        obj = state.active_object(context)
        if obj is None or obj.type != "MESH":
            return Message("Select a terrain, or a mesh that is a grid, first")
        return ""

    def _view(self, context: bpy.types.Context, obj: bpy.types.Object) -> Any:
        """Return the viewpoint for which one level of each chunk is made; None for all levels."""
        return None

    def run(self, context: bpy.types.Context) -> Steps[set[str]]:
        """Make the meshes, and add their objects."""
        from .bridge.datablocks.ref import Ref
        from .bridge.exchange import exported_lands, level_objects

        obj = exported_lands.find_object(context, state.active_object(context).name)  # type: ignore[union-attr]
        values = {name: getattr(self, name) for name in NAMES}
        levels = MeshTarget(**values)
        owner = Ref.of(obj)
        view = self._view(context, obj)
        found = yield level_objects.work(obj, tuple(self.tiles), levels, view)
        obj = owner.resolve()
        home = level_objects.add(context, obj, f"{obj.name} {self.title}", found)
        level_objects.show_finest(context, home)
        count = sum(len(part.mesh.starts) for part in found)
        report(self, {"INFO"}, "{} objects of {} triangles in {}", len(found), count, home.name)
        return {"FINISHED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the options."""
        draw_columns(redo_layout(self), self, ("tiles",), ("levels", "error", "error_factor"))


def _keywords() -> dict[str, Any]:
    return {
        "tiles": IntVectorProperty(
            name="Tiles", description="Number of tiles along X and along Y", size=2, default=(4, 4), min=1, max=64, options={"SKIP_SAVE"},
        ),
        **declared_keywords(OPTIONS),
    }  # fmt: skip


class TERRANE_OT_levels_of_detail_make(LevelsOperator, bpy.types.Operator):
    """Add tiles of the terrain as objects, each at several levels of detail"""

    bl_idname = "terrane.levels_of_detail_make"
    bl_label = "Make Levels of Detail"
    bl_options = {"REGISTER", "UNDO", "PRESET"}
    doing = Message("Making Levels of Detail")
    title = "LOD"
    __annotations__ = _keywords()


class TERRANE_OT_far_meshes_make(LevelsOperator, bpy.types.Operator):
    """Add tiles of the terrain as objects, coarser with distance from the camera"""

    bl_idname = "terrane.far_meshes_make"
    bl_label = "Make Far Meshes"
    bl_options = {"REGISTER", "UNDO", "PRESET"}
    doing = Message("Making Far Meshes")
    title = "Far Meshes"
    __annotations__ = _keywords()

    def _view(self, context: bpy.types.Context, obj: bpy.types.Object) -> Any:
        """See `LevelsOperator._view`: the scene's camera."""
        from .bridge.exchange import level_objects, placements

        return level_objects.viewpoint(context, obj, placements.meters_per_unit(context.scene))
