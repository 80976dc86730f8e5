# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators that add groups of Blender's own nodes: the noise to a material, a terrain to geometry nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bpy

from ..noise_core.base.errors import TerraneError
from ..noise_core.landscapes.preset_library import PLAIN, preset
from .bridge.datablocks import linked
from .bridge.interface.messages import open_areas, report
from .bridge.nodetree import noise_nodes
from .bridge.schema import state
from .bridge.textures.node_settings import NODE_SETTINGS, NODES
from .long_operator import WaitingOperator
from .materials import assign, slot_of
from .options import name_property, redo_layout, switch_property, text_property
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


_KIND = "GeometryNodeTree"


class TERRANE_OT_field_add(WaitingOperator, bpy.types.Operator):
    """Add a geometry node that reads height, slope and maps of the terrain anywhere"""

    bl_idname = "terrane.field_add"
    bl_label = "Add Terrane Field"
    bl_options = {"REGISTER", "UNDO"}

    __annotations__ = {
        "terrain": text_property("Terrain", "Terrain to read; the active one if empty"),
        "map": text_property("Map", "Map of the terrain to read", default="wetness"),
        "tree": text_property("Nodes", "Node group to add it to; that of the editor if empty"),
    }
    if TYPE_CHECKING:
        terrain: str
        map: str
        tree: str

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        """Make the group, and add a node of it to the tree."""
        from .bridge.scene import terrain_fields

        terrain, tree = self._find_terrain(context), self._find_tree(context)
        linked.require_writable(tree)
        group = terrain_fields.group()
        if tree is None:
            group.use_fake_user = True  # else saving the file would leave it out
            report(
                self, {"INFO"}, "{} is in this file: add it in a geometry node editor", group.name
            )
            return {"FINISHED"}
        terrain_fields.add_node(tree, terrain, self.map)
        if terrain is None:
            report(
                self,
                {"WARNING"},
                "Choose the terrain in the node: several or none are in the scene",
            )
        return {"FINISHED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the redo panel."""
        layout = redo_layout(self)
        layout.prop_search(self, "terrain", bpy.data, "objects")
        layout.prop(self, "map")
        layout.prop_search(self, "tree", bpy.data, "node_groups")

    def _find_terrain(self, context: bpy.types.Context) -> bpy.types.Object | None:
        """Return the named object, the active terrain or the only one; None if it is not clear which."""
        if self.terrain:
            obj = bpy.data.objects.get(self.terrain)
            if obj is None or obj.type != "MESH":
                raise TerraneError("terrain must name a mesh object", got=repr(self.terrain))
            return obj
        terrains = [obj for obj in context.scene.objects if state.is_terrain(obj)]
        only = terrains[0] if len(terrains) == 1 else None
        return state.active_terrain(context) or only

    def _find_tree(self, context: bpy.types.Context) -> Any | None:
        """Return the named tree, or that of a geometry node editor; None without one."""
        if self.tree:
            tree = bpy.data.node_groups.get(self.tree)
            if tree is None or tree.bl_idname != _KIND:
                raise TerraneError("tree must name a geometry node group", got=repr(self.tree))
            return tree
        spaces = [context.space_data]
        spaces += [area.spaces.active for _, area in open_areas(context, "NODE_EDITOR")]
        trees = (
            getattr(space, "edit_tree", None)
            for space in spaces
            if getattr(space, "tree_type", "") == _KIND
        )
        return next((tree for tree in trees if tree is not None), None)
