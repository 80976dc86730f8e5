# SPDX-License-Identifier: GPL-3.0-or-later
"""Layers named *Sculpted Change*: rasters of heights in meters that are added to the ground, and grow with each change.

Sculpting and strokes of brushes are kept in the same kind of layer, as `stored_heights` says.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np

from ....noise_core.base.arrays import Field
from ....noise_core.base.errors import TerraneError
from ....noise_core.base.grid import Grid
from ....noise_core.noises.raster import Raster
from ....noise_core.recipes.layers import NoiseLayer, flatten
from ....noise_core.recipes.recipe import Recipe
from ..datablocks import images
from ..datablocks.linked import is_writable
from ..datablocks.ref import Ref
from ..schema import layer_list, layer_values, layers, settings, state, stored_heights
from ..schema.painting import BASIS_PIXELS
from ..schema.stored_heights import StoredHeights

NAME = "Sculpted Change"

_LEAST = 1.0
"""Meters that white stands for, at least."""


@dataclass(frozen=True)
class ChangeLayer:
    """The layer that a change belongs to.

    Attributes
    ----------
    place : int
        In the list of layers; -1 for a new layer at its end.
    layer : NoiseLayer or None
        As it is; None if it is new.
    height : float
        Meters that a value of 1 stands for.
    """

    place: int = -1
    layer: NoiseLayer | None = None
    height: float = _LEAST

    @property
    def opacity(self) -> float:
        """Share of the change that is seen."""
        return 1.0 if self.layer is None else self.layer.opacity

    @classmethod
    def find(cls, group: Any, recipe: Recipe) -> ChangeLayer:
        """Return the layer that the next change belongs to: the active one, or the last that can hold it.

        Raises a TerraneError if it does not act.
        """
        entries, active = layer_list.entries(group), layer_list.active_place(group)
        flat = list(flatten(recipe.layers))
        order = [active, *reversed(range(len(entries)))]
        place = next((place for place in order if place > 0 and _can_hold(*flat[place])), -1)
        if place < 0:
            return cls()
        layer: Any = flat[place][1]
        if settings.states(group)[place].is_muted or layer.muted or layer.opacity == 0.0:
            raise TerraneError("{} is hidden: show the layer first", entries[place].name)
        return cls(place, layer, layer.height or recipe.height)

    def add(self, terrain: bpy.types.Object, change: Field, grid: Grid) -> None:
        """Add a change in meters, at the samples of a grid, to the layer of a terrain, which is the active one afterwards."""
        values = self._sum(change, grid)
        highest = float(np.abs(values).max())
        height = max(self.height, _LEAST)
        while height < highest:  # by twice as much, so that values before are rounded little
            height *= 2.0
        packed = StoredHeights.of(values, height).content()
        group = getattr(terrain, state.PROPERTY)
        if self.layer is None:
            add_layer(terrain, packed, height, is_seamless=grid.wrap)
            return
        entry = layer_list.entries(group)[self.place]
        if height != self.height:
            entry.height = height
        _write_pixels(entry, packed, f"{terrain.name} {entry.name}")
        layer_list.choose(group, self.place)

    def _sum(self, change: Field, grid: Grid) -> Field:
        """Return all changes in meters, on the finer of the two grids: that of the layer or that of the change."""
        if self.layer is None:
            return change
        raster: Any = self.layer.noise
        if raster.pixels.shape == change.shape:
            return raster.pixels * np.float32(self.height) + change
        if raster.pixels.shape[1] < change.shape[1]:
            return raster.sample_grid(grid, 0) * np.float32(self.height) + change
        rows, columns = raster.pixels.shape
        finer = Grid(rows, columns, wrap=grid.wrap, size=grid.size)
        upsampled = dataclasses.replace(raster, pixels=change).sample_grid(finer, 0)
        return raster.pixels * np.float32(self.height) + upsampled


def _can_hold(depth: int, layer: Any) -> bool:
    """Return whether changes can be added to a layer: the pixels of a raster that is added to the ground."""
    is_added = isinstance(layer, NoiseLayer) and layer.mode == "add" and depth == 0
    return is_added and type(layer.noise) is Raster and layer.noise.edge != "mirror"


def _write_pixels(entry: Any, packed: images.Content, name: str) -> None:
    """Replace the pixels of a layer; those of an image that others use stay, and the layer gets a new one."""
    held = dict(layers.state_of(entry).pictures).get(BASIS_PIXELS, 0)
    image: Any = Ref("IMAGE", held, "").find()
    is_alone = image is not None and image.users - image.use_fake_user <= 1
    if is_alone and is_writable(image) and images.can_be_packed(image):
        images.write_content(image, packed)
        return
    created = images.create_packed_image(name, packed)
    layer, layer_state = layer_values.read_entry(entry), layers.state_of(entry)
    others = (pair for pair in layer_state.pictures if pair[0] != BASIS_PIXELS)
    pictures = ((BASIS_PIXELS, Ref.of(created).uid), *others)
    layer_values.write_entry(entry, layer, dataclasses.replace(layer_state, pictures=pictures))


def add_layer(
    terrain: bpy.types.Object, packed: images.Content, height: float, *, is_seamless: bool
) -> None:
    """Add a change as a new layer on top of a terrain's layers, which becomes the active one."""
    group = getattr(terrain, state.PROPERTY)
    recipe, entries = settings.read(group), layer_list.entries(group)
    edge = "repeat" if is_seamless else "clamp"
    name, noise = layer_list.free_name(NAME, layer_list.names(group)), Raster(edge=edge)
    layer = NoiseLayer(name=name, noise=noise, mode="add", height=height)
    dataclasses.replace(recipe, layers=(*recipe.layers, layer))  # raises if they are too many
    is_solo = any(entry.solo for entry in entries)
    layer_state = stored_heights.new_state(f"{terrain.name} {name}", packed, is_solo=is_solo)
    layer_values.write_entry(entries.add(), layer, layer_state)
    layer_list.choose(group, len(entries) - 1)
