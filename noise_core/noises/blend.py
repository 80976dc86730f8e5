# SPDX-License-Identifier: GPL-3.0-or-later
"""Two noises put together as two layers of a picture are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Union

import numpy as np

from ..base import blending, derivatives, intervals
from ..base.arrays import Field, Points
from ..base.grid import Axes
from ..base.params import choice, integer, noise, number, number_or_noise
from ..base.plans import run_in_blocks
from ..lattice.hash import child_seed
from .bases import gradient_plans
from .bases.noise import Noise, noise_type
from .fractal import Fractal

if TYPE_CHECKING:
    from ..base.derivatives import Slopes
    from ..base.intervals import Interval
    from ..base.plans import RowPlan
    from ..base.torus import Torus

_SECOND, _FACTOR = 0x100, 0x101
"""Children's numbers less the seed offset, beyond those of any fractal's octaves."""


@noise_type("blend", "Blend", family="combine")
class Blend(Noise):
    """Lays one noise over another: mixed by a factor, added, or the higher of the two.

    Notes
    -----
    The factor goes from the first noise alone (0) to the blended result (1), as the opacity of a
    layer does; in mode `mix` the blended result is the second noise. A noise as factor is taken
    from [-1, 1] to [0, 1] and cut off beyond.

    `screen` takes [-1, 1] for [0, 1] and back; all other modes work on the values as they are,
    so that multiplying with a noise in [0, 1] is a mask.

    The first noise keeps the seed. With a seed offset of 1 or more the second noise and the factor
    get seeds of their own, so that two equal noises are not one and the same; the factor has that
    of the next offset, so nested blends want offsets that differ by 2. 0 gives all of them the seed itself: for a second noise that is
    made from the first one, such as its terraces.

    References
    ----------
    Inigo Quilez (2013). Smooth minimum. https://iquilezles.org/articles/smin/ (the quadratic one)

    Examples
    --------
    >>> from noise_core import Grid
    >>> from noise_core.noises import Blend, Constant, Gradient

    A hill that stands out of a sea at -0.5:

    >>> hill = Gradient(shape="radial", radius=0.5)
    >>> sea = Blend(first=hill, second=Constant(value=-0.5), mode="max")
    >>> print(sea.sample_grid(Grid(3, 5)).round(2))
    [[-0.75 -0.75 -0.75 -0.75 -0.75]
     [-0.75 -0.54  0.   -0.54 -0.75]
     [-0.75  0.    1.    0.   -0.75]]

    Noises in equal parts, and one noise that chooses between two others:

    >>> half = Blend(first=Constant(value=1.0), second=Constant(value=-1.0), factor=0.5)
    >>> float(half.sample([0.3, 0.7]))
    0.0
    >>> chosen = Blend(first=Constant(value=1.0), second=Constant(value=-1.0), factor=Gradient())
    >>> chosen.bounds()
    (-1.0, 1.0)
    """

    first: Noise = noise(Fractal, help="The lower layer")
    second: Noise = noise(Fractal, help="The upper layer")
    mode: str = choice(
        "mix",
        help="Blend mode of the noises",
        options=blending.OPTIONS,
    )
    factor: Union[float, Noise] = number_or_noise(
        0.5, help="Opacity of the blended result", minimum=0.0, maximum=1.0, unit="factor"
    )
    smoothness: float = number(
        0.2,
        help="Distance over which smooth modes round",
        minimum=0.0,
        maximum=4.0,
        soft_maximum=1.0,
        visible_when=("mode", blending.ROUNDED),
    )
    seed_offset: int = integer(
        1,
        help="Added to the seed so that layers differ; 0 gives both the same",
        minimum=0,
        maximum=100_000,
        soft_maximum=32,
        advanced=True,
    )

    def bounds(self) -> Interval:
        """Return the interval of the blend's arithmetic over those of its parts."""
        first = self.first.bounds()
        blended = blending.bounds(self.mode, first, self.second.bounds(), self.smoothness)
        ends = []
        for share in self._factor_bounds():
            kept = intervals.times(first, (1.0 - share, 1.0 - share))
            ends.append(intervals.plus(kept, intervals.times(blended, (share, share))))
        return intervals.hull(*ends)

    def parts(self, seed: int) -> Sequence[tuple[Noise, int]]:
        """See `Noise.parts`."""
        return self._layers(seed)

    def join(self, fields: Sequence[Field]) -> None:
        """See `Noise.join`."""
        self._blend(*fields)

    def values(self, points: Points, seed: int, torus: Torus | None) -> Field:
        """See `Noise.values`."""
        fields = [
            noise.values(points, layer_seed, torus) for noise, layer_seed in self._layers(seed)
        ]
        self._blend(*fields)
        return fields[0]

    def slopes(self, points: Points, seed: int, torus: Torus | None) -> tuple[Field, Slopes]:
        """See `Noise.slopes`: blends values and derivatives together."""
        layers = [
            noise.slopes(points, layer_seed, torus) for noise, layer_seed in self._layers(seed)
        ]
        fields = [derivatives.Dual.from_slopes(*layer).field for layer in layers]
        self._blend(*fields)
        return derivatives.split_parts(fields[0], len(points))

    def gradient_plan(self, axes: Axes, seed: int) -> RowPlan:
        """See `Noise.gradient_plan`."""
        return gradient_plans.changed_plan(self._layers(seed), axes, self._blend)

    def plan(self, axes: Axes, seed: int) -> RowPlan:
        """See `Noise.plan`: those of the layers, then the blend."""
        plans = [noise.plan(axes, layer_seed) for noise, layer_seed in self._layers(seed)]

        def rows(start: int, stop: int, out: Field) -> None:
            fields = [out, *(np.empty(out.shape, np.float32) for _ in plans[1:])]
            for plan, field in zip(plans, fields):
                plan(start, stop, field)
            run_in_blocks(
                len(out),
                out.shape[1],
                lambda part: self._blend(*(field[part] for field in fields)),
            )

        return rows

    def _layers(self, seed: int) -> list[tuple[Noise, int]]:
        """Return the two noises and the factor, if it is one, each with its seed."""
        layers = [(self.first, seed), (self.second, self._seed(seed, _SECOND))]
        if isinstance(self.factor, Noise):
            layers.append((self.factor, self._seed(seed, _FACTOR)))
        return layers

    def _seed(self, seed: int, child: int) -> int:
        """Return the seed of the second noise or of the factor."""
        if self.seed_offset == 0:
            return seed
        return child_seed(seed, child + self.seed_offset)

    def _factor_bounds(self) -> Interval:
        if not isinstance(self.factor, Noise):
            return (self.factor, self.factor)
        low, high = self.factor.bounds()
        return intervals.clip(((low + 1.0) / 2.0, (high + 1.0) / 2.0), 0.0, 1.0)

    def _blend(self, first: Field, second: Field, factor: Field | None = None) -> None:
        """Write the blend into `first`; the other two fields are used up."""
        blended = blending.blend(self.mode, first, second, self.smoothness)
        share: np.float32 | Field
        if isinstance(self.factor, float):
            if self.factor == 1.0:
                first[...] = blended
                return
            share = np.float32(self.factor)
        elif factor is not None:
            factor += np.float32(1.0)
            factor *= np.float32(0.5)
            share = np.clip(factor, np.float32(0.0), np.float32(1.0), out=factor)
        blended -= first
        blended *= share
        first += blended
