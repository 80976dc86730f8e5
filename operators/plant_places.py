# SPDX-License-Identifier: GPL-3.0-or-later
"""Operator that writes the places of plants and stones for engines."""

from __future__ import annotations

import bpy

from ..noise_core.base.errors import TerraneError
from .bridge.interface.messages import report
from .bridge.schema import paths, state
from .bridge.tasks.steps import Steps
from .long_operator import BrowsedOperator
from .options import browsed_property, file_keywords, replacing_keywords
from .part_operator import why_no_readable_terrain


class TERRANE_OT_scatter_export(BrowsedOperator, bpy.types.Operator):
    """Export the places of the terrain's plants and stones as CSV, JSON, glTF or USD"""

    bl_idname = "terrane.scatter_export"
    bl_label = "Export Plants"
    bl_options = {"REGISTER", "PRESET"}

    __annotations__ = {
        **file_keywords(
            "Path of the file, ending in .csv, .json, .glb or .usda", "*.csv;*.json;*.glb;*.usda"
        ),
        **replacing_keywords(),
        "is_browsed": browsed_property(),
    }
    why_not = staticmethod(why_no_readable_terrain)

    def propose(self, context: bpy.types.Context) -> None:
        """Set the file of the terrain; the file browser asks before it replaces one."""
        terrain = state.active_terrain(context)
        self.was_asked = True
        self.filepath = paths.propose(f"{terrain.name}_plants" if terrain else "plants", ".csv")

    def run(self, context: bpy.types.Context) -> Steps[set[str]]:
        """Read the places as renders have them, and write them."""
        from ..noise_core.io.instance_files import write_instances
        from .bridge.exchange.placements import meters_per_unit
        from .bridge.scene import plant_exports

        terrain = state.active_terrain(context)
        if terrain is None:
            raise TerraneError(state.why_no_terrain(context))
        sets = plant_exports.read(context, terrain, meters_per_unit(context.scene))
        path, overwrite = paths.resolve(self.filepath), self.was_asked or not self.check_existing
        files = yield lambda progress, cancel: write_instances(sets, path, overwrite=overwrite)
        count = sum(len(one.positions) for one in sets)
        report(
            self, {"INFO"}, "Wrote {} places of {} meshes into {}", count, len(sets), files[0].name
        )
        return {"FINISHED"}
