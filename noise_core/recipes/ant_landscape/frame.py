# SPDX-License-Identifier: GPL-3.0-or-later
"""Plain functions of x and y on the plane of a landscape: ramps, waves, distances, and their profiles."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from ...base.elementary import direction
from ...noises.bases.noise import Noise
from ...noises.curve import Curve
from ...noises.gradient import Gradient
from ...noises.transform import Transform
from ...noises.wave import Wave
from .parts import bend, cosine, scale, sine

TURN = 2.0 * math.pi

NO_BIAS = 4
"""The profile that leaves its argument as it is."""

_PROFILES = (("sine", 0.0), ("sine", 0.25), ("triangle", 0.25), ("saw", 0.0))
"""Profiles of waves and their phases: sine, cosine, triangle, saw."""

_MOST_POINTS = 480


def profile(bias: int, angle: float) -> float:
    """Return a profile of A.N.T. Landscape at an angle in radians: from 0 to 1, but for the last."""
    if bias == NO_BIAS:
        return angle
    turns = angle / TURN
    part = turns - math.floor(turns)
    if bias == 2:
        return abs(1.0 - 2.0 * part)
    if bias == 3:
        return part
    return 0.5 + 0.5 * (sine(angle) if bias == 0 else cosine(angle))


def bend_by_profile(
    noise: Noise,
    bias: int,
    low: float,
    high: float,
    then: Callable[[float], float] = lambda value: value,
) -> Noise:
    """Return a noise in radians through a profile, and then through a function."""
    count = max(48, min(_MOST_POINTS, math.ceil((high - low) / TURN * 40)))
    return bend(
        noise,
        lambda angle: then(profile(bias, angle)),
        low,
        high,
        count=count,
        is_sharp=int(bias in (2, 3)),
    )


@dataclass(frozen=True)
class CoordinateFrame:
    """A plane whose coordinates are those of a noise or an effect of A.N.T. Landscape.

    Attributes
    ----------
    x_scale, y_scale : float
        Units along a tile.
    x_origin, y_origin : float
        Where both are 0, in tiles.
    depth : float
        Of the land, in tiles.
    """

    x_scale: float
    y_scale: float
    x_origin: float
    y_origin: float
    depth: float

    def times(self, factor: float) -> CoordinateFrame:
        """Return the frame with smaller units around the same origin."""
        return replace(self, x_scale=self.x_scale * factor, y_scale=self.y_scale * factor)

    def ramp(self, x: float, y: float) -> Noise:
        """Return x and y, times factors, added."""
        along_x, along_y = x * self.x_scale, y * self.y_scale
        steepness = math.sqrt(along_x * along_x + along_y * along_y)
        reach = 2.0 * (abs(self.x_origin) + abs(self.y_origin) + 1.0 + self.depth)
        gradient = Gradient(
            shape="linear",
            center=(self.x_origin, self.y_origin),
            angle=_angle(along_x, along_y),
            falloff=min(100.0, reach),
            fade="linear",
        )
        return scale(gradient, steepness * min(100.0, reach) / 2.0)

    def wave(self, x: float, y: float, bias: int = 0, phase: float = 0.0) -> Noise:
        """Return a profile of x and y, times factors, and a phase in radians: from -1 to 1.

        Where there is no profile it is the sum itself.
        """
        if bias == NO_BIAS:
            ramp = self.ramp(x, y)
            return scale(ramp, 1.0, phase) if phase else ramp
        along_x, along_y = x * self.x_scale, y * self.y_scale
        shape, first = _PROFILES[bias]
        start = along_x * self.x_origin + along_y * self.y_origin
        return Wave(
            frequency=min(1e5, math.sqrt(along_x * along_x + along_y * along_y) / TURN),
            angle=_angle(along_x, along_y),
            profile=shape,
            phase=round((phase - start) / TURN % 1.0 + first, 9),
        )

    def biased_wave(self, x: float, y: float, bias: int, phase: float = 0.0) -> Noise:
        """Return the same from 0 to 1."""
        wave = self.wave(x, y, bias, phase)
        return wave if bias == NO_BIAS else scale(wave, 0.5, 0.5)

    def radial(
        self, function: Callable[[float], float], periods: Callable[[float], float]
    ) -> Noise:
        """Return a function of the distance from the origin.

        Parameters
        ----------
        function : callable
        periods : callable
            About how many waves the function has up to a distance.
        """
        stretch = self.y_scale / self.x_scale
        x = max(abs(self.x_origin), abs(1.0 - self.x_origin))
        y = max(abs(self.y_origin), abs(self.depth - self.y_origin)) * stretch
        radius = max(0.001, min(100.0, 1.001 * math.sqrt(x * x + y * y)))
        gradient: Noise = Gradient(
            center=(self.x_origin, self.y_origin * stretch),
            radius=radius,
            falloff=radius,
            fade="linear",
        )
        if abs(stretch - 1.0) > 1e-6:
            gradient = Transform(source=gradient, scale=(1.0, max(0.01, min(100.0, stretch)), 1.0))
        count = max(64, min(_MOST_POINTS, math.ceil(24 * periods(radius * self.x_scale))))

        def of_value(value: float) -> float:
            return function((1.0 - value) / 2.0 * radius * self.x_scale)

        steps = (-1.0 + 2.0 * step / count for step in range(count + 1))
        return Curve(
            source=gradient, points=tuple((step, round(of_value(step), 6)) for step in steps)
        )


def _angle(x: float, y: float) -> float:
    """Return the direction of a vector in degrees from the x axis."""
    clockwise = direction(np.array([x], np.float32), np.array([y], np.float32))[0]
    return round(90.0 - float(clockwise), 4)
