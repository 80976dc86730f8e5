# SPDX-License-Identifier: GPL-3.0-or-later
"""Tools for finished fields: levels, smoothing, differences, distances, sums."""
