# SPDX-License-Identifier: GPL-3.0-or-later
"""Sparse convolution noise: round blobs at random points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .. import sparse_convolution
from ..base import soft_limit
from ..base.arrays import Field
from ..base.params import cells_per_tile, choice
from ..base.torus import square_lattice
from .bases.impulse_noise import ImpulseNoise
from .bases.noise import noise_type

if TYPE_CHECKING:
    from ..base.torus import Torus
    from ..sparse_convolution.impulses import Impulses

_RADIUS = 2
"""Of blobs, in cells of the points: some sixteen reach a place in the plane, three of them well."""

_POINTS = 2.0
"""Points along a cell of the noise, which is as wide as a blob's radius."""


@noise_type("sparse_convolution", "Sparse Convolution", family="basic")
class SparseConvolution(ImpulseNoise):
    """Soft isotropic noise with no visible grid.

    Notes
    -----
    Each cell has four points, one anywhere in each quarter, with blobs as wide as the cell to either side. The expected value is the same
    everywhere, so that neither rows of cells nor directions show, as they do in value and Perlin noise. Points have two
    or three coordinates.

    The bounds: the sum has the standard deviation 0.3; from 1.5 on it is limited to 1, smoothly, as `soft_limit` says.

    References
    ----------
    John P. Lewis (1989). Algorithms for solid noise synthesis. SIGGRAPH.

    Examples
    --------
    >>> import numpy as np
    >>> from noise_core import Grid
    >>> from noise_core.noises import SparseConvolution
    >>> noise = SparseConvolution(frequency=8.0, kernel="bell")
    >>> field = noise.sample_grid(Grid(64, 64, wrap=True), seed=1)
    >>> low, high = noise.bounds()
    >>> bool(low <= field.min() < 0.0 < field.max() <= high)
    True
    """

    frequency: float = cells_per_tile()
    kernel: str = choice(
        "bell",
        help="Kernel around each point",
        options={
            "bell": "Soft blobs, large ones where several meet: clouds and stains",
            "hat": "Blobs with a rim of the other sign: grain of one size, with nothing coarser",
        },
    )

    def finest(self) -> float:
        """Return how many cells of the points lie along a tile."""
        return _POINTS * self.frequency

    def impulses(self, dimension: int, seed: int, torus: Torus | None) -> Impulses:
        """See `ImpulseNoise.impulses`."""
        lattice = square_lattice(_POINTS * self.frequency, torus)
        scale = soft_limit.TYPICAL / sparse_convolution.kernels.blob_deviation(
            self.kernel, _RADIUS, dimension
        )
        kernel = sparse_convolution.kernels.BellKernel(_RADIUS, self.kernel == "hat", scale)
        return sparse_convolution.impulses.Impulses(lattice, seed, kernel)

    def value_of(self, fields: Sequence[Field]) -> Field:
        """See `ImpulseNoise.value_of`."""
        return soft_limit.limit(fields[0])

    def partials_of(self, fields: Sequence[Field]) -> Sequence[Field]:
        """See `ImpulseNoise.partials_of`."""
        return [soft_limit.limit_slope(fields[0])]
