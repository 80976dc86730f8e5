# SPDX-License-Identifier: GPL-3.0-or-later
"""Tectonics: plates, the land at their borders, and faults across them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...base.late_modules import late_modules

if TYPE_CHECKING:
    from . import borders as borders
    from . import crust as crust
else:
    __getattr__ = late_modules(__name__)
