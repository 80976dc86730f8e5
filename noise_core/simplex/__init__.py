# SPDX-License-Identifier: GPL-3.0-or-later
"""Triangular lattice of simplex noise."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..base.late_modules import late_modules

if TYPE_CHECKING:
    from . import triangular as triangular
else:
    __getattr__ = late_modules(__name__)
