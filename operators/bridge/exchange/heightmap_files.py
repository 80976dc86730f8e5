# SPDX-License-Identifier: GPL-3.0-or-later
"""Heightmaps of objects as files: the work that evaluates, writes and reads them back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import bpy

from ....noise_core.base.blocks import Cancel, Progress
from ....noise_core.base.control import Control
from ....noise_core.io.heightmaps.height_range import HeightRange
from ....noise_core.io.heightmaps.lands import PER_SAMPLE
from ....noise_core.io.heightmaps.layout import SUFFIXES, lay_out
from ....noise_core.io.heightmaps.options import ExportOptions
from ....noise_core.io.targets.bases.target import Target
from ..tasks import installed_memory
from ..tasks.jobs import Work
from .exported_lands import FindLand, find_mesh_land, has_own_recipe, terrain_land
from .placements import ObjectLand, PlacedLand, meters_per_unit, placement_of


@dataclass(frozen=True)
class ExportRequest:
    """Files of an export.

    Attributes
    ----------
    path : Path
    target : Target
    columns : int
        Samples of a file along x.
    range_ : str or tuple of two floats
        See `export_heightmap`.
    options : ExportOptions
    """

    path: Path
    target: Target
    columns: int
    range_: HeightRange
    options: ExportOptions

    def shape(self, land: ObjectLand) -> tuple[int, int]:
        """Return the rows and columns of the whole land, all tiles together."""
        tiles = self.options.tiles
        samples = land.shape_of_columns(self.columns, tiles)
        return lay_out(self.path, self.target, samples, tiles).shape


def work(obj: bpy.types.Object, source: str, order: ExportRequest) -> Work:
    """Return the work that writes the files and returns their `ExportReport`.

    Parameters
    ----------
    obj : Object
    source : str
        A key of `exported_lands.SOURCES`.
    order : ExportRequest
    """
    placement = placement_of(bpy.context, obj)
    is_recipe = source == "recipe" or (source == "auto" and has_own_recipe(obj))
    find: FindLand
    if is_recipe:
        terrain = PlacedLand(terrain_land(obj), placement, placement.scale)
        rows, columns = shape = order.shape(terrain)
        installed_memory.require("Export", rows * columns, PER_SAMPLE)
        prepared = terrain.with_masks(shape)
        find = _as_finder(prepared)
    else:
        # Its heights and its width have the object's scale.
        placed = placement.without_scale(meters_per_unit(bpy.context.scene))
        find_mesh = find_mesh_land(obj)
        find = lambda cancel: PlacedLand(find_mesh(cancel), placed, placement.scale)  # noqa: E731

    def write(progress: Progress, cancel: Cancel) -> Any:
        from ....noise_core.io.heightmaps.export import export_heightmap

        land = find(cancel)
        return export_heightmap(
            land,
            order.path,
            target=order.target,
            samples=land.shape_of_columns(order.columns, order.options.tiles),
            range_=order.range_,
            options=order.options,
            control=Control(progress=progress, cancel=cancel),
        )

    return write


def _as_finder(land: ObjectLand) -> Callable[[Cancel], ObjectLand]:
    return lambda cancel: land


def with_suffix(path: str, target: Target) -> str:
    """Return a path whose suffix is the target's, instead of another target's."""
    suffix = target.named_suffix
    if not path or path.lower().endswith(suffix):
        return path
    while ending := next(filter(path.lower().endswith, SUFFIXES), ""):
        path = path[: -len(ending)]
    return path + suffix
