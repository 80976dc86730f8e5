# SPDX-License-Identifier: GPL-3.0-or-later
"""The only place that turns arrays into datablocks and settings into recipes, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...noise_core.base.late_modules import late_modules

if not TYPE_CHECKING:  # a checker sees the modules themselves
    __getattr__ = late_modules(__name__)
