# SPDX-License-Identifier: GPL-3.0-or-later
"""The bases and fractals of A.N.T. Landscape as chains of Terrane.

All functions return noises with the values that Blender's functions have, which are not within [-1, 1].

References
----------
Blender Foundation (2022). Blender 3.4, `mathutils.noise`. (formulas of the fractals)
"""

from __future__ import annotations

import math
from collections.abc import Callable

from ...base.elementary import cosine_sine_of, power_of
from ...fractals import kinds, sums
from ...noises.bases.noise import Noise
from ...noises.cellular import Cellular
from ...noises.constant import Constant
from ...noises.curve import Curve
from ...noises.fractal import Fractal
from ...noises.perlin import Perlin
from ...noises.remap import Remap
from ...noises.transform import Transform
from ...noises.white import White
from ..layers import BlendedLayer, Group, NoiseLayer

Land = tuple[BlendedLayer, ...]
"""Layers on a plain of 0."""

_PERLIN = {
    "BLENDER": (1.115, "cubic"),
    "PERLIN_ORIGINAL": (0.868, "cubic"),
    "PERLIN_NEW": (0.83, "quintic"),
}
"""Factor that gives a basis Blender's standard deviation, and its fade: 0.337, 0.262 and 0.254 were measured
in 40,000 points of Blender 4.2, and 0.302 (cubic) and 0.307 (quintic) here."""

_VORONOI = {
    "VORONOI_F1": ("f1", 0.055, 0.356, -0.391, 0.271),
    "VORONOI_F2": ("f2", 0.429, 0.302, -0.116, 0.223),
    "VORONOI_F3": ("f3", 0.684, 0.260, -0.005, 0.182),
    "VORONOI_F4": ("f4", 0.881, 0.233, 0.148, 0.166),
    "VORONOI_F2F1": ("f2_minus_f1", -0.628, 0.303, -0.661, 0.253),
}
"""Output, and mean and standard deviation in Blender and here, measured likewise. Blender's are a slice of
points in space, whose distances vary less."""

_LARGEST = 1000.0
"""Values beyond this are cut off, as a remap reaches no farther."""


def sine(angle: float) -> float:
    """Return the sine of an angle in radians, with the same bits everywhere."""
    return cosine_sine_of(math.degrees(angle))[1]


def cosine(angle: float) -> float:
    """Return the cosine of an angle in radians, with the same bits everywhere."""
    return cosine_sine_of(math.degrees(angle))[0]


def scale(noise: Noise, factor: float, shift: float = 0.0) -> Noise:
    """Return a noise times a factor plus a shift."""
    if factor == 1.0 and shift == 0.0:
        return noise
    factor, shift = (max(-_LARGEST / 2, min(_LARGEST / 2, number)) for number in (factor, shift))
    return Remap(
        source=noise,
        from_minimum=-1.0,
        from_maximum=1.0,
        to_minimum=shift - factor,
        to_maximum=shift + factor,
        clamp=False,
    )


def bend(
    noise: Noise, function: Callable[[float], float], low: float, high: float, **more: int
) -> Noise:
    """Return a function of a noise between two values; see `bend_points`."""
    return Curve(source=noise, points=bend_points(function, low, high, **more), interpolation="linear"
                 if more.get("is_sharp") else "automatic")  # fmt: skip


def bend_points(
    function: Callable[[float], float],
    low: float,
    high: float,
    *,
    count: int = 64,
    is_sharp: int = 0,
) -> tuple[tuple[float, float], ...]:
    """Return points of a curve at equal steps."""
    step = (high - low) / count
    return tuple(
        (round(low + index * step, 6), round(function(low + index * step), 6))
        for index in range(count + 1)
    )


def layer(
    noise: Noise, mode: str = "add", *, seed: int = 0, name: str = "", opacity: float = 1.0
) -> NoiseLayer:
    """Return a layer; layers of one seed are the same noise."""
    return NoiseLayer(noise=noise, mode=mode, seed_offset=2 * seed, name=name, opacity=opacity)


def group(
    land: Land, *chain: Noise, mode: str = "add", name: str = "", opacity: float = 1.0
) -> Group:
    """Return layers as one, through filters; a placeholder among these changes nothing."""
    filters = tuple(noise for noise in chain if not isinstance(noise, Constant))
    return Group(layers=land, chain=filters, mode=mode, name=name, opacity=opacity)


def find_bounds(noise: Noise) -> tuple[float, float]:
    """Return the bounds of a noise, at least a little apart."""
    low, high = noise.bounds()
    return low, max(high, low + 1e-3)


class AntBases:
    """The bases at the size of a landscape.

    Parameters
    ----------
    frequency : float
        Cells of a basis along a tile.
    stretch : float
        How much closer its cells are along y.
    offset : tuple of two floats
        How far it is moved, in cells.
    """

    def __init__(
        self, frequency: float, stretch: float = 1.0, offset: tuple[float, float] = (0.0, 0.0)
    ) -> None:
        self.frequency = max(1e-4, min(1e5, frequency))
        self.stretch = max(0.01, min(100.0, stretch))
        self.offset = tuple(
            max(-1000.0, min(1000.0, coordinate / self.frequency)) for coordinate in offset
        )

    def times(self, factor: float) -> AntBases:
        """Return bases with cells smaller by a factor."""
        bases = AntBases(self.frequency * factor, self.stretch)
        bases.offset = self.offset
        return bases

    def place(self, noise: Noise) -> Noise:
        """Return a noise stretched and moved."""
        if self.stretch == 1.0 and self.offset == (0.0, 0.0):
            return noise
        return Transform(source=noise, scale=(1.0, self.stretch, 1.0), offset=(*self.offset, 0.0))

    def basis(self, key: str, *, is_cut: bool = False) -> Noise:
        """Return a basis; if cut, within [-1, 1]."""
        if key in _PERLIN:
            factor, fade = _PERLIN[key]
            perlin = Perlin(frequency=self.frequency, fade=fade)
            if factor > 1.0 and is_cut:
                reach = 1.0 / factor
                return Remap(
                    source=perlin, from_minimum=-reach, from_maximum=reach, to_minimum=-1.0
                )
            return scale(perlin, factor)
        if key in _VORONOI:
            output, mean, spread, our_mean, our_spread = _VORONOI[key]
            factor = spread / our_spread
            cellular, shift = (
                Cellular(frequency=self.frequency, output=output),
                mean - our_mean * factor,
            )
            if not is_cut:
                return scale(cellular, factor, shift)
            low, high = ((end - shift) / factor for end in (-1.0, 1.0))
            return Remap(source=cellular, from_minimum=low, from_maximum=high, to_minimum=-1.0)
        if key == "VORONOI_CRACKLE":
            noise = self.basis("VORONOI_F2F1")
            return Remap(source=noise, from_minimum=-1.0, from_maximum=-0.8, to_minimum=-1.0)
        return White(frequency=self.frequency)

    def sum(
        self,
        key: str,
        octaves: int,
        persistence: float,
        lacunarity: float,
        *,
        is_hard: bool = False,
    ) -> Noise:
        """Return the sum of octaves, or of their absolute values."""
        noise = Fractal(
            source=self.basis(key),
            kind="turbulence" if is_hard else "fbm",
            octaves=float(max(1, octaves)),
            persistence=persistence,
            lacunarity=lacunarity,
        )
        return self.place(scale(noise, math.fsum(sums.amplitudes(noise.octaves, persistence))))

    def turbulence(self, octaves: int = 6) -> Noise:
        """Return Blender's soft turbulence with the usual proportions."""
        return self.sum("BLENDER", octaves, 0.5, 2.0)

    def fractal(
        self, kind: str, key: str, dimension: float, lacunarity: float, octaves: int,
        offset: float = 1.0, gain: float = 1.0,
    ) -> Noise:  # fmt: skip
        """Return one of Musgrave's fractals as Blender computes it: not rescaled."""
        persistence = min(2.0, power_of(lacunarity, -dimension))
        if octaves < 1 and kind in ("fbm", "multifractal"):
            return Constant(value=0.0 if kind == "fbm" else 1.0)
        if kind == "fbm":
            return self.sum(key, octaves, persistence, lacunarity)
        noise = Fractal(
            source=self.basis(key, is_cut=True),
            kind=kind,
            octaves=float(max(1, octaves)),
            persistence=persistence,
            lacunarity=lacunarity,
            offset=min(4.0, offset),
            gain=min(16.0, gain),
        )
        low, high = _raw_interval(noise)
        middle, half = (low + high) / 2.0, (high - low) / 2.0
        if half > _LARGEST / 4.0:
            # Only where all octaves are at their highest at once does it come near to that.
            cut = -1.0 + _LARGEST / 2.0 / half
            return self.place(
                Remap(
                    source=noise,
                    from_minimum=-1.0,
                    from_maximum=cut,
                    to_minimum=low,
                    to_maximum=low + _LARGEST / 2,
                )
            )
        return self.place(scale(noise, half, middle))


def _raw_interval(fractal: Fractal) -> tuple[float, float]:
    """Return the values of -1 and 1 of a fractal before it was rescaled."""
    parts = sums.amplitudes(fractal.octaves, fractal.persistence)
    offset = fractal.offset
    if fractal.kind == "ridged":
        return 0.0, max(offset**2, (1.0 - offset) ** 2) * math.fsum(parts)
    present = (1.0,) * len(parts)
    mix = sums.Mix(tuple(parts), present, offset, fractal.gain, 0.0, fractal.folds)
    low, high = kinds.KINDS[fractal.kind].raw_bounds(mix)  # type: ignore[attr-defined]
    factor = 1.0
    if fractal.kind == "multifractal":
        factor = math.prod(offset + part for part in parts)
    elif fractal.kind == "heterogeneous_terrain":
        factor = math.prod(1.0 + part * (offset + 1.0) for part in parts[1:])
    return low * factor, high * factor
