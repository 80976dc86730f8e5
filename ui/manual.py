# SPDX-License-Identifier: GPL-3.0-or-later
"""Addresses in the manual for "Online Manual", F1 and the buttons with a question mark.

Blender asks with an identifier in small letters, "bpy.types.terrane_pg_noise_perlin.fade", and takes the first
pattern that fits. Subjects of the reference are named like operators and like groups of properties, so that
only the other groups need a table.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import bpy

from ..operators.bridge.interface import manual
from ..operators.bridge.schema.fields import AUTO, FIELD

GROUPS = (
    ("noise_", "noise_*"),
    ("modifier_", "modifier_*"),
    ("layer", "layers#in-the-panel"),
    ("element", "layers#in-the-panel"),
    ("inner_element", "layers#in-the-panel"),
    ("curve_point", "noise_curve#points"),
    ("mask_layer", "mask_layer"),
    ("mask_noise", "mask_noise"),
    ("mask_product", "mask_product"),
    ("mask_", "map_*"),
    ("mask", "mask_map layers#masks"),
    ("half_mask", "mask_map layers#masks"),
    ("coloring_", "coloring_*"),
    ("surface_", "surface_*"),
    ("target_", "target_*"),
    ("export", "operator_heightmap_export"),
    ("displace", "operator_mesh_displace"),
    ("image_erosion", "operator_image_erode operator_mesh_erode"),
    ("image", "operator_image_new operator_sequence_save pictures#coloring"),
    ("material", "operator_images_save operator_material_add pictures#surface"),
    ("saved_maps", "operator_images_save#maps"),
    ("nodes", "operator_nodes_add"),
    ("example", "operator_image_by_example pictures#by-example"),
    ("hex_tiling", "operator_hex_tiling_add pictures#without-end-in-a-shader"),
    ("planet", "operator_planet_add operator_planet_update planets"),
    ("terrain_material", "operator_terrain_material"),
    ("sky", "operator_sky_add landscapes#sky-and-haze"),
    ("camera", "operator_camera_add landscapes#camera"),
    ("water", "operator_water_add landscapes#water"),
    ("surroundings", "operator_surroundings_add landscapes#surroundings"),
    ("plants", "operator_scatter_add landscapes#plants-and-stones"),
    ("cliffs", "operator_cliffs_add landscapes#cliffs"),
    ("detail_patch", "operator_detail_patch_add landscapes#detail-patch"),
    ("brush", "operator_brush_stroke brushes"),
    ("maps", "map_? operator_maps_bake#maps"),
    ("settings", "operator_terrain_add layers#in-the-panel"),
    ("", manual.REFERENCE),
)
"""How the name of a group begins, and the pages and subjects of which one has its parameters, or else the place
about them. The star stands for the rest of the group's name, the question mark for the property, which is a
subject by itself. The first line that fits counts."""

PROPERTIES = (
    ("bpy.types.scene.terrane_live", "first_terrain#5-change-the-seed"),
    ("bpy.types.terrane_pg_settings.preset_picture", "first_terrain#3-pick-a-preset"),
    ("bpy.types.terrane_pg_layer.opacity", "layers#masks"),
    ("bpy.types.terrane_pg_layer.painted_mask", "layers#masks"),
)
"""Properties with another place than their group."""

_PREFERENCES = "bpy.types.terrane_preferences"

_GROUP = "terrane_pg_"


def links() -> tuple[str, tuple[tuple[str, str], ...]]:
    """Return the beginning of all addresses, and the rest by pattern; see `register_manual_map`."""
    first = manual.find(manual.INDEX)  # all that there is about a type where no manual was made
    led = ((pattern, manual.find(place) or first) for pattern, place in places())
    return manual.beginning(), tuple((pattern, rest) for pattern, rest in led if rest)


def places() -> Iterator[tuple[str, str]]:
    """Yield a pattern for all that Blender asks for, and a place such as "layers#masks"."""
    yield from PROPERTIES
    operators: Any = bpy.ops
    for name in dir(operators.terrane):
        yield f"bpy.ops.terrane.{name}", f"operator_{name}"
    for group in _groups():
        suffix = group.__name__.lower().removeprefix(_GROUP)
        begin, candidates = _first(GROUPS, suffix)
        pages = candidates.replace("*", suffix.removeprefix(begin)).split()
        for prop in group.bl_rna.properties:
            if prop.type not in ("POINTER", "COLLECTION"):
                name = prop.identifier
                place = _best(pages, name.removesuffix(FIELD).removesuffix(AUTO))
                yield f"bpy.types.{group.__name__.lower()}.{name}", place
        yield f"bpy.types.{group.__name__.lower()}.*", pages[-1]
    for place in manual.places():
        page, _, name = place.partition("#")
        if page == "preferences" and name and not name.endswith(AUTO):
            for end in ("", FIELD, AUTO):
                yield f"{_PREFERENCES}.{name}{end}", place
    yield f"{_PREFERENCES}*", "preferences"


def _groups() -> Iterator[Any]:
    """Yield the groups of properties that are registered."""
    classes: list[Any] = bpy.types.PropertyGroup.__subclasses__()
    for cls in classes:
        if cls.__name__.lower().startswith(_GROUP) and cls.is_registered:
            yield cls


def _first(table: tuple[tuple[str, str], ...], name: str) -> tuple[str, str]:
    """Return the first row of a table that fits a name."""
    return next(row for row in table if name.startswith(row[0]))


def _best(pages: list[str], name: str) -> str:
    """Return the place of a parameter; else the last place, which describes all of them."""
    candidates = (page.replace("?", name) if "?" in page else f"{page}#{name}" for page in pages)
    return next((place for place in candidates if place in manual.places()), pages[-1])


def draw_button(layout: bpy.types.UILayout, page: str = manual.INDEX) -> None:
    """Draw a button with a question mark that opens a page; for the header of a panel."""
    button: Any = layout.operator("terrane.manual_open", text="", icon="HELP", emboss=False)
    button.page = page


def register() -> None:
    """Register the addresses."""
    bpy.utils.register_manual_map(links)


def unregister() -> None:
    """Unregister the addresses."""
    bpy.utils.unregister_manual_map(links)
