# SPDX-License-Identifier: GPL-3.0-or-later
"""Terrain larger than memory, with the bits of the same recipe in memory."""
