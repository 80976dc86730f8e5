# SPDX-License-Identifier: GPL-3.0-or-later
"""Platforms at sea level that waves cut, cliffs behind them, and stacks of harder rock before these.

The foot of the cliff is where the distance from the old shore is that by which the coast retreats.
From there the platform falls gently to the sea and the cliff stands at its stable angle; both are
straight lines over the distance from the foot, so their slopes are exact.

References
----------
Tsuguo Sunamura (1992). Geomorphology of Rocky Coasts. Wiley. (platforms and cliffs)
Robert S. Anderson, Alexander L. Densmore, Michael A. Ellis (1999). The generation and degradation of
marine terraces. Basin Research 11. (cliffs that retreat and decline to a stable angle)
Hironori Matsumoto, Mark E. Dickson, Paul S. Kench (2016). An exploratory numerical model of rocky shore
profile evolution. Geomorphology 268. (platforms end where waves lose their force)
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ...base import blocks
from ...base.arrays import Field
from ...base.blocks import Progress
from ...base.elementary import smooth_step
from ...rasters import contour_distance
from ...rasters.level import Level
from ...stages import continuation
from ...stages.description import Connected, Local, Mask, Part, Raster
from ...stages.runner import Runner
from ..slides import talus
from . import shore

REACH, _SEAWARD = 3.0, 1.5
"""In retreats: how far land slides from the foot of the cliff, and waves cut the sea floor from the shore before;
over the last retreat ever less."""

_LEAST = 0.05
"""Share of a cut from which on what is too steep falls."""

_MOST, _FARTHEST = 1.6, 2.0
"""Of the softest rock that is struck hardest, in retreats, and the longest distance from a shore that counts."""

_SEEN = 2.0
"""Samples of the coarsest level: the band along the shore is not wider."""

_FULL = 0.12
"""Of the force of waves at an open coast; with less they cut less than a platform."""

_HELD = 0.6
"""The platform's slope is at most this share of the floor's before it, so that it runs out there."""

_ROUGH = 0.3
"""In retreats, from the foot of a cliff: up to there buttresses and gullies differ. Farther up they would cut
hollows."""

PASSES = 6
"""Of falls from where the foot bends so that the cliff gets too steep: it is so by little."""

_SAMPLES = 1 << 16


@dataclass(frozen=True)
class Coast:
    """Parameters of waves that cut a coast.

    Attributes
    ----------
    sea : float
        Level, in meters.
    retreat : float
        Of an open coast of ordinary rock, in meters.
    foot : float
        Height of the foot of the cliff above the sea, in meters.
    platform, cliff : float
        Steepest slope of the platform and of the cliff, rise over run.
    """

    sea: float
    retreat: float
    foot: float
    platform: float
    cliff: float

    @property
    def reach(self) -> float:
        """Distance from the foot up to which land slides, in meters."""
        return REACH * self.retreat

    def cut(
        self, height: Field, distance: Field, share: Field, slope: Field, buttress: Field | None
    ) -> Field:
        """Return the land with the platform and the cliff.

        Parameters
        ----------
        height : ndarray of shape (rows, columns), float32
            In meters.
        distance : ndarray of that shape, float32
            From the foot of the cliff in meters, negative on the platform.
        share : ndarray of that shape, float32
            See `share`.
        slope : ndarray of that shape, float32
            Of the sea floor before the coast, rise over run.
        buttress : ndarray of that shape, float32, optional
            Share by which the cliff is less steep at its foot, from 0 to 1.
        """
        result = np.empty_like(height)

        def work(start: int, stop: int) -> None:
            blocks.checkpoint()
            ground, far = height[start:stop], distance[start:stop]
            floor = np.minimum(slope[start:stop] * np.float32(_HELD), np.float32(self.platform))
            floor *= np.minimum(far, np.float32(0.0))
            wall = np.maximum(far, np.float32(0.0))
            if buttress is not None:
                rough = np.minimum(wall, np.float32(_ROUGH * self.retreat))
                rough *= buttress[start:stop]
                wall -= rough
            wall *= np.float32(self.cliff)
            floor += wall
            floor += np.float32(self.sea + self.foot)
            cut = ground - floor
            np.maximum(cut, np.float32(0.0), out=cut)
            cut *= share[start:stop]
            np.subtract(ground, cut, out=result[start:stop])

        blocks.run(work, len(height), max(1, _SAMPLES // height.shape[1]))
        return result

    def share(self, force: Field, foot: Field, away: Field) -> Field:
        """Return the share of a cut that is made: all near the shore if waves are strong.

        Parameters
        ----------
        force : ndarray of shape (rows, columns), float32
            Of waves, 1 at an open coast.
        foot, away : ndarray of that shape, float32
            Distance from the foot of the cliff and from the shore before, in meters, negative seaward.
        """
        result = np.empty_like(force)
        zero, unit, scale = np.float32(0.0), np.float32(1.0), np.float32(1.0 / self.retreat)

        def work(start: int, stop: int) -> None:
            blocks.checkpoint()
            strong = force[start:stop] * np.float32(1.0 / _FULL)
            inland = np.float32(REACH) - foot[start:stop] * scale
            seaward = np.float32(_SEAWARD) + away[start:stop] * scale
            share = smooth_step(np.minimum(strong, unit, out=strong))
            share *= smooth_step(np.clip(inland, zero, unit, out=inland))
            share *= smooth_step(np.clip(seaward, zero, unit, out=seaward))
            result[start:stop] = share

        blocks.run(work, len(force), max(1, _SAMPLES // force.shape[1]))
        return result

    def slide(self, target: Level, parts: Sequence[Part], progress: Progress) -> Field:
        """Return the land after ground steeper than the cliff may be has fallen; the sea takes it.

        The parts are the height, and the share of the cut that is made.
        """
        height, share = (part.values for part in parts)
        kept = share <= np.float32(_LEAST)
        return talus.wear_down(height, parts[0].level, self.cliff, PASSES, kept)

    def shore_distance(self, run: Runner, height: Raster, coarse: Level) -> Raster:
        """Return the distance from the shore before, in meters, negative at sea.

        Parameters
        ----------
        run : Runner
        height : Raster
            In meters.
        coarse : Level
            On which the shore can be seen.
        """
        reach = max(_FARTHEST * self.retreat, _SEEN * shore.step_of(coarse))
        work = functools.partial(_distance, reach=reach, base=self.sea)
        return _measure(run, work, reach, height)

    def foot_distance(self, run: Runner, away: Raster, hold: Raster, coarse: Level) -> Raster:
        """Return the distance from the foot of the cliff, in meters, negative seaward.

        Parameters
        ----------
        run : Runner
        away : Raster
            Distance from the shore before, in meters.
        hold : Raster
            Factor of the retreat.
        coarse : Level
            See `shore_distance`.
        """
        (behind,) = run.local(Local("behind", self._behind, makes=("behind",)), away, hold)
        # Waves cut nothing that they cannot reach from the old shore.
        reached = run.connected(Connected("pockets", _before_both), behind, away)
        reach = max(self.reach, _SEEN * shore.step_of(coarse))
        work = functools.partial(_distance, reach=reach, base=0.0)
        foot = _measure(run, work, reach, behind, reached)
        run.drop([behind, reached], [foot])
        return foot

    def _behind(self, target: Level, parts: Sequence[Part], progress: Progress) -> Field:
        """Return how far places lie behind the foot of the cliff, in meters."""
        distance, hold = (part.values for part in parts)
        inland = np.minimum(hold, np.float32(_MOST))
        inland *= np.float32(self.retreat)
        return np.subtract(distance, inland, out=inland)


def go_on(height: Part, away: Part, sea: float) -> Part:
    """Return the distance from a shore, and beyond the borders from that of the land there, in meters.

    Parameters
    ----------
    height : Part
        Of coarse samples, with some beyond the borders.
    away : Part
        Distance from the shore, without those.
    sea : float
        Level, in meters.
    """
    level = height.level
    if not level.beyond:
        return away
    reach = max(float(np.abs(away.values).max()), level.step_x)
    distance = contour_distance.signed_distance(
        height.values - np.float32(sea), reach / level.step_x, level.wrap
    )
    distance *= np.float32(level.step_x)
    distance[continuation.within_borders(level, away.level).within(level)] = away.values
    return Part(distance, level)


def _before_both(behind: Field, shore: Field) -> tuple[Mask, Mask]:
    """Return which places lie before the foot of the cliff, and which before the old shore."""
    return behind < 0.0, shore < 0.0


def _measure(run: Runner, work: Callable[..., Field], reach: float, *sources: Raster) -> Raster:
    margin = contour_distance.margin(reach / run.level.step_x)
    across = functools.partial(continuation.around, reach=functools.partial(_grow, margin=margin))
    wide = run.level.widen(margin)
    values, *where = sources
    around = [continuation.widen(run, values, wide)]
    around += [continuation.widen_amount(run, mask, wide) for mask in where]
    stage = Local("distance", work, margin, across=across, makes=("distance",), held=23.0)
    (distance,) = run.local(stage, *around, on=run.level)
    return distance


def _grow(target: Level, margin: int) -> Level:
    return target.grow(margin, margin)


def _distance(
    target: Level, parts: Sequence[Part], progress: Progress, *, reach: float, base: float
) -> Field:
    """Return the distance from a contour, at most the reach, in meters.

    The parts are values, and the places where these hold: elsewhere they count as positive.
    """
    values, level = parts[0].values, parts[0].level
    if len(parts) == 2:
        values = np.where(parts[1].values > 0.0, values, np.abs(values))
    else:
        values = values - np.float32(base)
    distance = contour_distance.signed_distance(values, reach / level.step_x, level.wrap)
    inner = continuation.within_borders(level, target).within(level)
    distance = np.ascontiguousarray(distance[inner])
    distance *= np.float32(level.step_x)
    return distance
