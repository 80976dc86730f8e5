# SPDX-License-Identifier: GPL-3.0-or-later
"""Curves drawn on a land: polylines and Bezier curves, whose points have a height and a width."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from ..base.arrays import MAX_HEIGHT, to_float
from ..base.checks import register_base
from ..base.errors import ParameterError, format_value
from ..base.json_texts import value_of

MOST_POINTS = 100_000
"""Points of one curve: a road across a country, one point each ten meters."""

FARTHEST = 1000.0
"""Tiles that a point may lie away from the first tile."""

LIMITS = {
    "z": (-MAX_HEIGHT, MAX_HEIGHT),
    "width": (0.0, 1e6),
    "tilt": (-89.0, 89.0),
    "roughness": (0.0, 1.0),
}
"""Of the plain numbers of a point."""

_HANDLES = ("left", "right")


@dataclasses.dataclass(frozen=True, kw_only=True)
class CurvePoint:
    """Control point of a curve.

    Parameters
    ----------
    at : tuple of two floats
        Place in tiles, x and y.
    z : float
        Height in meters.
    width : float
        Width of the bed in meters, from edge to edge.
    tilt : float
        Slope of the bed across the curve in degrees; above 0 its left side is the higher one.
    roughness : float
        Share of the bumps of the ground that the bed keeps, from 0 to 1.
    left, right : tuple of two or three floats, optional
        Bezier handles before and after the point: x and y in tiles, and z in meters. Without z, heights
        are linear; without a handle, the curve is straight there.

    Raises
    ------
    ParameterError
        If a value is not allowed.

    Examples
    --------
    >>> from noise_core import CurvePoint
    >>> CurvePoint(at=(0.25, 0.5), z=120.0).width
    8.0
    """

    at: tuple[float, float]
    z: float = 0.0
    width: float = 8.0
    tilt: float = 0.0
    roughness: float = 0.0
    left: tuple[float, ...] | None = None
    right: tuple[float, ...] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "at", _check_place(self.at, "at", (2,)))
        for name in LIMITS:
            object.__setattr__(self, name, _check_number(getattr(self, name), name))
        for name in _HANDLES:
            handle = getattr(self, name)
            if handle is not None:
                object.__setattr__(self, name, _check_place(handle, name, (2, 3)))

    def to_plain(self) -> dict[str, object]:
        """Return the point as plain data of JSON; handles that are not there are left out."""
        plain: dict[str, object] = {"at": list(self.at)}
        plain.update({name: getattr(self, name) for name in LIMITS})
        handles = {name: getattr(self, name) for name in _HANDLES}
        plain.update({name: list(value) for name, value in handles.items() if value is not None})
        return plain


@dataclasses.dataclass(frozen=True, kw_only=True)
class LandCurve:
    """Polyline or Bezier curve on a land: x and y in tiles, so that it stretches with the land and wraps.

    Parameters
    ----------
    points : sequence of CurvePoint
        At least two, not all in one place.
    closed : bool
        Whether the last point is joined to the first.

    Raises
    ------
    ParameterError
        If it is no curve.

    Examples
    --------
    >>> from noise_core import CurvePoint, LandCurve
    >>> road = LandCurve(points=[CurvePoint(at=(0.2, 0.5)), CurvePoint(at=(0.8, 0.6), z=40.0)])
    >>> LandCurve.from_plain(road.to_plain(), "Road") == road
    True
    """

    points: Sequence[CurvePoint]
    closed: bool = False

    def __post_init__(self) -> None:
        points = self.points
        if not isinstance(points, (tuple, list)) or not all(
            isinstance(point, CurvePoint) for point in points
        ):
            raise ParameterError("LandCurve.points must be points", got=format_value(points))
        if not 2 <= len(points) <= MOST_POINTS:
            raise ParameterError(
                "LandCurve.points must be 2 to {} points", MOST_POINTS, got=len(points)
            )
        if len({point.at for point in points}) < 2:
            raise ParameterError(
                "LandCurve.points must lie in two places or more",
                got=format_value(points[0].at),
            )
        if not isinstance(self.closed, bool):
            raise ParameterError(
                "LandCurve.closed must be True or False", got=format_value(self.closed)
            )
        object.__setattr__(self, "points", tuple(points))

    def to_plain(self) -> dict[str, object]:
        """Return the curve as plain data of JSON."""
        return {"closed": self.closed, "points": [point.to_plain() for point in self.points]}

    @classmethod
    def from_plain(cls, plain: object, place: str) -> LandCurve:
        """Return the curve that plain data describe: the result of `to_plain`, read as JSON.

        Parameters
        ----------
        plain : object
        place : str
            Name of the curve, which starts the error message.

        Raises
        ------
        ParameterError
            If it is no curve.
        """
        rows = plain.get("points") if isinstance(plain, dict) else []
        if not isinstance(rows, list):
            raise ParameterError("{}.points must be a list", place, got=format_value(rows))
        points = [
            value_of(CurvePoint, row, f"{place}.points[{number}]")
            for number, row in enumerate(rows[: MOST_POINTS + 1])
        ]
        return value_of(cls, plain, place, points=points)


register_base("curves", LandCurve)


def _check_number(value: object, name: str) -> float:
    low, high = LIMITS[name]
    plain = to_float(value)
    if isinstance(value, bool) or not low <= plain <= high:
        raise ParameterError(
            "CurvePoint.{} must be in [{:g}, {:g}]", name, low, high, got=format_value(value)
        )
    return plain


def _check_place(value: object, name: str, sizes: Sequence[int]) -> tuple[float, ...]:
    numbers: tuple[float, ...] = ()
    if isinstance(value, (tuple, list)) and len(value) in sizes:
        numbers = tuple(map(to_float, value))
    is_near = bool(numbers) and all(-FARTHEST <= number <= FARTHEST for number in numbers[:2])
    if not is_near or not all(-MAX_HEIGHT <= number <= MAX_HEIGHT for number in numbers[2:]):
        raise ParameterError(
            "CurvePoint.{} must be {} numbers, x and y in [{:g}, {:g}] tiles",
            name,
            " or ".join(map(str, sizes)),
            -FARTHEST,
            FARTHEST,
            got=format_value(value),
        )
    return numbers
