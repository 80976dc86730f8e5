# SPDX-License-Identifier: GPL-3.0-or-later
"""Gullies down every steep slope, without letting water run."""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from .. import gully_patterns, stages
from ..base import blocks
from ..base.arrays import Field
from ..base.blocks import Progress
from ..base.elementary import tangent_of
from ..base.errors import ParameterError
from ..base.grid import Grid
from ..base.params import number
from ..erosion import gullies
from ..gully_patterns import parameters
from ..lattice.hash import MOST_CELLS
from .bases.modifier import Modifier, Relief, modifier_type

if TYPE_CHECKING:
    from ..erosion.gullies.guide import GuideKnots, GuideRows, GullyGuide
    from ..gully_patterns.octaves import GullyOctave, GullyPattern
    from ..gully_patterns.stripes import Filler
    from ..rasters.level import Level
    from ..stages import Part, Raster, Runner, StagedRelief

_AUTOMATIC = 0.125
"""Spacing of the largest gullies as a share of the width."""

_SAMPLES = 1 << 17
"""Samples drawn together: an array of them takes 512 KB. One thread would like half of that, two would
then wait for each other more often than they gain."""

_IN_CACHE, _HELD = 13e6, 76.0
"""Bytes of what is drawn together, and for each knot at which the ground is smoothed."""


@modifier_type("gully_erosion", "Gully Erosion")
class GullyErosion(Modifier):
    """Branching gullies on all steep slopes, from sharp crests to the valleys.

    Nothing is simulated: each gully is drawn where it belongs, so that a terrain of any size takes
    a moment, and a finer grid shows the same gullies in more detail. Level ground stays as it is.

    Notes
    -----
    Height, width and scale that are all four times as large give heights exactly four times as
    large. Depth goes with the distance of gullies and with how steep the country is, not with the
    terrain's height. Gullies belong to places: moving a seamless terrain together with its grid's
    origin moves them along.

    Gullies run along the slope of a smoothed copy of the terrain, so that they do not stop at each
    stone. A finer grid shows the same gullies in more detail; sizes with fewer than two samples a
    gully are left out, those with fewer than four faded.

    On terrain that streams have shaped already, a `scale` of a twentieth of the width, `roughness` 1
    and `smoothing` 0.5 add detail and leave its valleys as they are.

    References
    ----------
    Rune Skovbo Johansen (2026). Fast and gorgeous erosion filter.
    https://blog.runevision.com/2026/03/fast-and-gorgeous-erosion-filter.html (the idea; after
    Clay John, 2018, and Felix Westin, 2023)

    Examples
    --------
    >>> from noise_core import Grid
    >>> from noise_core.modifiers import GullyErosion
    >>> from noise_core.noises import Perlin
    >>> grid = Grid(129, 129, size=2000.0)
    >>> hills = 400.0 * Perlin(frequency=2.0).sample_grid(grid, seed=3)
    >>> cut = GullyErosion().apply(hills, grid, seed=3)
    >>> sorted(cut.maps)
    ['crease', 'ridge']

    The maps are shares, for the colors of crests and beds:

    >>> bool(cut.maps["ridge"].max() <= 1.0), bool(cut.maps["crease"].min() >= 0.0)
    (True, True)
    """

    makes: ClassVar[Mapping[str, str]] = {
        "ridge": "Crests between gullies, from 0 to 1",
        "crease": "Beds of gullies, from 0 to 1",
    }

    scale: float = number(
        0.0,
        help="Distance between the largest gullies in meters",
        automatic=(1.0 / 8.0, "terrain"),
        minimum=0.0,
        maximum=1e7,
        soft_maximum=2000.0,
        unit="length",
        visible_when=("depth", 0.0),
    )
    depth: float = number(
        0.18,
        help="Depth of the largest gullies, relative to the distance between them",
        minimum=0.0,
        maximum=4.0,
        soft_maximum=0.6,
        unit="factor",
    )
    octaves: float = parameters.octaves()
    persistence: float = parameters.persistence()
    lacunarity: float = parameters.lacunarity()
    branching: float = parameters.branching()
    balance: float = parameters.balance()
    least_slope: float = number(
        3.0,
        help="Minimum slope of gullies, in degrees",
        minimum=0.0,
        maximum=89.0,
        soft_maximum=30.0,
        unit="angle",
        advanced=True,
        visible_when=("depth", 0.0),
    )
    full_slope: float = number(
        22.0,
        help="Slope at which gullies have full depth, in degrees",
        minimum=0.1,
        maximum=89.0,
        soft_minimum=5.0,
        soft_maximum=60.0,
        unit="angle",
        advanced=True,
        visible_when=("depth", 0.0),
    )
    crests: float = parameters.crests()
    smoothing: float = number(
        0.3,
        help="Detail that gullies ignore, relative to the distance between the largest",
        minimum=0.0,
        maximum=2.0,
        soft_maximum=1.0,
        unit="factor",
        visible_when=("depth", 0.0),
    )

    roughness: float = number(
        0.3,
        help="Remaining original detail, finer than the smoothing, where gullies run",
        minimum=0.0,
        maximum=1.0,
        unit="factor",
        visible_when=("depth", 0.0),
    )

    def stages(self, run: Runner, height: Raster, seed: int) -> StagedRelief:
        """Smooth the ground at knots, which each part of the land reads as a whole, and carve."""
        grid = run.grid
        if not self.build_octaves(grid, seed):
            return stages.StagedRelief(
                height, {name: stages.fill(run, name, 0.0) for name in self.makes}
            )
        knots = self.knots(grid)
        level = knots.level
        average = stages.Local("average", knots.average_part, across=knots.source_part, held=4.0)
        around = stages.continuation.widen(run, height, run.level.widen(knots.reach))
        (smooth,) = run.local(average, around, on=level)
        if not run.level.wrap:
            level = level.widen(gullies.guide.BEYOND)
            knots, smooth = knots.widen(level.beyond), stages.continuation.widen(run, smooth, level)
        carve = stages.Local(
            "carve",
            functools.partial(self._carve_part, knots=knots, seed=seed),
            across=stages.whole_source,
            makes=("height", *self.makes),
            held=0.0,
            in_cache=_IN_CACHE + _HELD * level.rows * level.columns,
        )
        result, *maps = run.local(carve, height, smooth)
        run.drop([smooth])
        return stages.StagedRelief(result, dict(zip(self.makes, maps)))

    def _carve_part(
        self,
        target: Level,
        parts: Sequence[Part],
        progress: Progress,
        *,
        knots: GuideKnots,
        seed: int,
    ) -> tuple[Field, ...]:
        height, smooth = (part.values for part in parts)
        relief = self.carve(
            height, stages.grid_of(knots.grid, target), knots, smooth, seed, progress
        )
        return (relief.height, *(relief.maps[name] for name in self.makes))

    def leave(self, height: Field, grid: Grid) -> Relief:
        """Return a relief without gullies, to be written to."""
        maps = {name: np.zeros(grid.shape, np.float32) for name in self.makes}
        return Relief(height.copy(), maps)

    def build_octaves(self, grid: Grid, seed: int) -> tuple[GullyOctave, ...]:
        """Return the octaves of gullies that a land has; none if they have no depth.

        Raises
        ------
        ParameterError
            If it lies too far away to tell their cells apart.
        """
        spacing = self._spacing(grid)
        octaves = self._pattern(grid.width / spacing).build_octaves(
            seed, grid.torus, grid.axes().step
        )
        if not octaves or not self.depth:
            return ()
        _check_reach(octaves, grid)
        return octaves

    def knots(self, grid: Grid) -> GuideKnots:
        """Return the knots at which the ground is smoothed that guides gullies."""
        return gullies.guide.GuideKnots.on(grid, self._spacing(grid), self.smoothing)

    def carve(
        self,
        height: Field,
        grid: Grid,
        knots: GuideKnots,
        smooth: Field,
        seed: int,
        progress: Progress,
    ) -> Relief:
        """Return the carved height of a land or a part of it, with crests and beds.

        Parameters
        ----------
        height : ndarray of shape (rows, columns), float32
            Of the part alone.
        grid : Grid
            Of that shape: the land's, or a window of it.
        knots : GuideKnots
            Of the whole land.
        smooth : ndarray, float32
            The averages of its heights at these knots.
        seed, progress
            See `relief`.
        """
        relief = self.leave(height, grid)
        least, full = tangent_of(self.least_slope), tangent_of(self.full_slope)
        guide = gullies.guide.GullyGuide(knots, smooth, gullies.guide.SlopeRange(least, full))
        self._carve(relief, grid, guide, self.build_octaves(grid, seed), progress)
        return relief

    def _spacing(self, grid: Grid) -> float:
        return self.scale or _AUTOMATIC * grid.width

    def _pattern(self, frequency: float) -> GullyPattern:
        return gully_patterns.octaves.GullyPattern(
            frequency=frequency,
            octaves=self.octaves,
            persistence=self.persistence,
            lacunarity=self.lacunarity,
            branching=self.branching,
        )

    def _carve(
        self,
        relief: Relief,
        grid: Grid,
        guide: GullyGuide,
        octaves: Sequence[GullyOctave],
        progress: Progress,
    ) -> None:
        """Carve the gullies into the height of a relief, and write their lines into its maps."""
        drawn = gully_patterns.on_grid.GridCells.build(octaves, grid.axes(), guide.directions)
        assert drawn is not None  # octaves with more cells than samples are left out
        along = gullies.guide.GuideRows(guide, grid.axes())
        rows = max(1, _SAMPLES // grid.columns)

        def strip(start: int, stop: int) -> None:
            blocks.checkpoint()
            with blocks.short_buffers():
                self._carve_rows(
                    relief, slice(start, stop), guide, along, octaves, drawn.filler(start, stop)
                )

        blocks.run(strip, grid.rows, rows, progress=progress)

    def _carve_rows(
        self,
        relief: Relief,
        rows: slice,
        guide: GullyGuide,
        along: GuideRows,
        octaves: Sequence[GullyOctave],
        fill: Filler,
    ) -> None:
        height = relief.height[rows]
        carving = gully_patterns.carving.Carving(height.shape)
        lines = gully_patterns.carving.GullyLines(height.shape)
        ground = gully_patterns.carving.SlopeBlock.empty(height.shape)
        country = np.empty_like(height)
        scratch, smooth = carving.stripes.first, carving.stripes.second
        along.rows(rows.start, ground, country, scratch)
        ground.target *= np.float32(self.crests)
        carving.draw(octaves, fill, ground, lines)
        change = carving.change
        total = math.fsum(octave.amplitude * octave.visible_share for octave in octaves)
        change += np.float32(self.balance * total)
        change *= np.float32(0.5 * self.depth * guide.spacing)
        along.smooth(rows.start, smooth, scratch)
        smooth -= height
        smooth *= np.float32(1.0 - self.roughness)
        change += smooth
        change *= country
        height += change
        lines.field *= country
        np.maximum(lines.field, np.float32(0.0), out=relief.maps["ridge"][rows])
        np.negative(lines.field, out=lines.field)
        np.maximum(lines.field, np.float32(0.0), out=relief.maps["crease"][rows])


def _check_reach(octaves: Sequence[GullyOctave], grid: Grid) -> None:
    """Raise a ParameterError for grids too far away to tell the cells of their gullies apart.

    Raises
    ------
    ParameterError
        If so.
    """
    axes = grid.axes()
    distance = max(float(np.abs(axis).max()) for axis in (axes.x, axes.y))
    finest = max(
        abs(number) for octave in octaves for row in octave.lattice.matrix for number in row
    )
    if distance * finest > MOST_CELLS:
        raise ParameterError(
            "GullyErosion.apply: grid must lie within {:g} tiles of the origin, where "
            "the finest gullies have {:g} cells per tile",
            MOST_CELLS / finest,
            finest,
            got=f"{distance:g}",
        )
