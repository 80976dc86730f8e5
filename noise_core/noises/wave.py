# SPDX-License-Identifier: GPL-3.0-or-later
"""Regular waves: bands, rings and a spiral with a round, straight or one-sided profile."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

import numpy as np

from ..base import waves
from ..base.arrays import Coordinates, Field, Points
from ..base.elementary import cosine_sine_of, direction
from ..base.grid import Axes
from ..base.params import cells_per_tile, choice, number, vector
from ..base.plans import open_plan
from ..base.torus import apply_matrix, closed_wave, laps_of, multiply, nearest_images
from .bases.noise import Noise, noise_type

if TYPE_CHECKING:
    from ..base.derivatives import Slopes
    from ..base.plans import RowPlan
    from ..base.torus import Torus


@noise_type("wave", "Wave", family="shape")
class Wave(Noise):
    """Parallel waves, rings or a spiral, from -1 to 1.

    Notes
    -----
    Only x and y count; along further axes the waves stay the same. Sines are those of `waves.cosine`, with an
    error of at most 0.0004, within [-1, 1].

    On a wrapping grid bands take the angle and the wave length nearest to the asked ones that close, and
    rings go around the nearest image of their center; between two of these their slope has a kink. A spiral
    closes because its angle is that of the sines of the way; so it winds back around three more points, half a tile aside.

    Examples
    --------
    >>> from noise_core import Grid
    >>> from noise_core.noises import Wave
    >>> waves = Wave(frequency=2.0, shape="bands", profile="triangle")
    >>> print(waves.sample_grid(Grid(1, 9)).round(2))
    [[ 0.  1.  0. -1.  0.  1.  0. -1.  0.]]

    Rings around the middle of the tile are the same along each direction:

    >>> rings = Wave(frequency=4.0, shape="rings")
    >>> east, north = rings.sample([[0.7, 0.5], [0.5, 0.7]])
    >>> bool(abs(east - north) < 1e-5)
    True
    """

    has_seed = False
    is_arithmetic = True

    frequency: float = cells_per_tile()
    shape: str = choice(
        "bands",
        help="Shape of the waves",
        options={
            "bands": "Straight and parallel",
            "rings": "Around a center",
            "spiral": "One crest that winds outward around a center",
        },
    )
    profile: str = choice(
        "sine",
        help="Profile of the waves",
        options={
            "sine": "Round, as dunes and swell",
            "triangle": "Straight up and straight down, as roofs",
            "saw": "Slowly up and down at once, as steps",
        },
    )
    angle: float = number(
        0.0,
        help="Direction that bands advance in, in degrees from the X axis",
        minimum=-360.0,
        maximum=360.0,
        soft_minimum=-180.0,
        soft_maximum=180.0,
        unit="angle",
        visible_when=("shape", ("bands",)),
    )
    center: tuple[float, ...] = vector(
        (0.5, 0.5),
        help="Center of the rings or the spiral, in tiles",
        minimum=-1000.0,
        maximum=1000.0,
        visible_when=("shape", ("rings", "spiral")),
    )
    phase: float = number(
        0.0,
        help="Shift of the waves, in wave lengths",
        minimum=-1000.0,
        maximum=1000.0,
        soft_minimum=0.0,
        soft_maximum=1.0,
    )

    def values(self, points: Points, seed: int, torus: Torus | None) -> Field:
        """See `Noise.values`."""
        turns = self._bands(points, torus) if self.shape == "bands" else self._rings(points, torus)
        return _PROFILES[self.profile](turns)

    def slopes(self, points: Points, seed: int, torus: Torus | None) -> tuple[Field, Slopes]:
        """See `Noise.slopes`: a spiral's on a torus are central differences, since its angle has no rule there."""
        if self.shape != "spiral":
            return super().slopes(points, seed, torus)
        if torus is None:
            return self.values(points, seed, None), self._spiral_slopes(points)
        from ..base.derivatives import central_differences, difference_step  # here: few need it

        def evaluate(places: Points) -> Field:
            return self.values(places, seed, torus)

        step = difference_step(self.finest(), torus)
        return evaluate(points), central_differences(evaluate, points, step)

    def _spiral_slopes(self, points: Points) -> Slopes:
        """Return the derivatives of a spiral in the open plane: of the way from its center, and of its angle."""
        x = points[0].astype(np.float64) - self.center[0]
        y = points[1].astype(np.float64) - self.center[1] if len(points) > 1 else np.zeros_like(x)
        squared = np.maximum(x * x + y * y, _NEAREST**2)
        along, angular = self.frequency / np.sqrt(squared), 1.0 / (2.0 * np.pi * squared)
        rate = _RATES[self.profile](self._rings(points, None))
        slopes = [
            (rate * part).astype(np.float32)
            for part in (along * x + angular * y, along * y - angular * x)[: len(points)]
        ]
        return (*slopes, *(np.zeros_like(slopes[0]) for _ in points[2:]))

    def plan(self, axes: Axes, seed: int) -> RowPlan:
        """See `Noise.plan`: from one coordinate per row and per column."""
        return open_plan(lambda points: self.values(points, seed, axes.torus), axes)

    def _bands(self, points: Points, torus: Torus | None) -> Field:
        """Return how many waves along them points lie, without whole ones."""
        cosine, sine = cosine_sine_of(self.angle)
        frequencies = (self.frequency * cosine, self.frequency * sine)
        wave = frequencies if torus is None else closed_wave(frequencies, torus)[0]
        parts = [multiply(axis, part) for axis, part in zip(points[:2], wave)]
        return self._turns(parts[0] + parts[1] if len(parts) == 2 else parts[0])

    def _rings(self, points: Points, torus: Torus | None) -> Field:
        """Return how many waves from the center points lie, without whole ones; a spiral's with their angle."""
        offset = tuple(
            axis - axis.dtype.type(middle) for axis, middle in zip(points[:2], self.center)
        )
        images = [offset] if torus is None else nearest_images(offset, torus)
        squares = [functools.reduce(np.add, [axis * axis for axis in image]) for image in images]
        nearest = np.sqrt(functools.reduce(np.minimum, squares))
        along = multiply(nearest, self.frequency)
        if self.shape == "spiral":
            along = along + _turn_around(offset, torus)
        return self._turns(along)

    def _turns(self, along: Coordinates) -> Field:
        """Return a number of waves with the phase, without whole ones: in [0, 1]."""
        along = along + along.dtype.type(self.phase)
        turns: Field = (along - np.floor(along)).astype(np.float32)
        return turns


def _turn_around(offset: Points, torus: Torus | None) -> Field:
    """Return the share of a turn, clockwise from the y axis, in which a way from the center points."""
    x, y = offset if len(offset) == 2 else (offset[0], np.zeros(1, offset[0].dtype))
    if torus is not None:
        laps = (lap.astype(np.float32) for lap in laps_of((x, y), torus))
        x, y = apply_matrix(torus.periods, tuple(waves.cosine_sine(lap)[1] for lap in laps))
    return direction(x.astype(np.float32), y.astype(np.float32)) * np.float32(1.0 / 360.0)


def _sine(turns: Field) -> Field:
    return waves.cosine(turns - np.float32(0.25))


def _triangle(turns: Field) -> Field:
    """Return 0, 1, 0 and -1 at the quarters, as a sine."""
    moved = turns + np.float32(0.25)
    moved -= np.floor(moved)
    result: Field = np.float32(1.0) - np.abs(moved - np.float32(0.5)) * np.float32(4.0)
    return result


def _saw(turns: Field) -> Field:
    return turns * np.float32(2.0) - np.float32(1.0)


def _sine_rate(turns: Field) -> Field:
    return waves.cosine(turns) * np.float32(2.0 * np.pi)


def _triangle_rate(turns: Field) -> Field:
    rises = (turns < np.float32(0.25)) | (turns >= np.float32(0.75))
    result: Field = np.where(rises, np.float32(4.0), np.float32(-4.0))
    return result


def _saw_rate(turns: Field) -> Field:
    return np.full_like(turns, 2.0)


_PROFILES = {"sine": _sine, "triangle": _triangle, "saw": _saw}
_RATES = {"sine": _sine_rate, "triangle": _triangle_rate, "saw": _saw_rate}
"""What a profile rises by in a wave, at a share of it."""

_NEAREST = 1e-6
"""Tiles from the center of a spiral below which its angle is taken to turn no faster."""
