# SPDX-License-Identifier: GPL-3.0-or-later
"""Nine pictures to choose from: other seeds, or variations of the settings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import bpy
from bpy.app.translations import pgettext_tip
from bpy.props import EnumProperty, IntProperty

from .bridge import state
from .bridge.messages import Message
from .bridge.pictures import picture_settings
from .bridge.previews import variations
from .bridge.properties import enum_items
from .bridge.work.jobs import Work
from .long_operator import LongOperator, refuses
from .recipe_keywords import reports_errors

PANEL = "TERRANE_PT_contact_sheet"


class TERRANE_OT_contact_sheet(LongOperator, bpy.types.Operator):
    """Draw nine seeds or nine variations, and show them for a click."""

    bl_idname = "terrane.contact_sheet"
    bl_label = "Contact Sheet"
    bl_description = (
        "Show nine pictures to choose from: the same settings with other seeds, or varied"
    )
    bl_options = {"REGISTER"}
    doing = Message("Drawing a Contact Sheet")

    __annotations__ = {
        "kind": EnumProperty(
            name="Kind",
            description="What differs from picture to picture",
            items=enum_items(variations.KINDS),
            default="seeds",
            options={"SKIP_SAVE"},
        ),
        "roll": IntProperty(
            name="Roll",
            description="Any other number gives nine others",
            min=0,
            options={"SKIP_SAVE"},
        ),
    }
    if TYPE_CHECKING:
        kind: str
        roll: int

    @classmethod
    def description(cls, context: bpy.types.Context, properties: Any) -> str:
        """Return what differs."""
        text = (
            "Nine pictures to choose from"
            if not properties.kind
            else variations.KINDS[properties.kind]
        )
        return f"{pgettext_tip(cls.bl_description)}.\n{pgettext_tip(text)}"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Allow it where a recipe counts."""
        reason = ""
        if context.area is not None and context.area.type == "IMAGE_EDITOR":
            options = getattr(state.active_settings(context), state.IMAGE_GROUP)
            if not picture_settings.uses_recipe(options):
                reason = Message("Choose Noise, or a coloring of the recipe's noise, first")
        return not refuses(cls, reason)

    def prepare(self, context: bpy.types.Context) -> Work:
        """Find nine recipes."""
        self._sheet, work = variations.made(context, self.kind, self.roll)
        return work

    def finish(self, context: bpy.types.Context, result: Sequence[Any]) -> set[str]:
        """Keep them with their pictures."""
        variations.show(self._sheet, result)
        return {"FINISHED"}

    def show(self, context: bpy.types.Context) -> None:
        """Open the sheet at the mouse."""
        bpy.ops.wm.call_panel("INVOKE_DEFAULT", name=PANEL, keep_open=False)


class TERRANE_OT_contact_sheet_take(bpy.types.Operator):
    """Take one of the nine."""

    bl_idname = "terrane.contact_sheet_take"
    bl_label = "Take from Contact Sheet"
    bl_description = "Make the settings those of this picture"
    bl_options = {"UNDO", "INTERNAL"}

    __annotations__ = {
        "index": IntProperty(
            name="Index", description="Which of the nine, from 0", min=0, options={"SKIP_SAVE"}
        )
    }
    if TYPE_CHECKING:
        index: int

    @classmethod
    def description(cls, context: bpy.types.Context, properties: Any) -> str:
        """Return what is different about it."""
        sheet, text = variations.present, str(pgettext_tip(cls.bl_description))
        if sheet is None or not 0 <= properties.index < len(sheet.entries):
            return text
        return f"{text}: {sheet.differences(properties.index)}"

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        """Write it into the settings."""
        variations.take(self.index)
        return {"FINISHED"}
