# SPDX-License-Identifier: GPL-3.0-or-later
"""Regular patterns: positions of points in them, faces, joints, and a number for each tile."""

from __future__ import annotations

from .pattern import Pattern, spread
from .tiling import Tiles, Tiling, random_number

__all__ = ["Pattern", "Tiles", "Tiling", "random_number", "spread"]
