# SPDX-License-Identifier: GPL-3.0-or-later
"""Octaves of fractals: kinds of sums, and their evaluation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..base.late_modules import late_modules

if TYPE_CHECKING:
    from . import kinds as kinds
    from . import sums as sums
else:
    __getattr__ = late_modules(__name__)
