# SPDX-License-Identifier: GPL-3.0-or-later
"""Looks for other programs: materials as OpenPBR in MaterialX and USD, and as UsdPreviewSurface."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...base.late_modules import late_modules

if not TYPE_CHECKING:  # a checker sees the modules themselves
    __getattr__ = late_modules(__name__)
