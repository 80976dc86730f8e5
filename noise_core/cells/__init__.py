# SPDX-License-Identifier: GPL-3.0-or-later
"""Cells and their feature points: what cellular noise is made of."""
