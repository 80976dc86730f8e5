# SPDX-License-Identifier: GPL-3.0-or-later
"""Scour and deposit of surges, as much of one as of the other.

References
----------
Richard M. Iverson (1997). The physics of debris flows. Reviews of Geophysics 35. (levees: coarse stones at
the margins, without water between them, rest where the middle flows on)
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ...base import blocks
from .bed import Cells, DebrisBed, Numbers, Taps, add_up
from .surges import STRIDE, DebrisLaw, SurgePaths

WIDTH = 2.0
"""Of a surge, in its sizes."""

_BANKS = 1.6
"""How much wider it scours than it is: banks fall in."""

_MARGIN = 0.8
"""How much less lies at the margins of a lobe than in its middle, and how much less is taken there."""

_FEWEST, _MOST = 4, 32
"""Points across a surge: as far apart as samples, but for surges that are very wide or narrow."""

_BOW = 0.25
"""How far the ends of a lobe's margins lie behind that of its middle, in widths: its front is round."""

_LEVEE = 0.12
"""Height of a levee in sizes of the surge."""

_LEVEE_WIDTH = 0.5
"""Mean width of a levee in half widths of the surge."""

_TINY = 1e-30
"""Keeps 0 / 0 from happening."""


@dataclass(frozen=True)
class _Amounts:
    """Amounts at points: with the number of the surge, in cubic meters."""

    taps: Taps
    who: Cells
    amount: Numbers

    def of_surges(self, count: int, share: Numbers | float = 1.0) -> Numbers:
        """Return the load of each surge, of which a share of each amount counts."""
        return add_up(self.who, self.amount * share, count)


def apply(bed: DebrisBed, law: DebrisLaw, paths: SurgePaths) -> int:
    """Take the surges' scour from a bed, and lay it down where they leave it.

    No place loses more than the law's depth. Material that would leave the land is not taken.

    Returns
    -------
    int
        Points that were worked on, which is what the time grows with.
    """
    taken = _across(bed, paths, paths.taken, _BANKS * WIDTH)
    laid = _across(bed, paths, paths.laid, WIDTH, law.levees)
    loads, whole = laid.of_surges(paths.count), add_up(paths.who, paths.taken, paths.count)
    stays = np.minimum(loads / np.maximum(whole, _TINY), 1.0)
    blocks.checkpoint()
    wish = bed.scatter(taken.taps, taken.amount)
    flat = bed.scour.reshape(-1)
    has = np.maximum(law.depth - flat.astype(np.float64), 0.0) / np.maximum(wish, _TINY)
    np.minimum(has, 1.0, out=has)
    volume = taken.of_surges(paths.count, bed.gather(has, taken.taps)) * stays
    blocks.checkpoint()
    wish = bed.scatter(taken.taps, taken.amount * stays[taken.who])
    wish *= has
    parts = [laid]
    if law.levees > 0.0:
        parts += _levees(bed, law, paths)
    total = sum((part.of_surges(paths.count) for part in parts), np.zeros(paths.count))
    factor = volume / np.maximum(total, _TINY)
    for part in parts:
        blocks.checkpoint()
        thickness = bed.scatter(part.taps, part.amount * factor[part.who])
        bed.deposit += thickness.reshape(bed.level.shape).astype(np.float32)
    flat += wish.astype(np.float32)
    return len(paths.who) + len(taken.who) + sum(len(part.who) for part in parts)


def _across(
    bed: DebrisBed, paths: SurgePaths, amounts: Numbers, width: float, levees: float | None = None
) -> _Amounts:
    """Return amounts of points on the ways, spread over a width in sizes of the surges.

    With levees, from 0 to 1, they are lobes: with round ends, and with margins that are higher than the
    middle where most of a surge went on.
    """
    some = np.flatnonzero(amounts)
    amount, who, size = amounts[some], paths.who[some], paths.size[some]
    widest = float(size.max(initial=0.0)) * width
    count = min(max(math.ceil(widest / bed.step), _FEWEST), _MOST)
    offsets = (np.arange(count, dtype=np.float64) + 0.5) / count - 0.5
    squares = 4.0 * offsets * offsets
    weights = _scale(1.0 - _MARGIN * squares)[:, np.newaxis]
    bow = 0.0
    if levees is not None:
        bow = _BOW * width
        went_on = np.minimum(paths.moving[some] / (size * size * size), 1.0) * levees
        edges = _scale(squares * (1.0 - squares))[:, np.newaxis]
        weights = weights + (edges - weights) * went_on
    rows, columns = [], []
    for offset, square in zip(offsets.tolist(), squares.tolist()):
        blocks.checkpoint()
        for ahead in (-0.25, 0.25):  # points are farther apart than samples
            shift = ahead * STRIDE * bed.step - (bow * square) * size
            row, column = _beside(bed, paths, some, offset * width * size, shift)
            rows.append(row)
            columns.append(column)
    taps = bed.taps(np.concatenate(rows), np.concatenate(columns))
    spread = np.repeat(0.5 * weights * amount, 2, axis=0)
    return _Amounts(taps, np.tile(who, 2 * count), spread.reshape(-1))


def _scale(weights: Numbers) -> Numbers:
    """Return weights that add up to 1."""
    scaled: Numbers = weights * (1.0 / sum(weights.tolist()))
    return scaled


def _beside(
    bed: DebrisBed, paths: SurgePaths, some: Cells, distance: Numbers, ahead: Numbers | float = 0.0
) -> tuple[Numbers, Numbers]:
    """Return places to the left of points and ahead of them, in meters; the points if these are not on the land."""
    row, column, x, y = paths.row[some], paths.column[some], paths.x[some], paths.y[some]
    beside = row + (x * distance + y * ahead) * (1.0 / bed.level.step_y)
    along = column + (x * ahead - y * distance) * (1.0 / bed.level.step_x)
    inside = bed.is_inside(beside, along)
    return np.where(inside, beside, row), np.where(inside, along, column)


def _levees(bed: DebrisBed, law: DebrisLaw, paths: SurgePaths) -> list[_Amounts]:
    """Return the levees on both sides of the ways, where the ground is lower than they are."""
    some = np.flatnonzero((paths.slope > 0.0) & (paths.slope < law.start))
    size, who = paths.size[some], paths.who[some]
    surface = bed.surface().reshape(-1)
    middle = bed.gather(surface, bed.taps(paths.row[some], paths.column[some]))
    height = (_LEVEE * law.levees) * size
    half = np.maximum(0.5 * WIDTH * size, bed.step)
    amount = height * half * (_LEVEE_WIDTH * STRIDE * bed.step)
    amount *= np.minimum(paths.moving[some] / (size * size * size), 1.0)
    parts = []
    for side in (half, -half):
        taps = bed.taps(*_beside(bed, paths, some, side))
        lower = 1.0 - (bed.gather(surface, taps) - middle) / height
        parts.append(_Amounts(taps, who, amount * np.clip(lower, 0.0, 1.0)))
    return parts
