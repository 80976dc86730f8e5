# SPDX-License-Identifier: GPL-3.0-or-later
"""Operator that makes a group of Blender's own nodes of the noise, and adds it to a material."""

from __future__ import annotations

from typing import Any

import bpy

from ..noise_core.landscapes.preset_library import PLAIN, preset
from .bridge.interface.messages import report
from .bridge.nodetree import noise_nodes
from .bridge.schema import state
from .bridge.textures.node_settings import NODE_SETTINGS, NODES
from .materials import assign, slot_of
from .options import name_property, switch_property
from .recipe_keywords import RecipeOperator, declared_keywords, recipe_keywords, reports_errors


class TERRANE_OT_nodes_add(RecipeOperator, bpy.types.Operator):
    """Material of texture nodes like this noise: sharp anywhere, does not tile"""

    bl_idname = "terrane.nodes_add"
    bl_label = "Add Noise Nodes"
    bl_options = {"REGISTER", "UNDO", "PRESET"}

    __annotations__ = {
        **recipe_keywords(measured=False),
        **declared_keywords(NODES),
        "apply": switch_property(
            "Apply", "Assign a new material to the active slot of the active object", default=True
        ),
        "name": name_property("Name of the group and the material; the preset's if empty"),
    }
    option_parameters = NODES

    def stored_options(self, context: bpy.types.Context) -> Any | None:
        """Return the settings of noise nodes."""
        return NODE_SETTINGS.of(context) if self.from_panel else None

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        """Write the group and the material."""
        request = self.request(context)
        options = self.chosen_options(context)
        for parameter in NODES:
            parameter.check(options[parameter.name], "Nodes")
        dimension = 2 if self.mapping == "uv" else 3
        obj = state.active_object(context)
        is_new = options["target"] == "new"
        slot = slot_of(obj if self.apply and is_new else None)
        noise_nodes.registry.check(request.recipe.noise, dimension)  # before nodes are made
        span = noise_nodes.material.levels(request.recipe)
        shipped = request.preset
        name = self.name or ("Noise" if shipped == PLAIN else preset(shipped).label)
        owner = (
            noise_nodes.material.own_material(name)
            if is_new
            else noise_nodes.material.active_material(obj)
        )
        group, notes = noise_nodes.groups.write_group(
            f"{name} Noise", request.recipe, dimension, owner
        )
        warnings = noise_nodes.material.add_nodes(owner, group, options, span, obj)
        if is_new:
            assign(self, owner, slot, by_uv=self.mapping == "uv")
        if request.recipe.needs_grid:
            report(self, {"INFO"}, "Nodes of the noise alone: the modifiers need a terrain")
        for warning in warnings:
            report(self, {"WARNING"}, warning)
        if notes:
            report(
                self,
                {"INFO"},
                "Similar, not identical. {} Details are in the group's notes",
                notes[0],
            )
        return {"FINISHED"}

    def draw_options(self, layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
        """Draw the target of the nodes."""
        names = [
            parameter.name
            for parameter in NODES
            if parameter.name != "tile" or self.mapping == "object"
        ]
        for name in (*names, "apply", "name"):
            layout.prop(self, name)
