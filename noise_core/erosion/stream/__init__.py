# SPDX-License-Identifier: GPL-3.0-or-later
"""Stream-power erosion: what one step needs besides the flow tree, and the steps in a row."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...late_modules import late_modules

if not TYPE_CHECKING:  # a checker sees the modules themselves
    __getattr__ = late_modules(__name__)
