# SPDX-License-Identifier: GPL-3.0-or-later
"""The operator that fills a folder for Blender's asset browser."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import bpy
from bpy.props import EnumProperty, IntProperty, StringProperty

from .bridge.datablocks import compat
from .bridge.interface.messages import Message, report
from .bridge.schema import paths, preferences
from .bridge.tasks.steps import Steps
from .long_operator import LongOperator
from .maps import map_items
from .options import draw_columns, redo_layout


class AssetKind(NamedTuple):
    """Texts of the interface for assets of one kind."""

    label: str
    help: str


KINDS: Mapping[str, AssetKind] = MappingProxyType(
    {
        "surfaces": AssetKind(Message("Surfaces"), Message("Materials of all surfaces")),
        "plants": AssetKind(Message("Plants"), Message("Trees, bushes, grass and stones")),
        "skies": AssetKind(Message("Skies"), Message("Worlds and suns of all landscapes")),
        "stamps": AssetKind(Message("Stamps"), Message("Landforms that raise any mesh")),
        "nodes": AssetKind(Message("Nodes"), Message("Node groups, such as Terrane Field")),
    }
)
"""Kinds by the names of the functions of `asset_kinds`, which is imported on use."""

PIXELS = 512
"""Pixels along each side of a texture, unless told."""


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
            name="Kinds", description="Assets to make", items=map_items(KINDS), default=set(KINDS),
            options={"ENUM_FLAG", "SKIP_SAVE"},
        ),
        "pixels": IntProperty(
            name="Pixels", description="Pixels along each side of the textures",
            default=PIXELS, min=64, max=4096, options={"SKIP_SAVE"},
        ),
    }  # fmt: skip

    def run(self, context: bpy.types.Context) -> Steps[set[str]]:
        """Write the assets that are missing or out of date, and show the folder in the preferences."""
        from .bridge.exchange import asset_kinds, asset_library

        folder = _folder(self.directory or preferences.value(preferences.ASSETS))
        assets = [
            asset
            for name in KINDS
            if name in self.kinds
            for asset in asset_kinds.assets_of(name, self.pixels)
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
    from .bridge.exchange import asset_library

    return paths.resolve(chosen, "directory") if chosen else asset_library.usual_folder()
