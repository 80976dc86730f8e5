# SPDX-License-Identifier: GPL-3.0-or-later
"""Smooth ground under a height field: a cubic B-spline with few knots, and its slope.

References
----------
Michael Unser (1999). Splines: a perfect fit for signal and image processing. IEEE Signal Processing
Magazine 16.
"""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ...base import blocks
from ...base.arrays import Field, Index
from ...base.gathering import gather
from ...gully_patterns.octaves import Coordinate
from ...rasters.taps import b_spline_weights

_BEYOND = 2
"""Knots beyond each end that a spline asks for."""

_ON_A_KNOT = 1e-9

Weights = Sequence[Field]
"""Of the four knots around, one array each."""


@dataclass(frozen=True)
class Knots:
    """Positions of knots along one axis of a height field.

    Attributes
    ----------
    samples : int
        How many the field has.
    count : int
        How many knots there are, from the first sample to the last one; on a torus, to the one
        before the first comes again.
    wrap : bool
    first : float
        Where the first knot lies, in samples.
    beyond : int
        Knots at each end that lie beyond the borders of the field.
    """

    samples: int
    count: int
    wrap: bool
    first: float = 0.0
    beyond: int = 0

    @classmethod
    def with_spacing(cls, samples: int, distance: float, wrap: bool, origin: float = 0.0) -> Knots:
        """Return knots that are about `distance` samples apart, at least one.

        On a torus they stay in place when the samples move: the first sample lies `origin` samples
        from where knots are counted from.
        """
        steps = samples if wrap else samples - 1
        whole = max(1, min(steps, round(steps / max(distance, 1.0))))
        if not wrap:
            return cls(samples, whole + 1 if steps else 1, wrap)
        return cls(samples, whole, wrap, -origin % (samples / whole))

    @property
    def distance(self) -> float:
        """Samples from one knot to the next."""
        if self.wrap:
            return self.samples / self.count
        steps = self.count - 1 - 2 * self.beyond
        return (self.samples - 1) / steps if steps else 1.0

    def widen(self, beyond: int) -> Knots:
        """Return the knots with so many more beyond each border."""
        if not beyond:
            return self
        count, first = self.count + 2 * beyond, self.first - beyond * self.distance
        return dataclasses.replace(self, count=count, first=first, beyond=beyond)

    @property
    def places(self) -> Coordinate:
        """Positions of the knots, in samples."""
        return np.arange(self.count, dtype=np.intp) * np.float64(self.distance) + self.first

    def needed(self, start: int, stop: int, beyond: int = 0) -> tuple[int, int]:
        """Return the first sample that the averages of some knots come of, and the one after the last.

        On a torus they may lie beyond its ends, and elsewhere as many as the field has beyond its borders.
        """
        low, high = self._range(start, stop)
        return (low, high) if self.wrap else (max(low, -beyond), min(high, self.samples + beyond))

    def average(
        self,
        field: Field,
        axis: int,
        start: int = 0,
        stop: int | None = None,
        first: int = 0,
        beyond: int = 0,
    ) -> Field:
        """Return averages of a field around the knots, falling off towards the next knots.

        Beyond its ends the field goes on as its mirror image, turned upside down.

        Parameters
        ----------
        field : ndarray of shape (rows, columns), float32
        axis : int
            Along which the knots lie.
        start, stop : int
            The first knot that is wanted, and the one after the last; all if not given.
        first : int
            The sample that the field begins with, if it is a part that holds the `needed` samples.
        beyond : int
            Samples beyond each border that the whole field has; the first one within is the sample 0.
        """
        low, high = self._range(start, self.count if stop is None else stop)
        reach = self.reach
        index = np.arange(low, high, dtype=np.intp)
        if self.wrap:
            is_whole = field.shape[axis] == self.samples
            index = (index - first) % self.samples if is_whole else index - first
            wide = field.take(index, axis=axis)
        else:
            count = self.samples + 2 * beyond
            wide = _extend_to(field, index + beyond, axis, count, first + beyond)
        place = self.places[start:stop]
        base = np.floor(place).astype(np.intp)
        shares = [
            np.maximum(0.0, self.distance - np.abs(base + tap - place))
            for tap in range(-reach, reach + 1)
        ]
        total = functools.reduce(np.add, shares)
        result: Field | None = None
        for tap, share in enumerate(shares):
            blocks.checkpoint()
            part = wide.take(base + (tap - reach - low), axis=axis, mode="clip")
            factor = (share / total).astype(np.float32)
            part *= factor[:, np.newaxis] if axis == 0 else factor
            result = part if result is None else np.add(result, part, out=result)
        assert result is not None
        return result

    @property
    def reach(self) -> int:
        """Samples around a knot that its average is made of."""
        return max(1, math.ceil(self.distance))

    def _range(self, start: int, stop: int) -> tuple[int, int]:
        """Return where the samples begin and end that some knots ask for, beyond borders too."""
        low, high = np.floor(self.places[[start, stop - 1]]).astype(np.intp).tolist()
        return low - self.reach, high + self.reach + 1

    def around(self, place: Coordinate) -> tuple[Index, Weights, Weights]:
        """Return the first of four knots around places, their weights, and those of the slope.

        Parameters
        ----------
        place : ndarray, float64
            In samples. Beyond a border all is as at the border.

        Returns
        -------
        index : ndarray, int32
            In a field of knots with `extend` ends.
        weights, slopes : list of 4 ndarrays
            The slope is that per sample.
        """
        knots = (place - self.first) * (1.0 / self.distance)
        if self.wrap:
            knots -= np.floor(knots * (1.0 / self.count)) * self.count
        np.clip(knots, 0.0, self.count if self.wrap else self.count - 1, out=knots)
        # A sample on a knot belongs to the interval after it, regardless of rounding.
        base = np.floor(knots + _ON_A_KNOT)
        t = np.maximum(knots - base, 0.0).astype(np.float32)
        if self.wrap:  # rounding may bring a place to the end, where the first knot comes again
            base[base >= self.count] = 0.0
        index = base.astype(np.int32) + np.int32(_BEYOND - 1)
        return index, b_spline_weights(t), _slopes(t, np.float32(1.0 / self.distance))

    def extend(self, knots: Field, axis: int) -> Field:
        """Return a field of knots with those beyond both ends."""
        return _extend(knots, _BEYOND, axis, self.wrap)


@dataclass(frozen=True)
class Spline:
    """A smooth surface.

    Attributes
    ----------
    rows, columns : Knots
    knots : ndarray, float32
        With `Knots.extend` ends.
    """

    rows: Knots
    columns: Knots
    knots: Field

    @classmethod
    def from_knots(cls, rows: Knots, columns: Knots, knots: Field) -> Spline:
        """Return the spline with given values at the knots, which it smooths."""
        return cls(rows, columns, columns.extend(rows.extend(knots, 0), 1))

    @classmethod
    def smoothing(cls, rows: Knots, columns: Knots, field: Field) -> Spline:
        """Return the spline that smooths a field."""
        return cls.from_knots(rows, columns, columns.average(rows.average(field, 0), 1))

    def along_rows(self, places: Coordinate) -> tuple[Field, Field]:
        """Return value and slope at columns, for each row of knots: shape (knots, columns)."""
        index, weights, slopes = self.columns.around(places)
        return _weighted_sum(self.knots, index, weights), _weighted_sum(self.knots, index, slopes)

    def at_samples(self) -> Field:
        """Return the values at all samples that the knots lie among."""
        table, _ = self.along_rows(np.arange(self.columns.samples, dtype=np.float64))
        index, weights, _ = self.rows.around(np.arange(self.rows.samples, dtype=np.float64))
        values = np.empty((self.rows.samples, self.columns.samples), np.float32)
        between_rows(table, index, weights, values, np.empty_like(values))
        return values

    def slopes(self, row: Coordinate, column: Coordinate) -> tuple[Field, Field]:
        """Return the slopes along x and y, per sample, at any points."""
        i, across, across_slopes = self.columns.around(column)
        j, down, down_slopes = self.rows.around(row)
        width = self.knots.shape[1]
        address = j.astype(np.intp) * width
        address += i
        x = np.zeros(address.shape, np.float32)
        y = np.zeros(address.shape, np.float32)
        flat = self.knots.ravel()
        for step, (weight, slope) in enumerate(zip(down, down_slopes)):
            blocks.checkpoint()
            values = [gather(flat, address + (step * width + k)) for k in range(4)]
            x += _total(values, across_slopes) * weight
            y += _total(values, across) * slope
        return x, y


def between_rows(table: Field, index: Index, weights: Weights, out: Field, scratch: Field) -> None:
    """Write rows between those of a table, blended from four."""
    for step, weight in enumerate(weights):
        blocks.checkpoint()
        part = scratch if step else out
        table.take(index.astype(np.intp) + step, axis=0, out=part, mode="wrap")
        part *= weight[:, np.newaxis]
        if step:
            out += part


def _total(values: Sequence[Field], weights: Weights) -> Field:
    total: Field = values[0] * weights[0]
    for value, weight in zip(values[1:], weights[1:]):
        total += value * weight
    return total


def _weighted_sum(knots: Field, index: Index, weights: Weights) -> Field:
    return _total([knots.take(index + step, axis=1) for step in range(4)], weights)


def _slopes(t: Field, scale: np.float32) -> Weights:
    """Return the derivatives of the weights."""
    half = np.float32(0.5)
    complement = np.float32(1.0) - t
    outer, last = complement * complement * -half, t * t * half
    inner = t * (t * np.float32(1.5) - np.float32(2.0))
    third = complement * (np.float32(2.0) - complement * np.float32(1.5))
    return [weight * scale for weight in (outer, inner, third, last)]


def _extend(field: Field, width: int, axis: int, wrap: bool) -> Field:
    """Return a field extended at both ends of an axis: wrapped, or mirrored.

    The mirror image is turned upside down, so that a slope goes on.
    """
    count = field.shape[axis]
    index = np.arange(-width, count + width, dtype=np.intp)
    return field.take(index % count, axis=axis) if wrap else _extend_to(field, index, axis, count)


def _extend_to(
    field: Field, index: npt.NDArray[np.intp], axis: int, count: int, first: int = 0
) -> Field:
    """Return samples of a field, mirrored upside down beyond its ends.

    Parameters
    ----------
    field : ndarray of shape (rows, columns), float32
    index : ndarray, intp
    axis : int
    count, first : int
        How many samples there are along the axis, and the one that the field begins with.
    """
    inside = np.clip(index, 0, count - 1)
    mirrored = np.clip(2 * inside - index, 0, count - 1)
    wide = field.take(inside - first, axis=axis)
    wide += wide
    wide -= field.take(mirrored - first, axis=axis)
    return wide
