# SPDX-License-Identifier: GPL-3.0-or-later
"""Properties that show another one in a panel: as a length, as a switch *Auto*, or with another way of dragging.

Nothing is stored in them: they read and write the property that they show, whose name begins theirs.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, cast

import bpy
from bpy.app.translations import pgettext_iface

from ....noise_core.base.declared import LandMeasures
from ....noise_core.base.params import Parameter
from ....translations import CONTEXT

FIELD = "_field"
"""End of the name of a property that shows the value of another one."""

AUTO = "_auto"
"""End of the name of a switch that is on while a number is 0, which stands for an automatic value."""

_START = 0.1
"""Where a number begins that is not automatic any more, if that value is not known: a part of its slider."""

_LONGEST = 1e7
"""Meters that a field of a length goes up to."""


class Field(NamedTuple):
    """Declaration of a property that shows another one, and the keywords by which it does."""

    parameter: Parameter
    access: dict[str, Any]


def fields_of(parameter: Parameter, declarations: Mapping[str, Parameter]) -> dict[str, Field]:
    """Return the properties that show a declared parameter, by name.

    Parameters
    ----------
    parameter : Parameter
    declarations : mapping of str to Parameter
        All parameters of its group, whose values automatic ones may follow.

    Returns
    -------
    dict of str to Field
    """
    fields = {}
    if parameter.kind == "integer" and parameter.usual:
        fields[parameter.name + FIELD] = _dragged(parameter)
    if parameter.unit == "width":
        fields[parameter.name + FIELD] = _in_meters(parameter)
    if parameter.automatic:
        fields[parameter.name + AUTO] = _switch(parameter, declarations)
        if isinstance(parameter.automatic, tuple) and parameter.automatic[1] != "relief":
            fields[parameter.name + FIELD] = _automatic(parameter, declarations)
    return fields


def shown_name(parameter: Parameter, group: Any) -> str:
    """Return the name of the property of a group that a panel shows of a parameter."""
    name = parameter.name + FIELD
    return name if not parameter.automatic and name in group.bl_rna.properties else parameter.name


def measures_of(group: Any) -> Any | None:
    """Return the settings whose width and height the lengths of a group follow; None without any.

    Those of a scene, such as of its camera, follow the active terrain.
    """
    owner = group.id_data
    if isinstance(owner, bpy.types.Scene):
        active: Any = getattr(bpy.context, "active_object", None)
        settings = getattr(active, "terrane", None)
        if settings is not None and settings.is_terrain:
            return settings
    return getattr(owner, "terrane", None)


def land_of(group: Any) -> LandMeasures | None:
    """Return the measures that automatic numbers of a group follow; None without any."""
    settings = measures_of(group)
    if settings is None:
        return None
    return LandMeasures(settings.size, settings.height, settings.depth)


def draw_number(layout: Any, group: Any, name: str, *, shown: str = "", unit: str = "") -> None:
    """Draw a property, with a unit after its name if its declaration has none.

    One that may be automatic has the switch *Auto* beside it: while that is on, the number shows what it is now,
    if that is known, and is inactive.

    Parameters
    ----------
    layout : UILayout
    group : PropertyGroup or Operator
    name : str
    shown : str
        Property that shows it; its own if not given.
    unit : str
    """
    title = _title(group, name) + f" ({unit})" * bool(unit)
    if not hasattr(group, name + AUTO):
        label: dict[str, Any] = {"text": title, "translate": False} if unit else {}
        layout.prop(group, shown or name, **label)
        return
    is_automatic, field = getattr(group, name + AUTO), name + FIELD
    known: Any = getattr(group, field, None)
    row = titled_row(layout, title)
    row.use_property_split = False
    if known or not is_automatic:
        number = row.row(align=True)
        number.active = not is_automatic
        number.prop(group, field if is_automatic else name, text="")
    row.prop(group, name + AUTO, toggle=True)


def titled_row(layout: Any, title: str) -> Any:
    """Draw a title in the column of property names, and return the row beside it."""
    row = layout.row().split(factor=0.4)
    title_row = row.row()
    title_row.alignment = "RIGHT"
    title_row.label(text=title)
    return row.row(align=True)


def _title(group: Any, name: str) -> str:
    """Return the translated name of a property of a group or an operator."""
    declared = getattr(group, "properties", group).bl_rna.properties
    return str(pgettext_iface(declared[name].name, CONTEXT))


def _dragged(parameter: Parameter) -> Field:
    """Return the field of a large whole number.

    Blender adds 1 a pixel when the field of an integer is dragged, regardless of its step. One of a usual size
    is shown as a number without digits, which reads and writes the integer.
    """
    name = parameter.name
    default = float(cast(int, parameter.default))
    number = parameter._replace(kind="number", default=default)

    def write(group: Any, value: float) -> None:
        setattr(group, name, round(value))

    read = {"get": lambda group: float(getattr(group, name)), "set": write}
    return Field(number, {**read, "precision": 0})


def _in_meters(parameter: Parameter) -> Field:
    """Return the field of a length that is stored relative to the width of the terrain."""
    name = parameter.name

    def width(group: Any) -> float:
        settings = measures_of(group)
        return float(settings.size) if settings is not None and settings.size else 1.0

    def read(group: Any) -> float:
        return float(getattr(group, name) * width(group))

    def write(group: Any, value: float) -> None:
        setattr(group, name, value / width(group))

    length = _length(parameter)
    return Field(length, {"get": read, "set": write})


def _automatic(parameter: Parameter, declarations: Mapping[str, Parameter]) -> Field:
    """Return the field of the value that an automatic number has now; writing to it makes it a number of its own."""
    name = parameter.name

    def read(group: Any) -> float:
        return getattr(group, name) or _automatic_value(group, parameter, declarations) or 0.0

    def write(group: Any, value: float) -> None:
        setattr(group, name, value)

    return Field(parameter, {"get": read, "set": write})


def _automatic_value(
    group: Any, parameter: Parameter, declarations: Mapping[str, Parameter]
) -> float | None:
    """Return the value that 0 stands for now; None if only the terrain that is made will tell."""
    land = land_of(group)
    return None if land is None else parameter.automatic_value(group, declarations, land)


def _switch(parameter: Parameter, declarations: Mapping[str, Parameter]) -> Field:
    """Return the switch of an automatic number."""
    name = parameter.name
    text = f"Automatic: {parameter.automatic_text}"
    switch = Parameter("boolean", True, text, name=name + AUTO, label="Auto")

    def read(group: Any) -> bool:
        return not getattr(group, name)

    def write(group: Any, is_automatic: bool) -> None:
        value = _automatic_value(group, parameter, declarations) or _START * parameter.soft_maximum
        value = 0.0 if is_automatic else min(value, parameter.maximum)
        setattr(group, name, round(value) if parameter.kind == "integer" else value)

    return Field(switch, {"get": read, "set": write})


def _length(parameter: Parameter) -> Parameter:
    """Return the declaration of a relative length in meters."""
    least = -_LONGEST if parameter.minimum < 0.0 else 0.0
    return parameter._replace(
        unit="length", minimum=least, maximum=_LONGEST,
        soft_minimum=least, soft_maximum=_LONGEST, default=0.0,
    )  # fmt: skip
