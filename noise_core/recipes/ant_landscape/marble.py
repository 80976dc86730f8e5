# SPDX-License-Identifier: GPL-3.0-or-later
"""The noise *Marble* of A.N.T. Landscape: a shape that turbulence bends, as layers.

References
----------
Jimmy Hazevoet (2009-2017). Another Noise Tool 0.1.8, an add-on of Blender 3.4. (formulas)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from ...noises.bases.noise import Noise
from ...noises.constant import Constant
from ...noises.curve import Curve
from ...noises.warp import Warp
from .effects import spiral
from .frame import CoordinateFrame, bend_by_profile
from .parts import Land, cosine, find_bounds, group, layer, scale

_PLACEHOLDER = Constant(value=0.0)


def build_marble(
    turbulence: Noise, frame: CoordinateFrame, distortion: float, shape: int, bias: int, sharp: int
) -> Land:
    """Return a shape plus turbulence, in radians, through a profile that is made sharper.

    Parameters
    ----------
    turbulence : Noise
    frame : CoordinateFrame
    distortion : float
        Factor of the turbulence.
    shape, bias, sharp : int
        Numbers of the shape, of its profile and of the function that sharpens it.
    """
    ramps = {0: (5.0, 5.0), 6: (0.0, math.pi), 7: (math.pi, 0.0)}
    if shape in ramps:
        x, y = ramps[shape]
        across = (x or y) * (frame.x_scale if x else frame.y_scale)
        axes = (1.0, 0.0, 0.0) if x else (0.0, 1.0, 0.0)
        bent = Warp(
            source=frame.biased_wave(x, y, bias),
            displacement=turbulence,
            strength=min(10.0, distortion / abs(across)),
            scale=axes,
        )
        exponent = (1.0, 0.5, 0.25)[sharp % 3]
        if exponent == 1.0 and sharp >= 3:
            return (layer(bent),)
        return (layer(Curve(source=bent, points=_sharp_points(sharp))),)
    land = _SHAPES[shape](frame) + (layer(scale(turbulence, distortion), seed=1),)
    low, high = (
        end + distortion * at
        for end, at in zip(_SHAPE_BOUNDS[shape], _turbulence_reach(turbulence))
    )
    return (
        group(
            land,
            bend_by_profile(_PLACEHOLDER, bias, low, high, lambda value: sharpen(sharp, value)),
        ),
    )


def _turbulence_reach(turbulence: Noise) -> tuple[float, float]:
    """Return the bounds of a sum of octaves, of which more than 1.5 hardly occurs."""
    low, high = find_bounds(turbulence)
    return max(low, -1.5), min(high, 1.5)


def sharpen(sharp: int, value: float) -> float:
    """Return a value from 0 to 1, its root or the root of that; the first three turned upside down."""
    value = max(0.0, value)
    for _ in range(sharp % 3):
        value = math.sqrt(value)
    return value if sharp >= 3 else 1.0 - value


def _sharp_points(sharp: int) -> tuple[tuple[float, float], ...]:
    """Return points that lie closer where the roots are steep."""
    places = (0.0, 1e-4, 1e-3, 4e-3, 0.01, 0.025, 0.05, 0.1, 0.2, 0.3, 0.45, 0.6, 0.8, 1.0)
    return tuple((place, round(sharpen(sharp, place), 6)) for place in places)


def _ring(frame: CoordinateFrame) -> Land:
    def at(distance: float) -> float:
        square = math.pi * math.pi * distance * distance
        return cosine(square) / (square + 0.5)

    return (layer(frame.radial(at, lambda distance: math.pi * distance * distance / 2.0)),)


def _bumps(frame: CoordinateFrame) -> Land:
    pi = math.pi
    waves = [
        scale(frame.wave(*direction, 0, pi / 2), -1.0)
        for direction in ((pi * pi, 0.0), (0.0, pi * pi))
    ]
    return (layer(Constant(value=0.5)), *map(layer, waves))


def _wave(frame: CoordinateFrame) -> Land:
    bent = Warp(
        source=frame.wave(2 * math.pi, 0.0),
        displacement=frame.wave(0.0, 2 * math.pi),
        strength=min(10.0, 1.0 / (2 * math.pi * frame.x_scale)),
        scale=(1.0, 0.0, 0.0),
    )
    return (layer(bent),)


_SHAPES: Mapping[int, Callable[[CoordinateFrame], Land]] = {
    1: _ring,
    2: lambda frame: spiral(frame.times(math.pi)),
    3: _bumps,
    4: _wave,
    5: lambda frame: (),  # the height of a plane, which is 0
}
_SHAPE_BOUNDS = {1: (-0.25, 2.0), 2: (-0.75, 0.75), 3: (-1.5, 2.5), 4: (-1.0, 1.0), 5: (0.0, 0.0)}
