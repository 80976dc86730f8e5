# SPDX-License-Identifier: GPL-3.0-or-later
"""Fractal sums of increasingly fine octaves of a noise."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from .. import fractals
from ..base import blocks, derivatives
from ..base.arrays import Field, Points
from ..base.elementary import power_of, presence_of
from ..base.errors import Message, ParameterError
from ..base.grid import Axes
from ..base.params import boolean, choice, noise, number
from ..base.plans import single_plan
from ..lattice import affine as affinity
from ..lattice import seed_shifts
from ..lattice.hash import MOST_CELLS, child_seed
from .bases import gradient_plans, mapped_noise
from .bases.noise import Noise, noise_type
from .perlin import Perlin

if TYPE_CHECKING:
    from ..base.derivatives import Slopes
    from ..base.intervals import Interval
    from ..base.plans import RowPlan
    from ..base.torus import Torus
    from ..fractals.sums import Mix, Summand
    from ..lattice.lattice_terms import LatticeTerm
    from .bases.mapped_noise import MappedNoise


@noise_type("fractal", "Fractal", family="fractal")
class Fractal(Noise):
    """Adds finer and finer copies of a noise, from hills to a mountain range.

    Notes
    -----
    fbm, billow, ping-pong and turbulence are divided by the sum of their amplitudes and so keep
    the source's bound (turbulence lies in [0, 1]). The others are rescaled from the interval
    that their arithmetic can reach, for sources in [-1, 1]; a source with wider bounds is
    divided by them first.

    The seed shifts every octave, the first one too, so that no place is like another for all seeds, as the
    corners of Perlin noise are (`noise_core.lattice.seed_shifts`). A fractal of one octave is the source,
    shifted. What is the same for every seed stays in place.

    With one seed for all octaves, without a shift and as fbm it is the classic sum of
    ``noise(p lacunarity^k) persistence^k``, divided by the sum of the amplitudes; the pattern can
    then be seen again around the origin, at half its size. With an octave shift s it is the loop of the
    Book of Shaders, which goes on with ``p = lacunarity R p + s`` after each octave, R being the rotation.
    With one seed for all octaves, or a source that looks its lattice up in Ken Perlin's table, no seed
    shifts the octaves: they are where the articles have them.

    On a wrapping grid every octave closes exactly: its cells are rounded to whole numbers along
    both period vectors, rotated or not.

    References
    ----------
    Benoit Mandelbrot, John Van Ness (1968). Fractional Brownian motions. SIAM Review.
    F. Kenton Musgrave (1993). Methods for realistic landscape imaging. PhD thesis, Yale.
    Patricio Gonzalez Vivo, Jen Lowe (2015). The book of shaders, chapter 13.

    Examples
    --------
    >>> import numpy as np
    >>> from noise_core import Grid
    >>> from noise_core.noises import Constant, Fractal, Perlin
    >>> mountains = Fractal(
    ...     source=Perlin(frequency=4.0), kind="ridged", octaves=8.0, persistence=0.5, lacunarity=2.0
    ... )
    >>> field = mountains.sample_grid(Grid(129, 129), seed=7)
    >>> field.shape, bool(np.abs(field).max() <= 1.0)
    ((129, 129), True)

    Each of the octaves has twice the cells of the one before:

    >>> mountains.finest() == 4.0 * 2**7
    True

    Two octaves of a constant add up to the same constant, as the sum is divided by the amplitudes:

    >>> plain = Fractal(source=Constant(value=0.5), octaves=2.0, persistence=0.5)
    >>> print(plain.sample_grid(Grid(1, 3)).round(3))
    [[0.5 0.5 0.5]]
    """

    source: Noise = noise(lambda: Perlin(frequency=4.0), help="The noise to repeat")
    kind: str = choice(
        "fbm",
        help="Combination of the octaves; None takes out the fractal",
        options={
            "fbm": "Plain sum: rolling, natural",
            "billow": "Folded at zero: puffy hills, clouds",
            "ridged": "Sharp crests with detail on the heights",
            "ping_pong": "Folded many times: contour-like ridges",
            "turbulence": "Sum of absolute values, from 0 to 1",
            "multifractal": "Product: smooth lowlands, rough heights",
            "hybrid_multifractal": "Flat valleys, jagged peaks",
            "heterogeneous_terrain": "Plains below, mountains above",
        },
    )
    octaves: float = number(
        6.0, help="Number of octaves, copies at finer scales; a fraction fades the last one", minimum=1.0, maximum=24.0,
        soft_maximum=12.0,
    )  # fmt: skip
    persistence: float = number(
        0.5,
        help="Amplitude of each octave relative to the one before",
        minimum=0.0,
        maximum=2.0,
        soft_maximum=1.0,
        unit="factor",
        visible_when=("octaves", 1.0),
    )
    lacunarity: float = number(
        2.0,
        help="Frequency of each octave relative to the one before",
        minimum=1.0,
        maximum=8.0,
        soft_minimum=1.5,
        soft_maximum=3.0,
        visible_when=("octaves", 1.0),
    )
    offset: float = number(
        1.0,
        help="Raises octaves before multiplying or folding",
        minimum=0.0,
        maximum=4.0,
        soft_maximum=2.0,
        visible_when=("kind", ("ridged", "multifractal", "hybrid_multifractal", "heterogeneous_terrain")),
    )  # fmt: skip
    gain: float = number(
        2.0,
        help="Detail on high ground",
        minimum=0.0,
        maximum=16.0,
        soft_maximum=4.0,
        visible_when=("kind", ("ridged", "hybrid_multifractal")),
    )
    folds: float = number(
        2.0,
        help="Number of folds",
        minimum=0.1,
        maximum=32.0,
        soft_maximum=8.0,
        visible_when=("kind", ("ping_pong",)),
    )
    weighted_strength: float = number(
        0.0,
        label="Weighting",  # as long as a panel of the usual width has room for
        help="Reduces fine detail on low ground",
        minimum=0.0,
        maximum=1.0,
        unit="factor",
        visible_when=("kind", ("fbm", "billow", "ping_pong", "turbulence")),
        advanced=True,
    )
    rotation: float = number(
        0.0,
        help="Rotation of each octave against the last in degrees; hides the lattice, slower",
        minimum=-180.0,
        maximum=180.0,
        unit="angle",
        visible_when=("octaves", 1.0),
    )
    shift: bool = boolean(
        True,
        help="Shifts each octave so that their lattices do not coincide",
        advanced=True,
    )
    octave_shift: float = number(
        0.0,
        help="Shift of each octave against the last in tiles; 0 never aligns their lattices",
        minimum=-10000.0,
        maximum=10000.0,
        soft_minimum=0.0,
        soft_maximum=100.0,
        advanced=True,
        visible_when=("shift", True),
    )
    octave_seeds: str = choice(
        "different",
        help="Different noises per octave, or one noise at different scales",
        options={
            "different": "Each octave has a seed of its own",
            "same": "One noise at every scale, as in the classic sum",
        },
        classic=("same",),
        advanced=True,
    )
    band_limit: bool = boolean(
        False,
        help="Skip octaves finer than two samples a cell, which add grain",
        advanced=True,
        visible_when=("octaves", 1.0),
    )
    normalize: str = choice(
        "amplitude",
        help="Keep the sum of the octaves between -1 and 1",
        options={
            "amplitude": "Divide by the sum of the amplitudes",
            "clamp": "Clip beyond -1 and 1, as older code does: stronger, with flat spots",
        },
        visible_when=("kind", ("fbm", "billow", "ping_pong", "turbulence")),
        advanced=True,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.finest() > MOST_CELLS:
            raise ParameterError(
                "Fractal.octaves must leave at most {} cells per tile to the finest",
                MOST_CELLS,
                got=Message("{:g} octaves, up to {:g} cells", self.octaves, self.finest()),
            )
        self._check_octave_shift()

    def _check_octave_shift(self) -> None:
        """Raise a ParameterError if the last octave were moved too far for its cells to be told apart."""
        if not self.shift or self.octave_shift == 0.0:
            return
        farthest = max(map(abs, self._steps_to(math.ceil(self.octaves) - 1))) * self.source.finest()
        if farthest > MOST_CELLS // 2:
            raise ParameterError(
                "Fractal.octave_shift must move the finest octave by at most {} of its cells",
                MOST_CELLS // 2,
                got=Message("{:g} tiles a step, {:g} cells", self.octave_shift, farthest),
            )

    def bounds(self) -> tuple[float, float]:
        """Return the interval that the octaves' arithmetic can reach."""
        if self._is_clamped:
            return (-1.0, 1.0)
        # Asked once a fractal: twice would be 2^n times where n stand one inside the other.
        source = self.source.bounds()
        low, high = fractals.kinds.KINDS[self.kind].bounds(source, self._mix(0.0, source))
        # On a coarse grid a band limit may leave out any octave.
        return (min(low, 0.0), max(high, 0.0)) if self.band_limit else (low, high)

    def finest(self) -> float:
        """Return the frequency of the finest octave."""
        return self.source.finest() * power_of(self.lacunarity, math.ceil(self.octaves) - 1)

    def coarsest_in_place(self) -> float:
        """See `Noise.coarsest_in_place`: none, unless the octaves are not shifted."""
        return 0.0 if self.shift else self.source.coarsest_in_place()

    @functools.cached_property
    def shift_span(self) -> float:
        """Span of the shifts by which the seed moves the octaves, in their tiles; 0 if they stay in place."""
        return self.source.seed_span if self.shift and not self.is_classic else 0.0

    def third_derivative(self) -> float:
        """See `Noise.third_derivative`: the octaves' own, added up; the other kinds fold."""
        if not self._is_plain_sum:
            return math.inf
        parts = self._mix(0.0).amplitudes
        cubes = (part * self.lacunarity ** (3 * octave) for octave, part in enumerate(parts))
        return self.source.third_derivative() * sum(cubes) / sum(parts)

    def values(self, points: Points, seed: int, torus: Torus | None) -> Field:
        """See `Noise.values`."""
        return self.sample_seeds(points, (seed,), torus)[0]

    def sample_seeds(
        self, points: Points, seeds: Sequence[int], torus: Torus | None
    ) -> list[Field]:
        """See `Noise.sample_seeds`."""
        if not self._share_octaves(seeds):
            return super().sample_seeds(points, seeds, torus)
        numbers = range(math.ceil(self.octaves))
        each = (
            (self._affine(number, seeds[0]), [self._seed(seed, number) for seed in seeds])
            for number in numbers
        )
        octaves = self.source.sample_octaves(points, each, torus)
        mix = self._mix(0.0)
        if len(seeds) == 1:
            return [self._combine((fields[0] for fields in octaves), mix)]
        return [self._combine(iter(fields), mix) for fields in zip(*octaves)]

    def slopes(self, points: Points, seed: int, torus: Torus | None) -> tuple[Field, Slopes]:
        """See `Noise.slopes`: the same arithmetic puts values and derivatives together."""

        def fields() -> Iterator[Field]:
            for source, octave_seed in self._octaves(seed):
                blocks.checkpoint()
                yield derivatives.Dual.from_slopes(*source.slopes(points, octave_seed, torus)).field

        return derivatives.split_parts(self._combine(fields(), self._mix(0.0)), len(points))

    def plan(self, axes: Axes, seed: int) -> RowPlan:
        """See `Noise.plan`."""
        if self._is_plain_sum:
            return single_plan(self.seeds_plan(axes, (seed,)))
        mix = self._mix(axes.step)
        plans = [source.plan(axes, octave_seed) for source, octave_seed in self._octaves(seed)]

        def rows(start: int, stop: int, out: Field) -> None:
            buffer = np.empty(out.shape, np.float32)

            def fields() -> Iterator[Field]:
                for plan in plans:
                    plan(start, stop, buffer)
                    yield buffer

            out[:] = self._combine(fields(), mix)

        return rows

    def seeds_plan(self, axes: Axes, seeds: Sequence[int]) -> RowPlan:
        """See `Noise.seeds_plan`: plain sums are one sum of vectors of all octaves that can be."""
        if not self._is_plain_sum or not self._share_octaves(seeds):
            return super().seeds_plan(axes, seeds)
        return fractals.sums.sum_plan(self._summands(axes.step, seeds), axes)

    def terms(self, axes: Axes, seeds: Sequence[int]) -> Sequence[LatticeTerm] | None:
        """See `Noise.terms`: those of all octaves, if the fractal is a plain sum of such."""
        if not self._is_plain_sum or not self._share_octaves(seeds):
            return None
        return fractals.sums.sum_terms(self._summands(axes.step, seeds), axes)

    @property
    def has_short_calls(self) -> bool:
        """See `Noise.has_short_calls`: a plain sum is like its source, unless it is turned."""
        return self._is_plain_sum and not self.rotation and self.source.has_short_calls

    def gradient_plan(self, axes: Axes, seed: int) -> RowPlan:
        """See `Noise.gradient_plan`: for a plain sum two sums of vectors."""
        if self._is_plain_sum:
            return fractals.sums.gradient_sum_plan(self._summands(axes.step, (seed,)), axes)
        mix = self._mix(axes.step)
        octaves = [
            gradient_plans.dual_rows(
                source.plan(axes, octave_seed),
                source.gradient_plan(axes, octave_seed),
                len(axes.x),
            )
            for source, octave_seed in self._octaves(seed)
        ]
        return gradient_plans.combined_plan(
            octaves, lambda fields: self._combine(fields, mix), len(axes.x)
        )

    @property
    def _is_plain_sum(self) -> bool:
        return self.kind == "fbm" and not self.weighted_strength and self.normalize != "clamp"

    def _summands(self, step: float, seeds: Sequence[int]) -> Iterator[Summand]:
        """Yield the octaves of a plain sum that are visible at a sample spacing; all seeds share them."""
        mix = self._mix(step)
        total = math.fsum(mix.amplitudes)
        for octave, (amplitude, present) in enumerate(zip(mix.amplitudes, mix.present)):
            if amplitude and present:
                factor = amplitude * present / total
                octave_seeds = [self._seed(seed, octave) for seed in seeds]
                yield fractals.sums.Summand(self._octave(octave, seeds[0]), octave_seeds, factor)

    def _octaves(self, seed: int) -> Iterator[tuple[MappedNoise, int]]:
        """Yield the source as each octave takes it, and the octave's seed."""
        for octave in range(math.ceil(self.octaves)):
            yield self._octave(octave, seed), self._seed(seed, octave)

    def _combine(self, fields: Iterator[Field], mix: Mix) -> Field:
        combined = fractals.kinds.KINDS[self.kind].combine(fields, mix)
        if self._is_clamped:
            combined *= np.float32(math.fsum(mix.amplitudes))
            np.clip(combined, -1.0, 1.0, out=combined)
        return combined

    @property
    def _is_clamped(self) -> bool:
        return self.normalize == "clamp" and fractals.kinds.KINDS[self.kind].has_weighted_strength

    def _mix(self, step: float, source: Interval | None = None) -> Mix:
        """Return the amplitudes and the arguments of the kinds.

        Parameters
        ----------
        step : float
            The sample spacing, or 0.
        source : tuple of two floats, optional
            Bounds of the source; asked for if not given.
        """
        parts = fractals.sums.amplitudes(self.octaves, self.persistence)
        present = [1.0] * len(parts)
        if self.band_limit and step > 0.0:
            cell = self.source.finest() * step
            present = [
                presence_of(cell * power_of(self.lacunarity, octave))
                for octave in range(len(parts))
            ]
        strength = (
            self.weighted_strength if fractals.kinds.KINDS[self.kind].has_weighted_strength else 0.0
        )
        scale = 1.0 / max(1.0, *map(abs, source or self.source.bounds()))
        return fractals.sums.Mix(
            parts, tuple(present), self.offset, self.gain, strength, self.folds, scale
        )

    def _octave(self, octave: int, seed: int) -> MappedNoise:
        """Return the source as one octave takes it: finer, rotated and shifted."""
        return mapped_noise.MappedNoise(self.source, self._affine(octave, seed))

    def _affine(self, octave: int, seed: int) -> affinity.Affine:
        """Return the map of points into one octave."""
        return affinity.Affine.from_rotation(
            power_of(self.lacunarity, octave), self.rotation * octave, self._shift_of(octave, seed)
        )

    def _shift_of(self, octave: int, seed: int) -> affinity.Offset:
        """Return how far the points of one octave are shifted, in tiles."""
        if not self.shift:
            return seed_shifts.IN_PLACE
        steps = self._steps_to(octave)
        start = seed_shifts.seed_shift(seed, octave, self.shift_span)
        return (steps[0] + start[0], steps[1] + start[1], steps[2] + start[2], steps[3] + start[3])

    def _steps_to(self, octave: int) -> affinity.Offset:
        """Return the part of an octave's shift that is the same for every seed."""
        if self.octave_shift == 0.0:
            x, y, z, w = (octave * step % 1.0 for step in fractals.sums.SHIFTS)
            return (x, y, z, w)
        return affinity.repeated_offset(self.lacunarity, self.rotation, self.octave_shift, octave)

    def _share_octaves(self, seeds: Sequence[int]) -> bool:
        """Return whether the octaves of all seeds lie in the same place."""
        return self.shift_span == 0.0 or seed_shifts.share_shifts(seeds)

    def _seed(self, seed: int, octave: int) -> int:
        """Return the seed of one octave."""
        return seed if self.octave_seeds == "same" else child_seed(seed, octave)
