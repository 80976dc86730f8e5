# SPDX-License-Identifier: GPL-3.0-or-later
"""Bent grids in windows: see `noise_core.erosion.stream.bending`."""

from __future__ import annotations

import dataclasses
import functools
from dataclasses import dataclass

from noise_core.erosion.stream.bending import Bend, BendExtent
from noise_core.rasters.level import Level

from ..base.tiling import Tiling, Window
from ..tiles.engine import Engine
from .parts import grow, part


@dataclass(frozen=True)
class TiledBend:
    """A random bend of a whole level, of which any window can be had.

    Attributes
    ----------
    level : Level
    seed : int
    randomness : float
    number : int
        See `Bend.random`.
    extent : BendExtent
        Of the whole level.
    """

    level: Level
    seed: int
    randomness: float
    number: int
    extent: BendExtent

    @classmethod
    def random(
        cls,
        level: Level,
        seed: int,
        randomness: float,
        number: int,
        engine: Engine,
        tiling: Tiling,
    ) -> TiledBend:
        """Return a random bend of a level, measured in tiles."""
        extents = engine.ask("bend", _Measure(level, seed, randomness, number), tiling.tiles)
        extent = engine.solve(
            "bend extent",
            lambda: dataclasses.astuple(functools.reduce(BendExtent.join, extents)),
        )
        return cls(level, seed, randomness, number, BendExtent(*extent))

    def needed(self, want: Window) -> Window:
        """Return the window that a bent or straightened one depends on."""
        return grow(want, self.level, self.extent.reach)

    def on(self, source: Window) -> Bend:
        """Return the bend of a window; its offsets for samples that need no more are those of the whole."""
        window = part(self.level, source)
        return Bend.random(window, self.seed, self.randomness, self.number, self.extent)


@dataclass(frozen=True)
class _Measure:
    """Measures a bend in a tile, and over to the next ones."""

    level: Level
    seed: int
    randomness: float
    number: int

    def __call__(self, tile: Window) -> BendExtent:
        rows = min(tile.rows + 1, self.level.rows - tile.row)
        columns = min(tile.columns + 1, self.level.columns - tile.column)
        wide = Window(tile.row, tile.column, rows, columns)
        return BendExtent.measure(part(self.level, wide), self.seed, self.randomness, self.number)
