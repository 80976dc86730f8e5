# SPDX-License-Identifier: GPL-3.0-or-later
"""Tools for fields: levels of resolution, resampling, smoothing, differences, distances, sums."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..base.late_modules import late_modules

if TYPE_CHECKING:
    from . import boxes as boxes
    from . import coarse_cells as coarse_cells
    from . import connected as connected
    from . import differences as differences
    from . import distance_field as distance_field
    from . import height_field as height_field
    from . import pyramid as pyramid
    from . import shifts as shifts
    from . import smoothing as smoothing
    from . import steepness as steepness
    from . import totals as totals
    from .level import Level as Level
else:
    __getattr__ = late_modules(__name__, {"Level": ".level"})
