# SPDX-License-Identifier: GPL-3.0-or-later
"""Where Blender's "Online Manual" leads to: the project's pages, below the website of the manifest."""

from __future__ import annotations

import functools
import tomllib
from pathlib import Path

import bpy

PAGES = (
    ("bpy.ops.terrane.terrain_erode", "relief"),
    ("bpy.ops.terrane.image_erode", "relief"),
    ("bpy.ops.terrane.maps_bake", "relief"),
    ("bpy.ops.terrane.terrain_material", "terrain_materials"),
    ("bpy.types.terrane_pg_terrain_material", "terrain_materials"),
    ("bpy.ops.terrane.material_add", "adding_a_surface"),
    ("bpy.ops.terrane.nodes_add", "live_materials"),
    ("bpy.ops.terrane.image_", "pictures"),
    ("bpy.ops.terrane.sequence_", "pictures"),
    ("bpy.ops.terrane.layer_", "layers"),
    ("bpy.ops.terrane.modifier_", "layers"),
    ("bpy.ops.terrane.recipe_", "layers"),
    ("bpy.types.terrane_pg_modifier", "layers"),
    ("bpy.ops.terrane.", "reference"),
    ("bpy.types.terrane_", "reference"),
)
"""What an identifier begins with, in small letters, and the page in docs/; the first that fits counts."""


def links() -> tuple[str, tuple[tuple[str, str], ...]]:
    """Return the beginning of all addresses, and the rest by pattern; see `register_manual_map`."""
    return f"{website()}docs/", tuple((f"{begin}*", f"{page}.md") for begin, page in PAGES)


@functools.cache
def website() -> str:
    """Return the website of the manifest, with a slash at its end; nothing if it has none."""
    path = Path(__file__).resolve().parents[1] / "blender_manifest.toml"
    manifest = tomllib.loads(path.read_text(encoding="utf-8"))
    address = str(manifest.get("website", ""))
    return f"{address.rstrip('/')}/" if address else ""


def register() -> None:
    """Let Blender lead there, if there is a website."""
    if website():
        bpy.utils.register_manual_map(links)


def unregister() -> None:
    """Undo `register`."""
    if website():
        bpy.utils.unregister_manual_map(links)
