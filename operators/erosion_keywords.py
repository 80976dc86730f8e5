# SPDX-License-Identifier: GPL-3.0-or-later
"""What operators share that apply a modifier to a relief that is there already."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

import bpy
from bpy.props import BoolProperty, StringProperty

from .bridge.core import Modifier, Parameter
from .bridge.maps import catalog
from .bridge.recipes import modifier_values
from .bridge.terrain import erosion_settings
from .map_keywords import maps_property
from .recipe_keywords import NOT_REMEMBERED


class ErodingOperator:
    """Mix-in of those operators.

    Keywords that are given win; what is left out comes from the panel if it calls, or else from
    declared defaults. Parameters of the modifier are given by their names, or as JSON.
    """

    if TYPE_CHECKING:
        # The keywords are generated and the rest is Blender's: no checker can know them.
        def __getattr__(self, name: str) -> Any: ...
        def __setattr__(self, name: str, value: Any) -> None: ...

    def chosen_modifier(self, context: bpy.types.Context) -> Modifier:
        """Return the modifier that the keywords ask for, and make the redo panel show it.

        Raises
        ------
        TerraneError
            If a parameter is unknown or not allowed.
        """
        stored = self._stored(context)
        for name in ("modifier", "seed"):
            self._take(stored, name)
        key = self.modifier
        values = modifier_values.defaults(key)
        if stored is not None:
            values |= modifier_values.values_of(stored, key, values)
        given = modifier_values.values_of(self, key, values)
        is_set = getattr(self, key).is_property_set
        values |= {name: value for name, value in given.items() if is_set(name)}
        values |= modifier_values.plain_values(self, key)
        values |= modifier_values.parsed(key, self.parameters)
        modifier = modifier_values.made(key, values)
        self.parameters = modifier_values.write_values(self, modifier)
        return modifier

    def take_options(self, context: bpy.types.Context, *names: str) -> None:
        """Take options that are not given from the panel, if it calls."""
        stored = self._stored(context)
        for name in names:
            self._take(stored, name)

    def take_maps(self, context: bpy.types.Context) -> None:
        """Take the choice of maps from the panel, if it calls and none is given."""
        stored = self._stored(context)
        if stored is not None and not self.properties.is_property_set("maps"):
            self.maps = erosion_settings.chosen_maps(stored)

    def draw_modifier(self, layout: bpy.types.UILayout) -> None:
        """Draw the modifier and its parameters, those that have an effect."""
        layout.prop(self, "modifier")
        group = getattr(self, self.modifier)
        column = layout.column()
        for one in modifier_values.shown_parameters(self.modifier):
            if one.name in group.bl_rna.properties and one.is_visible(group):
                column.prop(group, one.name)
        layout.prop(self, "seed")

    def _stored(self, context: bpy.types.Context) -> Any | None:
        return erosion_settings.of(context) if self.from_panel else None

    def _take(self, stored: Any | None, name: str) -> None:
        if stored is not None and not self.properties.is_property_set(name):
            setattr(self, name, getattr(stored, name))


def erosion_keywords(
    *declared: Parameter, taken: Collection[str] = (), maps: Collection[str] | None = None
) -> dict[str, Any]:
    """Return the annotations of such an operator's keywords.

    Parameters
    ----------
    *declared : Parameter
        Its own options.
    taken : collection of str
        Names that the operator needs for something else.
    maps : collection of str, optional
        Which maps are made unless told otherwise; all that modifiers make if not given.
    """
    hidden: set[Any] = {"HIDDEN", "SKIP_SAVE", "SKIP_PRESET"}
    made = {
        **erosion_settings.modifier_properties(NOT_REMEMBERED),
        "parameters": StringProperty(
            name="Parameters",
            description="Parameters of the modifier as a JSON object; they win over all others",
            options=hidden,
        ),
        "mask": erosion_settings.mask_property(NOT_REMEMBERED),
        **modifier_values.declared_properties(declared, NOT_REMEMBERED),
        "maps": maps_property(catalog.made() if maps is None else maps),
        "from_panel": BoolProperty(
            name="From Panel",
            description="Take what is not given from the panel's settings",
            options=hidden,
        ),
    }
    return {**modifier_values.plain_properties({*made, *taken}), **made}
