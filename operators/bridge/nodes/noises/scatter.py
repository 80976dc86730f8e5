# SPDX-License-Identifier: GPL-3.0-or-later
"""Scatter asks many neighboring cells for shapes."""

from __future__ import annotations

from ..translators import refuses

refuses(
    "scatter",
    "its shapes reach over many cells, each of which would need nodes of its own; cellular comes nearest, or bake an image.",
)
