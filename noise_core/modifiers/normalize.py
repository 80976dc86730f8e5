# SPDX-License-Identifier: GPL-3.0-or-later
"""A terrain stretched to given heights."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from .. import stages
from ..base.arrays import Field
from ..base.blocks import Progress
from ..base.params import number
from .bases.modifier import Modifier, modifier_type

if TYPE_CHECKING:
    from ..rasters.level import Level
    from ..stages import Part, Raster, Runner, StagedRelief


@modifier_type("normalize", "Normalize")
class Normalize(Modifier):
    """Maps heights to a range from minimum to maximum.

    Notes
    -----
    A terrain without any relief comes to lie at the minimum. The limits are found on the grid
    that is given: tiles of one world, each normalized, do not fit together.

    Examples
    --------
    >>> from noise_core import Grid
    >>> from noise_core.modifiers import Normalize
    >>> from noise_core.noises import Perlin
    >>> grid = Grid(65, 65, size=1000.0)
    >>> height = Perlin(frequency=3.0).sample_grid(grid, seed=5)
    >>> stretched = Normalize(minimum=-20.0, maximum=300.0, outliers=0.0).apply(height, grid).height
    >>> round(float(stretched.min()), 2), round(float(stretched.max()), 2)
    (-20.0, 300.0)
    """

    minimum: float = number(
        0.0,
        help="Height of the lowest ground in meters",
        minimum=-1e6,
        maximum=1e6,
        soft_minimum=-1000.0,
        soft_maximum=1000.0,
        unit="length",
    )
    maximum: float = number(
        0.0,
        help="Maximum height; if not above Minimum, heights are only shifted",
        minimum=-1e6,
        maximum=1e6,
        soft_minimum=0.0,
        soft_maximum=5000.0,
        unit="length",
    )
    outliers: float = number(
        0.0,
        help="Fraction of the ground allowed below the minimum, and the same above the maximum",
        minimum=0.0,
        maximum=0.49,
        soft_maximum=0.1,
        unit="factor",
    )

    @property
    def needs_meters(self) -> bool:
        """See `Modifier.needs_meters`."""
        return False

    def stages(self, run: Runner, height: Raster, seed: int) -> StagedRelief:
        """Stretch heights between two of them that are measured."""
        rows, columns = run.level.shape
        low, high = run.values_at(height, self.ranks(rows * columns))
        run.report(0.5)
        work = functools.partial(self.stretch, low=low, high=high)
        (result,) = run.local(stages.Local("stretch", work, held=8.0), height)
        return stages.StagedRelief(result)

    def ranks(self, size: int) -> tuple[int, int]:
        """Return the places, in order of height, of the heights that map to the minimum and the maximum."""
        first = int(self.outliers * (size - 1))
        return first, size - 1 - first

    def stretch(
        self,
        target: Level,
        parts: Sequence[Part],
        progress: Progress,
        *,
        low: np.float32,
        high: np.float32,
    ) -> Field:
        """Return heights of which two map to the minimum and the maximum."""
        (part,) = parts
        result = (part.values - low).astype(np.float64)
        if self.maximum > self.minimum and high > low:
            result *= (self.maximum - self.minimum) / (float(high) - float(low))
        result += self.minimum
        return result.astype(np.float32)
