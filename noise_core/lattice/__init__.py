# SPDX-License-Identifier: GPL-3.0-or-later
"""Integer lattices: their hash, and noise on them as sums of few vectors a row."""

from __future__ import annotations
