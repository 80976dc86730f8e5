# SPDX-License-Identifier: GPL-3.0-or-later
"""Distance metrics, and the largest distances to feature points that are possible."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ..base.arrays import Field
from ..base.elementary import power, power_of

_SMALLEST = np.float32(1e-30)


@dataclass(frozen=True)
class Metric:
    """A metric, taken apart axis by axis.

    A difference along one axis becomes a *term*; the terms of all axes *join* to a *measure*,
    which grows with the distance and which `distance` turns into it. Only the last step of
    the Euclidean metric is slow, so points are compared by their measure.

    Parameters
    ----------
    key : str
        Of `Cellular.metric`. For ``squared`` distances are Euclidean here: it obeys the triangle
        inequality only before it is squared.
    exponent : float
        Of the Minkowski metric, at least 1; below that it would be no metric.
    """

    key: str
    exponent: float = 2.0

    @property
    def is_euclidean(self) -> bool:
        """Whether measures are squared distances."""
        return self.key in ("euclidean", "squared")

    @property
    def term(self) -> np.ufunc:
        """The function that turns a difference into a term."""
        return np.square if self.is_euclidean else np.absolute

    def join(self, left: Field, right: Field, out: Field) -> Field:
        """Join two terms or measures into `out`, which may be one of them."""
        if self.key == "chebyshev":
            np.maximum(left, right, out=out)
        elif self.key == "minkowski":
            _join_by_power(left, right, out, self.exponent)
        else:
            np.add(left, right, out=out)
        return out

    def measure(self, differences: Sequence[Field]) -> Field:
        """Return the measure of differences along each axis, writing over them."""
        total = self.term(differences[0], out=differences[0])
        for difference in differences[1:]:
            self.join(total, self.term(difference, out=difference), total)
        return total  # type: ignore[no-any-return]

    def distance(self, measure: Field) -> Field:
        """Return the distance for a measure, writing over it."""
        return np.sqrt(measure, out=measure) if self.is_euclidean else measure

    def norm(self, vector: Sequence[float]) -> float:
        """Return the length of one vector."""
        lengths = [abs(value) for value in vector]
        longest = max(lengths)
        if self.key == "chebyshev" or longest == 0.0:
            return longest
        total = sum(self._power(length / longest) for length in lengths)
        if self.is_euclidean:
            return longest * math.sqrt(total)
        return longest * (
            power_of(total, 1.0 / self.exponent) if self.key == "minkowski" else total
        )

    def _power(self, length: float) -> float:
        """Return the power of a length along one axis that the metric sums, with the same bits everywhere."""
        exponent = {"manhattan": 1.0, "minkowski": self.exponent}.get(self.key, 2.0)
        return power_of(length, exponent) if length > 0.0 else 0.0

    def largest(self, dimension: int, jitter: float) -> tuple[float, float, float]:
        """Return the largest distances to the three nearest feature points, from the nearest on.

        One point lies anywhere within `jitter` / 2 (h) of the middle of each cell, along each
        axis. For a place p, the farthest that the point of a cell can be is the norm of
        ``|p - middle| + h`` per axis. Cells are independent, so the largest n-th distance is
        the maximum over p of the n-th smallest of those, and it is attained.

        Let a_k = |p_k - middle of the own cell| in [0, 1/2] be sorted, a_1 the largest. Going to
        the neighbor along axis k changes ``a_k + h`` to ``1 - a_k + h``: least for axis 1, so
        that is the second, and then for axis 2 the third (in 1-D the far side, ``1 + a_1 + h``).
        Each is a convex function of a, so its maximum is at a corner of
        ``1/2 >= a_1 >= a_2 >= ... >= 0``: some coordinates are 1/2, all others 0.
        """
        h = jitter / 2.0
        near, far = 0.5 + h, 1.0 + h
        corner = self.norm([near] * dimension)
        second = max(corner, self.norm([far] + [h] * (dimension - 1)))
        if dimension == 1:
            return corner, second, 1.0 + near
        third = max(second, self.norm([near, far] + [h] * (dimension - 2)))
        return corner, second, third

    def largest_fourth(self, dimension: int, jitter: float) -> float:
        """Return the largest distance to the fourth nearest feature point.

        It is another way, since it is not convex as those of `largest` are, and takes long.
        """
        return _largest_fourth(self, dimension, jitter / 2.0)


@functools.lru_cache(maxsize=64)
def _largest_fourth(metric: Metric, dimension: int, h: float) -> float:
    """Return the largest distance to the fourth nearest feature point; see `Metric.largest`.

    The fourth is the lesser of two. One is the cell beyond axes 1 and 2,
    ``(1 - a_1 + h, 1 - a_2 + h, a_3 + h, ...)``. The other is the cell beyond axis 3,
    ``(a_1 + h, a_2 + h, 1 - a_3 + h, ...)``, in the plane the far one along axis 2,
    ``(a_1 + h, 1 + a_2 + h)``. Where one rises with a coordinate the other falls, so the maximum
    is where both are equal.

    Let f(t) = t^p, D(a) = f(1 - a + h) - f(a + h) and S(a) = f(1 - a + h) + f(a + h). Both are
    equal where D(a_1) + D(a_2) = D(a_3): a plane in D. There the p-th power of the distance is half
    the sum of the S (and f(a_4 + h), with a_4 = a_3 at the most). S is convex as a function of D,
    since dS/dD = (x - 1) / (x + 1) with x = f'(1 - a + h) / f'(a + h), which rises with D. So the
    maximum is at a corner of the plane's part with a_1 >= a_2 >= a_3: at (1/2, 0, 0),
    (1/2, 1/2, 1/2) or (b, b, 0) with 2 D(b) = D(0). In the plane the same holds for
    D(a_1) = f(1 + a_2 + h) - f(1 - a_2 + h), with the ends (1/2, 0) and (b, b). The longest axis
    alone is the limit for large p: 1 + h.
    """
    far = 1.0 + h
    if dimension == 1:
        return far + 1.0
    if metric.key == "chebyshev":
        return far

    def power(length: float) -> float:
        return metric._power(length / (far + 0.5))

    def gap(a: float) -> float:
        return power(far - a) - power(a + h)

    ends = [metric.norm([0.5 + h, far] + [h] * (dimension - 2))]
    if dimension == 2:
        b = _root(lambda a: gap(a) + power(far - a) - power(far + a))
        ends.append(metric.norm([far - b, far - b]))
    else:
        b = _root(lambda a: 2.0 * gap(a) - gap(0.0))
        ends.append(metric.norm([b + h, b + h, far] + [h] * (dimension - 3)))
        ends.append(metric.norm([0.5 + h] * dimension))
    return max(ends)


def _root(falling: Callable[[float], float]) -> float:
    """Return the zero of a decreasing function in [0, 1/2], by bisection."""
    low, high = 0.0, 0.5
    for _ in range(60):
        middle = (low + high) / 2.0
        low, high = (middle, high) if falling(middle) > 0.0 else (low, middle)
    return low


def _join_by_power(left: Field, right: Field, out: Field, exponent: float) -> None:
    # Scaled by the larger one: a high power of a small distance would be zero in float32.
    larger = np.maximum(left, right)
    np.maximum(larger, _SMALLEST, out=larger)
    np.minimum(left, right, out=out)
    out /= larger
    out[...] = power(out, exponent)
    out += np.float32(1.0)
    out[...] = power(out, 1.0 / exponent)
    out *= larger
