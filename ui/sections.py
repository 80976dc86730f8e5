# SPDX-License-Identifier: GPL-3.0-or-later
"""The sections that the panels of all editors share: noise, fractal, warp."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bpy

from ..operators.bridge import settings, state
from ..operators.bridge.core import PLAIN, preset, preset_names, spine
from .declared import draw_parameters
from .menus import TERRANE_MT_presets


def split(layout: bpy.types.UILayout) -> Any:
    """Return a layout with labels on the left and values on the right."""
    layout.use_property_split = True
    layout.use_property_decorate = False
    return layout


def draw_recipe(layout: bpy.types.UILayout, group: Any) -> None:
    """Draw what matters most: the preset and the seed."""
    name = group.preset if group.preset in preset_names() else PLAIN
    row = layout.row().split(factor=0.4)
    label = row.row()
    label.alignment = "RIGHT"
    label.label(text="Preset")
    row.menu(TERRANE_MT_presets.__name__, text=preset(name).label)
    row = layout.row(align=True)
    row.prop(group, "seed")
    row.operator("terrane.seed_new", text="", icon="FILE_REFRESH")


class Section:
    """What a section needs of the panel that it is part of."""

    if TYPE_CHECKING:
        layout: bpy.types.UILayout


class NoiseSection(Section):
    """The noise itself: its type, frequency and own parameters."""

    bl_label = "Noise"

    def draw(self, context: bpy.types.Context) -> None:
        """Draw them."""
        layout = split(self.layout)
        group = state.active_settings(context)
        layout.prop(group, "noise", text="Type")
        layout.prop(group, "frequency")
        cls = spine.leaf_types().get(group.noise)
        if cls is not None:
            own = getattr(group, settings.leaf_group(cls.key))
            draw_parameters(layout, own, settings.leaf_parameters(cls))


class FractalSection(Section):
    """Finer copies of the noise: the kind, and the parameters that it uses."""

    bl_label = "Fractal"

    def draw(self, context: bpy.types.Context) -> None:
        """Draw them."""
        layout = split(self.layout)
        group = state.active_settings(context)
        layout.prop(group, "fractal", text="Kind")
        if group.fractal == spine.NONE:
            return
        own = getattr(group, settings.FRACTAL_GROUP)

        def lookup(name: str) -> str:
            return str(group.fractal if name == "kind" else getattr(own, name))

        draw_parameters(layout, own, settings.fractal_parameters(), lookup)


class WarpSection(Section):
    """Bending of the noise: the strength, and the rest unless that is 0."""

    bl_label = "Warp"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Draw them."""
        layout = split(self.layout)
        group = state.active_settings(context)
        layout.prop(group, "warp", text="Strength")
        column = layout.column()
        column.active = group.warp != 0.0
        draw_parameters(column, getattr(group, settings.WARP_GROUP), settings.warp_parameters())
