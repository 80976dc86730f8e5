# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings of the brush for terrains, which the scene keeps."""

from __future__ import annotations

from ....noise_core.erosion.brushes.brush import Brush
from ..schema.declared_settings import DeclaredSettings

BRUSH = DeclaredSettings(
    "terrane_brush",
    "Terrain Brush",
    "TERRANE_PG_brush",
    "Brush that changes terrains",
    Brush.parameters(),
)

register, unregister = BRUSH.register, BRUSH.unregister
