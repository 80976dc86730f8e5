# SPDX-License-Identifier: GPL-3.0-or-later
"""Gullies follow the slopes of another noise."""

from __future__ import annotations

from .....noise_core.errors import Message
from ..translators import refuses

refuses(
    "gullies",
    Message(
        "it follows the slopes of its source, which nodes do not know; a ridged fractal comes nearest, or bake an image."
    ),
)
