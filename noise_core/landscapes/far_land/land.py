# SPDX-License-Identifier: GPL-3.0-or-later
"""Land around a terrain: the recipe goes on outside, on few samples, and meets the finished heights.

A recipe is the same land at any place, so the land outside is known, but for erosion: that works on one
coarse grid over all of it. The difference at the terrain's own border is added, fading out.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from ...base.arrays import Field
from ...base.blocks import Cancel, Progress, cancellable, checkpoint
from ...base.grid import Grid
from ...recipes.recipe import Recipe
from . import border
from .border import FinishedTerrain
from .rings import REACH, FieldExtent, LandRings

BLEND = 0.3
"""Widths of the terrain over which its border fades into the land outside."""

_SAMPLES = 51
"""Samples of the coarse grid along the terrain's longer side: 257 in all, by eye and by its 0.1 s."""

_STRETCHED = 1.6
"""Factor by which the relief of the coarse land is changed at most, to be that of the terrain."""

_ANOTHER = 0.5
"""Standard deviations of the terrain's heights by which another land lies higher at the border."""

_NEAR = 64.0
"""Tiles from the origin within which float32 places every sample of noise well enough."""

_READ_WATER = ("lake", "river")
"""Maps of what is water: there is none outside but the sea."""

_FLOW = (0.165, 0.602)
"""What `flow` is on the coarse grid where one sample drains, and by how much more where as much as the
terrain: logarithms of shares of all of it, see `flow_scale`."""

MakeMaps = Callable[[Mapping[str, Field], Field, Grid], Mapping[str, Field]]
"""Return the maps of a relief: of those that its modifiers made, its height and its grid."""


@dataclass(frozen=True)
class FarLand:
    """Land on rings around a terrain.

    Attributes
    ----------
    rings : LandRings
    height : ndarray of shape `rings.shape`, float32
        In meters.
    maps : mapping of str to ndarray of that shape
    coarse : ndarray of shape (rows, columns), float32
        The coarse grid's heights, as they are without the terrain.
    coarse_maps : mapping of str to ndarray of that shape
    grid : Grid
        The coarse grid.
    """

    rings: LandRings
    height: Field
    maps: Mapping[str, Field]
    coarse: Field
    coarse_maps: Mapping[str, Field]
    grid: Grid

    @property
    def extent(self) -> FieldExtent:
        """Area of the coarse grid."""
        return _extent(self.grid)

    def blend(self, near: Field, terrain: FinishedTerrain, far: Field) -> Field:
        """Return values that go from a terrain's own to those of the coarse grid, as the heights do."""
        share = _fade(self.rings, BLEND)
        count = int(np.count_nonzero(share))
        field = self.rings.sample(far, self.extent)
        inner = self.rings.inner(count).sample(near, terrain.extent)
        field[:count] += (inner - field[:count]) * share[:count]
        return field


def coarse_grid(terrain: FinishedTerrain) -> Grid:
    """Return the grid of the land around a terrain, which lies in its middle."""
    depth = terrain.depth
    per_tile = max(round(_SAMPLES / max(depth, 1.0)), 1)
    half = 0.5 + REACH
    columns, rows = (1 + 2 * math.ceil(half * extent * per_tile) for extent in (1.0, depth))
    middle = (terrain.origin[0] + 0.5, terrain.origin[1] + 0.5 * depth)
    origin = tuple(at - 0.5 * (count - 1) / per_tile for at, count in zip(middle, (columns, rows)))
    return Grid(rows, columns, origin=(origin[0], origin[1]), size=terrain.size, per_tile=per_tile)


def far_land(
    terrain: FinishedTerrain,
    recipe: Recipe,
    make_maps: MakeMaps,
    *,
    masks: Mapping[int, Field] | None = None,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> FarLand:
    """Return the land around a terrain.

    Parameters
    ----------
    terrain : FinishedTerrain
    recipe : Recipe
        Of the terrain, with the layers that act.
    make_maps : callable
        Makes those of the terrain's maps that the land is to have; others are 0 outside.
    masks : mapping of int to ndarray, optional
        Painted masks on the terrain's samples, see `Recipe.evaluate`. Outside they have the values of
        the terrain's border.
    progress, cancel : callable, optional
        See `blocks.Progress` and `blocks.Cancel`.

    Raises
    ------
    ParameterError, Cancelled
    """
    grid = coarse_grid(terrain)
    rings = LandRings.around(*terrain.height.shape)
    base = recipe.ground(grid, cancel=cancel)
    outside = {number: _spread(mask, grid, terrain) for number, mask in (masks or {}).items()}
    relief = _use_preview_quality(recipe).evaluate(
        grid, ground=base, masks=outside, progress=progress, cancel=cancel
    )
    base *= np.float32(recipe.height)
    lake = relief.maps.get("lake")
    # Lakes are plains here: no water lies in them. Under masks hollows are no lakes.
    coarse = relief.height if lake is None or outside else relief.height + lake
    with cancellable(cancel):
        if recipe.needs_grid:
            coarse = _fit(coarse, terrain, _extent(grid))
        height = _heights(rings, terrain, recipe, coarse, base, grid)
        checkpoint()
        coarse_maps = make_maps(relief.maps, coarse, grid)
        far = {name: _far_map(name, coarse_maps.get(name), grid) for name in terrain.maps}
        land = FarLand(rings, height, {}, coarse, far, grid)
        maps = {name: _map(land, terrain, name) for name in far}
    return dataclasses.replace(land, maps=maps)


def _fit(coarse: Field, terrain: FinishedTerrain, extent: FieldExtent) -> Field:
    """Return the coarse land at the height of the terrain's border, with its relief, if it is another land.

    Mountains that grow begin from a plain of their own, and are as high as the whole grid lets them: on
    it they stand higher. Other heights are the recipe's, as is the sea among them. They stay.
    """
    under = border.resample_coarse(terrain, coarse, extent)
    spread, deviation = float(coarse.std()), float(terrain.height.std())
    # Middle ones: a side that was raised by hand does not raise all the land.
    target, present = (
        float(np.median(np.concatenate((field[0], field[-1], field[:, 0], field[:, -1]))))
        for field in (terrain.height, under)
    )
    if spread == 0.0 or present - target <= _ANOTHER * deviation:
        return coarse
    scale = min(max(deviation / spread, 1.0 / _STRETCHED), _STRETCHED)
    fitted: Field = coarse * np.float32(scale)
    fitted += np.float32(target - scale * present)
    return fitted


def _heights(
    rings: LandRings,
    terrain: FinishedTerrain,
    recipe: Recipe,
    coarse: Field,
    base: Field,
    grid: Grid,
) -> Field:
    """Return the heights on the rings: see the module's text."""
    extent, share = _extent(grid), _fade(rings, BLEND)
    height = rings.sample(coarse, extent, is_smooth=True)
    # What is finer than the coarse grid is noise, as the recipe has it.
    kept = (np.float32(1.0) - share) * _detail(rings, recipe, grid)
    if kept.any():
        fine = rings.inner(1 + int(np.flatnonzero(kept)[-1]))
        detail = _noise(fine, terrain, recipe)
        detail -= fine.sample(base, extent, is_smooth=True)
        height[: len(fine.scales)] += detail * kept[: len(fine.scales)]
    near = rings.inner(int(np.count_nonzero(share)))
    inside = border.difference(near, terrain, coarse, extent)
    height[: len(near.scales)] += inside * share[: len(near.scales)]
    return height


def _detail(rings: LandRings, recipe: Recipe, grid: Grid) -> Field:
    """Return how much of the noise between the samples of the coarse grid each ring shows: shape (rings, 1).

    Noise alone is known everywhere. Eroded land has none where rings are as coarse as the grid: it would
    be single bumps.
    """
    if not recipe.needs_grid:
        return np.ones((len(rings.scales), 1), np.float32)
    finer = max(rings.cells) / rings.scales / (max(grid.shape) - 1) * (1.0 + 2.0 * REACH)
    return np.clip(finer - 1.0, 0.0, 1.0).astype(np.float32)[:, np.newaxis]


def _noise(rings: LandRings, terrain: FinishedTerrain, recipe: Recipe) -> Field:
    """Return the part of a recipe that is known at any place, in meters."""
    middle = (terrain.origin[0] + 0.5, terrain.origin[1] + 0.5 * terrain.depth)
    points = rings.points() + np.array(middle)
    if max(abs(coordinate) for coordinate in middle) < _NEAR:
        points = points.astype(np.float32)
    height: Field = recipe.noise.sample(points, recipe.seed) * np.float32(recipe.height)
    return height


def _far_map(name: str, coarse: Field | None, grid: Grid) -> Field:
    """Return a map on the coarse grid as it is on a terrain: 0 where there is none."""
    if coarse is None or coarse.shape != grid.shape or name in _READ_WATER:
        return np.zeros(grid.shape, np.float32)
    if name != "flow":
        return coarse
    scaled = (coarse - np.float32(_FLOW[0])) * np.float32(1.0 / _FLOW[1])
    clipped: Field = np.clip(scaled, np.float32(0.0), np.float32(1.0))
    return clipped


def _map(land: FarLand, terrain: FinishedTerrain, name: str) -> Field:
    """Return a map on the rings: the terrain's fades out, and that of the coarse land in."""
    field = land.blend(terrain.maps[name], terrain, land.coarse_maps[name])
    if name in _READ_WATER:
        field *= _fade(land.rings, 0.2 * BLEND)
    return field


def _fade(rings: LandRings, reach: float) -> Field:
    """Return 1 at the border, 0 from a distance on, and a smooth step between: shape (rings, 1)."""
    t = np.clip(1.0 - rings.away / reach, 0.0, 1.0)
    smooth = t * t * t * (t * (t * 6.0 - 15.0) + 10.0)
    return smooth.astype(np.float32)[:, np.newaxis]


def _extent(grid: Grid) -> FieldExtent:
    steps = 2.0 * grid.steps_per_tile
    return FieldExtent((grid.columns - 1) / steps, (grid.rows - 1) / steps)


def _spread(mask: Field, grid: Grid, terrain: FinishedTerrain) -> Field:
    """Return a mask of a terrain on the coarse grid."""
    extent = _extent(grid)
    numbers = []
    for half, near, count, samples in (
        (extent.y, terrain.extent.y, grid.rows, mask.shape[0]),
        (extent.x, terrain.extent.x, grid.columns, mask.shape[1]),
    ):
        share = (np.linspace(-half, half, count) + near) * (0.5 / near)
        numbers.append(np.rint(np.clip(share, 0.0, 1.0) * (samples - 1)).astype(np.intp))
    return np.ascontiguousarray(mask[np.ix_(*numbers)])


def _use_preview_quality(recipe: Recipe) -> Recipe:
    """Return a recipe whose layers take the fewest steps that they offer: far land is seen from afar."""
    layers = tuple(layer.at_low_quality() for layer in recipe.bound_layers)
    return dataclasses.replace(recipe, layers=layers, curves={})
