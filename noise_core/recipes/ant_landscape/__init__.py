# SPDX-License-Identifier: GPL-3.0-or-later
"""Recipes from the settings of A.N.T. Landscape, the landscape add-on that came with Blender until 4.1."""
