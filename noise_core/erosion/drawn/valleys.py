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
from ...stages.runner import Read, Runner
from ..earthworks import ground_reading, profile
from .courses import RiverGround, find_courses
from .places import LevelFrame

COARSEST = 128
"""Samples along the shorter side of the level on which rivers are led on to the border, as in stream erosion."""

_SMOOTHED = 2.0
"""Widths of a floor over which the ground below it is averaged."""

_ACROSS = tuple(place / 6.0 for place in range(-6, 7))
"""Places across in which the lowest ground is looked for; see `ground_reading.probe`."""

_TOLERANCE = 1.0 / 16.0
"""Of the chain of a floor, in samples."""

_STATIONS = 2048
"""Of each river at which the ground is read."""

PackedRivers = tuple[Table, ...]
"""Rivers and those that they join as arrays of one axis, which runners can hand on; see `unpack`."""


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
) -> tuple[Raster, PackedRivers]:
    """Return the height with valleys along drawn rivers, and where these run; see `unpack`.

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
    """
    ground = run.subsample_all(height, run.level.pyramid(COARSEST))[-1]
    find = functools.partial(_find, rivers=rivers, finest=run.level, sea=sea)
    courses = run.solve("courses", find, ground)
    return cut(run, height, courses, len(rivers), law)


def cut(
    run: Runner, height: Raster, rivers: PackedRivers, count: int, law: ValleyLaw
) -> tuple[Raster, PackedRivers]:
    """Return the height with valleys along so many rivers, and these with the heights of their floors.

    Where the cost of stages is counted the rivers are not known: so all have as many stations.
    """
    across = _ACROSS if law.across else ground_reading.EDGES
    step = run.level.step_x
    places = Level(len(across), count * _STATIONS, step, step, False)
    read = functools.partial(_read, rivers=rivers, across=across, law=law, level=run.level)
    along = run.gather("ground", read, height, places)
    lower = functools.partial(_lower, rivers=rivers, level=run.level, size=run.grid.width, law=law)
    floors = run.solve("floors", lower, along)
    shape = functools.partial(_shape, floors=floors, law=law)
    (result,) = run.local(Local("valleys", shape, 0, held=8.5), height)
    return result, floors


def unpack(rivers: PackedRivers) -> tuple[list[Chain], list[int]]:
    """Return rivers, each from its head to its mouth, and the number of the river that it joins, -1 if none.

    Heights of vertices are those of their valleys' floors.
    """
    *beds, joins = rivers
    return [bed.chain for bed in profile.unpack(beds)], joins.astype(np.intp).tolist()


def _pack(rivers: Sequence[Chain], joins: Sequence[int]) -> PackedRivers:
    beds = [profile.PathCourse(line, np.zeros(len(line.vertices) - 1, np.bool_)) for line in rivers]
    return (*profile.pack(beds), np.array(joins, np.float64))


def _find(
    parts: Sequence[Part],
    progress: Progress,
    *,
    rivers: Sequence[Chain],
    finest: Level,
    sea: float | None,
) -> PackedRivers:
    """Return the courses of rivers, from their heads to their mouths."""
    (part,) = parts
    level, height = part.level, part.values
    ends = np.zeros(level.shape, np.bool_) if sea is None else below_sea(height, sea)
    if level.wrap and not ends.any():
        ends = lowest_cells(height, LOWEST_SHARE)
    courses = find_courses(
        rivers, RiverGround(LevelFrame(finest, level), height, ends, is_open=True)
    )
    lines = [Chain(course.vertices[: course.count], closed=False) for course in courses]
    return _pack(lines, [course.joins for course in courses])


def _stations(rivers: PackedRivers, law: ValleyLaw) -> tuple[list[Chain], list[int]]:
    """Return rivers with stations as vertices, equally far apart, and which rivers they join."""
    chains, joins = unpack(rivers)
    dense = []
    for chain in map(law.fit, chains):
        along = chain.lengths(1.0)
        place = np.linspace(0.0, along[-1], _STATIONS)
        table = np.stack([np.interp(place, along, column) for column in chain.vertices.T], axis=1)
        dense.append(Chain(table, closed=False))
    return dense, joins


def _read(
    target: Level,
    read: Read,
    *,
    rivers: PackedRivers,
    across: Sequence[float],
    law: ValleyLaw,
    level: Level,
) -> Field:
    """Return the ground at and beside the stations of rivers; see `ground_reading.probe`."""
    wide = map(law.widen, _stations(rivers, law)[0])
    probes = [ground_reading.probe(river, level, across) for river in wide]
    rows, columns = (np.concatenate(places, axis=1) for places in zip(*probes))
    return ground_reading.read_ground(target, read, rows, columns, level)


def _lower(
    parts: Sequence[Part],
    progress: Progress,
    *,
    rivers: PackedRivers,
    level: Level,
    size: float,
    law: ValleyLaw,
) -> PackedRivers:
    """Return rivers on their floors: each falls to its mouth, or to the floor of the river that it joins."""
    dense, joins = _stations(rivers, law)
    lowest = parts[0].values.astype(np.float64).min(axis=0).reshape(-1, _STATIONS)
    for number in _downstream_first(joins):
        chain, main = dense[number], joins[number]
        floor = _smooth_below(chain, lowest[number], size) - law.depth
        if law.falls:
            floor = np.minimum.accumulate(floor)
        if main >= 0:
            meeting = _meeting(chain, dense[main], level)
            floor = np.maximum(floor, dense[main].vertices[meeting, Z])
        chain.vertices[:, Z] = floor
    tolerance = _TOLERANCE * level.step_x
    return _pack([Chain(thin(each.vertices, size, tolerance), False) for each in dense], joins)


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


def _downstream_first(joins: Sequence[int]) -> list[int]:
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
    floors: PackedRivers,
    law: ValleyLaw,
) -> Field:
    """Return the height of a part of a land with valleys."""
    pieces = Pieces.of(unpack(floors)[0])
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
