# SPDX-License-Identifier: GPL-3.0-or-later
"""Painted masks for pictures of the settings, read once a gesture.

Reading a vertex group evaluates the mesh, and reading an image copies all of its pixels. Masks do not
change while a slider is dragged, so those read at the beginning of a gesture are used until its end. A
mask that cannot be read without leaving Edit Mode or disturbing a render is left out.
"""

from __future__ import annotations

import time  # noqa: TID251 (how long ago a mask was read decides whether it is read again)
from dataclasses import dataclass
from typing import Any

from ....noise_core.base.arrays import Field
from ....noise_core.base.errors import ParameterError
from ....noise_core.base.grid import Grid
from ..datablocks.ref import Ref
from ..schema import masks, settings
from ..schema.layers import LayerState
from ..tasks.jobs import is_rendering

KEPT = 0.5
"""Seconds without a picture after which a mask is read again: longer than a pause within a gesture."""


@dataclass
class _Kept:
    """A mask as it was read last."""

    used: float
    field: Field


_Key = tuple[int, str, int, Grid]

_kept: dict[_Key, _Kept] = {}


def fields(owner: masks.Owner, source: Any, grid: Grid) -> dict[int, Field]:
    """Return the mask of each layer, by its place, as far as it can be read now.

    Missing masks are left out, and so are masks of a mesh in Edit Mode that were not read before.

    Parameters
    ----------
    owner, source, grid
        See `masks.fields`.
    """
    now = time.perf_counter()
    for key in [one for one, kept in _kept.items() if now - kept.used > KEPT]:
        if not _must_not_read(owner):
            del _kept[key]
    found = {}
    for place, state in enumerate(settings.states(source)):
        if state.mask and not state.is_muted:
            field = _field(owner, state, grid)
            if field is not None:
                found[place] = field
    return found


def forget() -> None:
    """Forget all masks, so that they are read again."""
    _kept.clear()


def _field(owner: masks.Owner, state: LayerState, grid: Grid) -> Field | None:
    key = (0 if owner is None else Ref.of(owner).uid, state.mask, state.mask_image, grid)
    kept = _kept.get(key)
    if kept is None:
        if _must_not_read(owner):
            return None
        try:
            field = masks.field(owner, state.mask, grid, state.name, None, state.mask_image)
            kept = _kept[key] = _Kept(0.0, field)
        except ParameterError:
            return None  # the panel says at the layer that its mask is missing
    kept.used = time.perf_counter()
    return kept.field


def _must_not_read(owner: masks.Owner) -> bool:
    """Return whether reading would leave Edit Mode, or disturb a render."""
    return is_rendering() or getattr(owner, "mode", "OBJECT") == "EDIT"
