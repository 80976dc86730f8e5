# SPDX-License-Identifier: GPL-3.0-or-later
"""What kinds of ground for robots are made of: boxes, samples of heights, chance, and the grid of a curriculum."""
