# SPDX-License-Identifier: GPL-3.0-or-later
"""Evaluation of a terrain's heights and maps outside of Blender's main thread."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace

from ....noise_core.base.arrays import Field
from ....noise_core.base.blocks import Cancel, Progress, part_of
from ....noise_core.base.errors import Cancelled
from ....noise_core.base.grid import Grid
from ....noise_core.erosion.earthworks.volumes import Volumes
from ....noise_core.flow_routing.water_levels import DRAWN, drawn_depth
from ....noise_core.modifiers.bases.modifier import Modifier, Relief
from ....noise_core.noises.bases.noise import Noise
from ....noise_core.recipes.land_memory import LandMemory
from ....noise_core.recipes.recipe import Recipe
from ..datablocks.ground import vertex_field, vertex_grid
from ..tasks.jobs import Work
from . import catalog
from .layer_times import Seconds, Stopwatch, numbers_in_noise
from .user_mesh.heights import UserMeshHeights

RECIPE_SHARE = 0.9
"""Share of the progress for the recipe; the maps have the rest."""


@dataclass(frozen=True)
class Evaluated:
    """Heights and maps by name, on the grid of a mesh, with the number of the painted masks and the times of layers.

    Heights are in meters, in the order of rows, unless a user's mesh became a terrain; see `on_vertices`.
    """

    grid: Grid
    height: Field
    maps: Mapping[str, Field]
    painted: int | None = None
    seconds: Seconds = field(default_factory=dict)
    volumes: Volumes | None = None
    """Of the earthworks of paths, if there are some."""


_LARGEST = 1 << 24
"""Most samples of a cached ground: 64 MB."""

_KEPT = 2
"""Number of cached grounds: a preview and a full one."""

_grounds: dict[tuple[object, ...], Field] = {}
"""Cached noise on grids, the newest last; a change of the height alone does not evaluate it again."""

_lands: dict[Grid, LandMemory] = {}
"""What live evaluations leave to the next one, as many as `_KEPT`, the newest last: a dragged curve is above erosion."""


def _memory(grid: Grid) -> LandMemory:
    """Return the memory of a grid."""
    memory = _lands.get(grid)
    if memory is None:
        memory = _lands[grid] = LandMemory()
        for old in list(_lands)[:-_KEPT]:
            _lands.pop(old, None)
    return memory


def known_layers(recipe: Recipe, grid: Grid) -> int:
    """Return how many of the first layers the next live evaluation takes from memory."""
    memory = _lands.get(grid)
    known = None if memory is None else memory.find(recipe.bound_layers, recipe.scope, grid)
    return 0 if known is None else len(known.layers)


def relief(
    recipe: Recipe,
    grid: Grid,
    masks: Mapping[int, Field],
    progress: Progress,
    cancel: Cancel,
    stopwatch: Stopwatch | None = None,
) -> Relief:
    """Evaluate a recipe as `Recipe.evaluate` does; its noise only if it is not cached for this grid."""
    stopwatch = stopwatch or Stopwatch()
    count = len(recipe.layers_on_grid)
    first = part_of(progress, 0.0, 1.0 / (1 + count)) if count else progress
    noise, is_cached = recipe.noise, (recipe.noise, recipe.seed, grid) in _grounds
    stopwatch.start()
    ground = sample(noise, recipe.seed, grid, first, cancel)
    if not is_cached:
        stopwatch.finish(numbers_in_noise(recipe))
    stopwatch.start()
    return recipe.evaluate(
        grid,
        ground=ground,
        masks=masks,
        progress=progress,
        cancel=cancel,
        finished=stopwatch.finish,
        memory=_memory(grid),
    )


def sample(noise: Noise, seed: int, grid: Grid, progress: Progress, cancel: Cancel) -> Field:
    """Return a noise on a grid, sampled only if it is not cached."""
    key = (noise, seed, grid)
    field = _grounds.get(key)
    if field is None:
        field = noise.sample_grid(grid, seed, progress=progress, cancel=cancel)
        if field.size <= _LARGEST:
            _grounds[key] = field
            for old in list(_grounds)[:-_KEPT]:
                _grounds.pop(old, None)  # another thread may have stored it first
    elif cancel():
        raise Cancelled("the terrain is not needed any more")
    return field


def known_noise(noise: Noise, seed: int, grid: Grid) -> Field:
    """Return a noise on a grid that is cached; raise a LookupError for another one."""
    return _grounds[noise, seed, grid]


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
    stopwatch = Stopwatch()
    volumes: list[Volumes | None] = [None]

    def make(progress: Progress, cancel: Cancel) -> Relief:
        if is_live:
            made = relief(recipe, grid, masks, progress, cancel, stopwatch)
        else:
            stopwatch.start()
            made = recipe.evaluate(
                grid, masks=masks, progress=progress, cancel=cancel, finished=stopwatch.finish
            )
        volumes[0] = Volumes.of(made.maps, grid)
        return made

    with_maps = maps_work(make, grid, names)

    def evaluate(progress: Progress, cancel: Cancel) -> Evaluated:
        evaluated: Evaluated = with_maps(progress, cancel)
        values = (evaluated.height, evaluated.maps, user_mesh, painted)
        result = on_vertices(recipe, grid, *values)
        return replace(result, seconds=stopwatch.seconds, volumes=volumes[0])

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
        if (
            DRAWN in maps
        ):  # materials show it on the ground that there is now, such as a road across a lake
            maps = {**maps, DRAWN: drawn_depth(relief.height, maps[DRAWN], grid.wrap)}
        return Evaluated(grid, relief.height, maps)

    return evaluate
