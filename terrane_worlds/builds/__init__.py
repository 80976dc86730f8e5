# SPDX-License-Identifier: GPL-3.0-or-later
"""Worlds: their orders, building, budget and export."""
