# SPDX-License-Identifier: GPL-3.0-or-later
"""Erosion by rivers in tiles: the steps of `noise_core.erosion.stream`, with the bits of the whole."""
