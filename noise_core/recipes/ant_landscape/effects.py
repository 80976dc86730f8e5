# SPDX-License-Identifier: GPL-3.0-or-later
"""The 21 effects of A.N.T. Landscape, as layers.

Each is a function of a frame and a bias, the number of its profile. Numbers below 0 count as 0.

References
----------
Jimmy Hazevoet (2013-2017). Another Noise Tool 0.1.8, an add-on of Blender 3.4. (formulas)
"""

from __future__ import annotations

import math
from collections.abc import Callable

from ...base.elementary import cosine_sine_of
from ...noises.abs import Absolute
from ...noises.bases.noise import Noise
from ...noises.cellular import Cellular
from ...noises.constant import Constant
from ...noises.curve import Curve
from ...noises.remap import Remap
from ...noises.warp import Warp
from ..layers import Group
from .frame import NO_BIAS, CoordinateFrame, bend_by_profile, profile
from .parts import AntBases, Land, bend, cosine, find_bounds, group, layer, scale, sine

_PI = math.pi
_PLACEHOLDER = Constant(value=0.0)


def fractal_effect(
    frame: CoordinateFrame,
    kind: int,
    bias: int,
    *,
    warp: float,
    depth: int,
    amplitude: float,
    frequency: float,
) -> Land:
    """Return copies of an effect: the first, and `depth` more, each finer by `frequency`, of amplitude / number."""
    if warp > 0.0:  # it also moves everything by half of what it bends
        frame = CoordinateFrame(frame.x_scale, frame.y_scale, frame.x_origin - warp / 2 / frame.x_scale,
                      frame.y_origin - warp / 2 / frame.y_scale, frame.depth)  # fmt: skip
    copies: Land = ()
    for number in range(depth + 1):
        share = amplitude / max(1, number)
        copies += (_scale_effect(EFFECTS[kind](frame, bias), share),)
        frame = frame.times(frequency)
    if warp <= 0.0:
        return copies
    first = frame.times(frequency ** -(depth + 1))
    bent = Warp(
        source=_PLACEHOLDER,
        displacement=AntBases(first.x_scale).turbulence(),
        strength=min(10.0, 0.5 * warp / first.x_scale),
    )
    return (group(copies, bent),)


def _scale_effect(land: Land, share: float) -> Group:
    """Return an effect cut off at 0, times a share."""
    cut = Remap(
        source=_PLACEHOLDER,
        from_minimum=0.0,
        from_maximum=100.0,
        to_maximum=min(1000.0, 100.0 * share),
    )
    return group(land, cut)


def _filter(
    function: Callable[[float], float], low: float, high: float, count: int, is_sharp: int
) -> Noise:
    return bend(_PLACEHOLDER, function, low, high, count=count, is_sharp=is_sharp)


def _gradient(frame: CoordinateFrame, bias: int) -> Land:
    return (layer(frame.biased_wave(1.0, 1.0, bias)),)


def _waves(frame: CoordinateFrame, bias: int) -> Land:
    waves = (frame.biased_wave(_PI, 0.0, bias), frame.biased_wave(0.0, _PI, bias))
    return tuple(layer(scale(wave, 0.5)) for wave in waves)


def _zigzag(frame: CoordinateFrame, bias: int) -> Land:
    bent = Warp(
        source=frame.wave(_PI, 0.0),
        displacement=frame.wave(0.0, _PI),
        strength=min(10.0, 1.0 / (_PI * frame.x_scale)),
        scale=(1.0, 0.0, 0.0),
    )
    return (layer(bend_by_profile(bent, bias, -1.0, 1.0)),)


def _wavy(frame: CoordinateFrame, bias: int) -> Land:
    half = _PI / 2
    parts = (
        frame.wave(1.0, 0.0, 0, half),
        frame.wave(0.0, 1.0),
        frame.wave(2.0, 2.0, 0, half),
        frame.wave(4.0, -4.0),
    )
    return (group(tuple(map(layer, parts)), bend_by_profile(_PLACEHOLDER, bias, -4.0, 4.0)),)


def _bump(frame: CoordinateFrame, bias: int) -> Land:
    parts = (layer(frame.wave(_PI, 0.0)), layer(frame.wave(0.0, _PI)))
    return (
        group(parts, bend_by_profile(_PLACEHOLDER, bias, -2.0, 2.0, lambda value: 1.0 - value)),
    )


def _dots(frame: CoordinateFrame, bias: int) -> Land:
    x, y = frame.biased_wave(2 * _PI, 0.0, bias), frame.biased_wave(0.0, 2 * _PI, bias)
    return (layer(x), layer(y, "multiply"), layer(Constant(value=0.5), "subtract"))


def _rings(frame: CoordinateFrame, bias: int) -> Land:
    noise = frame.radial(
        lambda distance: profile(bias, 1.0 - distance * distance),
        lambda distance: distance * distance / (2 * _PI),
    )
    return (layer(noise),)


def spiral(frame: CoordinateFrame) -> Land:
    """Return x sin(r^2) + y cos(r^2), over r^2 + 1/2: one arm that winds ever closer."""

    def part(of: Callable[[float], float], x: float, y: float) -> Group:
        def at(distance: float) -> float:
            square = distance * distance
            return of(square) / (square + 0.5)

        arm = frame.radial(at, lambda distance: distance * distance / (2 * _PI))
        return group((layer(frame.ramp(x, y)), layer(arm, "multiply")))

    return (part(sine, 1.0, 0.0), part(cosine, 0.0, 1.0))


def _spiral(frame: CoordinateFrame, bias: int) -> Land:
    filters = bend_by_profile(_PLACEHOLDER, bias, -0.75, 0.75, lambda value: 2.0 * value)
    return (group(spiral(frame), filters),)


def _square(frame: CoordinateFrame, bias: int) -> Land:
    sides = (Absolute(source=frame.ramp(1.0, 0.0)), Absolute(source=frame.ramp(0.0, 1.0)))
    farthest = max(find_bounds(side)[1] for side in sides) + 0.01
    farthest = min(farthest, 8.0)
    points = 300
    return (
        group(
            (layer(sides[0]), layer(sides[1], "max")),
            _filter(lambda side: profile(bias, 1.0 - side * side), 0.0, farthest, points, 1),
        ),
    )


def _two(
    frame: CoordinateFrame, bias: int, mode: str, factor: float = 1.0, phase: float = 0.0
) -> Land:
    """Return the more or the less of the profiles along x and y."""
    x = frame.biased_wave(factor * _PI, 0.0, bias, phase)
    return (layer(x), layer(frame.biased_wave(0.0, factor * _PI, bias, phase), mode))


def _step(at: float) -> Noise:
    """Return a filter that is 1 below a value, and 0 from there on."""
    return Curve(source=_PLACEHOLDER, points=((at - 1e-3, 1.0), (at, 0.0)), interpolation="linear")


def _blocks(frame: CoordinateFrame, bias: int) -> Land:
    return (group(_two(frame, bias, "max"), _step(0.5)),)


def _grid(frame: CoordinateFrame, bias: int) -> Land:
    return (group(_two(frame, bias, "min"), _step(0.025)),)


def _tech(frame: CoordinateFrame, bias: int) -> Land:
    low, high = (-100.0, 100.0) if bias == NO_BIAS else (0.0, 1.0)
    waves = (
        group(_two(frame, bias, "max"), bend_by_profile(_PLACEHOLDER, bias, low, high)),
        group(
            _two(frame, bias, "max", 2.0, 2.0),
            bend_by_profile(_PLACEHOLDER, bias, low, high),
            mode="min",
        ),
    )
    # 3 times the value less 2, of which all above 0.5 is 1.
    steps = ((2.0 / 3.0, 0.0), (2.5 / 3.0 - 1e-3, 0.5), (2.5 / 3.0, 1.0))
    return (group(waves, Curve(source=_PLACEHOLDER, points=steps, interpolation="linear")),)


def _clip(noise: Noise, factor: float, shift: float, top: float, times: float = 1.0) -> Land:
    """Return a noise times a factor plus a shift, cut off at 0 and a top, times another factor."""
    points = ((-shift / factor, 0.0), ((top - shift) / factor, top * times))
    if factor < 0.0:
        points = (points[1], points[0])
    return (layer(Curve(source=noise, points=points, interpolation="linear")),)


def _bases(frame: CoordinateFrame) -> AntBases:
    bases = AntBases(frame.x_scale, frame.y_scale / frame.x_scale)
    return bases


def _crackle(frame: CoordinateFrame, bias: int) -> Land:
    bases = _bases(frame)
    bent = Warp(source=bases.basis("VORONOI_CRACKLE"), displacement=bases.basis("BLENDER"),
                strength=min(10.0, 0.25 / frame.x_scale))  # fmt: skip
    return _clip(bent, 1.0, 0.0, 0.5)


def _cracks(frame: CoordinateFrame, bias: int) -> Land:
    return _clip(Absolute(source=_bases(frame).basis("PERLIN_ORIGINAL")), 2.5, -0.1, 0.25, 2.5)


def _rock(frame: CoordinateFrame, bias: int) -> Land:
    return _clip(_bases(frame).basis("VORONOI_F2F1"), 1.0, 0.5, 0.75)


def _squared_distance(frame: CoordinateFrame) -> Noise:
    """Return the squared distance to the nearest point: 0 to 2, of which more than 1 hardly occurs."""
    squared = Cellular(frequency=_bases(frame).frequency, metric="squared")
    return scale(squared, 1.0, 1.0)


def _lunar(frame: CoordinateFrame, bias: int) -> Land:
    return _clip(_squared_distance(frame), 1.5, 0.25, 0.5, 2.0)


def _cosine(frame: CoordinateFrame, bias: int) -> Land:
    noise = _bases(frame).basis("BLENDER")
    return (
        layer(
            bend(noise, lambda value: 0.5 * cosine_sine_of(math.degrees(5.0 * value))[0], -1.2, 1.2)
        ),
    )


def _spikey(frame: CoordinateFrame, bias: int) -> Land:
    noise = _bases(frame.times(5.0)).turbulence(8)

    def spike(value: float) -> float:
        half = 0.5 + 0.5 * value
        return (half * half) ** 5

    return (layer(bend(noise, spike, -1.0, 2.0, count=96)),)


def _stone(frame: CoordinateFrame, bias: int) -> Land:
    return (layer(scale(_bases(frame.times(2.0)).basis("BLENDER"), 1.5, -0.75)),)


def _flat_turbulence(frame: CoordinateFrame, bias: int) -> Land:
    return _clip(_bases(frame).turbulence(), 2.0, 0.0, 0.25)


def _flat_voronoi(frame: CoordinateFrame, bias: int) -> Land:
    return _clip(_squared_distance(frame), -2.0, 0.5, 0.25)


EFFECTS: dict[int, Callable[[CoordinateFrame, int], Land]] = dict(
    enumerate(
        (
            _gradient, _waves, _zigzag, _wavy, _bump, _dots, _rings, _spiral, _square, _blocks, _grid, _tech,
            _crackle, _cracks, _rock, _lunar, _cosine, _spikey, _stone, _flat_turbulence, _flat_voronoi,
        ),
        1,
    )
)  # fmt: skip
"""Effects by their numbers."""
