# SPDX-License-Identifier: GPL-3.0-or-later
"""The tab Terrane, in the 3D viewport and in the Image Editor."""

from __future__ import annotations

from typing import Any

import bpy

from ..noise_core import spine
from ..noise_core.preset_library import PLAIN, preset, preset_names
from ..operators.bridge import settings, state
from .declared import draw_parameters
from .menus import TERRANE_MT_presets


class _View3D:
    """Where the panels of the 3D viewport are."""

    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Terrane"


class _Recipe:
    """The main panel: what to make, and of which recipe."""

    bl_label = "Terrane"

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the button, the preset and the seed."""
        layout = _split(self.layout)
        group = state.active_settings(context)
        self.draw_action(layout, context)
        name = group.preset if group.preset in preset_names() else PLAIN
        layout.menu(TERRANE_MT_presets.__name__, text=preset(name).label, icon="PRESET")
        row = layout.row(align=True)
        row.prop(group, "seed")
        row.operator("terrane.seed_new", text="", icon="FILE_REFRESH")


class _Noise:
    """The leaf of the spine."""

    bl_label = "Noise"

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the type, its frequency and its own parameters."""
        layout = _split(self.layout)
        group = state.active_settings(context)
        layout.prop(group, "noise", text="Type")
        layout.prop(group, "frequency")
        cls = spine.leaf_types().get(group.noise)
        if cls is not None:
            own = getattr(group, settings.leaf_group(cls.key))
            draw_parameters(layout, own, settings.leaf_parameters(cls))


class _Fractal:
    """The fractal of the spine."""

    bl_label = "Fractal"

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the kind, and the parameters that it uses."""
        layout = _split(self.layout)
        group = state.active_settings(context)
        layout.prop(group, "fractal", text="Kind")
        if group.fractal == spine.NONE:
            return
        own = getattr(group, settings.FRACTAL_GROUP)

        def lookup(name: str) -> str:
            return str(group.fractal if name == "kind" else getattr(own, name))

        draw_parameters(layout, own, settings.fractal_parameters(), lookup)


class _Warp:
    """The warp of the spine."""

    bl_label = "Warp"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the strength, and the rest unless that is 0."""
        layout = _split(self.layout)
        group = state.active_settings(context)
        layout.prop(group, "warp", text="Strength")
        column = layout.column()
        column.active = group.warp != 0.0
        draw_parameters(column, getattr(group, settings.WARP_GROUP), settings.warp_parameters())


class TERRANE_PT_terrain(_Recipe, _View3D, bpy.types.Panel):
    """Make terrain"""

    def draw_action(self, layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
        """Draw the button that makes or updates a terrain."""
        row = layout.row()
        row.scale_y = 1.4
        row.operator("terrane.terrain_add", text="Add Terrain", icon="RNDCURVE").from_panel = True


class TERRANE_PT_terrain_measures(_View3D, bpy.types.Panel):
    """How large the terrain is, and how fine"""

    bl_label = "Terrain"
    bl_parent_id = "TERRANE_PT_terrain"

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the measures."""
        layout = _split(self.layout)
        group = state.active_settings(context)
        column = layout.column(align=True)
        for name in ("size", "depth", "height"):
            column.prop(group, name)
        layout.prop(group, "resolution")


class TERRANE_PT_terrain_noise(_Noise, _View3D, bpy.types.Panel):
    """The noise that everything is made of"""

    bl_parent_id = "TERRANE_PT_terrain"


class TERRANE_PT_terrain_fractal(_Fractal, _View3D, bpy.types.Panel):
    """Finer copies of the noise"""

    bl_parent_id = "TERRANE_PT_terrain"


class TERRANE_PT_terrain_warp(_Warp, _View3D, bpy.types.Panel):
    """Bending of the noise"""

    bl_parent_id = "TERRANE_PT_terrain"


def _split(layout: bpy.types.UILayout) -> Any:
    layout.use_property_split = True
    layout.use_property_decorate = False
    return layout


CLASSES = (
    TERRANE_PT_terrain,
    TERRANE_PT_terrain_measures,
    TERRANE_PT_terrain_noise,
    TERRANE_PT_terrain_fractal,
    TERRANE_PT_terrain_warp,
)
