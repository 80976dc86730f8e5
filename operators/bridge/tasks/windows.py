# SPDX-License-Identifier: GPL-3.0-or-later
"""Progress of long work in Blender's windows: the status bar, the mouse pointer, Terrane's panels."""

from __future__ import annotations

from typing import Any

import bpy
from bpy.app.translations import pgettext_iface

EDITORS = ("VIEW_3D", "IMAGE_EDITOR")
"""Editors with panels of Terrane."""


_shown = ""
"""The present text in the status bar."""


def show_progress(context: bpy.types.Context, title: str, share: float) -> None:
    """Show the progress of some work, from 0 to 1; redraw only if the text has changed."""
    global _shown
    percent = int(100.0 * share)
    text = f"{pgettext_iface(title)}: {percent} %     {pgettext_iface('Esc: Cancel')}"
    if text == _shown:
        return
    _shown = text
    context.window_manager.progress_update(percent)
    _say(context, text)
    redraw_panels(context)


def hide_progress(context: bpy.types.Context) -> None:
    """Clear the status bar."""
    global _shown
    _shown = ""
    _say(context, None)
    redraw_panels(context)


def _say(context: bpy.types.Context, text: str | None) -> None:
    # A window that closes, or a file that is being replaced, has none.
    if context.workspace is not None:
        context.workspace.status_text_set(text)


def redraw_panels(context: bpy.types.Context) -> None:
    """Redraw Terrane's panels."""
    manager: Any = context.window_manager
    for window in manager.windows:
        for area in window.screen.areas:
            if area.type in EDITORS:
                for region in area.regions:
                    if region.type == "UI":
                        region.tag_redraw()
