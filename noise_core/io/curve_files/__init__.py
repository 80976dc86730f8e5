# SPDX-License-Identifier: GPL-3.0-or-later
"""Reader of curves from files: roads and waters of a real place, for measured land."""

from __future__ import annotations

from .curve_reading import ReadCurves, read_curves
from .drawn_places import DrawnPlace, draw_place

__all__ = ["DrawnPlace", "ReadCurves", "draw_place", "read_curves"]
