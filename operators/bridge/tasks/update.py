# SPDX-License-Identifier: GPL-3.0-or-later
"""Updates of products: a request, and what live update must know of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Structure = tuple[Any, ...]
"""Properties that determine the cost of an update."""


@dataclass(frozen=True)
class Update:
    """A request for a product at one moment, with its digest and its cost."""

    request: Any  # holds nothing of Blender's that may be freed
    digest: str = ""  # of the source and the request; empty if the request was not read in full
    structure: Structure = ()
    shape: tuple[int, int] = (1, 1)  # rows and columns of the whole
    is_shown: bool = False  # a preview of this request is shown already
    can_preview: bool = False  # a preview can be written into the existing datablock
    is_costly: bool = False  # the whole takes long to write, however quickly it is computed
    is_light: bool = False  # only values change: nothing of Blender's has to be evaluated for it
    is_provisional: bool = False  # not all settings were read: it is good for a preview only
    instant: Callable[[], Any] | None = None  # computes such a preview from known data, in full

    def samples(self, side: int | None) -> int:
        """Return how many samples the whole has, or a preview with so many along its longer side."""
        whole = self.shape[0] * self.shape[1]
        return whole if side is None else max(1, round(whole * (side / max(self.shape)) ** 2))


known_updates: dict[int, Update] = {}
"""Last update by the UID of its owner, while only seed and height may have changed: see `Product.quick_plan`."""
