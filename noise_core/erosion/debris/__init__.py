# SPDX-License-Identifier: GPL-3.0-or-later
"""Debris flows: mud and stones that run down steep gullies and build fans at their mouths."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...base.late_modules import late_modules

if TYPE_CHECKING:
    from . import events as events
    from . import surges as surges
else:
    __getattr__ = late_modules(__name__)
