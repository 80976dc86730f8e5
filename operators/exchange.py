# SPDX-License-Identifier: GPL-3.0-or-later
"""Operator that writes heightmaps for engines, robots and maps."""

from __future__ import annotations

from typing import Any

import bpy
from bpy.props import FloatProperty, IntProperty, IntVectorProperty

from ..noise_core.base.errors import TerraneError
from ..noise_core.io.targets.bases.target import typed_value
from .bridge.exchange import target_settings
from .bridge.interface.messages import Message, report, translate
from .bridge.schema import paths, state
from .bridge.schema.enum_items import enum_items
from .bridge.schema.exact_numbers import number
from .bridge.schema.panel_texts import panel_text
from .bridge.tasks.jobs import Work
from .bridge.tasks.steps import Steps
from .long_operator import BrowsedOperator
from .maps import COLORS, NONE, channel_property, draw_maps, maps_property
from .options import (
    browsed_property,
    choice_property,
    draw_columns,
    draw_line,
    file_keywords,
    json_property,
    redo_layout,
    replacing_keywords,
    switch_property,
    text_property,
)
from .recipe_keywords import NOT_REMEMBERED

RANGES = {
    "as_is": "From the lowest to the highest point of this terrain, for the finest steps",
    "proportional": "From minus to plus the recipe's height: equal for other seeds",
    "meters": "From Low to High: equal for all terrains, so that they fit together",
}
"""Heights of the lowest and the highest number."""

NORMALS = {
    "none": "No normal map",
    "8": "Beside the heights, 8 bits a channel",
    "16": "Beside the heights, 16 bits a channel",
}


class TERRANE_OT_heightmap_export(BrowsedOperator, bpy.types.Operator):
    """Export the heights of the active terrain or grid for an engine, simulator or map"""

    bl_idname = "terrane.heightmap_export"
    bl_label = "Export Heightmap"
    bl_options = {"REGISTER", "PRESET"}
    doing = Message("Exporting the Heightmap")
    passed_on = (
        *("target", "source", "samples", "tiles", "value_range", "low", "high", "maps", "all_maps"),
        *(*COLORS, "normal_bits", "colors", "has_sea", "sea_level", "dither"),
        *("object", "was_asked"),
    )

    __annotations__ = {
        **file_keywords("Path of the exported file; tiles, maps and the description add to its name", "*.*"),
        **replacing_keywords(),
        "target": choice_property("Target", "Program that reads the file", target_settings.target_items()),
        **target_settings.TARGETS.properties(NOT_REMEMBERED),
        "parameters": json_property("Options of the target as a JSON object; they win over all else"),
        "source": choice_property("Heights", "Source of the heights", enum_items(target_settings.SOURCES), default="auto"),
        "samples": IntProperty(
            name="Samples",
            description="Samples along the width; 0 takes the mesh's, rounded up to an allowed number",
            min=0, max=1 << 16, options={"SKIP_SAVE"},
        ),
        "tiles": IntVectorProperty(
            name="Tiles", description="Files along x and along y", size=2, default=(1, 1), min=1, options={"SKIP_SAVE"},
        ),
        "value_range": choice_property(
            "Range", "Heights of the lowest and the highest number", enum_items(RANGES), default="as_is"
        ),
        "low": FloatProperty(name="Low", description="Meters of the lowest number", default=-500.0, unit="LENGTH", options={"SKIP_SAVE"}),
        "high": FloatProperty(
            name="High", description="Meters of the highest number", default=2500.0, unit="LENGTH", options={"SKIP_SAVE"}
        ),
        "maps": maps_property((), "Each map becomes a gray image of 8 bits beside the heights"),
        "all_maps": switch_property("All Maps", "Also export every map that the recipe's modifiers make"),
        **{color: channel_property(color) for color in COLORS},
        "normal_bits": choice_property("Normal Map", "Directions of the ground", enum_items(NORMALS), default="none"),
        "colors": switch_property("Color Map", "Export the ground colors, without light, as an image of 8 bits"),
        "has_sea": switch_property("Sea", "Write the sea level into the description"),
        "sea_level": FloatProperty(name="Sea Level", description="In meters", unit="LENGTH", options={"SKIP_SAVE"}),
        "dither": switch_property("Dither", "Dither between the two nearest numbers, for 16 bits"),
        "object": text_property("Object", "Terrain or mesh to export; the active one if empty"),
        "is_browsed": browsed_property(),
    }  # fmt: skip

    @staticmethod
    def why_not(context: bpy.types.Context) -> str:
        """Refuse it without meshes."""
        return "" if bpy.data.meshes else Message("Add a terrain, or a mesh that is a grid, first")

    def propose(self, context: bpy.types.Context) -> None:
        """Set the file of the terrain or mesh; the file browser asks before it replaces one."""
        from .bridge.exchange import exported_lands

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
        has_materials = target.friction_factors is not None
        ground = exported_lands.colors_of(obj) if self.colors or has_materials else None
        ends = (number(limit) * unit for limit in (self.low, self.high))
        range_ = target_settings.read_range(self.value_range, *ends)
        options = heightmap_files.ExportOptions(
            tiles=tuple(self.tiles),
            maps=[*sorted(self.maps), *[exported_lands.ALL_MAPS] * self.all_maps],
            splat=self._splat(),
            normal_bits=0 if self.normal_bits == "none" else int(self.normal_bits),
            colors=ground if self.colors else None,
            ground=ground,
            sea_level=number(self.sea_level) * unit if self.has_sea else None,
            dither=self.dither,
            overwrite=self.was_asked or not self.check_existing,
        )
        path = paths.resolve(self.filepath)
        columns = self.samples or target_settings.propose_samples(target, _own_columns(obj))
        order = heightmap_files.ExportRequest(path, target, columns, range_, options)
        return heightmap_files.work(obj, self.source, order)

    def run(self, context: bpy.types.Context) -> Steps[set[str]]:
        """Write the files, and report them and the values to type in."""
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
                layout.prop(group, parameter.name)
        draw_columns(layout, self, ("source",), ("samples", "tiles"), ("value_range",))
        if self.value_range == "meters":
            draw_columns(layout, self, ("low", "high"))
        draw_columns(
            layout,
            self,
            ("normal_bits",),
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

    def _splat(self) -> list[str | None]:
        """Return the maps of the channels; an empty list if none is chosen."""
        chosen = [getattr(self, color) for color in COLORS]
        channels = [None if name == NONE else name for name in chosen]
        return channels if any(channels) else []


def draw_placement(layout: Any, context: bpy.types.Context, name: str) -> None:
    """Draw which scale and units a land is written with, or why it cannot be."""
    from .bridge.exchange import exported_lands, placements

    try:
        obj = exported_lands.find_object(context, name)
        line = placements.Placement.of(obj, placements.meters_per_unit(context.scene)).line()
    except TerraneError as error:
        draw_line(layout.box(), panel_text(error.message), "ERROR")
    else:
        draw_line(layout.box(), translate(line), "NONE")


def _own_columns(obj: bpy.types.Object) -> int:
    """Return the samples that a terrain has along its width, or about as many as a mesh has."""
    if state.is_terrain(obj):
        return int(getattr(obj, state.PROPERTY).resolution)
    return max(2, round(len(obj.data.vertices) ** 0.5))
