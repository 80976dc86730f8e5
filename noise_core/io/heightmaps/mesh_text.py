# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes as text of USD: three lists, a line for each row of samples or of cells, and one for each material.

Points come row by row from the south-west. Each cell is cut from its south-west to its north-east
corner, as MuJoCo cuts height fields; both triangles turn counterclockwise as seen from above.

References
----------
Pixar. Universal Scene Description: the .usda file format; schemas UsdGeomMesh, UsdGeomSubset.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from ...base import blocks
from ...materials.ground.ground_cover import GroundCover
from ..targets.bases.mesh_text import MeshText
from .stored_field import StoredField

_COUNTS = "        int[] faceVertexCounts = ["
_INDICES = "        int[] faceVertexIndices = ["
_POINTS = "        point3f[] points = ["
_SUBSET = "        def GeomSubset "
"""Begins what the file says of a subset; see `MeshText.subsets`."""
_TRIANGLES = "            int[] indices = ["
_SUBSET_TAIL = "        }\n"
_TAIL = "    }\n}\n"
"""Ends the mesh, and what it is part of."""

_NINE = "%.9g"
"""So many digits tell every 32-bit float from its neighbors."""


def write_mesh(field: StoredField, more: MeshText) -> Iterator[bytes]:
    """Yield the text of a mesh.

    Parameters
    ----------
    field : StoredField
        Heights in meters, row 0 in the south.
    more : MeshText
        Text before the lists, and the places of the samples.
    """
    rows, columns, _ = field.shape
    yield more.head.encode()
    triangles = ", ".join(["3"] * (2 * (columns - 1)))
    yield from _list(_COUNTS, (triangles for _ in range(rows - 1)))
    yield from _list(_INDICES, (_cells(row, columns) for row in range(rows - 1)))
    if more.cover is None:
        yield from _list(_POINTS, _points(field, more), _TAIL)
        return
    yield from _list(_POINTS, _points(field, more))
    for place, head in enumerate(more.subsets):
        yield from _subset(head, _triangles(more.cover, place))
    yield _TAIL.encode()


def _list(begin: str, lines: Iterable[str], end: str = "") -> Iterator[bytes]:
    yield f"{begin}\n".encode()
    for line in lines:
        blocks.checkpoint()
        yield f"{line},\n".encode()
    yield f"{_end_of(begin)}{end}".encode()


def _end_of(begin: str) -> str:
    """Return the line that ends a list."""
    return " " * (len(begin) - len(begin.lstrip())) + "]\n"


def _subset(head: str, lines: Iterator[str]) -> Iterator[bytes]:
    """Yield a subset; nothing if it has no triangles."""
    first = next(lines, None)
    if first is not None:
        yield head.encode()
        yield from _list(_TRIANGLES, itertools.chain([first], lines), _SUBSET_TAIL)


def _triangles(cover: GroundCover, material: int) -> Iterator[str]:
    """Yield the numbers of a material's triangles, a line for each row of cells that has some."""
    rows, columns = cover.top.shape
    for row in range(rows - 1):
        numbers = np.flatnonzero(cover.triangles(row) == material)
        if len(numbers):
            yield ", ".join(map(str, (numbers + 2 * (columns - 1) * row).tolist()))


def _cells(row: int, columns: int) -> str:
    """Return the corners of two triangles for each cell of a row."""
    south = np.arange(row * columns, (row + 1) * columns - 1, dtype=np.int64)
    north = south + columns
    corners = np.stack((south, south + 1, north + 1, south, north + 1, north), axis=-1)
    return ", ".join(map(str, corners.ravel().tolist()))


def _points(field: StoredField, more: MeshText) -> Iterator[str]:
    rows, columns, _ = field.shape
    x = _positions(columns, more.spacing, more.center[0])
    form = ", ".join(f"({place}, {{0}}, {_NINE})" for place in x)
    for row, y in enumerate(_positions(rows, more.spacing, more.center[1])):
        heights = field[row : row + 1].ravel()
        yield form.replace("{0}", y) % tuple(heights.tolist())


def _positions(count: int, spacing: float, middle: float) -> list[str]:
    return [
        _NINE % float(np.float32(middle + (place - 0.5 * (count - 1)) * spacing))
        for place in range(count)
    ]


def read_mesh(
    file: BinaryIO, shape: tuple[int, int, int], number: str
) -> Iterator[npt.NDArray[Any]]:
    """Yield the heights of a mesh, row by row, and check its triangles and the places of its points.

    Parameters
    ----------
    file : file
        Open for reading, at its beginning.
    shape : tuple of ints
        Rows, columns and 1.
    number : str
        Type of the heights.

    Raises
    ------
    ValueError
        If it is something else.
    """
    rows, columns, _ = shape
    if not file.readline().startswith(b"#usda 1.0"):
        raise ValueError("it does not begin as a text of USD does")
    for line in _lines(file, _COUNTS, rows - 1):
        if line.count(b"3") != 2 * (columns - 1) or line.strip(b" 3,\n"):
            raise ValueError("a row has other faces than two triangles a cell")
    for row, line in enumerate(_lines(file, _INDICES, rows - 1)):
        _check_cells(_numbers(line, np.int64).reshape(columns - 1, 2, 3), row, columns)
    across = None
    last = -np.inf
    for line in _lines(file, _POINTS, rows):
        points = _numbers(line, np.float64).reshape(columns, 3)
        x, y = points[:, 0], points[:, 1]
        across = x.copy() if across is None else across
        if (x != across).any() or (np.diff(x) <= 0.0).any() or (y != y[0]).any() or y[0] <= last:
            raise ValueError("its points are no grid that rises to the east and to the north")
        last = y[0]
        yield points[np.newaxis, :, 2:].astype(number)
    rest_of_file = _check_subsets(file, 2 * (rows - 1) * (columns - 1))
    if rest_of_file + file.read() != _TAIL.encode():
        raise ValueError("it goes on after the last point")


def _check_subsets(file: BinaryIO, count: int) -> bytes:
    """Return the line after all subsets; raise a ValueError unless they have each triangle once, or are none."""
    missing = np.ones(count, np.bool_)
    line = file.readline()
    while line.startswith(_SUBSET.encode()):
        for numbers in _lines(file, _TRIANGLES):
            indices = _numbers(numbers, np.int64)
            if not (0 <= indices.min(initial=0) and indices.max(initial=0) < count):
                raise ValueError("a subset has triangles that the mesh does not have")
            if (np.diff(indices) <= 0).any() or not missing[indices].all():
                raise ValueError("a triangle is in two subsets")
            missing[indices] = False
        if file.readline() != _SUBSET_TAIL.encode():
            raise ValueError("a subset goes on after its triangles")
        line = file.readline()
    if 0 < missing.sum() < count:
        raise ValueError(f"{missing.sum()} triangles are in no subset")
    return line


def _lines(file: BinaryIO, begin: str, count: int | None = None) -> Iterator[bytes]:
    """Yield the lines of a list, as many as it has to have; without a number all of them."""
    expected = f"{begin}\n".encode()
    for line in file:
        if line == expected:
            break
    else:
        raise ValueError(f"it has no {begin.split()[1]}")
    end = _end_of(begin).encode()
    lines = iter(file.readline, end) if count is None else (file.readline() for _ in range(count))
    for line in lines:
        blocks.checkpoint()
        if not line:
            raise ValueError(f"its {begin.split()[1]} do not end")
        yield line
    if count is not None and file.readline() != end:
        raise ValueError(f"its {begin.split()[1]} do not end where they should")


def _numbers(line: bytes, kind: type[Any]) -> npt.NDArray[Any]:
    return np.array(line.translate(None, b"(),").split(), dtype="S").astype(kind)


def _check_cells(corners: npt.NDArray[np.int64], row: int, columns: int) -> None:
    """Raise a ValueError unless the triangles of a row are those that `write_mesh` promises."""
    first = row * columns + np.arange(columns - 1, dtype=np.int64)[:, np.newaxis]
    below = corners[:, 0] == first + np.array([0, 1, columns + 1], np.int64)
    above = corners[:, 1] == first + np.array([0, columns + 1, columns], np.int64)
    if not (below.all() and above.all()):
        raise ValueError(f"its triangles do not cover the cells of row {row}")
