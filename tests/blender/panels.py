# SPDX-License-Identifier: GPL-3.0-or-later
"""Panels drawn on a stand-in for their layout, since Blender's Python module has no window."""

from __future__ import annotations

from types import SimpleNamespace

import bpy

TAB = "Terrane"


class RecordingLayout:
    """Stand-in for a layout; it records the properties and operators that a panel draws."""

    def __init__(self, shown):
        object.__setattr__(self, "shown", shown)

    def __setattr__(self, name, value):
        """Accept alignment, scale and other looks."""

    def _part(self, *arguments, **options):
        return type(self)(self.shown)

    row = column = split = box = column_flow = grid_flow = _part

    def panel(self, name, **options):
        return type(self)(self.shown), type(self)(self.shown)

    def prop(self, group, name, **options):
        assert name in group.bl_rna.properties, name
        self.shown.add((group.bl_rna.identifier, name))
        for end in ("_auto", "_field"):  # they show the property whose name begins theirs
            if name.endswith(end):
                self.shown.add((group.bl_rna.identifier, name.removesuffix(end)))

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


class FieldLayout(RecordingLayout):
    """Stand-in that records the labels of fields in order, as a user reads them, and buttons that open menus.

    Sections that are closed at first are drawn only if `opens`.
    """

    opens = True

    def panel(self, name, *, default_closed=False):
        header, body = super().panel(name)
        return header, body if self.opens or not default_closed else None

    def prop(self, group, name, *, text=None, **options):
        assert name in group.bl_rna.properties, name
        shown_text = group.bl_rna.properties[name].name if text is None else text
        self.shown.append((shown_text, name))

    def prop_search(self, group, name, *rest, text=None, **options):
        self.prop(group, name, text=text)

    def template_icon_view(self, group, name, **options):
        self.prop(group, name)

    def template_list(self, *arguments, **options):
        """Accept lists: their rows are no fields."""

    def template_color_ramp(self, *arguments, **options):
        """Accept ramps."""

    def operator(self, name, **options):
        return SimpleNamespace()

    def operator_menu_enum(self, name, prop, **options):
        self.shown.append((options.get("text", ""), name))
        return SimpleNamespace()

    def menu(self, name, *, text="", **options):
        if text:
            self.shown.append((text, name))

    def label(self, **options):
        """Accept texts: they are no fields."""


class FirstLayout(FieldLayout):
    """Stand-in that leaves out sections that are closed at first."""

    opens = False


class EditorContext:
    """Stand-in for the context of an editor, with an image in an Image Editor."""

    def __init__(self, kind="VIEW_3D", image=None):
        space = SimpleNamespace(type=kind, image=image, tree_type="")
        self.area = SimpleNamespace(type=kind, spaces=SimpleNamespace(active=space))
        self.space_data, self.region = space, None

    def __getattr__(self, name):
        return getattr(bpy.context, name)


def panels_of(context):
    """Return the panels of Terrane's tab that an editor shows, in the order in which Blender draws them."""
    shown = [
        panel
        for panel in _all_classes(bpy.types.Panel)
        if getattr(panel, "bl_category", "") == TAB
        and panel.bl_space_type == context.area.type
        and panel.is_registered
        and (not hasattr(panel, "poll") or panel.poll(context))
    ]
    names = {panel.__name__ for panel in shown}
    visible = [panel for panel in shown if getattr(panel, "bl_parent_id", "") in ("", *names)]
    return sorted(
        visible,
        key=lambda panel: (hasattr(panel, "bl_parent_id"), getattr(panel, "bl_order", 0)),
    )


def _all_classes(cls):
    for child in cls.__subclasses__():
        yield child
        yield from _all_classes(child)


class _Shown:
    """Stand-in for a panel that is drawn."""

    def __init__(self, panel, layout):
        self.panel, self.layout = panel, layout

    def __getattr__(self, name):
        return getattr(self.panel, name)


def fields_of(context, layout=FieldLayout, panels=None):
    """Return labels and names of the fields in panels, or in all that an editor shows, closed ones included.

    With `FirstLayout` closed panels are left out.
    """
    shown = []
    for panel in panels_of(context) if panels is None else panels:
        if not layout.opens and "DEFAULT_CLOSED" in getattr(panel, "bl_options", ()):
            continue
        stand_in = _Shown(panel, layout(shown))
        for part in ("draw_header", "draw_header_preset", "draw"):
            if hasattr(panel, part):
                getattr(panel, part)(stand_in, context)
    return shown
