# SPDX-License-Identifier: GPL-3.0-or-later
"""Remapping of a noise by a curve."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..base.arrays import Field
from ..base.checks import CurvePoints
from ..base.errors import ParameterError, format_value
from ..base.params import choice, curve
from .bases.noise import noise_type
from .bases.pointwise import Pointwise

if TYPE_CHECKING:
    from ..base.curve_table import CurveTable

_MIN_WIDTH = 1e-6
"""Points closer together than this make a jump: float32 cannot tell what lies between them."""

_MAX_VALUE = 1e6
"""float32 sums of the segments' rises stay exact enough up to here."""

_MANY_POINTS = 20
"""Points from which it is quicker to find the segment of each value than to add up all of them (measured)."""

_BINS = 1024
"""Bins in which segments are looked for: few of them hold two ends."""

Coefficients = Sequence[float]
"""Of a polynomial, the highest first; a single one is the rise of a straight line, or of a jump."""


@noise_type("curve", "Curve", family="combine")
class Curve(Pointwise):
    """Maps heights by a curve: sea beds, shelves, plateaus.

    Notes
    -----
    x is the source's value, y the new one. Before the first point and after the last one the
    curve is level. The smooth curve is cubic between its points and never leaves the interval
    between two neighbors: it rises and falls only where the points do.

    References
    ----------
    F. N. Fritsch, R. E. Carlson (1980). Monotone piecewise cubic interpolation. SIAM Journal on
    Numerical Analysis.
    Blender Foundation (2024). Blender 4.2, `colortools.cc`: curve mapping. (the automatic handles)

    Examples
    --------
    >>> from noise_core import Grid
    >>> from noise_core.noises import Curve, Gradient

    A shelf below the sea: values under -0.5 sink to the bottom.

    >>> ramp = Gradient(shape="linear", falloff=1.0)
    >>> shelf = Curve(
    ...     source=ramp,
    ...     points=((-1.0, -1.0), (-0.5, -0.9), (0.0, 0.0), (1.0, 1.0)),
    ...     interpolation="linear",
    ... )
    >>> print(shelf.sample_grid(Grid(1, 5)).round(2))
    [[-1.   -0.94  0.    0.69  1.  ]]
    """

    points: CurvePoints = curve(
        ((-1.0, -1.0), (0.0, -0.4), (1.0, 1.0)),
        help="Points of the curve, from -1 to 1 along both axes",
    )
    interpolation: str = choice(
        "smooth",
        help="Interpolation between the points",
        options={
            "smooth": "A smooth curve that never overshoots",
            "linear": "Straight lines, with a kink at each point",
            "automatic": "A smooth curve as Blender's curve editor draws it; may overshoot",
        },
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if max(abs(value) for point in self.points for value in point) > _MAX_VALUE:
            raise ParameterError(
                "Curve.points must be within [-{:g}, {:g}]",
                _MAX_VALUE,
                _MAX_VALUE,
                got=format_value(self.points),
            )

    def change(self, field: Field) -> None:
        """Look every value up."""
        field[...] = self._look_up(field)

    def bounds(self) -> tuple[float, float]:
        """Return the interval of the curve over the source's: its ends and the points between."""
        low, high = self.source.bounds()
        # A little wider: where the curve is steep the last bit of a value matters.
        slack = 1e-5 * max(1.0, abs(low), abs(high))
        if self._is_automatic:
            return self._table().bounds(low - slack, high + slack)
        ends = self._look_up(np.array([low - slack, high + slack], np.float32))
        between = [y for x, y in self.points if low - slack <= x <= high + slack]
        heights = [float(ends[0]), float(ends[1]), *between]
        return (min(heights), max(heights))

    @property
    def _is_automatic(self) -> bool:
        """Whether the curve is read from a table; one that is too narrow for that is a jump."""
        width = self.points[-1][0] - self.points[0][0]
        return self.interpolation == "automatic" and width > _MIN_WIDTH

    def _table(self) -> CurveTable:
        from ..base.curve_table import curve_table  # here, since most curves need none of it

        return curve_table(self.points)

    def _look_up(self, field: Field) -> Field:
        """Return the curve at values: each segment adds its rise to all that lies to its right."""
        if self._is_automatic:
            return self._table().look_up(field)
        is_smooth = self.interpolation == "smooth"
        if len(self.points) > _MANY_POINTS and isinstance(field, np.ndarray):
            return _segments(self.points, is_smooth).look_up(field)
        height = np.full(field.shape, self.points[0][1], np.float32)
        for left, right, coefficients in _pieces(self.points, is_smooth):
            height += _rise(field, left, right, coefficients)
        return height


def _pieces(points: CurvePoints, is_smooth: bool) -> Iterator[tuple[float, float, Coefficients]]:
    """Yield the ends of each segment, and its coefficients; see `_rise`."""
    tangents = _tangents(points) if is_smooth else None
    for place, ((x, y), (right, top)) in enumerate(zip(points, points[1:])):
        width, rise = right - x, top - y
        if width < _MIN_WIDTH or tangents is None:
            yield x, right, (rise,)
            continue
        first, last = width * tangents[place], width * tangents[place + 1]
        yield x, right, (first + last - 2.0 * rise, 3.0 * rise - 2.0 * first - last, first)


def _rise(field: Field, left: float, right: float, coefficients: Coefficients) -> Field:
    """Return how far a segment has risen at values: a polynomial of the share of its width without constant."""
    highest, *lower = map(np.float32, coefficients)
    if right - left < _MIN_WIDTH:
        return highest * (field > np.float32(left))
    along = np.clip(field, np.float32(left), np.float32(right))
    along -= np.float32(left)
    along *= np.float32(1.0 / (right - left))
    return _polynomial(along, highest, lower)


def _polynomial(along: Field, highest: Field | np.float32, lower: Sequence[Any]) -> Field:
    """Return the polynomial of shares of a segment; `along` may be changed."""
    if not lower:
        along *= highest
        return along
    part = along * highest
    for coefficient in lower:
        part += coefficient
        part *= along
    return part


class _CurveSegments(NamedTuple):
    """Segments of a curve with many points, of which each value needs only its own.

    A segment is found by equal bins from the first point to the last: a binary search takes ten times as long.

    Attributes
    ----------
    scale : float32
        Bins per unit.
    first : ndarray of shape (bins,), intp
        How many segments end in the bins before each.
    most : int
        Segments that end in one bin at most.
    ends, starts, widths, heights : ndarray of shape (segments + 1,), float32
        Value up to which a segment counts, ascending; where it begins, one over its width, and the height of
        the curve there. The last one is level and has no end.
    coefficients : tuple of ndarrays of that shape
        See `_rise`.
    """

    scale: np.float32
    first: npt.NDArray[np.intp]
    most: int
    ends: Field
    starts: Field
    widths: Field
    heights: Field
    coefficients: tuple[Field, ...]

    def look_up(self, field: Field) -> Field:
        """Return the curve at values, with the bits of the sum over all segments."""
        place = self.first.take(_bins(field, self.starts[0], self.scale))
        for _ in range(self.most):
            place += field > self.ends.take(place)
        start = self.starts.take(place)
        along = np.maximum(field, start)
        along -= start
        along *= self.widths.take(place)
        highest, *lower = (coefficient.take(place) for coefficient in self.coefficients)
        height = self.heights.take(place)
        height += _polynomial(along, highest, lower)
        return height


@functools.lru_cache(maxsize=64)
def _segments(points: CurvePoints, is_smooth: bool) -> _CurveSegments:
    """Return the segments of a curve; a jump is level, and its rise is in the height of the next."""
    level = (0.0,) * (3 if is_smooth else 1)
    beyond = np.full(1, np.inf, np.float32)
    rows, rises = [], [np.float32(points[0][1])]
    for left, right, coefficients in _pieces(points, is_smooth):
        width = right - left
        if width < _MIN_WIDTH:
            rows.append((left, left, 0.0, *level))
        else:
            rows.append((right, left, 1.0 / width, *coefficients))
        rises.append(_rise(beyond, left, right, coefficients)[0])
    last = points[-1][0]
    rows.append((np.inf, last, 0.0, *level))
    ends, starts, widths, *columns = np.array(rows, np.float32).T.copy()
    scale = np.float32(_BINS / max(last - points[0][0], _MIN_WIDTH))
    ended = np.bincount(_bins(ends[:-1], starts[0], scale), minlength=_BINS)
    heights = np.add.accumulate(np.array(rises, np.float32))
    first = np.cumsum(ended, dtype=np.intp) - ended
    return _CurveSegments(
        scale, first, int(ended.max()), ends, starts, widths, heights, tuple(columns)
    )


def _bins(field: Field, start: np.float32, scale: np.float32) -> npt.NDArray[np.intp]:
    """Return the bins of values: never a lower one for a higher value."""
    place = field - start
    place *= scale
    np.clip(place, np.float32(0.0), np.float32(_BINS - 1), out=place)
    return place.astype(np.intp)


def _tangents(points: CurvePoints) -> Sequence[float]:
    """Return the slope at each point, small enough to keep the curve monotone between them."""
    slopes = [
        (top - y) / max(right - x, _MIN_WIDTH) for (x, y), (right, top) in zip(points, points[1:])
    ]
    tangents = [slopes[0], *((a + b) / 2.0 for a, b in zip(slopes, slopes[1:])), slopes[-1]]
    for place, slope in enumerate(slopes):
        for end in (place, place + 1):
            if slope * tangents[end] <= 0.0:
                tangents[end] = 0.0
        if slope == 0.0:
            continue
        # In units of the secant's slope the two tangents must stay within a circle of radius 3.
        excess = _length(tangents[place], tangents[place + 1]) / (3.0 * abs(slope))
        if excess > 1.0:
            tangents[place] /= excess
            tangents[place + 1] /= excess
    return tangents


def _length(x: float, y: float) -> float:
    # `math.hypot` rounds otherwise in other versions of Python.
    return math.sqrt(x * x + y * y)
