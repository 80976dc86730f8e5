# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators that add the parts of a landscape: sky, camera, surroundings, water, plants and fine ground; and that remove them."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import bpy
from bpy.props import BoolProperty

from ..noise_core.base.errors import TerraneError
from ..noise_core.landscapes.plants import KINDS, Plants
from ..noise_core.landscapes.scene import Camera, Cliffs, DetailPatch, Sky, Surroundings, Water
from ..noise_core.landscapes.views import VIEWS, view_of
from .bridge.datablocks import linked, meshes
from .bridge.datablocks.ref import Ref
from .bridge.interface.messages import Message, report
from .bridge.scene import (
    cameras,
    cliffs,
    landscapes,
    parts,
    patches,
    plants,
    settings,
    sky_product,
    surroundings,
    waters,
)
from .bridge.schema import paths, state
from .bridge.schema.enum_items import enum_items
from .bridge.tasks.steps import Steps
from .bridge.terrain import terrains
from .long_operator import BrowsedOperator, LongOperator, WaitingOperator
from .options import (
    HIDDEN,
    browsed_property,
    choice_property,
    file_keywords,
    redo_layout,
    replacing_keywords,
    switch_property,
)
from .part_operator import PartOperator, TerrainOperator, part_keywords, why_no_readable_terrain
from .recipe_keywords import reports_errors


class TERRANE_OT_sky_add(PartOperator, LongOperator, bpy.types.Operator):
    """Give the scene the sky of the preset, with sun, haze and clouds"""

    bl_idname = "terrane.sky_add"
    bl_label = "Add Sky"
    bl_options = {"REGISTER", "UNDO", "PRESET"}
    doing = Message("Drawing Clouds")

    declared = Sky
    __annotations__ = part_keywords(Sky, replace=switch_property("Replace", "Replace your world"))

    def run(self, context: bpy.types.Context) -> Steps[set[str]]:
        """Read the settings, draw clouds, and write the world, the sun and the haze."""
        terrain = state.active_terrain(context)
        sky = self.choose_settings(context, terrains.look_of(terrain).sky)
        request = sky_product.SkyRequest(sky, Ref.of(terrain), is_replacing=self.replace)
        yield from sky_product.SKY.run(context.scene, request)
        settings.write(context, sky)
        return {"FINISHED"}


class TERRANE_OT_camera_add(PartOperator, bpy.types.Operator):
    """Place a camera with the view of the preset's preview"""

    bl_idname = "terrane.camera_add"
    bl_label = "Add Camera"
    bl_options = {"REGISTER", "UNDO", "PRESET"}

    declared = Camera
    __annotations__ = part_keywords(
        Camera,
        view=choice_property("View", "View of the terrain", enum_items(VIEWS)),
        replace=switch_property("Replace", "Make it the scene's camera in place of yours"),
    )
    if TYPE_CHECKING:
        view: str
        replace: bool

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        """Place the camera."""
        terrain = state.active_terrain(context)
        look = terrains.look_of(terrain)
        if self.properties.is_property_set("view"):
            camera = self.read_keywords(view_of(look.camera, self.view))
        else:
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

    def run(self, context: bpy.types.Context) -> Steps[set[str]]:
        """Read the settings, make land if it is asked for, and write the surroundings."""
        terrain = state.active_terrain(context)
        owner = Ref.of(terrain)
        chosen = resolved = self.choose_settings(context, Surroundings())
        if chosen.kind == "preset":
            kind = terrains.look_of(terrain).surroundings
            resolved = dataclasses.replace(chosen, kind=kind)
        land = yield surroundings.work(terrain, resolved.kind)
        surroundings.write(context, owner.resolve(), resolved, land)
        settings.write(context, chosen)
        return {"FINISHED"}


class TERRANE_OT_water_add(PartOperator, LongOperator, bpy.types.Operator):
    """Add the preset's sea, lakes and rivers as a mesh that follows the terrain"""

    bl_idname = "terrane.water_add"
    bl_label = "Add Water"
    bl_options = {"REGISTER", "UNDO"}
    doing = Message("Adding Water")

    declared = Water
    __annotations__ = part_keywords(Water)

    def run(self, context: bpy.types.Context) -> Steps[set[str]]:
        """Lay the water of the terrain, and write its surroundings again."""
        terrain = state.active_terrain(context)
        owner, look = Ref.of(terrain), terrains.look_of(terrain)
        present = waters.settings_of(context.scene, terrain) if self.from_panel else None
        water = self.read_keywords(look.water if present is None else present)
        if self.properties.is_property_set("level") and not self.properties.is_property_set("sea"):
            water = dataclasses.replace(water, sea=True)
        for parameter in Water.parameters():
            setattr(self, parameter.name, getattr(water, parameter.name))
        is_wet = yield from waters.lay(terrain, waters.WaterRequest(water, palette=look.palette))
        terrain = owner.resolve()
        if not is_wet:
            raise waters.no_water_error(terrain)
        kind = surroundings.kind_of(context.scene, terrain)
        kind = kind if water.sea or kind != "sea" else "none"
        surroundings.write_kind(context, terrain, kind)
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


class TERRANE_OT_scatter_export(BrowsedOperator, bpy.types.Operator):
    """Export the places of the terrain's plants and stones as CSV, JSON, glTF or USD"""

    bl_idname = "terrane.scatter_export"
    bl_label = "Export Plants"
    bl_options = {"REGISTER", "PRESET"}

    __annotations__ = {
        **file_keywords(
            "Path of the file, ending in .csv, .json, .glb or .usda", "*.csv;*.json;*.glb;*.usda"
        ),
        **replacing_keywords(),
        "is_browsed": browsed_property(),
    }
    why_not = staticmethod(why_no_readable_terrain)

    def propose(self, context: bpy.types.Context) -> None:
        """Set the file of the terrain; the file browser asks before it replaces one."""
        terrain = state.active_terrain(context)
        self.was_asked = True
        self.filepath = paths.propose(f"{terrain.name}_plants" if terrain else "plants", ".csv")

    def run(self, context: bpy.types.Context) -> Steps[set[str]]:
        """Read the places as renders have them, and write them."""
        from ..noise_core.io.instance_files import write_instances
        from .bridge.exchange.placements import meters_per_unit
        from .bridge.scene import plant_exports

        terrain = state.active_terrain(context)
        if terrain is None:
            raise TerraneError(state.why_no_terrain(context))
        sets = plant_exports.read(context, terrain, meters_per_unit(context.scene))
        path, overwrite = paths.resolve(self.filepath), self.was_asked or not self.check_existing
        files = yield lambda progress, cancel: write_instances(sets, path, overwrite=overwrite)
        count = sum(len(one.positions) for one in sets)
        report(
            self, {"INFO"}, "Wrote {} places of {} meshes into {}", count, len(sets), files[0].name
        )
        return {"FINISHED"}


class TERRANE_OT_detail_patch_add(PartOperator, LongOperator, bpy.types.Operator):
    """Replace the ground near the scene's camera with a finer mesh"""

    bl_idname = "terrane.detail_patch_add"
    bl_label = "Add Detail Patch"
    bl_options = {"REGISTER", "UNDO", "PRESET"}

    doing = Message("Laying Fine Ground")

    declared = DetailPatch
    __annotations__ = part_keywords(DetailPatch)

    def run(self, context: bpy.types.Context) -> Steps[set[str]]:
        """Lay the patch before the camera, or move it there."""
        terrain = state.active_terrain(context)
        patch = self.choose_settings(context, patches.settings_of(context.scene, terrain))
        request = patches.PatchRequest.before_camera(context, terrain, patch)
        owner = Ref.of(terrain)
        yield from patches.PATCH.run(terrain, request)
        settings.write(context, patch)
        if cliffs.CLIFFS.is_due(owner.resolve()):  # they leave its ground
            yield from cliffs.CLIFFS.run(owner.resolve())
        return {"FINISHED"}


class TERRANE_OT_cliffs_add(PartOperator, LongOperator, bpy.types.Operator):
    """Replace steep ground with a finer mesh that has ledges, joints and overhangs"""

    bl_idname = "terrane.cliffs_add"
    bl_label = "Add Cliffs"
    bl_options = {"REGISTER", "UNDO", "PRESET"}

    doing = Message("Shaping Cliffs")

    declared = Cliffs
    __annotations__ = part_keywords(Cliffs)

    def run(self, context: bpy.types.Context) -> Steps[set[str]]:
        """Make the cliffs, finest before the camera, or move them there."""
        terrain = state.active_terrain(context)
        chosen = self.choose_settings(context, cliffs.settings_of(context.scene, terrain))
        request = cliffs.CliffsRequest.before_camera(context, terrain, chosen)
        refusal = yield from cliffs.shape(terrain, request)
        if refusal is not None:
            raise refusal
        settings.write(context, chosen)
        return {"FINISHED"}


class TERRANE_OT_landscape_part_remove(TerrainOperator, bpy.types.Operator):
    """Remove this part of the landscape; the terrain stays"""

    bl_idname = "terrane.landscape_part_remove"
    bl_label = "Remove"
    bl_options = {"REGISTER", "UNDO"}

    __annotations__ = {
        "part": choice_property(
            "Part",
            "Part to remove",
            enum_items({name: part.help for name, part in landscapes.PARTS.items()}),
        ),
    }

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Remove the part."""
        terrain = state.active_terrain(context)
        landscapes.PARTS[self.part].remove(context.scene, terrain)
        return {"FINISHED"}


class TERRANE_OT_landscape_remove(WaitingOperator, bpy.types.Operator):
    """Remove all parts of the landscape; world, camera and settings are as before"""

    bl_idname = "terrane.landscape_remove"
    bl_label = "Remove Landscape"
    bl_options = {"REGISTER", "UNDO"}
    writes = (state.scene,)

    __annotations__ = {
        "keep_terrain": switch_property(
            "Keep Terrain", "Keep the terrain even if it came with the landscape"
        ),
        "lost": BoolProperty(
            name="Lost Parts",
            description="Remove parts whose terrain was deleted",
            options=HIDDEN,
        ),
    }

    @staticmethod
    def why_not(context: bpy.types.Context) -> str:
        """Refuse it without an active terrain and without lost parts."""
        if state.active_terrain(context) is None and parts.lost(context.scene):
            return ""
        return why_no_readable_terrain(context)

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        """Remove the landscape of the active terrain, or lost parts if there is no such terrain."""
        terrain = state.active_terrain(context)
        if self.lost or terrain is None:
            landscapes.remove_lost(context.scene)
            return {"FINISHED"}
        linked.require_writable(terrain, meshes.mesh_of(terrain))
        if not self.properties.is_property_set("keep_terrain"):
            self.keep_terrain = not landscapes.is_new(terrain)
        landscapes.remove(context.scene, terrain, is_terrain_kept=self.keep_terrain)
        return {"FINISHED"}
