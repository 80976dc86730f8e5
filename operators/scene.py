# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators that add landscapes, and their parts: water, surroundings, sky, camera."""

from __future__ import annotations

import dataclasses
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, TypeVar

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty

from .bridge.datablocks.ref import Ref
from .bridge.interface.core import SURROUNDINGS, Camera, Declared, Look, Sky, title_of
from .bridge.interface.messages import Message, report
from .bridge.nodetree.terrain_material import plan
from .bridge.scene import cameras, patches, settings, skies, surroundings, waters
from .bridge.schema import state
from .bridge.schema.values import number, read_values
from .bridge.tasks import steps
from .bridge.tasks.steps import Steps
from .bridge.terrain import catalog, terrains
from .long_operator import refuses
from .maps import maps_property
from .materials import DEFAULTS, GroundOperator
from .options import from_panel_property, redo_layout, switch_property
from .recipe_keywords import declared_keywords, recipe_keywords, reports_errors
from .terrain import AddTerrainOperator

AnyDeclared = TypeVar("AnyDeclared", bound=Declared)


class TERRANE_OT_landscape_add(AddTerrainOperator, GroundOperator, bpy.types.Operator):
    """Add a terrain with its ground, water, surroundings, sky and camera: press F12 for its picture."""

    bl_idname = "terrane.landscape_add"
    bl_label = "Add Landscape"
    bl_description = "Add a terrain with ground, water, surroundings, sky and camera, as the picture of its preset has them; press F12 to render it"
    bl_options = {"REGISTER", "UNDO", "PRESET"}
    doing = Message("Adding a Landscape")

    __annotations__ = {
        **recipe_keywords(measured=True),
        "maps": maps_property(catalog.modifier_maps()),
        "ground": switch_property("Ground", "Give the terrain its material", default=True),
        "water": switch_property("Water", "Add the sea and the lakes", default=True),
        "surroundings": switch_property("Surroundings", "Go on to the horizon", default=True),
        "sky": switch_property("Sky", "Add sky, sun and haze", default=True),
        "camera": switch_property("Camera", "Place a camera", default=True),
    }
    if TYPE_CHECKING:
        ground: bool
        water: bool
        surroundings: bool
        sky: bool
        camera: bool

    def draw_options(self, layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
        """Draw the measures, the parts and the maps."""
        row = layout.row(align=True, heading="Parts")
        for name in ("ground", "water", "surroundings", "sky", "camera"):
            row.prop(self, name, toggle=True)
        super().draw_options(layout, context)

    def finish(self, context: bpy.types.Context, result: Any) -> Steps[set[str]]:
        """Add the terrain, then what belongs to it; take all of it away if that fails."""
        with ExitStack() as undo:
            yield from super().finish(context, result)
            added = Ref.of(context.active_object)
            undo.callback(surroundings.remove_terrain, context.scene, added)
            look = terrains.look_of(added.resolve())
            if self.ground:
                values = {**DEFAULTS, "water": "none"} if self.water else DEFAULTS
                ground = plan.TerrainPlan.of(values, (), look)
                parts = yield self.prepare_ground(context, added.resolve(), ground)
                self.finish_ground(context, parts)
                yield None
            if self.water and (look.sea is not None or look.has_lakes):
                terrain, sea = added.resolve(), look.sea
                yield from waters.write(context, terrain, sea, look.palette, is_optional=True)
                yield None
            if self.surroundings:
                terrain, kind = added.resolve(), look.surroundings
                is_dry = waters.sea_of(context.scene, terrain) is None
                surroundings.write(context, terrain, "none" if is_dry and kind == "sea" else kind)
                yield None
            self._add_view(context, added.resolve(), look)
            undo.pop_all()
        return {"FINISHED"}

    def _add_view(self, context: bpy.types.Context, terrain: bpy.types.Object, look: Look) -> None:
        """Add the sky and the camera, unless the scene has those of the user."""
        world = context.scene.world
        if self.sky and (skies.is_ours(world) or skies.is_untouched(world)):
            settings.write(context, look.sky)
            skies.write(context, look.sky, terrain)
        elif self.sky:
            report(
                self, {"INFO"}, "World {} is yours and stays: Add Sky can replace it", world.name
            )
        if self.camera:
            settings.write(context, look.camera)
            if not cameras.place(context, terrain, look.camera, look.sea):
                own = context.scene.camera.name
                report(self, {"INFO"}, "{} stays the camera of the scene", own)


class TerrainOperator:
    """Mix-in of operators on what belongs to the active terrain."""

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Allow it with an active terrain."""
        return not refuses(cls, _why_not(context))


class _PartOperator(TerrainOperator):
    """Mix-in of operators that add a part of a landscape around the active terrain."""

    declared: type[Declared]

    if TYPE_CHECKING:
        # Attributes of bpy.types.Operator, unknown in a mix-in.
        def __getattr__(self, name: str) -> Any: ...

    def chosen(self, context: bpy.types.Context, usual: AnyDeclared) -> AnyDeclared:
        """Return what the keywords say; what is not given comes from the panel, or is the preset's."""
        if self.from_panel:
            usual = settings.read(context, type(usual))
        given = [one for one in usual.parameters() if self.properties.is_property_set(one.name)]
        defaults = {one.name: getattr(usual, one.name) for one in given}
        chosen = dataclasses.replace(usual, **read_values(self.properties, given, defaults))  # type: ignore[type-var]
        settings.write(context, chosen)
        return chosen

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the redo panel."""
        layout = redo_layout(self)
        for one in self.declared.parameters():
            row = layout.row()
            row.active = one.is_visible(self)
            row.prop(self, one.name)
        layout.prop(self, "replace")


def _why_not(context: bpy.types.Context) -> str:
    if state.active_terrain(context) is None:
        return Message("Select a terrain that was added with Terrane")
    if not context.scene.is_editable:
        return Message("The scene is linked from another file: add the terrain to another scene")
    return ""


class TERRANE_OT_sky_add(_PartOperator, bpy.types.Operator):
    """Give the scene the sky of the active terrain's preset, with sun and haze."""

    bl_idname = "terrane.sky_add"
    bl_label = "Add Sky"
    bl_description = "Give the scene a sky with sun, haze and clouds: that of the terrain's preset, unless something else is set"
    bl_options = {"REGISTER", "UNDO", "PRESET"}

    declared = Sky

    __annotations__ = {
        **declared_keywords(Sky.parameters()),
        "replace": switch_property("Replace", "Take the place of a world of your own"),
        "from_panel": from_panel_property(),
    }

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        """Write the world, the sun and the haze."""
        terrain = state.active_terrain(context)
        world = context.scene.world
        if not (self.replace or skies.is_ours(world) or skies.is_untouched(world)):
            report(
                self,
                {"ERROR"},
                "World {} is yours: choose Replace to put the sky in its place",
                world.name,
            )
            return {"CANCELLED"}
        sky = self.chosen(context, terrains.look_of(terrain).sky)
        skies.write(context, sky, terrain)
        return {"FINISHED"}


class TERRANE_OT_camera_add(_PartOperator, bpy.types.Operator):
    """Place a camera over the active terrain, where its preset's picture is taken."""

    bl_idname = "terrane.camera_add"
    bl_label = "Add Camera"
    bl_description = "Place a camera over the terrain, where the picture of its preset is taken; a second press moves it there again"
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
        is_active = cameras.place(context, terrain, camera, look.sea, is_replacing=self.replace)
        if not is_active:
            report(
                self,
                {"INFO"},
                "{} stays the camera of the scene: choose Replace for the new one",
                context.scene.camera.name,
            )
        return {"FINISHED"}


class TERRANE_OT_surroundings_add(TerrainOperator, bpy.types.Operator):
    """Continue the active terrain to the horizon."""

    bl_idname = "terrane.surroundings_add"
    bl_label = "Add Surroundings"
    bl_description = "Continue the terrain to the horizon, with mirror images that meet it without a step or with open sea"
    bl_options = {"REGISTER", "UNDO"}

    __annotations__ = {
        "kind": EnumProperty(
            name="Kind",
            description="What lies around the terrain",
            items=[
                ("preset", "Of the Preset", "What the preset's picture has"),
                *((key, title_of(key), text) for key, text in SURROUNDINGS.items()),
            ],
            options={"SKIP_SAVE"},
        ),
    }
    if TYPE_CHECKING:
        kind: str

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        """Add the images."""
        terrain = state.active_terrain(context)
        look = terrains.look_of(terrain)
        kind = look.surroundings if self.kind == "preset" else self.kind
        surroundings.write(context, terrain, kind)
        return {"FINISHED"}


class TERRANE_OT_water_add(TerrainOperator, bpy.types.Operator):
    """Lay water over the active terrain: a sea, and lakes."""

    bl_idname = "terrane.water_add"
    bl_label = "Add Water"
    bl_description = "Lay water over the terrain as a mesh: lakes where erosion has left them, and the preset's sea; it follows the terrain"
    bl_options = {"REGISTER", "UNDO"}

    __annotations__ = {
        "sea": BoolProperty(
            name="Sea", description="Flood all ground below the level", options={"SKIP_SAVE"}
        ),
        "level": FloatProperty(
            name="Level",
            description="Height of the sea, along the terrain's Z axis",
            subtype="DISTANCE",
            options={"SKIP_SAVE"},
        ),
    }
    if TYPE_CHECKING:
        properties: Any
        sea: bool
        level: float

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        """Write the water, and what of it lies around the terrain."""
        terrain = state.active_terrain(context)
        look = terrains.look_of(terrain)
        is_set = self.properties.is_property_set
        if not is_set("sea"):
            self.sea = look.sea is not None or is_set("level")
        if self.sea and not is_set("level"):
            self.level = look.sea or 0.0
        kind = surroundings.kind_of(context.scene, terrain)
        level = number(self.level) if self.sea else None
        steps.at_once(waters.write(context, terrain, level, look.palette))
        surroundings.write(context, terrain, kind if self.sea or kind != "sea" else "none")
        return {"FINISHED"}


PARTS = (
    ("sky", "Sky", "The world, the sun and the haze"),
    ("camera", "Camera", "The camera over the terrain"),
    ("water", "Water", "The sea and the lakes"),
    ("surroundings", "Surroundings", "What lies around the terrain"),
    ("detail_patch", "Detail Patch", "The fine ground before the camera"),
)


class TERRANE_OT_landscape_part_remove(TerrainOperator, bpy.types.Operator):
    """Remove a part of the landscape, without a trace."""

    bl_idname = "terrane.landscape_part_remove"
    bl_label = "Remove"
    bl_description = "Remove this part of the landscape; the terrain stays"
    bl_options = {"REGISTER", "UNDO"}

    __annotations__ = {
        "part": EnumProperty(name="Part", description="What is removed", items=PARTS),
    }
    if TYPE_CHECKING:
        part: str

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Remove the part."""
        terrain = state.active_terrain(context)
        if self.part == "sky":
            skies.remove(context.scene)
        elif self.part == "camera":
            cameras.remove(context.scene)
        elif self.part == "detail_patch":
            patches.remove(context.scene, terrain)
        elif self.part == "water":
            kind = surroundings.kind_of(context.scene, terrain)
            waters.remove(context.scene, terrain)
            surroundings.write(context, terrain, "none" if kind == "sea" else kind)
        else:
            surroundings.remove(context.scene, terrain)
        return {"FINISHED"}
