# SPDX-License-Identifier: GPL-3.0-or-later
"""Sources of values: any window of a land, with the bits of the whole.

A `TiledField` is one. The others compute a window when it is read, so that layers that need no neighbors
cost no files.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Protocol

import numpy as np

from noise_core.base.grid import Grid
from noise_core.modifiers.bases.layer import layer_share
from noise_core.modifiers.bases.modifier import Modifier, Relief
from noise_core.recipes.evaluation import Sampling, lay_over
from noise_core.recipes.folding import Scope
from noise_core.recipes.layers import BlendedLayer
from noise_core.recipes.recipe import Recipe

from ..base.tiling import Window
from .fields import TiledField, Values


class Source(Protocol):
    """Source of windows of a land."""

    def read(self, window: Window, /) -> Values:
        """Return the values of a window within the land."""


@dataclasses.dataclass(frozen=True)
class Place:
    """Recipe and land around a layer.

    Attributes
    ----------
    recipe : Recipe
    grid : Grid
        Of the whole land.
    """

    recipe: Recipe
    grid: Grid

    @property
    def scope(self) -> Scope:
        """The scope of the recipe's layers."""
        return self.recipe.scope

    def part(self, window: Window) -> Grid:
        """Return the grid of a window."""
        return self.grid.window(window.row, window.column, window.rows, window.columns)


@dataclasses.dataclass(frozen=True)
class EvaluatedTiles:
    """The heights of a recipe in which no layer needs neighbors."""

    place: Place

    def read(self, window: Window) -> Values:
        """See `Source.read`."""
        return self.place.recipe.evaluate(self.place.part(window)).height


@dataclasses.dataclass(frozen=True)
class LaidOver:
    """Ground with a noise layer or group laid over it.

    Attributes
    ----------
    place : Place
    ground : Source
    layer : BlendedLayer
        Its masks read no neighbors.
    number : int
        Of the layer in the recipe.
    """

    place: Place
    ground: Source
    layer: BlendedLayer
    number: int

    def read(self, window: Window) -> Values:
        """See `Source.read`."""
        sampling = Sampling(self.place.part(window))
        ground = self.ground.read(window)
        return lay_over(ground, self.layer, self.number, self.place.scope, sampling)


@dataclasses.dataclass(frozen=True)
class Mixed:
    """Result of a modifier with an opacity or a mask: the height, or an amount that the mask scales.

    Attributes
    ----------
    place : Place
    modifier : Modifier
        Its mask reads no neighbors.
    before, after : TiledField
        Heights.
    maps : mapping of str to TiledField
        The map that is read, by its name; none for the height.
    """

    place: Place
    modifier: Modifier
    before: TiledField
    after: TiledField
    maps: Mapping[str, TiledField] = dataclasses.field(default_factory=dict)

    def read(self, window: Window) -> Values:
        """See `Source.read`."""
        scope, modifier = self.place.scope, self.modifier
        original = self.before.read(window)
        context = modifier.mask_context(modifier.seed_in(scope.seed), scope.noises)
        share = layer_share(modifier, original, self.place.part(window), context)
        maps = {name: field.read(window) for name, field in self.maps.items()}
        # A map alone needs no height after: it only sets the share of the map that is kept.
        relief = Relief(original if maps else self.after.read(window), maps)
        mixed = relief if share is None else modifier.mix(original, relief, share)
        return next(iter(mixed.maps.values()), mixed.height)


@dataclasses.dataclass(frozen=True)
class Added:
    """The sum of two amounts."""

    first: Source
    second: Source

    def read(self, window: Window) -> Values:
        """See `Source.read`."""
        return np.add(self.first.read(window), self.second.read(window))


def fields_of(value: object) -> set[TiledField]:
    """Return the fields in files that sources, or mappings and lists of them, read."""
    if isinstance(value, TiledField):
        return {value}
    if isinstance(value, Mapping):
        return fields_of(list(value.values()))
    if isinstance(value, (list, tuple)):
        return {field for item in value for field in fields_of(item)}
    if dataclasses.is_dataclass(value) and not isinstance(value, (type, Recipe, Grid)):
        return fields_of(
            [getattr(value, attribute.name) for attribute in dataclasses.fields(value)]
        )
    return set()
