# SPDX-License-Identifier: GPL-3.0-or-later
"""Operator that adds a landscape to a terrain, which may be new."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import bpy
from bpy.props import BoolProperty

from ..noise_core.base.errors import TerraneError
from ..noise_core.landscapes.look import Look
from ..noise_core.landscapes.preset_library import preset
from ..noise_core.landscapes.scene import Cliffs
from .bridge.datablocks import linked, meshes
from .bridge.datablocks.ref import Ref
from .bridge.interface.messages import Message, report
from .bridge.nodetree.terrain_material import plan
from .bridge.scene import (
    cameras,
    cliffs,
    landscapes,
    plants,
    renders,
    settings,
    sky_product,
    surroundings,
    waters,
)
from .bridge.schema import settings as recipe_settings
from .bridge.schema import state
from .bridge.schema.exact_numbers import number
from .bridge.schema.keywords import NOISE_KEYWORDS, TERRAIN_KEYWORDS
from .bridge.tasks.jobs import Work
from .bridge.tasks.steps import Steps, part_of_steps, part_of_work
from .bridge.terrain import catalog, terrains, viewports
from .colors import colors_property
from .maps import map_keywords
from .materials import DEFAULTS, GroundOperator
from .options import HIDDEN, redo_layout, switch_property
from .recipe_keywords import chain_values, recipe_keywords
from .terrain import AddTerrainOperator

_SHARES = {
    "terrain": (0.0, 0.4),
    "ground": (0.4, 0.6),
    "colors": (0.6, 0.7),
    "water": (0.7, 0.85),
    "surroundings": (0.85, 0.9),
    "view": (0.9, 0.93),
    "cliffs": (0.93, 1.0),
}
"""From where to where the progress goes meanwhile: estimates, since each preset takes its time elsewhere."""


class TERRANE_OT_landscape_add(AddTerrainOperator, GroundOperator, bpy.types.Operator):
    """Dress the active terrain like the preset's preview, or add one; its recipe stays"""

    bl_idname = "terrane.landscape_add"
    bl_label = "Add Landscape"
    bl_options = {"REGISTER", "UNDO", "PRESET"}
    doing = Message("Adding a Landscape")
    is_new = True

    __annotations__ = {
        **recipe_keywords(measured=True),
        **map_keywords(catalog.modifier_maps()),
        "ground": switch_property("Ground", "Give the terrain its ground material", default=True),
        "colors": colors_property(),
        "water": switch_property("Water", "Add the sea, lakes and rivers", default=True),
        "surroundings": switch_property(
            "Surroundings", "Continue the terrain to the horizon", default=True
        ),
        "sky": switch_property("Sky", "Add sky, sun and haze", default=True),
        "camera": switch_property("Camera", "Place a camera", default=True),
        "plants": switch_property("Plants", "Add plants and stones", default=True),
        "cliffs": switch_property(
            "Cliffs", "Give steep ground a finer mesh, in presets with cliffs", default=True
        ),
        "render_settings": switch_property(
            "Render Settings", "Set engine, samples and view transform as in the preset's preview"
        ),
        "new_terrain": switch_property(
            "New Terrain", "Make another terrain instead of dressing the active one"
        ),
        "is_dressing": BoolProperty(options=HIDDEN),
    }
    if TYPE_CHECKING:
        ground: bool
        water: bool
        surroundings: bool
        sky: bool
        camera: bool
        plants: bool
        cliffs: bool
        render_settings: bool
        new_terrain: bool
        is_dressing: bool

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the redo panel: the parts, and the noise only if there is a new terrain."""
        if self.is_dressing:
            _draw_parts(redo_layout(self), self)
        else:
            AddTerrainOperator.draw(self, context)

    def draw_options(self, layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
        """Draw the measures, the parts and the maps."""
        _draw_parts(layout, self)
        AddTerrainOperator.draw_options(self, layout, context)

    def run(self, context: bpy.types.Context) -> Steps[set[str]]:
        """Add the terrain unless one is active, then its landscape; remove all that was added if a step fails."""
        terrain = self._terrain_to_dress(context)
        self.is_dressing = terrain is not None
        if not self.properties.is_property_set("render_settings"):
            self.render_settings = renders.is_untouched(context.scene)
        with ExitStack() as undo:
            if terrain is None:
                yield from super().run(context)
                self.land = Ref.of(context.active_object)
                undo.callback(surroundings.remove_terrain, context.scene, self.land)
                landscapes.note_new(context.active_object)
            else:
                self.land, self.is_new = Ref.of(terrain), False
            undo.callback(_remover(context.scene, self.land.resolve()))
            if terrain is not None:
                self._choose_look(terrain)
            view = viewports.View.of(context) if self._runner is not None else None
            if view is not None:  # it is seen from now on: not as a wall around a cube
                undo.callback(view.restore, context)
                self.show(context)
            yield from self._dress(context, self.land)
            undo.pop_all()
        return {"FINISHED"}

    def show(self, context: bpy.types.Context) -> None:
        """Adjust the viewport to show all of the terrain, in its colors."""
        terrain = self.land.find()
        if terrain is not None:
            viewports.show(context, terrain, terrains.built_grid(terrain).size)
            self.show_colors(context, terrain)

    def _terrain_to_dress(self, context: bpy.types.Context) -> bpy.types.Object | None:
        """Return the active terrain, whose recipe stays; None if a new one is to be made.

        Outside of the panel a new one is made too if nothing is selected.

        Raises
        ------
        TerraneError
            If the terrain cannot be changed, or a keyword differs from it.
        """
        terrain = state.active_terrain(context)
        is_meant = self.from_panel or bool(context.selected_objects) or self.is_dressing
        if terrain is None or self.new_terrain or not is_meant:
            return None
        linked.require_writable(terrain, meshes.mesh_of(terrain))
        request = terrains.present_request(terrain)
        stored = {
            **chain_values(request.recipe),
            **recipe_settings.measures(request.recipe),
            **vars(request.measures),
        }
        if not self.shown:  # the redo panel has set all of them
            for name in (*NOISE_KEYWORDS, *TERRAIN_KEYWORDS, "recipe"):
                if self.properties.is_property_set(name):
                    self._require_same(terrain, name, stored.get(name))
        return terrain

    def _require_same(self, terrain: bpy.types.Object, name: str, stored: Any) -> None:
        """Raise a TerraneError if a keyword differs from the terrain that is to be dressed."""
        value = getattr(self, name)
        value = value if isinstance(value, (str, int, float)) else tuple(value)
        is_same = value == stored
        if isinstance(value, float) and isinstance(stored, (int, float)):
            is_same = number(value, stored) == stored
        if not is_same:
            raise TerraneError(
                "{} keeps its recipe and its measures: {} changes nothing; choose New Terrain, or update {}",
                *(terrain.name, f"Landscape.{name}", terrain.name),
            )

    def _choose_look(self, terrain: bpy.types.Object) -> None:
        """Take the look of another preset if one is chosen; tell that the terrain keeps its recipe."""
        if self.from_panel or not self.properties.is_property_set("preset"):
            return
        chosen = preset(self.preset)
        terrains.give_look(terrain, chosen.name)
        if chosen.name != getattr(terrain, state.PROPERTY).preset:
            text = "{} keeps its recipe and gets the look of {}"
            report(self, {"INFO"}, text, terrain.name, chosen.label)

    def _dress(self, context: bpy.types.Context, added: Ref[bpy.types.Object]) -> Steps[None]:
        """Take the steps that give a terrain its parts."""
        look, surface = terrains.look_of(added.resolve()), None
        if self.ground:
            values = {**DEFAULTS, "water": "none"} if self.water else DEFAULTS
            ground = plan.TerrainPlan.of(values, (), look)
            making = self.make_ground(context, added.resolve(), ground)
            baked = yield from part_of_steps(making, *_SHARES["ground"])
            surface = None if baked is None else baked.surface
            yield None
        coloring = self.make_colors(added.resolve())
        colors = yield from part_of_steps(coloring, *_SHARES["colors"])
        if self.water and (look.sea is not None or look.has_lakes or look.rivers):
            request = waters.WaterRequest(look.water, palette=look.palette, surface=surface)
            laying = waters.lay(added.resolve(), request)
            yield from part_of_steps(laying, *_SHARES["water"])
            yield None
        if self.surroundings:
            terrain, kind = added.resolve(), look.surroundings
            is_dry = waters.sea_of(context.scene, terrain) is None
            kind = "none" if is_dry and kind == "sea" else kind
            land_steps = surroundings.add(context, terrain, kind, colors)
            yield from part_of_steps(land_steps, *_SHARES["surroundings"])
            yield None
        if self.plants and look.plants is not None:
            plants.write(context, added.resolve(), look.plants, look.palette)
            settings.write(context, look.plants)
            yield None
        view_steps = self._add_view(context, added, look)
        yield from part_of_steps(view_steps, *_SHARES["view"])
        if self.cliffs and look.cliffs is not None:
            shaping = self._add_cliffs(context, added, look.cliffs)
            yield from part_of_steps(shaping, *_SHARES["cliffs"])

    def _add_cliffs(
        self, context: bpy.types.Context, added: Ref[bpy.types.Object], chosen: Cliffs
    ) -> Steps[None]:
        """Add the cliffs, finest before the camera."""
        terrain = added.resolve()
        request = cliffs.CliffsRequest.before_camera(context, terrain, chosen)
        yield from cliffs.shape(terrain, request)
        settings.write(context, chosen)

    def usual_measures(self, preset_name: str) -> dict[str, Any]:
        """Return the measures of a landscape of a preset, as fine as it is within seconds."""
        measures = super().usual_measures(preset_name)
        return {**measures, "resolution": preset(preset_name).look.resolution}

    def part_of_terrain(self, work: Work) -> Work:
        """Return the work on the terrain as the first part of the work."""
        return part_of_work(work, *_SHARES["terrain"])

    def _add_view(
        self, context: bpy.types.Context, added: Ref[bpy.types.Object], look: Look
    ) -> Steps[None]:
        """Add the sky and the camera, unless the scene has those of the user."""
        scene = context.scene
        if self.render_settings:
            renders.replace(scene, look.render)
        if self.sky and not sky_product.SKY.refusal(scene):
            request = sky_product.SkyRequest(look.sky, added)
            yield from sky_product.SKY.run(scene, request)
            settings.write(context, look.sky)
        elif self.sky:
            name = scene.world.name
            report(self, {"INFO"}, "World {} is yours and stays: Add Sky can replace it", name)
        if self.camera:
            settings.write(context, look.camera)
            if not cameras.place(context, added.resolve(), look.camera, look.sea):
                name = context.scene.camera.name
                report(self, {"INFO"}, "{} stays the camera of the scene", name)


def _draw_parts(layout: bpy.types.UILayout, operator: Any) -> None:
    """Draw the switches of the parts, of the render settings and of a new terrain."""
    row = layout.row(align=True, heading="Parts")
    for name in ("ground", "colors", "water", "surroundings", "sky", "camera", "plants", "cliffs"):
        row.prop(operator, name, toggle=True)
    for name in ("render_settings", "new_terrain"):
        layout.prop(operator, name)


def _remover(scene: bpy.types.Scene, terrain: bpy.types.Object) -> Callable[[], None]:
    """Return a function that removes what a terrain gets from now on, if it is still there."""
    land, look = Ref.of(terrain), terrains.look_name(terrain)
    before = landscapes.present(scene, terrain)

    def remove_added() -> None:
        terrain = land.find()
        if terrain is None:
            return
        for name in landscapes.present(scene, terrain):
            if name not in before:
                landscapes.PARTS[name].remove(scene, terrain)
        terrains.give_look(terrain, look)
        landscapes.restore_scene(scene)

    return remove_added
