# SPDX-License-Identifier: GPL-3.0-or-later
"""Keywords shared by several operators: declaration, reading and drawing."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import bpy
from bpy.props import BoolProperty, EnumProperty, StringProperty

from ..noise_core.base.params import Parameter
from .bridge.datablocks import compat, editing
from .bridge.interface.messages import report
from .bridge.schema.fields import draw_number
from .bridge.schema.values import read_given, read_values

HIDDEN: set[Any] = {"HIDDEN", "SKIP_SAVE", "SKIP_PRESET"}
"""Options of keywords for scripts and panels, which the redo panel does not show."""

_WIDEST = 46
"""Characters of a line in the file browser."""


def name_property(description: str) -> Any:
    """Return the property for the name of a new datablock."""
    return text_property("Name", description)


def text_property(name: str, description: str, **more: Any) -> Any:
    """Return a text whose value is not remembered between calls."""
    return StringProperty(name=name, description=description, options={"SKIP_SAVE"}, **more)


def choice_property(name: str, description: str, items: Any, **more: Any) -> Any:
    """Return a choice whose value is not remembered between calls."""
    skipped: Any = {"SKIP_SAVE"}
    return EnumProperty(name=name, description=description, items=items, options=skipped, **more)


def switch_property(name: str, description: str, *, default: bool = False) -> Any:
    """Return a Boolean property whose value is not remembered between calls."""
    return BoolProperty(name=name, description=description, default=default, options={"SKIP_SAVE"})


def single_user_property() -> Any:
    """Return the property that leaves other objects with the same mesh unchanged."""
    return switch_property("Single User", "Keep other objects that share this mesh unchanged")


def overwrite_property() -> Any:
    """Return the property that allows files to be replaced."""
    return switch_property("Overwrite", "Overwrite existing files")


def file_keywords(description: str, pattern: str) -> dict[str, Any]:
    """Return the keywords of operators that choose a file, of a pattern, in the file browser."""
    return {
        "filepath": StringProperty(
            name="File Path",
            description=description,
            subtype="FILE_PATH",
            options={"SKIP_SAVE", *compat.relative_path_options()},
        ),
        "filter_glob": StringProperty(default=pattern, options={"HIDDEN", "SKIP_SAVE"}),
    }


def browsed_property() -> Any:
    """Return the property that notes that the file browser has asked for the file."""
    return BoolProperty(
        name="Browsed", description="The file browser has asked for the file", options=HIDDEN
    )


def replacing_keywords() -> dict[str, Any]:
    """Return the keywords of operators whose file browser asks before a file is replaced."""
    return {
        "check_existing": BoolProperty(
            name="Check Existing",
            description="Ask before a file is replaced; scripts are refused instead",
            default=True,
            options={"HIDDEN", "SKIP_SAVE"},
        ),
        "was_asked": BoolProperty(options={"HIDDEN", "SKIP_SAVE"}),
    }


def from_panel_property() -> Any:
    """Return the property with which a panel passes its settings."""
    return BoolProperty(
        name="From Panel",
        description="Take what is not given from the panel's settings",
        options=HIDDEN,
    )


def json_property(description: str) -> Any:
    """Return the property for parameters as JSON."""
    return StringProperty(name="Parameters", description=description, options=HIDDEN)


def take_settings(operator: Any, stored: Any | None, *names: str) -> None:
    """Set missing keywords to the values of stored settings, if there are any."""
    for name in names if stored is not None else ():
        if not operator.properties.is_property_set(name):
            setattr(operator, name, getattr(stored, name))


class UntypedOperator:
    """Base of operators: type checkers know neither the generated keywords nor Blender's attributes."""

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...
        def __setattr__(self, name: str, value: Any) -> None: ...
        @classmethod
        def poll_message_set(cls, message: str) -> None:
            """Set the text that explains why `poll` fails; see Blender."""


class PanelOperator(UntypedOperator):
    """Mix-in of operators that panels call with their settings.

    Given keywords take precedence; the others come from the panel if it calls the operator, or else
    from declared defaults.
    """

    panel_settings: Callable[[bpy.types.Context], Any]
    """Static: returns the settings that the panel shows."""
    panel_maps: Callable[[Any], set[str]]
    """Static: returns the maps that are chosen in such settings."""

    def stored_settings(self, context: bpy.types.Context) -> Any | None:
        """Return the settings for missing keywords: the panel's, None if it does not call the operator."""
        return self.panel_settings(context) if self.from_panel else None

    def stored_options(self, context: bpy.types.Context) -> Any | None:
        """Return the part of these settings that has the operator's own options."""
        return self.stored_settings(context)

    def take_options(self, context: bpy.types.Context, *names: str) -> None:
        """Take missing options from the panel, if it calls the operator."""
        take_settings(self, self.stored_options(context), *names)

    def take_maps(self, context: bpy.types.Context) -> None:
        """Take the choice of maps from the panel, if it calls the operator and none is given."""
        stored = self.stored_options(context)
        if stored is not None and not self.properties.is_property_set("maps"):
            self.maps = self.panel_maps(stored)


def checked_values(operator: Any, parameters: Iterable[Parameter], who: str) -> dict[str, Any]:
    """Return the values of an operator's keywords; a ParameterError names `who` if one is not allowed."""
    declared = tuple(parameters)
    values = read_values(
        operator.properties, declared, {parameter.name: parameter.default for parameter in declared}
    )
    for parameter in declared:
        parameter.check(values[parameter.name], who)
    return values


def chosen_values(
    group: Any,
    stored: Any | None,
    parameters: Iterable[Parameter],
    base: Mapping[str, Any],
    keywords: Mapping[str, Any] = MappingProxyType({}),
) -> dict[str, Any]:
    """Return the values set in an operator's group, if it has one; else those of the keywords, the stored settings, or `base`."""
    declared, values = tuple(parameters), dict(base)
    if stored is not None:
        values |= read_values(stored, declared, values)
    values |= keywords
    return values if group is None else read_given(group, declared, values)


def draw_columns(layout: bpy.types.UILayout, operator: Any, *columns: Iterable[str]) -> None:
    """Draw properties one below the other, those of a column close together."""
    for names in columns:
        column = layout.column(align=True)
        for name in names:
            draw_number(column, operator, name)


def draw_line(layout: Any, text: str, icon: str) -> None:
    """Draw a translated text in as many lines as it needs in the file browser."""
    column = layout.column(align=True)
    for part in textwrap.wrap(text, _WIDEST):
        column.label(text=part, icon=icon, translate=False)
        icon = "NONE"


def draw_declared(layout: bpy.types.UILayout, operator: Any, declared: Iterable[Parameter]) -> None:
    """Draw keywords in a column; those without effect at present are pale."""
    for parameter in declared:
        row = layout.row()
        row.active = parameter.is_visible(operator)
        draw_number(row, operator, parameter.name)


def redo_layout(operator: Any) -> bpy.types.UILayout:
    """Return the layout of an operator's redo panel, with labels beside the values."""
    layout: bpy.types.UILayout = operator.layout
    layout.use_property_split = True
    layout.use_property_decorate = False
    return layout


def report_other_users(operator: Any, mesh: bpy.types.Mesh) -> None:
    """Report the number of other objects changed because they share a mesh."""
    if count := editing.other_users(mesh):
        report(operator, {"INFO"}, "{} more objects share this mesh and have changed too", count)
