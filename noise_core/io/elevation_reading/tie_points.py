# SPDX-License-Identifier: GPL-3.0-or-later
"""Coordinates of samples by tie points alone: the plane transformation that fits them best.

References
----------
OGC (2019). GeoTIFF standard 1.1, 19-008r4, annex B.6: rasters that are tied at several points.
GDAL (2024). GDALGCPsToGeoTransform: the same fit, and how far points may be off it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from ...base.errors import ParameterError
from .geotransform import GeoTransform

Tie = tuple[float, float, float, float]
"""Column, row, x and y of a point."""

_LEAST = 3

_FARTHEST_OFF = 0.25
"""Samples that a point may be off."""

_FLATTEST = 1e-9
"""Area of points that lie on a line, as a share of that of a square around them."""


def fit_tie_points(name: str, ties: Sequence[Tie]) -> GeoTransform:
    """Return the coordinates that fit tie points best, by least squares.

    Parameters
    ----------
    name : str
        Of the file, for messages.
    ties : sequence of Tie

    Raises
    ------
    ParameterError
        If they are too few or on a line, or no plane transformation fits them.
    """
    count = len(ties)
    means = [math.fsum(tie[at] for tie in ties) / max(count, 1) for at in range(4)]
    apart = [[value - mean for value, mean in zip(tie, means)] for tie in ties]

    def moment(first: int, second: int) -> float:
        return math.fsum(point[first] * point[second] for point in apart)

    across, along, mixed = moment(0, 0), moment(1, 1), moment(0, 1)
    area = across * along - mixed * mixed
    if count < _LEAST or not area > _FLATTEST * max(across, along) ** 2:
        raise ParameterError(
            "{}: tie points must be at least {} that do not lie on a line",
            name,
            _LEAST,
            got=count,
        )
    column_x, row_x, column_y, row_y = (
        (moment(first, at) * length - moment(second, at) * mixed) / area
        for at in (2, 3)
        for first, second, length in ((0, 1, along), (1, 0, across))
    )
    transform = GeoTransform(
        *(means[2] - column_x * means[0] - row_x * means[1], column_x, row_x),
        *(means[3] - column_y * means[0] - row_y * means[1], column_y, row_y),
    ).check(name)
    step = min(math.hypot(column_x, column_y), math.hypot(row_x, row_y))
    off = max(math.dist(transform.coordinates(row, column), (x, y)) for column, row, x, y in ties)
    if not off <= _FARTHEST_OFF * step:
        raise ParameterError(
            "{}: tie points must be on a plane grid within {} samples",
            name,
            _FARTHEST_OFF,
            got=f"{off / step:.3g}",
        )
    return transform
