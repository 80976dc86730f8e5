# SPDX-License-Identifier: GPL-3.0-or-later
"""Mix-in and keywords of operators that apply one modifier."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import bpy

from ..noise_core.base.params import Parameter
from ..noise_core.modifiers.bases.modifier import Modifier, modifier_types
from .bridge.schema import modifier_values
from .bridge.schema.fields import draw_number
from .bridge.schema.modifier_values import opacity_parameter
from .bridge.schema.properties import declared_properties
from .bridge.terrain import catalog
from .bridge.textures import image_erosion
from .long_operator import LongOperator
from .maps import map_keywords
from .options import PanelOperator, chosen_values, from_panel_property, json_property
from .recipe_keywords import NOT_REMEMBERED


class ErodingOperator(PanelOperator, LongOperator):
    """Mix-in of operators that apply a modifier.

    Parameters of the modifier are given by their names, or as JSON.
    """

    panel_settings = staticmethod(image_erosion.of)

    def chosen_modifier(self, context: bpy.types.Context) -> Modifier:
        """Return the modifier that the keywords define, and show it in the redo panel."""
        self.take_options(context, "modifier", "seed")
        key, stored = self.modifier, self.stored_settings(context)
        group, held = (getattr(owner, key, None) for owner in (self, stored))
        parameters, usual = modifier_values.own_parameters(key), modifier_values.defaults(key)
        keywords = modifier_values.plain_values(self, key)
        keywords |= modifier_values.parse_parameters(key, self.parameters)
        values = chosen_values(group, held, parameters, usual, keywords)
        opacity = {name: value for name, value in keywords.items() if name == "opacity"}
        values = chosen_values(self.properties, stored, (opacity_parameter(),), values, opacity)
        modifier = modifier_types()[key](**values)
        self.parameters = modifier_values.write_values(self.properties, modifier)
        return modifier

    def draw_modifier(self, layout: bpy.types.UILayout) -> None:
        """Draw the modifier and those of its parameters that have an effect."""
        layout.prop(self, "modifier")
        group = getattr(self, self.modifier, None)
        column = layout.column()
        for parameter in modifier_values.own_parameters(self.modifier) if group is not None else ():
            if parameter.name in group.bl_rna.properties and parameter.is_visible(group):
                draw_number(column, group, parameter.name)
        column.prop(self, "opacity")
        layout.prop(self, "seed")


def erosion_keywords(
    *declared: Parameter, taken: Collection[str] = (), maps: Collection[str] | None = None
) -> dict[str, Any]:
    """Return the annotations of the keywords of an eroding operator: its own options and shared ones.

    Names that are `taken` get no plain keyword. By default all maps of modifiers are made.
    """
    text = "Parameters of the modifier as a JSON object; they win over all others"
    properties = {
        **image_erosion.modifier_properties(NOT_REMEMBERED),
        "parameters": json_property(text),
        "mask": image_erosion.mask_property(NOT_REMEMBERED),
        **declared_properties(declared, NOT_REMEMBERED),
        **map_keywords(catalog.modifier_maps() if maps is None else maps),
        "from_panel": from_panel_property(),
    }
    return {**modifier_values.plain_properties({*properties, *taken}), **properties}
