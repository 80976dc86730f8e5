# SPDX-License-Identifier: GPL-3.0-or-later
"""Cuttings, embankments and beds along drawn curves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...base.late_modules import late_modules

if TYPE_CHECKING:
    from . import surfaces as surfaces
else:  # a checker sees the modules themselves
    __getattr__ = late_modules(__name__)
