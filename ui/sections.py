# SPDX-License-Identifier: GPL-3.0-or-later
"""The sections that the panels of all editors share: noise, fractal, warp."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bpy

from ..operators.bridge import state
from ..operators.bridge.core import own_names, preset, spine
from ..operators.bridge.messages import Message
from ..operators.bridge.recipes import layer_list, noise_knobs, preset_choice
from .declared import draw_parameters
from .live import draw_text
from .menus import TERRANE_MT_presets
from .unknown import draw_unknown


def split(layout: bpy.types.UILayout) -> Any:
    """Return a layout with labels on the left and values on the right."""
    layout.use_property_split = True
    layout.use_property_decorate = False
    return layout


def titled_row(layout: Any, title: str) -> Any:
    """Draw a title where the names of properties are, and return the row beside it."""
    row = layout.row().split(factor=0.4)
    left = row.row()
    left.alignment = "RIGHT"
    left.label(text=title)
    return row.row(align=True)


def shown_knobs(context: bpy.types.Context) -> Any | None:
    """Return the knobs of the noise that the list of layers has chosen; None if it has chosen none.

    Where there is no such list, as for pictures by a formula, the recipe's own noise is shown.
    """
    group = state.active_settings(context)
    return layer_list.active_knobs(group) if state.has_layers(context) else group


def draw_recipe(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    """Draw what matters most: the preset and the seed; own presets that are missing, and why."""
    group = state.active_settings(context)
    name = preset_choice.known(group.preset)
    row = titled_row(layout, "Preset")
    row.menu(TERRANE_MT_presets.__name__, text=preset(name).label)
    row.operator("terrane.preset_save", text="", icon="ADD")
    if name in own_names():
        row.operator("terrane.preset_delete", text="", icon="REMOVE").preset = name
    for broken, reason in preset_choice.left_out().items():
        draw_text(
            layout, context, Message("The preset {} was left out: {}", broken, reason), "ERROR"
        )
    row = layout.row(align=True)
    row.prop(group, "seed")
    row.operator("terrane.seed_new", text="", icon="FILE_REFRESH")
    draw_unknown(layout, group)


class Section:
    """What a section needs of the panel that it is part of."""

    if TYPE_CHECKING:
        layout: bpy.types.UILayout


class NoiseSection(Section):
    """The noise of the active layer: its type, frequency and own parameters."""

    bl_label = "Noise"

    def draw(self, context: bpy.types.Context) -> None:
        """Draw them."""
        layout = split(self.layout)
        group = shown_knobs(context)
        layout.prop(group, "noise", text="Type")
        layout.prop(group, "frequency")
        cls = spine.leaf_types().get(group.noise)
        if cls is not None:
            own = getattr(group, noise_knobs.leaf_group(cls.key))
            draw_parameters(layout, own, noise_knobs.leaf_parameters(cls))


class FractalSection(Section):
    """Finer copies of the noise: the kind, and the parameters that it uses."""

    bl_label = "Fractal"

    def draw(self, context: bpy.types.Context) -> None:
        """Draw them."""
        layout = split(self.layout)
        group = shown_knobs(context)
        layout.prop(group, "fractal", text="Kind")
        if group.fractal == spine.NONE:
            return
        own = getattr(group, noise_knobs.FRACTAL_GROUP)

        def lookup(name: str) -> str:
            return str(group.fractal if name == "kind" else getattr(own, name))

        draw_parameters(layout, own, noise_knobs.fractal_parameters(), lookup)


class WarpSection(Section):
    """Bending of the noise: the strength, and the rest unless that is 0."""

    bl_label = "Warp"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Draw them."""
        layout = split(self.layout)
        group = shown_knobs(context)
        layout.prop(group, "warp", text="Strength")
        column = layout.column()
        column.active = group.warp != 0.0
        draw_parameters(
            column, getattr(group, noise_knobs.WARP_GROUP), noise_knobs.warp_parameters()
        )
