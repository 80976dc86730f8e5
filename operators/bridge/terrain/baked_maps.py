# SPDX-License-Identifier: GPL-3.0-or-later
"""Maps of a mesh as a product: attributes, vertex groups and images of its present state."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import bpy
import numpy as np

from ....noise_core.base.errors import Message, TerraneError
from ..datablocks import meshes
from ..datablocks.editing import MeshGuard
from ..tasks.product import Product
from . import baking, catalog, map_images, map_layers
from .baking import Storable
from .catalog import NONE

if TYPE_CHECKING:
    from ....noise_core.base.blocks import Cancel, Progress
    from ..datablocks.meshes import Positions
    from ..tasks.jobs import Work
    from ..tasks.steps import Steps
    from .map_images import Limits


@dataclass(frozen=True)
class MapsRequest:
    """Maps of a mesh, by name, and the forms in which they are stored."""

    maps: frozenset[str]
    channels: tuple[str, ...]
    """Maps in the channels of the splat map; all `NONE` for the first that fit, none without a splat map."""
    limits: Limits | None
    """See `map_images.unit_values`."""
    as_attributes: bool
    as_groups: bool
    as_images: bool
    guard: MeshGuard = field(repr=False)
    positions: Positions = field(repr=False, compare=False)
    """The mesh's `meshes.present_positions`."""

    @property
    def names(self) -> frozenset[str]:
        """All maps that are needed."""
        return (self.maps | {*self.channels}) - {NONE}

    def choose_channels(self, fields: Any) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the maps in the channels of the splat map, and those of `maps` that it has no channel for."""
        if set(self.channels) != {NONE}:
            return self.channels, ()
        names = [name for name in catalog.check_names(self.maps) if name in fields]
        fitting = [name for name in names if name in catalog.masks()]
        if not fitting:
            raise TerraneError("A splat map needs at least one map with one number per vertex")
        count = len(self.channels)
        return tuple(fitting[:count]), tuple(fitting[count:])


@dataclass(frozen=True)
class StorableMaps:
    """Finished maps: their stored forms, names that no modifier has made, and names left out of the splat map."""

    stored: Storable
    missing: tuple[str, ...]
    left_out: tuple[str, ...]


class BakedMaps(Product):
    """Maps of a mesh object in its present state; an operator makes them."""

    key = "baked_maps"

    def digest(self, owner: bpy.types.Object, request: MapsRequest) -> str:
        """Return a digest of the vertices and the request."""
        return f"{zlib.crc32(np.ascontiguousarray(request.positions).data)} {super().digest(owner, request)}"

    def work(self, owner: bpy.types.Object, request: MapsRequest, side: int | None = None) -> Work:
        """Return the work that gives `StorableMaps`."""
        bake = baking.work(owner, request.names, request.positions)

        def make(progress: Progress, cancel: Cancel) -> StorableMaps:
            baked = bake(progress, cancel)
            missing = tuple(name for name in sorted(request.names) if name not in baked.fields)
            if not baked.fields:
                raise TerraneError("No map to make; only modifiers make: {}", ", ".join(missing))
            channels, left_out = request.choose_channels(baked.fields)
            stored = Storable.of(
                baked,
                request.maps,
                channels,
                request.limits,
                has_attributes=request.as_attributes,
                has_images=request.as_images,
                has_groups=request.as_groups,
            )
            return StorableMaps(stored, missing, left_out)

        return make

    def write(
        self,
        owner: bpy.types.Object,
        request: MapsRequest,
        result: StorableMaps,
        *,
        is_preview: bool = False,
    ) -> Steps[str]:
        """Take the steps that store the maps of an object that is not in Edit Mode."""
        guard, stored = request.guard, result.stored
        guard.check(guard.resolve())
        if stored.groups:
            yield from _store_groups(guard, stored)
        obj = guard.resolve()
        refused: tuple[str, ...] = ()
        if request.as_attributes:
            mesh = meshes.mesh_of(obj)
            refused = map_layers.add(mesh, stored.attributes)
            map_layers.want_more(mesh, stored.attributes)
        for label, packed in stored.images.items():
            map_images.write_image(obj, label, packed)
        return refusal_of(refused)

    def holders(self, owner: bpy.types.Object) -> Sequence[bpy.types.ID]:
        """Return the object, which has the groups and knows the images."""
        return (owner,)


BAKED_MAPS = BakedMaps()


def refusal_of(refused: Sequence[str]) -> str:
    """Return a message about maps that could not be stored; empty if there are none."""
    if not refused:
        return ""
    return Message(
        "Not stored, for other attributes or vertex groups have these names: {}", ", ".join(refused)
    )


def _store_groups(guard: MeshGuard, stored: Storable) -> Steps[None]:
    """Take the steps that make vertex groups."""
    obj = guard.resolve()
    # Blender makes no attribute with the name of a vertex group: reserve attributes first.
    new = map_layers.reserve(meshes.mesh_of(obj), stored.attributes)
    try:
        yield from baking.write_groups(bpy.context, obj, stored.groups)
        new = ()
    finally:
        with suppress(TerraneError):  # the object may have been removed
            map_layers.remove(meshes.mesh_of(guard.owner.resolve()), new)
    guard.check(guard.resolve())
