# SPDX-License-Identifier: GPL-3.0-or-later
"""Shipped surfaces, one JSON file each."""
