# SPDX-License-Identifier: GPL-3.0-or-later
"""Terrane's entries in Blender's own menus, which its search (F3) covers.

There is an entry for each word that a user may search for: terrain, landscape, ground, the names of landforms,
heightmap, GeoTIFF, SRTM, erosion, displacement, slope; for a terrain also each layer and modifier.
"""

from __future__ import annotations

from typing import Any

import bpy

from ..operators.bridge.interface import thumbnails
from ..operators.bridge.interface.messages import Message, translate
from ..operators.bridge.interface.registering import MenuEntry, Parts
from ..operators.bridge.schema import state
from ..operators.bridge.schema.paths import ELEVATION_FILES
from ..operators.bridge.schema.presets import ant_label, ant_names, preset, shipped_names
from ..operators.bridge.terrain import partial_lands
from .layer_menus import TERRANE_MT_layer_add


class TERRANE_MT_landscapes(bpy.types.Menu):
    """A landscape of each preset."""

    bl_label = "Landscape"
    bl_description = "Add a ready-made landscape: terrain, sky and camera"

    def draw(self, context: bpy.types.Context) -> None:
        """List the presets that are landforms: neither textures, such as marble, nor ground for robots."""
        layout: Any = self.layout
        for name in shipped_names():
            shipped = preset(name)
            if shipped.group == "landforms":
                icon = thumbnails.preset_icon(name)
                text = shipped.label
                button = layout.operator("terrane.landscape_add", text=text, icon_value=icon)
                button.preset = name
        layout.separator()
        layout.menu(TERRANE_MT_from_ant.__name__)


class TERRANE_MT_from_ant(bpy.types.Menu):
    """A landscape of each preset of A.N.T. Landscape."""

    bl_label = "From A.N.T."
    bl_description = "Add a landscape of a preset of A.N.T. Landscape"

    def draw(self, context: bpy.types.Context) -> None:
        """List the presets by A.N.T.'s names."""
        layout: Any = self.layout
        for name in ant_names():
            icon = thumbnails.preset_icon(name)
            button = layout.operator(
                "terrane.landscape_add", text=ant_label(name), translate=False, icon_value=icon
            )
            button.preset = name


class TERRANE_MT_object(bpy.types.Menu):
    """Operators on existing meshes."""

    bl_label = "Terrain"
    bl_description = "Erode, displace and color meshes, and measure them as maps"

    def draw(self, context: bpy.types.Context) -> None:
        """List the operators."""
        layout: Any = self.layout
        for name, text, icon in OBJECT:
            layout.operator(f"terrane.{name}", text=text, icon=icon).from_panel = True
        heights = layout.operator("terrane.maps_bake", text="Heightmap Image", icon="IMAGE_DATA")
        heights.maps, heights.as_images, heights.as_attributes = {"height"}, True, False
        layout.operator("terrane.terrain_update", text="Update Terrain", icon="FILE_REFRESH")
        layout.operator("terrane.terrain_from_mesh", icon="MESH_GRID")
        layout.operator("terrane.mesh_release", icon="LOOP_BACK")
        layout.operator("terrane.field_add", icon="GEOMETRY_NODES")
        if state.active_terrain(context) is not None:
            layout.menu(TERRANE_MT_layer_add.__name__, icon="ADD")


class TERRANE_MT_image(bpy.types.Menu):
    """Operators on images."""

    bl_label = "Heightmap"
    bl_description = "Make noise images, erode heightmaps, and make photographs seamless"

    def draw(self, context: bpy.types.Context) -> None:
        """List the operators."""
        layout: Any = self.layout
        for name, text, icon in IMAGE:
            layout.operator(f"terrane.{name}", text=text, icon=icon).from_panel = True


class TERRANE_FH_heightmap(bpy.types.FileHandler):
    """Measured land that is dropped into a viewport; pictures stay pictures."""

    bl_label = "Heightmap"
    bl_import_operator = "terrane.heightmap_import"
    bl_file_extensions = ";".join(ELEVATION_FILES)

    @classmethod
    def poll_drop(cls, context: bpy.types.Context) -> bool:
        """Allow it in the 3D viewport."""
        return context.area is not None and context.area.type == "VIEW_3D"


OBJECT = (
    ("mesh_erode", Message("Erosion of the Mesh"), "MOD_FLUID"),
    ("mesh_displace", Message("Displace Mesh by Noise"), "MOD_DISPLACE"),
    ("maps_bake", Message("Slope, Flow and Other Maps"), "GROUP_VERTEX"),
    ("levels_of_detail_make", Message("Make Levels of Detail"), "MOD_DECIM"),
    ("far_meshes_make", Message("Make Far Meshes"), "MOD_DECIM"),
    ("terrain_material", Message("Ground Material"), "MATERIAL"),
    ("nodes_add", Message("Noise Texture as Nodes"), "NODETREE"),
)

IMAGE = (
    ("image_new", Message("New Heightmap or Noise Texture"), "IMAGE_DATA"),
    ("image_erode", Message("Erosion of the Heightmap"), "MOD_FLUID"),
    ("image_by_example", Message("Seamless Texture by Example"), "TEXTURE"),
)


def _draw_mesh_add(self: Any, context: bpy.types.Context) -> None:
    add = self.layout.operator("terrane.terrain_add", text="Terrain", icon="RNDCURVE")
    add.from_panel = True
    self.layout.operator("terrane.planet_add", text="Planet", icon="SPHERE")


def _draw_import(self: Any, context: bpy.types.Context) -> None:
    self.layout.operator(
        "terrane.heightmap_import",
        text="Heightmap or Elevation: GeoTIFF, SRTM, DEM, RAW (Terrane)",
    )
    self.layout.operator("terrane.world_open", text="Open World in Tiles (Terrane)")


def _draw_export(self: Any, context: bpy.types.Context) -> None:
    self.layout.operator("terrane.heightmap_export", text="Heightmap (Terrane)")
    self.layout.operator("terrane.scatter_export", text="Plants of a Terrain (Terrane)")


def _draw_node_add(self: Any, context: bpy.types.Context) -> None:
    kind = getattr(context.space_data, "tree_type", "")
    if kind == "ShaderNodeTree":
        self.layout.operator("terrane.hex_tiling_add", icon="TEXTURE").from_panel = True
    elif kind == "GeometryNodeTree":
        self.layout.operator("terrane.field_add", icon="RNDCURVE")


def _draw_menu(cls: type[bpy.types.Menu]) -> Any:
    return lambda menu, context: menu.layout.menu(cls.__name__, icon="RNDCURVE")


def _draw_status(self: Any, context: bpy.types.Context) -> None:
    """Draw to which layer the active terrain is built: renders and Blender's own exports show it as it is."""
    if text := partial_lands.note(state.active_terrain(context)):
        self.layout.label(text=translate(text), icon="ERROR", translate=False)


PLACES = (
    ("VIEW3D_MT_mesh_add", _draw_mesh_add),
    ("TOPBAR_MT_file_import", _draw_import),
    ("TOPBAR_MT_file_export", _draw_export),
    ("VIEW3D_MT_add", _draw_menu(TERRANE_MT_landscapes)),
    ("VIEW3D_MT_object", _draw_menu(TERRANE_MT_object)),
    ("NODE_MT_add", _draw_node_add),
    ("IMAGE_MT_image", lambda menu, context: menu.layout.separator()),
    ("IMAGE_MT_image", _draw_menu(TERRANE_MT_image)),
    ("STATUSBAR_HT_header", _draw_status),
)
"""Blender's menus, and the functions that draw at their ends."""

_own = Parts(*(MenuEntry(name, draw) for name, draw in PLACES))
register, unregister = _own.register, _own.unregister
