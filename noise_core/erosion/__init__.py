# SPDX-License-Identifier: GPL-3.0-or-later
"""Laws of erosion, one folder a process."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..base.late_modules import late_modules

if TYPE_CHECKING:
    from . import coast as coast
    from . import drawn as drawn
    from . import dunes as dunes
    from . import snow as snow
else:
    __getattr__ = late_modules(__name__)
