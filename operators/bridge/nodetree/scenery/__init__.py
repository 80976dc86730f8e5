# SPDX-License-Identifier: GPL-3.0-or-later
"""The nodes of what surrounds a terrain: sky, haze, water, mirror images."""
