# SPDX-License-Identifier: GPL-3.0-or-later
"""Heights and maps of a terrain's recipe, computed outside of Blender's main thread."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from ....noise_core.base.arrays import Field
from ....noise_core.base.blocks import Cancel, Progress
from ....noise_core.base.errors import Cancelled
from ....noise_core.base.grid import Grid
from ....noise_core.recipe import Recipe
from ....noise_core.types.modifier import Relief
from ..tasks.jobs import Work
from . import catalog
from .borders import vertex_field, vertex_grid

RECIPE_SHARE = 0.9
"""Of the progress; the maps get the rest."""


@dataclass(frozen=True)
class Evaluated:
    """Heights in meters and maps by name, on the grid of a mesh; and which painted masks they were made of."""

    grid: Grid
    height: Field
    maps: Mapping[str, Field]
    painted: int | None = None


_LARGEST = 1 << 24
"""Samples of a ground that is kept: 64 MB."""

_KEPT = 2
"""Grounds that are kept: that of a preview and that of the whole."""

_grounds: dict[tuple[object, ...], Field] = {}
"""Noise on a grid, the newest last: while only the height changes it is not evaluated again."""


def relief(
    recipe: Recipe,
    grid: Grid,
    masks: Mapping[int, Field],
    progress: Progress,
    cancel: Cancel,
) -> Relief:
    """Return what a recipe comes to; its noise is evaluated only if it was not known on this grid.

    The parameters are those of `Recipe.evaluate`; the bits are the same.
    """
    key = _ground_key(recipe, grid)
    ground = _grounds.get(key)
    if ground is None:
        others = len(recipe.layers_on_grid)
        first = catalog.part_of(progress, 0.0, 1.0 / (1 + others)) if others else progress
        ground = recipe.ground(grid, progress=first, cancel=cancel)
        if ground.size <= _LARGEST:
            _grounds[key] = ground
            for old in list(_grounds)[:-_KEPT]:
                _grounds.pop(old, None)  # another thread may have been quicker
    elif cancel():
        raise Cancelled("the terrain is not needed any more")
    return recipe.evaluate(grid, ground=ground, masks=masks, progress=progress, cancel=cancel)


def known_ground(recipe: Recipe, grid: Grid) -> Field | None:
    """Return the noise of a recipe on a grid if it is known, and its height only scales that.

    Modifiers see heights in meters: what they do does not scale.
    """
    if recipe.needs_grid:
        return None
    return _grounds.get(_ground_key(recipe, grid))


def _ground_key(recipe: Recipe, grid: Grid) -> tuple[object, ...]:
    return (recipe.noise, recipe.seed, grid)


def work(
    recipe: Recipe,
    grid: Grid,
    masks: Mapping[int, Field],
    wanted: Collection[str],
    painted: int | None = None,
    *,
    is_live: bool = False,
) -> Work:
    """Return the work that gives an `Evaluated`, for the vertices of a mesh.

    Parameters
    ----------
    recipe : Recipe
        The terrain's.
    grid : Grid
        Where its samples lie; see `borders.py`.
    masks : mapping of int to ndarray of shape (rows, columns)
        Where each modifier acts, by its place.
    wanted : collection of str
        Names of maps; see `catalog.computed`.
    painted : int, optional
        Stands for the masks that were painted: `masks.painted_checksum`.
    is_live : bool
        Use and keep what is known of the noise: the next time only the height may be another.
    """
    names = frozenset(wanted)

    def evaluated(progress: Progress, cancel: Cancel) -> Evaluated:
        whole = catalog.part_of(progress, 0.0, RECIPE_SHARE)
        if is_live:
            own = relief(recipe, grid, masks, whole, cancel)
        else:
            own = recipe.evaluate(grid, masks=masks, progress=whole, cancel=cancel)
        rest = catalog.part_of(progress, RECIPE_SHARE, 1.0)
        maps = catalog.computed(names, own.maps, own.height, grid, rest, cancel)
        at_vertices = {name: vertex_field(field, grid) for name, field in maps.items()}
        height = vertex_field(own.height, grid)
        return Evaluated(vertex_grid(grid), height, at_vertices, painted)

    return evaluated
