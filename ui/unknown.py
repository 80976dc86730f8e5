# SPDX-License-Identifier: GPL-3.0-or-later
"""Box in the panel about parts of a file that this version of Terrane does not know."""

from __future__ import annotations

import textwrap
from typing import Any

import bpy

from ..operators.bridge.interface.messages import translate
from ..operators.bridge.schema import unknown

_WIDTH = 7.0
"""Approximate width of a letter in pixels at a scale of 1."""


def draw_unknown(layout: Any, group: Any) -> None:
    """Draw a box about unknown parts, nothing if there are none."""
    reason = translate(unknown.why_not(group))
    if not reason:
        return
    column = layout.box().column(align=True)
    column.alert, column.scale_y = True, 0.8
    region: Any = bpy.context.region
    scale = bpy.context.preferences.system.ui_scale or 1.0  # 0 without a window
    letters = max(20, int((region.width if region else 300) / (_WIDTH * scale)) - 8)
    for place, line in enumerate(textwrap.wrap(reason, letters)):
        column.label(text=line, icon="BLANK1" if place else "ERROR", translate=False)
