# SPDX-License-Identifier: GPL-3.0-or-later
"""Two noises put together as two layers of a picture are."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple, Union

import numpy as np

from .. import intervals
from ..arrays import Field, Points
from ..derivatives.duals import Dual, Slopes, parts
from ..derivatives.plans import changed_plan
from ..grid import Axes
from ..intervals import Interval
from ..lattice import child_seed
from ..noise import Noise, noise_type
from ..params import choice, integer, noise, number, number_or_noise
from ..plans import in_blocks
from ..torus import Torus
from .fractal import Fractal

if TYPE_CHECKING:
    from ..plans import RowPlan

_SECOND = 0x101
_FACTOR = 0x102
"""Children's numbers for a seed offset of 1, beyond those of any fractal's octaves."""


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
    get seeds of their own, so that two equal noises are not one and the same; nested blends
    want offsets that differ. 0 gives all of them the seed itself: for a second noise that is
    made from the first one, such as its terraces.

    References
    ----------
    Inigo Quilez (2013). Smooth minimum. https://iquilezles.org/articles/smin/ (the quadratic one)
    """

    first: Noise = noise(Fractal, help="The lower layer")
    second: Noise = noise(Fractal, help="The upper layer")
    mode: str = choice(
        "mix",
        help="How the layers are put together",
        options={
            "mix": "From the first to the second",
            "add": "The sum",
            "subtract": "The first less the second",
            "multiply": "The product: a second noise from 0 to 1 is a mask",
            "screen": "The product of what is missing to 1: brightens",
            "difference": "The distance between the two",
            "min": "The lower one: valleys of both",
            "max": "The higher one: hills of both",
            "smooth_min": "The lower one, rounded where they meet",
            "smooth_max": "The higher one, rounded where they meet",
        },
    )
    factor: Union[float, Noise] = number_or_noise(
        0.5, help="How much of the blended result there is", minimum=0.0, maximum=1.0, unit="factor"
    )
    smoothness: float = number(
        0.2,
        help="How close the two must be for their meeting to be rounded",
        minimum=0.0,
        maximum=4.0,
        soft_maximum=1.0,
        visible_when=("mode", ("smooth_min", "smooth_max")),
    )
    seed_offset: int = integer(
        1,
        help="Tells the layers' seeds apart; 0 gives both the same one",
        minimum=0,
        maximum=10000,
        soft_maximum=16,
    )

    def bounds(self) -> Interval:
        """Return the interval of the blend's arithmetic over those of its parts."""
        first = self.first.bounds()
        blended = _MODES[self.mode].bounds(first, self.second.bounds(), self.smoothness)
        ends = []
        for share in self._factor_bounds():
            kept = intervals.times(first, (1.0 - share, 1.0 - share))
            ends.append(intervals.plus(kept, intervals.times(blended, (share, share))))
        return intervals.hull(*ends)

    def values(self, points: Points, seed: int, torus: Torus | None) -> Field:
        """See `Noise.values`."""
        fields = [noise.values(points, own, torus) for noise, own in self._layers(seed)]
        self._blend(*fields)
        return fields[0]

    def slopes(self, points: Points, seed: int, torus: Torus | None) -> tuple[Field, Slopes]:
        """See `Noise.slopes`: blends values and derivatives together."""
        layers = [noise.slopes(points, own, torus) for noise, own in self._layers(seed)]
        fields = [Dual.of(*layer).field for layer in layers]
        self._blend(*fields)
        return parts(fields[0], len(points))

    def gradient_plan(self, axes: Axes, seed: int) -> RowPlan:
        """See `Noise.gradient_plan`."""
        return changed_plan(self._layers(seed), axes, self._blend)

    def plan(self, axes: Axes, seed: int) -> RowPlan:
        """See `Noise.plan`: those of the layers, then the blend."""
        plans = [noise.plan(axes, own) for noise, own in self._layers(seed)]

        def rows(start: int, stop: int, out: Field) -> None:
            fields = [out, *(np.empty(out.shape, np.float32) for _ in plans[1:])]
            for plan, field in zip(plans, fields):
                plan(start, stop, field)
            in_blocks(
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
        return child_seed(seed, child + 2 * (self.seed_offset - 1))

    def _factor_bounds(self) -> Interval:
        if not isinstance(self.factor, Noise):
            return (self.factor, self.factor)
        low, high = self.factor.bounds()
        return intervals.clipped(((low + 1.0) / 2.0, (high + 1.0) / 2.0), 0.0, 1.0)

    def _blend(self, first: Field, second: Field, factor: Field | None = None) -> None:
        """Write the blend into `first`; the other two fields are used up."""
        blended = _MODES[self.mode].blended(first, second, self.smoothness)
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


class _Mode(NamedTuple):
    """One way to put two noises together."""

    blended: Callable[[Field, Field, float], Field]
    """Returns the result for (first, second, smoothness), in the second's memory."""
    bounds: Callable[[Interval, Interval, float], Interval]


def _mix(first: Field, second: Field, smoothness: float) -> Field:
    return second


def _add(first: Field, second: Field, smoothness: float) -> Field:
    return np.add(first, second, out=second)


def _subtract(first: Field, second: Field, smoothness: float) -> Field:
    return np.subtract(first, second, out=second)


def _multiply(first: Field, second: Field, smoothness: float) -> Field:
    return np.multiply(first, second, out=second)


def _screen(first: Field, second: Field, smoothness: float) -> Field:
    # 1 - (1 - a)(1 - b) with a = (first + 1) / 2, b likewise, back to [-1, 1].
    np.subtract(np.float32(1.0), second, out=second)
    second *= np.float32(1.0) - first
    second *= np.float32(-0.5)
    second += np.float32(1.0)
    return second


def _difference(first: Field, second: Field, smoothness: float) -> Field:
    return np.abs(_subtract(first, second, smoothness), out=second)


def _minimum(first: Field, second: Field, smoothness: float) -> Field:
    return np.minimum(first, second, out=second)


def _maximum(first: Field, second: Field, smoothness: float) -> Field:
    return np.maximum(first, second, out=second)


def _smooth_minimum(first: Field, second: Field, smoothness: float) -> Field:
    rounding = _rounding(first, second, smoothness)
    return np.subtract(_minimum(first, second, smoothness), rounding, out=second)


def _smooth_maximum(first: Field, second: Field, smoothness: float) -> Field:
    rounding = _rounding(first, second, smoothness)
    return np.add(_maximum(first, second, smoothness), rounding, out=second)


def _rounding(first: Field, second: Field, smoothness: float) -> Field:
    """Return the parabola that rounds the crease: max(k - |a - b|, 0)^2 / 4k."""
    distance = first - second
    np.abs(distance, out=distance)
    np.subtract(np.float32(smoothness), distance, out=distance)
    np.maximum(distance, np.float32(0.0), out=distance)
    distance *= distance
    distance *= np.float32(0.25 / max(smoothness, _SHARPEST))
    return distance


def _screen_bounds(first: Interval, second: Interval, smoothness: float) -> Interval:
    missing = intervals.times(
        intervals.minus((1.0, 1.0), first), intervals.minus((1.0, 1.0), second)
    )
    return intervals.minus((1.0, 1.0), intervals.times(missing, (0.5, 0.5)))


def _minimum_bounds(first: Interval, second: Interval, smoothness: float) -> Interval:
    return (min(first[0], second[0]), min(first[1], second[1]))


def _maximum_bounds(first: Interval, second: Interval, smoothness: float) -> Interval:
    return (max(first[0], second[0]), max(first[1], second[1]))


def _smooth_minimum_bounds(first: Interval, second: Interval, smoothness: float) -> Interval:
    low, high = _minimum_bounds(first, second, smoothness)
    return (low - smoothness / 4.0, high)


def _smooth_maximum_bounds(first: Interval, second: Interval, smoothness: float) -> Interval:
    low, high = _maximum_bounds(first, second, smoothness)
    return (low, high + smoothness / 4.0)


_SHARPEST = 1e-20
"""Keeps a smoothness of 0 from dividing by 0; its square is still a float32."""

_MODES: Mapping[str, _Mode] = {
    "mix": _Mode(_mix, lambda first, second, _: second),
    "add": _Mode(_add, lambda first, second, _: intervals.plus(first, second)),
    "subtract": _Mode(_subtract, lambda first, second, _: intervals.minus(first, second)),
    "multiply": _Mode(_multiply, lambda first, second, _: intervals.times(first, second)),
    "screen": _Mode(_screen, _screen_bounds),
    "difference": _Mode(
        _difference, lambda first, second, _: intervals.absolute(intervals.minus(first, second))
    ),
    "min": _Mode(_minimum, _minimum_bounds),
    "max": _Mode(_maximum, _maximum_bounds),
    "smooth_min": _Mode(_smooth_minimum, _smooth_minimum_bounds),
    "smooth_max": _Mode(_smooth_maximum, _smooth_maximum_bounds),
}
