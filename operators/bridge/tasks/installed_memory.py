# SPDX-License-Identifier: GPL-3.0-or-later
"""Bytes that the products take while they are made, for `noise_core.base.installed_memory`."""

from __future__ import annotations

from ....noise_core.base.installed_memory import require

__all__ = ["PER_PIXEL", "PER_TEXEL", "PER_VERTEX", "require"]

PER_VERTEX = 130
"""Bytes that a vertex of a terrain takes at the least while it is made: measured with Blender 4.5, at
2048 x 2048 and 4096 x 4096: 136 to 140, with erosion 170 to 197."""

PER_PIXEL = {False: 12, True: 24}
"""Bytes that a pixel of an image takes at the least, of 8 bits a channel and of 32: measured in the
same way, 12 to 20 and 24 to 29."""

PER_TEXEL = 8
"""Bytes that a texel takes at the least for each channel of each map: measured, 8 to 10."""
