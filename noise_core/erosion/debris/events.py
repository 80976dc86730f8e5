# SPDX-License-Identifier: GPL-3.0-or-later
"""Events of debris flow, one after the other."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...base import blocks
from ...base.arrays import Field
from ...flow_routing.routing import fill
from ...lattice.hash import child_seed, hash_indices
from ...rasters import totals
from ...rasters.smoothing import smooth
from ...types.level import Level
from . import exchange, sources, surges
from .bed import DebrisBed, Numbers
from .surges import DebrisLaw

_SIZE = 0.06
"""Of a surge at its source, in sides of a square as large as what drains to it."""

_LARGEST = 9.0
"""Times the least catchment: what drains more starts no larger surges."""

_SILT = 0.2
"""Share of what lies that may settle as silt before fans that dam valleys."""

_AT_ONCE = 1024
"""Surges that run at the same time; the next ones find what they have left. More would take more memory."""

_MARGINS = 0.8
"""How much steeper than in the middle debris rests at margins that are full of stones, with all levees."""


def flow(
    ground: Field,
    level: Level,
    law: DebrisLaw,
    catchment: float,
    events: int,
    seed: int,
    report: Callable[[float], None],
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
    """
    bed = DebrisBed(ground, level)
    found = sources.find_sources(smooth(ground, 1, level.wrap), level, law.start, catchment)
    if not len(found.cells):
        return np.zeros(level.shape, np.float32)
    row, column = (one.astype(np.float64) for one in np.divmod(found.cells, level.columns))
    size: Numbers = _SIZE * np.sqrt(np.minimum(found.areas, _LARGEST * catchment))
    places = level.random_bits(0, level.rows, seed).reshape(-1)[found.cells].view(np.int32)
    for event in range(events):
        chance = hash_indices([places], child_seed(seed, 1 + event))
        some = np.flatnonzero(chance & np.uint32(1))
        side = (chance[some] >> np.uint32(8)).astype(np.float64) * (2.0 / (1 << 24)) - 1.0
        starts = np.stack((row[some], column[some], size[some], side))
        _run_surges(bed, law, starts)
        bed.settle(law.rest * (1.0 + _MARGINS * law.levees))
        report((event + 1) / events)
        if blocks.is_enough():
            break
    return _drain(bed)


def _run_surges(bed: DebrisBed, law: DebrisLaw, starts: Numbers) -> None:
    """Let surges run over a bed, and change it.

    Parameters
    ----------
    bed : DebrisBed
    law : DebrisLaw
    starts : ndarray of shape (4, surges), float64
        Row, column, size and side of each one; see `surges.run`.
    """
    for first in range(0, starts.shape[1], _AT_ONCE):
        row, column, size, side = starts[:, first : first + _AT_ONCE]
        exchange.apply(bed, law, surges.run(bed, law, row, column, size, side))


def _drain(bed: DebrisBed) -> Field:
    """Return the change of heights, in meters, with what water does to hollows.

    Scour is taken back where water would stand in it. Before fans that dam a valley silt settles, of what they
    have: the change is to be balanced, which takes it off all that lies.
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
