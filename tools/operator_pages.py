# SPDX-License-Identifier: GPL-3.0-or-later
"""The part of the reference that is about operators."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from recorded_bpy import Declared, operator_classes

MOST_OPTIONS = 8
"""Longer lists are named, not explained: what is in them has sections of its own."""


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
    yield text.rstrip(".") + ".\n"
    declared = {
        key: one for key, one in _annotations(cls).items() if one.keywords.get("description")
    }
    if declared:
        yield "| keyword | default | allowed | what it does |"
        yield "| --- | --- | --- | --- |"
    for key, one in declared.items():
        text = _plain(str(one.keywords["description"]).rstrip("."))
        yield f"| `{key}` | {_default(one)} | {_allowed(one)} | {text} |"
    yield ""


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


def _allowed(one: Declared) -> str:
    items = one.keywords.get("items")
    if callable(items):
        items = items(None, None)
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
