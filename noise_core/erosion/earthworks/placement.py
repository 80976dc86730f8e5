# SPDX-License-Identifier: GPL-3.0-or-later
"""Placements of a raster on a land: where its center lies, how it is turned, and how it is scaled."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from ...base.arrays import MAX_HEIGHT, to_float
from ...base.checks import register_base
from ...base.errors import ParameterError, format_value
from ...base.json_texts import value_of

FARTHEST = 1000.0
"""Tiles that a center may lie away from the first tile."""

SMALLEST, LARGEST = 1e-4, 1e4
"""Scales, up to their sign."""

MOST_DEGREES = 1e6
"""Most degrees of a rotation."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Placement:
    """Place of a raster on a land, as the transform of an object has it.

    Parameters
    ----------
    at : tuple of two floats
        Center in tiles, x and y.
    z : float
        Height of its zero in meters.
    rotation : float
        Turn about the vertical axis in degrees, counterclockwise from above.
    scale : tuple of three floats
        Factors of its width, depth and height. Below 0 it is mirrored or upside down.

    Raises
    ------
    ParameterError
        If a value is not allowed.

    Examples
    --------
    >>> from noise_core import Placement
    >>> Placement(at=(0.25, 0.5), rotation=30.0).scale
    (1.0, 1.0, 1.0)
    """

    at: tuple[float, float] = (0.5, 0.5)
    z: float = 0.0
    rotation: float = 0.0
    scale: tuple[float, float, float] = (1.0, 1.0, 1.0)

    def __post_init__(self) -> None:
        limits = {"at": (2, FARTHEST), "z": (0, MAX_HEIGHT), "rotation": (0, MOST_DEGREES), "scale": (3, LARGEST)}  # fmt: skip
        for name, (size, most) in limits.items():
            object.__setattr__(self, name, _check(getattr(self, name), name, size, most))
        if any(abs(factor) < SMALLEST for factor in self.scale):
            raise ParameterError(
                "Placement.scale must be {:g} or more, or {:g} or less",
                *(SMALLEST, -SMALLEST),
                got=format_value(self.scale),
            )

    def to_plain(self) -> dict[str, object]:
        """Return the placement as plain data of JSON."""
        return {
            "at": list(self.at),
            "z": self.z,
            "rotation": self.rotation,
            "scale": list(self.scale),
        }

    @classmethod
    def from_plain(cls, plain: object, place: str) -> Placement:
        """Return the placement that plain data describe: the result of `to_plain`, read as JSON.

        Parameters
        ----------
        plain : object
        place : str
            Name of the placement, which starts the error message.

        Raises
        ------
        ParameterError
            If it is no placement.
        """
        return value_of(cls, plain, place)


register_base("placements", Placement)


def _check(value: object, name: str, size: int, most: float) -> float | tuple[float, ...]:
    """Return a number, or as many as `size` says, within limits on both sides of 0."""
    is_row = isinstance(value, (tuple, list)) and len(value) == size
    parts: Sequence[object] = ()
    if is_row if size else not isinstance(value, bool):
        parts = value if size else (value,)  # type: ignore[assignment]  # a row has a length
    numbers = tuple(map(to_float, parts))
    if not numbers or not all(-most <= number <= most for number in numbers):
        raise ParameterError(
            "Placement.{} must be {} in [{:g}, {:g}]",
            name,
            f"{size} numbers" if size else "a number",
            *(-most, most),
            got=format_value(value),
        )
    return numbers if size else numbers[0]
