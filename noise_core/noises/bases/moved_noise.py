# SPDX-License-Identifier: GPL-3.0-or-later
"""A noise moved aside along all axes, as warps take copies of their displacement."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from ...base.arrays import Field, Points
from ...base.declared import declared_type
from ...base.grid import Axes
from ...base.params import noise, vector
from ...lattice import affine as affinity
from . import mapped_noise
from .noise import Noise, default_noise

if TYPE_CHECKING:
    from ...base.derivatives import Slopes
    from ...base.plans import RowPlan
    from ...base.torus import Torus
    from ...lattice.affine import Offset
    from ...lattice.lattice_terms import LatticeTerm, SlopeTerms
    from .mapped_noise import MappedNoise


@declared_type
class MovedNoise(Noise):
    """Another noise, taken at points that are moved by an offset.

    Not a registered type: it is part of other noises alone.
    """

    key: ClassVar[str] = "moved"
    label: ClassVar[str] = "Moved"
    family = "domain"

    source: Noise = noise(default_noise, help="The noise to move")
    offset: tuple[float, ...] = vector((0.0,) * 4, help="Added to the points, in tiles")

    @classmethod
    def wrap(cls, source: Noise, offset: Offset) -> Noise:
        """Return the source moved by an offset; the source itself if that is 0."""
        return cls(source=source, offset=offset) if any(offset) else source

    def bounds(self) -> tuple[float, float]:
        """Return those of the source."""
        return self.source.bounds()

    def third_derivative(self) -> float:
        """See `Noise.third_derivative`."""
        return self.source.third_derivative()

    @property
    def has_short_calls(self) -> bool:
        """See `Noise.has_short_calls`."""
        return self.source.has_short_calls

    def values(self, points: Points, seed: int, torus: Torus | None) -> Field:
        """See `Noise.values`."""
        return self._mapped.values(points, seed, torus)

    def sample_seeds(
        self, points: Points, seeds: Sequence[int], torus: Torus | None
    ) -> list[Field]:
        """See `Noise.sample_seeds`."""
        return self._mapped.sample_seeds(points, seeds, torus)

    def slopes(self, points: Points, seed: int, torus: Torus | None) -> tuple[Field, Slopes]:
        """See `Noise.slopes`."""
        return self._mapped.slopes(points, seed, torus)

    def parts(self, seed: int) -> Sequence[tuple[Noise, int]]:
        """See `Noise.parts`: those of the source, each moved."""
        parts = self.source.parts(seed)
        return [(dataclasses.replace(self, source=part), part_seed) for part, part_seed in parts]

    def join(self, fields: Sequence[Field]) -> None:
        """See `Noise.join`."""
        self.source.join(fields)

    def plan(self, axes: Axes, seed: int) -> RowPlan:
        """See `Noise.plan`."""
        return self._mapped.plan(axes, seed)

    def seeds_plan(self, axes: Axes, seeds: Sequence[int]) -> RowPlan:
        """See `Noise.seeds_plan`."""
        return self._mapped.seeds_plan(axes, seeds)

    def terms(self, axes: Axes, seeds: Sequence[int]) -> Sequence[LatticeTerm] | None:
        """See `Noise.terms`."""
        return self._mapped.terms(axes, seeds)

    def slope_terms(self, axes: Axes, seed: int) -> SlopeTerms | None:
        """See `Noise.slope_terms`."""
        return self._mapped.slope_terms(axes, seed)

    def gradient_plan(self, axes: Axes, seed: int) -> RowPlan:
        """See `Noise.gradient_plan`."""
        return self._mapped.gradient_plan(axes, seed)

    @property
    def _mapped(self) -> MappedNoise:
        x, y, z, w = self.offset
        affine = affinity.Affine(((1.0, 0.0), (0.0, 1.0)), 1.0, (x, y, z, w))
        return mapped_noise.MappedNoise(self.source, affine)
