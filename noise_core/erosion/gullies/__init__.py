# SPDX-License-Identifier: GPL-3.0-or-later
"""Guides of `gully_patterns` on a height field: its slope on a smooth `spline`, its crests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...base.late_modules import late_modules

if TYPE_CHECKING:
    from . import guide as guide
else:
    __getattr__ = late_modules(__name__)
