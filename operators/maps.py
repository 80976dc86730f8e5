# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators that make maps and figures of a mesh, and the keyword that chooses maps."""

from __future__ import annotations

import functools
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import bpy
from bpy.props import EnumProperty, FloatProperty

from ..noise_core.base.errors import TerraneError
from .bridge.datablocks import editing, meshes
from .bridge.datablocks.ref import Ref
from .bridge.interface.messages import Message, report
from .bridge.schema import state
from .bridge.tasks import steps
from .bridge.tasks.steps import Steps
from .bridge.terrain import baked_maps, catalog, map_images
from .bridge.terrain.catalog import NONE
from .long_operator import LongOperator
from .options import (
    PanelOperator,
    choice_property,
    draw_columns,
    from_panel_property,
    redo_layout,
    switch_property,
)

DEFAULT_BAKED = frozenset({"slope", "flow", "wear", "deposit"}) & frozenset(catalog.entries())
"""The maps that shaders use most."""

KEPT = "Maps to store as vertex attributes; if none is chosen, those in use"

_DRAWN = "Further maps, which only paths along drawn curves make"

COLORS = ("red", "green", "blue", "alpha")


MapItem = tuple[str, str, str, str, int]


def map_items(kinds: Mapping[str, Any]) -> list[MapItem]:
    """Return the items of an enum of several maps; each is a bit."""
    return [
        (name, kind.label, kind.help.rstrip("."), "NONE", 1 << place)
        for place, (name, kind) in enumerate(kinds.items())
    ]


def maps_property(
    default: Iterable[str], description: str, items: list[MapItem], title: str = "Maps"
) -> Any:
    """Return the property that chooses maps among some, at most 32: Blender stores them as bits of an integer.

    It is never stored in files, so its bits may change when maps are added.
    """
    return EnumProperty(
        name=title,
        description=description,
        items=items,
        default={item[0] for item in items} & set(default),
        options={"ENUM_FLAG", "SKIP_SAVE"},
    )


MAPS = ("maps", "drawn_maps")
"""Keywords that choose maps of reliefs: all together are more than the bits of one property."""


def map_keywords(default: Iterable[str], description: str = KEPT) -> dict[str, Any]:
    """Return the keywords `MAPS`."""
    items, drawn_items = _relief_items()
    return {
        "maps": maps_property(default, description, items),
        "drawn_maps": maps_property(default, _DRAWN, drawn_items, "Maps of Paths"),
    }


@functools.cache
def _relief_items() -> tuple[list[MapItem], list[MapItem]]:
    """Return the items of the two keywords `MAPS`."""
    drawn, kinds = catalog.drawn_maps(), dict(catalog.entries())
    drawn_kinds = {name: kinds.pop(name) for name in list(kinds) if name in drawn}
    return map_items(kinds), map_items(drawn_kinds)


def are_maps_given(operator: Any) -> bool:
    """Return whether one of the keywords `MAPS` is given."""
    return any(operator.properties.is_property_set(name) for name in MAPS)


def chosen_maps(operator: Any) -> set[str]:
    """Return the maps that the keywords `MAPS` choose: those of the given ones, or else of both by default."""
    is_given = operator.properties.is_property_set
    return {
        name
        for keyword in MAPS
        if is_given(keyword) or not are_maps_given(operator)
        for name in getattr(operator, keyword)
    }


def choose_maps(operator: Any, names: Collection[str]) -> None:
    """Set the keywords `MAPS` to some maps."""
    drawn = catalog.drawn_maps()
    operator.maps, operator.drawn_maps = set(names) - drawn, set(names) & drawn


def draw_maps(layout: bpy.types.UILayout, operator: Any) -> None:
    """Draw the choice of maps in a panel that is closed by default."""
    panel: Any = layout.panel("terrane_maps", default_closed=True)
    header, body = panel
    header.label(text="Maps")
    if body is not None:
        for name in MAPS:
            body.column(align=True).prop(operator, name)


def report_refusal(operator: Any, refused: Sequence[str]) -> None:
    """Report maps that could not be stored, if any."""
    if text := baked_maps.refusal_of(refused):
        report(operator, {"WARNING"}, text)


def channel_property(color: str) -> Any:
    """Return the property that chooses the map in a channel of the splat map."""
    text = f"Map in the {color} channel of the splat map"
    return choice_property(color.title(), text, _channel_items(), default=NONE)


@functools.cache
def _channel_items() -> list[MapItem]:
    """Return the items of a choice of one map, with none as the first."""
    single = set(catalog.masks())
    names = [item[:4] for items in _relief_items() for item in items if item[0] in single]
    empty = (NONE, "None", "Empty; if all channels are, the maps fill them in order", "NONE")
    return [(*item, number) for number, item in enumerate([empty, *names])]


def _limit(name: str, text: str) -> Any:
    return FloatProperty(name=name, description=text, precision=3, options={"SKIP_SAVE"})


class TERRANE_OT_maps_bake(PanelOperator, LongOperator, bpy.types.Operator):
    """Store maps such as slope, flow and wear, for shaders and scattering"""

    bl_idname = "terrane.maps_bake"
    bl_label = "Bake Maps"
    bl_options = {"REGISTER", "UNDO"}
    doing = Message("Baking Maps")

    __annotations__ = {
        **map_keywords(DEFAULT_BAKED, "Maps to bake"),
        "as_attributes": switch_property("Attributes", "Store maps as vertex attributes, in their units", default=True),
        "as_images": switch_property("Images", "Store each map as a gray image, packed into this file"),
        "as_groups": switch_property("Vertex Groups", "Store each map as a vertex group"),
        "splat": switch_property("Splat Map", "Store four maps in the channels of one image"),
        **{color: channel_property(color) for color in COLORS},
        "low": _limit("Low", "Value of black, or weight 0; equal to High, each map uses its own range"),
        "high": _limit("High", "Value of white, or weight 1"),
        "from_panel": from_panel_property(),
    }  # fmt: skip
    panel_settings = staticmethod(catalog.of)
    writes = (state.active_mesh,)
    why_not = staticmethod(state.why_not_change_object)

    def run(self, context: bpy.types.Context) -> Steps[set[str]]:
        """Read the relief, and store its maps in steps."""
        stored = self.stored_options(context)
        if stored is not None and not are_maps_given(self):
            choose_maps(self, catalog.chosen_maps(stored))
        obj = state.active_object(context)
        request = self._request(context, obj)
        result = yield baked_maps.BAKED_MAPS.work(obj, request)
        if result.left_out:
            names = ", ".join(result.left_out)
            report(self, {"WARNING"}, "A splat map has four channels; left out: {}", names)
        obj = request.guard.resolve()
        update = baked_maps.BAKED_MAPS.update(obj, request)
        storing = steps.as_steps(baked_maps.BAKED_MAPS.finish(obj, update, result))
        refusal = yield from steps.in_object_mode(context, obj, storing)
        is_given = are_maps_given(self) and not self.from_panel
        if result.missing and (is_given or not {*result.missing}.isdisjoint(request.channels)):
            names = ", ".join(result.missing)
            report(self, {"WARNING"}, "No modifier has made: {}", names)
        if refusal:
            report(self, {"WARNING"}, refusal)
        return {"FINISHED"}

    def _request(self, context: bpy.types.Context, obj: bpy.types.Object) -> baked_maps.MapsRequest:
        """Return the maps that the keywords define, of an object as it is."""
        limits = map_images.limits(self.low, self.high)
        with editing.object_mode(context, obj):
            positions = meshes.present_positions(obj)
            guard = editing.MeshGuard.of(obj, positions)
        channels = tuple(getattr(self, color) for color in COLORS) if self.splat else ()
        forms = (self.as_attributes, self.as_groups, self.as_images)
        request = baked_maps.MapsRequest(
            frozenset(chosen_maps(self)), channels, limits, *forms, guard, positions
        )
        if not request.names:
            raise TerraneError("Choose at least one map")
        if not (any(forms) or self.splat):
            raise TerraneError(
                "Choose what to make: attributes, images, vertex groups or a splat map"
            )
        return request

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the redo panel."""
        layout = redo_layout(self)
        column = layout.column(heading="Make")
        for name in ("as_attributes", "as_images", "as_groups", "splat"):
            column.prop(self, name)
        column = layout.column()
        column.active = self.as_images or self.as_groups or self.splat
        draw_columns(column, self, ("low", "high"))
        draw_columns(layout, self, *((COLORS,) if self.splat else ()), *((name,) for name in MAPS))


class TERRANE_OT_maps_figures(LongOperator, bpy.types.Operator):
    """Compare the active grid with measured land: slopes, rivers, spectrum"""

    bl_idname = "terrane.maps_figures"
    bl_label = "Draw Figures"
    bl_options = {"REGISTER", "UNDO"}
    doing = Message("Measuring the Terrain")
    writes = (state.active_mesh,)
    why_not = staticmethod(state.why_not_change_object)

    def run(self, context: bpy.types.Context) -> Steps[set[str]]:
        """Measure the relief, make the image or update the one of before, and show it."""
        from .bridge.datablocks import images  # here: enabling does without

        obj = state.active_object(context)
        target = Ref.of(obj)
        content = yield map_images.figures_work(obj)
        image = map_images.write_image(target.resolve(), map_images.FIGURES, content)
        images.show(context, image)
        report(self, {"INFO"}, "Image Editors show it: {}", image.name)
        return {"FINISHED"}
