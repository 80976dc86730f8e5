# SPDX-License-Identifier: GPL-3.0-or-later
"""How each noise is said with Blender's nodes: one file per noise."""
