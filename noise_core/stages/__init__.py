# SPDX-License-Identifier: GPL-3.0-or-later
"""Stages: a modifier or map describes its work, and a runner does it, in memory or in tiles.

`description` has the kinds of stages, `runner` the base of all runners, `memory` the runner for lands in
memory, and `levelled` the loop from coarse to fine levels. The runner for tiles is in `terrane_worlds`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..base.late_modules import late_modules

if not TYPE_CHECKING:  # a checker sees the modules themselves
    __getattr__ = late_modules(__name__)
