# SPDX-License-Identifier: GPL-3.0-or-later
"""A piece of ground: upright boxes, evenly spaced heights, or both, and the place where a robot begins."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from ...base.elementary import cosine_sine_of

Numbers = npt.NDArray[np.float64]

_EDGE = 1e-9
"""Meters that a box reaches beyond its edge: rounding opens no slit between two that touch."""

_WINDOW = 2.0 * _EDGE


@dataclass(frozen=True)
class Box:
    """Upright box, whose top may be tilted.

    Attributes
    ----------
    x, y : float
        Of its middle, in meters from the middle of the ground.
    half_x, half_y : float
        Half its sizes along its own axes, in meters.
    bottom, top : float
        Heights, in meters; with a tilted top that of its middle.
    turn : float
        Of its axes about z, in degrees against the clock.
    slope_x, slope_y : float
        Rise of the top over run, along its own axes.
    """

    x: float
    y: float
    half_x: float
    half_y: float
    bottom: float
    top: float
    turn: float = 0.0
    slope_x: float = 0.0
    slope_y: float = 0.0

    @property
    def is_level(self) -> bool:
        """Whether it is a box in the strict sense."""
        return self.slope_x == self.slope_y == 0.0

    @property
    def reach(self) -> tuple[float, float]:
        """Half the extent along x and y."""
        cosine, sine = map(abs, cosine_sine_of(self.turn))
        return (
            cosine * self.half_x + sine * self.half_y,
            sine * self.half_x + cosine * self.half_y,
        )

    def tops(self, x: Numbers, y: Numbers) -> Numbers:
        """Return the heights of its top at places in meters, whose shapes broadcast; -inf beside it."""
        cosine, sine = cosine_sine_of(self.turn)
        along = cosine * (x - self.x) + sine * (y - self.y)
        across = cosine * (y - self.y) - sine * (x - self.x)
        is_inside = (abs(along) <= self.half_x + _EDGE) & (abs(across) <= self.half_y + _EDGE)
        height = self.top + self.slope_x * along + self.slope_y * across
        return np.where(is_inside, height, -np.inf)

    def corners(self) -> list[tuple[float, float, float]]:
        """Return its eight corners, the bottom first; for boxes that are not turned."""
        return [
            (
                self.x + east * self.half_x,
                self.y + north * self.half_y,
                self.bottom
                if level == 0
                else self.top
                + self.slope_x * east * self.half_x
                + self.slope_y * north * self.half_y,
            )
            for level in (0, 1)
            for east in (-1, 1)
            for north in (-1, 1)
        ]

    def moved(self, x: float, y: float) -> Box:
        """Return it farther east and north by these, in meters."""
        return replace(self, x=self.x + x, y=self.y + y)


def slab(half: float, bottom: float, top: float) -> Box:
    """Return a square box around the middle."""
    return Box(0.0, 0.0, half, half, bottom, top)


def frame(outer: float, inner: float, bottom: float, top: float) -> list[Box]:
    """Return the four boxes of a square frame around the middle; none if it has no width.

    Parameters
    ----------
    outer, inner : float
        Half its sides, in meters.
    bottom, top : float
        Heights, in meters.
    """
    half, middle = 0.5 * (outer - inner), 0.5 * (outer + inner)
    if half <= 0.0:
        return []
    if inner <= 0.0:
        return [slab(outer, bottom, top)]
    return [
        Box(0.0, middle, outer, half, bottom, top),
        Box(0.0, -middle, outer, half, bottom, top),
        Box(-middle, 0.0, half, inner, bottom, top),
        Box(middle, 0.0, half, inner, bottom, top),
    ]


@dataclass(frozen=True, eq=False)
class GroundSamples:
    """Heights on an even grid over a square, edge to edge, straight between them.

    Attributes
    ----------
    height : ndarray of shape (rows, columns), float64
        In meters, row 0 at the smallest y.
    half : float
        Half the side of the square, in meters.
    """

    height: Numbers
    half: float

    def at(self, x: Numbers, y: Numbers) -> Numbers:
        """Return the heights at places within the square, whose shapes broadcast.

        Cells are cut from south-west to north-east, as MuJoCo cuts them.
        """
        rows, columns = self.height.shape
        column, right = _cells(x, self.half, columns)
        row, up = _cells(y, self.half, rows)
        first = self.height[row, column]
        last = self.height[row + 1, column + 1]
        east = self.height[row, column + 1]
        north = self.height[row + 1, column]
        below = first + right * (east - first) + up * (last - east)
        above = first + up * (north - first) + right * (last - north)
        heights: Numbers = np.where(right >= up, below, above)
        return heights


def _cells(place: Numbers, half: float, count: int) -> tuple[npt.NDArray[np.intp], Numbers]:
    """Return the cells of an axis that places lie in, and how far within: 0 to 1."""
    position = (place + half) * ((count - 1) / (2.0 * half))
    cell = np.clip(np.floor(position), 0, count - 2).astype(np.intp)
    return cell, position - cell


@dataclass(frozen=True, eq=False)
class RobotGround:
    """A piece of ground around the point (0, 0).

    Attributes
    ----------
    boxes : tuple of Box
        None with `samples`.
    start : float
        Height at which a robot begins in the middle, in meters.
    samples : GroundSamples, optional
    """

    boxes: tuple[Box, ...]
    start: float
    samples: GroundSamples | None = None

    @classmethod
    def of(cls, start: float, *parts: Box | Iterable[Box]) -> RobotGround:
        """Return ground of boxes and lists of boxes."""
        return cls(tuple(_flat(parts)), start)

    def heights(self, x: Numbers, y: Numbers) -> Numbers:
        """Return the highest ground at places: those of the highest box, or between samples.

        Parameters
        ----------
        x, y : ndarray, float64
            In meters from the middle; their shapes broadcast.

        Returns
        -------
        ndarray of the common shape, float64
            In meters; -inf where nothing lies.
        """
        if self.samples is not None:
            return self.samples.at(x, y)
        height = np.full(np.broadcast_shapes(x.shape, y.shape), -np.inf)
        for box in self.boxes:
            np.maximum(height, box.tops(x, y), out=height)
        return height

    def on_grid(self, x: Numbers, y: Numbers) -> Numbers:
        """Return `heights` at the crossings of rising x and rising y: shape (rows, columns)."""
        if self.samples is not None:
            return self.samples.at(x[np.newaxis, :], y[:, np.newaxis])
        height = np.full((y.size, x.size), -np.inf)
        for box in self.boxes:  # each looks at the window that it lies in alone
            reach_x, reach_y = box.reach
            columns = slice(
                *np.searchsorted(x, (box.x - reach_x - _WINDOW, box.x + reach_x + _WINDOW))
            )
            rows = slice(
                *np.searchsorted(y, (box.y - reach_y - _WINDOW, box.y + reach_y + _WINDOW))
            )
            part = height[rows, columns]
            np.maximum(part, box.tops(x[np.newaxis, columns], y[rows, np.newaxis]), out=part)
        return height


def _flat(parts: Iterable[Box | Iterable[Box]]) -> Iterator[Box]:
    for part in parts:
        yield from (part,) if isinstance(part, Box) else part
