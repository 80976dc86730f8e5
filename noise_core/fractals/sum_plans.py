# SPDX-License-Identifier: GPL-3.0-or-later
"""Evaluation plans for plain sums of octaves.

Octaves that are made of lattice terms are stacked into one sum of vectors; the others are evaluated
one by one and added.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, TypeVar

import numpy as np

from ..base.arrays import Field
from ..base.grid import Axes
from ..base.plans import RowPlan
from ..lattice import lattice_terms
from ..lattice.lattice_terms import LatticeTerm, SlopeTerms
from ..types.mapped_noise import MappedNoise

Term = TypeVar("Term", LatticeTerm, SlopeTerms)


class Summand(NamedTuple):
    """One octave of a plain sum.

    Attributes
    ----------
    source : MappedNoise
    seeds : sequence of int
        One per copy of the sum.
    factor : float
        The octave's amplitude over the sum of all amplitudes.
    """

    source: MappedNoise
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
    stack, others = [], []
    for source, seeds, factor in octaves:
        terms = source.terms(axes, seeds)
        if terms is None:
            others.append((source.seeds_plan(axes, seeds), np.float32(factor)))
        else:
            stack += [term.scale(factor) for term in terms]
    return _total_plan(stack, others, lattice_terms.row_plan)


def gradient_sum_plan(octaves: Iterable[Summand], axes: Axes) -> RowPlan:
    """Return the gradient plan of a plain sum with one copy; see `sum_plan`."""
    stack, others = [], []
    for source, (seed,), factor in octaves:
        pair = source.slope_terms(axes, seed)
        if pair is None:
            others.append((source.gradient_plan(axes, seed), np.float32(factor)))
        else:
            stack.append(pair.scale(factor))
    return _total_plan(stack, others, lattice_terms.gradient_row_plan)


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
    others: Sequence[tuple[RowPlan, np.float32]],
    together: Callable[[Sequence[Term]], RowPlan],
) -> RowPlan:
    """Return the plan that adds stacked terms and other plans, each times its factor."""
    stacked = together(stack) if stack else None

    def rows(start: int, stop: int, out: Field) -> None:
        if stacked is None:
            out[:] = 0.0
        else:
            stacked(start, stop, out)
        buffer = np.empty(out.shape, np.float32) if others else out
        for other, factor in others:
            other(start, stop, buffer)
            np.multiply(buffer, factor, out=buffer)
            out += buffer

    return rows
