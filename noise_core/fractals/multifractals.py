# SPDX-License-Identifier: GPL-3.0-or-later
"""Multifractals, whose octaves depend on each other: rough heights, smooth lowlands.

References
----------
F. Kenton Musgrave (1993). Methods for realistic landscape imaging. PhD thesis, Yale.
Ebert, Musgrave, Peachey, Perlin, Worley (2003). Texturing and modeling, chapter 16.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from ..base.arrays import Field
from ..base.intervals import Interval, times
from .sums import Kind, Mix

_USUAL_FOLD = 0.25
"""What |n| is where an octave is left out: about its mean with Perlin noise (value noise has 0.42,
simplex 0.47)."""


class Ridged(Kind):
    """Musgrave's ridged multifractal: sharp crests, detail where it is high already."""

    has_weighted_strength = False

    def combine(self, octaves: Iterator[Field], mix: Mix) -> Field:
        """Return the sum of (offset - |n|)^2, each weighted by the one before, in [-1, 1].

        An octave that is left out counts with a usual |n|, so that the ground keeps its height.
        """
        total: Field | None = None
        weight: Field | None = None
        for octave, amplitude, present in zip(octaves, mix.amplitudes, mix.present):
            signal = np.abs(_to_unit(octave, mix, 1.0), out=octave)
            if present < 1.0:
                signal *= np.float32(present)
                signal += np.float32((1.0 - present) * _USUAL_FOLD)
            np.subtract(np.float32(mix.offset), signal, out=signal)
            np.multiply(signal, signal, out=signal)
            if weight is not None:
                signal *= weight
            part = signal * np.float32(amplitude)
            total = part if total is None else np.add(total, part, out=total)
            # A new array: the caller may reuse the octave's memory for the next one.
            weight = np.clip(signal * np.float32(mix.gain), 0.0, 1.0)
        if total is None:
            raise ValueError("a fractal needs at least one octave")
        largest = max(mix.offset**2, (1.0 - mix.offset) ** 2) * sum(mix.amplitudes)
        total *= np.float32(2.0 / largest)
        total -= np.float32(1.0)
        return total

    def bounds(self, source: Interval, mix: Mix) -> Interval:
        """Return [-1, 1]."""
        return (-1.0, 1.0)


class _Factors(Kind):
    """Kinds whose value is a product or a nested product, rescaled from its interval to [-1, 1].

    An octave that is left out counts as 0, which is the mean of most noises: the ground keeps its
    height when a coarse grid drops fine octaves, and the value stays within the same interval.
    """

    has_weighted_strength = False

    def raw(self, octaves: Iterator[Field], mix: Mix) -> Field:
        """Return the value before it is rescaled."""
        raise NotImplementedError

    def raw_bounds(self, mix: Mix) -> Interval:
        """Return the interval of `raw` for octaves in [-1, 1]."""
        raise NotImplementedError

    def combine(self, octaves: Iterator[Field], mix: Mix) -> Field:
        """Return `raw`, rescaled by its analytic interval."""
        low, high = self.raw_bounds(mix)
        value = self.raw(octaves, mix)
        if high <= low:
            return np.zeros(value.shape, np.float32)
        value -= np.float32(low)
        value *= np.float32(2.0 / (high - low))
        value -= np.float32(1.0)
        return value

    def bounds(self, source: Interval, mix: Mix) -> Interval:
        """Return [-1, 1]."""
        return (-1.0, 1.0)


class Multifractal(_Factors):
    """A product of octaves: smooth lowlands, rough heights."""

    def raw(self, octaves: Iterator[Field], mix: Mix) -> Field:
        """Return the product of (offset + amplitude n), each divided by its largest value."""
        total: Field | None = None
        for octave, amplitude, present in zip(octaves, mix.amplitudes, mix.present):
            largest = (mix.offset + amplitude) or 1.0
            octave *= np.float32(amplitude * present * mix.source_scale / largest)
            octave += np.float32(mix.offset / largest)
            total = octave.copy() if total is None else np.multiply(total, octave, out=total)
        if total is None:
            raise ValueError("a fractal needs at least one octave")
        return total

    def raw_bounds(self, mix: Mix) -> Interval:
        """Return the product of the intervals."""
        interval = (1.0, 1.0)
        for amplitude in mix.amplitudes:
            largest = (mix.offset + amplitude) or 1.0
            interval = times(interval, ((mix.offset - amplitude) / largest, 1.0))
        return interval


class HybridMultifractal(_Factors):
    """Each octave weighted by the sum so far: flat valleys, jagged peaks."""

    def raw(self, octaves: Iterator[Field], mix: Mix) -> Field:
        """Return the sum of weighted (n + offset)."""
        total: Field | None = None
        weight: Field | None = None
        for octave, amplitude, present in zip(octaves, mix.amplitudes, mix.present):
            octave = _to_unit(octave, mix, present)
            octave += np.float32(mix.offset)
            octave *= np.float32(amplitude)
            if total is None or weight is None:
                total = octave.copy()
                weight = np.clip(octave * np.float32(mix.gain), 0.0, 1.0)
                continue
            total += octave * weight
            weight *= octave
            weight *= np.float32(mix.gain)
            np.clip(weight, 0.0, 1.0, out=weight)
        if total is None:
            raise ValueError("a fractal needs at least one octave")
        return total

    def raw_bounds(self, mix: Mix) -> Interval:
        """Return the first octave's interval plus the most that weights in [0, 1] may add."""
        low, high = mix.offset - 1.0, mix.offset + 1.0
        remaining = math.fsum(mix.amplitudes[1:])
        return (low + min(low, 0.0) * remaining, high + max(high, 0.0) * remaining)


class HeterogeneousTerrain(_Factors):
    """Each octave scaled by the height so far: plains below, mountains above."""

    def raw(self, octaves: Iterator[Field], mix: Mix) -> Field:
        """Return h, with h += (n + offset) amplitude h for every octave after the first.

        Each of these factors is divided by its largest value, so that none overflows.
        """
        total: Field | None = None
        for octave, amplitude, present in zip(octaves, mix.amplitudes, mix.present):
            octave = _to_unit(octave, mix, present)
            octave += np.float32(mix.offset)
            if total is None:
                total = octave.copy()
                continue
            largest = 1.0 + amplitude * (mix.offset + 1.0)
            octave *= np.float32(amplitude / largest)
            octave += np.float32(1.0 / largest)
            total *= octave
        if total is None:
            raise ValueError("a fractal needs at least one octave")
        return total

    def raw_bounds(self, mix: Mix) -> Interval:
        """Return the product of the intervals."""
        interval = (mix.offset - 1.0, mix.offset + 1.0)
        for amplitude in mix.amplitudes[1:]:
            largest = 1.0 + amplitude * (mix.offset + 1.0)
            low = 1.0 + amplitude * (mix.offset - 1.0)
            interval = times(interval, (low / largest, 1.0))
        return interval


def _to_unit(octave: Field, mix: Mix, present: float) -> Field:
    """Scale the visible share of an octave to [-1, 1], in place."""
    factor = mix.source_scale * present
    if factor != 1.0:
        octave *= np.float32(factor)
    return octave
