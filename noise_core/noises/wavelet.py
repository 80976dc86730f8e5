# SPDX-License-Identifier: GPL-3.0-or-later
"""Wavelet noise: one octave of frequencies, and nothing coarser."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ..base import soft_limit
from ..base.arrays import Field, Points
from ..base.grid import Axes
from ..base.params import cells_per_tile
from ..base.plans import run_in_blocks
from ..lattice import random_splines, spline_wavelets
from .bases.noise import Noise, noise_type

if TYPE_CHECKING:
    from ..base.derivatives import Slopes
    from ..base.plans import RowPlan
    from ..base.torus import Torus
    from ..lattice.random_splines import RandomSpline

_VALUE, _ALONG, _ACROSS = (False, False), (True, False), (False, True)
"""Whether to take the derivative along x and along y."""


@noise_type("wavelet", "Wavelet", family="basic")
class Wavelet(Noise):
    """Even grain of one octave, with features of one to two cells.

    Each octave of a fractal of it has waves that no other octave has, and where the finest ones are left out nothing of
    them shows as flicker.

    Notes
    -----
    A quadratic spline with random coefficients, two to a cell along either axis, without the part that splines of half
    as many can hold. Of its energy 82 % lie between half a wave and one wave a cell, less than 0.1 % below
    a quarter and above two. That is true in the plane alone, for which it is made: a plane through such noise in
    space would not be free of coarser waves. Points have two coordinates.

    The bounds: the spline has the standard deviation 0.3; from 1.5 on it is limited to 1, smoothly, as `soft_limit` says.

    Points that lie near each other share coefficients. A point that lies alone takes some hundred times as long.

    References
    ----------
    Robert L. Cook, Tony DeRose (2005). Wavelet noise. SIGGRAPH.

    Examples
    --------
    >>> import numpy as np
    >>> from noise_core import Grid
    >>> from noise_core.noises import Wavelet
    >>> grain = Wavelet(frequency=16.0)
    >>> field = grain.sample_grid(Grid(128, 128, wrap=True), seed=1)

    One octave alone averages out over a few cells:

    >>> coarse = field.reshape(4, 32, 4, 32).mean(axis=(1, 3))
    >>> bool(np.abs(coarse).max() < 0.1 * np.abs(field).max())
    True
    """

    dimensions: ClassVar[tuple[int, ...]] = (2,)

    frequency: float = cells_per_tile()

    def finest(self) -> float:
        """Return how many steps of the spline lie along a tile."""
        return 2.0 * self.frequency

    def values(self, points: Points, seed: int, torus: Torus | None) -> Field:
        """See `Noise.values`."""
        (spline,) = self._spline(seed, torus).at_points(points, [_VALUE])
        return soft_limit.limit(spline)

    def slopes(self, points: Points, seed: int, torus: Torus | None) -> tuple[Field, Slopes]:
        """See `Noise.slopes`: those of the splines."""
        random = self._spline(seed, torus)
        spline, along, across = random.at_points(points, [_VALUE, _ALONG, _ACROSS])
        bend = soft_limit.limit_slope(spline)
        (xx, xy), (yx, yy) = random.lattice.matrix
        slopes = (
            bend * (along * np.float32(xx) + across * np.float32(yx)),
            bend * (along * np.float32(xy) + across * np.float32(yy)),
        )
        return soft_limit.limit(spline), slopes

    @property
    def has_short_calls(self) -> bool:
        """See `Noise.has_short_calls`."""
        return True

    def plan(self, axes: Axes, seed: int) -> RowPlan:
        """See `Noise.plan`: a sum of vectors where the lattice is aligned with the grid."""
        splines = self._spline(seed, axes.torus)
        if not splines.can_serve(axes):
            return super().plan(axes, seed)
        write = splines.grid_plan(axes, _VALUE)

        def rows(start: int, stop: int, out: Field) -> None:
            write(start, stop, out[np.newaxis])
            run_in_blocks(len(out), out.shape[1], lambda part: _limit(out[part]))

        return rows

    def gradient_plan(self, axes: Axes, seed: int) -> RowPlan:
        """See `Noise.gradient_plan`."""
        splines = self._spline(seed, axes.torus)
        if not splines.can_serve(axes):
            return super().gradient_plan(axes, seed)
        value, *slopes = (splines.grid_plan(axes, by) for by in (_VALUE, _ALONG, _ACROSS))
        (across, _), (_, along) = splines.lattice.matrix

        def rows(start: int, stop: int, out: Field) -> None:
            spline = np.empty((1, *out.shape[1:]), np.float32)
            value(start, stop, spline)
            bend = soft_limit.limit_slope(spline)
            for plan, cells, slope in zip(slopes, (across, along), out):
                plan(start, stop, slope[np.newaxis])
                slope *= bend[0]
                slope *= np.float32(cells)

        return rows

    def _spline(self, seed: int, torus: Torus | None) -> RandomSpline:
        lattice = spline_wavelets.fine_lattice(self.frequency, torus)
        return random_splines.RandomSpline(lattice, seed, soft_limit.TYPICAL)


def _limit(field: Field) -> None:
    soft_limit.limit(field)
