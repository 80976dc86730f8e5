# SPDX-License-Identifier: GPL-3.0-or-later
"""Drawn ridges: ground that rises along them, and dams over which no water runs.

Divides lie midway between valleys, wherever the ground rises most. So a dam stands on the curve in every step: valleys
grow from it to both sides, and the divide comes near. `crests` moves it the rest of the way, and
`lifts` raises it where the ground beside it stays higher.

References
----------
H. Schott, A. Paris, L. Fournier, E. Guerin, E. Galin (2023). Large-scale terrain authoring through interactive erosion
simulation. ACM Transactions on Graphics 42(5).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...base.arrays import Field
from ...base.elementary import smooth_step
from ...curves.chains import Chain
from ...curves.measures import curve_distance
from ...flow_routing.directions import Mask
from ...lattice.hash import hash_indices
from ...rasters.level import Level
from .places import Cells, LevelFrame, cells_beside, means

_BREADTH = 0.1
"""Widths of the land to both sides within which the ground rises: a narrower ridge would be a wall."""

_FLANK = 0.025
"""The same that a dam is broad: where no ground within them is higher than the crest, it is one."""

_STANDING = 1.15
"""Steepest slopes that its flanks have: slides cut them back, which gives them the roughness of other slopes."""

_SPURS = 0.6
"""Share of that slope by which it varies along a ridge."""

_SPUR = 1.0 / 96.0
"""Widths of the land from a spur to the next gully."""

_SEED = 0x51D6E

_GENTLE = 0.15
"""Share of this slope by which the ground falls off from the crest at least."""


@dataclass(frozen=True, eq=False)
class Dams:
    """Dams along ridges on a level: bounds of the ground beside them.

    Attributes
    ----------
    cells : ndarray of shape (n,), intp
        Numbers of the cells of all ridges, one after the other.
    runs : sequence of slice
        Of each ridge in these.
    beside, nearest, apart : ndarray
        See `places.cells_beside`.
    window : int
        Cells along a ridge over which the height of its crest is averaged.
    slopes : ndarray of shape (m,), float32
        Rise over run of the flanks of a dam, of each cell beside.
    """

    cells: Cells
    runs: Sequence[slice]
    beside: Cells
    nearest: Cells
    apart: Field
    window: int
    slopes: Field

    @classmethod
    def of(cls, frame: LevelFrame, runs: Sequence[Cells], slope: float) -> Dams:
        """Return the dams along runs of cells, rows and columns each."""
        numbers = [row * frame.shape[1] + column for row, column in runs]
        ends = np.cumsum([0, *map(len, numbers)], dtype=np.intp).tolist()
        cells = np.concatenate([np.empty(0, np.intp), *numbers])
        slices = [slice(first, last) for first, last in zip(ends, ends[1:])]
        reach = max(round(_FLANK * max(frame.steps())), 2)
        beside, nearest, apart = cells_beside(cells, frame, reach)
        step = _SPUR * max(frame.steps())
        slopes = np.concatenate(
            [np.empty(0, np.float32), *(_spurs(len(run[0]), step, slope) for run in runs)]
        )
        return cls(cells, slices, beside, nearest, apart, 2 * reach, slopes[nearest])

    def build(self, height: Field, fixed: Mask) -> Field:
        """Return the height with crests on the ridges, as high as the highest ground beside them.

        Parameters
        ----------
        height : ndarray of shape (rows, columns), float32
            In meters.
        fixed : ndarray of that shape, bool
            Cells that keep their height.
        """
        result = height.copy()
        flat = result.reshape(-1)
        ground = flat[self.beside]
        own = flat[self.cells]
        crest = own.copy()
        np.maximum.at(crest, self.nearest, ground)
        crest -= own
        for run in self.runs:
            crest[run] = means(own[run], self.window // 4) + means(
                crest[run], self.window
            ) * _taper(run.stop - run.start, self.window)
        top = crest[self.nearest]
        fall = self.slopes * self.apart
        np.minimum(ground, top - np.float32(_GENTLE) * fall, out=ground)
        np.maximum(ground, top - fall, out=ground)
        flat[self.beside] = ground
        flat[self.cells] = crest
        np.copyto(result, height, where=fixed)
        return result


def _taper(count: int, window: int) -> Field:
    """Return shares of cells along a ridge that fade out over a window at both ends."""
    place = np.arange(count, dtype=np.float32)
    share = np.minimum(place, place[::-1]) * np.float32(1.0 / window)
    return smooth_step(np.minimum(share, np.float32(1.0)))


def _spurs(count: int, step: float, slope: float) -> Field:
    """Return slopes beside the cells of a ridge, which vary so that its flanks have spurs and gullies from the start."""
    place = np.arange(count, dtype=np.float32) * np.float32(1.0 / step)
    low = np.floor(place)
    ends = [
        (hash_indices([(low + more).astype(np.int32)], _SEED) >> np.uint32(8)).astype(np.float32)
        for more in (0, 1)
    ]
    chance = ends[0] + smooth_step(place - low) * (ends[1] - ends[0])
    chance *= np.float32(2.0**-23)
    chance -= np.float32(1.0)
    steepness: Field = np.float32(slope) * (np.float32(1.0) + np.float32(_SPURS) * chance)
    return steepness


@dataclass(frozen=True, eq=False)
class Ridges:
    """Drawn ridges of a land.

    Attributes
    ----------
    chains : sequence of Chain
    bank : float
        Rise over run of the steepest slope that stands.
    """

    chains: Sequence[Chain]
    bank: float

    def stand_on(self, level: Level) -> bool:
        """Return whether any of them lies on the land with these samples, not beyond it."""
        frame = LevelFrame(level, level)
        return any(frame.runs(chain.vertices) for chain in self.chains)

    def on(self, frame: LevelFrame) -> Dams:
        """Return the dams on a level."""
        runs = [run for chain in self.chains for run in frame.runs(chain.vertices)]
        return Dams.of(frame, runs, _STANDING * self.bank)

    def raise_ground(self, height: Field, level: Level, rise: float) -> Field:
        """Return the height, which rises toward ridges by so many meters.

        Parameters
        ----------
        height : ndarray of shape level.shape, float32
            In meters.
        level : Level
            The land's own samples.
        rise : float
        """
        reach = _BREADTH * level.steps_per_tile * level.step_x
        share = np.abs(curve_distance(self.chains, level, reach))
        share *= np.float32(-1.0 / reach)
        share += np.float32(1.0)
        raised: Field = smooth_step(share) * np.float32(rise)
        raised += height
        return raised
