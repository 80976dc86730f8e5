# SPDX-License-Identifier: GPL-3.0-or-later
"""Impact craters of many sizes and ages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from .. import cratering
from ..base.arrays import Field, Points
from ..base.errors import Message, ParameterError
from ..base.params import cells_per_tile, integer, number
from ..lattice.hash import MOST_CELLS
from .bases.noise import Noise, noise_type

if TYPE_CHECKING:
    from ..base.grid import Axes
    from ..base.plans import RowPlan
    from ..base.torus import Torus
    from ..cratering.population import SizeClass
    from ..cratering.shape import CraterStyle


@noise_type("craters", "Craters", family="shape")
class Craters(Noise):
    """Impact craters of many sizes, from sharp young to worn old ones.

    Where two craters overlap the younger one wins, whole: within its rim nothing of the older one is
    left, and its ejecta partly cover it.

    Notes
    -----
    Ground without craters has the value 0. A fresh crater is a fifth as deep as wide, from rim to
    floor, with a rim of 0.04 of the diameter, if `depth` times the terrain's height is 0.16 times
    its width over `frequency`. Ejecta thin with the third power of the distance, to nothing at 2.2
    radii. Craters lie in the plane: points have two coordinates.

    The bounds: an impact mixes the older ground with its plane and its own shape. The plane's level
    is limited to [-1, 0.4] depths, its tilt adds at most 0.55, the shape lies between -0.8 and 0.2,
    and the share of the plane's tilt falls outside the rim. So the ground stays between -2.35 and
    1.15 depths, however craters overlap.

    On a grid craters are drawn in windows. A point that lies alone takes some thousand times as
    long as a sample of a large grid: it asks for the history of all craters around.

    References
    ----------
    Pike (1977). Size-dependence in the shape of fresh impact craters on the Moon.
    McGetchin, Settle, Head (1973). Radial thickness variation in impact crater ejecta.
    Neukum, Ivanov, Hartmann (2001). Cratering records in the inner solar system.
    Fassett, Thomson (2014). Crater degradation on the lunar maria.

    Examples
    --------
    >>> from noise_core import Grid
    >>> from noise_core.noises import Craters
    >>> moon = Craters(frequency=4.0, sizes=5, density=0.35)
    >>> field = moon.sample_grid(Grid(65, 65), seed=2)

    Floors lie below the plain at 0, rims above it:

    >>> bool(field.min() < -0.1), bool(field.max() > 0.02)
    (True, True)
    >>> low, high = moon.bounds()
    >>> bool(low <= field.min() and field.max() <= high)
    True
    """

    dimensions: ClassVar[tuple[int, ...]] = (2,)

    frequency: float = cells_per_tile(4.0)
    sizes: int = integer(
        5,
        help="Number of size classes, each half as large as the one before",
        minimum=1,
        maximum=10,
        soft_maximum=8,
    )
    density: float = number(
        0.35,
        help="Fraction of cells with a crater of the largest class",
        minimum=0.0,
        maximum=1.0,
        unit="factor",
    )
    exponent: float = number(
        2.2,
        help="Size distribution: higher gives more small craters",
        minimum=1.0,
        maximum=4.0,
        soft_minimum=2.0,
        soft_maximum=3.0,
    )
    depth: float = number(
        0.4,
        help="Depth of the largest fresh craters from rim to floor; smaller ones in proportion",
        minimum=0.0,
        maximum=100.0,
        soft_maximum=2.0,
    )
    wear: float = number(
        0.8,
        help="Wear of the oldest craters: 0 is sharp, 1 gone",
        minimum=0.0,
        maximum=1.0,
        unit="factor",
    )
    floors: float = number(
        0.5,
        help="Flat floors and central peaks of the largest craters; 0 is plain bowls",
        minimum=0.0,
        maximum=1.0,
        unit="factor",
    )
    irregularity: float = number(
        0.6,
        help="Irregularity of the outlines",
        minimum=0.0,
        maximum=1.0,
        unit="factor",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.finest() > MOST_CELLS:
            raise ParameterError(
                "Craters.sizes must leave at most {} cells per tile to the smallest",
                MOST_CELLS,
                got=Message("{} sizes, up to {:g} cells", self.sizes, self.finest()),
            )

    def bounds(self) -> tuple[float, float]:
        """Return the lowest and highest ground that impacts can make of each other's."""
        return cratering.history.bounds(self.depth)

    def finest(self) -> float:
        """Return how many cells of the smallest class lie along a tile."""
        return self.frequency * 2.0 ** (self.sizes - 1)

    def values(self, points: Points, seed: int, torus: Torus | None) -> Field:
        """See `Noise.values`."""
        form = np.broadcast_shapes(*(axis.shape for axis in points))
        x, y = (np.broadcast_to(axis, form).astype(np.float64).ravel() for axis in points)
        return cratering.history.ground_at(self._classes(seed, torus), self._style, x, y).reshape(
            form
        )

    def plan(self, axes: Axes, seed: int) -> RowPlan:
        """See `Noise.plan`: craters are drawn in windows, if they are larger than samples."""
        classes = self._classes(seed, axes.torus)
        if cratering.on_grid.can_serve(classes, axes):
            return cratering.on_grid.grid_plan(classes, self._style, axes)
        return super().plan(axes, seed)

    @property
    def _style(self) -> CraterStyle:
        return cratering.shape.CraterStyle(self.depth, self.wear, self.floors, self.irregularity)

    def _classes(self, seed: int, torus: Torus | None) -> Sequence[SizeClass]:
        return cratering.population.size_classes(
            self.frequency, self.sizes, self.density, self.exponent, seed, torus
        )
