# SPDX-License-Identifier: GPL-3.0-or-later
"""Meanders, glaciers and debris flows in drawn rivers: how near to their curves they stay."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from unittest import mock

import numpy as np
import numpy.typing as npt

from noise_core.base.arrays import Field
from noise_core.base.grid import Grid
from noise_core.curves.land_curve import LandCurve
from noise_core.erosion.debris import surges
from noise_core.erosion.meanders.migration import Course
from noise_core.erosion.meanders.process import Meandering
from noise_core.modifiers import DebrisFlow, GlacialErosion, Meanders
from noise_core.noises import Fractal, Gradient, Perlin
from noise_core.rasters.level import Level

from .drawn_land import COURSES, before_erosion, dense, draw_river, grid_of, sections
from .tables import say

Places = npt.NDArray[np.float64]

PRESETS = ("alps", "mountain_range")

SIZE = 6000.0
"""Width in meters of the land of meanders."""

WIDTH = 40.0
"""Of its drawn river, in meters."""

MEAN_OVER = 40.0
"""Widths along a river over which its bends are averaged: two of them, each some twelve widths long and twice as far along the river."""

WITHIN = 3.0
"""Samples from a curve to the lowest line of its trough, at most."""

ACROSS = 8
"""Samples to both sides of a curve among which that is looked for."""

RUNOUT = 6.0
"""Samples of the level on which debris flows, from a curve to a runout in its channel."""


@dataclass(frozen=True)
class Wandering:
    """A drawn river that has wandered.

    Attributes
    ----------
    apart : float
        Greatest distance of its mean line from the curve, in widths.
    ends : float
        Greatest distance of an end from that of the curve, in widths.
    longer : float
        Its length over that of the curve.
    """

    apart: float
    ends: float
    longer: float


def plain_with_river(side: int = 257) -> tuple[Field, Grid]:
    """Return gentle ground, which falls to one side, for meanders."""
    grid = Grid(side, side, size=SIZE)
    height = 30.0 * Gradient(shape="linear", falloff=1.0).sample_grid(grid)
    height += 6.0 * Fractal(source=Perlin(frequency=2.0), octaves=6.0).sample_grid(grid, 3)
    return height.astype(np.float32), grid


def measure_meanders(curve: LandCurve, seed: int = 2) -> Wandering:
    """Return how a drawn river has wandered."""
    height, grid = plain_with_river()
    points = [dataclasses.replace(point, width=WIDTH) for point in curve.points]
    wide = dataclasses.replace(curve, points=points)
    kept: list[list[Course]] = []
    find = Meandering.courses

    def noted(*args: object) -> object:
        kept.append(find(*args))  # type: ignore[arg-type]
        return kept[-1]

    with mock.patch.object(Meandering, "courses", noted):
        Meanders(rivers=(wide,)).apply(height, grid, seed)
    curves = kept[0][-1].curves
    last = slice(int(curves.starts[-2]), int(curves.starts[-1]))  # drawn ones come last
    river = np.stack((curves.y[last], curves.x[last]), axis=1)
    line = dense(wide, Level.from_grid(grid)) * grid.spacing
    steps = np.hypot(*np.diff(river, axis=0).T)
    run = np.concatenate(([0.0], np.cumsum(steps)))
    mean = np.stack([_mean_near(river, run, place) for place in run])
    apart = max(_distance(line, place) for place in mean)
    ends = max(_distance(river[[end]], line[end]) for end in (0, -1))
    length = np.hypot(*np.diff(line, axis=0).T).sum()
    return Wandering(apart / WIDTH, ends / WIDTH, float(run[-1] / length))


def _mean_near(river: Places, run: Places, place: float) -> Places:
    reach = min(0.5 * MEAN_OVER * WIDTH, place, run[-1] - place)
    return np.asarray(river[np.abs(run - place) <= reach + 1e-6].mean(axis=0))


def _distance(line: Places, place: Places) -> float:
    return float(np.hypot(*(line - place).T).min())


def trough_share(height: Field, level: Level, curve: LandCurve) -> float:
    """Return the share of a curve beside which the lowest ground across lies within `WITHIN` samples of it."""
    numbers, heights = sections(height, level, curve, ACROSS)
    return float((np.abs(numbers[heights.argmin(axis=1)]) <= WITHIN).mean())


def mountains(name: str, side: int) -> tuple[Field, Grid]:
    """Return a preset's ground before its rivers."""
    grid = grid_of(name, side)
    return before_erosion(name, grid)[0], grid


def measure_trough(name: str, curve: LandCurve | None, where: LandCurve, side: int = 257) -> float:
    """Return `trough_share` after an ice age with a river that is drawn, or without."""
    height, grid = mountains(name, side)
    rivers = () if curve is None else (curve,)
    relief = GlacialErosion(rivers=rivers).apply(height, grid, 2)
    return trough_share(relief.height, Level.from_grid(grid), where)


def measure_runouts(
    name: str, curve: LandCurve | None, where: LandCurve, side: int = 385
) -> tuple[int, float]:
    """Return how many surges of debris there are, and which share of them ends in the channel of a river."""
    height, grid = mountains(name, side)
    level = Level.from_grid(grid)
    ends: list[Places] = []
    run = surges.run

    def noted(bed: surges.DebrisBed, *args: object) -> surges.SurgePaths:
        paths = run(bed, *args)  # type: ignore[arg-type]
        last = np.zeros(paths.count, np.intp)
        np.maximum.at(last, paths.who, np.arange(len(paths.who)))
        ends.append(np.stack((paths.row[last], paths.column[last]), axis=1) - bed.level.beyond)
        return paths

    rivers = () if curve is None else (curve,)
    with mock.patch.object(surges, "run", noted):
        DebrisFlow(rivers=rivers).apply(height, grid, 2)
    places = np.concatenate([np.empty((0, 2)), *ends])
    coarse = level.pyramid(300)[-1]
    line = dense(where, level) * ((coarse.rows - 1.0) / (level.rows - 1.0))
    near = [_distance(line, place) <= RUNOUT for place in places]
    return len(near), float(np.mean(near)) if near else 0.0


def lines(courses: int = COURSES, presets: Sequence[str] = PRESETS) -> Iterator[str]:
    """Yield the lines of a table of all three."""
    yield "| process | land | courses | measure | mean | worst |"
    yield "| --- | --- | ---: | --- | ---: | ---: |"
    draw = random.Random("meanders")
    wandered = [measure_meanders(draw_river(draw)) for _ in range(courses)]
    for name, unit in (("apart", "mean line from the curve, widths"), ("ends", "ends, widths")):
        values = [getattr(each, name) for each in wandered]
        yield f"| Meanders | plain | {courses} | {unit} | {np.mean(values):.2f} | {max(values):.2f} |"
    for preset in presets:
        draw = random.Random(f"troughs {preset}")
        curves = [draw_river(draw) for _ in range(courses)]
        shares = [measure_trough(preset, curve, curve) for curve in curves]
        yield _row("Glacial Erosion", preset, "lowest line on the curve", shares)
    for preset in presets:
        draw = random.Random(f"runouts {preset}")
        curves = [draw_river(draw) for _ in range(courses)]
        shares = [measure_runouts(preset, curve, curve)[1] for curve in curves]
        yield _row("Debris Flow", preset, "runouts in the channel", shares)


def _row(process: str, land: str, measure: str, shares: Sequence[float]) -> str:
    mean, least = 100.0 * np.mean(shares), 100.0 * min(shares)
    return f"| {process} | {land} | {len(shares)} | {measure} | {mean:.1f} % | {least:.1f} % |"


if __name__ == "__main__":
    for text in lines():
        say(text)
