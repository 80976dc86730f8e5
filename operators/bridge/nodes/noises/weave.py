# SPDX-License-Identifier: GPL-3.0-or-later
"""Weave follows a pattern of threads."""

from __future__ import annotations

from .....noise_core.errors import Message
from ..translators import refuses

refuses(
    "weave",
    Message(
        "which thread lies on top follows a table, which nodes do not have; bricks come nearest, or bake an image."
    ),
)
