# SPDX-License-Identifier: GPL-3.0-or-later
"""Remapping of a noise by a curve."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..base.arrays import Field
from ..base.checks import CurvePoints
from ..base.errors import ParameterError, format_value
from ..base.params import choice, curve
from ..types.noise import noise_type
from ..types.pointwise import Pointwise

if TYPE_CHECKING:
    from ..base.curve_table import CurveTable

_MIN_WIDTH = 1e-6
"""Points closer together than this make a jump: float32 cannot tell what lies between them."""

_MAX_VALUE = 1e6
"""float32 sums of the segments' rises stay exact enough up to here."""


@noise_type("curve", "Curve", family="combine")
class Curve(Pointwise):
    """Sends heights through a curve drawn by hand: sea beds, shelves, plateaus.

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
    """

    points: CurvePoints = curve(
        ((-1.0, -1.0), (0.0, -0.4), (1.0, 1.0)),
        help="Points of the curve, from -1 to 1 along both axes",
    )
    interpolation: str = choice(
        "smooth",
        help="What lies between the points",
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
                "Curve.points must be within [-{:g}, {:g}]; got {}",
                _MAX_VALUE,
                _MAX_VALUE,
                format_value(self.points),
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
        height = np.full(field.shape, self.points[0][1], np.float32)
        tangents = _tangents(self.points) if self.interpolation == "smooth" else None
        for place, ((x, y), (right, top)) in enumerate(zip(self.points, self.points[1:])):
            width, rise = right - x, top - y
            if width < _MIN_WIDTH:
                height += np.float32(rise) * (field > np.float32(x))
                continue
            along = np.clip(field, np.float32(x), np.float32(right))
            along -= np.float32(x)
            along *= np.float32(1.0 / width)
            if tangents is None:
                along *= np.float32(rise)
                height += along
                continue
            first, last = width * tangents[place], width * tangents[place + 1]
            part = along * np.float32(first + last - 2.0 * rise)
            part += np.float32(3.0 * rise - 2.0 * first - last)
            part *= along
            part += np.float32(first)
            part *= along
            height += part
        return height


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
