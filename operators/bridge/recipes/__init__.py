# SPDX-License-Identifier: GPL-3.0-or-later
"""Recipes as Blender keeps them: knobs, the list of layers, masks, presets, text."""
