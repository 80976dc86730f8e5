# SPDX-License-Identifier: GPL-3.0-or-later
"""Tiles that are meshes: quantized-mesh 1.0 in the geographic scheme of TMS.

All tiles have one regular grid of vertices. Neighbors have the same vertices along their border, and
clients hang skirts from it, which hide the gaps between zooms.

References
----------
Cesium GS (2019). quantized-mesh 1.0 terrain format; layer.json.
National Geospatial-Intelligence Agency (2014). Department of Defense World Geodetic System 1984.
Kevin Ring (2013). Horizon culling; Computing the horizon occlusion point. Cesium.
"""

from __future__ import annotations

import functools
import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import BinaryIO

import numpy as np
import numpy.typing as npt

from ..targets.bases.pyramid import Bounds, Numbers, PyramidPlan, TilePyramid
from .schemes import Geographic

_HIGHEST = 32767
"""Number at a tile's east and north border, and of its highest point."""

_HEADER = struct.Struct("<3d2f4d3dI")
"""Middle, lowest and highest, bounding sphere, occlusion point, and the count of vertices."""

_CLOSE = 1.0
"""Meters by which rounded heights may change a bounding sphere."""

_Integers = npt.NDArray[np.int64]

RADIUS = 6_378_137.0
"""Of the equator, in meters."""

FLATTENING = 1.0 / 298.257223563

_RADII = np.array([RADIUS, RADIUS, RADIUS * (1.0 - FLATTENING)])

_FARTHEST = 1e3
"""Radii of the Earth at which an occlusion point lies at most: what covers half the Earth has none."""


@dataclass(frozen=True)
class GridTriangles:
    """Vertices and triangles of a regular grid, as the format wants them.

    Attributes
    ----------
    order : ndarray of shape (vertices,), int64
        Which vertex of the grid comes at each place: triangles name them in the order of their first use.
    codes : ndarray of shape (indices,), uint16
        Of the triangles' corners, anticlockwise from above: how far below the highest so far, and 0 is a new one.
    edges : tuple of four ndarrays, uint16
        Places of the vertices on the west, south, east and north border.
    """

    order: _Integers
    codes: npt.NDArray[np.uint16]
    edges: tuple[npt.NDArray[np.uint16], ...]

    @classmethod
    def of(cls, side: int) -> GridTriangles:
        """Return those of a grid of so many vertices along a side."""
        grid = np.arange(side * side, dtype=np.int64).reshape(side, side)
        a, b, c, d = grid[:-1, :-1], grid[:-1, 1:], grid[1:, 1:], grid[1:, :-1]
        corners = np.stack([a, b, c, a, c, d], axis=-1).reshape(-1)
        order, first = np.unique(corners, return_index=True)
        is_new = np.zeros(len(corners), bool)
        is_new[first] = True
        by_use = order[np.argsort(first)]
        place = np.empty(len(by_use), np.int64)
        place[by_use] = np.arange(len(by_use), dtype=np.int64)
        highest = np.cumsum(is_new, dtype=np.int64) - is_new  # before each index
        codes = (highest - place[corners]).astype(np.uint16)
        borders = (grid[:, 0], grid[0], grid[:, -1], grid[-1])
        return cls(by_use, codes, tuple(place[border].astype(np.uint16) for border in borders))


_triangles = functools.cache(GridTriangles.of)


@dataclass(frozen=True)
class MeshTiles(TilePyramid):
    """Meshes on a regular grid with `samples` cells along a side of a tile."""

    scheme = Geographic()
    suffix = ".terrain"
    listing = "layer.json"
    has_triangles = True
    needs_roots = True

    def _steps(self) -> _Integers:
        """Return the numbers for the places of the vertices along an axis."""
        steps = np.rint(np.linspace(0.0, _HIGHEST, self.samples + 1))
        return np.asarray(steps.astype(np.int64))

    def shares(self) -> Numbers:
        """See `TilePyramid.shares`: where the stored numbers have the vertices, so that nothing is moved."""
        return self._steps() / _HIGHEST

    def write(self, heights: Numbers, bounds: Bounds) -> Iterator[bytes]:
        """See `TilePyramid.write`."""
        lowest, highest = (float(np.float32(end)) for end in (heights.min(), heights.max()))
        rise = highest - lowest
        numbers = np.rint((heights - lowest) * (_HIGHEST / rise if rise > 0.0 else 0.0))
        height = np.clip(numbers, 0, _HIGHEST).astype(np.int64)
        triangles, steps = _triangles(self.samples + 1), self._steps()
        yield self._header(heights, bounds, (lowest, highest))
        across, along = np.meshgrid(steps, steps)
        for field in (across, along, height):
            yield _zigzag(field.reshape(-1)[triangles.order])
        yield struct.pack("<I", len(triangles.codes) // 3)
        yield triangles.codes.astype("<u2").tobytes()
        for edge in triangles.edges:
            yield struct.pack("<I", len(edge)) + edge.astype("<u2").tobytes()

    def _in_space(self, heights: Numbers, bounds: Bounds) -> Numbers:
        """Return the vertices of a tile in space."""
        shares = self.shares()
        longitude = bounds.west + (bounds.east - bounds.west) * shares
        latitude = bounds.south + (bounds.north - bounds.south) * shares
        x, y = np.meshgrid(longitude, latitude)
        return to_space(x.reshape(-1), y.reshape(-1), heights.reshape(-1))

    def _header(self, heights: Numbers, bounds: Bounds, range_: tuple[float, float]) -> bytes:
        places = self._in_space(heights, bounds)
        middle, radius = bounding_sphere(places)
        point = occlusion_point(places, middle)
        return _HEADER.pack(*middle, *range_, *middle, radius, *point, heights.size)

    def read(self, file: BinaryIO, bounds: Bounds) -> Numbers:
        """See `TilePyramid.read`."""
        head = _HEADER.unpack(file.read(_HEADER.size))
        (lowest, highest), count = head[3:5], head[-1]
        side = self.samples + 1
        if count != side * side:
            raise ValueError(f"it has {count} vertices")
        across, along, height = (_undo_zigzag(file.read(2 * count)) for _ in range(3))
        triangles = _triangles(side)
        corners = _read_indices(file, 3)
        new = corners == 0
        named = np.cumsum(new, dtype=np.int64) - new - corners
        uses = np.bincount(named, minlength=count)
        if len(uses) != count or not uses.all():
            raise ValueError("triangles without all vertices")
        borders = ((across, 0), (along, 0), (across, _HIGHEST), (along, _HIGHEST))
        for field, border in borders:
            if set(_read_indices(file, 1)) != set(np.flatnonzero(field == border)):
                raise ValueError("vertices of a border")
        if file.read(1):
            raise ValueError("it goes on after its borders")
        result = np.full((side, side), np.nan)
        steps = self._steps()
        rows, columns = (
            np.minimum(np.searchsorted(steps, one), self.samples) for one in (along, across)
        )
        result[rows, columns] = lowest + height * ((highest - lowest) / _HIGHEST)
        is_on_grid = (steps[rows] == along) & (steps[columns] == across)
        if not is_on_grid.all() or len(triangles.codes) != len(corners):
            raise ValueError("vertices beside the grid")
        self._check_sphere(head, self._in_space(result, bounds))
        return result

    def _check_sphere(self, head: Sequence[float], places: Numbers) -> None:
        """Raise a ValueError if a header's middle and sphere are not those of the vertices."""
        middle = np.array(head[:3])
        farthest = float(np.sqrt(((places - middle) ** 2).sum(axis=1).max()))
        if head[:3] != head[5:8] or not abs(farthest - head[8]) <= _CLOSE:
            raise ValueError("bounding sphere")

    def tolerance(self, heights: Numbers) -> float:
        """See `TilePyramid.tolerance`: half a step of the tile's own range, and float32 at its ends."""
        ends = np.abs(heights).max(initial=1.0) * 2.0**-23
        return float((heights.max() - heights.min()) * (0.51 / _HIGHEST) + ends)

    def describe(self, plan: PyramidPlan, name: str) -> Mapping[str, object]:
        """See `TilePyramid.describe`: a layer.json."""
        available = []
        for zoom in plan.zooms:
            across, along = plan.ranges(zoom)
            area = {"startX": across[0], "startY": along[0], "endX": across[-1], "endY": along[-1]}
            available.append([area])
        return {
            "tilejson": "2.1.0",
            "name": name,
            "version": "1.0.0",
            "format": "quantized-mesh-1.0",
            "scheme": "tms",
            "projection": "EPSG:4326",
            "tiles": ["{z}/{x}/{y}.terrain"],
            "minzoom": plan.zooms[0],
            "maxzoom": plan.zooms[-1],
            "bounds": list(plan.bounds),
            "available": available,
            "attribution": "",
        }

    def meaning(self) -> Mapping[str, object]:
        """See `TilePyramid.meaning`."""
        return {
            "numbers": f"16-bit unsigned integers, little-endian, from 0 to {_HIGHEST}",
            "meaning": f"meters = minimum of the tile + number / {_HIGHEST} * (maximum - minimum)",
        }


def _zigzag(numbers: _Integers) -> bytes:
    """Return the differences from one number to the next, the sign in the last bit."""
    steps = np.diff(numbers, prepend=np.int64(0))
    return np.asarray((steps << 1) ^ (steps >> 63)).astype("<u2").tobytes()


def _undo_zigzag(data: bytes) -> _Integers:
    codes = np.frombuffer(data, "<u2").astype(np.int64)
    return np.cumsum((codes >> 1) ^ -(codes & 1), dtype=np.int64)


def _read_indices(file: BinaryIO, size: int) -> _Integers:
    """Return the numbers of a list that begins with their count, in groups of some."""
    (count,) = struct.unpack("<I", file.read(4))
    return np.frombuffer(file.read(2 * size * count), "<u2", size * count).astype(np.int64)


def to_space(longitude: Numbers, latitude: Numbers, height: Numbers) -> Numbers:
    """Return places in space, in meters from the middle of the Earth.

    Parameters
    ----------
    longitude, latitude : ndarray of shape (n,), float64
        In degrees.
    height : ndarray of shape (n,), float64
        In meters above the ellipsoid.

    Returns
    -------
    ndarray of shape (n, 3), float64
        x through longitude 0, z through the north pole.
    """
    x, y = np.radians(longitude), np.radians(latitude)
    squared = FLATTENING * (2.0 - FLATTENING)
    normal = RADIUS / np.sqrt(1.0 - squared * np.sin(y) ** 2)
    across = (normal + height) * np.cos(y)
    up = (normal * (1.0 - squared) + height) * np.sin(y)
    return np.stack([across * np.cos(x), across * np.sin(x), up], axis=-1)


def bounding_sphere(places: Numbers) -> tuple[Numbers, float]:
    """Return the middle and the radius of a sphere around places in space, shape (n, 3)."""
    middle = 0.5 * (places.min(axis=0) + places.max(axis=0))
    return middle, float(np.sqrt(((places - middle) ** 2).sum(axis=1).max()))


def occlusion_point(places: Numbers, middle: Numbers) -> Numbers:
    """Return the point that is hidden by the Earth only where all places are.

    Parameters
    ----------
    places : ndarray of shape (n, 3), float64
        In space.
    middle : ndarray of shape (3,), float64
        The point lies in its direction from the middle of the Earth.

    Returns
    -------
    ndarray of shape (3,), float64
        In radii of the ellipsoid.
    """
    toward = middle / _RADII
    toward /= np.linalg.norm(toward) or 1.0
    scaled = places / _RADII
    distance = np.linalg.norm(scaled, axis=1)
    direction = scaled / distance[:, np.newaxis]
    distance = np.maximum(distance, 1.0)
    cos_alpha = (direction * toward).sum(axis=1)
    sin_alpha = np.linalg.norm(np.cross(direction, toward), axis=1)
    cos_beta = 1.0 / distance
    sin_beta = np.sqrt(distance * distance - 1.0) * cos_beta
    # Where it is not above 0, no point in that direction sees the place.
    share = cos_alpha * cos_beta - sin_alpha * sin_beta
    return np.asarray(toward / max(float(share.min()), 1.0 / _FARTHEST))
