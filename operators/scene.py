# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators that add the parts of a landscape, water, surroundings, sky and camera, and remove parts."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import bpy

from .bridge.datablocks import materials
from .bridge.datablocks.ref import Ref
from .bridge.interface.core import Camera, Sky, Surroundings, TerraneError, Water
from .bridge.interface.messages import Message, report
from .bridge.nodetree.terrain_material import settings as ground_settings
from .bridge.scene import (
    cameras,
    ground_colors,
    lands,
    patches,
    plants,
    settings,
    skies,
    surroundings,
    waters,
)
from .bridge.schema import state
from .bridge.schema.properties import enum_items
from .bridge.tasks.jobs import Work
from .bridge.terrain import terrains
from .long_operator import LongOperator
from .options import (
    choice_property,
    from_panel_property,
    switch_property,
)
from .part_operator import PartOperator, TerrainOperator
from .recipe_keywords import declared_keywords, reports_errors


class TERRANE_OT_sky_add(PartOperator, LongOperator, bpy.types.Operator):
    """Give the scene a sky with sun, haze and clouds: that of the terrain's preset, unless something else is set"""

    bl_idname = "terrane.sky_add"
    bl_label = "Add Sky"
    bl_options = {"REGISTER", "UNDO", "PRESET"}
    doing = Message("Drawing Clouds")

    declared = Sky

    __annotations__ = {
        **declared_keywords(Sky.parameters()),
        "replace": switch_property("Replace", "Take the place of a world of your own"),
        "from_panel": from_panel_property(),
    }

    def prepare(self, context: bpy.types.Context) -> Work:
        """Read the settings, and return the work that draws clouds."""
        terrain = state.active_terrain(context)
        self._check(context)
        self.asked = self.chosen(context, terrains.look_of(terrain).sky)
        self.owner = Ref.of(terrain)
        return skies.work(context.scene, self.asked)

    def finish(self, context: bpy.types.Context, result: Any) -> set[str]:
        """Write the world, the sun and the haze."""
        self._check(context)
        skies.write(context, self.asked, self.owner.resolve(), result)
        settings.write(context, self.asked)
        return {"FINISHED"}

    def _check(self, context: bpy.types.Context) -> None:
        world = context.scene.world
        if not (self.replace or skies.is_ours(world) or skies.is_untouched(world)):
            raise TerraneError(
                "World {} is yours: choose Replace to put the sky in its place", world.name
            )


class TERRANE_OT_camera_add(PartOperator, bpy.types.Operator):
    """Place a camera over the terrain, where the picture of its preset is taken; a second press moves it there again"""

    bl_idname = "terrane.camera_add"
    bl_label = "Add Camera"
    bl_options = {"REGISTER", "UNDO", "PRESET"}

    declared = Camera

    __annotations__ = {
        **declared_keywords(Camera.parameters()),
        "replace": switch_property("Replace", "Render with it instead of a camera of your own"),
        "from_panel": from_panel_property(),
    }

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        """Place the camera."""
        terrain = state.active_terrain(context)
        look = terrains.look_of(terrain)
        camera = self.chosen(context, look.camera)
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
    """Continue the terrain to the horizon, with coarse land or mirror images that meet it without a step, or with open sea; or put it on a block with clean cut sides"""

    bl_idname = "terrane.surroundings_add"
    bl_label = "Add Surroundings"
    bl_options = {"REGISTER", "UNDO"}
    doing = Message("Adding Surroundings")

    declared = Surroundings

    __annotations__ = {
        **declared_keywords(Surroundings.parameters()),
        "from_panel": from_panel_property(),
    }

    def prepare(self, context: bpy.types.Context) -> Work:
        """Read the settings, and return the work that makes land."""
        terrain = state.active_terrain(context)
        self.owner = Ref.of(terrain)
        self.asked = self.wanted = self.chosen(context, Surroundings())
        if self.asked.kind == "preset":
            kind = terrains.look_of(terrain).surroundings
            self.wanted = dataclasses.replace(self.asked, kind=kind)
        return surroundings.work(terrain, self.wanted.kind)

    def finish(self, context: bpy.types.Context, result: Any) -> set[str]:
        """Write what lies around."""
        surroundings.write(context, self.owner.resolve(), self.wanted, result)
        settings.write(context, self.asked)
        return {"FINISHED"}


class TERRANE_OT_water_add(PartOperator, LongOperator, bpy.types.Operator):
    """Lay water over the terrain as a mesh: the preset's sea, lakes where erosion has left them, and rivers; it follows the terrain"""

    bl_idname = "terrane.water_add"
    bl_label = "Add Water"
    bl_options = {"REGISTER", "UNDO"}
    doing = Message("Adding Water")

    declared = Water

    __annotations__ = {
        **declared_keywords(Water.parameters()),
        "from_panel": from_panel_property(),
    }

    def prepare(self, context: bpy.types.Context) -> Work:
        """Read the heights, and what the water is to be."""
        terrain = state.active_terrain(context)
        self.owner = Ref.of(terrain)
        own = waters.settings_of(context.scene, terrain) if self.from_panel else None
        water = self.given(terrains.look_of(terrain).water if own is None else own)
        if self.properties.is_property_set("level") and not self.properties.is_property_set("sea"):
            water = dataclasses.replace(water, sea=True)
        self.chosen_water = water
        for one in Water.parameters():
            setattr(self, one.name, getattr(water, one.name))
        return waters.prepare(terrain, water)

    def finish(self, context: bpy.types.Context, result: Any) -> set[str]:
        """Write the water, and what of it lies around the terrain."""
        terrain = self.owner.resolve()
        kind = surroundings.kind_of(context.scene, terrain)
        look = terrains.look_of(terrain)
        if not waters.write(context, terrain, self.chosen_water, result, look.palette):
            raise waters.no_water_error(terrain)
        has_sea = self.chosen_water.sea
        _surround(context, terrain, kind if has_sea or kind != "sea" else "none")
        return {"FINISHED"}


def _surround(context: bpy.types.Context, terrain: bpy.types.Object, kind: str) -> None:
    """Write again what lies around a terrain, after its water has changed."""
    present = settings.read(context, Surroundings)
    surroundings.write(context, terrain, dataclasses.replace(present, kind=kind))


def _take_off_ground(scene: bpy.types.Scene, terrain: bpy.types.Object) -> None:
    materials.take_off(terrain, ground_settings.MARK, lands.fit_materials)


def _remove_water(scene: bpy.types.Scene, terrain: bpy.types.Object) -> None:
    """Remove the water; the sea around goes too, and mirror images show none."""
    kind = surroundings.kind_of(scene, terrain)
    waters.remove(scene, terrain)
    if kind in {"mirror", "base"}:
        _surround(bpy.context, terrain, kind)


_REMOVE: dict[str, tuple[str, Callable[[Any, Any], None]]] = {
    "ground": ("The ground material", _take_off_ground),
    "colors": ("The colors of the land in Solid view", lambda _, one: ground_colors.remove(one)),
    "sky": ("The world, the sun and the haze", lambda scene, _: skies.remove(scene)),
    "camera": ("The camera over the terrain", lambda scene, _: cameras.remove(scene)),
    "water": ("The sea, lakes and rivers", _remove_water),
    "surroundings": ("What lies around the terrain", lambda *both: surroundings.remove(*both)),
    "plants": ("Plants and stones", lambda *both: plants.remove(*both)),
    "detail_patch": ("The fine ground before the camera", lambda *both: patches.remove(*both)),
}
"""What each part is, and how it is removed from a scene with its terrain: modules are imported on use."""


class TERRANE_OT_landscape_part_remove(TerrainOperator, bpy.types.Operator):
    """Remove this part of the landscape; the terrain stays"""

    bl_idname = "terrane.landscape_part_remove"
    bl_label = "Remove"
    bl_options = {"REGISTER", "UNDO"}

    __annotations__ = {
        "part": choice_property(
            "Part", "What is removed", enum_items({key: text for key, (text, _) in _REMOVE.items()})
        ),
    }

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Remove the part."""
        terrain = state.active_terrain(context)
        _, remove = _REMOVE[self.part]
        remove(context.scene, terrain)
        return {"FINISHED"}
