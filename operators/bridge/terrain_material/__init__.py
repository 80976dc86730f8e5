# SPDX-License-Identifier: GPL-3.0-or-later
"""The material of a terrain: its plan, its layers, its groups of nodes."""
