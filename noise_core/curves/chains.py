# SPDX-License-Identifier: GPL-3.0-or-later
"""Curves as chains of straight pieces, with as few points as a tolerance in meters allows.

References
----------
David H. Douglas, Thomas K. Peucker (1973). Algorithms for the reduction of the number of points required to
represent a digitized line or its caricature. Cartographica 10(2).
Gerald Farin (2002). Curves and Surfaces for CAGD. Morgan Kaufmann. (how far a cubic lies from its chords)
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from .land_curve import CurvePoint, LandCurve

Table = npt.NDArray[np.float64]

X, Y, Z, HALF, TILT, ROUGH = range(6)
"""Columns of a table of vertices: tiles, tiles, meters, half of the width in meters, rise over run across, share."""

_MOST_PARTS = 4096
"""Chords of one piece of a Bezier curve."""


@dataclass(frozen=True, eq=False)
class Chain:
    """Vertices of a curve, joined by straight pieces.

    Attributes
    ----------
    vertices : ndarray of shape (n, 6), float64
        See `X` to `ROUGH`; of a closed curve the first one is the last one too. Read-only.
    closed : bool
    """

    vertices: Table
    closed: bool

    def lengths(self, size: float) -> Table:
        """Return the distance of each vertex from the first one along the chain, in meters, on a land so wide."""
        steps = np.diff(self.vertices[:, :Z], axis=0) * size
        along = np.sqrt(steps[:, 0] * steps[:, 0] + steps[:, 1] * steps[:, 1])
        return np.concatenate(([0.0], np.cumsum(along, dtype=np.float64)))


@functools.lru_cache(maxsize=256)
def chain_of(curve: LandCurve, size: float, tolerance: float) -> Chain:
    """Return a curve as a chain that deviates from it by a tolerance at most.

    Parameters
    ----------
    curve : LandCurve
    size : float
        Width of the land in meters.
    tolerance : float
        In meters, of places, heights and widths.
    """
    points = list(curve.points)
    if curve.closed:
        points.append(points[0])
    rows = [_row(points[0])[np.newaxis]]
    rows.extend(
        _between(first, second, size, tolerance) for first, second in zip(points, points[1:])
    )
    vertices = thin(np.concatenate(rows), size, tolerance)
    vertices.flags.writeable = False
    return Chain(vertices, curve.closed)


def thin(vertices: Table, size: float, tolerance: float) -> Table:
    """Return the vertices without those that lie within a tolerance of the chain of the others.

    Parameters
    ----------
    vertices : ndarray of shape (n, 6), float64
    size, tolerance
        See `chain_of`.
    """
    places = vertices * np.array([size, size, 1.0, 1.0, 1.0, 1.0])
    return vertices[kept_vertices(places, tolerance)]


def kept_vertices(places: Table, tolerance: float) -> npt.NDArray[np.bool_]:
    """Return which vertices are kept so that all others lie within a tolerance of their chain.

    Parameters
    ----------
    places : ndarray of shape (n, 6), float64
        Vertices whose x and y are in meters.
    tolerance : float
        In meters.
    """
    kept = np.zeros(len(places), np.bool_)
    kept[[0, -1]] = True
    while True:
        ends = np.flatnonzero(kept)
        owner = np.minimum(np.cumsum(kept, dtype=np.intp) - 1, len(ends) - 2)
        apart = _deviation(places, places[ends[owner]], places[ends[owner + 1]])
        most = np.maximum.reduceat(apart, ends[:-1])
        split = (apart > tolerance) & (apart == most[owner]) & ~kept
        if not split.any():
            return kept
        kept |= split


def _deviation(points: Table, first: Table, second: Table) -> Table:
    """Return how far vertices lie from chords, in meters: in space, in half widths, and at the edges of the bed."""
    chord, to_point = second - first, points - first
    squares = chord * chord
    length = squares[:, X] + squares[:, Y] + squares[:, Z]
    dots = to_point * chord
    share = (dots[:, X] + dots[:, Y] + dots[:, Z]) / np.where(length > 0.0, length, 1.0)
    share = np.clip(share, 0.0, 1.0)
    rest = to_point - share[:, np.newaxis] * chord
    rest *= rest
    apart = np.sqrt(rest[:, X] + rest[:, Y] + rest[:, Z])
    edge = np.sqrt(rest[:, TILT]) * points[:, HALF]
    rough = np.sqrt(rest[:, ROUGH]) * points[:, HALF]
    apart = np.maximum(apart, np.sqrt(rest[:, HALF]))
    most: Table = np.maximum(apart, np.maximum(edge, rough))
    return most


def _row(point: CurvePoint) -> Table:
    tilt = math.tan(math.radians(point.tilt))
    return np.array([*point.at, point.z, 0.5 * point.width, tilt, point.roughness])


def _between(first: CurvePoint, second: CurvePoint, size: float, tolerance: float) -> Table:
    """Return the vertices after a point, up to the next one and with it."""
    rows = np.stack((_row(first), _row(second)))
    if first.right is None and second.left is None:
        return rows[1:]
    net = np.empty((4, 3))
    net[0], net[3] = rows[0, : Z + 1], rows[1, : Z + 1]
    net[1] = _handle(first.right, net[0], net[3])
    net[2] = _handle(second.left, net[3], net[0])
    bends = (net[:-2] - 2.0 * net[1:-1] + net[2:]) * np.array([size, size, 1.0])
    bend = math.sqrt(max(float((row * row).sum()) for row in bends))
    # A chord of a curve with second derivative B lies within B / 8 times its share squared.
    count = min(math.ceil(math.sqrt(0.75 * bend / tolerance)) or 1, _MOST_PARTS)
    share = (np.arange(1, count + 1, dtype=np.float64) / count)[:, np.newaxis]
    rest = 1.0 - share
    vertices: Table = rows[0] + share * (rows[1] - rows[0])
    cubic = rest * rest * rest * net[0] + 3.0 * rest * rest * share * net[1]
    cubic += 3.0 * rest * share * share * net[2] + share * share * share * net[3]
    vertices[:, : Z + 1] = cubic
    vertices[-1] = rows[1]
    return vertices


def _handle(handle: tuple[float, ...] | None, near: Table, far: Table) -> Table:
    """Return a handle with its height; a missing one lies a third of the way to the next point."""
    third = near + (far - near) / 3.0
    if handle is not None:
        third[: len(handle)] = handle
    return third


@dataclass(frozen=True, eq=False)
class Pieces:
    """Straight pieces of several chains, in an order that does not depend on that of the curves.

    Attributes
    ----------
    start, stop : ndarray of shape (n, 6), float64
        See `X` to `ROUGH`.
    """

    start: Table
    stop: Table

    @property
    def count(self) -> int:
        """How many."""
        return len(self.start)

    @classmethod
    def of(
        cls, chains: Iterable[Chain], kept: Sequence[npt.NDArray[np.bool_]] = (), width: int = 6
    ) -> Pieces:
        """Return the pieces of chains, whose tables have so many columns, or those that are `kept`, one flag each."""
        starts, stops = [np.empty((0, width))], [np.empty((0, width))]
        for number, chain in enumerate(chains):
            flags = kept[number] if kept else slice(None)
            starts.append(chain.vertices[:-1][flags])
            stops.append(chain.vertices[1:][flags])
        start, stop = np.concatenate(starts), np.concatenate(stops)
        order = np.lexsort((*stop.T, *start.T))
        return cls(start[order], stop[order])
