# SPDX-License-Identifier: GPL-3.0-or-later
"""Colors, colorings, colors of the ground, surfaces, and textures by example."""

from __future__ import annotations
