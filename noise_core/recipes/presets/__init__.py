# SPDX-License-Identifier: GPL-3.0-or-later
"""Shipped recipes, one JSON file each."""
