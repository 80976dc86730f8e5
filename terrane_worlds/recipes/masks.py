# SPDX-License-Identifier: GPL-3.0-or-later
"""Masks of layers whose maps of the ground were made in tiles beforehand."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any, TypeVar, cast

from noise_core.base.arrays import Field
from noise_core.base.declared import declared_type
from noise_core.base.grid import Grid
from noise_core.base.params import Parameter
from noise_core.maps.bases.map import Map
from noise_core.masks.bases.mask import Mask, MaskContext
from noise_core.masks.map_mask import MapMask
from noise_core.modifiers.bases.layer import Layer
from noise_core.recipes.layers import Group

from ..base.tiling import Window
from ..tiles.fields import TiledField

LayerType = TypeVar("LayerType", bound=Layer)


@declared_type
class TiledMapMask(MapMask):
    """A mask by a map of the ground that lies in a field; it reads the window that the grid is."""

    field: TiledField

    def __init__(self, *, field: TiledField, **values: Any) -> None:
        vars(self)["field"] = field  # not declared: no setting
        super().__init__(**values)

    @classmethod
    @functools.cache
    def parameters(cls) -> tuple[Parameter, ...]:
        """Return those of `MapMask`."""
        return MapMask.parameters()

    def values(self, height: Field, grid: Grid, context: MaskContext) -> Field:
        """See `Mask.values`."""
        return self.field.read(Window(*grid.first, *grid.shape))


def ground_maps(layer: Layer) -> Iterator[Map]:
    """Yield the maps that the masks of a layer, and of those in a group, read off the ground."""
    yield from () if layer.mask is None else _maps_in(layer.mask)
    if isinstance(layer, Group):
        for inner in layer.layers:
            if not inner.muted:
                yield from ground_maps(inner)


def _maps_in(mask: Mask) -> Iterator[Map]:
    if isinstance(mask, MapMask):
        yield mask.map
    for inner in mask.inner_masks.values():
        yield from _maps_in(inner)


def with_fields(layer: LayerType, field_of: Callable[[Map], TiledField]) -> LayerType:
    """Return a layer whose masks read fields instead of the ground.

    Parameters
    ----------
    layer : Layer
    field_of : callable
        Returns the field of a map.
    """
    changed: dict[str, object] = {}
    if layer.mask is not None:
        changed["mask"] = _replace_maps(layer.mask, field_of)
    if isinstance(layer, Group):
        changed["layers"] = tuple(with_fields(inner, field_of) for inner in layer.layers)
    return cast("LayerType", layer.with_values(**changed)) if changed else layer


def _replace_maps(mask: Mask, field_of: Callable[[Map], TiledField]) -> Mask:
    if isinstance(mask, MapMask):
        values = {parameter.name: getattr(mask, parameter.name) for parameter in mask.parameters()}
        return TiledMapMask(**values, field=field_of(mask.map))
    inner = {
        name: _replace_maps(inner_mask, field_of) for name, inner_mask in mask.inner_masks.items()
    }
    return cast(Mask, mask.with_values(**inner)) if inner else mask
