# SPDX-License-Identifier: GPL-3.0-or-later
"""Noise looked up in a finished field, and how far a warp reaches."""
