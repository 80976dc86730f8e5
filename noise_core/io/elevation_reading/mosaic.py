# SPDX-License-Identifier: GPL-3.0-or-later
"""Sources made of several sources that lie side by side."""

from __future__ import annotations

import bisect
import dataclasses
import math
from collections.abc import Sequence

import numpy as np

from ...base.arrays import Field, check_source_size
from ...base.errors import Message, ParameterError
from ...base.georeference import Georeference
from ..spatial_reference import agreement
from .elevation import ElevationInfo
from .source import HeightSource, Samples

_TOLERANCE = 0.02
"""Samples that a file may be off the grid of the first: coordinates are rounded."""


@dataclasses.dataclass(frozen=True)
class Piece:
    """A source, and the row from the top and the column where it begins, which may lie outside."""

    source: HeightSource
    top: int
    left: int

    def read(self, start: int, stop: int, columns: slice) -> Field:
        """Return a part of its own rows, counted from the top, as heights, with NaN for holes."""
        rows = self.source.info.rows
        out = np.empty((stop - start, columns.stop - columns.start), np.float32)
        if self.source.is_top_first:
            self.source.read_heights(start, stop, out, columns)
        else:
            self.source.read_heights(rows - stop, rows - start, out[::-1], columns)
        return out


class PieceSource(HeightSource):
    """Pieces side by side as one. Between them are holes; where they overlap, the first has precedence.

    Parameters
    ----------
    info : ElevationInfo
        Of the whole; parts of the pieces outside of it are not read.
    pieces : sequence of Piece
    """

    def __init__(self, info: ElevationInfo, pieces: Sequence[Piece]) -> None:
        super().__init__(info)
        self.is_sequential = any(piece.source.is_sequential for piece in pieces)
        self.band_rows = max(piece.source.band_rows for piece in pieces)
        wide = [piece.source.block_columns for piece in pieces]
        self.block_columns = max(wide) if all(wide) else 0
        self._pieces = pieces

    def gap(self, rows: slice, columns: slice) -> tuple[float, float] | None:
        """Return the middle of ground that no piece covers, as row from the top and column; None if there is none.

        Parameters
        ----------
        rows, columns : slice
            Where it is looked for, rows counted from the top.
        """
        boxes = [
            (piece.top, piece.top + info.rows, piece.left, piece.left + info.columns)
            for piece in self._pieces
            for info in (piece.source.info,)
        ]
        # Between neighboring edges all is covered, or nothing is.
        edges = [
            sorted(
                {
                    part.start,
                    part.stop,
                    *(
                        max(part.start, min(one[at], part.stop))
                        for one in boxes
                        for at in (first, first + 1)
                    ),
                }
            )
            for part, first in ((rows, 0), (columns, 2))
        ]
        is_covered = np.zeros([len(places) - 1 for places in edges], np.bool_)
        for top, bottom, left, right in boxes:
            down, across = (
                slice(bisect.bisect_left(places, low), bisect.bisect_left(places, high))
                for places, low, high in ((edges[0], top, bottom), (edges[1], left, right))
            )
            is_covered[down, across] = True
        if is_covered.all():
            return None
        at = divmod(int(is_covered.argmin()), is_covered.shape[1])
        row, column = ((places[one] + places[one + 1] - 1) / 2.0 for places, one in zip(edges, at))
        return row, column

    def read(self, start: int, stop: int) -> Samples:
        """See `HeightSource.read`."""
        return self.read_part(start, stop, slice(None))

    def read_part(self, start: int, stop: int, columns: slice) -> Samples:
        """See `HeightSource.read_part`."""
        begin, end, _ = columns.indices(self.info.columns)
        out = np.full((stop - start, end - begin), np.nan, np.float32)
        for piece in self._pieces:
            info, top, left = piece.source.info, piece.top, piece.left
            low, high = max(start, top), min(stop, top + info.rows)
            first, last = max(left, begin), min(left + info.columns, end)
            if low < high and first < last:
                part = out[low - start : high - start, first - begin : last - begin]
                samples = piece.read(low - top, high - top, slice(first - left, last - left))
                np.copyto(part, samples, where=np.isnan(part))
        return out


class MosaicSource(PieceSource):
    """Several sources as one, by their places on Earth.

    Parameters
    ----------
    sources : sequence of HeightSource
        Each with a georeference; of one coordinate system and spacing, their samples on one grid.

    Raises
    ------
    ParameterError
        If they do not fit together, or are too large as one.
    """

    def __init__(self, sources: Sequence[HeightSource]) -> None:
        places = _side_by_side(sources)
        first, name = places[0], sources[0].info.name
        for source, place in zip(sources, places):
            _check_fit(source.info.name, place, name, first)
        step_x, step_y = first.step
        west = min(place.origin[0] for place in places)
        south = min(place.origin[1] for place in places)
        lefts = [round((place.origin[0] - west) / step_x) for place in places]
        bottoms = [round((place.origin[1] - south) / step_y) for place in places]
        infos = [source.info for source in sources]
        columns = max(left + info.columns for left, info in zip(lefts, infos))
        rows = max(bottom + info.rows for bottom, info in zip(bottoms, infos))
        check_source_size(f"{name} ...", rows, columns)
        place = dataclasses.replace(first, origin=(west, south))
        note = Message("{} files joined: {}", len(infos), ", ".join(info.name for info in infos))
        super().__init__(
            ElevationInfo(
                *(f"{name} ...", infos[0].format, rows, columns, infos[0].sample_type, place),
                spacing=place.spacing(rows),
                nodata=infos[0].nodata,
                value_range=infos[0].value_range,
                says_meters=any(info.says_meters for info in infos),
                notes=(note, *infos[0].notes),
            ),
            [
                Piece(source, rows - bottom - source.info.rows, left)
                for source, bottom, left in zip(sources, bottoms, lefts)
            ],
        )
        gap = self.gap(slice(0, rows), slice(0, columns))
        if gap is not None:
            x, y = place.resample((gap[1], rows - 1 - gap[0]), (1.0, 1.0)).origin
            hole = Message("No file covers {:.8g}, {:.8g}: a hole", x, y)
            self.info = dataclasses.replace(self.info, notes=(*self.info.notes, hole))


def _side_by_side(sources: Sequence[HeightSource]) -> list[Georeference]:
    """Return the places of sources, some of them moved around the globe so that the whole is as narrow as it can be.

    Tiles on both sides of 180 degrees then lie side by side.
    """
    places = [_place_of(source) for source in sources]
    turn = places[0].system.turn
    if turn is None or len(places) < 2 or any(place.system.turn is None for place in places):
        return places
    starts = [place.origin[0] % turn for place in places]
    widths = [place.step[0] * source.info.columns for place, source in zip(places, sources)]
    order = sorted(range(len(places)), key=starts.__getitem__)
    gaps, reach = [], starts[order[-1]] + widths[order[-1]] - turn
    for number in order:
        gaps.append((starts[number] - reach, number))
        reach = max(reach, starts[number] + widths[number])
    first = max(gaps)[1]  # after the widest gap
    west = places[first].origin[0]
    return [_move_around(place, west, turn) for place in places]


def _move_around(place: Georeference, west: float, turn: float) -> Georeference:
    """Return a place less than a turn of the globe east of another; on it, if rounding is all that lies between."""
    turns = math.floor((place.origin[0] - west + _TOLERANCE * place.step[0]) / turn)
    if not turns:
        return place
    return dataclasses.replace(place, origin=(place.origin[0] - turns * turn, place.origin[1]))


def _place_of(source: HeightSource) -> Georeference:
    if source.info.georeference is None:
        raise ParameterError(
            "{} must have a georeference to be joined with others", source.info.name
        )
    return source.info.georeference


def _check_fit(name: str, place: Georeference, first_name: str, first: Georeference) -> None:
    """Raise a ParameterError unless a file lies on the grid of the first one."""
    if not agreement.is_same(place.system, first.system):
        raise ParameterError(
            "{} must have the coordinate system of {}, {}",
            name,
            first_name,
            first.system,
            got=place.system,
        )
    if any(abs(size / step - 1.0) > 1e-6 for size, step in zip(place.step, first.step)):
        raise ParameterError(
            "{} must have the spacing of {}, {:.8g} x {:.8g}",
            name,
            first_name,
            *first.step,
            got=Message("{:.8g} x {:.8g}", *place.step),
        )
    for start, origin, step in zip(place.origin, first.origin, first.step):
        offset = (start - origin) / step
        if not abs(offset) < 1e9 or abs(offset - round(offset)) > _TOLERANCE:
            raise ParameterError(
                "{} must lie a whole number of samples from {}",
                name,
                first_name,
                got=f"{offset:.6g}",
            )
