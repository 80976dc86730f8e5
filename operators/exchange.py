# SPDX-License-Identifier: GPL-3.0-or-later
"""Operator that writes heightmaps for engines, robots and maps."""

from __future__ import annotations

from typing import Any

import bpy
from bpy.props import FloatProperty, IntVectorProperty

from ..noise_core.io.targets.bases.target import typed_value
from .bridge.exchange import target_settings
from .bridge.interface.messages import Message, report
from .bridge.schema import panel_texts, paths
from .bridge.schema.enum_items import enum_items
from .bridge.schema.exact_numbers import number
from .bridge.schema.fields import draw_number
from .bridge.tasks.jobs import Work
from .bridge.tasks.steps import Steps
from .long_operator import BrowsedOperator
from .maps import COLORS, MAPS, NONE, channel_property, chosen_maps, draw_maps, map_keywords
from .options import (
    PanelOperator,
    browsed_property,
    choice_property,
    draw_columns,
    draw_line,
    file_keywords,
    from_panel_property,
    json_property,
    redo_layout,
    replacing_keywords,
    switch_property,
    text_property,
)
from .recipe_keywords import NOT_REMEMBERED, declared_keywords

WEIGHTS = {
    "0": "No weights",
    "4": "One image of four layers; vertex colors too for meshes",
    "8": "Two images of four layers; vertex colors too for meshes",
}

NORMALS = {
    "none": "No normal map",
    "8": "Beside the heights, 8 bits a channel",
    "16": "Beside the heights, 16 bits a channel",
}


class TERRANE_OT_heightmap_export(PanelOperator, BrowsedOperator, bpy.types.Operator):
    """Export the heights of the active terrain or grid for an engine, simulator or map"""

    bl_idname = "terrane.heightmap_export"
    bl_label = "Export Heightmap"
    bl_options = {"REGISTER", "PRESET"}
    doing = Message("Exporting the Heightmap")
    passed_on = (
        *("target", "source", "samples", "tiles", "value_range", "low", "high", *MAPS, "all_maps"),
        *(*COLORS, "normal_bits", "colors", "weights", "has_sea", "sea_level", "dither"),
        *("object", "was_asked"),
    )

    __annotations__ = {
        **file_keywords("Path of the exported file; several files, maps and the description add to its name", "*.*"),
        **replacing_keywords(),
        "target": choice_property(*target_settings.TARGET, target_settings.target_items()),
        **target_settings.TARGETS.properties(NOT_REMEMBERED),
        "parameters": json_property("Options of the target as a JSON object; they win over all else"),
        "source": choice_property("Heights", "Source of the heights", enum_items(target_settings.SOURCES), default="auto"),
        "tiles": IntVectorProperty(
            name="Files", description="Number of files along X and along Y", size=2, default=(1, 1), min=1, options={"SKIP_SAVE"},
        ),
        **declared_keywords(target_settings.EXPORT),
        **map_keywords((), "Each map becomes a gray image of 8 bits beside the heights"),
        "all_maps": switch_property("All Maps", "Also export every map that the recipe's modifiers make"),
        **{color: channel_property(color) for color in COLORS},
        "normal_bits": choice_property("Normal Map", "Directions of the ground", enum_items(NORMALS), default="none"),
        "colors": switch_property("Color Map", "Export the ground colors, without light, as an image of 8 bits"),
        "weights": choice_property("Layer Weights", "Images of the weights of the ground's layers", enum_items(WEIGHTS), default="0"),
        "has_sea": switch_property("Sea", "Write the sea level into the description"),
        "sea_level": FloatProperty(name="Sea Level", description="In meters", unit="LENGTH", options={"SKIP_SAVE"}),
        "dither": switch_property("Dither", "Dither between the two nearest numbers, for 16 bits"),
        "object": text_property("Object", "Terrain or mesh to export; the active one if empty"),
        "is_browsed": browsed_property(),
        "from_panel": from_panel_property(),
    }  # fmt: skip
    panel_settings = staticmethod(target_settings.PANEL.of)

    @staticmethod
    def why_not(context: bpy.types.Context) -> str:
        """Refuse it without meshes."""
        return "" if bpy.data.meshes else Message("Add a terrain, or a mesh that is a grid, first")

    def propose(self, context: bpy.types.Context) -> None:
        """Set the file of the terrain or mesh; the file browser asks before it replaces one."""
        from .bridge.exchange import exported_lands

        self._take_panel(context)
        obj = exported_lands.find_object(context, self.object)
        self.object, self.was_asked = obj.name, True
        self.filepath = paths.propose(obj.name, target_settings.target_of(self).named_suffix)

    def given_options(self) -> dict[str, Any]:
        """See `BrowsedOperator.given_options`."""
        return {**super().given_options(), "parameters": target_settings.options_text(self)}

    def check(self, context: bpy.types.Context) -> bool:
        """Give the name in the file browser the suffix of the target."""
        from .bridge.exchange import heightmap_files

        path = self.filepath
        self.filepath = heightmap_files.with_suffix(path, target_settings.target_of(self))
        return bool(self.filepath != path)

    def _work(self, context: bpy.types.Context) -> Work:
        """Return the work that writes the files. Read the settings, the recipe or the mesh, and the painted masks."""
        from .bridge.exchange import exported_lands, heightmap_files, placements

        obj = exported_lands.find_object(context, self.object)
        unit = placements.meters_per_unit(context.scene)
        target = target_settings.target_of(self)
        has_friction = target.friction_factors is not None
        has_materials = has_friction or target.look or self.weights != "0"
        ground = exported_lands.colors_of(obj) if self.colors or has_materials else None
        ends = (number(limit) * unit for limit in (self.low, self.high))
        range_ = target_settings.read_range(self.value_range, *ends)
        options = heightmap_files.ExportOptions(
            tiles=tuple(self.tiles),
            maps=[*sorted(chosen_maps(self)), *[exported_lands.ALL_MAPS] * self.all_maps],
            splat=self._splat(),
            normal_bits=0 if self.normal_bits == "none" else int(self.normal_bits),
            colors=ground if self.colors else None,
            ground=ground,
            weights=int(self.weights),
            sea_level=number(self.sea_level) * unit if self.has_sea else None,
            dither=self.dither,
            overwrite=self.was_asked or not self.check_existing,
        )
        path = paths.resolve(self.filepath)
        columns = self.samples or target_settings.propose_samples(
            target, exported_lands.own_columns(obj)
        )
        order = heightmap_files.ExportRequest(path, target, columns, range_, options)
        return heightmap_files.work(obj, self.source, order)

    def run(self, context: bpy.types.Context) -> Steps[set[str]]:
        """Write the files, and report them and the values to type in."""
        if not self.is_browsed:
            self._take_panel(context)
        exported = yield self._work(context)
        values = {name: typed_value(value) for name, value in exported.fields.items()}
        fields = ", ".join(f"{name}: {value}" for name, value in values.items())
        report(
            self, {"INFO"}, "Wrote {} files, {:g} m off at most; {} lists the import settings. {}",
            len(exported.files), exported.largest_difference, exported.sidecar.name, fields,
        )  # fmt: skip
        return {"FINISHED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the options beside the files in the file browser, and how the land is written."""
        layout = redo_layout(self)
        draw_placement(layout, context, self.object)
        layout.prop(self, "target")
        group, declared = target_settings.TARGETS.part(self, self.target)
        for parameter in declared:
            if parameter.is_visible(group):
                draw_number(layout, group, parameter.name)
        draw_columns(layout, self, ("source",), ("samples", "tiles"), ("value_range",))
        if self.value_range == "meters":
            draw_columns(layout, self, ("low", "high"))
        draw_columns(
            layout,
            self,
            ("normal_bits",),
            ("weights",),
            ("all_maps", "colors"),
            ("has_sea", "sea_level") if self.has_sea else ("has_sea",),
        )
        draw_columns(layout, self, ("dither",))
        draw_maps(layout, self)
        panel: Any = layout.panel("terrane_splat", default_closed=True)
        header, body = panel
        header.label(text="Splat Map")
        if body is not None:
            draw_columns(body, self, COLORS)

    def _take_panel(self, context: bpy.types.Context) -> None:
        """Take missing options from the panel, if it calls the operator."""
        stored = self.stored_settings(context)
        if stored is not None:
            target_settings.take_from_panel(self, stored)

    def _splat(self) -> list[str | None]:
        """Return the maps of the channels; an empty list if none is chosen."""
        chosen = [getattr(self, color) for color in COLORS]
        channels = [None if name == NONE else name for name in chosen]
        return channels if any(channels) else []


def draw_placement(layout: Any, context: bpy.types.Context, name: str) -> None:
    """Draw which scale and units a land is written with, or why it cannot be."""
    from .bridge.exchange import exported_lands

    line, is_possible = exported_lands.placement_line(context, name)
    draw_line(layout.box(), panel_texts.panel_text(line), "NONE" if is_possible else "ERROR")
