# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes as arrays: grids recognised, attributes read and written, new geometry handed over."""
