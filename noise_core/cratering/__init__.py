# SPDX-License-Identifier: GPL-3.0-or-later
"""Craters: how many of which size and age, their shape, and the ground that each fell on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..base.late_modules import late_modules

if TYPE_CHECKING:
    from . import history as history
    from . import on_grid as on_grid
    from . import population as population
    from . import shape as shape
else:
    __getattr__ = late_modules(__name__)
