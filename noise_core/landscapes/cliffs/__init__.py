# SPDX-License-Identifier: GPL-3.0-or-later
"""Cliffs: a finer mesh of steep ground with beds, joints and overhangs, and fallen blocks below."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...base.late_modules import late_modules

if not TYPE_CHECKING:  # a checker sees the modules themselves
    __getattr__ = late_modules(__name__)
