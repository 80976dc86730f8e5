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
    Directions,
    Mask,
    add_rim,
    distances,
    neighbor,
    row_blocks,
)
from .flat_marks import Marks, mark_flats
from .flats import drain_flats

FLATS_REACH = 2
"""Cells away on which it depends whether a cell belongs to a flat: its neighbors have no lower neighbor."""


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
    outlets: Mask | None = None,
    on_triangles: bool = False,
) -> Directions:
    """Return the direction of each cell's steepest descent (D8; O'Callaghan & Mark 1984).

    Water leaves flats the shortest way, away from higher ground: see `flats`. A cell in which it ends has
    direction 0: outlets, pits, and one cell of each flat without an exit.

    Parameters
    ----------
    height : ndarray of shape (rows, columns), float32
        In meters.
    level : Level
        Of that shape.
    randomness : FlowRandomness, optional
        Makes the choice less strict.
    outlets : ndarray of shape (rows, columns), bool, optional
        Where water leaves.
    on_triangles : bool
        Whether water runs along the edges of a mesh of triangles only: six neighbors.

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
    marks = mark_descent(height, level, randomness, outlets=outlets, on_triangles=on_triangles)
    return drain_flats(marks, level, closed_ways(on_triangles))


def mark_descent(
    height: Field,
    level: Level,
    randomness: FlowRandomness | None = None,
    *,
    outlets: Mask | None = None,
    on_triangles: bool = False,
) -> Marks:
    """Return the steepest descents with the cells of flats marked; they depend on heights `FLATS_REACH` away.

    Parameters
    ----------
    height, level, randomness, outlets, on_triangles
        See `steepest`.
    """
    rim = add_rim(height, level.wrap, np.inf)
    closed = closed_ways(on_triangles)
    slopes = list(_relative_slopes(level))
    for direction in closed:
        slopes[direction - 1] = 0.0
    directions = np.zeros(level.shape, np.uint8)
    buffers = _Buffers(max(CELLS_PER_BLOCK, level.columns))
    for start, stop in row_blocks(level.shape):
        checkpoint()
        weights = None
        if randomness is not None:
            weights = functools.partial(randomness.weights, randomness.bits(level, start, stop))
        _descend(rim, slopes, weights, start, stop, directions[start:stop], buffers)
    if outlets is not None:
        directions[outlets] = 0
    if not level.wrap:  # neither lower nor higher
        rim[0] = rim[-1] = rim[:, 0] = rim[:, -1] = np.nan
    mark_flats(rim, directions, level, outlets, closed)
    return directions


def closed_ways(on_triangles: bool) -> tuple[int, ...]:
    """Return the directions in which no water runs."""
    return ACROSS_EDGES if on_triangles else ()


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
