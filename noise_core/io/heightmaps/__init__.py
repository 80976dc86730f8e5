# SPDX-License-Identifier: GPL-3.0-or-later
"""Heightmaps for engines, robots and maps: written, read back, and described beside.

``from noise_core.io.heightmaps import export_heightmap`` imports the writer at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...base.late_modules import late_modules

if TYPE_CHECKING:
    from .export import ExportReport, export_heightmap

__all__ = ["ExportReport", "export_heightmap"]

_find_module = late_modules(__name__)


def __getattr__(name: str) -> Any:
    if name in __all__:
        from . import export

        return getattr(export, name)
    return _find_module(name)
