# SPDX-License-Identifier: GPL-3.0-or-later
"""Environments that the sessions of the noxfile run in: Pythons, NumPys, Blenders, programs, and their caches."""
