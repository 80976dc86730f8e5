# SPDX-License-Identifier: GPL-3.0-or-later
"""Fractal kinds that are plain sums of octaves, each shaped on its own, and the plans of such sums.

Each kind takes the octaves one after the other, so that only one is held at a time, and knows
the bounds of its result by sending intervals through its own arithmetic. In a plan the octaves that are
made of lattice terms are stacked into one sum of vectors; the others are evaluated one by one and added.

References
----------
Ken Perlin (1985). An image synthesizer. SIGGRAPH. (turbulence)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol, TypeVar

import numpy as np

from ..base.arrays import Field
from ..base.elementary import power_of
from ..base.grid import Axes
from ..base.intervals import Interval, absolute
from ..base.plans import AddingPlan, RowPlan
from ..lattice import lattice_terms
from ..lattice.lattice_terms import LatticeTerm, SlopeTerms

SHIFTS = (0.5698402909980532, 0.7548776662466927, 0.3247179572447461, 0.8191725133961645)
"""Steps between octaves, or copies, that never bring their lattices together again: powers of the
reciprocal of the plastic number (0.7549, 0.5698) and two more of that family."""

Term = TypeVar("Term", LatticeTerm, SlopeTerms)


@dataclass(frozen=True)
class Mix:
    """Parameters of a fractal sum.

    Attributes
    ----------
    amplitudes : tuple of float
        One per octave, the first is 1; as they would be without a band limit.
    present : tuple of float
        One per octave: its visible share (a band limit fades fine octaves out). The rest adds 0
        to a plain sum; the other kinds substitute a mean.
    offset, gain, weighted_strength, folds : float
        See `Fractal`.
    source_scale : float
        Factor that scales the source to [-1, 1]: 1 for most, less for one with wider bounds. Only
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
    """Base of all kinds; most override `shape_octave` only."""

    has_weighted_strength = True

    def shape_octave(self, octave: Field, mix: Mix) -> Field:
        """Return one octave in the form that is summed; may overwrite `octave`."""
        raise NotImplementedError

    def octave_bounds(self, source: Interval, mix: Mix) -> Interval:
        """Return the bounds of `shape_octave` for octaves within `source`."""
        raise NotImplementedError

    def combine(self, octaves: Iterator[Field], mix: Mix) -> Field:
        """Return the sum of the shaped octaves, divided by the sum of the amplitudes."""
        total: Field | None = None
        share: Field | None = None
        for octave, amplitude, present in zip(octaves, mix.amplitudes, mix.present):
            part = self.shape_octave(octave, mix)
            damped = part if share is None else part * share
            factor = np.float32(amplitude * present)
            scaled = damped * factor
            total = scaled if total is None else np.add(total, scaled, out=total)
            if mix.weighted_strength:
                share = self._share(part, share, mix)
        if total is None:
            raise ValueError("a fractal needs at least one octave")
        total *= np.float32(1.0 / math.fsum(mix.amplitudes))
        return total

    def bounds(self, source: Interval, mix: Mix) -> Interval:
        """Return the bounds of `combine` for octaves within `source`."""
        low, high = self.octave_bounds(source, mix)
        if mix.weighted_strength or min(mix.present) < 1.0:
            # A damped octave may be missing altogether.
            return (min(low, 0.0), max(high, 0.0))
        return (low, high)

    @staticmethod
    def _share(part: Field, share: Field | None, mix: Mix) -> Field:
        """Return the weight of the next octave, which is smaller on low ground."""
        strength = np.float32(mix.weighted_strength)
        unit: Field = np.clip(part * np.float32(0.5) + np.float32(0.5), 0.0, 1.0)
        following: Field = np.float32(1.0) - strength + strength * unit
        return following if share is None else following * share


class Fbm(Kind):
    """The plain sum."""

    def shape_octave(self, octave: Field, mix: Mix) -> Field:
        """Return the octave unchanged."""
        return octave

    def octave_bounds(self, source: Interval, mix: Mix) -> Interval:
        """Return those of the source."""
        return source


class Billow(Kind):
    """Octaves folded at zero: creased valleys and puffy hills."""

    def shape_octave(self, octave: Field, mix: Mix) -> Field:
        """Return 2 |n| - 1."""
        np.abs(octave, out=octave)
        octave *= np.float32(2.0)
        octave -= np.float32(1.0)
        return octave

    def octave_bounds(self, source: Interval, mix: Mix) -> Interval:
        """Return the interval through 2 |n| - 1."""
        low, high = absolute(source)
        return (2.0 * low - 1.0, 2.0 * high - 1.0)


class Turbulence(Kind):
    """The sum of absolute values, from 0 to 1."""

    def shape_octave(self, octave: Field, mix: Mix) -> Field:
        """Return |n|."""
        return np.abs(octave, out=octave)

    def octave_bounds(self, source: Interval, mix: Mix) -> Interval:
        """Return the interval through |n|."""
        return absolute(source)


class PingPong(Kind):
    """Octaves folded repeatedly between two bounds: contour-like ridges."""

    def shape_octave(self, octave: Field, mix: Mix) -> Field:
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

    def octave_bounds(self, source: Interval, mix: Mix) -> Interval:
        """Return [-1, 1]."""
        return (-1.0, 1.0)


def amplitudes(octaves: float, persistence: float) -> tuple[float, ...]:
    """Return one amplitude per octave; the last of a fractional number counts by its fraction."""
    whole = int(octaves)
    shares: Sequence[float] = [1.0] * whole + ([octaves - whole] if octaves > whole else [])
    return tuple(share * power_of(persistence, octave) for octave, share in enumerate(shares))


class OctaveNoise(Protocol):
    """The methods of `MappedNoise` that plans of sums call."""

    def terms(self, axes: Axes, seeds: Sequence[int]) -> Sequence[LatticeTerm] | None:
        """See `MappedNoise.terms`."""

    def slope_terms(self, axes: Axes, seed: int) -> SlopeTerms | None:
        """See `MappedNoise.slope_terms`."""

    def seeds_plan(self, axes: Axes, seeds: Sequence[int]) -> RowPlan:
        """See `MappedNoise.seeds_plan`."""

    def gradient_plan(self, axes: Axes, seed: int) -> RowPlan:
        """See `MappedNoise.gradient_plan`."""


class Summand(NamedTuple):
    """Octave of a plain sum.

    Attributes
    ----------
    source : OctaveNoise
    seeds : sequence of int
        One per copy of the sum.
    factor : float
        The octave's amplitude over the sum of all amplitudes.
    """

    source: OctaveNoise
    seeds: Sequence[int]
    factor: float


def sum_plan(octaves: Iterable[Summand], axes: Axes) -> RowPlan:
    """Return the plan of a plain sum, for each of its copies.

    Parameters
    ----------
    octaves : iterable of Summand
    axes : Axes
        Those of the whole noise; each octave maps them.
    """
    stack, single = [], []
    for source, seeds, factor in octaves:
        terms = source.terms(axes, seeds)
        if terms is None:
            single.append((source.seeds_plan(axes, seeds), np.float32(factor)))
        else:
            stack += [term.scale(factor) for term in terms]
    return _total_plan(stack, single, lattice_terms.row_plan)


def gradient_sum_plan(octaves: Iterable[Summand], axes: Axes) -> RowPlan:
    """Return the gradient plan of a plain sum with one copy; see `sum_plan`."""
    stack, single = [], []
    for source, (seed,), factor in octaves:
        pair = source.slope_terms(axes, seed)
        if pair is None:
            single.append((source.gradient_plan(axes, seed), np.float32(factor)))
        else:
            stack.append(pair.scale(factor))
    return _total_plan(stack, single, lattice_terms.gradient_row_plan)


def sum_terms(octaves: Iterable[Summand], axes: Axes) -> Sequence[LatticeTerm] | None:
    """Return the lattice terms of all octaves, or None if an octave is not made of terms."""
    stack: list[LatticeTerm] = []
    for source, seeds, factor in octaves:
        terms = source.terms(axes, seeds)
        if terms is None:
            return None
        stack += [term.scale(factor) for term in terms]
    return stack or None


def _total_plan(
    stack: Sequence[Term],
    single: Sequence[tuple[RowPlan, np.float32]],
    together: Callable[[Sequence[Term]], RowPlan],
) -> RowPlan:
    """Return the plan that adds stacked terms and other plans, each times its factor."""
    stacked = together(stack) if stack else None

    def rows(start: int, stop: int, out: Field) -> None:
        if stacked is None:
            out[:] = 0.0
        else:
            stacked(start, stop, out)
        buffer: Field | None = None
        for plan, factor in single:
            if isinstance(plan, AddingPlan):
                plan.add(start, stop, out, factor)
                continue
            buffer = np.empty(out.shape, np.float32) if buffer is None else buffer
            plan(start, stop, buffer)
            np.multiply(buffer, factor, out=buffer)
            out += buffer

    return rows
