# SPDX-License-Identifier: GPL-3.0-or-later
"""Coordinates of the samples of a file: which way its rows and columns run, and how far they lie apart.

References
----------
GDAL (2024). Geotransform tutorial.
OGC (2019). GeoTIFF standard 1.1, 19-008r4, section 7.
"""

from __future__ import annotations

import dataclasses
import math

from ...base.errors import Message, ParameterError

_STRAIGHT = 1e-9
"""Share of a step that it may be off its axis: coordinates are rounded."""

_FARTHEST = 1e15
"""Units that samples may lie apart, or from 0."""


@dataclasses.dataclass(frozen=True)
class GeoTransform:
    """Coordinates as sums: x is `x + column * column_x + row * row_x`, and y likewise.

    Attributes
    ----------
    x, y : float
        Of the corner of the first sample, where row and column are 0; its middle lies half a step further.
    column_x, column_y : float
        From one column of the file to the next.
    row_x, row_y : float
        From one row of the file to the next.
    is_point : bool
        Whether the file takes samples for points; otherwise for areas around them.
    """

    x: float
    column_x: float
    row_x: float
    y: float
    column_y: float
    row_y: float
    is_point: bool = False

    def check(self, name: str) -> GeoTransform:
        """Return it, if samples can have such coordinates.

        Raises
        ------
        ParameterError
            If they all have the same ones, or they are beyond the range of numbers.
        """
        numbers = (self.x, self.column_x, self.row_x, self.y, self.column_y, self.row_y)
        is_near = all(math.isfinite(number) and abs(number) <= _FARTHEST for number in numbers)
        if not is_near or self._area == 0.0:
            raise ParameterError(
                "{}: steps from sample to sample must be numbers other than 0",
                name,
                got=Message(
                    "{:g}, {:g} and {:g}, {:g}",
                    self.column_x,
                    self.column_y,
                    self.row_x,
                    self.row_y,
                ),
            )
        return self

    @property
    def _area(self) -> float:
        """Area of a sample; negative where rows run down as columns run to the right."""
        return self.column_x * self.row_y - self.row_x * self.column_y

    @property
    def is_straight(self) -> bool:
        """Whether columns run along x and rows along y."""
        return abs(self.row_x) <= _STRAIGHT * abs(self.column_x) and abs(
            self.column_y
        ) <= _STRAIGHT * abs(self.row_y)

    @property
    def is_top_first(self) -> bool:
        """Whether the first row is the one with the largest y; of turned rows, if they are no mirror image then."""
        return self.row_y < 0.0 if self.is_straight else self._area < 0.0

    @property
    def is_mirrored(self) -> bool:
        """Whether the first column is the one with the largest x."""
        return self.is_straight and self.column_x < 0.0

    def coordinates(self, row: float, column: float) -> tuple[float, float]:
        """Return x and y of a place, in samples from the corner of the first one."""
        return (
            self.x + column * self.column_x + row * self.row_x,
            self.y + column * self.column_y + row * self.row_y,
        )

    def lowest(self, rows: int, columns: int) -> tuple[float, float]:
        """Return the smallest x and y that the middle of a sample has."""
        ends = [
            self.coordinates(row, column)
            for row in (0.5, rows - 0.5)
            for column in (0.5, columns - 0.5)
        ]
        return min(x for x, _ in ends), min(y for _, y in ends)

    def lengths(self, across: float, along: float) -> tuple[float, float]:
        """Return the lengths of the steps from column to column and from row to row.

        Parameters
        ----------
        across, along : float
            Meters in a unit of x and of y.
        """
        return (
            math.hypot(self.column_x * across, self.column_y * along),
            math.hypot(self.row_x * across, self.row_y * along),
        )


def by_points(x: float, y: float, steps: tuple[float, float, float, float]) -> GeoTransform:
    """Return a transformation by the middle of the first sample.

    Parameters
    ----------
    x, y : float
        Of the middle.
    steps : tuple of four floats
        x and y from column to column, then from row to row.
    """
    column_x, column_y, row_x, row_y = steps
    return GeoTransform(
        *(x - (column_x + row_x) / 2.0, column_x, row_x),
        *(y - (column_y + row_y) / 2.0, column_y, row_y),
    )
