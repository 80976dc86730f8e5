# SPDX-License-Identifier: GPL-3.0-or-later
"""Evaluation of a terrain's heights and maps outside of Blender's main thread."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from ....noise_core.base.arrays import Field
from ....noise_core.base.blocks import Cancel, Progress, part_of
from ....noise_core.base.errors import Cancelled
from ....noise_core.base.grid import Grid
from ....noise_core.modifiers.bases.modifier import Modifier, Relief
from ....noise_core.recipes.recipe import Recipe
from ..datablocks.ground import vertex_field, vertex_grid
from ..tasks.jobs import Work
from . import catalog
from .user_mesh.heights import UserMeshHeights

RECIPE_SHARE = 0.9
"""Share of the progress for the recipe; the maps have the rest."""


@dataclass(frozen=True)
class Evaluated:
    """Heights and maps by name, on the grid of a mesh, with the number of the painted masks.

    Heights are in meters, in the order of rows, unless a user's mesh became a terrain; see `on_vertices`.
    """

    grid: Grid
    height: Field
    maps: Mapping[str, Field]
    painted: int | None = None


_LARGEST = 1 << 24
"""Most samples of a cached ground: 64 MB."""

_KEPT = 2
"""Number of cached grounds: a preview and a full one."""

_grounds: dict[tuple[object, ...], Field] = {}
"""Cached noise on grids, the newest last; a change of the height alone does not evaluate it again."""


def relief(
    recipe: Recipe, grid: Grid, masks: Mapping[int, Field], progress: Progress, cancel: Cancel
) -> Relief:
    """Evaluate a recipe as `Recipe.evaluate` does; its noise only if it is not cached for this grid."""
    key = (recipe.noise, recipe.seed, grid)
    ground = _grounds.get(key)
    if ground is None:
        count = len(recipe.layers_on_grid)
        first = part_of(progress, 0.0, 1.0 / (1 + count)) if count else progress
        ground = recipe.ground(grid, progress=first, cancel=cancel)
        if ground.size <= _LARGEST:
            _grounds[key] = ground
            for old in list(_grounds)[:-_KEPT]:
                _grounds.pop(old, None)  # another thread may have stored it first
    elif cancel():
        raise Cancelled("the terrain is not needed any more")
    return recipe.evaluate(grid, ground=ground, masks=masks, progress=progress, cancel=cancel)


def known_ground(recipe: Recipe, grid: Grid) -> Field | None:
    """Return the cached noise of a recipe on a grid if the recipe's height only scales it, else None.

    Modifiers work on heights in meters, and some layers have a height in meters: they do not scale.
    """
    taller = dataclasses.replace(recipe, height=2.0 * recipe.height + 1.0)
    if recipe.needs_grid or taller.noise != recipe.noise:
        return None
    return _grounds.get((recipe.noise, recipe.seed, grid))


def work(
    recipe: Recipe,
    grid: Grid,
    masks: Mapping[int, Field],
    names: Collection[str],
    painted: int | None = None,
    user_mesh: UserMeshHeights | None = None,
    *,
    is_live: bool = False,
) -> Work:
    """Return the work that gives an `Evaluated`, for the vertices of a mesh.

    The grid is that of the samples. `masks` and `painted` are the painted masks, by the places of
    their layers, and their `masks.painted_checksum`; for the mesh see `on_vertices`. Live updates, in which
    often only the height changes, use the cache of noise.
    """

    def make(progress: Progress, cancel: Cancel) -> Relief:
        if is_live:
            return relief(recipe, grid, masks, progress, cancel)
        return recipe.evaluate(grid, masks=masks, progress=progress, cancel=cancel)

    with_maps = maps_work(make, grid, names)

    def evaluate(progress: Progress, cancel: Cancel) -> Evaluated:
        evaluated: Evaluated = with_maps(progress, cancel)
        return on_vertices(recipe, grid, evaluated.height, evaluated.maps, user_mesh, painted)

    return evaluate


def on_vertices(
    recipe: Recipe,
    grid: Grid,
    height: Field,
    maps: Mapping[str, Field],
    user_mesh: UserMeshHeights | None,
    painted: int | None = None,
) -> Evaluated:
    """Return the results of a recipe at the samples of a grid as values of a mesh's vertices.

    A user's mesh that became a terrain has its own rows and columns, heights in its own units, and its own
    order of vertices, in which the raveled values are.
    """
    if user_mesh is None:
        fields = {name: vertex_field(field, grid) for name, field in maps.items()}
        return Evaluated(vertex_grid(grid), vertex_field(height, grid), fields, painted)
    fields = {name: user_mesh.gather(field, grid) for name, field in maps.items()}
    moved = user_mesh.move(recipe, grid, height)
    return Evaluated(user_mesh.mesh_grid.vertices, moved, fields, painted)


def modifier_work(
    modifier: Modifier,
    heights: Callable[[], Field],
    grid: Grid,
    seed: int,
    mask: Field | None,
    names: Collection[str],
) -> Work:
    """Return the work that gives an `Evaluated` of one modifier; see `Modifier.apply` and `catalog.compute`.

    `heights` returns the heights in meters, of shape (rows, columns); the thread of the work calls it.
    """

    def erode(progress: Progress, cancel: Cancel) -> Relief:
        return modifier.apply(heights(), grid, seed, mask, progress=progress, cancel=cancel)

    return maps_work(erode, grid, names)


def maps_work(
    make: Callable[[Progress, Cancel], Relief], grid: Grid, map_names: Collection[str]
) -> Work:
    """Return the work that gives an `Evaluated` on the grid of the samples: a relief and its maps."""
    names = frozenset(map_names)

    def evaluate(progress: Progress, cancel: Cancel) -> Evaluated:
        relief = make(part_of(progress, 0.0, RECIPE_SHARE), cancel)
        share = part_of(progress, RECIPE_SHARE, 1.0)
        maps = catalog.compute(names, relief.maps, relief.height, grid, share, cancel)
        return Evaluated(grid, relief.height, maps)

    return evaluate
