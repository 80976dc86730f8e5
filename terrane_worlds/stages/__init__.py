# SPDX-License-Identifier: GPL-3.0-or-later
"""Runners of the core's stages: in tiles, and one that counts the cost of tiles."""
