# SPDX-License-Identifier: GPL-3.0-or-later
"""A noise on an affinely mapped domain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np

from ...base.arrays import Coordinates, Field, Points
from ...base.derivatives import Slopes
from ...base.grid import Axes
from ...base.plans import RowPlan, open_plan, point_plan
from ...base.torus import Torus, apply_matrix
from ...lattice.affine import Affine
from ...lattice.lattice_terms import LatticeTerm, SlopeTerms
from .noise import Noise


@dataclass(frozen=True)
class MappedNoise:
    """A noise taken at points that went through an affine map.

    The methods are those of `Noise`; seeds, points and axes are those before the map.

    Attributes
    ----------
    noise : Noise
    affine : Affine
    """

    noise: Noise
    affine: Affine

    def values(self, points: Points, seed: int, torus: Torus | None) -> Field:
        """See `Noise.values`."""
        return self.sample_seeds(points, (seed,), torus)[0]

    def sample_seeds(
        self, points: Points, seeds: Sequence[int], torus: Torus | None
    ) -> list[Field]:
        """See `Noise.sample_seeds`: as a single octave, whose map a lattice joins with its own."""
        (fields,) = self.noise.sample_octaves(points, ((self.affine, seeds),), torus)
        return fields

    def slopes(self, points: Points, seed: int, torus: Torus | None) -> tuple[Field, Slopes]:
        """Return the noise and its derivatives by the points before the map."""
        value, slopes = self.noise.slopes(
            self.affine.points(points), seed, self.affine.torus(torus)
        )
        if self.affine.is_shift:
            return value, slopes
        (xx, xy), (yx, yy) = self.affine.matrix
        # The derivatives go back through the transpose of what the points went through; on a line that is its scale.
        back = self.affine.matrix if len(points) == 1 else ((xx, yx), (xy, yy))
        plane = cast(Slopes, apply_matrix(back, slopes[:2]))
        return value, (*plane, *(slope * np.float32(self.affine.scale) for slope in slopes[2:]))

    def terms(self, axes: Axes, seeds: Sequence[int]) -> Sequence[LatticeTerm] | None:
        """See `Noise.terms`; None unless the mapped axes rise along the grid's."""
        mapped_axes = self.affine.axes(axes)
        return None if mapped_axes is None else self.noise.terms(mapped_axes, seeds)

    def slope_terms(self, axes: Axes, seed: int) -> SlopeTerms | None:
        """Return the derivatives of the only term, by the coordinates before the map."""
        mapped_axes = self.affine.axes(axes)
        pair = None if mapped_axes is None else self.noise.slope_terms(mapped_axes, seed)
        if pair is None:
            return None
        (xx, _), (_, yy) = self.affine.matrix
        return SlopeTerms(pair.x.scale(xx), pair.y.scale(yy))

    def plan(self, axes: Axes, seed: int) -> RowPlan:
        """See `Noise.plan`: the fast one where the mapped axes rise along the grid's."""
        mapped_axes = self.affine.axes(axes)
        if mapped_axes is not None:
            return self.noise.plan(mapped_axes, seed)
        torus = self.affine.torus(axes.torus)
        return open_plan(
            lambda points: self.noise.values(self._turn_points(points), seed, torus), axes
        )

    def seeds_plan(self, axes: Axes, seeds: Sequence[int]) -> RowPlan:
        """See `Noise.seeds_plan`."""
        mapped_axes = self.affine.axes(axes)
        if mapped_axes is not None:
            return self.noise.seeds_plan(mapped_axes, seeds)
        torus, noise = self.affine.torus(axes.torus), self.noise
        return open_plan(
            lambda points: noise.sample_seeds(self._turn_points(points), seeds, torus), axes
        )

    def _turn_points(self, points: Points) -> Points:
        """Return points of `open_plan` after the map: each is the sum of a row's part and a column's."""
        x, y, *fixed = self.affine.points(points)
        shape = (len(points[1]), points[0].shape[1])
        return (_spread(x, shape), _spread(y, shape), *fixed)

    def gradient_plan(self, axes: Axes, seed: int) -> RowPlan:
        """Return the plan for the derivatives by the coordinates before the map."""
        mapped_axes = self.affine.axes(axes)
        if mapped_axes is None:
            return point_plan(lambda points: self.slopes(points, seed, axes.torus)[1][:2], axes)
        plan = self.noise.gradient_plan(mapped_axes, seed)
        scale = np.array([self.affine.matrix[0][0], self.affine.matrix[1][1]], np.float32).reshape(
            2, 1, 1
        )

        def rows(start: int, stop: int, out: Field) -> None:
            plan(start, stop, out)
            np.multiply(out, scale, out=out)

        return rows


def _spread(axis: Coordinates, shape: tuple[int, int]) -> Coordinates:
    return cast(Coordinates, np.broadcast_to(axis, shape))
