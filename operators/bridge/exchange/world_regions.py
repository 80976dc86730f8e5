# SPDX-License-Identifier: GPL-3.0-or-later
"""A region of exported land at full detail, with rings of falling detail around it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np
from mathutils import Vector

from ....noise_core.base.arrays import Field
from ....noise_core.base.blocks import Cancel, Progress, cancellable, part_of
from ....noise_core.base.errors import ParameterError, TerraneError
from ....noise_core.io.elevation_reading.tile_sets import TileSet
from ....noise_core.landscapes.nested_levels import (
    GridLevel,
    LevelMesh,
    level_mesh,
    nested_levels,
    spread,
)
from ..datablocks import materials, meshes, ownership
from ..datablocks.polygons import PolygonMesh
from ..schema import state
from ..tasks.jobs import Work
from . import open_worlds

_AHEAD = 0.35
"""Of a region's width, by which its middle lies before the camera."""

Window = tuple[tuple[int, int], tuple[int, int]]
"""First row and column, and how many of both."""


@dataclass(frozen=True)
class LoadedRegion:
    """A land with a region at full detail, and the types and values of the attributes of its vertices."""

    window: Window
    mesh: PolygonMesh
    attributes: Mapping[str, tuple[str, Field]]


def window_around(
    world: bpy.types.Object, place: Vector, ahead: Vector, name: str, samples: int
) -> Window:
    """Return the window whose middle is at a place in the scene, moved to lie within the land.

    Parameters
    ----------
    world : Object
    place : Vector
    ahead : Vector
        Direction of view from the place, in which the middle is moved; straight down if it is vertical, or 0.
    name : str
        Of the object at the place, for messages.
    samples : int
        Along a side; fewer where the land has no more.

    Raises
    ------
    TerraneError
        If the place is not over the land.
    """
    record, inverse = open_worlds.record_of(world), world.matrix_world.inverted_safe()
    local, towards = inverse @ place, inverse.to_3x3() @ ahead
    flat = Vector((towards.x, towards.y))
    is_level = flat.length > 1e-3 * towards.length
    offset = flat.normalized() * (_AHEAD * samples * is_level)
    first, size = [], []
    for axis, count in ((1, record.rows), (0, record.columns)):
        index = local[axis] / record.spacing + 0.5 * (count - 1)
        if not -0.5 <= index <= count - 0.5:
            raise TerraneError("{} is not over {}: move it there", name, world.name)
        size.append(min(samples, count))
        begin = round(index + offset[axis] - 0.5 * (size[-1] - 1))
        first.append(min(max(begin, 0), count - size[-1]))
    return (first[0], first[1]), (size[0], size[1])


def region_work(world: bpy.types.Object, window: Window) -> Work:
    """Return the work that reads a region and its surroundings: a `LoadedRegion`."""
    record, overview = open_worlds.record_of(world), open_worlds.overview_of(world)
    positions, name = meshes.positions_of(overview), world.name
    present = {
        attribute: (kind, meshes.read_layer(overview, attribute).values)
        for attribute, kind in meshes.smooth_attributes(overview).items()
    }

    def read(progress: Progress, cancel: Cancel) -> LoadedRegion:
        tiles = TileSet.open(record.path)
        if (tiles.rows, tiles.columns, tiles.spacing) != (*record.shape, record.spacing):
            raise ParameterError(
                "{} has other samples than {} was opened with: open the world again",
                *(tiles.path.name, name),
            )
        coarse = record.overview
        if len(positions) != math.prod(coarse.shape):
            raise ParameterError("{} is no longer the overview that was opened", name)
        levels = nested_levels(record.shape, coarse, *window)
        heights = _read_levels(
            tiles, levels[:-1], part_of(progress, 0.0, open_worlds.READING), cancel
        )
        with cancellable(cancel):
            faces = level_mesh(levels)
            count = sum(len(field) for field in heights)
            fine, coarse_ids = np.split(faces.used, [np.searchsorted(faces.used, count)])
            places = record.places(faces.points)
            places[: len(fine), 2] = np.concatenate(heights)[fine]
            places[len(fine) :] = positions[coarse_ids - count]
            attributes = {
                attribute: (kind, _spread(levels, values, faces))
                for attribute, (kind, values) in present.items()
            }
            return LoadedRegion(window, open_worlds.polygons(faces, places), attributes)

    return read


def _read_levels(
    tiles: TileSet, levels: Sequence[GridLevel], progress: Progress, cancel: Cancel
) -> list[Field]:
    """Return the heights of levels, row by row; the time of reading grows with the area."""
    areas = [float(np.ptp(level.rows) * np.ptp(level.columns)) for level in levels]
    ends = np.cumsum([0.0, *areas]) / sum(areas)
    return [
        tiles.read(
            *(level.rows, level.columns),
            *(part_of(progress, float(ends[place]), float(ends[place + 1])), cancel),
        ).reshape(-1)
        for place, level in enumerate(levels)
    ]


def _spread(levels: Sequence[GridLevel], values: Field, faces: LevelMesh) -> Field:
    """Return an attribute of the overview for all vertices."""
    shape = levels[-1].shape
    channels = [spread(levels, channel.reshape(shape))[faces.used] for channel in values.T]
    return np.stack(channels, axis=1)


def write_region(world: bpy.types.Object, region: LoadedRegion) -> None:
    """Let an object show a region instead of its present one."""
    overview, mesh = open_worlds.overview_of(world), meshes.mesh_of(world)
    if not state.has_region(world):
        mesh = bpy.data.meshes.new(f"{world.name} Region")
        materials.copy_materials(overview, mesh)
    region.mesh.write(mesh)
    for name, (kind, values) in region.attributes.items():
        meshes.add_values(mesh, name, kind, values)
    meshes.ActiveLayers.of(overview).restore(mesh)
    window: Any = [*region.window[0], *region.window[1]]
    mesh[state.REGION] = window
    world[state.WORLD] = overview
    world.data = mesh


def remove_region(world: bpy.types.Object) -> None:
    """Let an object show the overview alone, with the materials that it has now."""
    overview, mesh = open_worlds.overview_of(world), meshes.mesh_of(world)
    materials.copy_materials(mesh, overview)
    world.data = overview
    ownership.remove_unused(mesh)
