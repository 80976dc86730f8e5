# SPDX-License-Identifier: GPL-3.0-or-later
"""The parts of the reference that are about operators and preferences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from recorded_bpy import Declared, module, operator_classes

MOST_OPTIONS = 8
"""Longer lists are named, not explained: what is in them has sections of its own."""

GUIDES = (
    ("terrain_erode", "[relief](relief.md)"),
    ("image_erode", "[relief](relief.md)"),
    ("erosion_", "[a first terrain](first_terrain.md#5-erode)"),
    ("maps_", "[maps](relief.md#maps)"),
    ("mask_", "[masks](layers.md#masks)"),
    ("terrain_material", "[materials of terrains](terrain_materials.md)"),
    ("material_", "[surfaces](pictures.md#surface)"),
    ("images_", "[surfaces](pictures.md#surface)"),
    ("image_", "[pictures](pictures.md)"),
    ("sequence_", "[what moves](pictures.md#what-moves)"),
    ("nodes_", "[live materials](live_materials.md)"),
    ("mesh_displace", "[the panel](panels.md#other-meshes-and-surfaces)"),
    ("recipe_", "[layers](layers.md#in-the-panel)"),
    ("preset_", "[presets](first_terrain.md#3-pick-a-preset)"),
    ("contact_sheet", "[seeds](first_terrain.md#4-change-the-seed)"),
    ("", "[a first terrain](first_terrain.md)"),
)
"""Where it is told what an operator is for, by how its name begins; the first that fits counts."""


def operators() -> Iterator[str]:
    """Yield the lines about every operator that a script would call."""
    yield "## Operators\n"
    yield (
        "For scripts, `bpy.ops.terrane.…`. What is left out has its default; with `from_panel=True` it "
        "comes from the settings in the panel. A wrong value is a `RuntimeError` of one line.\n"
    )
    for cls in operator_classes():
        if "INTERNAL" not in getattr(cls, "bl_options", ()):
            yield from _described(cls)


def _described(cls: type) -> Iterator[str]:
    name = cls.bl_idname  # type: ignore[attr-defined]
    yield f"### {cls.bl_label}: `bpy.ops.{name}`\n"  # type: ignore[attr-defined]
    text = getattr(cls, "bl_description", "") or (cls.__doc__ or "").strip()
    own = name.partition(".")[2]
    guide = next(link for begin, link in GUIDES if own.startswith(begin))
    yield f"{text.rstrip('.')}. See {guide}.\n"
    declared = {
        key: one for key, one in _annotations(cls).items() if one.keywords.get("description")
    }
    if declared:
        yield from _table("keyword", declared)
    yield ""


def preferences() -> Iterator[str]:
    """Yield the lines about what is set for Terrane as a whole."""
    yield "## Preferences\n"
    yield "Below *Edit > Preferences > Add-ons > Terrane*.\n"
    yield from _table("preference", module("operators.bridge.preferences").properties())
    yield ""


def _table(title: str, declared: Mapping[str, Declared]) -> Iterator[str]:
    yield f"| {title} | default | allowed | what it does |"
    yield "| --- | --- | --- | --- |"
    for key, one in declared.items():
        text = _plain(str(one.keywords["description"]).rstrip("."))
        yield f"| `{key}` | {_default(one)} | {_allowed(one)} | {text} |"


def _annotations(cls: type) -> Mapping[str, Declared]:
    """Return the properties of a class and its bases that are no groups."""
    found: dict[str, Declared] = {}
    for base in reversed(cls.__mro__):
        for key, one in base.__dict__.get("__annotations__", {}).items():
            if isinstance(one, Declared) and one.kind != "PointerProperty":
                found[key] = one
    return found


def _default(one: Declared) -> str:
    default = one.keywords.get("default", _EMPTY.get(one.kind))
    if one.kind == "EnumProperty" and isinstance(default, int):  # a choice by its number
        default = next(item[0] for item in _items(one) if item and item[-1] == default)
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
"""What Blender takes where no default is declared."""


def _items(one: Declared) -> Sequence[tuple[Any, ...]]:
    """Return the choices; those that Blender asks a function for too."""
    items = one.keywords.get("items") or ()
    listed: Sequence[tuple[Any, ...]] = items(None, None) if callable(items) else items
    return listed


def _allowed(one: Declared) -> str:
    items = _items(one)
    if items:
        listed = [(item[0], item[2]) for item in items if item[0]]
        if len(listed) > MOST_OPTIONS or not all(text for _, text in listed):
            return ", ".join(f"`{key}`" for key, _ in listed)
        return "<br>".join(f"`{key}`: {_plain(text)}" for key, text in listed)
    size = one.keywords.get("size")
    words = _KINDS.get(one.kind, "") if size is None else f"{size} numbers"
    low, high = one.keywords.get("soft_min"), one.keywords.get("soft_max")
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


def _plain(text: str) -> str:
    """Return text for a cell of a table."""
    return text.replace("|", "\\|").replace("\n", " ")
