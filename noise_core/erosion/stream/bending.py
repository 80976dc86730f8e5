# SPDX-License-Identifier: GPL-3.0-or-later
"""Bent grids, which hide the eight directions of flow on coarse levels.

Water flows in eight directions. Valleys that a coarse level cuts along them would look like straight
rails on the finer levels. So each coarse level samples the land at points that are displaced randomly,
slightly and smoothly, and its result is resampled back.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...base.arrays import Field, Hash
from ...rasters.level import Level
from ...rasters.smoothing import smooth
from .between_samples import interpolate, linear, resample

_STRIDES = ((2,), (4, 4), (4, 8, 8))
"""Of the averages by (1, 2, 1) / 4 that make each of three fields of chance smooth, after which all
are averaged by `_COMMON`: Gaussians 2, 4 and 9 samples wide, so that bends of all sizes come."""

_COMMON = (1, 2)

_OF_ALL_SIZES = 2
"""Levels, from the coarsest, whose bends have all sizes. On finer ones rivers follow valleys that are there, and
wide bends would lead them elsewhere than a single step does that a finest level takes on its own grid."""

_SLANT = 0.2
"""Standard deviation of the slope of each of three sizes at full randomness: directions turn by some 20
degrees. A single size has the slope of all three."""

_STEEPEST = 0.8
"""Slope that a bend has at most: at 1 the grid would fold."""

_BITS = 5
"""Of a sample's chance, for each field: they are averaged over dozens of samples."""

_EASE = 0.1
"""Share of a bend that each sample further from a border has; there it is zero."""

_ROUNDS = 2
"""Of the iteration that turns a bend around; each leaves a quarter of the error, at first a quarter
of the bend."""


@dataclass(frozen=True)
class Bend:
    """Displacement of each sample of a level, in samples, along a column and along a row.

    Attributes
    ----------
    there : tuple of two ndarrays of shape (rows, columns), float32
        From a sample of the bent grid to its place on the land.
    back : tuple of two ndarrays of shape (rows, columns), float32
        From a sample on the land to its place on the bent grid.
    wrap : bool
        Whether edges meet; else borders are borders of the bent grid, too.
    """

    there: tuple[Field, Field]
    back: tuple[Field, Field]
    wrap: bool

    @classmethod
    def random(
        cls,
        level: Level,
        seed: int,
        randomness: float,
        number: int = 0,
        extent: BendExtent | None = None,
    ) -> Bend:
        """Return a random bend of a level.

        Parameters
        ----------
        level : Level
        seed : int
            Unsigned, 32 bits.
        randomness : float
            From 0, not bent, to 1.
        number : int
            Of the level, from the coarsest.
        extent : BendExtent, optional
            Of the whole level, if this is a part. Samples that then lie less than `BendExtent.reach` before edges
            that are no borders are bent back to another place.
        """
        across, along = _displacement(level, seed, randomness, number)
        scale = (extent or BendExtent.of((across, along))).scale
        if scale != 1.0:
            across *= np.float32(scale)
            along *= np.float32(scale)
        back = (-across, -along)
        for _ in range(_ROUNDS):
            # Linear interpolation suffices for smooth fields, and is much faster.
            there = interpolate((across, along), back, level.wrap, linear)
            back = (np.negative(there[0], out=there[0]), np.negative(there[1], out=there[1]))
        return cls((across, along), back, level.wrap)

    def bend(self, field: Field) -> Field:
        """Resample a field of the land on the bent grid."""
        return resample(field, self.there, self.wrap)

    def straighten(self, field: Field) -> Field:
        """Resample a field of the bent grid on the land."""
        return resample(field, self.back, self.wrap)


@dataclass(frozen=True)
class BendExtent:
    """Extent of the displacement of a level if it were allowed to fold.

    Attributes
    ----------
    steepest : float
        The largest difference of two neighbors, without those across edges that meet.
    furthest : float
        The largest displacement along an axis, in samples.
    """

    steepest: float
    furthest: float

    @classmethod
    def measure(cls, level: Level, seed: int, randomness: float, number: int = 0) -> BendExtent:
        """Return the extent of a level's bend; see `Bend.random`."""
        return cls.of(_displacement(level, seed, randomness, number))

    @classmethod
    def of(cls, fields: tuple[Field, Field]) -> BendExtent:
        """Return the extent of displacements along a column and along a row."""
        furthest = max(float(np.abs(field).max()) for field in fields)
        return cls(max(map(_steepest, fields)), furthest)

    def join(self, further: BendExtent) -> BendExtent:
        """Return the extent of two parts together."""
        return BendExtent(
            max(self.steepest, further.steepest), max(self.furthest, further.furthest)
        )

    @property
    def scale(self) -> float:
        """Factor of displacements that keeps the grid from folding."""
        return _STEEPEST / self.steepest if self.steepest > _STEEPEST else 1.0

    @property
    def reach(self) -> int:
        """Samples around one that its bent value depends on: cubic interpolation takes two more."""
        return math.floor(self.furthest * self.scale * (1.0 + 1e-6)) + 2


def _displacement(level: Level, seed: int, randomness: float, number: int) -> tuple[Field, Field]:
    """Return random displacements along a column and along a row, however steep."""
    sizes = _STRIDES if number < _OF_ALL_SIZES else _STRIDES[:1]
    margin = 0 if level.wrap else sum(_COMMON) + max(map(sum, sizes))
    chance = level.random_bits(-margin, level.rows + margin, seed, margin)
    inside = tuple(slice(margin, margin + count) for count in level.shape)
    across, along = (
        _random_waves(chance, axis * len(_STRIDES), sizes, level.wrap)[inside]
        * np.float32(_SLANT * math.sqrt(len(_STRIDES) / len(sizes)) * randomness)
        for axis in (0, 1)
    )
    if not level.is_round:
        across *= _edge_ramp(level, 0)[:, np.newaxis]
        along *= _edge_ramp(level, 1)
    return across, along


def _random_waves(chance: Hash, first: int, sizes: Sequence[tuple[int, ...]], wrap: bool) -> Field:
    """Return smooth random displacements, with slopes of standard deviation 1 for each size."""
    total: Field | None = None
    for number, strides in reversed(list(enumerate(sizes))):
        bits = (chance >> np.uint32(_BITS * (first + number))) & np.uint32((1 << _BITS) - 1)
        field = bits.view(np.int32).astype(np.float32)
        field -= np.float32(((1 << _BITS) - 1) / 2)
        width = math.sqrt(sum(stride * stride for stride in (*_COMMON, *strides)) / 2)
        # White noise that a Gaussian averages keeps 1 / (2 sqrt(pi) width) of its deviation.
        deviation = math.sqrt((4**_BITS - 1) / 12) / (2.0 * math.sqrt(math.pi) * width)
        field *= np.float32(width / deviation)
        for stride in strides:
            field = smooth(field, stride, wrap)
        total = field if total is None else total + field
    assert total is not None
    for stride in _COMMON:
        total = smooth(total, stride, wrap)
    return total


def _steepest(field: Field) -> float:
    """Return the largest difference of two neighbors, without those across edges that meet."""
    return max(float(np.abs(np.diff(field, axis=axis)).max(initial=0.0)) for axis in (0, 1))


def _edge_ramp(level: Level, axis: int) -> Field:
    """Return a ramp from 0 at both ends of a line of the whole level to 1 inside."""
    place = np.arange(level.whole_shape[axis], dtype=np.float32)
    ramp = np.minimum(np.minimum(place, place[::-1]) * np.float32(_EASE), np.float32(1.0))
    return ramp[level.begin[axis] : level.begin[axis] + level.shape[axis]]
