# SPDX-License-Identifier: GPL-3.0-or-later
"""Gullies down the slopes of a noise."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from .. import gully_patterns
from ..base import blocks
from ..base.arrays import Field, Points
from ..base.errors import Message, ParameterError
from ..base.grid import Axes
from ..base.params import noise, number
from ..base.plans import POINTS_PER_BLOCK, point_plan, run_in_blocks
from ..gully_patterns import parameters
from ..lattice.hash import MOST_CELLS
from .bases.noise import Noise, noise_type
from .fractal import Fractal
from .perlin import Perlin

if TYPE_CHECKING:
    from ..base.plans import RowPlan
    from ..base.torus import Torus
    from ..gully_patterns.carving import Carving, SlopeBlock
    from ..gully_patterns.cells import CellSet
    from ..gully_patterns.octaves import Coordinate, Directions, GullyOctave, GullyPattern

_CREST = 1.6
"""A source that comes this many times nearer to its bounds than fbm does counts as a crest there."""

_DRAWN_AT_ONCE = POINTS_PER_BLOCK // 4
"""Points drawn together: slopes and waves are more arrays than other noises hold (measured)."""

_SCATTERED_AT_ONCE = 1 << 14
"""Points that lie so far apart that they share no cells: up to some fifty cells each, for all octaves."""


@noise_type("gullies", "Gullies", family="fractal")
class Gullies(Noise):
    """Branching gullies on the slopes of a noise, without a grid.

    Nothing is simulated: the source's slope determines where the gullies run, so that each point
    can be evaluated alone, and neighboring tiles fit.

    Notes
    -----
    The value is that of the source and a change of at most half of `depth` times the sum of
    persistence^n, shifted by `balance`. The source keeps the seed, so that depth 0 is the source
    to the bit. Gullies run in the plane: points have two coordinates.

    On a wrapping grid every octave closes exactly, with a whole number of cells along both periods.

    Points that lie near each other share the work per cell, best of all on a grid. A point
    that lies alone takes some four hundred times as long as a sample of a large grid: it asks for
    the slopes at up to fifty places around it.

    References
    ----------
    Rune Skovbo Johansen (2026). Fast and gorgeous erosion filter.
    https://blog.runevision.com/2026/03/fast-and-gorgeous-erosion-filter.html (the idea; after
    Clay John, 2018, and Felix Westin, 2023)

    Examples
    --------
    >>> import numpy as np
    >>> from noise_core import Grid
    >>> from noise_core.noises import Gullies, Perlin
    >>> hills = Perlin(frequency=2.0)
    >>> cut = Gullies(source=hills, frequency=9.0, depth=0.1)
    >>> grid = Grid(129, 129)
    >>> change = cut.sample_grid(grid, seed=4) - hills.sample_grid(grid, seed=4)

    Gullies roughen the slopes without moving the hills:

    >>> bool(0.0 < np.abs(change).max() < 0.5)
    True
    """

    dimensions: ClassVar[tuple[int, ...]] = (2,)

    source: Noise = noise(
        lambda: Fractal(source=Perlin(frequency=2.0), octaves=3.0, persistence=0.35),
        help="The ground; smooth noise with hills wider than the gullies is best",
    )
    frequency: float = number(
        9.0,
        help="Number of the largest gullies side by side along a tile",
        minimum=1e-4,
        maximum=1e6,
        soft_minimum=1.0,
        soft_maximum=64.0,
        unit="frequency",
        visible_when=("depth", 0.0),
    )
    depth: float = number(
        0.1,
        help="Depth of the largest gullies, relative to half the source's range",
        minimum=0.0,
        maximum=4.0,
        soft_maximum=0.5,
    )
    octaves: float = parameters.octaves()
    persistence: float = parameters.persistence()
    lacunarity: float = parameters.lacunarity()
    branching: float = parameters.branching()
    balance: float = parameters.balance()
    steepness: float = number(
        2.5,
        help="Rise per tile at which gullies have full depth",
        minimum=1e-3,
        maximum=1e6,
        soft_maximum=10.0,
        visible_when=("depth", 0.0),
    )
    crests: float = parameters.crests()

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.finest() > MOST_CELLS:
            raise ParameterError(
                "Gullies.octaves must leave at most {} cells per tile to the finest",
                MOST_CELLS,
                got=Message("{:g} octaves, up to {:g} cells", self.octaves, self.finest()),
            )

    def bounds(self) -> tuple[float, float]:
        """Return those of the source, with all octaves at their highest and their lowest."""
        low, high = self.source.bounds()
        half = 0.5 * self.depth * self._pattern.total()
        return (low + (self.balance - 1.0) * half, high + (self.balance + 1.0) * half)

    def finest(self) -> float:
        """Return how many cells of the last octave, or of the source, lie along a tile."""
        return max(self._pattern.finest(), self.source.finest())

    def values(self, points: Points, seed: int, torus: Torus | None) -> Field:
        """See `Noise.values`."""
        if self.depth == 0.0:
            return self.source.values(points, seed, torus)
        octaves = self._pattern.build_octaves(seed, torus)
        shape = np.broadcast_shapes(*(axis.shape for axis in points))
        x, y = (
            np.broadcast_to(axis, shape).astype(np.float64, copy=False).ravel() for axis in points
        )
        out = np.empty(x.size, np.float32)
        if not out.size:
            return out.reshape(shape)
        ends_x, ends_y = np.array([x.min(), x.max()]), np.array([y.min(), y.max()])
        corners = ends_x[[0, 1, 0, 1]], ends_y[[0, 0, 1, 1]]
        cells = gully_patterns.phases.required_cells_within(
            octaves, *corners, gully_patterns.phases.cell_budget(x.size)
        )
        at_once = _SCATTERED_AT_ONCE if cells is None else x.size
        for start in range(0, x.size, at_once):
            part = slice(start, start + at_once)
            out[part] = self._draw(octaves, (x[part], y[part]), cells, seed, torus)
        return out.reshape(shape)

    def _draw(
        self,
        octaves: Sequence[GullyOctave],
        points: tuple[Coordinate, Coordinate],
        cells: Sequence[CellSet] | None,
        seed: int,
        torus: Torus | None,
    ) -> Field:
        """Return the noise at points, in given cells or in the cells that the points need."""
        x, y = points
        required = gully_patterns.phases.required_cells(octaves, x, y) if cells is None else cells
        tables = gully_patterns.phases.build_tables(
            octaves, required, self._directions(seed, torus), threads=1
        )
        out = np.empty(x.size, np.float32)

        def work(part: slice) -> None:
            value, slopes = self.source.slopes((x[part], y[part]), seed, torus)
            carving = gully_patterns.carving.Carving(value.shape)
            fill = gully_patterns.at_points.filler(octaves, tables, x[part], y[part])
            carving.draw(octaves, fill, self._ground(value, list(slopes)))
            out[part] = self._sum(value, carving)

        run_in_blocks(x.size, 1, work, _DRAWN_AT_ONCE * blocks.job.points_factor)
        return out

    def plan(self, axes: Axes, seed: int) -> RowPlan:
        """See `Noise.plan`: cells are looked up per row and per column."""
        if self.depth == 0.0:
            return self.source.plan(axes, seed)
        octaves = self._pattern.build_octaves(seed, axes.torus)
        drawn = gully_patterns.on_grid.GridCells.build(
            octaves, axes, self._directions(seed, axes.torus), threads=1
        )
        if drawn is None:
            return point_plan(lambda points: self.values(points, seed, axes.torus), axes)
        grid_cells = drawn
        value_plan = self.source.plan(axes, seed)
        slope_plan = self.source.gradient_plan(axes, seed)

        def rows(start: int, stop: int, out: Field) -> None:
            def work(part: slice) -> None:
                first, last = start + part.start, start + part.stop
                value, slopes = out[part], np.empty((2, *out[part].shape), np.float32)
                value_plan(first, last, value)
                slope_plan(first, last, slopes)
                carving = gully_patterns.carving.Carving(value.shape)
                ground = self._ground(value, list(slopes))
                with blocks.short_buffers():
                    carving.draw(octaves, grid_cells.filler(first, last), ground)
                out[part] = self._sum(value, carving)

            run_in_blocks(len(out), out.shape[1], work)

        return rows

    @functools.cached_property
    def _pattern(self) -> GullyPattern:
        return gully_patterns.octaves.GullyPattern(
            frequency=self.frequency,
            octaves=self.octaves,
            persistence=self.persistence,
            lacunarity=self.lacunarity,
            branching=self.branching,
        )

    def _directions(self, seed: int, torus: Torus | None) -> Directions:
        """Return the function that gives the uphill direction of the source."""

        def directions(x: Coordinate, y: Coordinate) -> tuple[Field, Field]:
            _, (right, up) = self.source.slopes((x, y), seed, torus)
            return right.copy(), up.copy()

        return directions

    def _ground(self, value: Field, slopes: Sequence[Field]) -> SlopeBlock:
        """Return the slope block of the source's value and derivatives, which are overwritten."""
        across, up = np.negative(slopes[1]), slopes[0].copy()
        steepness = np.empty_like(value)
        gully_patterns.octaves.normalize(across, up, steepness)
        steepness *= np.float32(1.0 / self.steepness)
        np.minimum(steepness, np.float32(1.0), out=steepness)
        target = value * np.float32(
            _CREST / max(1.0, *(abs(bound) for bound in self.source.bounds()))
        )
        np.clip(target, -1.0, 1.0, out=target)
        target *= np.float32(self.crests)
        return gully_patterns.carving.SlopeBlock((across, up), steepness, target)

    def _sum(self, value: Field, carving: Carving) -> Field:
        change = carving.change
        change += np.float32(self.balance * self._pattern.total())
        change *= np.float32(0.5 * self.depth)
        change += value
        return change
