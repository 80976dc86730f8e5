# SPDX-License-Identifier: GPL-3.0-or-later
"""Gabor and phasor noise: waves of one length, in one direction or in many."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from .. import sparse_convolution
from ..base import soft_limit
from ..base.arrays import Field
from ..base.elementary import circle, cosine_sine_of, direction
from ..base.params import bearing, choice, number
from ..base.torus import inverse, square_lattice
from .bases.impulse_noise import ImpulseNoise
from .bases.noise import noise_type

if TYPE_CHECKING:
    from ..base.torus import Lattice, Torus
    from ..sparse_convolution.impulses import Impulses

_RADIUS = {2: 3, 3: 2}
"""Of kernels, in cells, by the number of coordinates: seven kernels count at a place in the plane, five in space."""

_GOLDEN_TURN = 222.49223594996216
"""Degrees: 360 over the golden ratio, by which directions around an axis never meet again."""

_SMALLEST = np.float32(1e-12)
"""Keeps the derivative of a phase finite where both its fields are 0."""


@noise_type("gabor", "Gabor", family="basic")
class Gabor(ImpulseNoise):
    """Random wave packets of one length, along one direction, a spread, or all around.

    As Gabor noise their height comes and goes: brushed metal, wood, water, skin. As phasor noise only their phase is kept
    and has a profile, at full height everywhere: ripples of sand, corrugation, grooves, fingerprints.

    Notes
    -----
    A wave under a bell stands around a random point of each cell of a lattice. The spectrum lies around `frequency`;
    there it is `bandwidth` times as wide at half its height. Points have two or three coordinates. In three the
    spread is that around an axis in the plane of x and y.

    The bounds: the sum has the standard deviation 0.3; from 1.5 on it is limited to 1, smoothly, as `soft_limit`
    says. Profiles reach from -1 to 1. Where the height of the sum is 0 its phase jumps: there bands of phasor noise
    join and end.

    On a wrapping grid the points close; directions and lengths of waves stay as asked.

    References
    ----------
    Lagae, Lefebvre, Drettakis, Dutre (2009). Procedural noise using sparse Gabor convolution. SIGGRAPH.
    Tricard, Efremov, Zanni, Neyret, Martinez, Lefebvre (2019). Procedural phasor noise. SIGGRAPH.

    Examples
    --------
    >>> import numpy as np
    >>> from noise_core import Grid
    >>> from noise_core.noises import Gabor

    Ripples whose crests lie across the x axis change along x and hardly along y:

    >>> ripples = Gabor(frequency=16.0, direction=0.0, spread=0.0)
    >>> field = ripples.sample_grid(Grid(128, 128, wrap=True), seed=1)
    >>> along_y, along_x = (float(np.abs(np.diff(field, axis=axis)).mean()) for axis in (0, 1))
    >>> along_x > 2.0 * along_y
    True
    """

    frequency: float = number(
        16.0,
        help="Waves per tile",
        minimum=1e-4,
        maximum=1e6,
        soft_minimum=1.0,
        soft_maximum=128.0,
        unit="frequency",
    )
    profile: str = choice(
        "gabor",
        help="Profile of the waves",
        options={
            "gabor": "Gabor noise: their sum, whose height comes and goes",
            "sine": "Phasor noise: round waves of full height, as ripples",
            "triangle": "Phasor noise: straight up and straight down, as roofs",
            "saw": "Phasor noise: slowly up and down at once, as scales and steps",
            "square": "Phasor noise: either high or low, as grooves and stripes",
        },
    )
    direction: float = bearing(0.0, help="Direction of the waves")
    spread: float = number(
        0.1,
        help="Spread of the directions: 0 is one direction, 1 all directions",
        minimum=0.0,
        maximum=1.0,
        unit="factor",
    )
    bandwidth: float = number(
        0.4,
        help="Variation of wave lengths relative to the frequency; low makes even trains",
        minimum=0.05,
        maximum=2.0,
        soft_minimum=0.1,
        soft_maximum=1.0,
    )

    def finest(self) -> float:
        """Return how many waves, or cells with a kernel, lie along a tile."""
        return max(self.frequency, *(self._cells(dimension) for dimension in _RADIUS))

    def impulses(self, dimension: int, seed: int, torus: Torus | None) -> Impulses:
        """See `ImpulseNoise.impulses`."""
        lattice = square_lattice(self._cells(dimension), torus)
        radius = _RADIUS[dimension]
        kernel = sparse_convolution.kernels.WaveKernel(
            radius,
            1 if self.profile == "gabor" else 2,
            self._waves(lattice, dimension),
            soft_limit.TYPICAL / sparse_convolution.kernels.wave_deviation(radius, dimension),
        )
        return sparse_convolution.impulses.Impulses(lattice, seed, kernel)

    def value_of(self, fields: Sequence[Field]) -> Field:
        """See `ImpulseNoise.value_of`."""
        if self.profile == "gabor":
            return soft_limit.limit(fields[0])
        cosine, sine = fields
        if self.profile == "square":
            return np.copysign(np.float32(1.0), sine)
        if self.profile == "sine":
            length = cosine * cosine
            length += sine * sine
            length += _SMALLEST
            np.sqrt(length, out=length)
            return sine / length
        turns = direction(sine, cosine)
        turns *= np.float32(1.0 / 360.0)
        if self.profile == "saw":
            turns *= np.float32(2.0)
            turns -= np.float32(1.0)
            return turns
        # 0 and rising where the phase begins, as a sine.
        turns += np.float32(0.25)
        turns -= np.floor(turns)
        turns -= np.float32(0.5)
        np.abs(turns, out=turns)
        turns *= np.float32(-4.0)
        turns += np.float32(1.0)
        return turns

    def partials_of(self, fields: Sequence[Field]) -> Sequence[Field]:
        """See `ImpulseNoise.partials_of`."""
        if self.profile == "gabor":
            return [soft_limit.limit_slope(fields[0])]
        cosine, sine = fields
        energy = cosine * cosine
        energy += sine * sine
        energy += _SMALLEST
        if self.profile == "square":
            slope = np.zeros(cosine.shape, np.float32)
        elif self.profile == "sine":
            slope = cosine / np.sqrt(energy)
        else:
            rise = 2.0 if self.profile == "saw" else 4.0
            slope = np.full(cosine.shape, rise / (2.0 * math.pi), np.float32)
            if self.profile == "triangle":
                np.copysign(slope, cosine, out=slope)
        slope /= energy
        return [-sine * slope, cosine * slope]

    def _cells(self, dimension: int) -> float:
        """Return the cells along a tile: a kernel is as wide as the bandwidth says."""
        return (
            _RADIUS[dimension]
            * self.frequency
            * self.bandwidth
            / (2.0 * sparse_convolution.kernels.HALF_WIDTH)
        )

    def _waves(self, lattice: Lattice, dimension: int) -> tuple[Field, ...]:
        """Return the wave vectors to choose from in turns per cell."""
        turned = _directions(self.direction, self.spread, dimension) * self.frequency
        (xx, xy), (yx, yy) = inverse(lattice.matrix)
        x, y = turned[:2]
        plane = [x * xx + y * yx, x * xy + y * yy]
        further = [axis / lattice.frequency for axis in turned[2:]]
        return tuple(np.asarray(axis, np.float32) for axis in (*plane, *further))


@functools.lru_cache(maxsize=16)
def _directions(direction: float, spread: float, dimension: int) -> npt.NDArray[np.float64]:
    """Return unit vectors evenly spread around a direction: shape (dimension, DIRECTIONS)."""
    share: npt.NDArray[np.float64] = (
        np.arange(sparse_convolution.kernels.DIRECTIONS, dtype=np.float64) + 0.5
    ) / sparse_convolution.kernels.DIRECTIONS
    if dimension == 2:
        return circle(direction + 180.0 * spread * (share - 0.5))
    # On a cap of the sphere, as seeds on a sunflower.
    end = cosine_sine_of(90.0 * spread)[0]
    along = 1.0 - share * (1.0 - end)
    beside = np.sqrt(1.0 - along * along)
    turns = np.arange(sparse_convolution.kernels.DIRECTIONS, dtype=np.float64) * _GOLDEN_TURN
    up, side = circle(turns) * beside
    cosine, sine = cosine_sine_of(direction)
    return np.stack([cosine * along - sine * side, sine * along + cosine * side, up])
