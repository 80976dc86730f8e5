# SPDX-License-Identifier: GPL-3.0-or-later
"""Parts of a mask that hang together across tiles: see `noise_core.rasters.connected`.

Each tile tells its parts apart; those that touch across the edges of tiles are joined for the whole land, and
each tile is told which of its own have a marked sample anywhere.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from noise_core.base.arrays import Field
from noise_core.rasters import connected
from noise_core.rasters.connected import Labels
from noise_core.stages.description import Connected

from ..base.tiling import Tiling, Window
from ..tiles.engine import Engine
from ..tiles.fields import TiledField
from ..tiles.sources import Source


def find_reached(
    engine: Engine, stage: Connected, sources: Sequence[Source], result: TiledField
) -> None:
    """Write 1 where parts of a mask have a marked sample, and beside the mask; else 0.

    Parameters
    ----------
    engine : Engine
        With names of its own.
    stage : Connected
    sources : sequence of Source
    result : TiledField
    """
    tiling, inputs = result.tiling, tuple(sources)
    rims = engine.ask("label", _Label(stage, inputs), tiling.tiles)
    work = _Write(stage, inputs, result)
    engine.hand_out("reach", work, _Told, tiling.tiles, lambda: _join(rims, tiling))


@dataclasses.dataclass(frozen=True)
class _Rim:
    """Numbers of the parts along the edges of a tile, -1 beside the mask, and which are marked.

    `rows` are the first and the last row, `columns` the first and the last column.
    """

    rows: tuple[Labels, Labels]
    columns: tuple[Labels, Labels]
    has_mark: npt.NDArray[np.bool_]


@dataclasses.dataclass(frozen=True)
class _Label:
    stage: Connected
    sources: tuple[Source, ...]

    def __call__(self, tile: Window) -> _Rim:
        mask, marked = self.stage.find(*(source.read(tile) for source in self.sources))
        labels, count = connected.label_components(mask, False)
        has_mark = np.zeros(count + 1, np.bool_)
        has_mark[labels[marked]] = True
        labels[~mask] = -1
        rows = (labels[0].copy(), labels[-1].copy())
        columns = (labels[:, 0].copy(), labels[:, -1].copy())
        return _Rim(rows, columns, has_mark[:count])


@dataclasses.dataclass(frozen=True)
class _Told:
    """A tile, and which of its parts have a mark somewhere: 1, else 0."""

    tile: Window
    is_reached: npt.NDArray[np.uint8]


@dataclasses.dataclass(frozen=True)
class _Write:
    stage: Connected
    sources: tuple[Source, ...]
    result: TiledField

    def __call__(self, item: _Told) -> None:
        mask, _ = self.stage.find(*(source.read(item.tile) for source in self.sources))
        labels, _ = connected.label_components(mask, False)
        is_reached: Field = np.append(item.is_reached, np.uint8(1))[labels].astype(np.float32)
        self.result.write(item.tile, is_reached)


def _join(rims: Sequence[_Rim], tiling: Tiling) -> list[tuple[npt.NDArray[np.uint8]]]:
    """Return which parts of each tile have a mark somewhere."""
    counts = [len(rim.has_mark) for rim in rims]
    starts = np.concatenate(([0], np.cumsum(counts, dtype=np.intp)))
    across = tiling.across
    grid = [range(begin, begin + across) for begin in range(0, len(rims), across)]
    pairs = _touching([_line(rims, starts, some, "rows") for some in grid], tiling.wrap)
    turned = [range(column, len(rims), across) for column in range(across)]
    pairs += _touching([_line(rims, starts, some, "columns") for some in turned], tiling.wrap)
    ones, seconds = (np.concatenate([pair[side] for pair in pairs]) for side in (0, 1))
    roots = connected.join_runs(ones, seconds, int(starts[-1]))
    has_mark = np.zeros(len(roots), np.bool_)
    has_mark[roots[np.concatenate([rim.has_mark for rim in rims])]] = True
    is_reached = has_mark[roots].astype(np.uint8)
    return [(is_reached[begin:end],) for begin, end in zip(starts[:-1], starts[1:])]


def _line(
    rims: Sequence[_Rim], starts: Labels, some: Sequence[int], axis: str
) -> tuple[Labels, Labels]:
    """Return the numbers, in all tiles, along the first and the last line of a row of tiles."""
    first, last = (
        np.concatenate([_number(getattr(rims[tile], axis)[end], starts[tile]) for tile in some])
        for end in (0, 1)
    )
    return first, last


def _number(labels: Labels, start: int) -> Labels:
    return np.where(labels < 0, labels, labels + start)


def _touching(lines: Sequence[tuple[Labels, Labels]], wrap: bool) -> list[tuple[Labels, Labels]]:
    """Return the pairs of numbers that touch from each row of tiles to the next, corners included."""
    pairs = [(np.empty(0, np.intp), np.empty(0, np.intp))]
    count = len(lines)
    for row in range(count if wrap else count - 1):
        above, below = lines[row][1], lines[(row + 1) % count][0]
        for shift in (-1, 0, 1):
            if wrap:
                upper, lower = above, np.roll(below, shift)
            else:
                size = len(above)
                upper = above[max(shift, 0) : size + min(shift, 0)]
                lower = below[max(-shift, 0) : size + min(-shift, 0)]
            touches = (upper >= 0) & (lower >= 0) & (upper != lower)
            pairs.append((upper[touches], lower[touches]))
    return pairs
