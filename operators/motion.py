# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators that bake the motion of a terrain, and free it again."""

from __future__ import annotations

from typing import Any

import bpy

from ..noise_core.base.errors import ParameterError, TerraneError
from .bridge.datablocks.ref import Ref
from .bridge.interface.messages import Message, report
from .bridge.schema import paths, state
from .bridge.schema.declared_settings import declare
from .bridge.tasks.steps import Steps
from .bridge.terrain import animated_values, motion, motion_baking, shared_motion
from .guarded_operator import GuardedOperator
from .long_operator import LongOperator
from .options import checked_values, overwrite_property, text_property
from .recipe_keywords import declared_keywords, reports_errors

BAKE = (
    declare("start", 1, "First frame; the scene's if not given", (-1048574, 1048574)),
    declare("end", 250, "Last frame; the scene's if not given", (-1048574, 1048574)),
    declare("step", 1, "Interval of baked frames; others are interpolated", (1, 1000), (1, 10)),
    declare("erosion", False, "Animate erosion from none at the first frame to all of it at the last", label="Erosion over Time"),
    declare("target", "cache", "Storage of the motion", options={
        "cache": "A PC2 file that a Mesh Cache modifier plays, at any resolution and length",
        "keys": "Shape keys, within the .blend file: for few frames",
    }),
)  # fmt: skip
"""Parameters of a bake of a terrain's motion."""


class TERRANE_OT_motion_bake(LongOperator, bpy.types.Operator):
    """Bake keyframes, drivers or erosion over time, to play without Terrane"""

    bl_idname = "terrane.motion_bake"
    bl_label = "Bake Motion"
    bl_options = {"REGISTER", "UNDO"}
    doing = Message("Baking the Motion")
    writes = (state.active_terrain, state.terrain_mesh)

    __annotations__ = {
        **declared_keywords(BAKE),
        "filepath": text_property("File Path", "Path of the cache (.pc2); empty: beside the Blender file, by the terrain's name"),
        "overwrite": overwrite_property(),
    }  # fmt: skip

    @staticmethod
    def why_not(context: bpy.types.Context) -> str:
        """Return why there is nothing to bake, "" if there is."""
        terrain = state.active_terrain(context)
        return state.why_no_terrain(context) or (
            "" if terrain is None else motion_baking.MOTION.refusal(terrain)
        )

    def run(self, context: bpy.types.Context) -> Steps[set[str]]:
        """Check frames and path, evaluate frame after frame, and keep them."""
        for name in ("start", "end"):
            if not self.properties.is_property_set(name):
                setattr(self, name, getattr(context.scene, f"frame_{name}"))
        values = checked_values(self, BAKE, "Motion")
        start, end = values["start"], values["end"]
        if end < start:
            raise ParameterError("Motion.end must not be before Motion.start, {}", start, got=end)
        terrain: Any = state.active_terrain(context)
        if not (values["erosion"] or animated_values.is_animated(terrain)):
            raise TerraneError("{} has no keyframes and no drivers, and no Erosion over Time is asked for", terrain.name)  # fmt: skip
        frames = range(start, end + 1, values["step"])
        path = ""
        if values["target"] == "cache":
            path = motion_baking.cache_path(terrain, self.filepath)
            if not self.overwrite:
                motion_baking.check_free(terrain, path)
        owners = (Ref.of(terrain), Ref.of(context.scene))
        request = motion_baking.MotionRequest(*owners, frames, values["erosion"], path)
        yield from motion_baking.MOTION.run(terrain, request)
        where = str(paths.absolute(path)) if path else Message("shape keys")
        report(self, {"INFO"}, "Baked {} frames: {}", len(frames), where)
        return {"FINISHED"}


class TERRANE_OT_motion_unbake(GuardedOperator, bpy.types.Operator):
    """Follow keyframes again; the cache file is kept"""

    bl_idname = "terrane.motion_unbake"
    bl_label = "Free Motion"
    bl_options = {"REGISTER", "UNDO"}

    writes = (state.active_terrain, state.terrain_mesh)

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str:
        """Refuse terrains without baked motion."""
        terrain = state.active_terrain(context)
        is_baked = terrain is not None and motion.is_baked(terrain)
        return "" if is_baked else Message("Bake the motion of a terrain first")

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        """Remove the modifier or the shape keys, and follow the present frame."""
        motion_baking.unbake(state.active_terrain(context))
        context.scene.frame_set(context.scene.frame_current, subframe=context.scene.frame_subframe)
        return {"FINISHED"}


class TERRANE_OT_mesh_single_user(GuardedOperator, bpy.types.Operator):
    """Give terrains that share this mesh but move differently a mesh each"""

    bl_idname = "terrane.mesh_single_user"
    bl_label = "Make Single User"
    bl_options = {"REGISTER", "UNDO"}

    writes = (state.active_terrain,)

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str:
        """Refuse terrains that share their mesh with none that moves."""
        terrain = state.active_terrain(context)
        is_shared = terrain is not None and len(shared_motion.sharing(terrain)) > 1
        return "" if is_shared else Message("No other terrain with keyframes has this mesh")

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        """Copy the mesh for each motion but one, and show the present frame."""
        terrain = state.active_terrain(context)
        count = shared_motion.make_single_user(terrain, context.evaluated_depsgraph_get())
        if not count:
            report(self, {"INFO"}, "All terrains with this mesh move alike")
            return {"CANCELLED"}
        context.scene.frame_set(context.scene.frame_current, subframe=context.scene.frame_subframe)
        return {"FINISHED"}
