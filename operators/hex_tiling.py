# SPDX-License-Identifier: GPL-3.0-or-later
"""The operator that makes an image an endless texture in a shader."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bpy

from ..noise_core.base.errors import TerraneError
from .bridge.datablocks import compat, images, linked, materials
from .bridge.interface.messages import Message, report
from .bridge.nodetree import noise_nodes, tiled_image
from .bridge.schema import state
from .bridge.textures.node_settings import HEX_SETTINGS, HEX_TILING
from .images import named_image
from .long_operator import WaitingOperator
from .materials import assign, slot_of
from .options import (
    checked_values,
    from_panel_property,
    redo_layout,
    take_settings,
    text_property,
)
from .recipe_keywords import declared_keywords, reports_errors


def shown_tree(context: bpy.types.Context) -> Any | None:
    """Return the node tree that the current Shader Editor shows; None in other editors, or if it shows none."""
    space: Any = context.space_data
    if space is None or space.type != "NODE_EDITOR" or space.tree_type != "ShaderNodeTree":
        return None
    return space.edit_tree


class TERRANE_OT_hex_tiling_add(WaitingOperator, bpy.types.Operator):
    """Repeat the active image without visible repetition, by blended hexagons of it"""

    bl_idname = "terrane.hex_tiling_add"
    bl_label = "Add Hex Tiling"
    bl_options = {"REGISTER", "UNDO", "PRESET"}

    __annotations__ = {
        **declared_keywords(HEX_TILING),
        "image": text_property(
            "Image",
            "Image to tile; if empty, that of the Image Editor or the active node",
        ),
        "from_panel": from_panel_property(),
    }
    apply = True
    if TYPE_CHECKING:
        image: str
        from_panel: bool

    @staticmethod
    def why_not(context: bpy.types.Context) -> str:
        """Refuse it without images."""
        return "" if bpy.data.images else Message("Open an image first")

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        """Add the nodes."""
        names = [parameter.name for parameter in HEX_TILING]
        take_settings(self, HEX_SETTINGS.of(context) if self.from_panel else None, *names)
        options = checked_values(self, HEX_TILING, "HexTiling")
        shown = shown_tree(context)
        tree = _active_tree(context) if shown is None else shown
        image, replaced = self._choose(context, tree)
        measured = tiled_image.Measured.of(image)
        if tree is None:
            tree = self._new_tree(context, image)
        linked.require_writable(tree)
        nodes, is_normal = tiled_image.add(tree, image, measured, options, replaced)
        if shown is None and replaced is None:
            for warning in tiled_image.show(tree, nodes, is_normal=is_normal):
                report(self, {"WARNING"}, warning)
        return {"FINISHED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the redo panel."""
        layout = redo_layout(self)
        layout.prop_search(self, "image", bpy.data, "images")
        for parameter in HEX_TILING:
            if parameter.is_visible(self):
                layout.prop(self, parameter.name)

    def _choose(
        self, context: bpy.types.Context, tree: Any | None
    ) -> tuple[bpy.types.Image, Any | None]:
        """Return the image, and the active node of the tree if it is an Image Texture with that image."""
        active = None if tree is None else tree.nodes.active
        if active is not None and (active.type != "TEX_IMAGE" or active.image is None):
            active = None
        image = named_image(context, self.image)
        if image is None and self.image:
            raise TerraneError("image must name an image", got=repr(self.image))
        if image is None and active is None:
            raise TerraneError("There is no image: make an Image Texture active, or name an image")
        image = active.image if image is None else image
        if not images.is_single(image):
            raise TerraneError("{} has tiles, frames or views: choose a single image", image.name)
        self.image = image.name
        return image, active if active is not None and active.image == image else None

    def _new_tree(self, context: bpy.types.Context, image: bpy.types.Image) -> Any:
        """Return the nodes of a new material, which the active object is given."""
        slot = slot_of(state.active_object(context))
        material = materials.new_material(image.name)
        tree = compat.node_tree(material)
        tiled_image.add_shader(tree)
        assign(self, material, slot, by_uv=self.mapping == "uv")
        return tree


def _active_tree(context: bpy.types.Context) -> Any | None:
    """Return the nodes of the active material, None without one."""
    obj = state.active_object(context)
    if obj is None or obj.active_material is None:
        return None
    return compat.node_tree(noise_nodes.material.active_material(obj))
