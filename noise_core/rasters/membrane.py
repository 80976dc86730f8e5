# SPDX-License-Identifier: GPL-3.0-or-later
"""Membranes that hang on drawn lines, by multigrid: diffusion of heights, slopes and shares.

A membrane u minimizes the sum of (u_j - u_i - g_ij)^2 over neighbors, whose rises g are wanted, and of
w (u - t)^2 over samples that are held at targets t. Cycles begin on the coarsest level; held lines are held
less there, since a coarse sample stands for ground beside the line, too.

References
----------
William L. Briggs, Van Emden Henson, Steve F. McCormick (2000). A multigrid tutorial.
Houssam Hnaidi, Eric Guerin, Samir Akkouche, Adrien Peytavie, Eric Galin (2010). Feature based terrain
generation using diffusion equation. Computer Graphics Forum 29(7).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Union

import numpy as np
import numpy.typing as npt

from ..base import blocks
from ..base.arrays import Field

HELD = np.float32(8.0)
"""Weight of samples that are held; free ones have 0."""

_COARSER_HOLD = np.float32(0.44)
"""Of the weights of a level, on the next coarser one: with less than 0.38 cycles overshoot, with more than 0.46 they take
twice as many (measured)."""

_COARSEST = 4
"""Samples along the shorter side of the coarsest level, at least; it is solved exactly."""

_STEPS = (np.float32(1.0 / 1.78033), np.float32(1.0 / 0.71967))
"""Shares of a relaxation: those of Chebyshev's polynomial over the upper eigenvalues, 0.5 to 2."""

_LEAST = 1e-5
"""Added to the diagonal of the coarsest level: fields that are held nowhere are 0."""

Slices = tuple[Union[slice, int], ...]

_HALF, _QUARTER, _FOUR = np.float32(0.5), np.float32(0.25), np.float32(4.0)


@dataclass(frozen=True, eq=False)
class _MembraneGrid:
    """One level.

    Attributes
    ----------
    weights : ndarray of shape (fields, rows, columns), float32
    inverse : ndarray of that shape, float32
        Of the diagonal of the equations.
    wrap : bool
        Whether edges meet; else nothing flows across them.
    """

    weights: Field
    inverse: Field
    wrap: bool

    @classmethod
    def of(cls, weights: Field, wrap: bool) -> _MembraneGrid:
        return cls(weights, np.float32(1.0) / (weights + _FOUR), wrap)

    def coarser(self) -> _MembraneGrid:
        weights = _restrict(self.weights, self.wrap)
        weights *= _FOUR * _COARSER_HOLD
        return _MembraneGrid.of(weights, self.wrap)

    def relax(self, values: Field, right: Field) -> None:
        """Relax all samples, in place."""
        scratch = np.empty_like(values)
        for step in _STEPS:
            self._relax(values, right, step, scratch)

    def begin(self, right: Field) -> Field:
        """Return values that were relaxed from 0 on."""
        values = right * self.inverse
        values *= _STEPS[0]
        self._relax(values, right, _STEPS[1], np.empty_like(values))
        return values

    def _relax(self, values: Field, right: Field, step: np.float32, scratch: Field) -> None:
        self.neighbors(values, scratch)
        scratch += right
        scratch *= self.inverse
        scratch -= values
        scratch *= step
        values += scratch

    def residual(self, values: Field, right: Field) -> Field:
        """Return what is missing on the right side."""
        rest = np.empty_like(values)
        self.neighbors(values, rest)
        rest += right
        rest -= values * (self.weights + _FOUR)
        return rest

    def neighbors(self, values: Field, out: Field) -> None:
        """Write the sum of the four neighbors."""
        np.add(values[:, :-2], values[:, 2:], out=out[:, 1:-1])
        if self.wrap:
            np.add(values[:, -1], values[:, 1], out=out[:, 0])
            np.add(values[:, -2], values[:, 0], out=out[:, -1])
        else:
            np.add(values[:, 1], values[:, 1], out=out[:, 0])
            np.add(values[:, -2], values[:, -2], out=out[:, -1])
        out[:, :, 1:] += values[:, :, :-1]
        out[:, :, :-1] += values[:, :, 1:]
        if self.wrap:
            out[:, :, 0] += values[:, :, -1]
            out[:, :, -1] += values[:, :, 0]
        else:
            out[:, :, 0] += values[:, :, 1]
            out[:, :, -1] += values[:, :, -2]


@dataclass(frozen=True, eq=False)
class _Inverse:
    """Inverse of the equations of the coarsest level.

    Attributes
    ----------
    matrix : ndarray of shape (fields, samples, samples), float64
    """

    matrix: npt.NDArray[np.float64]

    @classmethod
    def of(cls, grid: _MembraneGrid) -> _Inverse:
        """Return the inverse, by Gauss and Jordan without pivoting: the diagonal prevails."""
        fields, rows, columns = grid.weights.shape
        count = rows * columns
        unit = np.eye(count, dtype=np.float32)
        around = np.empty((count, rows, columns), np.float32)
        grid.neighbors(unit.reshape(around.shape), around)
        matrix = np.empty((fields, count, 2 * count))
        matrix[:, :, count:] = unit
        matrix[:, :, :count] = -around.reshape(count, count).T
        diagonal = np.arange(count, dtype=np.intp)
        matrix[:, diagonal, diagonal] += grid.weights.reshape(fields, count) + (4.0 + _LEAST)
        for place in range(count):
            line = matrix[:, place] / matrix[:, place, place, np.newaxis]
            matrix -= matrix[:, :, place, np.newaxis] * line[:, np.newaxis]
            matrix[:, place] = line
        return cls(np.ascontiguousarray(matrix[:, :, count:].swapaxes(1, 2)))

    def solve(self, right: Field) -> Field:
        """Return the solution, summed in the same order everywhere."""
        products = self.matrix * right.reshape(len(right), -1, 1)
        result: Field = products.sum(axis=1).astype(np.float32).reshape(right.shape)
        return result


def solve(targets: Field, weights: Field, pulls: Field, *, wrap: bool, cycles: int) -> Field:
    """Return membranes.

    Parameters
    ----------
    targets : ndarray of shape (fields, rows, columns), float32
        Values of samples that are held.
    weights : ndarray of that shape, float32
        `HELD` there, 0 elsewhere.
    pulls : ndarray of that shape, float32
        Sums of the rises that are wanted to the four neighbors.
    wrap : bool
        Whether edges meet.
    cycles : int
        Repetitions on the finest level.
    """
    grids, rights = [_MembraneGrid.of(weights, wrap)], [weights * targets - pulls]
    held = targets
    while _can_halve(grids[-1].weights.shape[1:], wrap):
        fine, coarse = grids[-1], grids[-1].coarser()
        share = _restrict(fine.weights, wrap)
        held = _restrict(fine.weights * held, wrap)
        held /= np.where(share > 0.0, share, np.float32(1.0))
        pulls = _restrict(pulls, wrap) * _FOUR
        grids.append(coarse)
        rights.append(coarse.weights * held - pulls)
    coarsest = _Inverse.of(grids[-1])
    values = coarsest.solve(rights[-1])
    for depth in reversed(range(len(grids) - 1)):
        values = _prolong(values, grids[depth].weights.shape, wrap)
        for _ in range(1 if depth else cycles):
            grids[depth].relax(values, rights[depth])
            _finish(grids[depth:], coarsest, values, rights[depth])
    return values


def _correct(grids: list[_MembraneGrid], coarsest: _Inverse, right: Field) -> Field:
    """Return about the membrane of a right side."""
    blocks.checkpoint()
    if len(grids) == 1:
        return coarsest.solve(right)
    values = grids[0].begin(right)
    _finish(grids, coarsest, values, right)
    return values


def _finish(grids: list[_MembraneGrid], coarsest: _Inverse, values: Field, right: Field) -> None:
    """Improve relaxed values by the next coarser level, in place."""
    grid = grids[0]
    rest = _restrict(grid.residual(values, right), grid.wrap)
    rest *= _FOUR
    values += _prolong(_correct(grids[1:], coarsest, rest), values.shape, grid.wrap)
    grid.relax(values, right)


def _can_halve(shape: tuple[int, ...], wrap: bool) -> bool:
    odd = 0 if wrap else 1
    return all(count % 2 == odd for count in shape) and min(shape) // 2 + odd >= _COARSEST


def _restrict(field: Field, wrap: bool) -> Field:
    """Return means around every second sample, by (1, 2, 1) / 4 along both axes."""
    narrow = _halve(field, field[:, ::2], field[:, 1::2], wrap, (slice(None),))
    columns = (slice(None), slice(None))
    return _halve(narrow, narrow[:, :, ::2], narrow[:, :, 1::2], wrap, columns)


def _halve(field: Field, even: Field, odd: Field, wrap: bool, before: Slices) -> Field:
    """Return means along one axis; `before` stands for the axes before it."""
    quarter = odd * _QUARTER
    result = even * _HALF
    first: Slices = (*before, 0)
    rest: Slices = (*before, slice(1, None))
    last: Slices = (*before, -1)
    others: Slices = (*before, slice(None, -1))
    if wrap:
        result += quarter
        result[rest] += quarter[others]
        result[first] += quarter[last]
        return result
    result[others] += quarter
    result[rest] += quarter
    result[first] += quarter[first]
    result[last] += quarter[last]
    return result


def _prolong(field: Field, shape: tuple[int, ...], wrap: bool) -> Field:
    """Return a field of twice as many samples, linear between those of the coarser one."""
    result = np.empty(shape, np.float32)
    even = result[:, ::2]
    even[:, :, ::2] = field
    _between(even[:, :, ::2], even[:, :, 1::2], wrap, (slice(None), slice(None)))
    _between(even, result[:, 1::2], wrap, (slice(None),))
    return result


def _between(even: Field, odd: Field, wrap: bool, before: Slices) -> None:
    """Write the means of neighbors along one axis; `before` stands for the axes before it."""
    first: Slices = (*before, 0)
    rest: Slices = (*before, slice(1, None))
    last: Slices = (*before, -1)
    others: Slices = (*before, slice(None, -1))
    if wrap:
        np.add(even[others], even[rest], out=odd[others])
        np.add(even[last], even[first], out=odd[last])
    else:
        np.add(even[others], even[rest], out=odd)
    odd *= _HALF
