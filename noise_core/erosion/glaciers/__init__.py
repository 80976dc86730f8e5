# SPDX-License-Identifier: GPL-3.0-or-later
"""Glaciers: ice that flows, wears its bed down, and the schedule of steps on all levels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...base.late_modules import late_modules

if TYPE_CHECKING:
    from . import glaciation as glaciation
else:
    __getattr__ = late_modules(__name__)
