# SPDX-License-Identifier: GPL-3.0-or-later
"""Events of debris flow, one after the other, from sources where gullies begin that are steep and drain enough ground.

References
----------
Tamotsu Takahashi (2007). Debris Flow: Mechanics, Prediction and Countermeasures. Taylor & Francis.
(initiation on beds steeper than 15 to 20 degrees, with enough water)
Pascal Horton, Michel Jaboyedoff, Benoit Rudaz, Marc Zimmermann (2013). Flow-R, a model for susceptibility
mapping of debris flows and other gravitational hazards at a regional scale. Natural Hazards and Earth
System Sciences 13. (sources by slope and drainage area)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ...base import blocks
from ...base.arrays import Field, Hash
from ...flow_routing import surface_flow
from ...flow_routing.routing import fill
from ...lattice.hash import child_seed, hash_indices
from ...rasters import smoothing, totals
from ...rasters import steepness as slopes
from ...rasters.height_field import HeightField
from ...rasters.level import Level
from . import exchange, surges
from .bed import Cells, DebrisBed, Numbers
from .surges import DebrisLaw

Flags = npt.NDArray[np.bool_]

_SIZE = 0.06
"""Of a surge at its source, in sides of a square as large as what drains to it."""

_LARGEST = 9.0
"""Times the least catchment: what drains more starts no larger surges."""

_SILT = 0.2
"""Share of what lies that may settle as silt before fans that dam valleys."""

_AT_ONCE = 1024
"""Surges that run at the same time; the next ones find what they have left. More would take more memory."""

_POINTS = 800
"""Points for each sample on which all surges together are worked out, about; see `exchange.apply`. Steep land takes 70
to 220 by default. Beyond that, surges are a random sample: huge ones that run far would take a hundred times as long."""

_MOST_RUNS = 72
"""Of surges, one after the other: more events come two or three at a time."""

_MARGINS = 0.8
"""How much steeper than in the middle debris rests at margins that are full of stones, with all levees."""

_AROUND = 0.5
"""Radius within which ground is compared to a gully's, in sides of the least catchment."""

_HOLLOW = 0.01
"""How much higher it is on the mean at least, in such sides: even slopes have no gullies, however much ground
drains to their foot."""

_APART, _JOINING = 0.5, 4.0
"""Over so many sides a gully drains at most so many times as much as at its source: others are the last
steps of a slope to a gully that has its own source."""


def flow(
    ground: Field,
    level: Level,
    law: DebrisLaw,
    catchment: float,
    events: int,
    seed: int,
    report: Callable[[float], None],
    drawn: Sequence[Cells] = (),
) -> Field:
    """Return the change of heights by some events of debris flow, in meters, not quite balanced.

    Parameters
    ----------
    ground : ndarray of shape (rows, columns), float32
        In meters; not written to.
    level : Level
        Of that shape.
    law : DebrisLaw
    catchment : float
        Least area that drains to a source, in square meters.
    events : int
        In each of which every second source gives a surge, by chance. Fewer take place once it is enough.
    seed : int
        Unsigned, 32 bits.
    report : callable
        Called with the finished share.
    drawn : sequence of ndarray of shape (n,), intp
        Cells of drawn rivers, each from its head down: debris starts in them and in gullies from which it runs into them only.
    """
    bed = DebrisBed(ground, level)
    smooth = smoothing.smooth(ground, 1, level.wrap)
    sources = find_sources(smooth, level, law.start, catchment, drawn, law.rest)
    if not len(sources.cells):
        return np.zeros(level.shape, np.float32)
    row, column = (index.astype(np.float64) for index in np.divmod(sources.cells, level.columns))
    size: Numbers = _SIZE * np.sqrt(np.minimum(sources.areas, _LARGEST * catchment))
    places = level.random_bits(0, level.rows, seed).reshape(-1)[sources.cells].view(np.int32)
    budget = SurgeBudget(_POINTS * ground.size)
    together = -(-events // _MOST_RUNS)
    for first in range(0, events, together):
        last = min(first + together, events)
        starts = []
        for event in range(first, last):
            chance = hash_indices([places], child_seed(seed, 1 + event))
            some = budget.sample(np.flatnonzero(chance & np.uint32(1)), chance, events - first)
            side = (chance[some] >> np.uint32(8)).astype(np.float64) * (2.0 / (1 << 24)) - 1.0
            starts.append(np.stack((row[some], column[some], size[some], side)))
        surging = np.concatenate(starts, axis=1)
        budget.spend(surging.shape[1], _run_surges(bed, law, surging))
        bed.settle(law.rest * (1.0 + _MARGINS * law.levees))
        report(last / events)
        if blocks.is_enough():
            break
    return _drain(bed)


class SurgeBudget:
    """Points that are left for surges.

    Parameters
    ----------
    points : int
        For all events.
    """

    def __init__(self, points: int) -> None:
        self._left, self._surges, self._spent = points, 0, 0

    def sample(self, surges: Cells, chance: Hash, events: int) -> Cells:
        """Return as many of some surges as one of so many events can afford, chosen by chance; rising."""
        if not self._spent:
            return surges
        count = self._left * self._surges // (self._spent * events)
        if count >= len(surges):
            return surges
        order = np.argsort(chance[surges], kind="stable")
        return np.sort(surges[order[: max(count, 1)]])

    def spend(self, surges: int, points: int) -> None:
        """Take the points of some surges."""
        self._left = max(self._left - points, 0)
        self._surges, self._spent = self._surges + surges, self._spent + points


def _run_surges(bed: DebrisBed, law: DebrisLaw, starts: Numbers) -> int:
    """Let surges run over a bed, and change it; return the points that took.

    Parameters
    ----------
    bed : DebrisBed
    law : DebrisLaw
    starts : ndarray of shape (4, surges), float64
        Row, column, size and side of each one; see `surges.run`.
    """
    points = 0
    for first in range(0, starts.shape[1], _AT_ONCE):
        row, column, size, side = starts[:, first : first + _AT_ONCE]
        points += exchange.apply(bed, law, surges.run(bed, law, row, column, size, side))
    return points


def _drain(bed: DebrisBed) -> Field:
    """Return the change of heights, in meters, with the filling of hollows by water.

    Scour is taken back where water would stand in it. Before fans that dam a valley silt settles, which is part
    of their deposits: balancing the change afterwards takes it off all deposits.
    """
    surface = bed.surface()
    water: Field = fill(surface, bed.level) - surface
    kept = np.minimum(water, bed.scour)
    surface += kept
    water -= kept
    water -= fill(bed.ground, bed.level)
    water += bed.ground
    np.maximum(water, np.float32(0.0), out=water)
    silt, whole = totals.total(water), totals.total(bed.deposit)
    if silt > _SILT * whole:
        water *= np.float32(_SILT * whole / silt)
    surface += water
    surface -= bed.ground
    return surface


@dataclass(frozen=True)
class _Sources:
    """Cells at which debris starts.

    Attributes
    ----------
    cells : ndarray of shape (sources,), intp
        Rising.
    areas : ndarray of that shape, float64
        Drainage area of each one, in square meters.
    """

    cells: Cells
    areas: npt.NDArray[np.float64]


def find_sources(
    height: Field,
    level: Level,
    start: float,
    catchment: float,
    drawn: Sequence[Cells] = (),
    rest: float = 0.0,
) -> _Sources:
    """Return the cells that are steep and drain enough ground, those that none of them drains to.

    Parameters
    ----------
    height : ndarray of shape (rows, columns), float32
        In meters.
    level : Level
        Of that shape.
    start : float
        Steepness of the ground from which on debris starts, rise over run.
    catchment : float
        Least area that drains to a source, in square meters.
    drawn : sequence of ndarray of shape (n,), intp
        See `flow`; the first steep cell of each river is a source, however little drains to it.
    rest : float
        Steepness below which debris rests on its way to these, rise over run.
    """
    surface = HeightField(height, level)
    side = math.sqrt(catchment)
    areas = surface_flow.drainage_areas(surface).reshape(-1) * (level.step_x * level.step_y)
    can_start = areas >= catchment
    can_start &= _is_hollow(height, level, side).reshape(-1)
    steepness = slopes.steepness(height, level).reshape(-1)
    can_start &= steepness >= np.float32(start)
    starts = np.flatnonzero(can_start)
    receivers = surface_flow.flow_tree(surface).receivers
    below = receivers[starts]
    can_start[below[below != starts]] = False
    cells = np.flatnonzero(can_start)
    steps = min(round(_APART * side / min(level.step_x, level.step_y)), sum(level.shape))
    below = cells
    for _ in range(max(steps, 1) if len(cells) else 0):
        below = receivers[below]
    cells = cells[areas[below] <= _JOINING * areas[cells]]
    if drawn:
        ways = np.where(
            steepness < np.float32(rest), np.arange(height.size, dtype=np.intp), receivers
        )
        heads = [river[steepness[river] >= np.float32(start)][:1] for river in drawn]
        flows_in = _reaches(np.concatenate(drawn), ways)
        cells = np.unique(np.concatenate((cells[flows_in[cells]], *heads)))
    return _Sources(cells, np.maximum(areas[cells], catchment) if drawn else areas[cells])


def _reaches(ends: Cells, receivers: Cells) -> Flags:
    """Return from which cells a way from receiver to receiver leads to some cells: shape (cells,)."""
    reaches = np.zeros(len(receivers), np.bool_)
    reaches[ends] = True
    for _ in range(len(receivers).bit_length()):
        reaches |= reaches[receivers]
        receivers = receivers[receivers]
    return reaches


def _is_hollow(height: Field, level: Level, side: float) -> npt.NDArray[np.bool_]:
    """Return where ground lies lower than that around it: shape (rows, columns)."""
    reach = _AROUND * side / min(level.step_x, level.step_y)
    strides = smoothing.strides_within(max(reach, 2.0), level.whole_shape)
    depth: Field = smoothing.smooth_twice(height, strides, level.wrap) - height
    return np.asarray(depth >= np.float32(_HOLLOW * side))
