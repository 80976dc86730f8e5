# SPDX-License-Identifier: GPL-3.0-or-later
"""Operator that adds measured land as a terrain."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bpy
from bpy.props import CollectionProperty, FloatProperty, IntProperty, StringProperty

from ..noise_core.base.errors import TerraneError
from ..noise_core.io.elevation_reading.formats.raw import Raw
from .bridge.datablocks import compat
from .bridge.exchange import target_settings
from .bridge.interface.messages import Message, report, translate
from .bridge.schema import paths
from .bridge.schema.declared_settings import declare
from .bridge.schema.exact_numbers import number
from .bridge.schema.paths import ELEVATION_FILES
from .bridge.tasks.steps import Steps
from .bridge.terrain import map_layers, mesh_building, path_layers, terrains, viewports
from .long_operator import BrowsedOperator
from .options import HIDDEN, browsed_property, draw_columns, draw_line, file_keywords, redo_layout
from .recipe_keywords import declared_keywords
from .terrain import AddTerrainOperator

if TYPE_CHECKING:
    from ..noise_core.base.grid import Grid
    from .bridge.exchange.imported_lands import FileFacts, ImportedLand, ImportOrder

PATTERN = ";".join(
    f"*{ending}" for ending in (*ELEVATION_FILES, ".r8", ".r32", ".bin", ".png", ".exr")
)
"""Files that the file browser shows."""

RAW = Raw.parameters()
"""Options of files that do not describe their own content."""

SIZE = declare(
    *("size", 0.0, "Width in meters", (0.0, 1e7), (0.0, 10000.0)),
    unit="length",
    automatic="the file's, else one meter a sample",
)  # fmt: skip

BOX = ("west", "south", "east", "north")

_RANGE = (0.0, 1000.0)
"""Meters of numbers that are not meters, unless others are given."""


def _border(side: str, most: float) -> Any:
    """Return the property of a border of the part that is imported."""
    return FloatProperty(
        name=side.title(), description="Border of the imported part in degrees; no effect while all four are 0",
        default=0.0, min=-min(most, 360.0), max=most, precision=5, options={"SKIP_SAVE"},
    )  # fmt: skip


class TERRANE_OT_heightmap_import(BrowsedOperator, bpy.types.Operator):
    """Import measured land: GeoTIFF, HGT, ASCII grid, raw, NumPy, PNG, OpenEXR"""

    bl_idname = "terrane.heightmap_import"
    bl_label = "Import Heightmap"
    bl_options = {"REGISTER", "UNDO", "PRESET"}
    doing = Message("Importing the Heightmap")
    passed_on = (
        "samples",
        "size",
        "low",
        "high",
        "system",
        "unit",
        *BOX,
        "lines",
        *(parameter.name for parameter in RAW),
    )

    __annotations__ = {
        **file_keywords("File to import; several files are joined", PATTERN),
        "directory": StringProperty(name="Directory", description="Folder of the files", subtype="DIR_PATH", options=HIDDEN),
        "files": CollectionProperty(
            name="Files", description="Several files of one land, which are joined", type=bpy.types.OperatorFileListElement, options=HIDDEN
        ),
        "samples": IntProperty(
            name="Samples", description="Maximum samples along the longer side; larger files are averaged down",
            default=1024, min=2, max=16384, soft_min=64, soft_max=4096, options={"SKIP_SAVE"},
        ),
        **declared_keywords((SIZE,)),
        "low": FloatProperty(
            name="Low", description="Height in meters of the lowest number (0 for floats), for files without meters",
            default=_RANGE[0], unit="LENGTH", options={"SKIP_SAVE"},
        ),
        "high": FloatProperty(
            name="High", description="Height in meters of the highest number (1 for floats), for files without meters",
            default=_RANGE[1], unit="LENGTH", options={"SKIP_SAVE"},
        ),
        "system": StringProperty(
            name="System", description="Overrides the file's system: EPSG:2056, geographic, local, local ft, WKT",
            options={"SKIP_SAVE"},
        ),
        "unit": StringProperty(
            name="Unit", description="Overrides the file's unit of heights: a name such as ft, or meters per unit", options={"SKIP_SAVE"},
        ),
        **{side: _border(side, most) for side, most in zip(BOX, (360.0, 90.0, 540.0, 90.0))},
        "lines": StringProperty(
            name="Lines", description="GeoJSON or OpenStreetMap file whose roads, rivers and lakes are drawn",
            subtype="FILE_PATH", options={"SKIP_SAVE", *compat.relative_path_options()},
        ),
        **declared_keywords(RAW),
        "is_browsed": browsed_property(),
    }  # fmt: skip

    writes, why_not = AddTerrainOperator.writes, staticmethod(AddTerrainOperator.why_not)

    def given_files(self) -> dict[str, Any]:
        """See `BrowsedOperator.given_files`."""
        files = [{"name": file.name} for file in self.files]
        return {
            "filepath": self.filepath,
            "directory": self.directory * bool(files),
            "files": files,
        }

    def given_options(self) -> dict[str, Any]:
        """See `BrowsedOperator.given_options`; a range is passed on only if it was asked for."""
        names = () if self._is_range_given() else ("low", "high")
        return {name: value for name, value in super().given_options().items() if name not in names}

    def run(self, context: bpy.types.Context) -> Steps[set[str]]:
        """Read the files, make the mesh, add its object at the 3D cursor, and report the content of the files."""
        from .bridge.exchange import imported_lands

        order = self._order(context)
        land: ImportedLand = yield imported_lands.work(order)
        mesh = yield from mesh_building.build_mesh(order.name, land.grid, land.height, land.maps)
        if reason := self.refusal(context):
            bpy.data.meshes.remove(mesh)
            raise TerraneError("No terrain was added. {}", reason)
        map_layers.note(mesh, (name for name in land.maps if name in mesh.attributes), None)
        terrain = terrains.add_object(context, mesh)
        imported_lands.add_layer_image(terrain, land)
        path_layers.show_all(context, terrain, land.curves)
        lines = [*land.elevation.lines, *land.notes]
        if land.elevation.spacing is None and not order.size:
            lines.append(Message("It has no width in meters: taken for a meter a sample"))
        lines.append(_size_line(land.grid, order.meters_per_unit))
        if order.meters_per_unit != 1.0:
            lines.append(Message("One unit of the scene is {:g} m", order.meters_per_unit))
        report(self, {"INFO"}, "Imported {}. {}", terrain.name, ". ".join(map(translate, lines)))
        return {"FINISHED"}

    def _order(self, context: bpy.types.Context) -> ImportOrder:
        """Return the files, which are looked for, and how to read them; OpenEXR is loaded here."""
        from .bridge.exchange import imported_lands, placements

        unit = placements.meters_per_unit(context.scene)
        low, high, size = (number(measure) * unit for measure in (self.low, self.high, self.size))
        heights = target_settings.read_range("meters", low, high)
        return imported_lands.ImportOrder(
            imported_lands.files_of(self._paths()),
            self.samples,
            size,
            heights,
            self._is_range_given(),
            self._options(),
            self._spatial(),
            unit,
            paths.resolve(self.lines) if self.lines else None,
        )

    def show(self, context: bpy.types.Context) -> None:
        """Adjust the viewport to show all of the terrain."""
        terrain: Any = context.active_object
        viewports.show(context, terrain, float(max(terrain.dimensions[:2])))

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the facts about the chosen files, and the options that have an effect."""
        from .bridge.exchange import placements

        layout = redo_layout(self)
        facts = self._facts(context)
        box = layout.box()
        for line in facts.lines or (Message("Choose a file"),):
            draw_line(box, translate(line), "ERROR" if facts.is_error else "NONE")
        unit = placements.meters_per_unit(context.scene)
        if unit != 1.0:
            draw_line(box, translate(Message("One unit of the scene is {:g} m", unit)), "NONE")
        draw_columns(layout, self, ("samples",), ("size",), ("system", "unit"), BOX, ("lines",))
        if not facts.is_metric or self._is_range_given():
            draw_columns(layout, self, ("low", "high"))
        if facts.parameters:
            draw_columns(layout, self, facts.parameters)

    def _is_range_given(self) -> bool:
        """Return whether meters of the lowest and highest number were asked for; in the file browser, by changing them."""
        names: Any = self.properties
        is_set = names.is_property_set("low") or names.is_property_set("high")
        return is_set and not (self.is_browsed and (self.low, self.high) == _RANGE)

    def _options(self) -> dict[str, Any]:
        return {parameter.name: getattr(self, parameter.name) for parameter in RAW}

    def _spatial(self) -> dict[str, Any]:
        box = tuple(number(getattr(self, side)) for side in BOX)
        return {"system": self.system, "unit": self.unit, **({"box": box} if any(box) else {})}

    def _paths(self) -> Any:
        from .bridge.exchange import imported_lands

        names = [file.name for file in self.files if file.name]
        return imported_lands.find_paths(self.filepath, self.directory, names)

    def _facts(self, context: bpy.types.Context) -> FileFacts:
        """Return the facts about the files that are chosen in the file browser, or else about the operator's."""
        from .bridge.exchange import imported_lands

        try:
            paths = imported_lands.browsed_paths(context) or self._paths()
            return imported_lands.facts_of(paths, self._options(), self._spatial())
        except TerraneError:
            return imported_lands.FileFacts(())


def _size_line(grid: Grid, meters: float) -> Message:
    """Return a line about the size of a mesh, in units of so many meters."""
    steps = (grid.columns - 1, grid.rows - 1)
    size = (grid.spacing * meters * step for step in steps)
    return Message("Mesh: {} x {} vertices, {:.6g} x {:.6g} m", grid.columns, grid.rows, *size)
