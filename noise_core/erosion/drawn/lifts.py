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
from ...rasters.level import Level
from ...rasters.pyramid import prolong_all_smoothly, subsample
from .places import Cells, LevelFrame, cells_beside, means, runs_of
from .rivers import Rivers

_REACH = 0.05
"""Widths of the land to both sides within which the ground is lifted along with the crest."""

_BESIDE = 0.5
"""Share of this reach within which no ground stays higher than the crest."""

_TOP = 1.0 / 340.0
"""Widths of the land to both sides that are the crest itself, which may be rough."""

_WINDOW = 1.0 / 80.0
"""Widths of the land along a ridge over which its lift is averaged."""


_SAMPLES = 1100
"""Samples along the longer side of the level on which lifts are found, at most: they are smooth, and cost the more the
more samples they reach over."""


def find_lift(
    height: Field, levels: Sequence[Level], ridges: Sequence[Chain], rivers: Rivers
) -> Field:
    """Return by how much crests and the ground beside them rise, in meters; nowhere where rivers break through.

    Parameters
    ----------
    height : ndarray of shape levels[0].shape, float32
        In meters.
    levels : sequence of Level
        Finest first.
    ridges : sequence of Chain
    rivers : Rivers
    """
    sizes = [max(level.shape) for level in levels]
    place = next((i for i, size in enumerate(sizes) if size <= _SAMPLES), len(levels) - 1)
    for fine, coarse in zip(levels[:place], levels[1:]):
        height = subsample(height, fine, coarse)
    frame = LevelFrame(levels[0], levels[place])
    trenches = rivers.on(frame)
    wet = np.concatenate((trenches.cells, trenches.beside))
    return prolong_all_smoothly(_lift(height, frame, ridges, wet), levels[: place + 1])


def _lift(height: Field, frame: LevelFrame, ridges: Sequence[Chain], rivers: Cells) -> Field:
    """Return the lift on a level; rivers are the numbers of cells on them and beside them."""
    runs = [row * frame.shape[1] + column for row, column in _runs(frame, ridges, rivers)]
    if not runs:
        return np.zeros_like(height)
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
    return added.reshape(height.shape)


def _runs(frame: LevelFrame, ridges: Sequence[Chain], rivers: Cells) -> list[Cells]:
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
