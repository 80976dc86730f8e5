# SPDX-License-Identifier: GPL-3.0-or-later
"""What operators share that make textures of a surface."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import bpy
from bpy.props import BoolProperty, EnumProperty, StringProperty

from .bridge.core import Parameter
from .bridge.textures import surface_baking, surface_settings
from .bridge.values import number
from .recipe_keywords import NOT_REMEMBERED


class SurfaceOperator:
    """Mix-in of those operators.

    Keywords that are given win; what is left out comes from the panel if it calls, or else from
    declared defaults. What a surface exposes is given as JSON.
    """

    if TYPE_CHECKING:
        # The keywords are generated and the rest is Blender's: no checker can know them.
        def __getattr__(self, name: str) -> Any: ...
        def __setattr__(self, name: str, value: Any) -> None: ...

    def request(self, context: bpy.types.Context) -> surface_baking.SurfaceRequest:
        """Return the surface that the keywords ask for, and make the redo panel show it.

        Raises
        ------
        TerraneError
            If a value is unknown or not allowed.
        """
        self.take_options(context, "surface", "seed", *_names(surface_settings.IMAGE))
        key = self.surface
        values = surface_baking.defaults(key)
        if self.from_panel:
            stored = surface_settings.of(context)
            values |= surface_baking.values_of(stored, key, values)
        given = surface_baking.values_of(self, key, values)
        is_set = getattr(self, surface_settings.group_name(key)).is_property_set
        values |= {name: value for name, value in given.items() if is_set(name)}
        values |= surface_baking.parse_parameters(key, self.parameters)
        size, depth = number(self.size), number(self.depth)
        request = surface_baking.SurfaceRequest(
            key, values, self.seed, self.width, self.height, size, depth, self.seamless
        )
        surface_baking.write_values(self, request)
        self.parameters = ""
        return request

    def take_options(self, context: bpy.types.Context, *names: str) -> None:
        """Take options that are not given from the panel, if it calls."""
        if not self.from_panel:
            return
        stored = surface_settings.of(context)
        for name in names:
            if not self.properties.is_property_set(name):
                setattr(self, name, getattr(stored, name))

    def take_maps(self, context: bpy.types.Context) -> None:
        """Take the maps to make from the panel, if it calls and none are given."""
        if self.from_panel and not self.properties.is_property_set("maps"):
            self.maps = surface_settings.saved_maps(surface_settings.of(context))

    def draw_surface(self, layout: bpy.types.UILayout) -> None:
        """Draw the surface and what it exposes."""
        layout.prop(self, "surface")
        group = getattr(self, surface_settings.group_name(self.surface))
        column = layout.column()
        for one in surface_settings.exposed_parameters(self.surface):
            column.prop(group, one.name)
        layout.prop(self, "seed")
        column = layout.column(align=True)
        for name in _names(surface_settings.IMAGE):
            column.prop(self, name)


def surface_keywords(*declared: Parameter, maps: Iterable[str], description: str) -> dict[str, Any]:
    """Return the annotations of such an operator's keywords.

    Parameters
    ----------
    *declared : Parameter
        Its own options.
    maps : iterable of str
        Which ones are made unless told otherwise.
    description : str
        What the maps are for.
    """
    hidden: set[Any] = {"HIDDEN", "SKIP_SAVE", "SKIP_PRESET"}
    return {
        **surface_settings.surface_properties(NOT_REMEMBERED),
        "parameters": StringProperty(
            name="Parameters",
            description="What the surface exposes as a JSON object; it wins over all else",
            options=hidden,
        ),
        **surface_settings.option_properties((*surface_settings.IMAGE, *declared), NOT_REMEMBERED),
        "maps": EnumProperty(
            name="Maps",
            description=description,
            items=surface_settings.map_items(),
            default=set(maps),
            options={"ENUM_FLAG", "SKIP_SAVE"},
        ),
        "from_panel": BoolProperty(
            name="From Panel",
            description="Take what is not given from the panel's settings",
            options=hidden,
        ),
    }


def _names(parameters: Iterable[Parameter]) -> tuple[str, ...]:
    return tuple(one.name for one in parameters)
