# SPDX-License-Identifier: GPL-3.0-or-later
"""Part of a source: the samples in a box of degrees.

On maps of degrees and cylinders a box is a rectangle of samples. In a zone of UTM its borders are bent: there
it is the smallest rectangle around them. Other systems are refused.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from typing import Union

import numpy as np

from ...base.arrays import Field, to_float
from ...base.errors import Message, ParameterError, format_value
from ...base.georeference import Georeference, SpatialSystem
from ..spatial_reference.projecting import coordinates_of, degrees_of
from ..spatial_reference.transverse_mercator import utm_zone
from .mosaic import PieceSource
from .source import HeightSource, Samples

Box = tuple[float, float, float, float]
"""West, south, east, north."""

BoxOption = Union[Sequence[float], None]

_ROUNDING = 1e-6
"""Samples by which one may lie beyond the box: coordinates are rounded."""

_SLACK = 1e-3
"""Samples by which a box may reach beyond the outer edges of the samples."""

_DIGITS = 1e6
"""Parts of a degree in messages."""

_ALONG = 33
"""Places along each border at which a zone's rectangle is looked at in degrees."""


class CroppedSource(HeightSource):
    """Some rows and columns of a source.

    Parameters
    ----------
    source : HeightSource
    rows, columns : slice
        Counted from the smallest y and x.
    """

    def __init__(self, source: HeightSource, rows: slice, columns: slice) -> None:
        info = source.info
        first = info.rows - rows.stop if source.is_top_first else rows.start
        count = rows.stop - rows.start
        place = info.georeference
        spacing = info.spacing
        if place is not None:
            place = place.resample((columns.start, rows.start), (1.0, 1.0))
            spacing = place.spacing(count)
        width = columns.stop - columns.start
        note = Message("Cropped from {} x {} samples", info.columns, info.rows)
        super().__init__(
            dataclasses.replace(
                info,
                rows=count,
                columns=width,
                georeference=place,
                spacing=spacing,
                notes=(*info.notes, note),
            )
        )
        self._source, self._first, self._left = source, first, columns.start
        self.is_top_first, self.is_sequential = source.is_top_first, source.is_sequential
        self.band_rows, self.block_columns = source.band_rows, source.block_columns
        self._skipped = 0

    def read(self, start: int, stop: int) -> Samples:
        """See `HeightSource.read`: heights."""
        out = np.empty((stop - start, self.info.columns), np.float32)
        self.read_heights(start, stop, out)
        return out

    def read_heights(self, start: int, stop: int, out: Field, columns: slice = slice(None)) -> None:
        """See `HeightSource.read_heights`."""
        first, last, _ = columns.indices(self.info.columns)
        if self.is_sequential:
            self._skip()
        part = slice(first + self._left, last + self._left)
        self._source.read_heights(start + self._first, stop + self._first, out, part)

    def _skip(self) -> None:
        """Read the rows before the part, which can be read in order alone."""
        while self._skipped < self._first:
            stop = min(self._skipped + self.band_rows, self._first)
            rows = np.empty((stop - self._skipped, self._source.info.columns), np.float32)
            self._source.read_heights(self._skipped, stop, rows)
            self._skipped = stop


def crop(source: HeightSource, box: BoxOption) -> HeightSource:
    """Return the part of a source whose samples lie in a box, on its borders too; all of it without one.

    Parameters
    ----------
    source : HeightSource
    box : sequence of four floats, optional
        West, south, east and north in degrees of the file's body; see `read_elevation`.

    Raises
    ------
    ParameterError
        If it is no box, the place of the samples is not known in degrees, the box reaches beyond them or into
        ground that none of several files covers, or fewer than 2 x 2 of them lie in it.
    """
    if box is None:
        return source
    wanted, name = _check(box), source.info.name
    place = source.info.georeference
    if place is None:
        raise ParameterError("{}: its place must be known for a box", name)
    bounds = _around(place.system, wanted)
    if bounds is None:
        raise ParameterError(
            "{}: a box in degrees cannot be found in its system: convert it to degrees or UTM",
            name,
            got=place.system,
        )
    counts = (source.info.columns, source.info.rows)
    spans = _spans(place, _moved(place, bounds), counts)
    if spans is None:
        limits = _limits(place, counts)
        raise ParameterError(
            "{}: box must lie within {} degrees", name, _text(limits), got=_text(box)
        )
    columns, rows = spans
    if min(columns.stop - columns.start, rows.stop - rows.start) < 2:
        raise ParameterError(
            "{}: at least 2 x 2 samples must lie in box",
            name,
            got=f"{columns.stop - columns.start} x {rows.stop - rows.start}",
        )
    _check_covered(source, place, rows, columns)
    return CroppedSource(source, rows, columns)


def _check(box: object) -> Box:
    """Return a box whose east is larger than its west."""
    numbers = [to_float(number) for number in box] if isinstance(box, (tuple, list)) else []
    if len(numbers) == 4 and all(map(math.isfinite, numbers)):
        west, south, east, north = numbers
        if west > east and max(abs(west), abs(east)) <= 180.0:  # across 180 degrees
            east += 360.0
        is_round = -360.0 <= west < east <= west + 360.0 and east <= 540.0
        if is_round and -90.0 <= south < north <= 90.0:
            return west, south, east, north
    raise ParameterError(
        "box must be west, south, east and north in degrees, with south below north",
        got=format_value(box),
    )


def _around(system: SpatialSystem, box: Box) -> Box | None:
    """Return the smallest rectangle around a box in coordinates of a system; None if it is not known."""
    west, south, east, north = box
    zone = utm_zone(system.epsg)
    longitudes, latitudes = [west, east], [south, north]
    if zone is not None:
        # Parallels are bent the most at the meridian in the middle, meridians at the equator.
        middle = west + (zone.meridian - west) % 360.0
        longitudes += [middle] if middle < east else []
        latitudes += [0.0] if south < 0.0 < north else []
    places = [coordinates_of(system, x, y) for x in longitudes for y in latitudes]
    known = [place for place in places if place is not None and all(map(math.isfinite, place))]
    if len(known) < len(places):
        return None
    (low_x, low_y), (high_x, high_y) = map(min, zip(*known)), map(max, zip(*known))
    return low_x, low_y, high_x, high_y


def _moved(place: Georeference, bounds: Box) -> Box:
    """Return bounds that begin in or after the land, a whole number of times around the globe from there."""
    turn = place.system.turn
    if turn is None:
        return bounds
    edge = place.origin[0] - (0.5 + _SLACK) * place.step[0]
    shift = turn * math.ceil((edge - bounds[0]) / turn)
    return bounds[0] + shift, bounds[1], bounds[2] + shift, bounds[3]


def _spans(place: Georeference, bounds: Box, counts: tuple[int, int]) -> tuple[slice, slice] | None:
    """Return the columns and rows in bounds, counted from the smallest x and y; None if these reach beyond."""
    spans = []
    for axis, count in enumerate(counts):
        low, high = ((bounds[axis + end] - place.origin[axis]) / place.step[axis] for end in (0, 2))
        if low < -0.5 - _SLACK or high > count - 0.5 + _SLACK:
            return None
        first, last = math.ceil(low - _ROUNDING), math.floor(high + _ROUNDING)
        spans.append(slice(max(first, 0), min(last + 1, count)))
    return spans[0], spans[1]


def _check_covered(source: HeightSource, place: Georeference, rows: slice, columns: slice) -> None:
    """Raise a ParameterError if none of several files has a part of some rows and columns."""
    if not isinstance(source, PieceSource):
        return
    total = source.info.rows
    gap = source.gap(slice(total - rows.stop, total - rows.start), columns)
    if gap is None:
        return
    x, y = place.resample((gap[1], total - 1 - gap[0]), (1.0, 1.0)).origin
    degrees = degrees_of(place.system, x, y) or (x, y)
    raise ParameterError(
        "{}: no file covers {:.6g}, {:.6g} degrees: add it, or give a smaller box",
        source.info.name,
        *degrees,
    )


def _limits(place: Georeference, counts: tuple[int, int]) -> Box:
    """Return the largest box in degrees that lies on the land."""
    beyond = 0.0 if place.is_point else 0.5
    (west, east), (south, north) = (
        [place.origin[axis] + place.step[axis] * at for at in (-beyond, count - 1 + beyond)]
        for axis, count in enumerate(counts)
    )
    return _inward(box_within(place.system, (west, south, east, north)))


def box_within(system: SpatialSystem, bounds: Box) -> Box:
    """Return the largest box in degrees that lies in a rectangle of coordinates.

    In a zone of UTM it is one between the bent borders of the rectangle.

    Parameters
    ----------
    system : SpatialSystem
    bounds : tuple of four floats
        Least x and y, and greatest x and y, in the system's unit.

    Returns
    -------
    tuple of four floats
        West, south, east and north in degrees; NaN where the way from the system to degrees is not known.

    Examples
    --------
    >>> from noise_core.base.georeference import GEOGRAPHIC, SpatialSystem
    >>> from noise_core.io.elevation_reading.cropping import box_within
    >>> box_within(SpatialSystem(GEOGRAPHIC), (7.0, 46.0, 7.5, 46.25))
    (7.0, 46.0, 7.5, 46.25)
    """
    west, south, east, north = bounds
    if system.is_geographic:
        unit = system.unit
        edges = (system.meridian + west * unit, south * unit, system.meridian + east * unit)
        return (*edges, north * unit)
    shares = [step / (_ALONG - 1) for step in range(_ALONG)]
    upright = [south + share * (north - south) for share in shares]
    level = [west + share * (east - west) for share in shares]

    def degrees(x: float, y: float) -> tuple[float, float]:
        return degrees_of(system, x, y) or (math.nan, math.nan)

    first = max(degrees(west, y)[0] for y in upright)
    last = min(first + (degrees(east, y)[0] - first) % 360.0 for y in upright)
    return (
        first,
        max(degrees(x, south)[1] for x in level),
        last,
        min(degrees(x, north)[1] for x in level),
    )


def _inward(box: Box) -> Box:
    """Return a box whose corners are rounded to its inside."""
    slack = 1e-3  # of a last digit: an exact number stays
    low = [math.ceil(number * _DIGITS - slack) / _DIGITS for number in box[:2]]
    high = [math.floor(number * _DIGITS + slack) / _DIGITS for number in box[2:]]
    return low[0], low[1], high[0], high[1]


def _text(box: Sequence[float]) -> str:
    return ", ".join(f"{number:.10g}" for number in box)
