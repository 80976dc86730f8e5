# SPDX-License-Identifier: GPL-3.0-or-later
"""Base of tile pyramids: a land as tiles of a map of the Earth, at several zoom levels.

References
----------
Open Geospatial Consortium (2022). Two dimensional tile matrix set and tile set metadata, 2.0.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import BinaryIO, ClassVar

import numpy as np
import numpy.typing as npt

from ....base.errors import ParameterError
from .place import meters_per_degree

Numbers = npt.NDArray[np.float64]

FINEST_ZOOM = 24
"""Tiles are then some meters wide."""

MOST_TILES = 1 << 18
"""Files that one pyramid may have."""

_ROUNDING = 1e-6
"""Of logarithms and of tiles: what lies on a border does not need the next one."""


@dataclass(frozen=True)
class Bounds:
    """An area of the Earth, in degrees."""

    west: float
    south: float
    east: float
    north: float

    def __iter__(self) -> Iterator[float]:
        return iter((self.west, self.south, self.east, self.north))


@dataclass(frozen=True)
class MapTile:
    """A tile: its zoom, and its place in its zoom's columns and rows."""

    zoom: int
    column: int
    row: int


class TileScheme(ABC):
    """A map of the whole Earth, cut into tiles: `roots` side by side at zoom 0, four for each at the next."""

    roots: ClassVar[int]
    north_first: ClassVar[bool]
    """Whether rows of tiles, and rows within a tile, are counted from the north."""
    highest_latitude: ClassVar[float]

    @abstractmethod
    def share_of(self, latitude: float) -> float:
        """Return how far down the rows of the map a latitude in degrees lies: from 0 to 1."""

    @abstractmethod
    def latitude_at(self, share: float) -> float:
        """Return the latitude in degrees at a share of the map's rows."""

    @abstractmethod
    def degrees_of_latitude(self, latitude: float) -> float:
        """Return how many degrees the rows of the map would cover if all were like those at a latitude.

        Where tiles are not square on the ground it is the mean of both sides that counts.
        """

    def columns_at(self, zoom: int) -> int:
        """Return how many columns of tiles the map has."""
        return self.roots << zoom


@dataclass(frozen=True)
class TilePyramid(ABC):
    """Tiles of a target, their content, and their files.

    Attributes
    ----------
    latitude, longitude : float
        Of the middle of the land, in degrees.
    margin : float
        How far beyond the land its edge sinks to 0, as a share of the land's longer side.
    samples : int
        Along a side of a tile, as far as the distance between them goes.
    min_zoom, max_zoom : int
        0 if the land decides.
    """

    latitude: float
    longitude: float
    margin: float
    samples: int
    min_zoom: int
    max_zoom: int

    scheme: ClassVar[TileScheme]
    suffix: ClassVar[str]
    listing: ClassVar[str]
    """Name of the file that lists the tiles."""
    has_triangles: ClassVar[bool] = False
    """Whether clients have triangles between samples; otherwise they interpolate among four."""
    needs_roots: ClassVar[bool] = False
    """Whether all tiles of zoom 0 have to be there, and so all zooms."""

    @abstractmethod
    def shares(self) -> Numbers:
        """Return where the samples of a tile lie in it, along both axes: rising, from 0 to 1."""

    @abstractmethod
    def write(self, heights: Numbers, bounds: Bounds) -> Iterable[bytes]:
        """Yield the content of a tile.

        Parameters
        ----------
        heights : ndarray of shape (samples, samples), float64
            In meters, rows in the order of the scheme.
        bounds : Bounds
            Of the tile.
        """

    @abstractmethod
    def read(self, file: BinaryIO, bounds: Bounds) -> Numbers:
        """Return the heights of a tile, as `write` takes them.

        Raises
        ------
        ValueError, struct.error, zlib.error
            If it is no such tile.
        """

    @abstractmethod
    def tolerance(self, heights: Numbers) -> float:
        """Return how many meters may be lost of such heights."""

    @abstractmethod
    def describe(self, plan: PyramidPlan, name: str) -> Mapping[str, object]:
        """Return the content of the file that lists the tiles; `name` is the land's."""

    def meaning(self) -> Mapping[str, object]:
        """Return the sidecar's entries about the numbers, where they differ from those of other files."""
        return {}


class PyramidPlan:
    """Zooms and tiles of a pyramid for a land.

    Attributes
    ----------
    land, bounds : Bounds
        Of the land, and of the tiled area: the land with its margin.
    finest : int
        The first zoom at which tiles have as many samples in an area as the land, or more.
    zooms : range
    count : int
        How many tiles there are.

    Parameters
    ----------
    pyramid : TilePyramid
    rows, columns : int
        Samples of the land.
    spacing : float
        Meters between them.

    Raises
    ------
    ParameterError
        If the land reaches beyond the map, or the zooms cannot be.
    """

    def __init__(self, pyramid: TilePyramid, rows: int, columns: int, spacing: float) -> None:
        self.pyramid, self.rows, self.columns, self.spacing = pyramid, rows, columns, spacing
        self.land = self._around(0.0)
        self.bounds = self._around(self.margin)
        top = pyramid.scheme.highest_latitude
        if not (-180.0 <= self.bounds.west and self.bounds.east <= 180.0):
            raise ParameterError(
                "the terrain with its margin must lie in longitudes from -180 to 180; it reaches from {:g} to {:g}",
                self.bounds.west,
                self.bounds.east,
            )
        if not (-top <= self.bounds.south and self.bounds.north <= top):
            raise ParameterError(
                "the terrain with its margin must lie in latitudes from {:g} to {:g}; it reaches from {:g} to {:g}",
                -top,
                top,
                self.bounds.south,
                self.bounds.north,
            )
        self.finest = self._finest()
        self.zooms = self._zooms()
        self.count = sum(len(across) * len(along) for across, along in map(self.ranges, self.zooms))
        if self.count > MOST_TILES:
            raise ParameterError(
                "a pyramid must have at most {} map tiles; zooms {} to {} have {}: lower max_zoom",
                MOST_TILES,
                self.zooms[0],
                self.zooms[-1],
                self.count,
            )

    @property
    def margin(self) -> float:
        """Meters from the land to where the ground is at 0."""
        return self.pyramid.margin * self.spacing * (max(self.rows, self.columns) - 1)

    def _around(self, margin: float) -> Bounds:
        """Return the bounds of the land with so many meters around it."""
        across, along = meters_per_degree(self.pyramid.latitude)
        x = (0.5 * (self.columns - 1) * self.spacing + margin) / across
        y = (0.5 * (self.rows - 1) * self.spacing + margin) / along
        middle_x, middle_y = self.pyramid.longitude, self.pyramid.latitude
        return Bounds(middle_x - x, middle_y - y, middle_x + x, middle_y + y)

    def _finest(self) -> int:
        """Return the lowest zoom that has as many samples in an area as the land."""
        pyramid = self.pyramid
        degrees = self.spacing / meters_per_degree(pyramid.latitude)[1]
        parts = pyramid.scheme.degrees_of_latitude(pyramid.latitude) / (degrees * pyramid.samples)
        return max(math.ceil(math.log2(parts) - _ROUNDING), 0)

    def _zooms(self) -> range:
        last = self.pyramid.max_zoom or min(self.finest, FINEST_ZOOM)
        first = self.pyramid.min_zoom
        if self.pyramid.needs_roots:
            first = 0
        elif not first:
            zoom_levels = (zoom for zoom in range(last, 0, -1) if self._is_one_tile(zoom))
            first = next(zoom_levels, 0)
        if first > last:
            raise ParameterError("min_zoom must be at most {}, the highest", last, got=first)
        return range(first, last + 1)

    def _is_one_tile(self, zoom: int) -> bool:
        across, along = self.ranges(zoom)
        return len(across) * len(along) == 1

    def ranges(self, zoom: int) -> tuple[range, range]:
        """Return the columns and the rows of the tiles of a zoom."""
        scheme, columns = self.pyramid.scheme, self.pyramid.scheme.columns_at(zoom)
        if zoom == 0 and self.pyramid.needs_roots:
            return range(columns), range(1)
        ends = sorted(map(scheme.share_of, (self.bounds.south, self.bounds.north)))
        across = ((degrees + 180.0) / 360.0 for degrees in (self.bounds.west, self.bounds.east))
        return _tiles_between(across, columns), _tiles_between(ends, 1 << zoom)

    def tiles(self, zoom: int) -> Iterator[MapTile]:
        """Yield the tiles of a zoom, in the order of their names."""
        across, along = self.ranges(zoom)
        for column in across:
            for row in along:
                yield MapTile(zoom, column, row)

    def all_tiles(self) -> Iterator[MapTile]:
        """Yield all tiles, the finest first."""
        for zoom in reversed(self.zooms):
            yield from self.tiles(zoom)

    def tile_bounds(self, tile: MapTile) -> Bounds:
        """Return the bounds of a tile."""
        scheme, rows = self.pyramid.scheme, 1 << tile.zoom
        width = 360.0 / scheme.columns_at(tile.zoom)
        ends = sorted(scheme.latitude_at((tile.row + end) / rows) for end in (0, 1))
        return Bounds(
            width * tile.column - 180.0, ends[0], width * (tile.column + 1) - 180.0, ends[1]
        )

    def places(self, tile: MapTile) -> tuple[Numbers, Numbers]:
        """Return where a tile's rows and columns lie, in samples of the land from its south-west."""
        scheme, shares = self.pyramid.scheme, self.pyramid.shares()
        x = 360.0 * (tile.column + shares) / scheme.columns_at(tile.zoom) - 180.0
        rows = (tile.row + shares) / (1 << tile.zoom)
        y = np.array([scheme.latitude_at(float(share)) for share in rows])
        across, along = meters_per_degree(self.pyramid.latitude)
        return (
            (y - self.pyramid.latitude) * (along / self.spacing) + 0.5 * (self.rows - 1),
            (x - self.pyramid.longitude) * (across / self.spacing) + 0.5 * (self.columns - 1),
        )


def _tiles_between(ends: Iterable[float], count: int) -> range:
    """Return which of so many equal parts lie between two shares of the whole."""
    low, high = (count * end for end in ends)
    first = min(max(math.floor(low + _ROUNDING), 0), count - 1)
    return range(first, max(min(math.ceil(high - _ROUNDING), count), first + 1))
