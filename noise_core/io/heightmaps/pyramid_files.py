# SPDX-License-Identifier: GPL-3.0-or-later
"""Files of a tile pyramid: written under temporary names, each read back from the disk and compared."""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ...base import blocks
from ...base.errors import TerraneError
from ...types.level import Level
from ...types.pyramid import MapTile, Numbers, PyramidPlan
from .. import atomic_files
from .lands import ExportedLand
from .tile_sampling import TileSampler, bend


@dataclass
class PyramidFiles:
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

    def path(self, tile: MapTile) -> Path:
        """Return the path of a tile."""
        name = f"{tile.row}{self.plan.pyramid.suffix}"
        return self.folder / str(tile.zoom) / str(tile.column) / name

    @property
    def listing(self) -> Path:
        """The file that lists the tiles."""
        return self.folder / self.plan.pyramid.listing

    def paths(self) -> Iterator[Path]:
        """Yield all files, the one that lists the tiles last."""
        yield from map(self.path, self.plan.all_tiles())
        yield self.listing

    @property
    def count(self) -> int:
        """How many tiles there are."""
        return sum(1 for _ in self.plan.all_tiles())

    def write(self, land: ExportedLand) -> Iterator[tuple[float, float]]:
        """Write and read back all files; yield of each tile how many meters were lost, and how many may be.

        Raises
        ------
        TerraneError
            If a tile does not read back as it should.
        """
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
            yield self._write_and_compare(tile, heights)
        text = json.dumps(plan.pyramid.describe(plan, self.folder.name), indent=2) + "\n"
        atomic_files.write_part(atomic_files.part_of(self.listing), text.encode())

    def _write_and_compare(self, tile: MapTile, heights: Numbers) -> tuple[float, float]:
        pyramid, bounds, path = self.plan.pyramid, self.plan.tile_bounds(tile), self.path(tile)
        part = atomic_files.part_of(path)
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
        """Return what the sidecar says of the pyramid, and of its numbers where they are its own."""
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
        own = {
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
        return {**pyramid.meaning(), "pyramid": own}
