# SPDX-License-Identifier: GPL-3.0-or-later
"""Snow that wind brings, that slides and melts, and that evens out the ground."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...base.late_modules import late_modules

if TYPE_CHECKING:
    from . import cover as cover
    from . import weather as weather
else:
    __getattr__ = late_modules(__name__)
