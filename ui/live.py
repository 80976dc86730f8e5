# SPDX-License-Identifier: GPL-3.0-or-later
"""Switch of live update, and messages in panels."""

from __future__ import annotations

import re
import unicodedata
from typing import Any

import bpy

from ..operators.bridge.interface.messages import translate
from ..operators.bridge.schema import live_switch, panel_texts, settings, state
from ..operators.bridge.tasks import live

_LETTER = 7.5
"""Approximate width of a letter in pixels at a scale of 1: Blender does not break lines."""


def draw_switch(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    """Draw the switch, for the header of a panel."""
    row: Any = layout.row()
    row.prop(context.scene, live_switch.PROPERTY)
    row.separator()


def draw_note(
    layout: bpy.types.UILayout, context: bpy.types.Context, owner: bpy.types.ID | None
) -> None:
    """Draw the reason why a datablock does not follow its settings, if there is one.

    Unknown parts of a file are shown separately: see `draw_unknown`.
    """
    text = live.note(owner)
    if text and owner is not None and not settings.why_unreadable(getattr(owner, state.PROPERTY)):
        _draw_lines(layout, context, panel_texts.panel_text(text), "INFO")


def draw_unknown(layout: Any, context: bpy.types.Context, group: Any) -> None:
    """Draw a box about parts of a file that this version of Terrane does not know, if there are any."""
    if reason := settings.why_unreadable(group):
        box = layout.box()
        box.alert = True
        draw_text(box, context, reason, "ERROR")


def draw_text(
    layout: bpy.types.UILayout, context: bpy.types.Context, text: str, icon: Any = "INFO"
) -> None:
    """Draw a message in the user's language, broken into lines."""
    _draw_lines(layout, context, translate(text), icon)


def _draw_lines(layout: Any, context: bpy.types.Context, text: str, icon: Any) -> None:
    region: Any = context.region
    scale = context.preferences.system.ui_scale or 1.0  # 0 without a window
    letters = int((region.width if region else 300) / (_LETTER * scale)) - 8
    column: Any = layout.column(align=True)
    column.scale_y = 0.8
    for place, line in enumerate(_lines(text, max(letters, 16))):
        column.label(text=line, icon=icon if place == 0 else "BLANK1", translate=False)


def _lines(text: str, width: int) -> list[str]:
    """Break a text between words; Japanese, which has no spaces, and wide letters anywhere."""
    lines, line, used = [], "", 0
    for word in _WORDS.findall(text):
        room = sum(_width(letter) for letter in word.rstrip())
        if line and used + room > width:
            lines, line, used = [*lines, line.rstrip()], "", 0
        line, used = line + word, used + room + len(word) - len(word.rstrip())
    return [*lines, line.rstrip()] if line.strip() else lines


def _width(letter: str) -> int:
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1


_WORDS = re.compile(r"[\u3000-\u30ff\u4e00-\u9fff]\s*|[^\s\u3000-\u30ff\u4e00-\u9fff]+\s*|\s+")
"""A word with the spaces after it, or one letter of Japanese."""
