# SPDX-License-Identifier: GPL-3.0-or-later
"""Surges of debris: they run down a bed from their sources until they rest.

A surge has a size, the side of a cube of its volume in meters; all lengths of it are multiples of that, so
that small and large ones are alike. It grows on the steep bed, and rests where the bed is gentler than its
slope at rest: the deposit itself grows to that slope, and so fans do.

References
----------
Oldrich Hungr, Gerry C. Morgan, Robert Kellerhals (1984). Quantitative analysis of debris torrent hazards for
design of remedial measures. Canadian Geotechnical Journal 21. (yield of a channel per meter; deposits below 10
degrees)
Richard M. Iverson (1997). The physics of debris flows. Reviews of Geophysics 35. (surges, levees, yield)
Dieter Rickenmann (1999). Empirical relationships for debris flows. Natural Hazards 19. (runout by volume)
Julia P. Griswold, Richard M. Iverson (2008). Mobility statistics and automated hazard mapping for debris flows
and rock avalanches. U.S. Geological Survey SIR 2007-5276. (20 V^(2/3) of ground buried)
Pascal Horton, Michel Jaboyedoff, Benoit Rudaz, Marc Zimmermann (2013). Flow-R, a model for susceptibility
mapping of debris flows and other gravitational hazards at a regional scale. Natural Hazards and Earth System
Sciences 13. (inertia of the direction)
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...base import blocks
from ...base.arrays import Field
from .bed import Cells, DebrisBed, Numbers, Truths

STRIDE = 1.5
"""Samples from one point of a way to the next: the bed's slopes are those over three."""

_STEPS = 256
"""After so many a surge rests where it is, or after as many as there are rows and columns."""

_FIRST = 4
"""Steps in which it may find what it takes: sources lie where a gully only begins."""

_TURN = 3.0
"""Sizes over which a surge turns into the fall of a bed as steep as its slope at rest; at once on steep ones."""

_SIDEWAYS = 0.9
"""Of such a bed's pull: surges differ by so much to either side, so that lobes do not all go the same way."""

_LOBE = 5.0
"""Length in sizes of a lobe on level ground. It is as wide as `exchange.WIDTH` says, so that it buries some
ten sizes squared, half of Griswold & Iverson's: lobes lie in strings where the bed falls."""

_SHARPNESS, _STOPPING = 4.0, 1.0
"""How fast debris comes to rest below its slope at rest, and how fast at most."""

_REMAINS = 0.02
"""Of its largest volume; less comes to rest at once."""

_TINY = 1e-30
"""Keeps 0 / 0 from happening."""


@dataclass(frozen=True)
class DebrisLaw:
    """Law by which surges run.

    Attributes
    ----------
    start, rest : float
        Steepness of the bed from which on they take all that they can, and below which they rest, rise over run.
    growth : float
        Size gained on a meter of steep bed, in meters.
    depth : float
        Of all scour at a place, in meters.
    levees : float
        From 0, none, to 1.
    """

    start: float
    rest: float
    growth: float
    depth: float
    levees: float

    @property
    def scouring(self) -> float:
        """Steepness from which on the bed is scoured at all: halfway."""
        return 0.5 * (self.start + self.rest)


@dataclass(frozen=True)
class SurgePaths:
    """Points on the ways of some surges, and the amounts they would take and leave if the bed had them.

    Attributes
    ----------
    count : int
        Of surges.
    row, column : ndarray of shape (points,), float64
        In samples.
    who : ndarray of that shape, intp
        Number of the surge.
    x, y : ndarray of that shape, float64
        Its direction, of length 1.
    size, slope : ndarray of that shape, float64
        In meters, and how steeply the bed falls in that direction.
    taken, laid, moving : ndarray of that shape, float64
        In cubic meters: on this part of the way, and the load that goes on.
    """

    count: int
    row: Numbers
    column: Numbers
    who: Cells
    x: Numbers
    y: Numbers
    size: Numbers
    slope: Numbers
    taken: Numbers
    laid: Numbers
    moving: Numbers


def run(
    bed: DebrisBed, law: DebrisLaw, row: Numbers, column: Numbers, size: Numbers, side: Numbers
) -> SurgePaths:
    """Return the ways of surges over a bed.

    Parameters
    ----------
    bed : DebrisBed
        Not written to.
    law : DebrisLaw
    row, column : ndarray of shape (surges,), float64
        Where they start, in samples.
    size : ndarray of that shape, float64
        At the beginning, in meters, above 0.
    side : ndarray of that shape, float64
        From -1 to 1: to which side they tend.
    """
    surges = _Surges(row, column, size, side)
    table = bed.table(law.depth)
    parts = []
    steps = min(_STEPS, sum(bed.level.shape))
    for step in range(steps):
        if not step % 8:
            blocks.checkpoint()
        parts.append(surges.move(bed, law, table, step + 1 == steps))
        surges.leave(surges.can_go_on(bed, step))
        if not len(surges.row):
            break
    points = [np.concatenate(numbers) for numbers in zip(*parts)]
    return SurgePaths(len(row), *points)


class _Surges:
    """Surges on their way, one number of each in every array."""

    def __init__(self, row: Numbers, column: Numbers, size: Numbers, side: Numbers) -> None:
        self.row, self.column, self.size, self.side = row, column, size, side
        self.x, self.y, self.volume, self.spreads = np.zeros((4, len(row)))
        self.who = np.arange(len(row), dtype=np.intp)

    def move(
        self, bed: DebrisBed, law: DebrisLaw, table: Field, is_last: bool
    ) -> tuple[Numbers | Cells, ...]:
        """Take a step, and return the results at the point before it, in the order of `SurgePaths`."""
        run = STRIDE * bed.step
        fall_x, fall_y, room = bed.gather(table, bed.taps(self.row, self.column)).T
        self._turn(fall_x, fall_y, run / (_TURN * self.size), law.rest)
        slope = -(fall_x * self.x + fall_y * self.y)
        self.spreads = (slope < law.scouring).astype(np.float64)
        steep = (slope - law.scouring) * (1.0 / max(law.start - law.scouring, _TINY))
        grows = np.clip(steep, 0.0, 1.0) * room * (run * law.growth)
        square = self.size * self.size
        taken = 3.0 * grows * square
        volume = self.volume + taken
        laid = volume
        if not is_last:
            slow = np.clip(_SHARPNESS * (1.0 - slope * (1.0 / law.rest)), 0.0, _STOPPING)
            laid = slow * (run / _LOBE) * square
            few = (_REMAINS * square * self.size) * (slope < law.scouring)
            laid = np.where(volume - laid < few, volume, np.minimum(laid, volume))
        self.volume = volume - laid
        point = (self.row, self.column, self.who, self.x, self.y, self.size)
        self.size = self.size + grows
        self.row = self.row + self.y * (run / bed.level.step_y)
        self.column = self.column + self.x * (run / bed.level.step_x)
        return (*point, slope, taken, laid, self.volume)

    def _turn(self, fall_x: Numbers, fall_y: Numbers, share: Numbers, level_enough: float) -> None:
        """Turn towards the fall of the bed by a share of the way over which surges turn."""
        push = (_SIDEWAYS * self.side) * share * self.spreads
        pull = share * (1.0 / level_enough)
        x = self.x - fall_x * pull - self.y * push
        y = self.y - fall_y * pull + self.x * push
        length = 1.0 / (np.sqrt(x * x + y * y) + _TINY)
        self.x, self.y = x * length, y * length

    def can_go_on(self, bed: DebrisBed, step: int) -> Truths:
        """Return which are on the land and have anything that moves, or may still find it."""
        return bed.is_inside(self.row, self.column) & ((self.volume > 0.0) | (step < _FIRST))

    def leave(self, goes_on: Truths) -> None:
        """Forget those that do not go on."""
        if goes_on.all():
            return
        for name, values in vars(self).items():
            setattr(self, name, values[goes_on])
