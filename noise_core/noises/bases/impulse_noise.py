# SPDX-License-Identifier: GPL-3.0-or-later
"""Base of noises that are sums of kernels around random points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ... import sparse_convolution
from ...base.arrays import Field, Points, flatten_points
from ...base.declared import declared_type
from ...base.grid import Axes
from ...base.plans import RowPlan, run_in_blocks
from .noise import Noise

if TYPE_CHECKING:
    from ...base.derivatives import Slopes
    from ...base.torus import Torus
    from ...sparse_convolution.impulses import Impulses


@declared_type
class ImpulseNoise(Noise):
    """Base of noises that make their value of one or two sums of kernels."""

    dimensions: ClassVar[tuple[int, ...]] = (2, 3)

    def impulses(self, dimension: int, seed: int, torus: Torus | None) -> Impulses:
        """Return the impulses for points with so many coordinates."""
        raise NotImplementedError(f"{type(self).__name__} has no impulses()")

    def value_of(self, fields: Sequence[Field]) -> Field:
        """Return the noise of the sums, which may be overwritten."""
        raise NotImplementedError(f"{type(self).__name__} has no value_of()")

    def partials_of(self, fields: Sequence[Field]) -> Sequence[Field]:
        """Return the derivatives of the noise by each of the sums."""
        raise NotImplementedError(f"{type(self).__name__} has no partials_of()")

    def values(self, points: Points, seed: int, torus: Torus | None) -> Field:
        """See `Noise.values`."""
        flat, shape = flatten_points(points)
        impulses = self.impulses(len(points), seed, torus)
        (fields,) = sparse_convolution.kernel_sums.sum_kernels(impulses, flat, (None,))
        return self.value_of(fields).reshape(shape)

    def slopes(self, points: Points, seed: int, torus: Torus | None) -> tuple[Field, Slopes]:
        """See `Noise.slopes`: every kernel has its own."""
        flat, shape = flatten_points(points)
        impulses = self.impulses(len(points), seed, torus)
        fields, *steep = sparse_convolution.kernel_sums.sum_kernels(
            impulses, flat, (None, *range(len(points)))
        )
        partials = self.partials_of(fields)
        (xx, xy), (yx, yy) = impulses.lattice.matrix
        along, across = (_chain(partials, slopes) for slopes in steep[:2])
        slopes = [
            along * np.float32(xx) + across * np.float32(yx),
            along * np.float32(xy) + across * np.float32(yy),
        ]
        further = np.float32(impulses.lattice.frequency)
        slopes += [_chain(partials, steepness) * further for steepness in steep[2:]]
        return self.value_of(fields).reshape(shape), tuple(slope.reshape(shape) for slope in slopes)

    @property
    def has_short_calls(self) -> bool:
        """See `Noise.has_short_calls`."""
        return True

    def plan(self, axes: Axes, seed: int) -> RowPlan:
        """See `Noise.plan`: matrix products where the lattice is aligned with the grid."""
        impulses = self.impulses(2 + len(axes.rest), seed, axes.torus)
        if not sparse_convolution.kernel_sums.can_serve(impulses, axes):
            return super().plan(axes, seed)
        sums = sparse_convolution.kernel_sums.GridSums(impulses, axes)

        def rows(start: int, stop: int, out: Field) -> None:
            def work(part: slice) -> None:
                fields = np.empty((impulses.kernel.fields, *out[part].shape), np.float32)
                sums.rows(start + part.start, start + part.stop, fields)
                out[part] = self.value_of(list(fields))

            run_in_blocks(len(out), out.shape[1], work)

        return rows

    def gradient_plan(self, axes: Axes, seed: int) -> RowPlan:
        """See `Noise.gradient_plan`: matrix products with the derivatives of the kernels."""
        impulses = self.impulses(2 + len(axes.rest), seed, axes.torus)
        if not sparse_convolution.kernel_sums.can_serve(impulses, axes):
            return super().gradient_plan(axes, seed)
        sums = [sparse_convolution.kernel_sums.GridSums(impulses, axes, by) for by in (None, 0, 1)]
        (across, _), (_, along) = impulses.lattice.matrix

        def rows(start: int, stop: int, out: Field) -> None:
            def work(part: slice) -> None:
                shape = (len(sums), impulses.kernel.fields, *out[0, part].shape)
                fields = np.empty(shape, np.float32)
                for total, field in zip(sums, fields):
                    total.rows(start + part.start, start + part.stop, field)
                partials = self.partials_of(fields[0])
                for slope, steep, cells in zip(out, fields[1:], (across, along)):
                    np.multiply(_chain(partials, steep), np.float32(cells), out=slope[part])

            run_in_blocks(out.shape[1], out.shape[2], work)

        return rows


def _chain(partials: Sequence[Field], slopes: Sequence[Field]) -> Field:
    """Return the derivative of a function of some fields."""
    total = partials[0] * slopes[0]
    for partial, slope in zip(partials[1:], slopes[1:]):
        total += partial * slope
    return total
