# SPDX-License-Identifier: GPL-3.0-or-later
"""The reference of all operators, by topic, and of the preferences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from entries import Entry, Row, Topic, cell
from recorded_bpy import ROOT, Declared, module, operator_classes

MOST_OPTIONS = 8
"""Longer lists are named, not explained: what is in them has a page."""

TOPICS: Mapping[str, tuple[str, str, tuple[str, ...]]] = {
    "terrain": (
        "Operators: terrain",
        "Making, updating and displacing meshes; see [a first terrain](../first_terrain.md).",
        (
            "terrain_add",
            "terrain_update",
            "mesh_displace",
            "contact_",
            "seed_",
            "number_",
            "variation",
        ),
    ),
    "scene": (
        "Operators: landscapes",
        "What surrounds a terrain in a picture; see [landscapes](../landscapes.md).",
        (
            "landscape_",
            "planet_",
            "terrain_from_ant",
            "sky_",
            "camera_",
            "surroundings_",
            "water_",
            "scatter_",
            "field_",
            "assets_",
            "detail_",
            "cliffs_",
            "colors_",
            "viewport_",
        ),
    ),
    "motion": (
        "Operators: motion",
        "Baking terrains that move; see [motion](../motion.md).",
        ("motion_", "mesh_single_user"),
    ),
    "layers": (
        "Operators: layers",
        "The list of layers; see [layers](../layers.md).",
        ("modifier_", "layer_", "element_", "value_", "group_", "chain_", "brush_"),
    ),
    "masks": (
        "Operators: masks",
        "Masks, painted and read off the ground; see [masks](../layers.md#masks).",
        ("mask_", "modifier_mask", "modifier_where", "layer_mask", "layer_painted_mask"),
    ),
    "erosion": (
        "Operators: erosion",
        "Eroding meshes and images; see [relief](../relief.md).",
        ("mesh_erode", "mesh_release", "terrain_from_mesh", "image_erode"),
    ),
    "curves": (
        "Operators: drawn curves",
        "What is built along curve objects; see [drawn curves](../curves.md).",
        ("path_", "curve_", "footprint_", "objects_drop"),
    ),
    "stamps": (
        "Operators: stamps",
        "Landforms that empties place on the terrain; see [stamps](../stamps.md).",
        ("stamp_", "place_"),
    ),
    "maps": (
        "Operators: maps",
        "Reading slope, flow and the like off a mesh; see [maps](../relief.md#maps).",
        ("maps_",),
    ),
    "images": (
        "Operators: images",
        "Images of noise, and sequences of them; see [pictures](../pictures.md).",
        ("image_", "hex_", "sequence_", "ramp_"),
    ),
    "surfaces": (
        "Operators: surfaces",
        "Sets of seamless textures; see [surfaces](../pictures.md#surface).",
        ("material_add", "images_"),
    ),
    "materials": (
        "Operators: materials",
        "Materials for [terrains](../terrain_materials.md), and [noise as nodes](../live_materials.md).",
        ("terrain_material", "nodes_", "material_", "scatter_"),
    ),
    "exchange": (
        "Operators: recipes and heightmaps",
        "Recipes as text and as files; see [layers](../layers.md#in-the-panel).",
        ("recipe_", "heightmap_", "tiles_", "tile_", "levels_", "far_meshes_"),
    ),
    "worlds": (
        "Operators: worlds",
        "Exported land of any size; see [worlds in Blender](../worlds.md#in-blender).",
        ("world_",),
    ),
    "presets": (
        "Operators: presets",
        "Ready-made recipes and your own; see [presets](../first_terrain.md#3-pick-a-preset).",
        ("preset_",),
    ),
    "tasks": (
        "Operators: tasks and help",
        "Long work, and the manual; see [the panel](../panels.md#what-the-panel-has-to-say).",
        ("job_", "task_", "live_", "manual_", "message_"),
    ),
}
"""Title and text of each page, and how the names of its operators begin; the longest beginning counts."""

INTRODUCTION = (
    "For scripts: `bpy.ops.terrane.…`. Operators that begin with a preset take from it what is left out; "
    "those that change something take it from the object's or the image's own settings; with "
    "`from_panel=True` it comes from the panel."
)
BUTTON = "A button of the panel: it acts on what is active there."


def topics() -> Iterator[Topic]:
    """Yield a page for each topic that has operators, and one about the preferences."""
    entries: dict[str, list[Entry]] = {topic: [] for topic in TOPICS}
    for cls in operator_classes():
        entries[topic_of(_name(cls))].append(_entry(cls))
    for topic, listed in entries.items():
        title, text, _ = TOPICS[topic]
        if listed:
            yield Topic(f"operators_{topic}", title, f"{text} {INTRODUCTION}", tuple(listed))
    yield Topic("preferences", "Preferences", PREFERENCES, (_preferences(),))


def topic_of(name: str) -> str:
    """Return the topic of an operator by its name without "terrane.".

    Raises
    ------
    ValueError
        If no topic has operators whose names begin so.
    """
    fitting = [
        (len(begin), topic)
        for topic, (_, _, begins) in TOPICS.items()
        for begin in begins
        if name.startswith(begin)
    ]
    if not fitting:
        raise ValueError(f"TOPICS in {__file__} must name a topic for the operator {name}")
    return max(fitting)[1]


def _name(cls: type) -> str:
    identifier: str = cls.bl_idname  # type: ignore[attr-defined]
    return identifier.partition(".")[2]


def _entry(cls: type) -> Entry:
    text = getattr(cls, "bl_description", "") or (cls.__doc__ or "").strip()
    notes = [f"{text.rstrip('.')}."]
    if "INTERNAL" in getattr(cls, "bl_options", ()):
        notes.append(BUTTON)
    return Entry(
        subject=f"operator_{_name(cls)}",
        title=str(cls.bl_label),  # type: ignore[attr-defined]
        code=f"`bpy.ops.terrane.{_name(cls)}`",
        text=" ".join(notes),
        heading="keyword",
        rows=tuple(_rows(_annotations(cls))),
    )


PREFERENCES = "Below *Edit > Preferences > Add-ons > Terrane*."


def _preferences() -> Entry:
    (path,) = (ROOT / "operators" / "bridge").rglob("preferences.py")
    name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
    declared = module(name).properties()
    return Entry(
        subject="preferences",
        title="What can be set",
        code="",
        text="",
        heading="preference",
        rows=tuple(_rows(declared)),
    )


def _rows(declared: Mapping[str, Declared]) -> Iterator[Row]:
    for key, prop in declared.items():
        text = str(prop.keywords.get("description", "")).rstrip(".")
        if text:
            yield Row(key, cell(text), _default(prop), _allowed(prop))


def _annotations(cls: type) -> Mapping[str, Declared]:
    """Return the properties of a class and its bases that are no groups."""
    properties: dict[str, Declared] = {}
    for base in reversed(cls.__mro__):
        for key, prop in base.__dict__.get("__annotations__", {}).items():
            if isinstance(prop, Declared) and prop.kind != "PointerProperty":
                properties[key] = prop
    return properties


def _default(prop: Declared) -> str:
    default = prop.keywords.get("default", _EMPTY.get(prop.kind))
    if prop.kind == "EnumProperty" and isinstance(default, int):  # a choice by its number
        default = next(item[0] for item in _items(prop) if item and item[-1] == default)
    if isinstance(default, (set, frozenset)):
        return ", ".join(f"`{key}`" for key in sorted(default)) or "none"
    if isinstance(default, (float, tuple, str, int)):
        return f"`{default!r}`"
    return ""


_EMPTY: Mapping[str, object] = {
    "StringProperty": "",
    "BoolProperty": False,
    "IntProperty": 0,
    "FloatProperty": 0.0,
}
"""Blender's own default where none is declared."""


def _items(prop: Declared) -> Sequence[tuple[Any, ...]]:
    """Return the choices of a property; a function is called for them, as Blender does."""
    items = prop.keywords.get("items") or ()
    listed: Sequence[tuple[Any, ...]] = items(None, None) if callable(items) else items
    return listed


def _allowed(prop: Declared) -> str:
    items = _items(prop)
    if items:
        listed = [(item[0], item[2]) for item in items if item[0]]
        if len(listed) > MOST_OPTIONS or not all(text for _, text in listed):
            return ", ".join(f"`{key}`" for key, _ in listed)
        return "<br>".join(f"`{key}`: {cell(text)}" for key, text in listed)
    size = prop.keywords.get("size")
    words = _KINDS.get(prop.kind, "") if size is None else f"{size} numbers"
    low, high = prop.keywords.get("soft_min"), prop.keywords.get("soft_max")
    if low is None or high is None or max(-low, high) > _ENDLESS:
        return words
    return f"{words}, usually {low:g} to {high:g}"


_ENDLESS = 1e8
"""Limits beyond this are none."""

_KINDS: Mapping[str, str] = {
    "StringProperty": "text",
    "BoolProperty": "`True`, `False`",
    "IntProperty": "a whole number",
    "FloatProperty": "a number",
}
