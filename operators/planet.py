# SPDX-License-Identifier: GPL-3.0-or-later
"""The operator that adds a planet."""

from __future__ import annotations

import dataclasses
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import bpy

from ..noise_core.base.errors import TerraneError
from ..noise_core.landscapes.scene import Planet
from .bridge.datablocks.ref import Ref
from .bridge.interface.messages import Message
from .bridge.nodetree.terrain_material import plan
from .bridge.scene import planet_product, planet_records, planets, settings
from .bridge.schema import state
from .bridge.schema.values import read_given
from .bridge.tasks.jobs import Work
from .bridge.tasks.product import Update
from .bridge.tasks.steps import Steps
from .bridge.terrain import terrain_product, terrains, viewports
from .colors import ColorsOperator, colors_property
from .long_operator import LongOperator
from .materials import DEFAULTS, GroundOperator
from .options import checked_values, draw_columns, draw_declared, redo_layout, switch_property
from .recipe_keywords import RecipeOperator, declared_keywords, recipe_keywords
from .terrain import why_not_add


class TERRANE_OT_planet_add(GroundOperator, RecipeOperator, ColorsOperator, bpy.types.Operator):
    """Add a planet with climates, sea, ice and air; with sun and camera if missing"""

    bl_idname = "terrane.planet_add"
    bl_label = "Add Planet"
    bl_options = {"REGISTER", "UNDO", "PRESET"}
    doing = Message("Adding a Planet")

    __annotations__ = {
        **recipe_keywords(measured=False),
        **declared_keywords(Planet.parameters()),
        "colors": colors_property(),
        "view": switch_property(
            "View",
            "Add sun, camera and a dark sky where the scene has none",
            default=True,
        ),
    }
    if TYPE_CHECKING:
        view: bool

    writes = (state.scene,)
    why_not = staticmethod(why_not_add)

    def request(self, context: bpy.types.Context) -> terrains.Request:
        """Return the request of the keywords; without a preset and a panel, that of the planet that ships."""
        is_chosen = self.properties.is_property_set("preset") or self.recipe or self.from_panel
        if not is_chosen:
            self.recipe = planets.standard_text()
        return super().request(context)

    def prepare(self, context: bpy.types.Context) -> Work:
        """Read the settings, and refuse recipes that need a grid."""
        self.current_request = self.request(context)
        self.planet = Planet(**checked_values(self, Planet.parameters(), "Planet"))
        return planets.work(self.current_request.acting, self.planet, colored=self.colors)

    def finish(self, context: bpy.types.Context, result: Any) -> Steps[set[str]]:
        """Add the planet, then its parts; remove all of it if a step fails."""
        if reason := self.refusal(context):
            raise TerraneError("No planet was added. {}", reason)
        with ExitStack() as undo:
            planet = planets.add_object(context, result)
            added = Ref.of(planet)
            undo.callback(planets.remove, added)
            yield None
            planets.add_shells(context, added.resolve(), result)
            yield None
            values = {**DEFAULTS, "palette": self.planet.palette}
            ground = plan.TerrainPlan.of(values, (), terrains.look_of(added.resolve()))
            parts = yield self.prepare_ground(context, added.resolve(), ground)
            self.finish_ground(context, parts)
            if self.view:
                planets.add_view(context, added.resolve(), self.planet.radius)
            undo.pop_all()
        return {"FINISHED"}

    def show(self, context: bpy.types.Context) -> None:
        """Adjust the viewport to show all of the planet, in its colors."""
        viewports.show(context, context.active_object, planets.width_of(self.planet))
        if self.colors and viewports.show_attribute(context):
            self.tell_of_attributes()

    def draw_options(self, layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
        """Draw the measures and the parts."""
        shape = ("radius", "relief", "resolution", "scale")
        draw_columns(layout, self, shape, ("sea_cover", "ice_latitude", "palette"))
        column = layout.column(align=True)
        column.prop(self, "atmosphere")
        if self.atmosphere:
            column.prop(self, "air_depth")
        draw_columns(layout, self, ("colors", "view"))


class TERRANE_OT_planet_update(LongOperator, bpy.types.Operator):
    """Rebuild the active planet; materials and children are kept"""

    bl_idname = "terrane.planet_update"
    bl_label = "Update Planet"
    bl_options = {"REGISTER", "UNDO"}
    doing = Message("Updating the Planet")

    __annotations__ = declared_keywords(settings.PLANET.parameters)

    @staticmethod
    def why_not(context: bpy.types.Context) -> str:
        """Refuse it without a planet in Object Mode."""
        planet = state.active_planet(context)
        if planet is not None and planet.mode != "OBJECT":
            return Message("Switch to Object Mode first")
        return state.why_no_planet(context)

    def prepare(self, context: bpy.types.Context) -> Work:
        """Read the settings; keywords win over them."""
        planet = state.active_planet(context)
        assert planet is not None
        self.owner = Ref.of(planet)
        reason = planet_product.PLANET.refusal(planet)
        if reason and reason != terrain_product.EDITED:
            raise TerraneError(reason)
        declared = settings.PLANET.parameters
        values = read_given(self.properties, declared, settings.PLANET.read(planet))
        for parameter in declared:
            parameter.check(values[parameter.name], "Planet")
        recipe, _ = planet_records.read(planet)
        recipe = dataclasses.replace(recipe, seed=values.pop("seed"))
        update = Update("", (), (1, 1), (recipe, Planet(**values)))
        return planet_product.PLANET.work(planet, update)

    def finish(self, context: bpy.types.Context, result: Any) -> set[str]:
        """Write the planet, and its settings."""
        planet = self.owner.resolve()
        planet_product.PLANET.write(planet, None, result)
        planet_records.remember(planet, result.about, result.recipe, result.planet)
        return {"FINISHED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the redo panel."""
        draw_declared(redo_layout(self), self, settings.PLANET.parameters)
