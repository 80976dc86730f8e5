# SPDX-License-Identifier: GPL-3.0-or-later
"""Joining of elevations that were read one by one."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from ...base.blocks import Cancel, Progress
from ...base.errors import ParameterError
from .elevation import Elevation
from .mosaic import MosaicSource
from .reading import elevation_of
from .source import ArraySource, Samples


def join_elevations(
    elevations: Sequence[Elevation],
    *,
    samples: int | None = None,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> Elevation:
    """Return several elevations as one, such as neighboring SRTM tiles.

    Rows and columns that two of them share count once; where they overlap, the first one has
    precedence. What lies between them becomes holes, which are filled.

    Parameters
    ----------
    elevations : sequence of Elevation
        Each with a georeference; of one coordinate system and spacing, their samples on one grid.
        Those that were reduced when they were read share no borders any more: read their files
        together instead.
    samples, progress, cancel
        See `read_elevation`.

    Raises
    ------
    ParameterError
        If they do not fit together.
    """
    if not elevations:
        raise ParameterError("join_elevations: at least one elevation must be given; got none")
    source = MosaicSource([_ElevationSource(one) for one in elevations])
    return elevation_of(source, samples, None, progress, cancel)


class _ElevationSource(ArraySource):
    """Heights of an elevation, with its holes as holes again."""

    def __init__(self, elevation: Elevation) -> None:
        rows, columns = elevation.heights.shape
        info = dataclasses.replace(
            elevation.info,
            rows=rows,
            columns=columns,
            georeference=elevation.georeference,
            nodata=None,
        )
        super().__init__(info, elevation.heights, is_top_first=False)
        self._holes = elevation.holes

    def read(self, start: int, stop: int) -> Samples:
        """See `HeightSource.read`."""
        part = super().read(start, stop)
        return part if self._holes is None else np.where(self._holes[start:stop], np.nan, part)
