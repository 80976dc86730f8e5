# SPDX-License-Identifier: GPL-3.0-or-later
"""Mix-in and keywords of operators that make textures of a surface."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import bpy

from ..noise_core.base.params import Parameter
from .bridge.schema.fields import draw_number
from .bridge.textures import surface_baking, surface_settings
from .long_operator import LongOperator
from .maps import map_items, maps_property
from .options import (
    PanelOperator,
    checked_values,
    chosen_values,
    draw_columns,
    from_panel_property,
    json_property,
)
from .recipe_keywords import NOT_REMEMBERED

IMAGE = tuple(parameter.name for parameter in surface_settings.IMAGE)


class SurfaceOperator(PanelOperator, LongOperator):
    """Mix-in of operators that make textures of a surface; parameters that it exposes are given as JSON."""

    panel_settings = staticmethod(surface_settings.of)
    panel_maps = staticmethod(surface_settings.saved_maps)

    def request(self, context: bpy.types.Context) -> surface_baking.SurfaceRequest:
        """Return the surface that the keywords define, and show it in the redo panel."""
        self.take_options(context, "surface", "seed", *IMAGE)
        key, choice, stored = self.surface, surface_settings.SURFACES, self.stored_settings(context)
        group, declared = choice.part(self, key)
        kept = choice.group(stored, key)
        usual = surface_settings.surface(key).settings
        keywords = surface_baking.parse_parameters(key, self.parameters)
        values = chosen_values(group, kept, declared, usual, keywords)
        measures = checked_values(self, surface_settings.IMAGE, "Material")
        request = surface_baking.SurfaceRequest(key, values, self.seed, **measures)
        choice.write(self, key, request.surface().settings)
        self.parameters = ""
        return request

    def chosen_maps(self, context: bpy.types.Context) -> tuple[str, ...]:
        """Return the given maps; the panel's if it calls the operator and none are given."""
        self.take_maps(context)
        return surface_baking.sort_maps(self.maps)

    def draw_surface(self, layout: bpy.types.UILayout, *names: str) -> None:
        """Draw the surface, its exposed parameters, other keywords and the maps."""
        layout.prop(self, "surface")
        group, declared = surface_settings.SURFACES.part(self, self.surface)
        column = layout.column()
        for parameter in declared:
            draw_number(column, group, parameter.name)
        draw_columns(layout, self, ("seed",), IMAGE, *((name,) for name in names), ("maps",))


def surface_keywords(*declared: Parameter, maps: Iterable[str], description: str) -> dict[str, Any]:
    """Return the annotations of the keywords of a `SurfaceOperator`: its own options, and its choice of maps."""
    text = "What the surface exposes as a JSON object; it wins over all else"
    return {
        **surface_settings.surface_properties(NOT_REMEMBERED),
        "parameters": json_property(text),
        **surface_settings.option_properties((*surface_settings.IMAGE, *declared), NOT_REMEMBERED),
        "maps": maps_property(maps, description, map_items(surface_settings.MAPS)),
        "from_panel": from_panel_property(),
    }
