# SPDX-License-Identifier: GPL-3.0-or-later
"""Heightmaps for engines, robots and maps: written, read back, and described beside.

``from noise_core.io.heightmaps import export_heightmap`` imports the writer at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...base.late_modules import late_modules

if TYPE_CHECKING:
    from .export import ExportReport, export_heightmap
    from .options import ExportOptions
    from .planet_meshes import export_planet

__all__ = ["ExportOptions", "ExportReport", "export_heightmap", "export_planet"]

if not TYPE_CHECKING:  # a checker sees the imports above
    __getattr__ = late_modules(
        __name__,
        {
            **dict.fromkeys(__all__, ".export"),
            "ExportOptions": ".options",
            "export_planet": ".planet_meshes",
        },
    )
