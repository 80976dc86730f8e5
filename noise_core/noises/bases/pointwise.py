# SPDX-License-Identifier: GPL-3.0-or-later
"""Base of noises that change another noise's values one by one: curves, steps, powers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from ...base import derivatives
from ...base.arrays import Field, Points
from ...base.declared import declared_type
from ...base.grid import Axes
from ...base.params import noise
from ...base.plans import run_in_blocks
from . import gradient_plans
from .noise import Noise, default_noise

if TYPE_CHECKING:
    from ...base.derivatives import Slopes
    from ...base.georeference import Georeference
    from ...base.plans import RowPlan
    from ...base.torus import Torus
    from ...lattice.affine import Affine


@declared_type
class Pointwise(Noise):
    """Base of noises that are a function of another noise's value."""

    source: Noise = noise(default_noise, help="The noise whose values are changed")

    @property
    def georeference(self) -> Georeference | None:
        """See `Noise.georeference`: that of the source, since nothing is moved."""
        return self.source.georeference

    def change(self, field: Field) -> None:
        """Change a block of the source's values, in place.

        Implementations use only arithmetic that `derivatives.Dual` supports, which changes derivatives too.

        Parameters
        ----------
        field : ndarray, float32
            Values of the source, of any shape; overwritten.
        """
        raise NotImplementedError(f"{type(self).__name__} has no change()")

    def parts(self, seed: int) -> Sequence[tuple[Noise, int]]:
        """See `Noise.parts`."""
        return ((self.source, seed),)

    def join(self, fields: Sequence[Field]) -> None:
        """See `Noise.join`."""
        self.change(fields[0])

    def values(self, points: Points, seed: int, torus: Torus | None) -> Field:
        """See `Noise.values`."""
        field = self.source.values(points, seed, torus)
        self.change(field)
        return field

    def sample_octaves(
        self,
        points: Points,
        octaves: Iterable[tuple[Affine, Sequence[int]]],
        torus: Torus | None,
    ) -> Iterator[list[Field]]:
        """See `Noise.sample_octaves`: the source's own, changed."""
        for fields in self.source.sample_octaves(points, octaves, torus):
            for field in fields:
                self.change(field)
            yield fields

    def slopes(self, points: Points, seed: int, torus: Torus | None) -> tuple[Field, Slopes]:
        """See `Noise.slopes`: the change does its work on values and derivatives together."""
        field = derivatives.Dual.from_slopes(*self.source.slopes(points, seed, torus)).field
        self.change(field)
        return derivatives.split_parts(field, len(points))

    def gradient_plan(self, axes: Axes, seed: int) -> RowPlan:
        """See `Noise.gradient_plan`."""
        return gradient_plans.changed_plan([(self.source, seed)], axes, self.change)

    def plan(self, axes: Axes, seed: int) -> RowPlan:
        """See `Noise.plan`: the source's own, then the change."""
        source = self.source.plan(axes, seed)

        def rows(start: int, stop: int, out: Field) -> None:
            source(start, stop, out)
            run_in_blocks(len(out), out.shape[1], lambda part: self.change(out[part]))

        return rows
