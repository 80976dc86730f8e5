# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators that add the parts of a landscape: sky, camera, surroundings, water, plants and fine ground."""

from __future__ import annotations

import dataclasses
from typing import Any

import bpy

from ..noise_core.base.errors import TerraneError
from ..noise_core.landscapes.plants import KINDS, Plants
from ..noise_core.landscapes.scene import Camera, DetailPatch, Sky, Surroundings, Water
from .bridge.datablocks.ref import Ref
from .bridge.interface.messages import Message, report
from .bridge.scene import cameras, patches, plants, settings, skies, surroundings, waters
from .bridge.schema import state
from .bridge.tasks.jobs import Work
from .bridge.terrain import terrains
from .long_operator import LongOperator
from .options import redo_layout, switch_property
from .part_operator import PartOperator, part_keywords, surround
from .recipe_keywords import reports_errors


class TERRANE_OT_sky_add(PartOperator, LongOperator, bpy.types.Operator):
    """Give the scene the sky of the preset, with sun, haze and clouds"""

    bl_idname = "terrane.sky_add"
    bl_label = "Add Sky"
    bl_options = {"REGISTER", "UNDO", "PRESET"}
    doing = Message("Drawing Clouds")

    declared = Sky
    __annotations__ = part_keywords(Sky, replace=switch_property("Replace", "Replace your world"))

    def prepare(self, context: bpy.types.Context) -> Work:
        """Read the settings, and return the work that draws clouds."""
        terrain = state.active_terrain(context)
        self._check(context)
        self.part_settings = self.choose_settings(context, terrains.look_of(terrain).sky)
        self.owner = Ref.of(terrain)
        return skies.work(context.scene, self.part_settings)

    def finish(self, context: bpy.types.Context, result: Any) -> set[str]:
        """Write the world, the sun and the haze."""
        self._check(context)
        skies.write(context, self.part_settings, self.owner.resolve(), result)
        settings.write(context, self.part_settings)
        return {"FINISHED"}

    def _check(self, context: bpy.types.Context) -> None:
        world = context.scene.world
        if not (self.replace or skies.is_ours(world) or skies.is_untouched(world)):
            raise TerraneError(
                "World {} is yours: choose Replace to put the sky in its place", world.name
            )


class TERRANE_OT_camera_add(PartOperator, bpy.types.Operator):
    """Place a camera with the view of the preset's picture"""

    bl_idname = "terrane.camera_add"
    bl_label = "Add Camera"
    bl_options = {"REGISTER", "UNDO", "PRESET"}

    declared = Camera
    __annotations__ = part_keywords(
        Camera, replace=switch_property("Replace", "Make it the scene's camera in place of yours")
    )

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        """Place the camera."""
        terrain = state.active_terrain(context)
        look = terrains.look_of(terrain)
        camera = self.choose_settings(context, look.camera)
        settings.write(context, camera)
        is_active = cameras.place(context, terrain, camera, look.sea, is_replacing=self.replace)
        if not is_active:
            report(
                self,
                {"INFO"},
                "{} stays the camera of the scene: choose Replace for the new one",
                context.scene.camera.name,
            )
        return {"FINISHED"}


class TERRANE_OT_surroundings_add(PartOperator, LongOperator, bpy.types.Operator):
    """Continue the terrain to the horizon, or put it on a block with cut sides"""

    bl_idname = "terrane.surroundings_add"
    bl_label = "Add Surroundings"
    bl_options = {"REGISTER", "UNDO"}
    doing = Message("Adding Surroundings")

    declared = Surroundings
    __annotations__ = part_keywords(Surroundings)

    def prepare(self, context: bpy.types.Context) -> Work:
        """Read the settings, and return the work that makes land."""
        terrain = state.active_terrain(context)
        self.owner = Ref.of(terrain)
        self.part_settings = self.surroundings = self.choose_settings(context, Surroundings())
        if self.part_settings.kind == "preset":
            kind = terrains.look_of(terrain).surroundings
            self.surroundings = dataclasses.replace(self.part_settings, kind=kind)
        return surroundings.work(terrain, self.surroundings.kind)

    def finish(self, context: bpy.types.Context, result: Any) -> set[str]:
        """Write the surroundings."""
        surroundings.write(context, self.owner.resolve(), self.surroundings, result)
        settings.write(context, self.part_settings)
        return {"FINISHED"}


class TERRANE_OT_water_add(PartOperator, LongOperator, bpy.types.Operator):
    """Add the preset's sea, lakes and rivers as a mesh that follows the terrain"""

    bl_idname = "terrane.water_add"
    bl_label = "Add Water"
    bl_options = {"REGISTER", "UNDO"}
    doing = Message("Adding Water")

    declared = Water
    __annotations__ = part_keywords(Water)

    def prepare(self, context: bpy.types.Context) -> Work:
        """Read the heights and the settings of the water."""
        terrain = state.active_terrain(context)
        self.owner = Ref.of(terrain)
        present = waters.settings_of(context.scene, terrain) if self.from_panel else None
        water = self.read_keywords(terrains.look_of(terrain).water if present is None else present)
        if self.properties.is_property_set("level") and not self.properties.is_property_set("sea"):
            water = dataclasses.replace(water, sea=True)
        self.chosen_water = water
        for parameter in Water.parameters():
            setattr(self, parameter.name, getattr(water, parameter.name))
        return waters.prepare(terrain, water)

    def finish(self, context: bpy.types.Context, result: Any) -> set[str]:
        """Write the water of the terrain and of its surroundings."""
        terrain = self.owner.resolve()
        kind = surroundings.kind_of(context.scene, terrain)
        look = terrains.look_of(terrain)
        if not waters.write(context, terrain, self.chosen_water, result, look.palette):
            raise waters.no_water_error(terrain)
        has_sea = self.chosen_water.sea
        surround(context, terrain, kind if has_sea or kind != "sea" else "none")
        return {"FINISHED"}


class TERRANE_OT_scatter_add(PartOperator, bpy.types.Operator):
    """Scatter the preset's trees, bushes, grass and stones with geometry nodes"""

    bl_idname = "terrane.scatter_add"
    bl_label = "Add Plants"
    bl_options = {"REGISTER", "UNDO", "PRESET"}

    declared = Plants
    __annotations__ = part_keywords(Plants)

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the shared parameters, then the density of each kind of plant."""
        layout = redo_layout(self)
        for parameter in Plants.of_kind(""):
            layout.prop(self, parameter.name)
        column = layout.column(align=True, heading="Density")
        for kind, label in KINDS.items():
            column.prop(self, f"{kind}_density", text=label)

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        """Write the object with the nodes, and its models."""
        terrain = state.active_terrain(context)
        look = terrains.look_of(terrain)
        chosen = self.choose_settings(context, look.plants or Plants())
        plants.write(context, terrain, chosen, look.palette)
        settings.write(context, chosen)
        return {"FINISHED"}


class TERRANE_OT_detail_patch_add(PartOperator, LongOperator, bpy.types.Operator):
    """Replace the ground near the scene's camera with a finer mesh"""

    bl_idname = "terrane.detail_patch_add"
    bl_label = "Add Detail Patch"
    bl_options = {"REGISTER", "UNDO", "PRESET"}

    doing = Message("Laying Fine Ground")

    declared = DetailPatch
    __annotations__ = part_keywords(DetailPatch)

    def prepare(self, context: bpy.types.Context) -> Work:
        """Read the terrain, and where the camera is."""
        terrain = state.active_terrain(context)
        patch = self.choose_settings(context, patches.settings_of(context.scene, terrain))
        self.owner, self.plan = Ref.of(terrain), patches.PatchPlan.of(context, terrain, patch)
        return self.plan.work(terrain)

    def finish(self, context: bpy.types.Context, result: Any) -> set[str]:
        """Lay the patch, or move it."""
        patches.write(context, self.owner.resolve(), self.plan, result)
        settings.write(context, self.plan.patch)
        return {"FINISHED"}
