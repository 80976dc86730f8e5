# SPDX-License-Identifier: GPL-3.0-or-later
"""The 19 types of noise of A.N.T. Landscape, as layers.

Each is a function of the settings, the bases at the size of the landscape, and a frame in whose units
cells of a basis are 1 wide.

References
----------
Jimmy Hazevoet (2009-2017). Another Noise Tool 0.1.8, an add-on of Blender 3.4. (formulas)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from ...noises.abs import Absolute
from ...noises.bases.noise import Noise
from ...noises.constant import Constant
from ...noises.transform import Transform
from ...noises.warp import Warp
from .frame import CoordinateFrame
from .marble import build_marble
from .parts import AntBases, Land, bend, find_bounds, group, layer, scale, sine
from .settings import AntSettings

_PLACEHOLDER = Constant(value=0.0)

_AT_THE_ORIGIN = 0.31
"""What *Another Noise* has on average, beside half its dents: 0.5, less 0.19 because whatever its seed it sees those
Voronoi cells of Blender that lie around the origin (measured with 6 seeds of the preset, and 8 here)."""

_PLAIN = {
    "multi_fractal": ("multifractal", 0.5),
    "ridged_multi_fractal": ("ridged", 0.5),
    "hybrid_multi_fractal": ("hybrid_multifractal", 0.5),
    "hetero_terrain": ("heterogeneous_terrain", 0.25),
    "fractal": ("fbm", 1.0),
}
"""Kinds of fractals, and what their values are multiplied by."""


class Kinds:
    """Layers of the noise of a landscape.

    Parameters
    ----------
    settings : AntSettings
    bases : AntBases
    frame : CoordinateFrame
    """

    def __init__(self, settings: AntSettings, bases: AntBases, frame: CoordinateFrame) -> None:
        self.bases, self.frame = bases, frame
        self.kind = settings.text("noise_type")
        self.basis, self.second = settings.text("basis_type"), settings.text("vl_basis_type")
        self.octaves = settings.integer("noise_depth")
        self.dimension = settings.number("dimension")
        self.lacunarity = min(8.0, max(1.0, settings.number("lacunarity")))
        self.frequency = min(8.0, max(1.0, settings.number("frequency")))
        self.amplitude, self.distortion = (
            settings.number("amplitude"),
            settings.number("distortion"),
        )
        self.offset, self.gain = settings.number("offset"), settings.number("gain")
        self.is_hard = settings.is_on("hard_noise")
        self.marble = (
            settings.integer("marble_shape"),
            settings.integer("marble_bias"),
            settings.integer("marble_sharp"),
        )

    def build(self) -> Land:
        """Return the layers, whose sum is the noise."""
        if self.kind in _PLAIN:
            kind, factor = _PLAIN[self.kind]
            noise = self.fractal(kind, self.basis)
            return (layer(scale(noise, factor)),)
        return _OTHERS[self.kind](self)

    def fractal(self, kind: str, basis: str, *, offset: float = 0.0, gain: float = 1.0) -> Noise:
        """Return a fractal with the octaves of the settings; offset is added to, gain multiplied."""
        return self.bases.fractal(
            kind,
            basis,
            self.dimension,
            self.lacunarity,
            self.octaves,
            self.offset + offset,
            self.gain * gain,
        )

    def terrain(self, basis: str) -> Noise:
        """Return the hetero terrain of the settings."""
        return self.fractal("heterogeneous_terrain", basis)

    def warp(self, source: Noise, displacement: Noise, cells: float, *axes: float) -> Noise:
        """Return a noise bent by another, a displacement of 1 moving so many cells."""
        strength = min(10.0, abs(cells) / self.bases.frequency)
        return Warp(
            source=source,
            displacement=displacement,
            strength=strength,
            scale=axes or (1.0, 1.0, 1.0),
        )

    def distorted_noise(self, factor: float = 1.0) -> Noise:
        """Return the second basis, bent by the first one."""
        bases = self.bases.times(factor)
        source, displacement = (
            bases.place(bases.basis(self.second)),
            bases.place(bases.basis(self.basis)),
        )
        noise = self.warp(source, displacement, self.distortion / factor)
        return noise

    def turbulence(self) -> Noise:
        """Return the turbulence of the settings."""
        return self.bases.sum(
            self.basis, self.octaves, self.amplitude, self.frequency, is_hard=self.is_hard
        )


def _turbulence(kinds: Kinds) -> Land:
    return (layer(kinds.turbulence()),)


def _distorted_noise(kinds: Kinds) -> Land:
    return (layer(kinds.distorted_noise()),)


def _shattered_terrain(kinds: Kinds) -> Land:
    bases = kinds.bases
    shards = kinds.warp(bases.basis("VORONOI_F2F1"), bases.turbulence(), kinds.distortion / 4.0)
    fine = bases.times(2.0).fractal(
        "heterogeneous_terrain",
        kinds.basis,
        kinds.dimension,
        kinds.lacunarity,
        kinds.octaves,
        kinds.offset,
    )
    return (
        layer(scale(fine, 0.25)),
        layer(scale(bases.place(shards), 1.0, 1.0), "multiply", seed=1),
    )


def _strata(kinds: Kinds) -> Land:
    """Return hetero terrain, half of it in steps."""
    terrain = scale(kinds.terrain(kinds.basis), 0.5)
    waves = 5.0 * kinds.distortion * math.pi
    high = min(find_bounds(terrain)[1], 4.0)
    low = max(find_bounds(terrain)[0], -2.0)
    count = max(48, min(480, math.ceil((high - low) * waves / math.pi * 6)))

    def step(value: float) -> float:
        return 0.5 * value + 0.05 * math.pi * math.pi / waves * sine(value * waves)

    return (layer(bend(terrain, step, low, high, count=count, is_sharp=int(count > 160))),)


def _another(kinds: Kinds) -> Land:
    """Return dents whose place is a turbulence alone, not the point itself."""
    bases = kinds.bases
    turbulence = bases.times(0.5).sum(kinds.basis, kinds.octaves, kinds.amplitude, kinds.frequency)
    cells = max(0.01, 0.5 * kinds.distortion)
    # Cells so large that the point itself hardly counts.
    dents = AntBases(cells / 100.0).sum("VORONOI_F1", 2, 0.5, 2.0, is_hard=kinds.is_hard)
    bent = Warp(source=dents, displacement=turbulence, strength=10.0, scale=(10.0, 10.0, 0.0))
    return (layer(scale(bent, 0.5, _AT_THE_ORIGIN)),)


def _vl_turbulence(kinds: Kinds) -> Land:
    land: Land = ()
    for number in range(kinds.octaves + 1):
        factor = 1.0 if number == 0 else kinds.frequency * number
        share = 1.0 if number == 0 else kinds.amplitude * 0.5 / number
        noise = kinds.distorted_noise(factor)
        if kinds.is_hard:
            noise = Absolute(source=noise)
        land += (layer(scale(noise, share), seed=number),)
    return land


def _vl_terrain(kinds: Kinds) -> Land:
    terrain = layer(scale(kinds.terrain(kinds.basis), 0.25))
    vl = group(
        (terrain, layer(kinds.distorted_noise(), "multiply", seed=1)),
        scale(_PLACEHOLDER, 0.5, 0.5),
        mode="multiply",
    )
    return (terrain, vl)


def _squares(first: Noise, second: Noise) -> Land:
    """Return half the sum of the squares of two noises."""
    land: Land = ()
    for number, noise in enumerate((first, second)):
        reach = max(map(abs, find_bounds(noise)))
        reach = min(reach, 8.0)
        land += (
            layer(
                bend(noise, lambda value: 0.5 * value * value, -reach, reach, count=96), seed=number
            ),
        )
    return land


def _distorted_terrain(kinds: Kinds) -> Land:
    first = scale(kinds.bases.place(kinds.bases.basis(kinds.basis)), 0.5, 0.5)
    second = kinds.warp(scale(kinds.terrain(kinds.second), 0.25), first, kinds.distortion)
    return _squares(first, second)


def _double(kinds: Kinds) -> Land:
    first = scale(kinds.bases.times(1.5).basis(kinds.basis), 0.5 * kinds.offset, 0.5 * kinds.offset)
    return _squares(
        kinds.bases.place(first),
        scale(kinds.fractal("multifractal", kinds.second), 0.5 * kinds.gain),
    )


def _rocks(kinds: Kinds) -> Land:
    bases = kinds.bases
    plates = kinds.warp(
        bases.sum("VORONOI_F2F1", 2, 0.5, 2.0), bases.turbulence(4), 0.125 * kinds.distortion
    )
    detail = bases.sum(kinds.basis, kinds.octaves, 0.5, 2.0, is_hard=kinds.is_hard)
    return (layer(scale(plates, 0.25, 0.5)), layer(scale(detail, 0.25), seed=1))


def _slick(kinds: Kinds) -> Land:
    folds = scale(
        kinds.bases.fractal("multifractal", kinds.basis, 1.0, 2.0, 2), 0.25 * kinds.distortion
    )
    ridges = kinds.warp(kinds.fractal("ridged", kinds.second, offset=0.1, gain=2.0), folds, 1.0)
    return (layer(folds), layer(scale(ridges, 0.5, 0.5), "multiply", seed=1))


def _planet(kinds: Kinds) -> Land:
    """Return the difference between a turbulence and one whose x is that turbulence."""
    noise = kinds.bases.sum(kinds.basis, kinds.octaves, 0.5, 2.0, is_hard=kinds.is_hard)
    flat = Transform(source=noise, scale=(0.01, 1.0, 1.0))
    # The source's x is a hundredth of the moved one.
    bent = Warp(
        source=flat,
        displacement=noise,
        strength=min(10.0, 10.0 / kinds.bases.frequency),
        scale=(10.0, 0.0, 0.0),
    )
    return (layer(scale(bent, 0.5, 0.5), seed=1), layer(scale(noise, 0.5), "subtract"))


def _texture(kinds: Kinds) -> Land:
    return (layer(Constant(value=0.0)),)


def _marble(kinds: Kinds) -> Land:
    turbulence = kinds.bases.sum(kinds.basis, kinds.octaves, 0.5, 2.0, is_hard=kinds.is_hard)
    return build_marble(turbulence, kinds.frame, kinds.distortion, *kinds.marble)


_OTHERS: Mapping[str, Callable[[Kinds], Land]] = {
    "turbulence_vector": _turbulence,
    "variable_lacunarity": _distorted_noise,
    "marble_noise": _marble,
    "shattered_hterrain": _shattered_terrain,
    "strata_hterrain": _strata,
    "ant_turbulence": _another,
    "vl_noise_turbulence": _vl_turbulence,
    "vl_hTerrain": _vl_terrain,
    "distorted_heteroTerrain": _distorted_terrain,
    "double_multiFractal": _double,
    "rocks_noise": _rocks,
    "slick_rock": _slick,
    "planet_noise": _planet,
    "blender_texture": _texture,
}
