# SPDX-License-Identifier: GPL-3.0-or-later
"""Lookup of noise in rendered tables, and the limits of warps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..base.late_modules import late_modules

if TYPE_CHECKING:
    from . import bends as bends
    from . import extent as extent
    from . import lookup as lookup
    from . import moved_copies as moved_copies
    from . import reach as reach
else:
    __getattr__ = late_modules(__name__)
