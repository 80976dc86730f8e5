# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators for the recipe in the panel: copy, paste, load, save, and variations."""

from __future__ import annotations

from typing import Any

import bpy
from bpy.app.translations import pgettext_tip
from bpy.props import IntProperty, StringProperty

from .bridge.interface.messages import Message, report, translate
from .bridge.schema import paths, picture_settings, recipe_texts, settings, state
from .bridge.schema.enum_items import enum_items
from .bridge.tasks.steps import Steps
from .bridge.textures import recipe_preview
from .bridge.textures.recipe_preview import SHEETS
from .layer_operator import LayerOperator
from .long_operator import LongOperator
from .options import UntypedOperator, choice_property, file_keywords, replacing_keywords
from .recipe_keywords import reports_errors

PANEL = "TERRANE_PT_contact_sheet"


class TERRANE_OT_recipe_copy(bpy.types.Operator):
    """Copy the recipe to the clipboard as text"""

    bl_idname = "terrane.recipe_copy"
    bl_label = "Copy Terrain Recipe"
    bl_options = {"REGISTER"}

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        """Write the recipe to the clipboard."""
        group = state.active_settings(context)
        context.window_manager.clipboard = settings.read_named(group).to_json()
        if missing := recipe_texts.omission_message(settings.states(group)):
            report(self, {"WARNING"}, missing)
        else:
            report(self, {"INFO"}, "Recipe copied")
        return {"FINISHED"}


class TERRANE_OT_recipe_paste(LayerOperator, bpy.types.Operator):
    """Replace the recipe with the one in the clipboard; the resolution is kept"""

    bl_idname = "terrane.recipe_paste"
    bl_label = "Paste Terrain Recipe"
    bl_options = {"REGISTER", "UNDO"}

    needs_layer = False
    __annotations__ = {
        "text": StringProperty(
            name="Text",
            description="The recipe as JSON; what the clipboard holds if empty",
            options={"HIDDEN", "SKIP_SAVE"},
        )
    }

    def change(self, context: bpy.types.Context, group: Any) -> None:
        """Read the text; nothing changes if it holds no recipe."""
        if not self.text:
            self.text = context.window_manager.clipboard  # a redo uses the same text
        settings.write_foreign(group, recipe_texts.parse(self.text, translate("The clipboard")))


class TERRANE_OT_recipe_load(LayerOperator, bpy.types.Operator):
    """Replace the recipe with one from a file; the resolution is kept"""

    bl_idname = "terrane.recipe_load"
    bl_label = "Load Terrain Recipe"
    bl_options = {"REGISTER", "UNDO"}

    needs_layer = False
    __annotations__ = file_keywords("Recipe file, or a preset", "*.json")

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Ask for the file."""
        if not self.filepath:
            self.filepath = paths.propose("", recipe_texts.SUFFIX)
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def change(self, context: bpy.types.Context, group: Any) -> None:
        """Read the file; nothing changes if it holds no recipe."""
        settings.write_foreign(group, recipe_texts.load(self.filepath))


class TERRANE_OT_recipe_save(UntypedOperator, bpy.types.Operator):
    """Save the whole recipe to a file, with the pixels of its images"""

    bl_idname = "terrane.recipe_save"
    bl_label = "Save Terrain Recipe"
    bl_options = {"REGISTER"}

    __annotations__ = {
        **file_keywords("Path of the recipe (.json)", "*.json"),
        **replacing_keywords(),
    }

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Ask for the file; the file browser confirms before replacing one."""
        if not self.filepath:
            owner = state.active_settings(context).id_data
            self.filepath = paths.propose(owner.name, recipe_texts.SUFFIX)
        self.was_asked = True
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def check(self, context: bpy.types.Context) -> bool:
        """Add the suffix to the name in the file browser."""
        path = self.filepath
        if path and not path.lower().endswith(recipe_texts.SUFFIX):
            self.filepath = path + recipe_texts.SUFFIX
        return self.filepath != path

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        """Write the file."""
        group = state.active_settings(context)
        may_replace = self.was_asked or not self.check_existing
        file = recipe_texts.save(settings.read_named(group), self.filepath, overwrite=may_replace)
        if missing := recipe_texts.omission_message(settings.states(group)):
            report(self, {"WARNING"}, "Wrote {}. {}", file, missing)
        else:
            report(self, {"INFO"}, "Wrote {}", file)
        return {"FINISHED"}


class TERRANE_OT_contact_sheet(LongOperator, bpy.types.Operator):
    """Show nine previews to choose from: other seeds, or variations"""

    bl_idname = "terrane.contact_sheet"
    bl_label = "Contact Sheet"
    bl_options = {"REGISTER"}
    doing = Message("Drawing a Contact Sheet")

    __annotations__ = {
        "kind": choice_property(
            "Kind", "Difference between the previews", enum_items(SHEETS), default="seeds"
        ),
        "roll": IntProperty(
            name="Shuffle",
            description="Seed of the nine previews",
            min=0,
            options={"SKIP_SAVE"},
        ),
    }

    @classmethod
    def description(cls, context: bpy.types.Context, properties: Any) -> str:
        """Return the description of the kind of sheet."""
        text = SHEETS.get(properties.kind, "Nine pictures to choose from")
        return f"{pgettext_tip(str(cls.__doc__))}.\n{pgettext_tip(text)}"

    @staticmethod
    def why_not(context: bpy.types.Context) -> str:
        """Refuse settings of an image that uses no recipe."""
        if context.area is not None and context.area.type == "IMAGE_EDITOR":
            options = getattr(state.active_settings(context), state.IMAGE_GROUP)
            if not picture_settings.uses_recipe(options):
                return Message("Choose Noise, or a coloring of the recipe's noise, first")
        return ""

    def run(self, context: bpy.types.Context) -> Steps[set[str]]:
        """Choose nine recipes, draw them, and store them with their pictures."""
        sheet, work = recipe_preview.build_sheet(context, self.kind, self.roll)
        recipe_preview.show_sheet(sheet, (yield work))
        return {"FINISHED"}

    def show(self, context: bpy.types.Context) -> None:
        """Open the sheet at the mouse pointer."""
        bpy.ops.wm.call_panel("INVOKE_DEFAULT", name=PANEL, keep_open=False)


class TERRANE_OT_contact_sheet_take(UntypedOperator, bpy.types.Operator):
    """Use the settings of this preview"""

    bl_idname = "terrane.contact_sheet_take"
    bl_label = "Take from Contact Sheet"
    bl_options = {"UNDO", "INTERNAL"}

    __annotations__ = {
        "index": IntProperty(
            name="Index", description="Index of the preview (0-8)", min=0, options={"SKIP_SAVE"}
        )
    }

    @classmethod
    def description(cls, context: bpy.types.Context, properties: Any) -> str:
        """Return the description of the difference."""
        sheet, text = recipe_preview.present_sheet, str(pgettext_tip(str(cls.__doc__)))
        if sheet is None or not 0 <= properties.index < len(sheet.entries):
            return text
        return f"{text}: {sheet.differences(properties.index)}"

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        """Write the recipe into the settings."""
        recipe_preview.take_variation(self.index)
        return {"FINISHED"}
