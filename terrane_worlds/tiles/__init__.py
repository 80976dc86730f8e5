# SPDX-License-Identifier: GPL-3.0-or-later
"""Fields and lands in tiles, where their values come from, and work on one tile after the other."""
