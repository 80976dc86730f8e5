# SPDX-License-Identifier: GPL-3.0-or-later
"""What patterns of equal tiles share: faces, joints, and a number for each tile."""

from __future__ import annotations

from .tiling import Tiles, Tiling

__all__ = ["Tiles", "Tiling"]
