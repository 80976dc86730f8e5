# SPDX-License-Identifier: GPL-3.0-or-later
"""Noises that Blender's nodes cannot write."""

from __future__ import annotations

from ......noise_core.base.errors import Message
from ..registry import refuses

refuses(
    "gullies",
    Message(
        "it follows the slopes of its source, which nodes do not know; a ridged fractal comes nearest, or bake an image."
    ),
)
refuses(
    "scatter",
    Message(
        "its shapes reach over many cells, each of which would need nodes of its own; cellular comes nearest, or bake an image."
    ),
)
refuses(
    "weave",
    Message(
        "which thread lies on top follows a table, which nodes do not have; bricks come nearest, or bake an image."
    ),
)
