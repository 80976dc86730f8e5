# SPDX-License-Identifier: GPL-3.0-or-later
"""A terrain: its ground, what it was made of, how it is made, made anew, eroded and baked."""
