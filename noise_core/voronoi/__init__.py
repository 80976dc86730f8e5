# SPDX-License-Identifier: GPL-3.0-or-later
"""Cellular noise: cells, their feature points and the distances to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..base.late_modules import late_modules

if TYPE_CHECKING:
    from . import distances as distances
    from . import feature_points as feature_points
    from . import nearest_on_grid as nearest_on_grid
    from . import nearest_points as nearest_points
    from . import patches as patches
    from . import soft_minimum as soft_minimum
    from . import surroundings as surroundings
else:
    __getattr__ = late_modules(__name__)
