# SPDX-License-Identifier: GPL-3.0-or-later
"""Bent grids, which hide the eight directions of flow on coarse levels.

Water flows in eight directions. Valleys that a coarse level cuts along them would look like straight
rails on the finer levels. So each coarse level samples the land at points that are displaced randomly,
slightly and smoothly, and its result is resampled back.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ...base import blocks
from ...base.arrays import Field, Hash
from ...rasters.smoothing import smooth
from ...types.level import Level

_STRIDES = ((2,), (4, 4), (4, 8, 8))
"""Of the averages by (1, 2, 1) / 4 that make each of three fields of chance smooth, after which all
are averaged by `_COMMON`: Gaussians 2, 4 and 9 samples wide, so that bends of all sizes come."""

_COMMON = (1, 2)

_SLANT = 0.2
"""Standard deviation of the slope of each of them at full randomness: directions turn by some 20
degrees."""

_STEEPEST = 0.8
"""Slope that a bend has at most: at 1 the grid would fold."""

_BITS = 5
"""Of a sample's chance, for each field: they are averaged over dozens of samples."""

_EASE = 0.1
"""Share of a bend that each sample further from a border has; there it is zero."""

_ROUNDS = 2
"""Of the iteration that turns a bend around; each leaves a quarter of the error, at first a quarter
of the bend."""

_SAMPLES_PER_BLOCK = 1 << 14
"""Sampled at once: a block and its temporaries stay in the cache."""

_Weights = Callable[[Field], list[tuple[int, Field]]]
"""Gives the samples around a place, and their weights, by how far it lies beyond one."""


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
    def random(cls, level: Level, seed: int, randomness: float) -> Bend:
        """Return a random bend of a level.

        Parameters
        ----------
        level : Level
        seed : int
            Unsigned, 32 bits.
        randomness : float
            From 0, not bent, to 1.
        """
        margin = 0 if level.wrap else sum(_COMMON) + max(map(sum, _STRIDES))
        chance = level.random_bits(-margin, level.rows + margin, seed, margin)
        inside = tuple(slice(margin, margin + count) for count in level.shape)
        across, along = (
            _random_waves(chance, axis * len(_STRIDES), level.wrap)[inside]
            * np.float32(_SLANT * randomness)
            for axis in (0, 1)
        )
        if not level.wrap:
            across *= _edge_ramp(level.rows)[:, np.newaxis]
            along *= _edge_ramp(level.columns)
        steepest = max(_steepest(across), _steepest(along))
        if steepest > _STEEPEST:
            across *= np.float32(_STEEPEST / steepest)
            along *= np.float32(_STEEPEST / steepest)
        back = (-across, -along)
        for _ in range(_ROUNDS):
            back = (
                -_resample_linear(across, back, level.wrap),
                -_resample_linear(along, back, level.wrap),
            )
        return cls((across, along), back, level.wrap)

    def bend(self, field: Field) -> Field:
        """Resample a field of the land on the bent grid."""
        return resample(field, self.there, self.wrap)

    def straighten(self, field: Field) -> Field:
        """Resample a field of the bent grid on the land."""
        return resample(field, self.back, self.wrap)


def _random_waves(chance: Hash, first: int, wrap: bool) -> Field:
    """Return smooth random displacements, with slopes of standard deviation 1 for each size."""
    total: Field | None = None
    for number in reversed(range(len(_STRIDES))):
        own = (chance >> np.uint32(_BITS * (first + number))) & np.uint32((1 << _BITS) - 1)
        field = own.view(np.int32).astype(np.float32)
        field -= np.float32(((1 << _BITS) - 1) / 2)
        strides = _STRIDES[number]
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


def _edge_ramp(count: int) -> Field:
    """Return a ramp from 0 at both ends of a line to 1 inside."""
    place = np.arange(count, dtype=np.float32)
    return np.minimum(np.minimum(place, place[::-1]) * np.float32(_EASE), np.float32(1.0))


def resample(field: Field, offsets: tuple[Field, Field], wrap: bool) -> Field:
    """Return a field at places beside its samples, by cubic interpolation (Catmull & Rom 1974).

    Parameters
    ----------
    field : ndarray of shape (rows, columns), float32
    offsets : tuple of two ndarrays of that shape, float32
        In samples, along a column and along a row.
    wrap : bool
        Whether edges meet; else places beyond the border are those on it.
    """
    return _interpolate(field, offsets, wrap, _cubic)


def _resample_linear(field: Field, offsets: tuple[Field, Field], wrap: bool) -> Field:
    """Resample by linear interpolation, which suffices for smooth fields and is much faster."""
    return _interpolate(field, offsets, wrap, _linear)


def _cubic(t: Field) -> list[tuple[int, Field]]:
    half, one, rest = np.float32(0.5), np.float32(1.0), np.float32(1.0) - t
    outer = t * rest * -half
    before, after = outer * rest, outer * t
    # All weights add up to 1, and their mean place is that of the sample.
    inner = t + before - after - after
    return [(-1, before), (0, one - inner - before - after), (1, inner), (2, after)]


def _linear(t: Field) -> list[tuple[int, Field]]:
    return [(0, np.float32(1.0) - t), (1, t)]


def _interpolate(
    field: Field, offsets: tuple[Field, Field], wrap: bool, weights: _Weights
) -> Field:
    rows, columns = field.shape
    # A rim, so that all samples around a place lie fixed distances apart in memory.
    rim = np.pad(field, (1, 2), mode="wrap" if wrap else "edge")
    flat, width = rim.reshape(-1), rim.shape[1]
    result = np.empty_like(field)

    def work(start: int, stop: int) -> None:
        blocks.checkpoint()
        row, across = _places(offsets[0][start:stop], start, 0, rows, wrap)
        place, along = _places(offsets[1][start:stop], 0, 1, columns, wrap)
        row *= width
        place += row
        beside = weights(along)
        total = result[start:stop]
        total[:] = 0.0
        for down, share in weights(across):
            line = np.zeros_like(total)
            for right, weight in beside:
                part = flat[(down + 1) * width + right + 1 :].take(place)
                part *= weight
                line += part
            line *= share
            total += line

    blocks.run(work, rows, max(1, _SAMPLES_PER_BLOCK // columns))
    return result


def _places(
    offset: Field, start: int, axis: int, count: int, wrap: bool
) -> tuple[npt.NDArray[np.intp], Field]:
    """Return the samples before some places along an axis, and how far beyond them these lie."""
    base = np.floor(offset)
    place = base.astype(np.intp)
    index = np.arange(start, start + offset.shape[axis], dtype=np.intp)
    place += index if axis == 1 else index[:, np.newaxis]
    if wrap:
        place %= count
    else:
        np.clip(place, 0, count - 1, out=place)
    return place, offset - base
