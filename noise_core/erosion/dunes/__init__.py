# SPDX-License-Identifier: GPL-3.0-or-later
"""Dunes: sand that wind carries, and the schedule of steps on all levels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...base.late_modules import late_modules

if TYPE_CHECKING:
    from . import growth as growth
else:
    __getattr__ = late_modules(__name__)
