# SPDX-License-Identifier: GPL-3.0-or-later
"""Crests moved onto drawn ridges: where to sample the ground so that its divides lie on the curves.

The offset of the crest from the curve is found along the whole curve at once (dynamic programming), as the path along
the highest ground that turns little, and spread over the ground beside it.

References
----------
R. Bellman (1957). Dynamic Programming. Princeton University Press.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ...base.arrays import Field
from ...base.blocks import checkpoint
from ...base.elementary import smooth_step
from ...curves.chains import HALF, Chain, Pieces, Table, Z
from ...curves.survey import Placed, survey, survey_parts
from ...rasters import pyramid
from ...rasters.level import Level
from ...rasters.smoothing import smooth
from .places import LevelFrame, read, stations

_STATION = 1.0 / 512.0
"""Widths of the land from one station of a ridge to the next."""

_ACROSS = 24
"""Offsets to both sides that are compared, each half as far as stations are apart."""

_SPREAD = 24
"""Distances of stations over which an offset fades out."""

_FAR = 1.0
"""Tiles beyond the land up to which a ridge is followed."""

_ROUNDS = 2

_STRAIGHT = 0.15
"""Rise over run by which a crest has to be higher to be worth another sample of offset."""

_FRACTION = float(1 << 20)
"""Parts of a sample to which stations are rounded; see `curves.survey`."""


@dataclass(frozen=True, eq=False)
class _CrestLine:
    """Stations of a ridge.

    Attributes
    ----------
    places : ndarray of shape (n, 2), float64
        Rows and columns on the land's own samples.
    across : ndarray of that shape, float64
        Vectors to the left of the curve, as long as an offset.
    """

    places: Table
    across: Table


def find_offsets(
    height: Field, levels: Sequence[Level], chains: Sequence[Chain]
) -> tuple[Field, Field]:
    """Return where to sample the ground so that its crests lie on the chains, as displacements.

    Parameters
    ----------
    height : ndarray of shape levels[0].shape, float32
        In meters.
    levels : sequence of Level
        Finest first; offsets are spread on the last one.
    chains : sequence of Chain

    Returns
    -------
    tuple of two ndarrays of shape levels[0].shape, float32
        Along a column and along a row, in samples.
    """
    finest, coarsest = levels[0], levels[-1]
    lines = [line for chain in chains for line in _lines(chain, finest)]
    total: list[Field] = []
    for _ in range(_ROUNDS if lines else 0):
        checkpoint()
        tables = []
        for line in lines:
            moved = _offsets(height, total, line, LevelFrame(finest, coarsest))
            tables.append(moved[:, np.newaxis] * line.across)
        spread = _spread(lines, tables, levels)
        total = [field + more for field, more in zip(total, spread)] if total else spread
    if not total:
        total = [np.zeros(coarsest.shape, np.float32) for _ in range(2)]
    down, along = (pyramid.prolong_all_smoothly(field, levels) for field in total)
    return down, along


def _lines(chain: Chain, finest: Level) -> Iterator[_CrestLine]:
    """Yield the stations of a ridge, in parts if it leaves the land far behind in between."""
    step = _STATION * finest.steps_per_tile
    places = stations(LevelFrame(finest, finest).places(chain.vertices), step)
    if not finest.is_round:
        far = _FAR * finest.steps_per_tile
        most = np.array(finest.land_shape) - 1.0 + far
        is_near = ((places >= -far) & (places <= most)).all(axis=1)
        edges = np.flatnonzero(np.diff(is_near, prepend=False, append=False))
        parts = [places[start:stop] for start, stop in zip(edges[::2], edges[1::2])]
    else:
        parts = [places]
    for part in parts:
        line = _line(part, step)
        if line is not None:
            yield line


def _line(places: Table, step: float) -> _CrestLine | None:
    """Return a line of stations; None if it has no length."""
    ahead, behind = np.roll(places, -1, 0), np.roll(places, 1, 0)
    ahead[-1], behind[0] = places[-1], places[0]
    along = ahead - behind
    length = np.sqrt(along[:, 0] * along[:, 0] + along[:, 1] * along[:, 1])
    if not length.any():
        return None
    scale = 0.5 * step / np.where(length > 0.0, length, 1.0)
    return _CrestLine(places, np.stack((along[:, 1] * scale, -along[:, 0] * scale), axis=1))


def _offsets(height: Field, spread: Sequence[Field], line: _CrestLine, frame: LevelFrame) -> Table:
    """Return how far the crest lies from each station, in lengths of its vector across.

    The ground is read where offsets found before, if there are some, on the level of the frame, have moved it to.
    """
    finest = frame.finest
    numbers = np.arange(-_ACROSS, _ACROSS + 1, dtype=np.float64)
    places = line.places[:, np.newaxis] + numbers[:, np.newaxis] * line.across[:, np.newaxis]
    flat = places.reshape(-1, 2)
    if spread:
        coarse = flat * _scale(frame) + frame.level.first
        flat = flat + np.stack(read(spread, coarse, finest.wrap), axis=1)
    heights = read((height,), flat, finest.wrap)[0].reshape(places.shape[:2])
    unit = 0.5 * _STATION * finest.steps_per_tile * finest.step_x
    offsets = numbers[_best_path(heights - _STRAIGHT * unit * np.abs(numbers))]
    for _ in range(2):
        offsets[1:-1] = 0.25 * (offsets[:-2] + 2.0 * offsets[1:-1] + offsets[2:])
    return offsets


def _scale(frame: LevelFrame) -> Table:
    """Return the samples of a level in one of the land, down and along."""
    return np.array(frame.steps()) / frame.finest.steps_per_tile


def _best_path(values: Table) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    """Return the column of each row along the path of the largest sum that moves one column a row at most."""
    count, width = values.shape
    sums = np.full(
        (count, width + 2), -np.inf
    )  # of the best path to each column, and one beyond both sides
    sums[:, 1:-1] = values
    for before, after in zip(sums, sums[1:]):
        best = np.maximum(before[:-2], before[1:-1])
        after[1:-1] += np.maximum(best, before[2:], out=best)
    path = np.empty(count, np.intp)
    path[-1] = sums[-1].argmax()
    for row in range(count - 1, 0, -1):
        left = path[row] - 1
        path[row - 1] = left + sums[row - 1, left : left + 3].argmax()
    return path - 1


def _spread(
    lines: Sequence[_CrestLine], tables: Sequence[Table], levels: Sequence[Level]
) -> list[Field]:
    """Return offsets of stations, in samples of the land, spread over the ground beside them on the coarsest level."""
    finest, coarsest = levels[0], levels[-1]
    frame = LevelFrame(finest, coarsest)
    starts, stops = [], []
    apart = max(int(1.0 / (_STATION * max(frame.steps()))), 1)  # stations in a sample of the level
    for line, table in zip(lines, tables):
        kept = np.unique(np.append(np.arange(0, len(table), apart, dtype=np.intp), len(table) - 1))
        rows = np.zeros((len(kept), 6))
        rows[:, :2] = (line.places[kept] * _scale(frame) + coarsest.first)[:, ::-1]
        rows[:, Z : HALF + 1] = table[kept]
        starts.append(rows[:-1])
        stops.append(rows[1:])
    start, stop = (
        np.round(np.concatenate(rows) * _FRACTION) / _FRACTION for rows in (starts, stops)
    )
    along = stop - start
    placed = Placed(Pieces(start, stop), start[:, 0], start[:, 1], along[:, 0], along[:, 1])
    reach = _SPREAD * _STATION * max(frame.steps())
    results = [np.zeros(coarsest.shape, np.float32) for _ in range(2)]
    for part in survey_parts(coarsest):
        found = survey(placed, part, reach, nearest_only=True)
        if found is None:
            continue
        share = smooth_step(np.clip(1.0 - found.distance / reach, 0.0, 1.0))
        every = np.arange(found.piece.size, dtype=np.intp)
        for field, column in zip(results, (Z, HALF)):
            offset = found.interpolate(placed.pieces, column, every).reshape(share.shape)
            found.paste(share * offset, field[part.within(coarsest)])
    return [smooth(field, 1, coarsest.wrap) for field in results]
