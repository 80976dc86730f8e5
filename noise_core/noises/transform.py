# SPDX-License-Identifier: GPL-3.0-or-later
"""A noise whose domain is scaled, rotated and shifted."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from .. import domain_warp
from ..base.arrays import Coordinates, Field, Points
from ..base.elementary import cosine_sine_of
from ..base.errors import ParameterError
from ..base.grid import Axes
from ..base.params import noise, number, vector
from ..lattice import affine as affinity
from ..lattice.hash import MOST_CELLS
from .bases import mapped_noise
from .bases.noise import Noise, noise_type
from .fractal import Fractal

if TYPE_CHECKING:
    from ..base.derivatives import Slopes
    from ..base.plans import RowPlan
    from ..base.torus import Torus
    from ..lattice.lattice_terms import LatticeTerm, SlopeTerms
    from .bases.mapped_noise import MappedNoise


@noise_type("transform", "Transform", family="domain")
class Transform(Noise):
    """Scales, rotates and moves the noise.

    Notes
    -----
    As in a texture's mapping the points are transformed, not the picture: a larger scale makes
    finer patterns. The picture is stretched along its own axes and then turned, so that grain
    may run at any angle. The turn is about the z axis through the origin. The fourth coordinate
    stays as it is.

    A turned noise does not lie along a grid's rows, which costs its fast way.

    Examples
    --------
    >>> import numpy as np
    >>> from noise_core.noises import Perlin, Transform

    Twice the points' coordinates give twice as many cells:

    >>> fine = Transform(source=Perlin(frequency=4.0), scale=(2.0, 2.0, 1.0))
    >>> points = np.array([[0.1, 0.3], [0.7, 0.2]])
    >>> bool(np.array_equal(fine.sample(points), Perlin(frequency=8.0).sample(points)))
    True

    A noise stretched along y, as for bark or sand ripples:

    >>> bark = Transform(source=Perlin(frequency=16.0), scale=(1.0, 0.2, 1.0), rotation=10.0)
    >>> bark.finest()
    16.0
    """

    source: Noise = noise(Fractal, help="The noise to transform")
    scale: tuple[float, ...] = vector(
        (1.0, 1.0, 1.0),
        help="Scale of the noise coordinates per axis; 2 makes the pattern half as large",
        minimum=0.01,
        maximum=100.0,
    )
    rotation: float = number(
        0.0,
        help="Rotation about Z, in degrees",
        minimum=-360.0,
        maximum=360.0,
        soft_minimum=-180.0,
        soft_maximum=180.0,
        unit="angle",
    )
    offset: tuple[float, ...] = vector(
        (0.0, 0.0, 0.0),
        help="Offset of the noise coordinates per axis in tiles, after rotation and scale",
        minimum=-1000.0,
        maximum=1000.0,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.finest() > MOST_CELLS:
            raise ParameterError(
                "Transform.scale must leave at most {} cells per tile",
                MOST_CELLS,
                got=f"{self.finest():g}",
            )
        domain_warp.reach.check_reach(
            max(abs(shift) for shift in self.offset), self.source, "Transform.offset"
        )

    def bounds(self) -> tuple[float, float]:
        """Return those of the source."""
        return self.source.bounds()

    def finest(self) -> float:
        """Return the frequency of the source's finest cells, where they are squeezed most."""
        return self.source.finest() * max(self.scale)

    def coarsest_in_place(self) -> float:
        """See `Noise.coarsest_in_place`: those of the source, where they are stretched most."""
        return self.source.coarsest_in_place() * min(self.scale)

    def values(self, points: Points, seed: int, torus: Torus | None) -> Field:
        """See `Noise.values`."""
        return self._mapped_source().values(self._map_points(points), seed, torus)

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
        return self._mapped_source().sample_seeds(self._map_points(points), seeds, torus)

    def plan(self, axes: Axes, seed: int) -> RowPlan:
        """See `Noise.plan`: the source's own, unless it is turned."""
        return self._mapped_source().plan(self._map_axes(axes), seed)

    def seeds_plan(self, axes: Axes, seeds: Sequence[int]) -> RowPlan:
        """See `Noise.seeds_plan`."""
        return self._mapped_source().seeds_plan(self._map_axes(axes), seeds)

    def terms(self, axes: Axes, seeds: Sequence[int]) -> Sequence[LatticeTerm] | None:
        """See `Noise.terms`; none for a turned source."""
        return self._mapped_source().terms(self._map_axes(axes), seeds)

    def slope_terms(self, axes: Axes, seed: int) -> SlopeTerms | None:
        """See `Noise.slope_terms`."""
        return self._mapped_source().slope_terms(self._map_axes(axes), seed)

    def slopes(self, points: Points, seed: int, torus: Torus | None) -> tuple[Field, Slopes]:
        """See `Noise.slopes`."""
        value, slopes = self._mapped_source().slopes(self._map_points(points), seed, torus)
        if len(points) < 3:
            return value, slopes
        x, y, z, *beyond = slopes
        return value, (x, y, z * np.float32(self.scale[2]), *beyond)

    def gradient_plan(self, axes: Axes, seed: int) -> RowPlan:
        """See `Noise.gradient_plan`."""
        return self._mapped_source().gradient_plan(self._map_axes(axes), seed)

    def _map_axes(self, axes: Axes) -> Axes:
        """Return axes with z transformed."""
        if not axes.rest:
            return axes
        z, *beyond = axes.rest
        return dataclasses.replace(axes, rest=(z * self.scale[2] + self.offset[2], *beyond))

    def _map_points(self, points: Points) -> Points:
        """Return points with z transformed."""
        if len(points) < 3 or (self.scale[2] == 1.0 and self.offset[2] == 0.0):
            return points
        number = points[2].dtype.type
        z: Coordinates = points[2] * number(self.scale[2])
        z += number(self.offset[2])
        return (*points[:2], z, *points[3:])

    def _mapped_source(self) -> MappedNoise:
        """Return the source with x and y transformed."""
        x, y, _ = self.scale
        offset = (self.offset[0], self.offset[1], 0.0, 0.0)
        matrix = ((x, 0.0), (0.0, y))
        if self.rotation != 0.0:
            cosine, sine = cosine_sine_of(self.rotation)
            matrix = ((x * cosine, -x * sine), (y * sine, y * cosine))
        return mapped_noise.MappedNoise(self.source, affinity.Affine(matrix, 1.0, offset))
