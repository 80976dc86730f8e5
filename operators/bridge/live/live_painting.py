# SPDX-License-Identifier: GPL-3.0-or-later
"""Which terrains were painted on, and are no longer: what was painted is no setting, and tells nobody.

Blender has many ways out of its painting modes, so the modes themselves are looked at.
"""

from __future__ import annotations

import bpy

from ....noise_core.errors import TerraneError
from .. import state
from ..recipes import masks, painting
from . import live_targets
from .live_target import Key, Target


class Painting:
    """Terrains in a painting mode."""

    def __init__(self) -> None:
        self._painted: dict[Key, Target] = {}

    def ended(self, active: bpy.types.Object | None) -> list[Target]:
        """Return what has left its painting mode, if masks are painted for it; called at every change.

        Parameters
        ----------
        active : Object or None
            The active object of a view layer: no other is painted.
        """
        if active is not None and _is_painted_on(active) and state.is_terrain(active):
            target = live_targets.target_of(active)
            if target is not None:
                self._painted[target.key] = target
        if not self._painted:
            return []
        found = [(target, target.found()) for target in self._painted.values()]
        over = [(one, owner) for one, owner in found if owner is None or not _is_painted_on(owner)]
        for target, _ in over:
            del self._painted[target.key]
        return [one for one, owner in over if owner is not None and _has_painted_masks(owner)]

    def forget(self) -> None:
        """Know of no painting."""
        self._painted.clear()


def _is_painted_on(thing: bpy.types.Object) -> bool:
    return thing.mode in painting.MODES.values()


def _has_painted_masks(terrain: bpy.types.Object) -> bool:
    try:
        return masks.are_painted(terrain, getattr(terrain, state.PROPERTY))
    except TerraneError:  # settings that cannot be read have none
        return False
