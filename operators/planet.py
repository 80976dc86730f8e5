# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators that add and update a planet."""

from __future__ import annotations

import json
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import bpy

from ..noise_core.base.errors import TerraneError
from ..noise_core.landscapes.planet_kinds import KINDS
from ..noise_core.landscapes.scene import Planet
from .bridge.datablocks.ref import Ref
from .bridge.interface.messages import Message
from .bridge.nodetree.terrain_material import plan
from .bridge.scene import planet_gas, planet_records, planet_shells, planets, settings
from .bridge.scene.planet_product import PLANET
from .bridge.schema import state
from .bridge.tasks.steps import Steps
from .bridge.terrain import terrain_product, terrains, viewports
from .colors import ColorsOperator, colors_property
from .long_operator import LongOperator
from .materials import DEFAULTS, GroundOperator
from .options import choice_property, draw_columns, draw_declared, switch_property
from .recipe_keywords import RecipeOperator, declared_keywords, recipe_keywords
from .terrain import why_not_add


def planet_keywords() -> dict[str, Any]:
    """Return the annotations of the keywords of a `PlanetOperator`."""
    return {**recipe_keywords(measured=False), **declared_keywords(Planet.parameters())}


class PlanetOperator(RecipeOperator):
    """Mix-in of operators that make a planet."""

    option_parameters = tuple(Planet.parameters())

    def planet_request(self, context: bpy.types.Context) -> tuple[terrains.Request, Planet]:
        """Return the request for the ground and the measures; refuse what a planet cannot be made of."""
        request = self.request(context)
        planet_records.check_masks(request.states)
        values = self.chosen_options(context)
        for parameter in self.option_parameters:
            parameter.check(values[parameter.name], "Planet")
        return request, Planet(**values)

    def draw_options(self, layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
        """Draw the measures and the parts."""
        draw_declared(
            layout, self, (each for each in self.option_parameters if each.is_visible(self))
        )


class TERRANE_OT_planet_add(GroundOperator, PlanetOperator, ColorsOperator, bpy.types.Operator):
    """Add a planet with climates, sea, ice and air; with sun and camera if missing"""

    bl_idname = "terrane.planet_add"
    bl_label = "Add Planet"
    bl_options = {"REGISTER", "UNDO", "PRESET"}
    doing = Message("Adding a Planet")

    __annotations__ = {
        **planet_keywords(),
        "kind": choice_property(
            "Kind",
            "Kind of planet to begin with; changes all settings that are not given",
            [(key, kind.label, kind.help) for key, kind in KINDS.items()],
        ),
        "colors": colors_property(),
        "view": switch_property(
            "View",
            "Add sun, camera and a dark sky where the scene has none",
            default=True,
        ),
    }
    if TYPE_CHECKING:
        view: bool
        kind: str
    beginnings = ("preset", "kind")

    writes = (state.scene,)
    why_not = staticmethod(why_not_add)

    def request(self, context: bpy.types.Context) -> terrains.Request:
        """Return the request of the keywords; without a preset and a panel, that of the planet that ships."""
        is_chosen = self.properties.is_property_set("preset") or self.recipe or self.from_panel
        if not is_chosen or self.recipe in planets.standard_texts():
            self.recipe = planets.standard_text(self.kind)
        return super().request(context)

    def usual_options(self) -> dict[str, Any]:
        """Return the measures of the kind."""
        return {**super().usual_options(), **KINDS[self.kind].values}

    def chosen_options(self, context: bpy.types.Context) -> dict[str, Any]:
        """Return the measures; those of this kind are forgotten when another one is chosen in the redo panel."""
        chosen = super().chosen_options(context)
        shown = {name: getattr(self, name) for name in chosen}
        self.shown = json.dumps({**shown, **self.previous_values()})
        return chosen

    def stored_options(self, context: bpy.types.Context) -> None:
        """Return nothing: panels show no measures of planets that are to be added."""
        return

    def run(self, context: bpy.types.Context) -> Steps[set[str]]:
        """Add the planet, then its parts; remove all of it if a step fails. Recipes that need a grid are refused."""
        request, measures = self.planet_request(context)
        name = planet_records.STANDARD if self.recipe else request.preset
        arrays = yield planets.work(request.acting, measures, colored=self.colors)
        if reason := self.refusal(context):
            raise TerraneError("No planet was added. {}", reason)
        with ExitStack() as undo:
            planet = planets.add_object(context, arrays)
            added = Ref.of(planet)
            undo.callback(planets.remove, added)
            about = arrays.about
            planet_records.remember(planet, about, request.recipe, measures, name, request.states)
            yield None
            planets.add_shells(context, added.resolve(), arrays)
            yield None
            values = {**DEFAULTS, "palette": measures.palette}
            ground = plan.TerrainPlan.of(values, (), terrains.look_of(added.resolve()))
            if measures.gas == "none":
                yield from self.make_ground(context, added.resolve(), ground)
            else:
                planet_gas.write(added.resolve(), measures.gas)
            if self.view:
                planets.add_view(context, added.resolve(), measures)
            planet_shells.face_sun(context.scene, added.resolve())
            undo.pop_all()
        self.width = planets.width_of(measures)
        return {"FINISHED"}

    def show(self, context: bpy.types.Context) -> None:
        """Adjust the viewport to show all of the planet, in its colors."""
        viewports.show(context, context.active_object, self.width)
        if self.colors and viewports.show_colors(context):
            self.tell_of_colors()

    def draw_options(self, layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
        """Draw the measures, the parts and the switches."""
        layout.prop(self, "kind")
        PlanetOperator.draw_options(self, layout, context)
        draw_columns(layout, self, ("colors", "view"))


class TERRANE_OT_planet_update(LongOperator, PlanetOperator, bpy.types.Operator):
    """Rebuild the active planet; materials and children are kept"""

    bl_idname = "terrane.planet_update"
    bl_label = "Update Planet"
    bl_options = {"REGISTER", "UNDO"}
    doing = Message("Updating the Planet")

    __annotations__ = planet_keywords()
    writes = (state.settings_owner,)

    @staticmethod
    def why_not(context: bpy.types.Context) -> str:
        """Refuse it without a planet in Object Mode."""
        planet = state.active_planet(context)
        if planet is not None and planet.mode != "OBJECT":
            return Message("Switch to Object Mode first")
        return state.why_no_planet(context)

    def stored_settings(self, context: bpy.types.Context) -> Any:
        """Return the settings of the planet."""
        return state.active_settings(context)

    def stored_options(self, context: bpy.types.Context) -> Any:
        """Return the measures of the planet."""
        return settings.PLANET.group(self.stored_settings(context).id_data)

    def run(self, context: bpy.types.Context) -> Steps[set[str]]:
        """Read the settings, of which keywords win, and write the planet and its settings."""
        planet = state.active_planet(context)
        assert planet is not None
        owner = Ref.of(planet)
        reason = PLANET.refusal(planet)
        if reason and reason != terrain_product.EDITED:
            raise TerraneError(reason)
        request, measures = self.planet_request(context)
        name = planet_records.STANDARD if self.recipe else request.preset
        if self.uses_settings:
            name = self.stored_settings(context).preset
        arrays = yield from PLANET.run(planet, (request.acting, measures))
        planet = owner.resolve()
        planet_records.remember(
            planet, arrays.about, request.recipe, arrays.planet, name, request.states
        )
        return {"FINISHED"}
