# SPDX-License-Identifier: GPL-3.0-or-later
"""Gullies follow the slopes of another noise."""

from __future__ import annotations

from ..translators import refuses

refuses(
    "gullies",
    "it follows the slopes of its source, which nodes do not know; a ridged fractal comes nearest, or bake an image.",
)
