# SPDX-License-Identifier: GPL-3.0-or-later
"""Operator that adds a landscape: a terrain and all its parts."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import bpy

from .bridge.datablocks.ref import Ref
from .bridge.interface.core import Look
from .bridge.interface.messages import Message, report
from .bridge.nodetree.terrain_material import plan
from .bridge.scene import (
    cameras,
    plants,
    settings,
    skies,
    surroundings,
    waters,
)
from .bridge.tasks.steps import Steps
from .bridge.terrain import catalog, terrains, viewports
from .colors import ColorsOperator, colors_property
from .maps import maps_property
from .materials import DEFAULTS, GroundOperator
from .options import switch_property
from .recipe_keywords import recipe_keywords
from .terrain import AddTerrainOperator


class TERRANE_OT_landscape_add(
    AddTerrainOperator, GroundOperator, ColorsOperator, bpy.types.Operator
):
    """Add a terrain with ground, water, surroundings, sky, camera and plants, as the picture of its preset has them; press F12 to render it"""

    bl_idname = "terrane.landscape_add"
    bl_label = "Add Landscape"
    bl_options = {"REGISTER", "UNDO", "PRESET"}
    doing = Message("Adding a Landscape")

    __annotations__ = {
        **recipe_keywords(measured=True),
        "maps": maps_property(catalog.modifier_maps()),
        "ground": switch_property("Ground", "Give the terrain its ground material", default=True),
        "colors": colors_property(),
        "water": switch_property("Water", "Add the sea, lakes and rivers", default=True),
        "surroundings": switch_property("Surroundings", "Go on to the horizon", default=True),
        "sky": switch_property("Sky", "Add sky, sun and haze", default=True),
        "camera": switch_property("Camera", "Place a camera", default=True),
        "plants": switch_property("Plants", "Add plants and stones", default=True),
    }
    if TYPE_CHECKING:
        ground: bool
        water: bool
        surroundings: bool
        sky: bool
        camera: bool
        plants: bool

    def draw_options(self, layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
        """Draw the measures, the parts and the maps."""
        row = layout.row(align=True, heading="Parts")
        for name in ("ground", "colors", "water", "surroundings", "sky", "camera", "plants"):
            row.prop(self, name, toggle=True)
        super().draw_options(layout, context)

    def finish(self, context: bpy.types.Context, result: Any) -> Steps[set[str]]:
        """Add the terrain, then what belongs to it; take all of it away if that fails."""
        with ExitStack() as undo:
            yield from super().finish(context, result)
            added = Ref.of(context.active_object)
            undo.callback(surroundings.remove_terrain, context.scene, added)
            view = viewports.View.of(context) if self._runner is not None else None
            if view is not None:  # it is seen from now on: not as a wall around a cube
                undo.callback(view.restore, context)
                self.show(context)
            look = terrains.look_of(added.resolve())
            if self.ground:
                values = {**DEFAULTS, "water": "none"} if self.water else DEFAULTS
                ground = plan.TerrainPlan.of(values, (), look)
                parts = yield self.prepare_ground(context, added.resolve(), ground)
                self.finish_ground(context, parts)
                yield None
            yield from self.make_colors(added.resolve())
            if self.water and (look.sea is not None or look.has_lakes or look.rivers):
                yield from waters.add(context, added.resolve(), look.water, look.palette)
                yield None
            if self.surroundings:
                terrain, kind = added.resolve(), look.surroundings
                is_dry = waters.sea_of(context.scene, terrain) is None
                kind = "none" if is_dry and kind == "sea" else kind
                yield from surroundings.add(context, terrain, kind)
                yield None
            if self.plants and look.plants is not None:
                undo.callback(plants.remove_from, context.scene, added)
                plants.write(context, added.resolve(), look.plants, look.palette)
                settings.write(context, look.plants)
                yield None
            yield from self._add_view(context, added, look)
            undo.pop_all()
        return {"FINISHED"}

    def show(self, context: bpy.types.Context) -> None:
        """Adjust the viewport to show all of the terrain, in its colors."""
        super().show(context)
        self.show_colors(context, context.active_object)

    def _add_view(
        self, context: bpy.types.Context, added: Ref[bpy.types.Object], look: Look
    ) -> Steps[None]:
        """Add the sky and the camera, unless the scene has those of the user."""
        world = context.scene.world
        if self.sky and (skies.is_ours(world) or skies.is_untouched(world)):
            drawn = yield skies.work(context.scene, look.sky)
            settings.write(context, look.sky)
            skies.write(context, look.sky, added.resolve(), drawn)
        elif self.sky:
            report(
                self, {"INFO"}, "World {} is yours and stays: Add Sky can replace it", world.name
            )
        if self.camera:
            settings.write(context, look.camera)
            if not cameras.place(context, added.resolve(), look.camera, look.sea):
                own = context.scene.camera.name
                report(self, {"INFO"}, "{} stays the camera of the scene", own)
