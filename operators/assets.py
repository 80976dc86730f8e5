# SPDX-License-Identifier: GPL-3.0-or-later
"""The operator that fills a folder for Blender's asset browser."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
from bpy.props import EnumProperty, IntProperty, StringProperty

from .bridge.datablocks import compat
from .bridge.exchange import asset_kinds, asset_library
from .bridge.interface.messages import Message, report
from .bridge.schema import paths, preferences
from .bridge.tasks.steps import Steps
from .long_operator import LongOperator
from .maps import map_items
from .options import draw_columns, redo_layout


class TERRANE_OT_assets_fill(LongOperator, bpy.types.Operator):
    """Fill a folder with surfaces, plants and skies for Blender's asset browser"""

    bl_idname = "terrane.assets_fill"
    bl_label = "Fill Asset Library"
    bl_options = {"REGISTER", "PRESET"}
    doing = Message("Filling the Asset Library")

    __annotations__ = {
        "directory": StringProperty(
            name="Folder", description="Folder of the assets; that of the preferences if empty",
            subtype="DIR_PATH", options={"SKIP_SAVE", *compat.relative_path_options()},
        ),
        "kinds": EnumProperty(
            name="Kinds", description="Assets to make", items=map_items(asset_kinds.KINDS), default=set(asset_kinds.KINDS),
            options={"ENUM_FLAG", "SKIP_SAVE"},
        ),
        "pixels": IntProperty(
            name="Pixels", description="Pixels along each side of the textures",
            default=asset_kinds.PIXELS, min=64, max=4096, options={"SKIP_SAVE"},
        ),
    }  # fmt: skip

    def run(self, context: bpy.types.Context) -> Steps[set[str]]:
        """Write the assets that are missing or out of date, and show the folder in the preferences."""
        folder = _folder(self.directory or preferences.value(preferences.ASSETS))
        assets = [
            asset
            for name, kind in asset_kinds.KINDS.items()
            if name in self.kinds
            for asset in kind.assets(self.pixels)
        ]
        filled = yield from asset_library.fill(context, folder, assets)
        asset_library.register(folder)
        if filled.edited:
            names = ", ".join(filled.edited[:3])
            report(
                self,
                {"WARNING"},
                "{} changed files stay as they are: {}",
                len(filled.edited),
                names,
            )
        numbers = len(filled.written), len(filled.current), folder
        report(self, {"INFO"}, "Wrote {} assets, {} were up to date: {}", *numbers)
        return {"FINISHED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the redo panel."""
        draw_columns(redo_layout(self), self, ("directory",), ("kinds",), ("pixels",))


def _folder(chosen: Any) -> Path:
    """Return the chosen folder, or the usual one."""
    return paths.resolve(chosen, "directory") if chosen else asset_library.usual_folder()
