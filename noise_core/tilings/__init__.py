# SPDX-License-Identifier: GPL-3.0-or-later
"""Regular patterns: positions of points in them, faces, joints, and a number for each tile."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..base.late_modules import late_modules

if TYPE_CHECKING:
    from . import instances as instances
    from . import shape_scatter as shape_scatter
    from . import spans as spans
    from . import threads as threads
else:
    __getattr__ = late_modules(__name__)
