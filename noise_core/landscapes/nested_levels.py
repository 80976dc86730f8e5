# SPDX-License-Identifier: GPL-3.0-or-later
"""Land at full detail within a window, in rings of falling detail around it, and coarse to its borders.

Each level is a grid with a hole in which the finer one lies (Losasso & Hoppe, Geometry Clipmaps: Terrain
Rendering Using Nested Regular Grids, 2004). Between the border of the finer grid and that of the hole is
a strip of triangles which has an edge at each edge of both, so that no vertex lies within an edge.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..base.arrays import Field
from ..base.errors import Message, ParameterError
from ..rasters import strips, taps

Places = npt.NDArray[np.float64]

Numbers = npt.NDArray[np.int32]

STEPS = (2.0, 4.0, 8.0)
"""Samples from vertex to vertex of the rings."""

_THICK = 8
"""Parts of the window's width that a ring has cells across it."""

Ends = tuple[int, int]
"""Numbers of the first and the last of some rows or columns."""


@dataclass(frozen=True)
class GridLevel:
    """A grid, and the hole in it.

    Attributes
    ----------
    rows, columns : ndarray of shape (places,), float64
        Where its vertices lie, in samples of the land, rising.
    hole : tuple of two pairs of ints, or None
        Rows and columns of vertices at the border of the hole.
    """

    rows: Places
    columns: Places
    hole: tuple[Ends, Ends] | None = None

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of vertices, those within the hole included."""
        return len(self.rows), len(self.columns)


@dataclass(frozen=True)
class LevelMesh:
    """Faces of several levels as one surface.

    Attributes
    ----------
    used : ndarray of shape (vertices,), intp
        Which of the vertices of all levels, one level after the other and row by row, some face has.
    points : ndarray of shape (vertices, 2), float64
        Column and row of each of these, in samples of the land.
    corners : ndarray of shape (corners,), int32
        Their numbers, face by face, anticlockwise from above.
    counts : ndarray of shape (faces,), int32
        Corners of each face.
    """

    used: npt.NDArray[np.intp]
    points: Places
    corners: Numbers
    counts: Numbers


def even_places(count: int, cells: int) -> Places:
    """Return where the vertices of so many cells lie along a side of so many samples."""
    return np.linspace(0.0, count - 1.0, cells + 1)


def coarse_level(shape: tuple[int, int], samples: int) -> GridLevel:
    """Return the level that covers all of a land, with so many vertices along its longer side at most."""
    step = max((max(shape) - 1) / (samples - 1), 1.0)
    rows, columns = (even_places(count, max(round((count - 1) / step), 1)) for count in shape)
    return GridLevel(rows, columns)


def nested_levels(
    shape: tuple[int, int], coarse: GridLevel, first: tuple[int, int], size: tuple[int, int]
) -> tuple[GridLevel, ...]:
    """Return the levels around a window, from the finest to the coarse one, which gets a hole.

    Rings whose cells would be no finer than those of the coarse level are left out.

    Parameters
    ----------
    shape : tuple of two ints
        Rows and columns of the land's samples.
    coarse : GridLevel
    first, size : tuple of two ints
        First row and column of the window, and how many it has.

    Raises
    ------
    ParameterError
        If the window lies outside, or is too small.
    """
    for name, at, count, most in zip(("rows", "columns"), first, size, shape):
        if not (at >= 0 and count >= 2 and at + count <= most):
            raise ParameterError(
                "the window's {} must be two or more of 0 to {}",
                name,
                most - 1,
                got=Message("{} from {} on", count, at),
            )
    window = [np.arange(at, at + count, dtype=np.float64) for at, count in zip(first, size)]
    levels = [GridLevel(window[0], window[1])]
    thick = max(min(size) // _THICK, 1)
    step = max(coarse.rows[1], coarse.columns[1])
    for one in STEPS:
        if one < step:
            grid = GridLevel(_steps(shape[0], one), _steps(shape[1], one))
            levels.append(_surround(levels[-1], grid, one, thick))
    return (*levels, _surround(levels[-1], coarse, step, max(coarse.shape)))


def _steps(count: int, step: float) -> Places:
    """Return every so many samples along a side, and the last one."""
    places = np.arange(0.0, count - 1.0, step)
    return np.append(places, count - 1.0)


def _surround(inner: GridLevel, grid: GridLevel, step: float, thick: int) -> GridLevel:
    """Return the part of a grid of all the land that lies around a finer one, so many cells wide."""
    rows, row_hole = _cut(inner.rows, grid.rows, step, thick)
    columns, column_hole = _cut(inner.columns, grid.columns, step, thick)
    return GridLevel(rows, columns, (row_hole, column_hole))


def _cut(inner: Places, places: Places, step: float, thick: int) -> tuple[Places, Ends]:
    """Return the places along an axis around others, and which of these border the hole.

    Half a cell at least is left for the strip between: narrower, it would be steep.
    """
    room, last = 0.5 * step, len(places) - 1
    low = max(int(np.searchsorted(places, inner[0] - room, "right")) - 1, 0)
    high = min(int(np.searchsorted(places, inner[-1] + room, "left")), last)
    first, end = max(low - thick, 0), min(high + thick, last)
    return places[first : end + 1], (low - first, high - first)


def level_mesh(levels: Sequence[GridLevel]) -> LevelMesh:
    """Return the faces of levels, from the finest to the one that covers all the land.

    Parameters
    ----------
    levels : sequence of GridLevel
        Each but the first with a hole, in which the one before it lies.
    """
    numbers, count = [], 0
    for level in levels:
        rows, columns = level.shape
        numbers.append(
            np.arange(count, count + rows * columns, dtype=np.intp).reshape(rows, columns)
        )
        count += rows * columns
    quads = [_quads(level, numbers_of_level) for level, numbers_of_level in zip(levels, numbers)]
    triangles = [
        strip
        for at in range(1, len(levels))
        for strip in _strips(levels[at - 1], numbers[at - 1], levels[at], numbers[at])
    ]
    counts = [len(faces) for faces in quads], [len(faces) for faces in triangles]
    corners = np.concatenate([faces.reshape(-1) for faces in (*quads, *triangles)])
    is_used = np.zeros(count, np.bool_)
    is_used[corners] = True
    renumbered = np.cumsum(is_used, dtype=np.int32) - np.int32(1)
    points = np.concatenate([_points(level) for level in levels])
    return LevelMesh(
        np.flatnonzero(is_used),
        points[is_used],
        renumbered[corners],
        np.repeat(np.array((4, 3), np.int32), [sum(counts_of_kind) for counts_of_kind in counts]),
    )


def spread(levels: Sequence[GridLevel], values: Field) -> Field:
    """Return the values of the last level's vertices, smoothly between them, for those of all levels.

    Parameters
    ----------
    levels : sequence of GridLevel
        The last one even, and of all the land.
    values : ndarray of the last level's shape, float32

    Returns
    -------
    ndarray of shape (vertices,), float32
        In the order that `LevelMesh.used` counts; within the limits of the values.
    """
    coarse, low, high = levels[-1], values.min(), values.max()
    down, across = ((len(places) - 1) / places[-1] for places in (coarse.rows, coarse.columns))
    parts = []
    for level in levels[:-1]:
        lines = taps.interpolate(values, level.rows * down, 0)
        parts.append(np.clip(taps.interpolate(lines, level.columns * across, 1), low, high))
    return np.concatenate([part.reshape(-1) for part in (*parts, values)])


def _points(level: GridLevel) -> Places:
    columns, rows = np.meshgrid(level.columns, level.rows)
    return np.stack((columns, rows), axis=-1).reshape(-1, 2)


def _quads(level: GridLevel, numbers: npt.NDArray[np.intp]) -> npt.NDArray[np.intp]:
    """Return the cells of a level outside its hole."""
    corners = (numbers[:-1, :-1], numbers[:-1, 1:], numbers[1:, 1:], numbers[1:, :-1])
    cells = np.stack(corners, axis=-1)
    is_there = np.ones(cells.shape[:2], np.bool_)
    if level.hole is not None:
        (low, high), (left, right) = level.hole
        is_there[low:high, left:right] = False
    quads: npt.NDArray[np.intp] = cells[is_there]
    return quads


_Side = tuple[npt.NDArray[np.intp], Places, float]
"""Vertices along a side, where they lie along it, rising, and where it lies."""


def _sides(
    level: GridLevel, numbers: npt.NDArray[np.intp], rows: Ends, columns: Ends
) -> list[_Side]:
    """Return the sides of a part of a level, anticlockwise from that in the south."""
    (low, high), (left, right) = rows, columns
    part = numbers[low : high + 1, left : right + 1]
    y, x = level.rows[low : high + 1], level.columns[left : right + 1]
    return [
        (part[0], x, float(y[0])),
        (part[:, -1], y, float(x[-1])),
        (part[-1, ::-1], -x[::-1], float(y[-1])),
        (part[::-1, 0], -y[::-1], float(x[0])),
    ]


def _strips(
    inner: GridLevel,
    inner_numbers: npt.NDArray[np.intp],
    outer: GridLevel,
    outer_numbers: npt.NDArray[np.intp],
) -> Iterator[npt.NDArray[np.intp]]:
    """Yield the triangles between the border of a level and the hole around it, side by side.

    There are none where both end at the border of the land.
    """
    if outer.hole is None:
        raise ParameterError("a level around another must have a hole")
    rows, columns = inner.shape
    within = _sides(inner, inner_numbers, (0, rows - 1), (0, columns - 1))
    outer_sides = _sides(outer, outer_numbers, *outer.hole)
    for (near, near_places, near_numbers), (far, far_places, far_numbers) in zip(
        within, outer_sides
    ):
        if near_numbers != far_numbers:
            yield _strip(near, near_places, far, far_places)


def _strip(
    near: npt.NDArray[np.intp], near_places: Places, far: npt.NDArray[np.intp], far_places: Places
) -> npt.NDArray[np.intp]:
    """Return the triangles between two sides, the far one to the right."""
    is_inner, first, second = strips.strip_order(
        0.5 * (near_places[1:] + near_places[:-1]), 0.5 * (far_places[1:] + far_places[:-1])
    )
    following = np.where(
        is_inner,
        near[np.minimum(first + 1, len(near) - 1)],
        far[np.minimum(second + 1, len(far) - 1)],
    )
    triangles: npt.NDArray[np.intp] = np.stack((near[first], far[second], following), axis=1)
    return triangles
