# SPDX-License-Identifier: GPL-3.0-or-later
"""What a terrain's recipe comes to: heights and maps, made away from Blender's main thread."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from ....noise_core.arrays import Field
from ....noise_core.blocks import Cancel, Progress
from ....noise_core.grid import Grid
from ....noise_core.recipe import Recipe
from ..maps import catalog
from ..work.jobs import Work
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


def work(
    recipe: Recipe,
    grid: Grid,
    masks: Mapping[int, Field],
    wanted: Collection[str],
    painted: int | None = None,
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
        Stands for the masks that were painted: `masks.painted`.
    """
    names = frozenset(wanted)

    def evaluated(progress: Progress, cancel: Cancel) -> Evaluated:
        whole = catalog.part_of(progress, 0.0, RECIPE_SHARE)
        relief = recipe.evaluate(grid, masks=masks, progress=whole, cancel=cancel)
        rest = catalog.part_of(progress, RECIPE_SHARE, 1.0)
        maps = catalog.computed(names, relief.maps, relief.height, grid, rest, cancel)
        at_vertices = {name: vertex_field(field, grid) for name, field in maps.items()}
        height = vertex_field(relief.height, grid)
        return Evaluated(vertex_grid(grid), height, at_vertices, painted)

    return evaluated
