# SPDX-License-Identifier: GPL-3.0-or-later
"""Paths, footprints and stamps on top of a land, done again at the resolution of a detail patch."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection
from dataclasses import dataclass
from typing import cast

import numpy as np

from ..base import blending
from ..base.arrays import Field
from ..base.grid import Grid
from ..curves.named import bind
from ..modifiers.footprint import Footprint
from ..modifiers.path import Path
from ..modifiers.stamp import Stamp
from ..rasters.level import Level
from ..rasters.windows import RasterWindow, linear_surface, smooth_surface
from ..recipes.layers import number_layers
from ..recipes.recipe import Recipe

_LEAST_GROUND = 0.05
"""Share of the ground below a stamp from which its height is known."""

_SAME = 1e-4
"""Share of a landform's height by which the land may differ from it where it is the landform."""


@dataclass(frozen=True)
class Works:
    """Earthworks and stamps on top of a land that a finer part of it shows in more detail.

    Attributes
    ----------
    layers : tuple of Path, Footprint or Stamp
        From bottom to top.
    grid : Grid or None
        Of the land.
    has_all_paths : bool
        Whether there are no paths below them, so that their beds are all beds of the land.
    """

    layers: tuple[Path | Footprint | Stamp, ...] = ()
    grid: Grid | None = None
    has_all_paths: bool = True

    @classmethod
    def of(cls, recipe: Recipe, grid: Grid, painted: Collection[int] = ()) -> Works:
        """Return the highest layers of a recipe that are earthworks or stamps, without masks.

        Parameters
        ----------
        recipe : Recipe
        grid : Grid
            Of the land; one that wraps has no finer part.
        painted : collection of int
            Numbers of layers with masks that are not part of the recipe; see `number_layers`.
        """
        works: list[Path | Footprint | Stamp] = []
        allowed: tuple[type[Path | Footprint | Stamp], ...] = (Path, Footprint, Stamp)
        numbered = () if grid.wrap else reversed(list(number_layers(recipe.layers)))
        is_done, has_all_paths = False, True
        for number, layer in numbered:
            if layer.muted:
                continue
            is_whole = layer.opacity == 1.0 and layer.mask is None and number not in painted
            if not is_done and is_whole and isinstance(layer, allowed):
                works.append(bind(cast("Path | Footprint | Stamp", layer), recipe.curves))
                if isinstance(layer, Stamp):
                    allowed = (Stamp,)  # a path that is laid again would cut into it
                continue
            is_done, has_all_paths = True, has_all_paths and not isinstance(layer, Path)
        return cls(tuple(reversed(works)), grid, has_all_paths)

    def _stamps(self) -> list[Stamp]:
        """Return a stamp for each place of each landform, from bottom to top."""
        return [
            dataclasses.replace(layer, placements=(place,))
            for layer in self.layers
            if isinstance(layer, Stamp)
            for place in layer.placements
        ]

    def shape(self, height: Field, window: RasterWindow, land: Field) -> Field:
        """Return the heights of a window with the earthworks and stamps at its resolution.

        Parameters
        ----------
        height : ndarray of shape window.shape, float32
        window : RasterWindow
        land : ndarray of shape grid.shape, float32
            Heights of the whole land, whose ground beds follow that are not given.
        """
        if not self.layers or self.grid is None:
            return height
        level = _fine_level(Level.from_grid(self.grid), window)
        visible, change = np.ones_like(height), np.zeros_like(height)
        for stamp in reversed(self._stamps()):
            gained, cover = stamp_again(stamp, height, level, window, land, self.grid)
            change += visible * gained
            visible *= 1.0 - cover
        height = height + change
        for layer in self.layers:
            if not isinstance(layer, Stamp):
                height = layer.refine(height, level, land, self.grid)
        return height

    def surfaces(self, window: RasterWindow, land: Field) -> dict[str, Field]:
        """Return the maps bed and road of a window; none if there are no paths, or others below.

        See `shape`.
        """
        paths = [layer for layer in self.layers if isinstance(layer, Path)]
        if not paths or self.grid is None or not self.has_all_paths:
            return {}
        level = _fine_level(Level.from_grid(self.grid), window)
        fields = [path.refine_surface(level, land, self.grid) for path in paths]
        return {name: sum(maps[1:], maps[0]) for name, maps in zip(("bed", "road"), zip(*fields))}


NO_WORKS = Works()
"""Of lands without earthworks and stamps."""


def _fine_level(level: Level, window: RasterWindow) -> Level:
    """Return the samples of a window, as a part of the level with so many more samples."""
    parts, begins = window.parts, []
    for first, shift in zip(level.first, level.shift):
        whole = first * parts + round(shift * parts)
        begins.append((whole, shift * parts - round(shift * parts)))
    fine = dataclasses.replace(
        level,
        rows=(level.rows - 1) * parts + 1,
        columns=(level.columns - 1) * parts + 1,
        step_y=level.step_y / parts,
        step_x=level.step_x / parts,
        first=(begins[0][0], begins[1][0]),
        steps_per_tile=level.steps_per_tile * parts,
        shift=(begins[0][1], begins[1][1]),
    )
    return fine.part(window.rows[0] * parts, window.columns[0] * parts, *window.shape)


def stamp_again(
    stamp: Stamp, height: Field, level: Level, window: RasterWindow, land: Field, grid: Grid
) -> tuple[Field, Field]:
    """Return the change of a window by the detail of a stamp that the samples of its land are too coarse for.

    What the stamp changes on the samples of the land is interpolated, and the difference to what it changes at the
    resolution of the window is taken: where it stands on the ground or replaces it, everywhere within its outline;
    where the higher or the lower of the two counts, where that is the landform.

    Parameters
    ----------
    stamp : Stamp
    height : ndarray of shape window.shape, float32
        Of the window, interpolated.
    level : Level
        Of its samples.
    window : RasterWindow
    land : ndarray of shape grid.shape, float32
    grid : Grid
        Of the land, without wrap.

    Returns
    -------
    two ndarrays of shape window.shape, float32
        The change in meters, and the share by which the stamp covers what lies below it.
    """
    coarse = Level.from_grid(grid)
    if stamp.mode == "mix":
        return _mixed_again(stamp, level, window, land, coarse)
    known, fine = _alone(dataclasses.replace(stamp, mode="add"), level, coarse)
    detail = fine - smooth_surface(known, window)
    if stamp.mode == "add":
        return detail, np.zeros_like(detail)
    share = np.clip(linear_surface(_share_of_landform(stamp, land, coarse), window), 0.0, 1.0)
    # Where the samples of the land show the ground, a peak between them may be higher.
    between = stamp.press(height, level) - height
    return detail * share + between * (1.0 - share), share


def _mixed_again(
    stamp: Stamp, level: Level, window: RasterWindow, land: Field, coarse: Level
) -> tuple[Field, Field]:
    """Return the change and the cover of a stamp that replaces the ground: of a blend that is linear in it."""
    places = tuple(dataclasses.replace(place, z=1.0) for place in stamp.placements)
    white = dataclasses.replace(stamp, pixels=np.zeros_like(stamp.pixels), placements=places)
    (known, fine), (known_cover, cover) = (_alone(each, level, coarse) for each in (stamp, white))
    ground = (land - known) / np.maximum(1.0 - known_cover, np.float32(_LEAST_GROUND))
    more = cover - smooth_surface(known_cover, window)
    return fine - smooth_surface(known, window) - linear_surface(ground, window) * more, cover


def _alone(stamp: Stamp, level: Level, coarse: Level) -> tuple[Field, Field]:
    """Return a stamp on a plain at 0, on the samples of the land and on those of a window."""
    plains = (np.zeros(each.shape, np.float32) for each in (coarse, level))
    known, fine = (stamp.press(plain, each) for plain, each in zip(plains, (coarse, level)))
    return known, fine


def _share_of_landform(stamp: Stamp, land: Field, level: Level) -> Field:
    """Return how far the land is the landform of a stamp, from 0 to 1, sample by sample."""
    is_upper = "max" in stamp.mode
    sign = np.float32(1.0 if is_upper else -1.0)
    scales = [abs(place.scale[2]) for place in stamp.placements]
    rise = max(scales, default=0.0) * stamp.height
    beyond = sign * np.float32(2.0 * (np.ptp(land) + rise)) + np.abs(land).max() * sign
    whole = dataclasses.replace(stamp, mode="max" if is_upper else "min", falloff=0.0)
    landform = whole.press(np.full_like(land, -beyond), level)
    room = 0.5 * stamp.smoothness * stamp.height if stamp.mode in blending.ROUNDED else 0.0
    above = np.maximum(sign * (land - landform), 0.0) - np.float32(_SAME * rise)
    share: Field = 1.0 - np.clip(above / np.float32(max(room, _SAME * rise, 1e-9)), 0.0, 1.0)
    return share
