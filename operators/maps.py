# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators that make maps and figures of a mesh, and the keyword that chooses maps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

import bpy
from bpy.props import EnumProperty, FloatProperty

from ..noise_core.base.errors import TerraneError
from .bridge.datablocks import editing, meshes
from .bridge.datablocks.ref import Ref
from .bridge.interface.messages import Message, report
from .bridge.schema import state
from .bridge.tasks import steps
from .bridge.tasks.jobs import Work, as_work
from .bridge.tasks.steps import Steps
from .bridge.terrain import baking, catalog, map_images, map_layers
from .long_operator import LongOperator
from .options import (
    PanelOperator,
    choice_property,
    draw_columns,
    from_panel_property,
    redo_layout,
    switch_property,
)

if TYPE_CHECKING:
    from .bridge.datablocks.images import Content

DEFAULT_BAKED = frozenset({"slope", "flow", "wear", "deposit"}) & frozenset(catalog.entries())
"""The maps that shaders use most."""

KEPT = (
    "Attributes of the vertices to make. If nobody chooses, those that the modifiers make on their "
    "way, and those that a material, nodes or a mask of the terrain read"
)

COLORS = ("red", "green", "blue", "alpha")

NONE = "none"


def map_items(kinds: Mapping[str, Any]) -> list[tuple[str, str, str, str, int]]:
    """Return the items of an enum of several maps; each is a bit."""
    return [
        (name, kind.label, kind.help.rstrip("."), "NONE", 1 << place)
        for place, (name, kind) in enumerate(kinds.items())
    ]


def maps_property(
    default: Iterable[str], description: str = KEPT, kinds: Mapping[str, Any] | None = None
) -> Any:
    """Return the property that chooses maps, those of reliefs if no kinds are given.

    It is never stored in files, so its bits may change when maps are added.
    """
    return EnumProperty(
        name="Maps",
        description=description,
        items=map_items(catalog.entries() if kinds is None else kinds),
        default=set(default),
        options={"ENUM_FLAG", "SKIP_SAVE"},
    )


def draw_maps(layout: bpy.types.UILayout, operator: Any) -> None:
    """Draw the choice of maps in a panel that is closed by default."""
    panel: Any = layout.panel("terrane_maps", default_closed=True)
    header, body = panel
    header.label(text="Maps")
    if body is not None:
        body.column(align=True).prop(operator, "maps")


def report_refusal(operator: Any, refused: Iterable[str]) -> None:
    """Report maps that could not be stored, if any."""
    if names := ", ".join(refused):
        text = Message(
            "Not stored, for other attributes or vertex groups have these names: {}", names
        )
        report(operator, {"WARNING"}, text)


def channel_property(color: str) -> Any:
    """Return the property that chooses the map in a channel of the splat map."""
    single = set(catalog.masks())
    items = [
        (NONE, "None", "Nothing, unless no channel is chosen: then the maps in order", "NONE", 0),
        *(item for item in map_items(catalog.entries()) if item[0] in single),
    ]
    text = f"The map in the {color} channel of the splat map"
    return choice_property(color.title(), text, items, default=NONE)


def _limit(name: str, text: str) -> Any:
    return FloatProperty(name=name, description=text, precision=3, options={"SKIP_SAVE"})


class TERRANE_OT_maps_bake(PanelOperator, LongOperator, bpy.types.Operator):
    """Make maps of the active mesh, if it is a grid: slope, flow, wear and others, for shaders and scattering"""

    bl_idname = "terrane.maps_bake"
    bl_label = "Bake Maps"
    bl_options = {"REGISTER", "UNDO"}
    doing = Message("Baking Maps")

    __annotations__ = {
        "maps": maps_property(DEFAULT_BAKED, "The maps to make"),
        "as_attributes": switch_property("Attributes", "Store them on the vertices, in their own units", default=True),
        "as_images": switch_property("Images", "Make a gray image of each, packed into this file"),
        "as_groups": switch_property("Vertex Groups", "Make a vertex group of each"),
        "splat": switch_property("Splat Map", "Make one image whose four channels are four of the maps"),
        **{color: channel_property(color) for color in COLORS},
        "low": _limit("Low", "What becomes black, or weight 0; if it equals High, each map's own range counts"),
        "high": _limit("High", "What becomes white, or weight 1"),
        "from_panel": from_panel_property(),
    }  # fmt: skip
    panel_settings = staticmethod(catalog.of)
    panel_maps = staticmethod(catalog.chosen_maps)
    writes = (state.active_mesh,)
    why_not = staticmethod(state.why_not_change_object)

    def prepare(self, context: bpy.types.Context) -> Work:
        """Read the relief."""
        self.take_maps(context)
        map_images.limits(self.low, self.high)
        obj = state.active_object(context)
        with editing.object_mode(context, obj):
            positions = meshes.present_positions(obj)
            self.guard = editing.MeshGuard.of(obj, positions)
        self.channels = tuple(getattr(self, color) for color in COLORS) if self.splat else ()
        self.map_names = {*self.maps, *self.channels} - {NONE}
        if not self.map_names:
            raise TerraneError("Choose at least one map")
        if not (self.as_attributes or self.as_images or self.as_groups or self.splat):
            raise TerraneError(
                "Choose what to make: attributes, images, vertex groups or a splat map"
            )
        return baking.work(obj, self.map_names, positions)

    def finish(self, context: bpy.types.Context, result: baking.Baked) -> Steps[set[str]]:
        """Store the maps in steps."""
        obj = self.guard.resolve()
        missing = [name for name in sorted(self.map_names) if name not in result.fields]
        if len(result.fields) == 0:
            raise TerraneError("No map to make; only modifiers make: {}", ", ".join(missing))
        storing = self._store(context, result)
        refused = yield from steps.in_object_mode(context, obj, storing)
        is_given = self.properties.is_property_set("maps") and not self.from_panel
        if missing and (is_given or not {*missing}.isdisjoint(self.channels)):
            report(self, {"WARNING"}, "No modifier has made: {}", ", ".join(missing))
        report_refusal(self, refused)
        return {"FINISHED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the redo panel."""
        layout = redo_layout(self)
        column = layout.column(heading="Make")
        for name in ("as_attributes", "as_images", "as_groups", "splat"):
            column.prop(self, name)
        column = layout.column()
        column.active = self.as_images or self.as_groups or self.splat
        draw_columns(column, self, ("low", "high"))
        draw_columns(layout, self, *((COLORS,) if self.splat else ()), ("maps",))

    def _channels(self, result: baking.Baked) -> tuple[str, ...]:
        """Return the maps in the channels of the splat map, and report those that do not fit."""
        if not self.splat or set(self.channels) != {NONE}:
            return self.channels
        map_names = [name for name in catalog.check_names(self.maps) if name in result.fields]
        fitting = [name for name in map_names if name in catalog.masks()]
        if not fitting:
            raise TerraneError("A splat map needs at least one map with one number per vertex")
        if left_out := fitting[len(COLORS) :]:
            names = ", ".join(left_out)
            report(self, {"WARNING"}, "A splat map has four channels; left out: {}", names)
        return tuple(fitting[: len(COLORS)])

    def _store(self, context: bpy.types.Context, result: baking.Baked) -> Steps[tuple[str, ...]]:
        """Take the steps that store the maps; return the names of those that Blender refuses."""
        stored: baking.Storable = yield as_work(
            partial(
                baking.Storable.of,
                result,
                frozenset(self.maps),
                self._channels(result),
                map_images.limits(self.low, self.high),
                has_attributes=self.as_attributes,
                has_images=self.as_images,
                has_groups=self.as_groups,
            )
        )
        self.guard.check(self.guard.resolve())
        if stored.groups:
            yield from self._store_groups(context, stored)
        obj = self.guard.resolve()
        refused: tuple[str, ...] = ()
        if self.as_attributes:
            mesh = meshes.mesh_of(obj)
            refused = map_layers.add(mesh, stored.attributes)
            map_layers.want_more(mesh, stored.attributes)
        for label, packed in stored.images.items():
            map_images.write_image(obj, label, packed)
        return refused

    def _store_groups(self, context: bpy.types.Context, stored: baking.Storable) -> Steps[None]:
        obj = self.guard.resolve()
        # Blender makes no attribute with the name of a vertex group: reserve attributes first.
        new = map_layers.reserve(meshes.mesh_of(obj), stored.attributes)
        try:
            yield from baking.write_groups(context, obj, stored.groups)
            new = ()
        finally:
            with suppress(TerraneError):  # the object may have been removed
                map_layers.remove(meshes.mesh_of(self.guard.owner.resolve()), new)
        self.guard.check(self.guard.resolve())


class TERRANE_OT_maps_figures(LongOperator, bpy.types.Operator):
    """Measure the active mesh, if it is a grid, and draw its figures beside those of measured land into an image: slopes, rivers, spectrum"""

    bl_idname = "terrane.maps_figures"
    bl_label = "Draw Figures"
    bl_options = {"REGISTER", "UNDO"}
    doing = Message("Measuring the Land")
    writes = (state.active_mesh,)
    why_not = staticmethod(state.why_not_change_object)

    def prepare(self, context: bpy.types.Context) -> Work:
        """Read the relief."""
        obj, self.label = state.active_object(context), map_images.FIGURES
        self.target = Ref.of(obj)
        return map_images.figures_work(obj)

    def finish(self, context: bpy.types.Context, result: Content) -> set[str]:
        """Make the image, or update the one of before, and show it."""
        from .bridge.datablocks import images  # here: enabling does without

        obj = self.target.resolve()
        image = map_images.write_image(obj, self.label, result)
        images.show(context, image)
        report(self, {"INFO"}, "Image Editors show it: {}", image.name)
        return {"FINISHED"}
