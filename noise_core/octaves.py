# SPDX-License-Identifier: GPL-3.0-or-later
"""How the octaves of a fractal are put together: one small class per kind.

Each kind takes the octaves one after the other, so that only one is held at a time, and knows
the bounds of its result by sending intervals through its own arithmetic.

References
----------
Ken Perlin (1985). An image synthesizer. SIGGRAPH. (turbulence)
F. Kenton Musgrave (1993). Methods for realistic landscape imaging. (multifractals)
Ebert, Musgrave, Peachey, Perlin, Worley (2003). Texturing and modeling, chapter 16.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from .arrays import Field

Interval = tuple[float, float]


@dataclass(frozen=True)
class Mix:
    """What the kinds need to know.

    Attributes
    ----------
    amplitudes : tuple of float
        One per octave, the first is 1; as they would be without a band limit.
    present : tuple of float
        One per octave: the share of it that is kept (a band limit fades fine ones out).
    offset, gain, weighted_strength, folds : float
        See `Fractal`.
    source_scale : float
        What brings the source into [-1, 1]: 1 for most, less for one with wider bounds. Only
        the kinds that multiply or fold by an offset use it.
    """

    amplitudes: tuple[float, ...]
    present: tuple[float, ...]
    offset: float
    gain: float
    weighted_strength: float
    folds: float
    source_scale: float = 1.0


class Kind:
    """Base of all kinds. `shaped` is all that most of them change."""

    has_weighted_strength = True

    def shaped(self, octave: Field, mix: Mix) -> Field:
        """Return one octave as it goes into the sum; may write into `octave`."""
        raise NotImplementedError

    def shaped_bounds(self, source: Interval, mix: Mix) -> Interval:
        """Return the bounds of `shaped` for octaves within `source`."""
        raise NotImplementedError

    def combined(self, octaves: Iterator[Field], mix: Mix) -> Field:
        """Return the sum of the shaped octaves, divided by the sum of the amplitudes."""
        total: Field | None = None
        share: Field | None = None
        for octave, amplitude, present in zip(octaves, mix.amplitudes, mix.present):
            part = self.shaped(octave, mix)
            damped = part if share is None else part * share
            factor = np.float32(amplitude * present)
            scaled = damped * factor
            total = scaled if total is None else np.add(total, scaled, out=total)
            if mix.weighted_strength:
                share = self._share(part, share, mix)
        if total is None:
            raise ValueError("a fractal needs at least one octave")
        total *= np.float32(1.0 / sum(mix.amplitudes))
        return total

    def bounds(self, source: Interval, mix: Mix) -> Interval:
        """Return the bounds of `combined` for octaves within `source`."""
        low, high = self.shaped_bounds(source, mix)
        if mix.weighted_strength or min(mix.present) < 1.0:
            # A damped octave may be missing altogether.
            return (min(low, 0.0), max(high, 0.0))
        return (low, high)

    @staticmethod
    def _share(part: Field, share: Field | None, mix: Mix) -> Field:
        """Return the weight of the next octave: low ground gets less detail."""
        strength = np.float32(mix.weighted_strength)
        unit: Field = np.clip(part * np.float32(0.5) + np.float32(0.5), 0.0, 1.0)
        following: Field = np.float32(1.0) - strength + strength * unit
        return following if share is None else following * share


class Fbm(Kind):
    """The plain sum."""

    def shaped(self, octave: Field, mix: Mix) -> Field:
        """Return it as it is."""
        return octave

    def shaped_bounds(self, source: Interval, mix: Mix) -> Interval:
        """Return those of the source."""
        return source


class Billow(Kind):
    """Folded at zero, so that valleys become creases: puffy hills."""

    def shaped(self, octave: Field, mix: Mix) -> Field:
        """Return 2 |n| - 1."""
        np.abs(octave, out=octave)
        octave *= np.float32(2.0)
        octave -= np.float32(1.0)
        return octave

    def shaped_bounds(self, source: Interval, mix: Mix) -> Interval:
        """Return the interval through 2 |n| - 1."""
        low, high = _absolute(source)
        return (2.0 * low - 1.0, 2.0 * high - 1.0)


class Turbulence(Kind):
    """The sum of absolute values, from 0 to 1."""

    def shaped(self, octave: Field, mix: Mix) -> Field:
        """Return |n|."""
        return np.abs(octave, out=octave)

    def shaped_bounds(self, source: Interval, mix: Mix) -> Interval:
        """Return the interval through |n|."""
        return _absolute(source)


class PingPong(Kind):
    """Folded again and again as by two mirrors: contour-like ridges."""

    def shaped(self, octave: Field, mix: Mix) -> Field:
        """Return a triangle wave of n with `folds` folds."""
        octave += np.float32(1.0)
        octave *= np.float32(mix.folds)
        octave -= np.float32(2.0) * np.floor(octave * np.float32(0.5))
        # Now in [0, 2): up to 1 it rises, beyond it falls.
        octave -= np.float32(1.0)
        np.abs(octave, out=octave)
        octave *= np.float32(-2.0)
        octave += np.float32(1.0)
        return octave

    def shaped_bounds(self, source: Interval, mix: Mix) -> Interval:
        """Return [-1, 1]."""
        return (-1.0, 1.0)


class Ridged(Kind):
    """Musgrave's ridged multifractal: sharp crests, detail where it is high already."""

    has_weighted_strength = False

    def combined(self, octaves: Iterator[Field], mix: Mix) -> Field:
        """Return the sum of (offset - |n|)^2, each weighted by the one before, in [-1, 1]."""
        total: Field | None = None
        weight: Field | None = None
        for octave, amplitude, present in zip(octaves, mix.amplitudes, mix.present):
            signal = np.abs(_to_unit(octave, mix), out=octave)
            np.subtract(np.float32(mix.offset), signal, out=signal)
            np.multiply(signal, signal, out=signal)
            if weight is not None:
                signal *= weight
            part = signal * np.float32(amplitude * present)
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
    """Kinds whose value is a product or a nested product, rescaled from its interval to [-1, 1]."""

    has_weighted_strength = False

    def raw(self, octaves: Iterator[Field], mix: Mix) -> Field:
        """Return the value before it is rescaled."""
        raise NotImplementedError

    def raw_bounds(self, mix: Mix) -> Interval:
        """Return the interval of `raw` for octaves in [-1, 1], all present."""
        raise NotImplementedError

    def combined(self, octaves: Iterator[Field], mix: Mix) -> Field:
        """Return `raw`, rescaled by its analytic interval."""
        low, high = self.raw_bounds(mix)
        value = self.raw(octaves, mix)
        if high <= low:
            return np.zeros_like(value)
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
            interval = _times(interval, ((mix.offset - amplitude) / largest, 1.0))
        return interval


class HybridMultifractal(_Factors):
    """Each octave weighted by the sum so far: flat valleys, jagged peaks."""

    def raw(self, octaves: Iterator[Field], mix: Mix) -> Field:
        """Return the sum of weighted (n + offset)."""
        total: Field | None = None
        weight: Field | None = None
        for octave, amplitude, present in zip(octaves, mix.amplitudes, mix.present):
            octave = _to_unit(octave, mix)
            octave += np.float32(mix.offset)
            octave *= np.float32(amplitude * present)
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
        """Return the first octave's interval plus what weights in [0, 1] may add."""
        low, high = mix.offset - 1.0, mix.offset + 1.0
        rest = sum(mix.amplitudes[1:])
        return (low + min(low, 0.0) * rest, high + max(high, 0.0) * rest)


class HeterogeneousTerrain(_Factors):
    """Each octave scaled by the height so far: plains below, mountains above."""

    def raw(self, octaves: Iterator[Field], mix: Mix) -> Field:
        """Return h, with h += (n + offset) amplitude h for every octave after the first.

        Each of these factors is divided by its largest value, so that none overflows.
        """
        total: Field | None = None
        for octave, amplitude, present in zip(octaves, mix.amplitudes, mix.present):
            octave = _to_unit(octave, mix)
            octave += np.float32(mix.offset)
            if total is None:
                total = octave.copy()
                continue
            largest = 1.0 + amplitude * (mix.offset + 1.0)
            octave *= np.float32(amplitude * present / largest)
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
            interval = _times(interval, (low / largest, 1.0))
        return interval


KINDS: Mapping[str, Kind] = {
    "fbm": Fbm(),
    "billow": Billow(),
    "ridged": Ridged(),
    "ping_pong": PingPong(),
    "turbulence": Turbulence(),
    "multifractal": Multifractal(),
    "hybrid_multifractal": HybridMultifractal(),
    "heterogeneous_terrain": HeterogeneousTerrain(),
}


def amplitudes(octaves: float, persistence: float) -> tuple[float, ...]:
    """Return one amplitude per octave; the last of a fractional number counts by its fraction."""
    whole = int(octaves)
    shares: Sequence[float] = [1.0] * whole + ([octaves - whole] if octaves > whole else [])
    return tuple(share * persistence**octave for octave, share in enumerate(shares))


def _to_unit(octave: Field, mix: Mix) -> Field:
    """Bring an octave into [-1, 1], in place."""
    if mix.source_scale != 1.0:
        octave *= np.float32(mix.source_scale)
    return octave


def _absolute(interval: Interval) -> Interval:
    low, high = interval
    if low <= 0.0 <= high:
        return (0.0, max(-low, high))
    return (min(abs(low), abs(high)), max(abs(low), abs(high)))


def _times(first: Interval, second: Interval) -> Interval:
    products = [a * b for a in first for b in second]
    return (min(products), max(products))
