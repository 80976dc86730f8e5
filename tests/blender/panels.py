# SPDX-License-Identifier: GPL-3.0-or-later
"""Panels drawn on a stand-in for their layout, since Blender's Python module has no window."""

from __future__ import annotations

from types import SimpleNamespace

import bpy


class RecordingLayout:
    """Stand-in for a layout; it records the properties and operators that a panel draws."""

    def __init__(self, shown):
        object.__setattr__(self, "shown", shown)

    def __setattr__(self, name, value):
        """Accept alignment, scale and other looks."""

    def _part(self, *arguments, **options):
        return RecordingLayout(self.shown)

    row = column = split = box = column_flow = grid_flow = _part

    def panel(self, name, **options):
        return RecordingLayout(self.shown), RecordingLayout(self.shown)

    def prop(self, group, name, **options):
        assert name in group.bl_rna.properties, name
        self.shown.add((group.bl_rna.identifier, name))

    def template_ID(self, group, name, **options):  # noqa: N802 (Blender's name)
        self.prop(group, name)

    def prop_search(self, group, name, *rest, **options):
        self.prop(group, name)

    def template_list(self, cls, key, group, name, holder, active, **options):
        self.prop(group, name)
        self.prop(holder, active)

    def template_curve_mapping(self, owner, name, **options):
        self.shown.add("curve")

    def operator(self, name, **options):
        self.shown.add(name)
        return SimpleNamespace()

    def operator_menu_enum(self, name, prop, **options):
        self.shown.add((name, prop))
        return SimpleNamespace()

    def context_pointer_set(self, name, data):
        """Accept the data that a menu acts on."""

    def template_icon(self, icon_value, scale=1.0):
        self.shown.add(("icon", icon_value))

    def menu(self, name, **options):
        self.shown.add(name)

    def label(self, **options):
        self.shown.add(("label", options.get("text", "")))

    def separator(self, **options):
        pass


def shown_by(panel):
    """Return the properties, operators and labels that a panel draws."""
    shown = set()
    panel.draw(SimpleNamespace(layout=RecordingLayout(shown)), bpy.context)
    return shown
