# SPDX-License-Identifier: GPL-3.0-or-later
"""User meshes that are terrains: how they are recognized, their grid, their former heights, their bottom layer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .....noise_core.base.late_modules import late_modules

if TYPE_CHECKING:
    from . import grid as grid
    from . import heights as heights
    from . import recognition as recognition
else:
    __getattr__ = late_modules(__name__)
