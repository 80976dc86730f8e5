# SPDX-License-Identifier: GPL-3.0-or-later
"""Steepest descent from every cell, over flat ground too."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ..base.arrays import Field, Hash
from ..base.blocks import checkpoint
from ..rasters.level import Level
from .directions import (
    ACROSS_EDGES,
    CELLS_PER_BLOCK,
    OFFSETS,
    Cells,
    Directions,
    add_rim,
    distances,
    neighbor,
    row_blocks,
)


@dataclass(frozen=True)
class FlowRandomness:
    """Random weights of the directions of descent, different in every cell.

    Without them rivers run along the eight directions of the grid, one beside the other. Unlike
    those of Fairfield & Leymarie 1991 they let water leave a slope along the grid, too.

    Attributes
    ----------
    seed : int
        Unsigned, 32 bits.
    amount : float
        0 makes all weights 1; with 1 they go down to a sixteenth.
    """

    seed: int
    amount: float

    def bits(self, level: Level, start: int, stop: int) -> Hash:
        """Return four random bits per direction for the cells of some rows."""
        return level.random_bits(start, stop, self.seed)

    def weights(self, bits: Hash, direction: int) -> Field:
        """Return the weights of the drops in one direction, float32."""
        # Bits that stay in their place count as so many times more, which the factor makes up for. Only the highest
        # four are moved, because signed numbers convert faster.
        place = 4 * (direction - 1) if direction < 8 else 0
        chance = (bits if direction < 8 else bits >> np.uint32(28)) & np.uint32(15 << place)
        weights = chance.view(np.int32).astype(np.float32)
        weights *= np.float32(math.ldexp(-self.amount, -4 - place))
        weights += np.float32(1.0)
        return weights


def steepest(
    height: Field,
    level: Level,
    randomness: FlowRandomness | None = None,
    *,
    on_triangles: bool = False,
) -> Directions:
    """Return the direction of each cell's steepest descent (D8; O'Callaghan & Mark 1984).

    Parameters
    ----------
    height : ndarray of shape (rows, columns), float32
        In meters.
    level : Level
        Of that shape.
    randomness : FlowRandomness, optional
        Makes the choice less strict.
    on_triangles : bool
        Whether water runs along the edges of a mesh of triangles only: six neighbors.

    A cell without a lower neighbor drains to an equally high one with a smaller number, so that a
    plain has few ends instead of one per cell; one without any has direction 0.

    Examples
    --------
    >>> import numpy as np
    >>> from noise_core import Grid
    >>> from noise_core.flow_routing.descent import steepest
    >>> from noise_core.rasters.level import Level
    >>> ramp = np.tile(np.arange(4, dtype=np.float32)[::-1], (3, 1))
    >>> directions = steepest(ramp, Level.from_grid(Grid(3, 4, size=30.0)))
    >>> directions.shape, bool((directions[1, :3] == directions[1, 0]).all())
    ((3, 4), True)
    """
    rim = add_rim(height, level.wrap, np.inf)
    slopes = list(_relative_slopes(level))
    for direction in ACROSS_EDGES if on_triangles else ():
        slopes[direction - 1] = 0.0
    directions = np.zeros(level.shape, np.uint8)
    buffers = _Buffers(max(CELLS_PER_BLOCK, level.columns))
    for start, stop in row_blocks(level.shape):
        checkpoint()
        weights = None
        if randomness is not None:
            weights = functools.partial(randomness.weights, randomness.bits(level, start, stop))
        _descend(rim, slopes, weights, start, stop, directions[start:stop], buffers)
    _drain_flats(rim, height, directions, level, ACROSS_EDGES if on_triangles else ())
    return directions


class _Buffers:
    """Scratch memory of one block."""

    def __init__(self, cells: int) -> None:
        self.drop = np.empty(cells, np.float32)
        self.best = np.empty(cells, np.float32)
        self.is_steeper = np.empty(cells, np.bool_)


def _relative_slopes(level: Level) -> tuple[float, ...]:
    """Return the factor of a drop to each neighbor; only ratios matter."""
    nearest = min(level.step_x, level.step_y)
    return tuple(nearest / distance for distance in distances(level))


def _descend(
    rim: Field,
    slopes: Sequence[float],
    weights: Callable[[int], Field] | None,
    start: int,
    stop: int,
    out: Directions,
    buffers: _Buffers,
) -> None:
    shape = out.shape
    drop, best, is_steeper = (
        buffer[: out.size].reshape(shape)
        for buffer in (buffers.drop, buffers.best, buffers.is_steeper)
    )
    # The direction is kept without a select, which costs many times an addition: it only rises.
    marks = is_steeper.view(np.uint8)
    center = rim[start + 1 : stop + 1, 1:-1]
    best.fill(0.0)
    for direction, slope in enumerate(slopes, 1):
        if slope == 0.0:
            continue
        np.subtract(center, neighbor(rim, direction, start, stop), out=drop)
        if slope != 1.0:
            drop *= np.float32(slope)
        if weights is not None:
            drop *= weights(direction)
        np.greater(drop, best, out=is_steeper)
        np.maximum(best, drop, out=best)
        np.multiply(marks, np.uint8(direction), out=marks)
        np.maximum(out, marks, out=out)


def _drain_flats(
    rim: Field, height: Field, directions: Directions, level: Level, closed: Sequence[int]
) -> None:
    """Route cells that have equally high neighbors, but no lower one, out of the flat."""
    cells = np.flatnonzero(directions.reshape(-1) == 0)
    row, column = np.divmod(cells, level.columns)
    ground = height.reshape(-1)[cells]
    codes = np.zeros(len(cells), np.uint8)
    repeats = level.torus
    for direction, (dr, dc) in enumerate(OFFSETS, 1):
        if repeats is None and (dr, dc) > (0, 0):
            break  # numbers only rise from here on
        if direction in closed:
            continue
        neighbor = rim[row + 1 + dr, column + 1 + dc]
        is_way = neighbor == ground
        if repeats is not None:
            is_way &= _number(level, row + dr, column + dc) < _number(level, row, column)
        np.maximum(codes, is_way * np.uint8(direction), out=codes)
    directions.reshape(-1)[cells] = codes


def _number(level: Level, row: Cells, column: Cells) -> Cells:
    """Return the numbers of cells in the whole of a level that repeats."""
    row, column = level.numbers(row, column)
    number: Cells = row * level.whole_shape[1] + column
    return number
