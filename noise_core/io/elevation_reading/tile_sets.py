# SPDX-License-Identifier: GPL-3.0-or-later
"""Land in one file or many tiles that Terrane has exported: any part of it at any coarser spacing.

Only the tiles, and of these the rows, that a part needs are read, a band at a time: the land may be larger
than the memory.
"""

from __future__ import annotations

import dataclasses
import itertools
import operator
import pathlib
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from ...base.arrays import Field
from ...base.blocks import Cancel, Progress
from ...base.errors import Message, ParameterError
from .elevation import ElevationInfo
from .formats_registry import find_format
from .mosaic import Piece, PieceSource
from .reduction import read_means
from .sidecars import (
    DAMAGE,
    Sidecar,
    find_sidecar,
    named_files,
    plain_sidecar,
    read_sidecar,
    sidecar_names,
)
from .source import HeightSource, InputFile, Path, Samples

Ticks = npt.NDArray[np.float64]
"""Places along an axis in samples from the smallest x or y, rising."""

_SUFFIX = ".json"

_MOST_FILES = 1 << 16

_LONGEST = 1 << 24
"""Samples along a side; float64 places each of them exactly enough."""


class TileFile(HeightSource):
    """A tile, whose file is opened for each part that is read: there may be more than the system keeps open.

    Parameters
    ----------
    path : Path
    sidecar : Sidecar
        Expected facts about the file.
    """

    def __init__(self, path: pathlib.Path, sidecar: Sidecar) -> None:
        dtype = np.dtype(sidecar.number_type).name
        super().__init__(ElevationInfo(path.name, "", sidecar.rows, sidecar.columns, dtype))
        self._path, self._sidecar = path, sidecar
        self.is_top_first = sidecar.is_top_first

    def open(self) -> HeightSource:
        """Return the source of its samples.

        Raises
        ------
        ParameterError
            If it is missing, damaged, or not as its sidecar says.
        """
        file = InputFile(self._path, is_alone=True)
        source = find_format(file).complete(self._sidecar).open(file).settle()
        info = source.info
        if (info.rows, info.columns, info.sample_type) != (
            *(self.info.rows, self.info.columns),
            self.info.sample_type,
        ):
            raise ParameterError(
                "{} must have {} x {} samples of {}, as {} says",
                file.name,
                self.info.columns,
                self.info.rows,
                self.info.sample_type,
                self._sidecar.name,
                got=Message("{} x {} of {}", info.columns, info.rows, info.sample_type),
            )
        if source.is_sequential:
            raise ParameterError(
                "{}: export NPY or GeoTIFF, since a part of this file cannot be read alone",
                file.name,
            )
        self._sidecar.apply(source)
        return source

    def read(self, start: int, stop: int) -> Samples:
        """See `HeightSource.read`."""
        return self.open().read(start, stop)

    def read_heights(self, start: int, stop: int, out: Field, columns: slice = slice(None)) -> None:
        """See `HeightSource.read_heights`."""
        self.open().read_heights(start, stop, out, columns)


@dataclasses.dataclass(frozen=True)
class TileSet:
    """Land that Terrane has exported.

    Attributes
    ----------
    path : Path
        Of its sidecar.
    rows, columns : int
        Samples of the whole; tiles may share their borders.
    spacing : float
        Meters per sample.
    pieces : tuple of Piece
        The tiles, each a `TileFile`.
    """

    path: pathlib.Path
    rows: int
    columns: int
    spacing: float
    pieces: tuple[Piece, ...]

    @classmethod
    def open(cls, path: Path) -> TileSet:
        """Return the land of a sidecar, or that to which one of its files belongs.

        Raises
        ------
        ParameterError
            If there is no such sidecar, it is damaged, or a tile is missing.
        """
        beside = _find_sidecar(pathlib.Path(path))
        try:
            plain = plain_sidecar(beside)
            sidecar = read_sidecar(beside.name, plain)
            return cls._of(beside, sidecar, plain)
        except ParameterError:
            raise
        except DAMAGE as error:
            raise ParameterError(
                "{} must be the sidecar of heights that Terrane has exported: {}",
                *(beside.name, error),
            ) from error

    @classmethod
    def _of(cls, path: pathlib.Path, sidecar: Sidecar, plain: Any) -> TileSet:
        across, along = map(operator.index, plain["tiles"])
        shared = bool(plain["tiles_share_borders"])
        step_x, step_y = sidecar.columns - shared, sidecar.rows - shared
        rows, columns = (along - 1) * step_y + sidecar.rows, (across - 1) * step_x + sidecar.columns
        if not (across > 0 < along and across * along <= _MOST_FILES):
            raise ValueError(f"tiles must be from 1 on; got {across} x {along}")
        if not (min(rows, columns) >= 2 and max(rows, columns) <= _LONGEST):
            raise ValueError(f"{columns} x {rows} samples")
        counts_from_north = plain["orientation"]["first_tile"] == "north-west"
        files = named_files(plain)
        pieces = []
        for row, column in itertools.product(range(along), range(across)):
            file = path.with_name(files[column, row])
            if not file.is_file():
                raise ParameterError("{} is missing: {} names it", file.name, path.name)
            from_north = row if counts_from_north else along - 1 - row
            pieces.append(Piece(TileFile(file, sidecar), from_north * step_y, column * step_x))
        return cls(path, rows, columns, sidecar.spacing, tuple(pieces))

    def read(
        self,
        rows: Ticks,
        columns: Ticks,
        progress: Progress | None = None,
        cancel: Cancel | None = None,
    ) -> Field:
        """Return heights at places, each the mean over the area halfway to its neighbors.

        One sample apart, at whole numbers, they are those of the files.

        Parameters
        ----------
        rows, columns : ndarray of shape (places,), float64
            Two at least along each axis, rising, in samples.
        progress, cancel : callable, optional

        Returns
        -------
        ndarray of shape (rows, columns), float32
            In meters, row 0 at the smallest y; holes are filled.

        Raises
        ------
        ParameterError
            If a tile is missing, damaged, or not as the sidecar says.
        """
        (south, north, row_edges), (west, east, column_edges) = (
            _edges(rows, self.rows),
            _edges(columns, self.columns),
        )
        top = self.rows - north
        pieces = [
            dataclasses.replace(piece, top=piece.top - top, left=piece.left - west)
            for piece in self._overlapping(top, self.rows - south, west, east)
        ]
        info = ElevationInfo(self.path.name, "", north - south, east - west, "float32")
        source = PieceSource(info, pieces)
        # Strips of all tiles are as high as those of the first one.
        first: Any = pieces[0].source
        source.band_rows = first.open().band_rows
        return read_means(source, row_edges, column_edges, progress, cancel)

    def _overlapping(self, top: int, bottom: int, left: int, right: int) -> Iterator[Piece]:
        for piece in self.pieces:
            info = piece.source.info
            if piece.top < bottom and piece.top + info.rows > top:
                if piece.left < right and piece.left + info.columns > left:
                    yield piece


def _edges(places: Ticks, count: int) -> tuple[int, int, Ticks]:
    """Return the first sample that places need, the one after the last, and edges from the first on."""
    middles = 0.5 * (places[1:] + places[:-1])
    first, last = 2.0 * places[0] - middles[0], 2.0 * places[-1] - middles[-1]
    edges = np.clip(np.concatenate(([first], middles, [last])) + 0.5, 0.0, count)
    low, high = int(np.floor(edges[0])), int(np.ceil(edges[-1]))
    return low, high, edges - low


def _find_sidecar(path: pathlib.Path) -> pathlib.Path:
    """Return the sidecar: the file itself, or that which names it."""
    if path.suffix.lower() == _SUFFIX:
        return path
    sidecar = find_sidecar(path)
    for beside in sidecar_names(path):
        if sidecar is not None and beside.name == sidecar.name:
            return beside
    raise ParameterError("{} has no sidecar beside it: export it with Terrane", path.name)
