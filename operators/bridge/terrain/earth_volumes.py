# SPDX-License-Identifier: GPL-3.0-or-later
"""Volumes of the earthworks of paths when a terrain was last evaluated; of this session, nothing of them is saved."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy

from ....noise_core.base.errors import Message
from ..datablocks.ref import Ref

if TYPE_CHECKING:
    from ....noise_core.erosion.earthworks.volumes import Volumes

_MOST = 64
"""Number of terrains whose volumes are kept."""

_volumes: dict[int, Volumes] = {}
"""By the session number of the terrain, the newest last."""


def note(terrain: bpy.types.Object, volumes: Volumes | None) -> None:
    """Keep the volumes of a terrain."""
    uid = Ref.of(terrain).uid
    _volumes.pop(uid, None)
    if volumes is not None:
        _volumes[uid] = volumes
    for old in list(_volumes)[:-_MOST]:
        del _volumes[old]


def text(terrain: bpy.types.Object | None) -> str:
    """Return a message about the volumes of a terrain, "" if it has no paths, or they are not known."""
    volumes = None if terrain is None else _volumes.get(Ref.of(terrain).uid)
    if volumes is None:
        return ""
    return Message("Cut {} m³, fill {} m³", f"{volumes.cut:,.0f}", f"{volumes.fill:,.0f}")
