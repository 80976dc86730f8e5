# SPDX-License-Identifier: GPL-3.0-or-later
"""Modifiers applied to an existing relief, of a mesh or an image."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

import bpy

from ....noise_core.base.arrays import Field
from ....noise_core.base.blocks import Cancel, Progress, cancellable
from ....noise_core.base.grid import Grid
from ....noise_core.types.modifier import Modifier
from ..datablocks.meshes import Positions
from ..datablocks.vertex_groups import Weights
from ..tasks.jobs import Work
from . import before, borders, catalog
from .evaluation import RECIPE_SHARE, Evaluated
from .ground import Ground, LocalHeights, read_mask


@dataclass(frozen=True)
class Eroded:
    """Result of the erosion of a mesh.

    Attributes
    ----------
    before : ndarray of shape (vertices,), float32
        Heights before the erosion, along the mesh's Z axis, in its own units.
    positions : ndarray of shape (vertices, 3), float32
        New positions of the vertices.
    maps : mapping of str to ndarray
        One row of values per vertex, by name.
    gap : float
        Former distance of opposite edges in meters, if they are made to meet.
    """

    before: LocalHeights
    positions: Positions
    maps: Mapping[str, Weights]
    gap: float


def relief_work(
    modifier: Modifier,
    heights: Callable[[], Field],
    grid: Grid,
    seed: int,
    mask: Field | None,
    wanted: Collection[str],
) -> Work:
    """Return the work that gives an `Evaluated`; see `Modifier.apply` and `catalog.compute`.

    `heights` returns the heights in meters, of shape (rows, columns); the thread of the work calls it.
    """
    names = frozenset(wanted)

    def erode(progress: Progress, cancel: Cancel) -> Evaluated:
        whole = catalog.part_of(progress, 0.0, RECIPE_SHARE)
        relief = modifier.apply(heights(), grid, seed, mask, progress=whole, cancel=cancel)
        rest = catalog.part_of(progress, RECIPE_SHARE, 1.0)
        maps = catalog.compute(names, relief.maps, relief.height, grid, rest, cancel)
        return Evaluated(grid, relief.height, maps)

    return erode


def mesh_work(
    thing: bpy.types.Object,
    positions: Positions,
    modifier: Modifier,
    seed: int,
    mask: str,
    start: str,
    wanted: Collection[str],
    *,
    seamless: bool = False,
    tile: tuple[float, float] = (0.0, 0.0),
) -> Work:
    """Return the work that gives an `Eroded`.

    Parameters
    ----------
    thing : Object
        A mesh object, not in Edit Mode.
    positions : ndarray of shape (vertices, 3), float32
        Its present positions: see `meshes.present_positions`.
    modifier, seed
        The modifier to apply, and its seed.
    mask : str
        Name of a vertex group, a float attribute or an image; none if empty.
    start : str
        "present" or "original": see `erosion_settings.START`.
    wanted : collection of str
        Names of maps.
    seamless : bool
        Erode across the borders: the last row and column become those of the first.
    tile : tuple of two floats
        Position of the mesh in an endless land, in meshes to the right and up; random numbers depend on it.

    Raises
    ------
    ParameterError
        If there is no such mask; from the work itself, if the mesh is no grid.
    """
    recognize = Ground.read(thing, positions)
    kept = before.kept_heights(thing) if start == "original" else None
    share = read_mask(thing, mask)

    def erode(progress: Progress, cancel: Cancel) -> Eroded:
        with cancellable(cancel):
            ground = recognize()
        present = positions[:, 2].copy()
        local = present if kept is None else kept
        height = ground.heights(local)
        grid = _eroded_grid(ground.grid, seamless=seamless, tile=tile)
        where = None if share is None else borders.sample_field(share(ground), grid)
        samples = borders.sample_field(height, grid)
        relief = relief_work(modifier, lambda: samples, grid, seed, where, wanted)
        result: Evaluated = relief(progress, cancel)
        fields = {name: borders.vertex_field(one, grid) for name, one in result.maps.items()}
        maps = {name: ground.vertices(ground.own(field)) for name, field in fields.items()}
        moved = positions.copy()
        moved[:, 2] = ground.apply_change(local, height, borders.vertex_field(result.height, grid))
        return Eroded(present, moved, maps, borders.gap(height) if seamless else 0.0)

    return erode


def _eroded_grid(vertices: Grid, *, seamless: bool, tile: tuple[float, float]) -> Grid:
    """Return the grid on which a mesh is eroded; a seamless mesh is the same in every tile."""
    if seamless:
        return borders.sample_grid(vertices, seamless=True)
    across, along = tile
    return dataclasses.replace(vertices, origin=(across, along * vertices.depth))
