# SPDX-License-Identifier: GPL-3.0-or-later
"""Integer lattices: their hash, and noise on them as sums of few vectors a row."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..base.late_modules import late_modules

if not TYPE_CHECKING:  # a checker sees the modules themselves
    __getattr__ = late_modules(__name__)
