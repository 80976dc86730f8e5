# SPDX-License-Identifier: GPL-3.0-or-later
"""Write the recipe in the panel into a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy
from bpy.props import BoolProperty, StringProperty

from .bridge import compat, settings, state
from .bridge.messages import report
from .bridge.recipes import recipe_texts
from .recipe_keywords import reports_errors


class TERRANE_OT_recipe_save(bpy.types.Operator):
    """Write the recipe in the panel into a file, which every Terrane can read, with Blender or without."""

    bl_idname = "terrane.recipe_save"
    bl_label = "Save Terrain Recipe"
    bl_description = "Write the whole recipe into a file, with the pixels of its images"
    bl_options = {"REGISTER"}

    __annotations__ = {
        "filepath": StringProperty(
            name="File Path",
            description="Where it goes; ends with .json",
            subtype="FILE_PATH",
            options={"SKIP_SAVE", *compat.relative_path_options()},
        ),
        "check_existing": BoolProperty(
            name="Check Existing",
            description="Ask before a file is replaced; scripts are refused instead",
            default=True,
            options={"HIDDEN", "SKIP_SAVE"},
        ),
        "filter_glob": StringProperty(
            default=f"*{recipe_texts.SUFFIX}", options={"HIDDEN", "SKIP_SAVE"}
        ),
        "was_asked": BoolProperty(options={"HIDDEN", "SKIP_SAVE"}),
    }
    if TYPE_CHECKING:
        filepath: str
        check_existing: bool
        was_asked: bool

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Ask for the file; the file browser asks before it lets one be replaced."""
        if not self.filepath:
            owner = state.active_settings(context).id_data
            self.filepath = recipe_texts.proposed(owner.name)
        self.was_asked = True
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def check(self, context: bpy.types.Context) -> bool:
        """Let the file browser show the name that the file will have."""
        path = self.filepath
        if path and not path.lower().endswith(recipe_texts.SUFFIX):
            self.filepath = path + recipe_texts.SUFFIX
        return self.filepath != path

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        """Write it."""
        group = state.active_settings(context)
        may_replace = self.was_asked or not self.check_existing
        file = recipe_texts.save(settings.read(group), self.filepath, overwrite=may_replace)
        if missing := recipe_texts.left_out(settings.states(group)):
            report(self, {"WARNING"}, f"Wrote {file}. {missing}")
        else:
            report(self, {"INFO"}, f"Wrote {file}")
        return {"FINISHED"}
