# SPDX-License-Identifier: GPL-3.0-or-later
"""Weaving drafts: the thread on top at each crossing, and the resulting path of each thread.

A draft is a small table that repeats over the cloth, one row per weft thread and one column per
warp thread, 1 where the warp (running along y) lies over the weft (running along x).

References
----------
Piti Irawan, Steve Marschner (2012). Specular reflection from woven cloth. ACM Transactions on
Graphics 31(1). (drafts, and threads as arcs over the floats they make)
"""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..base.arrays import Field

Draft = npt.NDArray[np.bool_]


def _shift_rows(first: str, step: int) -> tuple[str, ...]:
    """Return a draft in which every row is the previous row, shifted."""
    return tuple(first[-step * row % len(first) :] + first[: -step * row % len(first)]
                 for row in range(len(first)))  # fmt: skip


_TWILL = _shift_rows("1100", 1)

DRAFTS = {
    "plain": ("10", "01"),
    "basket": ("1100", "1100", "0011", "0011"),
    "twill": _TWILL,
    "herringbone": tuple((row * 2)[:8] + (row * 2)[7::-1] for row in _TWILL),
    "denim": _shift_rows("1110", 1),
    "satin": _shift_rows("11110", 2),
}
"""By key, the row of smallest y first."""


@dataclass(frozen=True)
class ThreadPaths:
    """Paths of the threads of a draft at each crossing; rows run along y.

    Attributes
    ----------
    rows, columns : int
        After how many weft and warp threads the draft repeats.
    over : ndarray of shape (2 rows, 2 columns), float32
        1 where the warp is on top, -1 where the weft is; for each quarter of a crossing.
    warp_turn, weft_turn : ndarrays of that shape, float32
        Value of `over` where the thread goes to the other side at that end of the crossing,
        and 0 where it stays.
    warp_start, weft_start : ndarrays of shape (rows, columns), float32
        Where the crossing begins within the thread's float, which runs from -1 to 1.
    warp_step, weft_step : ndarrays of that shape, float32
        How far it goes on over the crossing.
    """

    rows: int
    columns: int
    over: Field
    warp_turn: Field
    weft_turn: Field
    warp_start: Field
    warp_step: Field
    weft_start: Field
    weft_step: Field


@functools.lru_cache(maxsize=len(DRAFTS))
def thread_paths(key: str) -> ThreadPaths:
    """Return the paths of one of `DRAFTS`."""
    draft: Draft = np.array([[mark == "1" for mark in row] for row in DRAFTS[key]])
    over = np.where(draft, np.float32(1), np.float32(-1)).repeat(2, 0).repeat(2, 1)
    rows, columns = draft.shape
    warp_start, warp_step = _floats(draft)
    weft_start, weft_step = (table.T.copy() for table in _floats(draft.T))
    return ThreadPaths(
        rows=rows,
        columns=columns,
        over=over,
        warp_turn=_turns(over),
        weft_turn=_turns(over.T).T.copy(),
        warp_start=warp_start,
        warp_step=warp_step,
        weft_start=weft_start,
        weft_step=weft_step,
    )


def _turns(over: Field) -> Field:
    """Return `over` where the next crossing along the first axis is of the other kind, else 0."""
    ahead, behind = np.roll(over, -1, 0), np.roll(over, 1, 0)
    # Even quarters lie at the beginning of a crossing, odd ones at its end.
    is_end = (np.arange(len(over), dtype=np.intp) % 2 == 1)[:, np.newaxis]
    turns: Field = np.where(np.where(is_end, ahead, behind) != over, over, np.float32(0))
    return turns


def _floats(draft: Draft) -> tuple[Field, Field]:
    """Return, for floats along the first axis, where each crossing begins and how long it is."""
    start, step = np.empty(draft.shape, np.float32), np.empty(draft.shape, np.float32)
    for row, column in np.ndindex(draft.shape):
        line = np.roll(draft[:, column], -row)  # the crossing itself first
        if (line == line[0]).all():
            raise ValueError("a thread of a draft must change sides")
        ahead = int(np.argmax(line != line[0]))
        behind = int(np.argmax(line[::-1] != line[0]))
        start[row, column] = 2.0 * behind / (ahead + behind) - 1.0
        step[row, column] = 2.0 / (ahead + behind)
    return start, step
