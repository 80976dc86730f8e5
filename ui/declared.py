# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws declared parameters: those that have a property, and only while they have an effect."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import bpy
from bpy.app.translations import pgettext_iface

from ..operators.bridge.core import Parameter
from ..operators.bridge.properties import CONTEXT

Lookup = Callable[[str], str]
"""Returns the present value of a choice by its name."""

AXES = ("X", "Y", "Z", "W")


def draw_parameters(
    layout: bpy.types.UILayout,
    group: Any,
    parameters: Iterable[Parameter],
    lookup: Lookup | None = None,
    unit: str = "",
) -> None:
    """Draw a group's properties in the order of their declaration.

    A unit stands behind the names of numbers whose declaration has none, because it is told elsewhere.
    """
    known = group.bl_rna.properties
    lookup = lookup or (lambda name: getattr(group, name))
    for parameter in parameters:
        if parameter.name in known and is_visible(parameter, lookup):
            draw_parameter(layout, group, parameter, unit)


def draw_parameter(
    layout: bpy.types.UILayout, group: Any, parameter: Parameter, unit: str = ""
) -> None:
    """Draw one property as its kind wants it."""
    if parameter.unit == "angle":
        unit = "°"  # Blender has degrees only for what is stored in radians
    if parameter.kind == "pixels":
        layout.template_ID(group, parameter.name, open="image.open")
    elif parameter.kind == "vector" and parameter.unit != "color":
        draw_vector(layout, group, parameter)
    elif unit and parameter.kind == "number":
        title = pgettext_iface(parameter.title, CONTEXT)
        layout.prop(group, parameter.name, text=f"{title} ({unit})", translate=False)
    else:
        layout.prop(group, parameter.name)


def draw_vector(layout: bpy.types.UILayout, group: Any, parameter: Parameter) -> None:
    """Draw a vector by its coordinates, named as Blender names those of its own: Tile X, Y."""
    column = layout.column(align=True)
    title = pgettext_iface(parameter.title, CONTEXT)
    for index, axis in enumerate(AXES[: parameter.size]):
        text = axis if index else f"{title} {axis}"
        column.prop(group, parameter.name, index=index, text=text, translate=False)


def is_visible(parameter: Parameter, lookup: Lookup) -> bool:
    """Return whether a parameter has an effect at the moment."""
    if parameter.visible_when is None:
        return True
    name, wanted = parameter.visible_when
    return lookup(name) in wanted
