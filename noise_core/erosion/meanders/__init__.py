# SPDX-License-Identifier: GPL-3.0-or-later
"""Meanders: rivers as curves, how they wander, and the beds and plains that they leave."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...base.late_modules import late_modules

if TYPE_CHECKING:
    from . import bed as bed
    from . import process as process
    from . import rivers as rivers
else:
    __getattr__ = late_modules(__name__)
