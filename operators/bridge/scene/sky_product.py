# SPDX-License-Identifier: GPL-3.0-or-later
"""The sky of a scene as a product."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import bpy

from ....noise_core.base.errors import Message, TerraneError
from ....noise_core.landscapes.scene import Sky
from ..datablocks.ref import Ref
from ..tasks.jobs import Work
from ..tasks.product import Product
from . import hazes, settings, skies


@dataclass(frozen=True)
class SkyRequest:
    """Settings of a sky, and the terrain under its haze."""

    sky: Sky
    terrain: Ref[bpy.types.Object] = field(repr=False)
    is_replacing: bool = field(default=False, repr=False)
    """Whether it takes the place of a world of the user's."""


class SceneSky(Product):
    """World, sun and haze of a scene; an operator makes them."""

    key, owners, collection = skies.KEY, bpy.types.Scene, "scenes"
    is_of = staticmethod(lambda scene: skies.is_ours(scene.world))

    def refusal(self, scene: bpy.types.Scene) -> str:
        """Refuse to take the place of a world of the user's."""
        world = scene.world
        if world is None or skies.is_ours(world) or skies.is_untouched(world):
            return ""
        return Message("World {} is yours: choose Replace to put the sky in its place", world.name)

    def request(self, scene: bpy.types.Scene) -> SkyRequest | None:
        """Return the settings of the scene; None without a sky over a terrain."""
        terrain = hazes.terrain_under(scene.world) if skies.is_ours(scene.world) else None
        sky = Sky(**settings.OF[Sky].read(scene))
        return None if terrain is None else SkyRequest(sky, Ref.of(terrain))

    def work(self, scene: bpy.types.Scene, request: SkyRequest, side: int | None = None) -> Work:
        """Return the work that draws the missing images."""
        self._check(scene, request)
        return skies.work(scene, request.sky)

    def write(
        self,
        scene: bpy.types.Scene,
        request: SkyRequest,
        result: Any,
        *,
        is_preview: bool = False,
    ) -> str:
        """Write the present world again, or another one in place of a former one, which the record keeps."""
        self._check(scene, request)
        skies.write(scene, request.sky, request.terrain.resolve(), result)
        return ""

    def holders(self, scene: bpy.types.Scene) -> Sequence[bpy.types.ID]:
        """Return the world."""
        return () if scene.world is None else (scene.world,)

    def _check(self, scene: bpy.types.Scene, request: SkyRequest) -> None:
        reason = "" if request.is_replacing else self.refusal(scene)
        if reason:
            raise TerraneError(reason)


SKY = SceneSky()
