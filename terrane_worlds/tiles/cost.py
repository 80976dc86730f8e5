# SPDX-License-Identifier: GPL-3.0-or-later
"""Memory and disk that work on a land needs."""

from __future__ import annotations

import dataclasses


@dataclasses.dataclass(frozen=True)
class Cost:
    """Most memory and disk space of work on a land, so that a build that lacks it is refused beforehand.

    Attributes
    ----------
    worker : float
        Bytes of memory for each sample of a tile.
    caller : float
        Bytes of memory for each sample along the edges of all tiles, where their graphs are joined.
    disk : float
        Bytes of fields for each sample of the land, beside its heights before and after.
    maps : float
        As many more if the maps are wanted that a modifier makes.
    """

    worker: float = 64.0
    caller: float = 0.0
    disk: float = 16.0
    maps: float = 0.0
