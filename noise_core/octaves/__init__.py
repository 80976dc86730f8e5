# SPDX-License-Identifier: GPL-3.0-or-later
"""Finer copies of a noise, added up: what fractals are made of."""
