# SPDX-License-Identifier: GPL-3.0-or-later
"""Layers of hard and soft rock that stand out on slopes."""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from .. import rasters, stages
from ..base import blocks
from ..base.arrays import Field
from ..base.blocks import Progress
from ..base.elementary import cosine_sine_of
from ..base.grid import Grid
from ..base.params import bearing, number
from ..lattice.hash import child_seed, mix_bits
from ..noises.bases.noise import Noise
from .bases.modifier import Modifier, modifier_type

if TYPE_CHECKING:
    from ..rasters.level import Level
    from ..stages import Part, Raster, Runner, StagedRelief

_AUTOMATIC = 0.1
"""Thickness of a layer as a share of the relief."""

CYCLE = 5
"""Layers after which hardness and thickness repeat. On a grid that wraps, the dip across it is a whole
number of cycles: a short one leaves more angles to choose from."""

_PER_LAYER = 64
"""Entries of the table for a layer of mean thickness."""

_SMOOTHED = 0.5
"""Deviation of the smooth copy whose slopes are layered, in layers: bumps would break all ledges up."""

_SEEN = 1.0
"""Deviation of the smooth copy on whose slopes rock shows, in layers: ledges are about as wide as layers are
thick, and finer slopes are their own."""

_KEPT = 0.5
"""Share of the bumps that still counts, so that ledges are ragged."""

_WORN = 0.5
"""Share of the bumps that is worn off bare rock where the contrast is full."""

_SAMPLES = 1 << 16


@modifier_type("strata", "Strata")
class Strata(Modifier):
    """Carves ledges and cliffs of layered rock into slopes.

    Layers lie tilted and bent. Hard ones stand as cliffs with a sharp brink, soft ones weather
    back to a slope at their feet. Level ground keeps its soil and shows none. The mean height
    stays as it was.

    Notes
    -----
    Height, dip and a noise add up to a coordinate across the layers. Within each layer it goes
    through Schlick's rational bias curve: a gentle foot, then ever steeper up to the brink.
    On a grid that wraps the dip is rounded so that a whole number of `CYCLE` layers lies between
    opposite edges; a tilt too small for one lies level along that axis.

    References
    ----------
    Christophe Schlick (1994). Fast alternatives to Perlin's bias and gain functions. Graphics
    Gems IV.

    Examples
    --------
    >>> from noise_core import Grid
    >>> from noise_core.modifiers import Strata
    >>> from noise_core.noises import Fractal
    >>> grid = Grid(65, 65, size=2000.0)
    >>> plateau = 300.0 * Fractal().sample_grid(grid, seed=7)
    >>> ledges = Strata(thickness=40.0, contrast=0.8).apply(plateau, grid, seed=7)
    >>> hardness = ledges.maps["hardness"]
    >>> bool(hardness.min() >= 0.0), bool(hardness.max() <= 1.0)
    (True, True)
    """

    makes: ClassVar[Mapping[str, str]] = {
        "hardness": "Hardness of the rock at the surface, from 0 (soft) to 1 (hard)"
    }

    thickness: float = number(
        0.0,
        help="Mean layer thickness in meters",
        automatic=(1.0 / 10.0, "relief"),
        minimum=0.0,
        maximum=1e6,
        soft_maximum=500.0,
        unit="length",
    )
    contrast: float = number(
        0.9,
        help="Difference in hardness between layers: 0 keeps slopes, 1 makes cliffs",
        minimum=0.0,
        maximum=1.0,
        unit="factor",
    )
    tilt: float = number(
        4.0,
        help="Dip of the layers in degrees",
        minimum=0.0,
        maximum=80.0,
        soft_maximum=30.0,
        unit="angle",
    )
    direction: float = bearing(
        30.0,
        help="Direction that the layers rise to",
        visible_when=("tilt", 0.0),
    )
    irregularity: float = number(
        1.0,
        help="Bending and breaking of the layers, in layer thicknesses",
        minimum=0.0,
        maximum=20.0,
        soft_maximum=4.0,
    )
    exposure: float = number(
        20.0,
        help="Slope in degrees above which bare rock shows; 0 shows rock everywhere",
        minimum=0.0,
        maximum=89.0,
        unit="angle",
        advanced=True,
        visible_when=("contrast", 0.0),
    )

    def stages(self, run: Runner, height: Raster, seed: int) -> StagedRelief:
        """Carve ledges as thick as the relief says, and take off the mean of their change."""
        thickness = self.thickness
        if not thickness:
            low, high = run.typical_range(height)
            thickness = _AUTOMATIC * (high - low)
        if run.holds(not thickness > 1e-30):
            top = float(_LedgeTable.of(self.contrast, seed).hardness[0])
            return stages.StagedRelief(height, {"hardness": stages.fill(run, "hardness", top)})
        work = functools.partial(self._carve, grid=run.grid, thickness=thickness, seed=seed)
        reach = functools.partial(_around, thickness=thickness)
        across = functools.partial(stages.continuation.around, reach=reach)
        makes = ("change", "hardness")
        stage = stages.Local("carve", work, reach, across=across, makes=makes, held=5.0)
        margin = 1 + rasters.boxes.margin(run.level, max(_SMOOTHED, _SEEN) * thickness)
        wide = stages.continuation.widen(run, height, run.level.widen(margin))
        change, hardness = run.local(stage, wide, on=run.level)
        lay_over = functools.partial(_lay_over, mean=run.mean(change))
        (result,) = run.local(stages.Local("lay_over", lay_over, held=0.0), height, change)
        run.drop([change])
        return stages.StagedRelief(result, {"hardness": hardness})

    def _carve(
        self,
        target: Level,
        parts: Sequence[Part],
        progress: Progress,
        *,
        grid: Grid,
        thickness: float,
        seed: int,
    ) -> tuple[Field, Field]:
        """Return the change of a part of a land by its ledges, and the hardness of exposed rock."""
        (part,) = parts
        inner = stages.continuation.within_borders(part.level, target)
        grid = stages.grid_of(grid, target)
        height, layers = part.values[inner.within(part.level)], _LedgeTable.of(self.contrast, seed)
        smooth = rasters.boxes.blur(part.values, part.level, _SMOOTHED * thickness, target=inner)
        steep = self._steep(inner, part, thickness)
        limit = rasters.steepness.rise_over_run(self.exposure)
        progress(0.3)
        bent = self._bends(grid, seed)
        progress(0.6)
        dip = self._dip(grid, thickness)
        change, hardness = (np.empty(target.shape, np.float32) for _ in range(2))

        def carve(start: int, stop: int) -> None:
            rows = (slice(start, stop),)
            detail = height[rows] - smooth[rows]
            across = detail * np.float32(_KEPT)
            across += smooth[rows]
            across *= np.float32(1.0 / thickness)
            across += dip[0]
            across += dip[1][rows][:, np.newaxis]
            if bent is not None:
                across += bent[rows]
            layers.look_up(across, change[rows], hardness[rows])
            change[rows] *= np.float32(thickness)
            detail *= np.float32(_WORN * self.contrast)
            change[rows] -= detail
            if steep is not None:
                change[rows] *= rasters.steepness.smoothstep(steep[rows].copy(), 0.5 * limit, limit)

        blocks.run(carve, grid.rows, max(1, _SAMPLES // grid.columns))
        return change, hardness

    def _steep(self, target: Level, part: Part, thickness: float) -> Field | None:
        """Return the steepness that exposes rock, None if all is exposed."""
        if self.exposure == 0.0:
            return None
        wide = target.grow(1, 1)
        smooth = rasters.boxes.blur(part.values, part.level, _SEEN * thickness, target=wide)
        return rasters.steepness.steepness(smooth, wide)[target.within(wide)]

    def _bends(self, grid: Grid, seed: int) -> Field | None:
        """Return the uplift of each sample by folds, in layers."""
        if self.irregularity == 0.0:
            return None
        bends = _folds().sample_grid(grid, child_seed(seed, 1))
        bends *= np.float32(1.5 * self.irregularity)
        return bends

    def _dip(self, grid: Grid, thickness: float) -> tuple[Field, Field]:
        """Return the dip of the layers along a row and along a column, in layers."""
        slope = rasters.steepness.rise_over_run(self.tilt) * grid.width / thickness
        cosine, sine = cosine_sine_of(self.direction)
        axes = grid.axes()
        return (
            _ramp(axes.x, -slope * cosine, 1.0, grid.wrap),
            _ramp(axes.y, -slope * sine, grid.depth, grid.wrap),
        )


def _around(target: Level, thickness: float) -> Level:
    """Return the part of a land that the ledges of a part depend on."""
    return rasters.boxes.source_part(target.grow(1, 1), max(_SMOOTHED, _SEEN) * thickness)


def _lay_over(target: Level, parts: Sequence[Part], progress: Progress, *, mean: float) -> Field:
    """Return heights with a change, of a known mean in the whole land."""
    height, change = (part.values for part in parts)
    result: Field = change - np.float32(mean)
    result += height
    return result


def _folds() -> Noise:
    """Return the noise that bends layers: wide folds, and crumbling down to the samples."""
    from ..noises.fractal import Fractal
    from ..noises.perlin import Perlin

    return Fractal(source=Perlin(frequency=3.0), octaves=6.0, persistence=0.45)


def _ramp(places: np.ndarray, slope: float, period: float, wrap: bool) -> Field:
    """Return a plane along one axis, in layers modulo a cycle; a whole number of cycles if it wraps."""
    if wrap:
        slope = round(slope * period / CYCLE) * CYCLE / period
    return np.remainder(places * slope, CYCLE).astype(np.float32)


@dataclass(frozen=True)
class _LedgeTable:
    """Table of the offsets of ledges from a plain slope, over one cycle of layers.

    Attributes
    ----------
    offset, hardness : ndarray of shape (CYCLE * _PER_LAYER + 2,), float32
        In layers, and from 0 to 1.
    """

    offset: Field
    hardness: Field

    @classmethod
    def of(cls, contrast: float, seed: int) -> _LedgeTable:
        """Return a cycle of layers with random thickness and hardness."""
        chance = [mix_bits(seed ^ mix_bits(place)) / 2.0**32 for place in range(2 * CYCLE)]
        # From thin beds to banks four times as thick; soft and hard ones take turns.
        thick = np.array([0.5 + 1.5 * part * part for part in chance[:CYCLE]])
        hard = np.array(
            [
                0.35 * part + (0.65 if place % 2 else 0.25)
                for place, part in enumerate(chance[CYCLE:])
            ]
        )
        thick *= CYCLE / math.fsum(thick)
        tops = np.cumsum(thick, dtype=np.float64)
        place = np.arange(CYCLE * _PER_LAYER + 2, dtype=np.intp) / _PER_LAYER % CYCLE
        layer = np.minimum(np.searchsorted(tops, place, side="right"), CYCLE - 1)
        within = (place - (tops - thick)[layer]) / thick[layer]
        # Schlick's bias: slope s at the foot, 1 / s at the brink.
        gentle = 1.0 - 0.95 * contrast * hard[layer]
        steep = within / ((1.0 / gentle - 1.0) * (1.0 - within) + 1.0)
        offset = thick[layer] * (steep - within)
        return cls(offset.astype(np.float32), hard[layer].astype(np.float32))

    def look_up(self, across: Field, offset: Field, hardness: Field) -> None:
        """Look up offset and hardness at coordinates across the layers, which are overwritten."""
        cycles = np.floor(across * np.float32(1.0 / CYCLE))
        cycles *= np.float32(CYCLE)
        across -= cycles
        across *= np.float32(_PER_LAYER)
        np.clip(across, np.float32(0.0), np.float32(CYCLE * _PER_LAYER), out=across)
        entry = across.astype(np.int32)
        across -= entry.astype(np.float32)
        slope = np.diff(self.offset, append=self.offset[-1:])
        across *= slope.take(entry)
        np.add(across, self.offset.take(entry), out=offset)
        self.hardness.take(entry, out=hardness)
