# SPDX-License-Identifier: GPL-3.0-or-later
"""Messages to the user, and the progress of long work, in the language of the interface."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import bpy
from bpy.app.translations import pgettext_iface, pgettext_rpt

from ....noise_core.base.errors import Message

__all__ = (
    *("Message", "report", "translate"),
    *("EDITORS", "hide_progress", "open_areas", "redraw_panels", "redraw_status", "show_progress"),
)

EDITORS = ("VIEW_3D", "IMAGE_EDITOR")
"""Editors with panels of Terrane."""

_progress = ""
"""The present text in the status bar."""


def report(operator: Any, kind: set[str], template: str, *values: object) -> None:
    """Show a message in the status bar; see `Operator.report` and `Message`."""
    operator.report(kind, translate(Message(template, *values)))


def translate(text: str) -> str:
    """Return a message in the language of the interface, or in English without a translation."""
    if not text:
        return ""
    message = Message(text)
    values = (translate(value) if isinstance(value, Message) else value for value in message.values)
    return message.fill(str(pgettext_rpt(message.template)), *values)


def show_progress(context: bpy.types.Context, title: str, share: float) -> None:
    """Show the progress of some work, from 0 to 1; redraw only if the text has changed."""
    percent = int(100.0 * share)
    text = f"{translate(title)}: {percent} %     {pgettext_iface('Esc: Cancel')}"
    if text != _progress:
        context.window_manager.progress_update(percent)
        _show(context, text)


def hide_progress(context: bpy.types.Context) -> None:
    """Clear the status bar."""
    _show(context, "")


def _show(context: bpy.types.Context, text: str) -> None:
    global _progress
    _progress = text
    # A window that closes, or a file that is being replaced, has none.
    if context.workspace is not None:
        context.workspace.status_text_set(text or None)
    redraw_panels(context)


def redraw_status(context: bpy.types.Context) -> None:
    """Redraw the status bar, which is in no list of areas."""
    if context.workspace is not None:
        context.workspace.status_text_set(_progress or None)


def redraw_panels(context: bpy.types.Context) -> None:
    """Redraw Terrane's panels."""
    for _, area in open_areas(context, *EDITORS):
        for region in area.regions:
            if region.type == "UI":
                region.tag_redraw()


def open_areas(context: bpy.types.Context, *types: str) -> Iterator[tuple[Any, Any]]:
    """Yield the open editors of some types, each after its window."""
    manager: Any = context.window_manager
    for window in () if manager is None else manager.windows:
        for area in window.screen.areas:
            if area.type in types:
                yield window, area
