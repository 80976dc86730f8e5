# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators on stamps: landforms that empties place on the terrain."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

import bpy
from bpy.props import EnumProperty, FloatProperty, FloatVectorProperty

from ..noise_core.base.errors import TerraneError
from ..noise_core.erosion import earthworks
from ..noise_core.landscapes.preset_library import preset
from ..noise_core.modifiers.stamp import Stamp
from .bridge.datablocks import linked
from .bridge.datablocks.ref import Ref
from .bridge.interface.messages import Message
from .bridge.schema import curve_slots, layer_list, paths, presets, settings, state
from .bridge.schema.enum_items import enum_items
from .bridge.schema.exact_numbers import number
from .bridge.tasks.steps import Steps
from .bridge.terrain import path_layers, placed_stamps, tile_frame
from .curve_lists import SlotOperator
from .curves import PathOperator
from .heightmap_import import PATTERN
from .layer_operator import OPTIONS, LayerOperator
from .long_operator import BrowsedOperator
from .options import (
    browsed_property,
    choice_property,
    file_keywords,
    switch_property,
    text_property,
)
from .recipe_keywords import declared_keywords

if TYPE_CHECKING:
    from ..noise_core.erosion.earthworks.placement import Placement
    from .bridge.tasks.jobs import Work
    from .bridge.terrain.placed_stamps import StampSource
    from .bridge.terrain.tile_frame import TileFrame

_SOURCES = {
    "PRESET": "The landform of a preset",
    "FILE": "Measured land in a file",
    "SELECTION": "The selected vertices of the terrain",
}

_SOURCE_ITEMS = enum_items(_SOURCES, {key: key.title() for key in _SOURCES})

_DECLARED = tuple(
    parameter
    for parameter in Stamp.parameters()
    if parameter.name in ("mode", "falloff", "outline")
)

_LONGEST_NAME = 48
"""Characters of a name that is that of a file."""


class TERRANE_OT_stamp_add(BrowsedOperator, PathOperator, bpy.types.Operator):
    """Stamp a landform on the terrain, and add an empty that places it"""

    bl_idname = "terrane.stamp_add"
    bl_label = "Add Stamp"
    bl_options = {"REGISTER", "UNDO"}
    doing = Message("Making the Stamp")
    passed_on = ("source", "size", "rotation", "mode", "falloff", "outline", "eroded", "name")

    __annotations__ = {
        "source": choice_property("Source", "Heights of the stamp", _SOURCE_ITEMS, default="PRESET"),
        "preset": EnumProperty(
            name="Preset", description="Preset whose landform is stamped", items=presets.landform_items,
            options={"SKIP_SAVE"},
        ),
        **file_keywords("Measured land to stamp", PATTERN),
        "at": FloatVectorProperty(
            name="Place", description="Center in tiles; without it that of the 3D cursor over the terrain, else the middle",
            size=2, default=(0.5, 0.5), options={"SKIP_SAVE"},
        ),
        "rotation": FloatProperty(name="Rotation", description="Turn about Z in degrees", options={"SKIP_SAVE"}),
        "size": FloatProperty(
            name="Size", description="Width in meters; 0 takes the landform's, at most half the terrain's",
            min=0.0, max=1e7, unit="LENGTH", options={"SKIP_SAVE"},
        ),
        **declared_keywords(_DECLARED),
        "eroded": switch_property(
            "Eroded", "Add the layer below erosion, which joins its borders; else above all layers", default=True
        ),
        "name": text_property("Name", "Name of layer and empty; that of the landform if empty"),
        "is_browsed": browsed_property(),
    }  # fmt: skip

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Ask for a file if that is the source."""
        base: Any = super() if self.source == "FILE" else super(BrowsedOperator, self)
        status: set[str] = base.invoke(context, event)
        return status

    def run(self, context: bpy.types.Context) -> Steps[set[str]]:
        """Make the heights, their layer, and the empty, which becomes active."""
        terrain = _writable_terrain(context, is_edited=self._kind() == "SELECTION")
        owner = Ref.of(terrain)
        title, work = self._source(terrain)
        source: StampSource = yield work
        found = owner.find()
        if found is None or (reason := self.refusal(context)):
            raise TerraneError("No stamp was added. {}", reason if found else _GONE)
        if context.mode != "OBJECT":
            bpy.ops.object.mode_set(mode="OBJECT")
        frame = tile_frame.TileFrame.of(found)
        stamp = placed_stamps.fit(source.stamp, number(self.size), frame.size)
        values: dict[str, Any] = {part.name: getattr(self, part.name) for part in _DECLARED}
        values["falloff"] = number(values["falloff"])
        values["name"] = layer_list.free_name(
            title, layer_list.names(getattr(found, state.PROPERTY))
        )
        place = self._place(context, found, frame)
        stamp = dataclasses.replace(stamp, placements=(place,), **values)
        entry = placed_stamps.add_layer(found, stamp, source.packed, is_last=not self.eroded)
        obj = placed_stamps.add_empty(context, found, frame, stamp, place)
        placed_stamps.follow(entry.placements[0], obj, place)
        _make_active(context, obj)
        return {"FINISHED"}

    def _kind(self) -> str:
        return "FILE" if self.filepath else str(self.source)

    def _source(self, terrain: bpy.types.Object) -> tuple[str, Work]:
        """Return the name of the landform, and the work that makes its heights."""
        kind = self._kind()
        if kind == "SELECTION":
            return self.name or "Copied Land", placed_stamps.work_of_selection(terrain)
        if kind == "FILE":
            path = paths.resolve(self.filepath)
            return self.name or path.stem[:_LONGEST_NAME], placed_stamps.work_of_file(path)
        chosen = preset(self.preset)
        return self.name or chosen.label, placed_stamps.work_of_preset(chosen.recipe)

    def _place(
        self, context: bpy.types.Context, terrain: bpy.types.Object, frame: TileFrame
    ) -> Placement:
        """Return where the stamp stands at first, on the ground."""
        at: Any = (
            None if self.properties.is_property_set("at") else _cursor(context, terrain, frame)
        )
        x, y = at or self.at
        place = earthworks.placement.Placement(
            at=(number(x), number(y)), rotation=number(self.rotation)
        )
        return placed_stamps.on_ground(terrain, frame, place)


_GONE = Message("The terrain is gone")


def _writable_terrain(context: bpy.types.Context, *, is_edited: bool) -> bpy.types.Object:
    """Return the terrain to change, with complete settings; raise a TerraneError if it cannot be changed."""
    if context.mode not in ("OBJECT", "EDIT_MESH" if is_edited else "OBJECT"):
        raise TerraneError("Switch to Object Mode first")
    terrain = path_layers.find_terrain(context, None)
    linked.require_writable(terrain)
    settings.fill(getattr(terrain, state.PROPERTY))
    return terrain


def _cursor(
    context: bpy.types.Context, terrain: bpy.types.Object, frame: TileFrame
) -> tuple[float, float] | None:
    """Return the place of the 3D cursor in tiles, None if it is not over the terrain, or where scenes begin with it."""
    cursor: Any = context.scene.cursor.location
    at = placed_stamps.tiles_of(terrain, frame, cursor)
    return at if any(cursor) and placed_stamps.is_over(terrain, frame, at) else None


def _make_active(context: bpy.types.Context, obj: bpy.types.Object) -> None:
    context.view_layer.update()
    for other in context.selected_objects:
        other.select_set(False)
    obj.select_set(True)
    context.view_layer.objects.active = obj


class TERRANE_OT_stamp_repeat(LayerOperator, bpy.types.Operator):
    """Stamp the landform of the active layer at the 3D cursor once more"""

    bl_idname = "terrane.stamp_repeat"
    bl_label = "Stamp Again"
    bl_options = OPTIONS

    @classmethod
    def why_not_layer(cls, entry: Any) -> str:
        """Refuse layers of other types."""
        return "" if entry.type == Stamp.key else Message("Select a layer of the type Stamp")

    def change(self, context: bpy.types.Context, group: Any) -> None:
        """Add the empty, and its slot."""
        terrain = _writable_terrain(context, is_edited=False)
        frame, entry = tile_frame.TileFrame.of(terrain), layer_list.active_entry(group)
        at = _cursor(context, terrain, frame) or (0.5, 0.5)
        last: Any = curve_slots.read(entry.placements)[-1:]
        place = dataclasses.replace(last[0] if last else earthworks.placement.Placement(), at=at)
        place = placed_stamps.on_ground(terrain, frame, place)
        placed_stamps.add_place(context, terrain, frame, entry, place)


class TERRANE_OT_place_make(SlotOperator, bpy.types.Operator):
    """Make an empty at the place that the stamp has"""

    bl_idname = "terrane.place_make"
    bl_label = "Make Empty"
    bl_options = OPTIONS

    @classmethod
    def why_not_layer(cls, entry: Any) -> str:
        """Refuse layers of other types."""
        return TERRANE_OT_stamp_repeat.why_not_layer(entry)

    def slots(self, group: Any) -> Any:
        """Return the places of the stamp."""
        entry: Any = layer_list.active_entry(group)
        return entry.placements

    def change(self, context: bpy.types.Context, group: Any) -> None:
        """Make one empty for each place in the slot, and follow them."""
        terrain = _writable_terrain(context, is_edited=False)
        frame, entry = tile_frame.TileFrame.of(terrain), layer_list.active_entry(group)
        places: Any = curve_slots.parse(self.slot(group).points)
        self.slots(group).remove(self.place)
        for place in places:
            placed_stamps.add_place(context, terrain, frame, entry, place)
