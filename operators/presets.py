# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators for presets: load, and save and delete user presets."""

from __future__ import annotations

from typing import Any

import bpy
from bpy.app.translations import pgettext_tip

from ..noise_core.landscapes.preset_library import Preset, own_names, preset
from .bridge.datablocks import linked
from .bridge.interface.messages import Message, report
from .bridge.schema import presets, recipe_texts, settings, state
from .bridge.tasks import pictures
from .bridge.textures import recipe_pictures
from .guarded_operator import GuardedOperator
from .layer_operator import SettingsOperator
from .options import UntypedOperator, switch_property, text_property
from .recipe_keywords import preset_property, reports_errors


class TERRANE_OT_preset_load(SettingsOperator, bpy.types.Operator):
    """Replace the panel's settings with a preset"""

    bl_idname = "terrane.preset_load"
    bl_label = "Load Preset"
    bl_options = {"REGISTER", "UNDO", "INTERNAL"}

    __annotations__ = {"preset": preset_property()}

    @classmethod
    def description(cls, context: bpy.types.Context, properties: Any) -> str:
        """Return the description of the preset."""
        return str(pgettext_tip(preset(properties.preset).description))

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        """Write the preset into the settings in the panel."""
        settings.write_preset(state.active_settings(context), self.preset)
        return {"FINISHED"}


class TERRANE_OT_preset_save(UntypedOperator, bpy.types.Operator):
    """Save the panel's settings as a preset with a preview, for every file"""

    bl_idname = "terrane.preset_save"
    bl_label = "Save Preset"
    bl_options = {"UNDO"}

    __annotations__ = {
        "name": text_property("Name", "Name of the preset in menus", maxlen=presets.LONGEST_LABEL),
        "description": text_property("Description", "Description of the preset, in one line"),
        "overwrite": switch_property("Replace", "Overwrite your preset of the same name"),
    }

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Ask for the name; propose that of the user preset that the settings began with."""
        began = state.active_settings(context).preset
        if began in own_names() and not self.name:
            self.name, self.overwrite = preset(began).label, True
            self.properties["description"] = preset(began).description
        manager: Any = context.window_manager
        return set(manager.invoke_props_dialog(self))

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        """Write the file, then its picture."""
        group = state.active_settings(context)
        look = recipe_pictures.look_of(context, group)
        kept = Preset(
            presets.name_of(self.name),
            self.name.strip(),
            str(self.properties.description).strip() or "A preset of your own",
            settings.read_named(group),
            look,
        )
        presets.save(kept, overwrite=self.overwrite)
        if linked.is_writable(group.id_data):
            group.preset = kept.name
        pictures.draw(
            f"preset {kept.name}",
            recipe_pictures.work(recipe_pictures.order(kept)),
            lambda picture: presets.save_picture(kept.name, picture),
        )
        if missing := recipe_texts.omission_message(settings.states(group)):
            report(self, {"WARNING"}, missing)
        else:
            report(self, {"INFO"}, "Saved the preset {}", kept.label)
        return {"FINISHED"}


class TERRANE_OT_preset_delete(GuardedOperator, bpy.types.Operator):
    """Delete your preset from disk; terrains made from it stay"""

    bl_idname = "terrane.preset_delete"
    bl_label = "Delete Preset"
    bl_options = {"INTERNAL"}

    __annotations__ = {
        "preset": text_property("Preset", "File name of the preset; empty uses the panel's")
    }

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str:
        """Refuse it without user presets."""
        return "" if own_names() else Message("Save a preset of your own first")

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Ask for confirmation."""
        return set(context.window_manager.invoke_confirm(self, event))

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        """Remove its files."""
        name = self.preset or state.active_settings(context).preset
        label = preset(name).label if name in own_names() else name
        presets.delete(name)
        report(self, {"INFO"}, "Deleted the preset {}", label)
        return {"FINISHED"}
