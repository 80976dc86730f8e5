# SPDX-License-Identifier: GPL-3.0-or-later
"""Operator that paints the mask of a layer, or the height before modifiers."""

from __future__ import annotations

from typing import Any

import bpy
from bpy.app.translations import pgettext_tip
from bpy.props import FloatProperty

from ..noise_core.base.errors import TerraneError
from .bridge.interface.messages import Message
from .bridge.schema import layer_list, live_switch, masks, painting, settings, state
from .bridge.tasks import jobs
from .bridge.tasks.task import product_of
from .bridge.terrain import terrains
from .bridge.textures import mask_overlay
from .guarded_operator import GuardedOperator
from .layer_operator import SettingsOperator
from .options import choice_property
from .recipe_keywords import reports_errors

TARGETS = (
    ("MASK", "Mask", "Mask of the active layer: 0 blocks it, 1 applies it fully", "MOD_MASK", 0),
    (
        "HEIGHT",
        "Height or Uplift",
        "Image of heights in place of the noise; the uplift of Stream Erosion",
        "RNDCURVE",
        1,
    ),
)

KINDS = (
    ("GROUP", "Vertex Group", "One weight per vertex, for Weight Paint", "GROUP_VERTEX", 0),
    (
        "IMAGE",
        "Image",
        "Pixels, for Texture Paint; finer than the mesh",
        "IMAGE_DATA",
        1,
    ),
)


class TERRANE_OT_mask_paint(SettingsOperator, bpy.types.Operator):
    """Paint a mask of the active layer; again leaves painting"""

    bl_idname = "terrane.mask_paint"
    bl_label = "Paint Mask"
    bl_options = {"REGISTER", "UNDO"}

    __annotations__ = {
        "target": choice_property("Target", "Target of the painting", TARGETS),
        "kind": choice_property("Kind", "Data that holds a new mask", KINDS),
        "fill": FloatProperty(
            name="Fill",
            description="Value of a new mask: 0 blocks the layer, 1 applies it everywhere",
            min=0.0,
            max=1.0,
            subtype="FACTOR",
            options={"SKIP_SAVE"},
        ),
    }

    @classmethod
    def description(cls, context: bpy.types.Context, properties: Any) -> str:
        """Return the description for the present state."""
        text = TARGETS[1][2] if properties.target == "HEIGHT" else str(cls.__doc__)
        if painting.is_painting(context):
            text = Message("Stop painting; a live terrain follows, others need Update")
        return str(pgettext_tip(text))

    writes = (*SettingsOperator.writes, state.terrain_mesh)

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str:
        """Refuse settings without a mesh or an image to paint on."""
        return painting.why_not(context, state.active_settings(context)) or jobs.why_not()

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        """Make a mask or a height image, assign it, and enter its paint mode; or leave that mode."""
        if painting.is_painting(context):
            painting.go_back(context)
            # An update that goes on pushes an undo step when it ends: it is to be the only one.
            return {"CANCELLED"} if _follow(context) else {"FINISHED"}
        group = state.active_settings(context)
        owner = masks.owner_of(group)
        if owner is not None and owner.mode == "EDIT":
            bpy.ops.object.mode_set(mode="OBJECT")
        if self.target == "HEIGHT":
            painting.check_surface(context, owner)
            title = "Height" if owner is None else f"{owner.name} Height"
            grid = terrains.Measures.of(group).grid(settings.read(group))
            image = painting.height_image(group, title, grid)
            painting.paint_image(context, owner, image)
        else:
            self._paint_mask(context, group, owner)
        return {"FINISHED"}

    def _paint_mask(self, context: bpy.types.Context, group: Any, owner: Any) -> None:
        entry = _entry(group)
        kind = self.kind
        if owner is None and kind == "GROUP":
            raise TerraneError("Only terrains have vertex groups: paint an image")
        if kind == "IMAGE":
            painting.check_surface(context, owner)
        if masks.kind_of(owner, entry) != kind:
            title = f"{entry.name} Mask"
            if kind == "GROUP":
                entry.painted_mask = painting.new_group(owner, title, entry.painted_mask, self.fill)
            else:
                grid = terrains.Measures.of(group).grid(settings.read(group))
                entry.painted_mask = painting.new_image(owner, title, grid, self.fill)
        if kind == "GROUP":
            painting.paint_group(context, owner, entry.painted_mask)
        else:
            image = entry.mask_image or bpy.data.images.get(entry.painted_mask)
            painting.paint_image(context, owner, image)


class TERRANE_OT_mask_show(GuardedOperator, bpy.types.Operator):
    """Show the mask of the active layer in red over the terrain or image; again hides it"""

    bl_idname = "terrane.mask_show"
    bl_label = "Show Mask"
    bl_options = {"INTERNAL"}

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str:
        """Refuse layers without a mask."""
        return mask_overlay.why_not(context)

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        """Begin or end it."""
        mask_overlay.toggle(context)
        return {"FINISHED"}


def _follow(context: bpy.types.Context) -> bool:
    """Update a live terrain, because live updates do not detect painting, which changes no setting.

    Returns whether the update goes on, because it takes long.
    """
    obj = masks.owner_of(state.active_settings(context))
    product = None if obj is None else product_of(obj)
    if bpy.app.background or product is None or not live_switch.is_on(context):
        return False
    operators: Any = bpy.ops
    update = operators.terrane.terrain_update
    if product.refusal(obj) or not update.poll():
        return False
    return "RUNNING_MODAL" in update("INVOKE_DEFAULT")


def _entry(group: Any) -> Any:
    """Return the active layer of settings; raise a TerraneError if there is none."""
    settings.fill(group)
    if layer_list.active_entry(group) is None:
        raise TerraneError("Add a layer first: a mask says where it acts")
    return layer_list.active_entry(group)
