# SPDX-License-Identifier: GPL-3.0-or-later
"""Stages: a modifier or map describes its work, and a runner does it, in memory or in tiles.

Modifiers and maps name what they use of it as `stages.Local`, `stages.climb`; nothing is imported before.
`description` has the kinds of stages, `runner` the base of all runners, `memory` the runner for lands in
memory, and `levelled` the loop from coarse to fine levels. The runner for tiles is in `terrane_worlds`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..base.late_modules import late_modules

if TYPE_CHECKING:
    from . import continuation as continuation
    from .description import Local, Part, Raster, Rounds, StagedRelief, grid_of, whole_source
    from .levelled import Spread, climb, spread
    from .memory import MemoryRunner
    from .runner import Read, Runner, fill

__all__ = [
    "Local",
    "MemoryRunner",
    "Part",
    "Raster",
    "Read",
    "Rounds",
    "Runner",
    "Spread",
    "StagedRelief",
    "climb",
    "fill",
    "grid_of",
    "spread",
    "whole_source",
]

_HOMES = {
    "Local": ".description",
    "MemoryRunner": ".memory",
    "Part": ".description",
    "Raster": ".description",
    "Read": ".runner",
    "Rounds": ".description",
    "Runner": ".runner",
    "Spread": ".levelled",
    "StagedRelief": ".description",
    "climb": ".levelled",
    "fill": ".runner",
    "grid_of": ".description",
    "spread": ".levelled",
    "whole_source": ".description",
}
"""Names that are imported on first use, and the modules that define them."""

if not TYPE_CHECKING:  # a checker sees the imports above
    __getattr__ = late_modules(__name__, _HOMES)
