# SPDX-License-Identifier: GPL-3.0-or-later
"""From ground to ground with rivers that have wandered: find them, move them, lay their plain, carve their bed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...base.arrays import Field
from ...base.blocks import CountedProgress
from ...rasters import boxes, pyramid
from ...types.level import Level
from .bed import RiverBed
from .confluences import join_rivers
from .curves import Floats
from .migration import Course, Valley, press, wander
from .plain import FloodPlain
from .rivers import RiverWidths, find_rivers
from .stamping import Stamps

COARSEST = 160
"""Samples along the shorter side of the level on which rivers are found, and up to twice as many: on a terrain
4 km wide these are 16 to 25 meters apart, half the width of a river."""

_SMOOTH = 1.0
"""Widths of the widest river over which the ground is smoothed that holds rivers."""


@dataclass(frozen=True)
class Meandering:
    """How rivers wander.

    Attributes
    ----------
    widths : RiverWidths
    bed : RiverBed
    steps : int
    wall : float
        Height above the banks in meters at which valley walls hold a river.
    reach : float
        Of the flood plain from where rivers ran, in widths.
    sea : float or None
        Level in meters below which rivers end.
    """

    widths: RiverWidths
    bed: RiverBed
    steps: int
    wall: float
    reach: float
    sea: float | None

    def run(
        self, height: Field, levels: list[Level], seed: int, report: CountedProgress
    ) -> tuple[Field, Field] | None:
        """Return the ground with rivers, and the depth of their water; None without rivers.

        Parameters
        ----------
        height : ndarray of shape (rows, columns), float32
            In meters.
        levels : list of Level
            Finest first.
        seed : int
        report : CountedProgress
            Of `cost` in total.
        """
        own, coarse = levels[0], levels[-1]
        courses = self.courses(height, levels, seed, report)
        if courses is None:
            return None
        plain = FloodPlain.around(courses, coarse, self.reach)
        stamps, water = Stamps(own), np.zeros(own.shape, np.float32)
        alluvium = self.bed.lay_alluvium(courses[:-1], stamps, water)
        report.add(self.steps)
        result = plain.lay(height, alluvium, own, self.wall)
        del alluvium
        now = courses[-1]
        self.bed.carve(result, now, self.bottom(now), stamps, water)
        report.add(self.steps)
        return result, water

    def courses(
        self, height: Field, levels: list[Level], seed: int, report: CountedProgress
    ) -> list[Course] | None:
        """Return where rivers ran, in order, and at last where they run; None without rivers."""
        ground = height
        for fine, coarse in zip(levels, levels[1:]):
            ground = pyramid.subsample(ground, fine, coarse)
        coarse = levels[-1]
        network = find_rivers(ground, coarse, self.sea, self.widths, seed)
        report.add(self.steps)
        if network is None:
            return None
        smooth = boxes.blur(ground, coarse, _SMOOTH * self.widths.widest)
        valley = Valley(smooth.astype(np.float64), coarse, self.wall)
        curves, courses = wander(network.curves, valley, self.steps, report.add)
        curves = join_rivers(curves, network.joins, coarse)
        return [*courses, Course(curves, press(curves))]

    def bottom(self, course: Course) -> Floats:
        """Return the height of the bed at each point of rivers: it never rises downstream."""
        curves = course.curves
        free = np.clip(curves.freedom, 0.0, 1.0)
        bottom = curves.level - self.bed.depth * curves.width * np.clip(4.0 * free - 0.2, 0.0, 1.0)
        for begin, end in zip(curves.starts[:-1].tolist(), curves.starts[1:].tolist()):
            bottom[begin:end] = np.minimum.accumulate(bottom[begin:end])
        return bottom
