# SPDX-License-Identifier: GPL-3.0-or-later
"""Animation of a noise along a further dimension, and loops of it through two."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from .. import domain_warp
from ..base.arrays import Field, Points, to_float
from ..base.elementary import cosine_sine_of
from ..base.errors import ParameterError, format_value
from ..base.grid import Axes
from ..base.params import noise, number
from .bases.noise import Noise, noise_type
from .fractal import Fractal

if TYPE_CHECKING:
    from ..base.derivatives import Slopes
    from ..base.plans import RowPlan
    from ..base.torus import Torus
    from ..lattice.lattice_terms import LatticeTerm, SlopeTerms


@noise_type("evolution", "Evolution", family="domain")
class Evolution(Noise):
    """Animates the noise through an extra dimension.

    Notes
    -----
    The source is taken one dimension higher, at `position` along the new axis. One tile brings as
    many new forms as lie along a tile of the terrain, so a few hundredths a frame are slow. The
    plane stays as seamless as it was.

    Examples
    --------
    >>> import numpy as np
    >>> from noise_core import Grid
    >>> from noise_core.noises import Evolution, Perlin

    Frames of an animation: a plane that moves through noise with one more dimension.

    >>> grid = Grid(33, 33)
    >>> frames = [
    ...     Evolution(source=Perlin(frequency=4.0), position=time).sample_grid(grid, seed=1)
    ...     for time in (0.0, 0.01, 0.5)
    ... ]
    >>> near, far = (float(np.abs(frame - frames[0]).mean()) for frame in frames[1:])
    >>> near < 0.2 * far
    True
    """

    dimensions: ClassVar[tuple[int, ...]] = (1, 2, 3)

    source: Noise = noise(Fractal, help="The noise to move")
    position: float = number(
        0.0,
        help="Position along the extra dimension, in tiles",
        minimum=-1000.0,
        maximum=1000.0,
        soft_minimum=-2.0,
        soft_maximum=2.0,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        domain_warp.reach.check_reach(abs(self.position), self.source, "Evolution.position")

    def bounds(self) -> tuple[float, float]:
        """Return those of the source."""
        return self.source.bounds()

    def values(self, points: Points, seed: int, torus: Torus | None) -> Field:
        """See `Noise.values`."""
        return self.source.values(self._raise_points(points), seed, torus)

    def parts(self, seed: int) -> Sequence[tuple[Noise, int]]:
        """See `Noise.parts`: those of the source, each taken where the source is."""
        parts = self.source.parts(seed)
        return [(dataclasses.replace(self, source=part), part_seed) for part, part_seed in parts]

    def join(self, fields: Sequence[Field]) -> None:
        """See `Noise.join`."""
        self.source.join(fields)

    def sample_seeds(
        self, points: Points, seeds: Sequence[int], torus: Torus | None
    ) -> list[Field]:
        """See `Noise.sample_seeds`."""
        return self.source.sample_seeds(self._raise_points(points), seeds, torus)

    def plan(self, axes: Axes, seed: int) -> RowPlan:
        """See `Noise.plan`: the source's own, of a slice of it."""
        return self.source.plan(self._raise_axes(axes), seed)

    def seeds_plan(self, axes: Axes, seeds: Sequence[int]) -> RowPlan:
        """See `Noise.seeds_plan`."""
        return self.source.seeds_plan(self._raise_axes(axes), seeds)

    def terms(self, axes: Axes, seeds: Sequence[int]) -> Sequence[LatticeTerm] | None:
        """See `Noise.terms`."""
        return self.source.terms(self._raise_axes(axes), seeds)

    def slope_terms(self, axes: Axes, seed: int) -> SlopeTerms | None:
        """See `Noise.slope_terms`."""
        return self.source.slope_terms(self._raise_axes(axes), seed)

    def slopes(self, points: Points, seed: int, torus: Torus | None) -> tuple[Field, Slopes]:
        """See `Noise.slopes`: the source's own, but for the new dimension."""
        value, slopes = self.source.slopes(self._raise_points(points), seed, torus)
        return value, slopes[:-1]

    def gradient_plan(self, axes: Axes, seed: int) -> RowPlan:
        """See `Noise.gradient_plan`."""
        return self.source.gradient_plan(self._raise_axes(axes), seed)

    def _raise_axes(self, axes: Axes) -> Axes:
        return dataclasses.replace(axes, rest=(*axes.rest, self.position))

    def _raise_points(self, points: Points) -> Points:
        """Return points with an additional coordinate."""
        return (*points, np.full_like(points[0], self.position))

    def _check_dimension(self, dimension: int, who: str) -> None:
        if dimension not in self.dimensions:
            allowed = ", ".join(str(value) for value in self.dimensions)
            raise ParameterError("{}: points must have {} coordinates", who, allowed, got=dimension)
        self.source._check_dimension(dimension + 1, f"{who}, with one more for Evolution")


def around(position: float, length: float) -> tuple[float, float]:
    """Return the coordinates along the third and fourth dimension of a way that closes on itself.

    Parameters
    ----------
    position : float
        How far along the way, in tiles; it begins along the third dimension.
    length : float
        Tiles until everything is as it was.

    Returns
    -------
    tuple of two floats
        For the `evolution` of `Noise.sample_grid` and others: a point on a circle of that
        circumference, the origin at position 0. At equal steps everything changes equally fast.

    Raises
    ------
    ParameterError
        If `length` is not above 0, or a number is not finite.
    """
    along, whole = to_float(position), to_float(length)
    if not 0.0 < whole < math.inf:
        raise ParameterError(
            "{} must be in {}", "around: length", "(0, inf)", got=format_value(length)
        )
    if not math.isfinite(along):
        raise ParameterError("{} must be finite", "around: position", got=format_value(position))
    radius = whole / (2.0 * math.pi)
    cosine, sine = cosine_sine_of(360.0 * (along % whole / whole))
    return radius * sine, radius * (1.0 - cosine)
