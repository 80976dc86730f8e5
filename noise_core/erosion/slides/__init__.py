# SPDX-License-Identifier: GPL-3.0-or-later
"""Loose ground that slides, and its balance."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...base.late_modules import late_modules

if TYPE_CHECKING:
    from . import balancing as balancing
    from . import talus as talus
else:
    __getattr__ = late_modules(__name__)
