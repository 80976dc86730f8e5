# SPDX-License-Identifier: GPL-3.0-or-later
"""What drawn curves ask of erosion: rivers that stay, ridges that stand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...base.late_modules import late_modules

if TYPE_CHECKING:
    from . import places as places
    from . import valleys as valleys
else:
    __getattr__ = late_modules(__name__)
