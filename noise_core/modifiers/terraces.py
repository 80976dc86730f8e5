# SPDX-License-Identifier: GPL-3.0-or-later
"""Steps cut into slopes."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from .. import rasters, stages
from ..base import blocks
from ..base.arrays import Field
from ..base.blocks import Progress
from ..base.grid import Grid
from ..base.params import integer, number
from ..lattice.hash import child_seed
from .bases.modifier import Modifier, modifier_type

if TYPE_CHECKING:
    from ..rasters.level import Level
    from ..stages import Part, Raster, Runner, StagedRelief

_SMOOTHED = 1.0
"""Deviation of the smooth copy that is cut into steps, in steps: bumps would break them up."""

_KEPT = 0.25
"""Share of the bumps that still counts, so that edges are not drawn with a pen."""

_WORN = 0.7
"""Share of the bumps that is levelled where treads are level."""

_SAMPLES = 1 << 16


@modifier_type("terraces", "Terraces")
class Terraces(Modifier):
    """Level steps on slopes, like rice fields and old shorelines.

    Gentle slopes become wide treads with a low riser; the steeper the ground, the less of a
    terrace is left.

    Notes
    -----
    A step goes through Schlick's rational gain curve, which passes from tread to riser without a
    kink: the treads keep 1 - sharpness of the slope. How steep ground is is measured on a smoothed
    copy, on the scale of a terrace, so that small bumps do not break it up.

    References
    ----------
    Christophe Schlick (1994). Fast alternatives to Perlin's bias and gain functions. Graphics
    Gems IV.

    Examples
    --------
    >>> from noise_core import Grid
    >>> from noise_core.maps import slope
    >>> from noise_core.modifiers import Terraces
    >>> from noise_core.noises import Gradient

    Steps of 5 m on an even slope leave most of the ground less steep than before:

    >>> grid = Grid(129, 129, size=400.0)
    >>> hillside = 50.0 * Gradient(shape="linear", falloff=1.0, fade="linear").sample_grid(grid)
    >>> fields = Terraces(spacing=5.0, irregularity=0.0).apply(hillside, grid, seed=1).height
    >>> bool((slope(fields, grid) < slope(hillside, grid)).mean() > 0.5)
    True
    """

    spacing: float = number(
        0.0,
        help="Height of a step in meters",
        automatic="the relief divided by Count",
        minimum=0.0,
        maximum=1e6,
        soft_maximum=100.0,
        unit="length",
        visible_when=("sharpness", 0.0),
    )
    count: int = integer(
        14,
        help="Number of steps from the lowest to the highest ground, with Spacing on Auto",
        minimum=1,
        maximum=1000,
        soft_maximum=50,
    )
    sharpness: float = number(
        0.75,
        help="Flatness of the treads: 0 keeps slopes, 1 makes walls between them",
        minimum=0.0,
        maximum=1.0,
        unit="factor",
    )
    steepest: float = number(
        40.0,
        help="Slope in degrees above which terraces disappear",
        minimum=0.01,
        maximum=89.0,
        unit="angle",
        visible_when=("sharpness", 0.0),
    )
    irregularity: float = number(
        0.35,
        help="Random height of steps along a slope, in steps",
        minimum=0.0,
        maximum=10.0,
        soft_maximum=2.0,
        visible_when=("sharpness", 0.0),
    )

    def stages(self, run: Runner, height: Raster, seed: int) -> StagedRelief:
        """Measure the relief if steps depend on it, and cut them."""
        step = self.spacing
        if not step:
            low, high = run.typical_range(height)
            step = (high - low) / self.count
        if run.holds(not step > 1e-30):
            return stages.StagedRelief(height)
        work = functools.partial(self.cut_steps, grid=run.grid, step=step, seed=seed)
        reach = functools.partial(_around, step=step)
        across = functools.partial(stages.continuation.around, reach=reach)
        stage = stages.Local("steps", work, reach, across=across, held=5.0)
        margin = 1 + rasters.boxes.margin(run.level, _SMOOTHED * step)
        wide = stages.continuation.widen(run, height, run.level.widen(margin))
        (result,) = run.local(stage, wide, on=run.level)
        return stages.StagedRelief(result)

    def cut_steps(
        self,
        target: Level,
        parts: Sequence[Part],
        progress: Progress,
        *,
        grid: Grid,
        step: float,
        seed: int,
    ) -> Field:
        """Return the height of a part of a land with steps, each `step` meters high."""
        ((values, level),) = ((part.values, part.level) for part in parts)
        inner = stages.continuation.within_borders(level, target)
        height, wide = values[inner.within(level)], inner.grow(1, 1)
        smooth = rasters.boxes.blur(values, level, _SMOOTHED * step, target=wide)
        progress(0.3)
        limit = rasters.steepness.rise_over_run(self.steepest)
        steep = rasters.steepness.steepness(smooth, wide)[inner.within(wide)]
        smooth = smooth[inner.within(wide)]
        bent = self._bends(stages.grid_of(grid, target), seed)
        progress(0.6)
        result = np.empty(target.shape, np.float32)

        def cut(start: int, stop: int) -> None:
            rows = slice(start, stop)
            bumps = height[rows] - smooth[rows]
            places = bumps * np.float32(_KEPT)
            places += smooth[rows]
            places *= np.float32(1.0 / step)
            if bent is not None:
                places += bent[rows]
            change = self._step(places)
            change *= np.float32(step)
            bumps *= np.float32(_WORN * self.sharpness)
            change -= bumps
            share = rasters.steepness.smoothstep(steep[rows], limit / 3.0, limit)
            change *= np.subtract(np.float32(1.0), share, out=share)
            np.add(height[rows], change, out=result[rows])

        blocks.run(cut, target.rows, max(1, _SAMPLES // target.columns))
        return result

    def _bends(self, grid: Grid, seed: int) -> Field | None:
        """Return the random offset of each sample, in steps."""
        if self.irregularity == 0.0:
            return None
        from ..noises.fractal import Fractal
        from ..noises.perlin import Perlin

        folds = Fractal(source=Perlin(frequency=4.0), octaves=4.0)
        bends = folds.sample_grid(grid, child_seed(seed, 1))
        bends *= np.float32(2.0 * self.irregularity)
        return bends

    def _step(self, places: Field) -> Field:
        """Return the offsets that turn coordinates within a step into treads."""
        half = np.float32(0.5)
        # -0.5 and 0.5 stand for the middles of two treads, 0 for the riser between them.
        within = places - np.floor(places)
        within -= half
        distance = np.abs(within)
        if self.sharpness < 1.0:
            remainder = half - distance
            distance *= np.float32(2.0 * self.sharpness / (1.0 - self.sharpness))
            distance += np.float32(1.0)
            remainder /= distance
            np.subtract(half, remainder, out=distance)
        else:
            distance[:] = half
        np.copysign(distance, within, out=distance)
        distance -= within
        return distance


def _around(target: Level, step: float) -> Level:
    """Return the part of a land that the steps of a part depend on."""
    return rasters.boxes.source_part(target.grow(1, 1), _SMOOTHED * step)
