# SPDX-License-Identifier: GPL-3.0-or-later
"""Recipes in tiles: their layers and masks, and refusals of recipes that cannot be built in tiles."""
