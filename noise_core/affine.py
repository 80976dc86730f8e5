# SPDX-License-Identifier: GPL-3.0-or-later
"""A noise seen through a turn, a scale and a shift of its domain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

import numpy as np

from .arrays import Field, Points
from .derivatives.duals import Slopes
from .elementary import cosine_sine_of
from .grid import Axes
from .lattice_terms import LatticeTerm, SlopeTerms
from .plans import RowPlan, point_plan
from .torus import Matrix, Torus, apply_matrix, multiply

if TYPE_CHECKING:
    from .noise import Noise


@dataclass(frozen=True)
class Affine:
    """A linear map of x and y, a scale of the axes beyond, and a shift of all.

    Attributes
    ----------
    matrix : Matrix
        Applied to (x, y).
    scale : float
        Applied to z and w.
    offset : tuple of four floats
        Added at the end.
    """

    matrix: Matrix
    scale: float
    offset: tuple[float, float, float, float]

    @classmethod
    def from_rotation(
        cls, scale: float, degrees: float, offset: tuple[float, float, float, float]
    ) -> Affine:
        """Return a uniform scale with a turn of x and y."""
        if degrees == 0.0:
            return cls(((scale, 0.0), (0.0, scale)), scale, offset)
        cosine, sine = (scale * part for part in cosine_sine_of(degrees))
        return cls(((cosine, -sine), (sine, cosine)), scale, offset)

    @property
    def is_identity(self) -> bool:
        """Whether nothing moves."""
        return self == Affine(((1.0, 0.0), (0.0, 1.0)), 1.0, (0.0, 0.0, 0.0, 0.0))

    def points(self, points: Points) -> Points:
        """Return points after the map, in their own dtype."""
        if self.is_identity:
            return points
        plane = apply_matrix(self.matrix, points[:2])
        moved = [*plane, *(multiply(axis, self.scale) for axis in points[2:])]
        for axis, shift in zip(moved, self.offset):
            if shift:
                axis += axis.dtype.type(shift)
        return tuple(moved)

    def torus(self, torus: Torus | None) -> Torus | None:
        """Return what repeats, as the mapped points see it."""
        return None if torus is None else torus.through(self.matrix)

    def axes(self, axes: Axes) -> Axes | None:
        """Return the axes after the map, or None unless they still rise along the grid's."""
        (xx, xy), (yx, yy) = self.matrix
        if xy != 0.0 or yx != 0.0 or min(xx, yy) < 0.0:
            return None
        rest = tuple(value * self.scale + shift for value, shift in zip(axes.rest, self.offset[2:]))
        x = axes.x * xx + self.offset[0]
        y = axes.y * yy + self.offset[1]
        step = axes.step * max(abs(xx), abs(yy))
        along, across = axes.steps
        steps = (along.transform(yy, self.offset[1]), across.transform(xx, self.offset[0]))
        return Axes(x, y, rest, self.torus(axes.torus), step, axes.first, steps)

    def values(self, noise: Noise, points: Points, seed: int, torus: Torus | None) -> Field:
        """Return `noise` at the mapped points."""
        return noise.values(self.points(points), seed, self.torus(torus))

    def sample_seeds(
        self, noise: Noise, points: Points, seeds: Sequence[int], torus: Torus | None
    ) -> list[Field]:
        """Return `noise` at the mapped points for several seeds."""
        return noise.sample_seeds(self.points(points), seeds, self.torus(torus))

    def slopes(
        self, noise: Noise, points: Points, seed: int, torus: Torus | None
    ) -> tuple[Field, Slopes]:
        """Return `noise` at the mapped points and its derivatives by the points before the map."""
        value, slopes = noise.slopes(self.points(points), seed, self.torus(torus))
        if self.is_identity:
            return value, slopes
        (xx, xy), (yx, yy) = self.matrix
        # The derivatives go back through the transpose of what the points went through.
        plane = cast(Slopes, apply_matrix(((xx, yx), (xy, yy)), slopes[:2]))
        return value, (*plane, *(slope * np.float32(self.scale) for slope in slopes[2:]))

    def terms(self, noise: Noise, axes: Axes, seeds: Sequence[int]) -> Sequence[LatticeTerm] | None:
        """Return the terms that make up `noise` at the mapped samples, if it is made of such."""
        mapped_axes = self.axes(axes)
        return None if mapped_axes is None else noise.terms(mapped_axes, seeds)

    def slope_terms(self, noise: Noise, axes: Axes, seed: int) -> SlopeTerms | None:
        """Return the derivatives of its one term, by the coordinates before the map."""
        mapped_axes = self.axes(axes)
        pair = None if mapped_axes is None else noise.slope_terms(mapped_axes, seed)
        if pair is None:
            return None
        (xx, _), (_, yy) = self.matrix
        return SlopeTerms(pair.x.scale(xx), pair.y.scale(yy))

    def plan(self, noise: Noise, axes: Axes, seed: int) -> RowPlan:
        """Return the plan for `noise` at the mapped samples: its own fast one where there is one."""
        mapped_axes = self.axes(axes)
        if mapped_axes is not None:
            return noise.plan(mapped_axes, seed)
        return point_plan(lambda points: self.values(noise, points, seed, axes.torus), axes)

    def seeds_plan(self, noise: Noise, axes: Axes, seeds: Sequence[int]) -> RowPlan:
        """Return the plan for `noise` at the mapped samples for several seeds."""
        mapped_axes = self.axes(axes)
        if mapped_axes is not None:
            return noise.seeds_plan(mapped_axes, seeds)
        return point_plan(lambda points: self.sample_seeds(noise, points, seeds, axes.torus), axes)

    def gradient_plan(self, noise: Noise, axes: Axes, seed: int) -> RowPlan:
        """Return the plan for the derivatives of `noise` by the coordinates before the map."""
        mapped_axes = self.axes(axes)
        if mapped_axes is None:
            return point_plan(
                lambda points: self.slopes(noise, points, seed, axes.torus)[1][:2], axes
            )
        plan = noise.gradient_plan(mapped_axes, seed)
        scale = np.array([self.matrix[0][0], self.matrix[1][1]], np.float32).reshape(2, 1, 1)

        def rows(start: int, stop: int, out: Field) -> None:
            plan(start, stop, out)
            np.multiply(out, scale, out=out)

        return rows
