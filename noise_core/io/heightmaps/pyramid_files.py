# SPDX-License-Identifier: GPL-3.0-or-later
"""Files of a tile pyramid: sampled from a land, written under temporary names, each read back and compared."""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ...base import atomic_files, blocks
from ...base.arrays import Field
from ...base.elementary import smooth_step
from ...base.errors import TerraneError
from ...rasters.level import Level
from ...rasters.taps import interpolate
from ..targets.bases.pyramid import MapTile, Numbers, PyramidPlan
from .file_tile import FileSet
from .lands import ExportedLand
from .lazy_heights import Heights, restrict_heights


@dataclass
class PyramidFiles(FileSet):
    """The tiles of a land in a folder, with the file that lists them.

    Attributes
    ----------
    plan : PyramidPlan
    folder : Path
        That the tiles' folders lie in; its name is the land's.
    between_samples : float
        Once they are written: how far a client that interpolates between the samples of the finest tiles may be
        from the smooth ground, in meters.
    """

    plan: PyramidPlan
    folder: Path
    between_samples: float = 0.0

    @property
    def count(self) -> int:
        """See `FileSet.count`."""
        return self.plan.count

    def entries(self) -> Sequence[Mapping[str, object]]:
        """See `FileSet.entries`: the file that lists the tiles."""
        return [{"name": f"{self.folder.name}/{self.listing.name}"}]

    def path(self, tile: MapTile) -> Path:
        """Return the path of a tile."""
        name = f"{tile.row}{self.plan.pyramid.suffix}"
        return self.folder / str(tile.zoom) / str(tile.column) / name

    @property
    def listing(self) -> Path:
        """The file that lists the tiles."""
        return self.folder / self.plan.pyramid.listing

    def paths(self) -> Iterator[Path]:
        """See `FileSet.paths`: the one that lists the tiles last."""
        yield from map(self.path, self.plan.all_tiles())
        yield self.listing

    def write(
        self, land: ExportedLand, parts: Mapping[Path, Path]
    ) -> Iterator[tuple[float, float]]:
        """See `FileSet.write`."""
        height, plan = land.relief.height, self.plan
        margin = plan.margin / land.grid.spacing
        sampler = TileSampler(height, margin, Level.from_grid(land.grid))
        zoom = plan.finest
        for tile in plan.all_tiles():
            while zoom > tile.zoom:
                sampler, zoom = sampler.coarser(), zoom - 1
            heights = sampler.heights(*plan.places(tile))
            if tile.zoom == plan.zooms[-1]:
                bent = bend(heights, plan.pyramid.has_triangles)
                self.between_samples = max(self.between_samples, bent)
            yield self._write_and_compare(tile, heights, parts)
        text = json.dumps(plan.pyramid.describe(plan, self.folder.name), indent=2) + "\n"
        atomic_files.write_part(parts[self.listing], text.encode())

    def _write_and_compare(
        self, tile: MapTile, heights: Numbers, parts: Mapping[Path, Path]
    ) -> tuple[float, float]:
        pyramid, bounds, path = self.plan.pyramid, self.plan.tile_bounds(tile), self.path(tile)
        part = parts[path]
        atomic_files.write_part(part, pyramid.write(heights, bounds))
        blocks.checkpoint()
        try:
            with open(part, "rb") as file:
                lost = np.abs(pyramid.read(file, bounds) - heights)
        except (ValueError, struct.error, zlib.error) as error:
            if isinstance(error, TerraneError):
                raise
            raise TerraneError("{}: reads back damaged: {}", path, error) from error
        largest, allowed = float(lost.max()), pyramid.tolerance(heights)
        if not largest <= allowed:  # nor if it is no number
            raise TerraneError("{}: reads back {:g} off: not kept", path, largest)
        return largest, allowed

    def describe(self) -> dict[str, object]:
        """See `FileSet.describe`: the pyramid, and its numbers where they are its own."""
        plan, pyramid = self.plan, self.plan.pyramid
        levels = []
        for zoom in plan.zooms:
            across, along = plan.ranges(zoom)
            levels.append(
                {
                    "zoom": zoom,
                    "columns": [across[0], across[-1]],
                    "rows": [along[0], along[-1]],
                    "tiles": len(across) * len(along),
                }
            )
        description = {
            "folder": self.folder.name,
            "names": "{z}/{x}/{y}" + pyramid.suffix,
            "first_row": "north" if pyramid.scheme.north_first else "south",
            "zoom_of_the_land": plan.finest,
            "levels": levels,
            "land": list(plan.land),
            "bounds": list(plan.bounds),
            "margin": plan.margin,
            "outside": "the land's edge, sinking to 0 over the margin",
            "resampling": "cubic; coarser zooms from means",
            "between_samples_of_tiles": self.between_samples,
        }
        return {**pyramid.meaning(), "pyramid": description}


class TileSampler:
    """A land whose heights are wanted at the places of tiles.

    Between its samples lies a cubic surface (Catmull & Rom 1974). Beyond its border its edge goes on, and
    sinks to 0 over the margin in a smooth step, so that clients, which have 0 where no tile is, show no wall.

    Parameters
    ----------
    height : ndarray or LazyHeights of shape (rows, columns), float32
        A land that is not in memory is read window by window, one for each tile.
    margin : float
        Samples from the land to where the ground is at 0.
    level : Level
        Of the heights.
    shape : tuple of two ints, optional
        Rows and columns that places are counted in; the heights' own if not given.
    """

    def __init__(
        self, height: Heights, margin: float, level: Level, shape: tuple[int, int] | None = None
    ) -> None:
        self._height, self._margin, self._level = height, margin, level
        self._shape = shape or height.shape

    def coarser(self) -> TileSampler:
        """Return the same land with half as many samples along both sides, each the mean of those around it."""
        if min(self._height.shape) < 3:
            return self
        coarse = self._level.coarser()
        half = restrict_heights(self._height, self._level, coarse)
        return TileSampler(half, self._margin, coarse, self._shape)

    def heights(self, rows: Numbers, columns: Numbers) -> Numbers:
        """Return heights in meters.

        Parameters
        ----------
        rows, columns : ndarrays of shapes (n,) and (m,), float64
            Places, in samples of the whole land from its south-west.

        Returns
        -------
        ndarray of shape (n, m), float64
        """
        places = (rows, columns)
        inside = [np.clip(place, 0.0, count - 1) for place, count in zip(places, self._shape)]
        parts = []
        for axis, (count, full) in enumerate(zip(self._shape, self._height.shape)):
            position = inside[axis] * ((full - 1) / (count - 1))
            part, inside[axis] = _around(position, full)
            parts.append(part)
        field: Field = np.asarray(self._height[parts[0], parts[1]])
        for axis in (0, 1):
            field = interpolate(field, inside[axis], axis)
        beyond = [
            place - np.clip(place, 0.0, count - 1) for place, count in zip(places, self._shape)
        ]
        return np.asarray(field * self._presence(*beyond))

    def _presence(self, rows: Numbers, columns: Numbers) -> Numbers:
        """Return the share of the edge's height that is left at a distance from the land, in samples."""
        distance = np.hypot(rows[:, np.newaxis], columns)
        if not self._margin:
            return np.asarray(distance == 0.0, np.float64)
        near: Numbers = np.asarray(1.0 - np.minimum(distance / self._margin, 1.0))
        return smooth_step(near)


def bend(heights: Numbers, has_triangles: bool) -> float:
    """Return how far straight lines between samples may be from a smooth ground through them, in meters.

    An eighth of the second difference along each axis is the error of a parabola, and a quarter of the mixed
    one that of triangles. Half as much again, since the ground may bend more between samples than they show.
    """
    along = np.abs(np.diff(heights, 2, axis=0))[:, 1:-1]
    across = np.abs(np.diff(heights, 2, axis=1))[1:-1]
    mixed = np.abs(np.diff(np.diff(heights, axis=0), axis=1)).max()
    return 1.5 * float((along + across).max() / 8.0 + (mixed / 4.0 if has_triangles else 0.0))


def _around(position: Numbers, count: int) -> tuple[slice, Numbers]:
    """Return which of so many samples an interpolation at some positions needs, and where these lie in them."""
    first = max(int(np.floor(position.min())) - 1, 0)
    last = min(int(np.floor(position.max())) + 2, count - 1)
    return slice(first, last + 1), position - first
