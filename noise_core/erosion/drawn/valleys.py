# SPDX-License-Identifier: GPL-3.0-or-later
"""Valleys along drawn rivers, cut into the ground before ice, debris or bends of rivers take them over.

What flows down a land follows its valleys. So drawn rivers get theirs first: a floor that falls from the head to the
mouth, below the ground to both sides of it, between banks. Where the ground has such a valley, little is cut.

References
----------
J.-D. Genevaux, E. Galin, E. Guerin, A. Peytavie, B. Benes (2013). Terrain generation using procedural models based on
hydrology. ACM Transactions on Graphics 32(4).
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...base.arrays import Field
from ...base.blocks import Progress
from ...curves.chains import HALF, TILT, Chain, Pieces, Table, X, Y, Z, thin
from ...curves.survey import Placed, Survey, survey, survey_parts, useful_reach
from ...flow_routing.outlets import below_sea, lowest_cells
from ...flow_routing.surface_flow import LOWEST_SHARE
from ...rasters.level import Level
from ...stages.description import Local, Part, Raster
from ...stages.runner import Runner
from ..earthworks import ground_along, profile
from .courses import RiverGround, find_courses
from .places import Frame

COARSEST = 128
"""Samples along the shorter side of the level on which rivers are led on to the border, as in stream erosion."""

_SMOOTHED = 2.0
"""Widths of a floor over which the ground below it is averaged."""

_ACROSS = tuple(place / 6.0 for place in range(-6, 7))
"""Places across in which the lowest ground is looked for; see `profile.probe`."""

_TOLERANCE = 1.0 / 16.0
"""Of the chain of a floor, in samples."""


@dataclass(frozen=True)
class ValleyLaw:
    """Sizes of the valleys that drawn rivers get.

    Attributes
    ----------
    half, widest : float
        Half of the width of the floor in meters, at least and at most; between them it is that of the points.
    depth : float
        By how much the floor lies below the lowest ground beside it, in meters.
    bank : float
        Rise over run of the ground beside it, at most: the valley has the profile of a U.
    reach : float
        Meters beyond the floor within which ground is cut away.
    across : float
        Meters to both sides in which the lowest ground is looked for; the width of the floor if that is more.
    falls : bool
        Whether the floor falls all the way to the mouth; otherwise there may be basins for lakes.
    """

    half: float
    depth: float
    bank: float
    reach: float
    widest: float = math.inf
    across: float = 0.0
    falls: bool = True

    def fit(self, river: Chain) -> Chain:
        """Return a river with a width within the limits, and level across."""
        vertices = river.vertices.copy()
        vertices[:, HALF] = np.clip(vertices[:, HALF], self.half, self.widest)
        vertices[:, TILT:] = 0.0
        return Chain(vertices, river.closed)

    def widen(self, river: Chain) -> Chain:
        """Return a river as wide as the ground in which the lowest is looked for."""
        vertices = river.vertices.copy()
        np.maximum(vertices[:, HALF], self.across, out=vertices[:, HALF])
        return Chain(vertices, river.closed)


def lead(
    run: Runner,
    height: Raster,
    rivers: Sequence[Chain],
    law: ValleyLaw,
    sea: float | None = None,
) -> tuple[Raster, list[Chain], list[int]]:
    """Return the height with valleys along drawn rivers, and where these run.

    Parameters
    ----------
    run : Runner
    height : Raster
        In meters.
    rivers : sequence of Chain
        At least one.
    law : ValleyLaw
    sea : float, optional
        Level in meters below which rivers end; they end at the border only if not given.

    Returns
    -------
    height : Raster
    floors : list of Chain
        Each river from its head to its mouth or to the river that it joins, with the heights of its floor.
    joins : list of int
        The river that each one joins; -1 if none.
    """
    ground = run.subsample_all(height, run.level.pyramid(COARSEST))[-1]
    find = functools.partial(_find, rivers=rivers, finest=run.level, sea=sea)
    *packed, numbers = run.solve("courses", find, ground)
    joins = numbers.astype(np.intp).tolist()
    rivers = [law.fit(course.chain) for course in profile.unpack(packed)]
    return *cut(run, height, rivers, joins, law), joins


def cut(
    run: Runner, height: Raster, rivers: Sequence[Chain], joins: Sequence[int], law: ValleyLaw
) -> tuple[Raster, list[Chain]]:
    """Return the height with valleys along rivers, and these with the heights of their floors; see `lead`."""
    size, step = run.grid.width, run.level.step_x
    dense = [profile.stations(river, size, step) for river in rivers]
    wide = [law.widen(river) for river in dense]
    along = ground_along.read_along(run, height, wide, _ACROSS if law.across else profile.EDGES)
    lower = functools.partial(
        _lower, rivers=dense, joins=joins, level=run.level, size=size, law=law
    )
    beds = run.solve("floors", lower, along)
    shape = functools.partial(_shape, beds=beds, law=law)
    (result,) = run.local(Local("valleys", shape, 0, held=8.5), height)
    return result, [bed.chain for bed in profile.unpack(beds)]


def _find(
    parts: Sequence[Part],
    progress: Progress,
    *,
    rivers: Sequence[Chain],
    finest: Level,
    sea: float | None,
) -> tuple[Table, ...]:
    """Return the courses of rivers, packed, and the number of the river that each one joins, -1 if none."""
    (part,) = parts
    level, height = part.level, part.values
    ends = np.zeros(level.shape, np.bool_) if sea is None else below_sea(height, sea)
    if level.wrap and not ends.any():
        ends = lowest_cells(height, LOWEST_SHARE)
    courses = find_courses(rivers, RiverGround(Frame(finest, level), height, ends, is_open=True))
    lines = [Chain(course.vertices[: course.count], closed=False) for course in courses]
    beds = [profile.Course(line, np.zeros(len(line.vertices) - 1, np.bool_)) for line in lines]
    joins = np.array([course.joins for course in courses], np.float64)
    return (*profile.pack(beds), joins)


def _lower(
    parts: Sequence[Part],
    progress: Progress,
    *,
    rivers: Sequence[Chain],
    joins: Sequence[int],
    level: Level,
    size: float,
    law: ValleyLaw,
) -> tuple[Table, ...]:
    """Return the floors of rivers, packed: each falls to its mouth, or to the floor of the river that it joins."""
    grounds, floors = ground_along.split_along(parts[0], rivers), [np.empty(0)] * len(rivers)
    for number in downstream_first(joins):
        chain, main = rivers[number], joins[number]
        lowest = _smooth_below(chain, grounds[number].min(axis=0), size) - law.depth
        floors[number] = np.minimum.accumulate(lowest) if law.falls else lowest
        if main >= 0:
            meeting = _meeting(chain, rivers[main], level)
            np.maximum(floors[number], floors[main][meeting], out=floors[number])
    beds = []
    for chain, floor in zip(rivers, floors):
        vertices = chain.vertices.copy()
        vertices[:, Z] = floor
        line = Chain(thin(vertices, size, _TOLERANCE * level.step_x), closed=False)
        beds.append(profile.Course(line, np.zeros(len(line.vertices) - 1, np.bool_)))
    return profile.pack(beds)


def _smooth_below(chain: Chain, ground: Table, size: float) -> Table:
    """Return smoothed heights along a river that are nowhere above those of the ground."""
    along, window = chain.lengths(size), 2.0 * _SMOOTHED * chain.vertices[:, HALF]
    smoothed = profile.smooth_along(ground, along, window, closed=False)
    count = min(int(window.max() * len(along) / max(float(along[-1]), 1e-30)), len(along) - 1) // 2
    apart = np.pad(smoothed - ground, count, mode="edge")
    most = np.lib.stride_tricks.sliding_window_view(apart, 2 * count + 1).max(axis=1)
    return smoothed - profile.smooth_along(most, along, window, closed=False)


def _meeting(river: Chain, main: Chain, level: Level) -> int:
    """Return the vertex of a river that is nearest to the end of another one."""
    apart = main.vertices[:, : Y + 1] - river.vertices[-1, : Y + 1]
    if level.wrap:
        period = np.array(level.shape[::-1], np.float64) / level.steps_per_tile
        apart -= np.round(apart / period) * period
    return int((apart[:, X] * apart[:, X] + apart[:, Y] * apart[:, Y]).argmin())


def downstream_first(joins: Sequence[int]) -> list[int]:
    """Return the numbers of rivers, each after the one that it joins."""
    order: dict[int, None] = {}
    while len(order) < len(joins):
        ready = [number for number, main in enumerate(joins) if main < 0 or main in order]
        order.update(dict.fromkeys(ready))
    return list(order)


def _shape(
    target: Level,
    parts: Sequence[Part],
    progress: Progress,
    *,
    beds: tuple[Table, ...],
    law: ValleyLaw,
) -> Field:
    """Return the height of a part of a land with valleys."""
    pieces = Pieces.of([bed.chain for bed in profile.unpack(beds)])
    placed, result = Placed.on(pieces, target), parts[0].values.copy()
    widest = float(max(pieces.start[:, HALF].max(), pieces.stop[:, HALF].max()))
    reach = (widest + useful_reach(target, law.reach)) / target.step_x + 1.0
    for part in survey_parts(target):
        found = survey(placed, part, reach, nearest_only=True)
        if found is not None:
            height = result[part.within(target)]
            ground = found.cut(height)
            most = _highest(found, pieces, target.step_x, law).reshape(ground.shape)
            found.paste(np.minimum(ground, most), height)
    progress(1.0)
    return result


def _highest(found: Survey, pieces: Pieces, step: float, law: ValleyLaw) -> Table:
    """Return the greatest height of samples in a valley, by the floor at the nearest point of a river.

    The walls steepen toward the reach, so that nothing changes beyond. Farther points of a river say nothing: where it
    falls faster than floors rise to the sides, those downstream would cut away the ground upstream.
    """
    where = np.arange(found.distance.size, dtype=np.intp)
    beside = found.distance.reshape(-1) * step - found.interpolate(pieces, HALF, where)
    np.maximum(beside, 0.0, out=beside)
    share = np.minimum(beside / law.reach, 1.0)
    share *= share
    share *= share
    with np.errstate(divide="ignore"):
        rise = law.bank * beside / (1.0 - share)
    highest: Table = rise + found.interpolate(pieces, Z, where)
    return highest
