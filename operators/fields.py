# SPDX-License-Identifier: GPL-3.0-or-later
"""The operator that adds a geometry node that reads a terrain anywhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bpy

from ..noise_core.base.errors import TerraneError
from .bridge.datablocks import linked
from .bridge.interface.messages import open_areas, report
from .bridge.schema import state
from .long_operator import WaitingOperator
from .options import redo_layout, text_property
from .recipe_keywords import reports_errors

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
