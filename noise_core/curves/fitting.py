# SPDX-License-Identifier: GPL-3.0-or-later
"""Lines drawn by hand as curves of few points: polylines, and Bezier curves that are smooth but at corners.

References
----------
Philip J. Schneider (1990). An algorithm for automatically fitting digitized curves. In: A. Glassner (ed.),
Graphics Gems. Academic Press.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .chains import Table, kept_vertices

_ROUNDS = 4
"""Corrections of the parameters before a piece is divided."""

_WORTH_CORRECTING = 3.0
"""Tolerances within which corrections may still be enough."""

_CORNER = math.cos(math.radians(55.0))
"""Cosine of the least turn at a corner."""

_ARM = 6.0
"""Length of the two arms between which a turn is measured, in tolerances."""

_REACH = 1.5
"""Length to both sides along which a direction is measured, in tolerances."""


def fit_polyline(line: Table, tolerance: float, *, closed: bool = False) -> Table:
    """Return some points of a line from which it deviates by a tolerance at most in the plane.

    Parameters
    ----------
    line : ndarray of shape (n, 3), float64
        Drawn points in meters, at least two in different places.
    tolerance : float
        In meters, above 0.
    closed : bool
        Whether the last point is joined to the first, which is then not repeated.

    Returns
    -------
    ndarray of shape (m, 3), float64

    Examples
    --------
    >>> import numpy as np
    >>> from noise_core.curves.fitting import fit_polyline
    >>> drawn = np.array([(0.0, 0.0, 5.0), (10.0, 0.1, 6.0), (20.0, 0.0, 7.0), (20.0, 30.0, 7.0)])
    >>> fit_polyline(drawn, 1.0).tolist()
    [[0.0, 0.0, 5.0], [20.0, 0.0, 7.0], [20.0, 30.0, 7.0]]
    """
    whole = _without_repeats(line, closed)
    points = whole[kept_vertices(_flat(whole), tolerance)]
    return points[:-1] if closed else points


def fit_bezier(line: Table, tolerance: float, *, closed: bool = False) -> Table:
    """Return a Bezier curve that passes a drawn line within a tolerance in the plane.

    Parameters
    ----------
    line, tolerance, closed
        See `fit_polyline`.

    Returns
    -------
    ndarray of shape (3, m, 3), float64
        Points, handles before them and handles after them. Heights of the handles are linear.

    Examples
    --------
    >>> import numpy as np
    >>> from noise_core.curves.fitting import fit_bezier
    >>> turn = np.linspace(0.0, 0.5 * np.pi, 40)
    >>> arc = np.stack((100.0 * np.cos(turn), 100.0 * np.sin(turn), 0.0 * turn), axis=1)
    >>> points, before, after = fit_bezier(arc, 0.5)
    >>> points.round(6).tolist(), bool(abs(after[0, 1] - 55.2) < 1.0)
    ([[100.0, 0.0, 0.0], [0.0, 100.0, 0.0]], True)
    """
    whole = _without_repeats(line, closed)
    plane = whole[:, :2]
    corners = _find_corners(plane, tolerance)
    tangents = {}
    if closed and not _is_corner_at_seam(plane, tolerance):
        rolled, middle = _roll(plane)
        seam = _FittedLine.of(rolled, tolerance).direction(middle)
        tangents = {0: seam, len(plane) - 1: -seam}
    knots, handles = [0], []
    for first, last in zip(corners, corners[1:]):
        part = _FittedLine.of(plane[first : last + 1], tolerance)
        begin = tangents.get(first, part.direction(0))
        end = tangents.get(last, -part.direction(last - first))
        for count, net in _fit(part, begin, end, tolerance):
            knots.append(knots[-1] + count)
            handles.append(net[1:3])
    return _join(whole[knots], np.array(handles), closed)


def _join(knots: Table, handles: Table, closed: bool) -> Table:
    """Return knots with the handles of the pieces between them: shape (3, m, 3)."""
    before, after = knots.copy(), knots.copy()
    third = np.diff(knots, axis=0) / 3.0
    after[:-1] += third
    before[1:] -= third
    after[:-1, :2], before[1:, :2] = handles[:, 0], handles[:, 1]
    if closed:
        before[0] = before[-1]
        return np.stack((knots, before, after))[:, :-1]
    before[0], after[-1] = 2.0 * knots[0] - after[0], 2.0 * knots[-1] - before[-1]
    return np.stack((knots, before, after))


def _without_repeats(line: Table, closed: bool) -> Table:
    """Return a line without points that lie where the one before lies; a closed one ends where it begins."""
    whole = np.concatenate((line, line[:1])) if closed else line
    moves = (whole[1:, :2] != whole[:-1, :2]).any(axis=1)
    return whole[np.concatenate(([True], moves))]


def _flat(line: Table) -> Table:
    """Return the vertices of a line in the plane, as `kept_vertices` takes them."""
    vertices = np.zeros((len(line), 6))
    vertices[:, :2] = line[:, :2]
    return vertices


def _unit(vector: Table) -> Table:
    """Return a vector of length 1, or of length 0 if it has none."""
    length = float(np.sqrt((vector * vector).sum()))
    return vector / length if length else vector


@dataclass(frozen=True, eq=False)
class _FittedLine:
    """Part of a drawn line between two corners.

    Attributes
    ----------
    places : ndarray of shape (n, 2), float64
    along : ndarray of shape (n,), float64
        Length up to each point.
    reach : float
        Length before and after a point along which its direction is measured, so that the jitter of a hand does not count.
    """

    places: Table
    along: Table
    reach: float

    @classmethod
    def of(cls, places: Table, tolerance: float) -> _FittedLine:
        return cls(places, _lengths(places), _REACH * tolerance)

    def direction(self, place: int) -> Table:
        """Return the direction of the line at one of its points."""
        here = self.along[place]
        ends = np.array([here - self.reach, here + self.reach])
        first, last = _at(self.places, self.along, ends)
        is_there = bool((first != last).any())
        low, high = (first, last) if is_there else (self.places[0], self.places[-1])
        return _unit(high - low)


def _lengths(places: Table) -> Table:
    """Return the length of a line up to each of its points."""
    steps = np.diff(places, axis=0)
    return np.concatenate(
        ([0.0], np.cumsum(np.sqrt((steps * steps).sum(axis=1)), dtype=np.float64))
    )


def _roll(plane: Table) -> tuple[Table, int]:
    """Return a closed line that begins at its middle, and where its former beginning lies."""
    middle = len(plane) // 2
    return np.concatenate((plane[middle:-1], plane[: middle + 1])), len(plane) - 1 - middle


def _find_corners(plane: Table, tolerance: float) -> list[int]:
    """Return the first and the last point of a line, and those between at which it turns sharply."""
    along = _lengths(plane)
    arm = _ARM * tolerance
    inner = np.flatnonzero((along > arm) & (along < along[-1] - arm))
    places = along[inner]
    to_here = plane[inner] - _at(plane, along, places - arm)
    from_here = _at(plane, along, places + arm) - plane[inner]
    lengths = np.sqrt((to_here * to_here).sum(axis=1) * (from_here * from_here).sum(axis=1))
    turns = (to_here * from_here).sum(axis=1) / np.where(lengths > 0.0, lengths, 1.0)
    corners = [0]
    for place in np.argsort(turns, kind="stable"):
        is_apart = all(abs(along[inner[place]] - along[other]) > arm for other in corners[1:])
        if turns[place] < _CORNER and is_apart:
            corners.append(int(inner[place]))
    return [*sorted(corners), len(plane) - 1]


def _is_corner_at_seam(plane: Table, tolerance: float) -> bool:
    """Return whether a closed line turns sharply where it begins."""
    rolled, seam = _roll(plane)
    return any(abs(place - seam) <= 1 for place in _find_corners(rolled, tolerance)[1:-1])


def _at(plane: Table, along: Table, places: Table) -> Table:
    """Return points of a line at some lengths along it."""
    return np.stack([np.interp(places, along, plane[:, axis]) for axis in (0, 1)], axis=1)


def _fit(
    line: _FittedLine, begin: Table, end: Table, tolerance: float
) -> Sequence[tuple[int, Table]]:
    """Return cubic pieces that follow a line, each with how many points of the line it passes by."""
    pieces: list[tuple[int, Table]] = []
    waiting = [(0, len(line.places) - 1, begin, end)]
    while waiting:
        first, last, begin, end = waiting.pop()
        part = line.places[first : last + 1]
        net, worst, apart = _fit_piece(part, begin, end, tolerance)
        if apart <= tolerance or len(part) <= 2:
            pieces.append((last - first, net))
            continue
        middle = first + worst
        across = line.direction(middle)
        waiting.append((middle, last, across, end))
        waiting.append((first, middle, begin, -across))
    return pieces


def _fit_piece(line: Table, begin: Table, end: Table, tolerance: float) -> tuple[Table, int, float]:
    """Return the control points of a cubic along a line, the point farthest from it, and how far that is."""
    share = _lengths(line)
    share /= share[-1]
    net = _solve(line, share, begin, end)
    worst, apart = _farthest(line, share, net)
    for _ in range(_ROUNDS):
        if apart <= tolerance or apart > _WORTH_CORRECTING * tolerance:
            break
        share = _correct(line, share, net)
        net = _solve(line, share, begin, end)
        worst, apart = _farthest(line, share, net)
    return net, worst, apart


def _weights(share: Table) -> Table:
    """Return the four Bernstein weights at parameters: shape (4, n)."""
    rest = 1.0 - share
    return np.stack(
        (
            rest * rest * rest,
            3.0 * rest * rest * share,
            3.0 * rest * share * share,
            share * share * share,
        )
    )


def _points(weights: Table, net: Table) -> Table:
    """Return the points of a curve; added up one after the other, so that bits are the same."""
    points: Table = sum(weight[:, np.newaxis] * corner for weight, corner in zip(weights, net))
    return points


def _solve(line: Table, share: Table, begin: Table, end: Table) -> Table:
    """Return the cubic of given tangents at its ends that is nearest to a line by least squares."""
    weights, first, last = _weights(share), line[0], line[-1]
    rest = line - (weights[0] + weights[1])[:, np.newaxis] * first
    rest = rest - (weights[2] + weights[3])[:, np.newaxis] * last
    left, right = (weights[1][:, np.newaxis] * begin, weights[2][:, np.newaxis] * end)
    a, b, c = ((p * q).sum() for p, q in ((left, left), (left, right), (right, right)))
    x, y = (left * rest).sum(), (right * rest).sum()
    span = float(np.sqrt(((last - first) * (last - first)).sum()))
    determinant = float(a * c - b * b)
    lengths = [span / 3.0] * 2
    if determinant > 1e-12 * float(a * c):
        solved = [float(x * c - y * b) / determinant, float(a * y - b * x) / determinant]
        if min(solved) > 1e-6 * span:
            lengths = solved
    return np.stack((first, first + lengths[0] * begin, last + lengths[1] * end, last))


def _farthest(line: Table, share: Table, net: Table) -> tuple[int, float]:
    """Return the inner point of a line that is farthest from a cubic, and how far it is."""
    apart = _points(_weights(share), net) - line
    squares = (apart * apart).sum(axis=1)
    if len(line) <= 2:
        return 0, 0.0
    worst = 1 + int(np.argmax(squares[1:-1]))
    return worst, math.sqrt(float(squares[worst]))


def _correct(line: Table, share: Table, net: Table) -> Table:
    """Return parameters whose points on a cubic lie nearer to those of a line, by one step of Newton's method."""
    first, second = 3.0 * np.diff(net, axis=0), 6.0 * np.diff(net, n=2, axis=0)
    rest = 1.0 - share
    apart = _points(_weights(share), net) - line
    slope = _points(np.stack((rest * rest, 2.0 * rest * share, share * share)), first)
    bend = _points(np.stack((rest, share)), second)
    above = (apart * slope).sum(axis=1)
    below = (slope * slope).sum(axis=1) + (apart * bend).sum(axis=1)
    moved = share - np.where(below > 0.0, above / np.where(below > 0.0, below, 1.0), 0.0)
    return np.maximum.accumulate(np.clip(moved, 0.0, 1.0))
