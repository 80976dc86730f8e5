# SPDX-License-Identifier: GPL-3.0-or-later
"""Crests of drawn ridges lifted above the ground beside them, after erosion.

Where a ridge is drawn below a mountain, that ground stays higher than its crest, whatever valleys grow beside it. What
is added is smooth and broad, so that the ground stays as rough as it is: a dam would be a wall.

References
----------
H. Hnaidi, E. Guerin, S. Akkouche, A. Peytavie, E. Galin (2010). Feature based terrain generation using diffusion
equation. Computer Graphics Forum 29(7).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...base.arrays import Field
from ...base.elementary import smooth_step
from ...curves.chains import Chain
from ...flow_routing.directions import Mask
from .places import Cells, Frame, cells_beside, means, runs_of

_REACH = 0.05
"""Widths of the land to both sides within which the ground is lifted along with the crest."""

_BESIDE = 0.5
"""Share of this reach within which no ground stays higher than the crest."""

_TOP = 1.0 / 340.0
"""Widths of the land to both sides that are the crest itself, which may be rough."""

_WINDOW = 1.0 / 80.0
"""Widths of the land along a ridge over which its lift is averaged."""


def lift(height: Field, frame: Frame, ridges: Sequence[Chain], fixed: Mask, rivers: Cells) -> Field:
    """Return the height with crests above the ground beside them, but where rivers break through.

    Parameters
    ----------
    height : ndarray of shape frame.shape, float32
        In meters.
    frame : Frame
    ridges : sequence of Chain
    fixed : ndarray of that shape, bool
        Cells that keep their height.
    rivers : ndarray of shape (n,), intp
        Numbers of cells on rivers and beside them.
    """
    runs = [row * frame.shape[1] + column for row, column in _runs(frame, ridges, rivers)]
    if not runs:
        return height
    cells, width = np.concatenate(runs), max(frame.steps())
    count, step = max(round(_REACH * width), 2), frame.level.step_x
    beside, nearest, apart = cells_beside(cells, frame, count)
    far = np.maximum(np.float32(1.0) - apart / np.float32(count * step), np.float32(0.0))
    share = far * far
    flat = height.reshape(-1)
    is_ground = (apart > _TOP * width * step) & (apart <= _BESIDE * count * step)
    below = nearest[is_ground]
    excess = flat[beside[is_ground]] - flat[cells[below]]
    needed = np.zeros(len(cells), np.float32)
    np.maximum.at(needed, below, excess / (np.float32(1.0) - share[is_ground]))
    ends = np.cumsum([len(run) for run in runs], dtype=np.intp)[:-1]
    window = max(round(_WINDOW * width), 1)
    rise = np.concatenate([_smooth_rise(part, window) for part in np.split(needed, ends)])
    added = np.zeros_like(flat)
    added[beside] = share * rise[nearest]
    added[cells] = rise
    return np.where(fixed, height, height + added.reshape(height.shape))


def _runs(frame: Frame, ridges: Sequence[Chain], rivers: Cells) -> list[Cells]:
    """Return the rows and columns of cells along ridges, in parts between rivers."""
    parts = []
    for run in (run for chain in ridges for run in frame.runs(chain.vertices)):
        is_dry = ~np.isin(run[0] * frame.shape[1] + run[1], rivers)
        parts += [run[:, part] for part in runs_of(is_dry)]
    return parts


def _smooth_rise(needed: Field, window: int) -> Field:
    """Return smooth heights along a ridge that are about as high as needed, and 0 at both ends."""
    padded = np.pad(needed, window, mode="edge")
    highest = np.lib.stride_tricks.sliding_window_view(padded, 2 * window + 1).max(axis=1)
    mixed: Field = np.float32(0.5) * (needed + highest)
    place = np.arange(len(needed), dtype=np.float32)
    inside = np.minimum(place, place[::-1]) * np.float32(0.5 / window)
    rise: Field = means(mixed, window) * smooth_step(np.minimum(inside, np.float32(1.0)))
    return rise
