# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators that add a landscape, a terrain and all its parts, and remove parts."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import bpy

from ..noise_core.landscapes.look import Look
from .bridge.datablocks import materials
from .bridge.datablocks.ref import Ref
from .bridge.interface.messages import Message, report
from .bridge.nodetree.terrain_material import plan
from .bridge.nodetree.terrain_material import settings as ground_settings
from .bridge.scene import (
    cameras,
    ground_colors,
    lands,
    patches,
    plants,
    settings,
    skies,
    sky_product,
    surroundings,
    waters,
)
from .bridge.schema import state
from .bridge.schema.enum_items import enum_items
from .bridge.tasks.jobs import Work
from .bridge.tasks.steps import Steps, part_of_steps, part_of_work
from .bridge.terrain import catalog, terrains, viewports
from .colors import colors_property
from .maps import maps_property
from .materials import DEFAULTS, GroundOperator
from .options import choice_property, switch_property
from .part_operator import TerrainOperator, surround
from .recipe_keywords import recipe_keywords
from .terrain import AddTerrainOperator

_SHARES = {
    "terrain": (0.0, 0.4),
    "ground": (0.4, 0.6),
    "colors": (0.6, 0.7),
    "water": (0.7, 0.85),
    "surroundings": (0.85, 0.95),
    "view": (0.95, 1.0),
}
"""From where to where the progress goes meanwhile: estimates, since each preset takes its time elsewhere."""


class TERRANE_OT_landscape_add(AddTerrainOperator, GroundOperator, bpy.types.Operator):
    """Add terrain, water, surroundings, sky, plants and camera as in the preview"""

    bl_idname = "terrane.landscape_add"
    bl_label = "Add Landscape"
    bl_options = {"REGISTER", "UNDO", "PRESET"}
    doing = Message("Adding a Landscape")
    is_new = True

    __annotations__ = {
        **recipe_keywords(measured=True),
        "maps": maps_property(catalog.modifier_maps()),
        "ground": switch_property("Ground", "Give the terrain its ground material", default=True),
        "colors": colors_property(),
        "water": switch_property("Water", "Add the sea, lakes and rivers", default=True),
        "surroundings": switch_property(
            "Surroundings", "Continue the terrain to the horizon", default=True
        ),
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
        AddTerrainOperator.draw_options(self, layout, context)

    def run(self, context: bpy.types.Context) -> Steps[set[str]]:
        """Add the terrain, then its landscape; remove all of it if a step fails."""
        with ExitStack() as undo:
            yield from super().run(context)
            added = Ref.of(context.active_object)
            undo.callback(surroundings.remove_terrain, context.scene, added)
            view = viewports.View.of(context) if self._runner is not None else None
            if view is not None:  # it is seen from now on: not as a wall around a cube
                undo.callback(view.restore, context)
                self.show(context)
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
                undo.callback(plants.remove_from, context.scene, added)
                plants.write(context, added.resolve(), look.plants, look.palette)
                settings.write(context, look.plants)
                yield None
            view_steps = self._add_view(context, added, look)
            yield from part_of_steps(view_steps, *_SHARES["view"])
            undo.pop_all()
        return {"FINISHED"}

    def part_of_terrain(self, work: Work) -> Work:
        """Return the work on the terrain as the first part of the work."""
        return part_of_work(work, *_SHARES["terrain"])

    def _add_view(
        self, context: bpy.types.Context, added: Ref[bpy.types.Object], look: Look
    ) -> Steps[None]:
        """Add the sky and the camera, unless the scene has those of the user."""
        scene = context.scene
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


def _take_off_ground(scene: bpy.types.Scene, terrain: bpy.types.Object) -> None:
    materials.take_off(terrain, ground_settings.MARK, lands.fit_materials)


def _remove_water(scene: bpy.types.Scene, terrain: bpy.types.Object) -> None:
    """Remove the water; the sea around goes too, and mirror images show none."""
    kind = surroundings.kind_of(scene, terrain)
    waters.remove(scene, terrain)
    if kind in {"mirror", "base"}:
        surround(bpy.context, terrain, kind)


_REMOVE: dict[str, tuple[str, Callable[[Any, Any], None]]] = {
    "ground": ("The ground material", _take_off_ground),
    "colors": (
        "The colors of the terrain in Solid view",
        lambda _, terrain: ground_colors.remove(terrain),
    ),
    "sky": ("The world, the sun and the haze", lambda scene, _: skies.remove(scene)),
    "camera": ("The camera over the terrain", lambda scene, _: cameras.remove(scene)),
    "water": ("The sea, lakes and rivers", _remove_water),
    "surroundings": (
        "Land or sea around the terrain",
        lambda *owners: surroundings.remove(*owners),
    ),
    "plants": ("Plants and stones", lambda *owners: plants.remove(*owners)),
    "detail_patch": ("Fine ground in front of the camera", lambda *owners: patches.remove(*owners)),
}
"""Description of each part, and the function that removes it from a scene: modules are imported on use."""


class TERRANE_OT_landscape_part_remove(TerrainOperator, bpy.types.Operator):
    """Remove this part of the landscape; the terrain stays"""

    bl_idname = "terrane.landscape_part_remove"
    bl_label = "Remove"
    bl_options = {"REGISTER", "UNDO"}

    __annotations__ = {
        "part": choice_property(
            "Part", "Part to remove", enum_items({key: text for key, (text, _) in _REMOVE.items()})
        ),
    }

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Remove the part."""
        terrain = state.active_terrain(context)
        _, remove = _REMOVE[self.part]
        remove(context.scene, terrain)
        return {"FINISHED"}
