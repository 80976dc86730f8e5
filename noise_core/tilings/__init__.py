# SPDX-License-Identifier: GPL-3.0-or-later
"""Regular patterns: positions of points in them, faces, joints, and a number for each tile."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..base.late_modules import late_modules

if not TYPE_CHECKING:  # a checker sees the modules themselves
    __getattr__ = late_modules(__name__)
