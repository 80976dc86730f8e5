# SPDX-License-Identifier: GPL-3.0-or-later
"""Buttons for painting: a mask for the active modifier, and the height that mountains grow from."""

from __future__ import annotations

from typing import Any

import bpy

from ..operators.bridge.schema import masks, painting
from .sections import titled_row


def draw_painting(layout: Any, own: Any, owner: masks.Owner) -> None:
    """Draw the buttons for a modifier, above the name of its mask.

    Parameters
    ----------
    layout : UILayout
        Where.
    own : PropertyGroup
        The modifier's own parameters.
    owner : Object or None
        The terrain; without one only images can be painted.
    """
    row = titled_row(layout, "Painted")
    if painting.is_painting(bpy.context):
        row.operator("terrane.mask_paint", text="Done", icon="CHECKMARK", depress=True)
        return
    if owner is not None:
        row.operator("terrane.mask_paint", text="Paint", icon="WPAINT_HLT").kind = "GROUP"
    row.operator("terrane.mask_paint", text="Image", icon="TPAINT_HLT").kind = "IMAGE"
    if getattr(own, "mode", "") == "grow":
        button = row.operator("terrane.mask_paint", text="Uplift", icon="RNDCURVE")
        button.target = "HEIGHT"
