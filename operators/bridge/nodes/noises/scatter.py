# SPDX-License-Identifier: GPL-3.0-or-later
"""Scatter asks many neighboring cells for shapes."""

from __future__ import annotations

from .....noise_core.errors import Message
from ..translators import refuses

refuses(
    "scatter",
    Message(
        "its shapes reach over many cells, each of which would need nodes of its own; cellular comes nearest, or bake an image."
    ),
)
