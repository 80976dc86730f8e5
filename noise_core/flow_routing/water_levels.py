# SPDX-License-Identifier: GPL-3.0-or-later
"""Levels of the water that stands on finished ground: in lakes, and in the sea."""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ..base.arrays import Field, check_height
from ..base.blocks import Cancel, cancellable
from ..base.errors import ParameterError, format_value
from ..base.grid import Grid, require_size
from ..rasters.connected import label_components
from ..rasters.height_field import HeightField
from ..rasters.level import Level
from .directions import Mask
from .outlets import border
from .routing import fill, route
from .surface_flow import known_brim
from .tree import FlowTree

SHALLOWEST = 0.5
"""Meters; hollows that are nowhere deeper are wet ground."""

_NARROWEST = 0.01
"""Width of the smallest lake as a share of the terrain's."""

_BELOW_BRIM = 0.05
"""Meters below the brim of its hollow from which on a drawn lake has no outlet."""

_NARROWEST_POOL = 0.004
"""The same for one that a river crosses: smaller ones are part of its bed."""


HELD = ("lake", "channel")
"""Maps that say how deep water stands: in lakes that erosion has left, and in bends that rivers have left."""

DRAWN = "pond"
"""The same map for drawn lakes, whose level is the drawn one."""


def held_water(maps: Mapping[str, Field]) -> Field | None:
    """Return how deep water stands by the maps of `HELD` that there are, in meters; None without any."""
    water = [maps[name] for name in HELD if name in maps]
    return functools.reduce(np.maximum, water) if water else None


@dataclass(frozen=True)
class StandingWater:
    """Lakes and the sea, and the flow between them.

    Attributes
    ----------
    levels : ndarray of shape (rows, columns), float32
        Height of the water above every sample, in meters; minus infinity where it is dry. Never below
        the ground.
    tree : FlowTree or None
        Of the rivers, if they were asked for: along the triangles of the mesh.
    shares : ndarray of shape (rows, columns), float64, or None
        Share of all ground that drains through each sample, if rivers were asked for.
    """

    levels: Field
    tree: FlowTree | None = None
    shares: npt.NDArray[np.float64] | None = None


def water_levels(
    height: Field,
    grid: Grid,
    *,
    sea: float | None = None,
    lakes: Field | None = None,
    drawn: Field | None = None,
    rivers: float = 0.0,
    cancel: Cancel | None = None,
) -> Field:
    """Return the height of the water above every sample; see `standing_water`."""
    return standing_water(
        height, grid, sea=sea, lakes=lakes, drawn=drawn, rivers=rivers, cancel=cancel
    ).levels


def standing_water(
    height: Field,
    grid: Grid,
    *,
    sea: float | None = None,
    lakes: Field | None = None,
    drawn: Field | None = None,
    rivers: float = 0.0,
    surface: HeightField | None = None,
    cancel: Cancel | None = None,
) -> StandingWater:
    """Return the lakes and the sea over some ground.

    Lakes stand where erosion has left them, and where a river crosses a hollow. They are as high as
    the ground holds them now: a later layer may have lowered a shore. Drawn lakes have the drawn level, or as
    much of it as the ground holds, however small they are, and cover all lower ground that hangs together
    with them.

    Parameters
    ----------
    height : ndarray of shape (rows, columns), float32
        Of the ground, in meters.
    grid : Grid
        Of the same shape.
    sea : float, optional
        Level of the sea in meters; all lower ground is under it, connected or not.
    lakes : ndarray of shape (rows, columns), float32, optional
        Depth in meters of the lakes that erosion has left; no such lakes if not given.
    drawn : ndarray of shape (rows, columns), float32, optional
        The same of drawn lakes.
    rivers : float
        Share of all ground that the smallest river drains; 0 for none.
    surface : HeightField, optional
        Surface that maps were read off, whose intermediate results are used again. One of another
        ground is not used.
    cancel : callable, optional
        See `blocks.Cancel`.

    Raises
    ------
    ParameterError
        If a shape differs from the grid's, the share is not in [0, 1], or the grid has no size where
        lakes or rivers are wanted.
    """
    ground = check_height(height, grid.shape, "water_levels: height")
    if not 0.0 <= rivers <= 1.0:
        raise ParameterError("water_levels.rivers must be in [0, 1]", got=format_value(rivers))
    was = None if lakes is None else check_height(lakes, grid.shape, "water_levels: lakes")
    has_lakes = was is not None and float(was.max(initial=0.0)) >= SHALLOWEST
    ponds = None if drawn is None else check_height(drawn, grid.shape, "water_levels: drawn")
    has_ponds = ponds is not None and float(ponds.max(initial=0.0)) > 0.0
    if ponds is not None and has_ponds:
        ponds = drawn_depth(ground, ponds, grid.wrap)
    levels = np.full(grid.shape, -np.inf, np.float32)
    is_sea = np.zeros(grid.shape, np.bool_) if sea is None else ground < np.float32(sea)
    if sea is not None:
        levels[is_sea] = sea
    if not (has_lakes or has_ponds or rivers):
        return StandingWater(levels)
    require_size(grid, "water_levels")
    with cancellable(cancel):
        level = Level.from_grid(grid)
        flooded, outlets = _ends(ground, level, sea)
        filled = _known_fill(surface, ground) if outlets is None and not level.wrap else None
        filled = fill(flooded, level, outlets) if filled is None else filled
        if ponds is not None and has_ponds:
            ended = _end_in_drawn(ground, flooded, filled, ponds, level)
            if ended is not None:
                flooded, outlets = ended[0], ended[1] if outlets is None else outlets | ended[1]
                filled = fill(flooded, level, outlets)
        tree, shares = None, None
        if rivers:
            tree = route(flooded, level, outlets, on_triangles=True)
            shares = tree.accumulate().reshape(grid.shape) / ground.size
        depth = np.where(is_sea, np.float32(0.0), filled - ground)
        is_river = None if shares is None else shares >= rivers
        is_lake = _kept_lakes(depth, grid, was, is_river)
    levels[is_lake] = filled[is_lake]
    if ponds is not None and has_ponds:
        _fill_drawn(levels, ground, depth, ponds, grid.wrap)
    return StandingWater(levels, tree, shares)


def _known_fill(surface: HeightField | None, ground: Field) -> Field | None:
    """Return the ground with all its hollows filled, if maps have found that out."""
    if surface is None or surface.level.wrap:
        return None
    is_same = np.array_equal(surface.height.view(np.uint32), ground.view(np.uint32))
    return known_brim(surface) if is_same else None


def _ends(ground: Field, level: Level, sea: float | None) -> tuple[Field, Mask | None]:
    """Return the surface over which water flows, and where it leaves: into the sea, or over the border alone."""
    if sea is None:
        return ground, None
    return np.maximum(ground, np.float32(sea)), border(level) | (ground <= np.float32(sea))


def _kept_lakes(
    depth: Field,
    grid: Grid,
    was: Field | None,
    rivers: npt.NDArray[np.bool_] | None,
) -> npt.NDArray[np.bool_]:
    """Return the mask of hollows that hold a lake: those of erosion, and those that rivers cross."""
    labels, count = label_components(depth > 0.0, grid.wrap)
    is_deep = depth >= np.float32(SHALLOWEST)
    cells = np.bincount(labels.reshape(-1), minlength=count + 1)
    is_kept = np.zeros(count + 1, np.bool_)
    for mask, narrowest in (
        (None if was is None else was >= np.float32(SHALLOWEST), _NARROWEST),
        (rivers, _NARROWEST_POOL),
    ):
        if mask is not None:
            found = np.zeros(count + 1, np.bool_)
            found[labels[mask & is_deep]] = True
            is_kept |= found & (cells >= _round_lake(narrowest, grid))
    is_kept[count] = False
    return is_kept[labels]


def drawn_depth(height: Field, drawn: Field, wrap: bool) -> Field:
    """Return how deep drawn lakes are on the ground that there is now, in meters.

    A later layer may have raised a part of it, as a road across the lake does, or cut into it: the
    level stays that of most of the lake.

    Parameters
    ----------
    height, drawn : ndarray of shape (rows, columns), float32
        The ground now, and the depth of the lakes when they were drawn, in meters.
    wrap : bool
        Whether opposite edges meet.
    """
    labels, count = label_components(drawn > 0.0, wrap)
    depth: Field = _quantile(labels, count, height + drawn, 0.5)[labels] - height
    return np.maximum(depth, np.float32(0.0), out=depth)


def _end_in_drawn(
    ground: Field, flooded: Field, filled: Field, drawn: Field, level: Level
) -> tuple[Field, Mask] | None:
    """Return the surface over which water flows, and where it ends, if drawn lakes are below the brims of their hollows.

    Rivers end there: what flows in does not make the lake higher than it is drawn.
    """
    labels, count = label_components(drawn > 0.0, level.wrap)
    surface = _quantile(labels, count, ground + drawn, 1.0)[labels]
    is_end = (labels < count) & (surface < filled - np.float32(_BELOW_BRIM))
    if not is_end.any():
        return None
    return np.where(is_end, surface, flooded), is_end | border(level)


def _quantile(
    labels: npt.NDArray[np.signedinteger[Any]], count: int, values: Field, share: float
) -> Field:
    """Return a quantile of the values of each label from 0 to count - 1: of them 0.5 is the median, 1 the highest.

    It is minus infinity for one without values, and for the label `count`.
    """
    some = np.flatnonzero(labels < count)
    names, found = labels.take(some), values.take(some)
    numbers = np.bincount(names, minlength=count + 1)
    first = np.cumsum(numbers, dtype=np.intp) - numbers
    ordered = np.append(found[np.lexsort((found, names))], np.float32(-np.inf))
    place = first + (share * (numbers - 1)).astype(np.intp)
    return ordered[np.where(numbers > 0, place, len(some))]


def _fill_drawn(levels: Field, ground: Field, depth: Field, drawn: Field, wrap: bool) -> None:
    """Write the levels of drawn lakes: of a hollow with one, as much is under water as its level reaches.

    `depth` is that of hollows filled to their brims.
    """
    labels, count = label_components(depth > 0.0, wrap)
    is_drawn = drawn > 0.0
    tops = _quantile(np.where(is_drawn, labels, count), count, ground + drawn, 1.0)
    has_pond = np.isfinite(tops)[labels]
    level = np.minimum(tops[labels], ground + depth)
    pools, pool_count = label_components(has_pond & (level > ground), wrap)
    is_kept = np.zeros(pool_count + 1, np.bool_)
    is_kept[pools[is_drawn]] = True
    is_kept[pool_count] = False
    levels[has_pond] = -np.inf
    wet = is_kept[pools]
    levels[wet] = level[wet]


def _round_lake(width: float, grid: Grid) -> float:
    """Return how many samples a round lake has that is so many widths of the terrain wide."""
    return math.pi / 4.0 * (width * grid.width / grid.spacing) ** 2


def spread_levels(levels: Field) -> Field:
    """Return levels that go on by one sample below the shores, so that a mesh of them meets the ground.

    Between two waters it is the lower level that does: the mesh of neither climbs.
    """
    rows, columns = levels.shape
    wet = np.where(np.isfinite(levels), levels, np.float32(np.inf))
    wide = np.pad(wet, 1, constant_values=np.inf)
    lowest = wet
    for row in range(3):
        for column in range(3):
            lowest = np.minimum(lowest, wide[row : row + rows, column : column + columns])
    spread = np.where(np.isfinite(lowest), lowest, np.float32(-np.inf))
    return np.where(np.isfinite(levels), levels, spread)
