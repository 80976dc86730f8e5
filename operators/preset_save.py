# SPDX-License-Identifier: GPL-3.0-or-later
"""Save the settings in the panel as a preset of one's own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bpy
from bpy.props import BoolProperty, StringProperty

from .bridge import settings, state
from .bridge.core import Preset, own_names, preset
from .bridge.messages import report
from .bridge.previews import recipe_pictures
from .bridge.recipes import recipe_texts, user_presets
from .bridge.work import aside
from .recipe_keywords import reports_errors


class TERRANE_OT_preset_save(bpy.types.Operator):
    """Save the settings in the panel as a preset, which every new file offers too."""

    bl_idname = "terrane.preset_save"
    bl_label = "Save Preset"
    bl_description = "Save the settings in the panel as a preset of your own, with a picture: every file offers it"
    bl_options = {"UNDO"}

    __annotations__ = {
        "name": StringProperty(
            name="Name",
            description="What the preset is called in menus",
            maxlen=user_presets.LONGEST_LABEL,
            options={"SKIP_SAVE"},
        ),
        "description": StringProperty(
            name="Description",
            description="What it looks like, in one line",
            options={"SKIP_SAVE"},
        ),
        "overwrite": BoolProperty(
            name="Replace",
            description="Replace your preset of the same name, if there is one",
            options={"SKIP_SAVE"},
        ),
    }
    if TYPE_CHECKING:
        name: str
        overwrite: bool

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Ask for the name; that of the user's own preset that the settings came from, if any."""
        began = state.active_settings(context).preset
        if began in own_names() and not self.name:
            self.name, self.overwrite = preset(began).label, True
            self.properties["description"] = preset(began).description
        manager: Any = context.window_manager
        return set(manager.invoke_props_dialog(self))

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        """Write the file; its picture follows."""
        group = state.active_settings(context)
        look = recipe_pictures.look_of(context, group)
        kept = Preset(
            user_presets.name_of(self.name),
            self.name.strip(),
            str(self.properties.description).strip() or "A preset of your own",
            settings.read(group),
            look,
        )
        user_presets.save(kept, overwrite=self.overwrite)
        group.preset = kept.name
        aside.run(
            f"preset {kept.name}",
            recipe_pictures.work(recipe_pictures.order(kept)),
            lambda picture: user_presets.save_picture(kept.name, picture),
        )
        if missing := recipe_texts.left_out(settings.states(group)):
            report(self, {"WARNING"}, missing)
        else:
            report(self, {"INFO"}, f"Saved the preset {kept.label}")
        return {"FINISHED"}
