# SPDX-License-Identifier: GPL-3.0-or-later
"""A terrain smoothed, or made crisper."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from .. import rasters, stages
from ..base.arrays import Field
from ..base.blocks import Progress
from ..base.grid import Grid
from ..base.params import number
from .bases.modifier import Modifier, modifier_type

if TYPE_CHECKING:
    from ..rasters.level import Level
    from ..stages import Part, Raster, Runner, StagedRelief

_AUTOMATIC = 0.01
"""Radius as a share of the width: rounds off crests, keeps valleys."""


@modifier_type("blur", "Blur")
class Blur(Modifier):
    """Smooths heights with a Gaussian, or sharpens finer detail.

    Notes
    -----
    The Gaussian is approximated by three box averages along each axis, which is within 6 % of its peak
    and takes about the same time for every radius. Beyond a border the land goes on as it does at the
    opposite one, so that borders neither sink nor rise.

    References
    ----------
    William M. Wells (1986). Efficient synthesis of Gaussian filters by cascaded uniform filters.
    IEEE Transactions on Pattern Analysis and Machine Intelligence 8.

    Examples
    --------
    >>> import numpy as np
    >>> from noise_core import Grid
    >>> from noise_core.modifiers import Blur

    A radius of 20 m spreads a spike, which keeps its volume:

    >>> grid = Grid(65, 65, size=640.0)
    >>> height = np.zeros(grid.shape, np.float32)
    >>> height[32, 32] = 100.0
    >>> smooth = Blur(radius=20.0).apply(height, grid).height
    >>> bool(smooth[32, 32] < 10.0), round(float(smooth.sum()))
    (True, 100)
    """

    radius: float = number(
        0.0,
        help="Radius of the Gaussian in meters",
        automatic=(1.0 / 100.0, "terrain"),
        minimum=0.0,
        maximum=1e7,
        soft_maximum=500.0,
        unit="length",
    )
    amount: float = number(
        1.0,
        help="1 removes detail finer than the radius; below 0 sharpens it",
        minimum=-4.0,
        maximum=1.0,
        soft_minimum=-1.0,
    )

    @property
    def needs_meters(self) -> bool:
        """See `Modifier.needs_meters`: 0 is a share of the width."""
        return self.radius > 0.0

    def stages(self, run: Runner, height: Raster, seed: int) -> StagedRelief:
        """Smooth heights with those around them."""
        deviation = self._deviation(run.grid)
        work = functools.partial(self.smooth, deviation=deviation)
        reach = functools.partial(rasters.boxes.source_part, deviation=deviation)
        across = functools.partial(stages.continuation.around, reach=reach)
        wide = run.level.widen(rasters.boxes.margin(run.level, deviation))
        stage = stages.Local("smooth", work, reach, across=across, held=5.5)
        (result,) = run.local(stage, stages.continuation.widen(run, height, wide), on=run.level)
        return stages.StagedRelief(result)

    def smooth(
        self, target: Level, parts: Sequence[Part], progress: Progress, *, deviation: float
    ) -> Field:
        """Return the smoothed height of a part of a land."""
        (part,) = parts
        inner = stages.continuation.within_borders(part.level, target)
        smooth = rasters.boxes.blur(part.values, part.level, deviation, progress, inner)
        if self.amount != 1.0:
            height = part.values[inner.within(part.level)]
            smooth -= height
            smooth *= np.float32(self.amount)
            smooth += height
        return smooth

    def _deviation(self, grid: Grid) -> float:
        return self.radius or _AUTOMATIC * grid.width
