# SPDX-License-Identifier: GPL-3.0-or-later
"""Flow routing on a height field: the exact flow tree, over flats and through depressions."""

from __future__ import annotations

from .routing import border, route
from .tree import FlowTree, Sums

__all__ = ("FlowTree", "Sums", "border", "route")
