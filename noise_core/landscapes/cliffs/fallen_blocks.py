# SPDX-License-Identifier: GPL-3.0-or-later
"""Blocks of rock that have fallen from cliffs, on the ground below them.

Few are large: the number of blocks above a size falls with a power of it, as of rockfalls (Malamud and
others, Landslide Inventories and Their Statistical Properties, 2004).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ...base.arrays import Field
from ...lattice.hash import hash_indices
from .cutting import Flags, Numbers, Reals

_SMALLEST, _POWER = 0.09, 1.0 / 1.9
"""Radius of the smallest blocks in cells, and the power of sizes by chance."""

_LARGEST = 0.40
"""Radius of the largest, in cells: none reaches a neighbor's cell."""

_LOOSEST = 1.0
"""Tangent of the slope on which blocks come to rest, at most."""

_REACH = 5
"""Cells from a cliff to where its blocks roll."""

_CUBE = np.array([(x, y, z) for z in (-1, 1) for y in (-1, 1) for x in (-1, 1)], np.float64)
_FACES = np.array(
    ((0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (1, 3, 7, 5), (3, 2, 6, 7), (2, 0, 4, 6)), np.int64
)
"""Corners of a cube, and its faces, anticlockwise from outside."""


def resting_cells(
    height: Field, cell: float, steep: Flags, taken: Flags, share: float, seed: int
) -> Numbers:
    """Return the numbers of the cells in which a block lies, below steep ground and outside its finer mesh.

    Parameters
    ----------
    height : ndarray of shape (rows, columns), float32
    cell : float
    steep, taken : ndarray of shape (rows - 1, columns - 1), bool
        Steep cells, and all cells in which no block may lie, such as those that cliffs replace.
    share : float
        Of the ground close to the foot.
    seed : int
    """
    middle = 0.25 * (height[:-1, :-1] + height[1:, :-1] + height[:-1, 1:] + height[1:, 1:]).astype(
        np.float64
    )
    foot = np.where(steep, middle, np.inf)
    near = np.zeros(steep.shape, np.float64)
    for step in range(1, _REACH + 1):
        # The lowest cliff around, one cell farther: blocks lie below it.
        foot = _lowest_around(foot)
        is_new = (near == 0.0) & np.isfinite(foot) & (foot > middle + 0.3 * cell)
        near[is_new] = 1.0 - (step - 1) / _REACH
    along, across = np.gradient(middle, cell)
    slope = np.sqrt(along * along + across * across)
    row, column = np.indices(steep.shape, np.int32)
    chance = _chance((np.asarray(row), np.asarray(column)), seed)
    return np.flatnonzero(~taken & (slope < _LOOSEST) & (chance < share * near * near))


def blocks_on(height: Field, cell: float, numbers: Numbers, seed: int) -> tuple[Reals, Numbers]:
    """Return vertices and quads of a block in each of some cells; places in meters from the first sample.

    Returns
    -------
    ndarray of shape (8 * blocks, 3), float64; ndarray of shape (6 * blocks, 4), int64
    """
    columns = height.shape[1] - 1
    row, column = np.divmod(numbers, columns)
    index = (row.astype(np.int32), column.astype(np.int32))
    size, x, y, sine, squat, lean = (_chance(index, seed + 1 + part) for part in range(6))
    radius = np.minimum(_SMALLEST * np.maximum(size, 1e-6) ** -_POWER, _LARGEST)
    turn = 2.0 * sine - 1.0
    cosine = np.sqrt(1.0 - turn * turn)
    room = 0.5 - radius
    places = np.stack((0.5 + (2.0 * x - 1.0) * room, 0.5 + (2.0 * y - 1.0) * room), axis=-1)
    jitter = np.stack(
        [
            _chance(
                (
                    *(np.repeat(part, 8) for part in index),
                    np.tile(np.arange(8, dtype=np.int32), len(row)),
                ),
                seed + 9 + axis,
            )
            for axis in range(3)
        ],
        axis=-1,
    ).reshape(-1, 8, 3)
    shape = (
        _CUBE
        * (0.56 + 0.30 * (jitter - 0.5))
        * np.stack((np.ones_like(squat), 0.6 + 0.4 * lean, 0.5 + 0.5 * squat), axis=-1)[
            :, np.newaxis
        ]
    )
    flat_x = shape[..., 0] * cosine[:, np.newaxis] - shape[..., 1] * turn[:, np.newaxis]
    flat_y = shape[..., 0] * turn[:, np.newaxis] + shape[..., 1] * cosine[:, np.newaxis]
    lifted = shape[..., 2] + (lean[:, np.newaxis] - 0.5) * 0.5 * flat_x
    corners = np.stack((flat_x, flat_y, lifted), axis=-1) * radius[:, np.newaxis, np.newaxis]
    ground = _ground(height, row, column, places)
    base = np.stack((column + places[:, 0], row + places[:, 1]), axis=-1)
    vertices = np.empty((len(row), 8, 3), np.float64)
    vertices[..., :2] = (base[:, np.newaxis] + corners[..., :2]) * cell
    vertices[..., 2] = (
        ground[:, np.newaxis] + (corners[..., 2] + 0.18 * radius[:, np.newaxis]) * cell
    )
    faces = _FACES + 8 * np.arange(len(row), dtype=np.int64)[:, np.newaxis, np.newaxis]
    return vertices.reshape(-1, 3), faces.reshape(-1, 4)


def _ground(height: Field, row: Numbers, column: Numbers, places: Reals) -> Reals:
    """Return the height of the triangle at a place in a cell."""
    u, v = places[:, 0], places[:, 1]
    corner = [
        height[row + up, column + right].astype(np.float64)
        for up, right in ((0, 0), (0, 1), (1, 1), (1, 0))
    ]
    lower = corner[0] + u * (corner[1] - corner[0]) + v * (corner[2] - corner[1])
    upper = corner[0] + u * (corner[2] - corner[3]) + v * (corner[3] - corner[0])
    result: Reals = np.where(u >= v, lower, upper)
    return result


def _lowest_around(values: Reals) -> Reals:
    padded = np.pad(values, 1, constant_values=np.inf)
    rows = np.minimum(np.minimum(padded[:-2], padded[2:]), padded[1:-1])
    result: Reals = np.minimum(np.minimum(rows[:, :-2], rows[:, 2:]), rows[:, 1:-1])
    return result


def _chance(indices: tuple[npt.NDArray[np.int32], ...], seed: int) -> Reals:
    hashed = hash_indices(indices, seed & 0xFFFFFFFF)
    result: Reals = (hashed >> np.uint32(8)).astype(np.float64) * 2.0**-24
    return result
