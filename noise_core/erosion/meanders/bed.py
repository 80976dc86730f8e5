# SPDX-License-Identifier: GPL-3.0-or-later
"""Traces of rivers on their plain: scroll bars, oxbow lakes, levees and the bed itself.

References
----------
Thomas Dunne, Luna B. Leopold (1978). Water in Environmental Planning. Freeman. (a bend's deepest place
lies at the outer bank, point bars at the inner one; levees)
Gerald C. Nanson (1980). Point bar and floodplain formation of the meandering Beatton River, northeastern
British Columbia, Canada. Sedimentology 27. (scroll bars: ridges along former inner banks)
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...base.arrays import Field
from ...base.elementary import smooth_step
from .curves import Floats, RiverCurves
from .migration import Course
from .stamping import Nearby, Stamps

_ASYMMETRY = 1.6
"""By what the pressure of the current on a bank is multiplied: bends of radius 4 widths are at their most."""

_DEEPEST = 0.5
"""Half widths from the middle to the deepest place of such a bend."""

_BAR = 1.4
"""Half widths that its inner bank reaches further."""

_BANK = 0.7
"""Slope of banks above the water: loose ground, 35 degrees."""

_RIDGE = 0.13
"""Height of scroll bars in depths of the river; ground between is lower by as much."""

_RIDGE_HALF = 0.55
"""Half widths from the crest of a scroll bar to its foot."""

_LAKE = 0.55
"""Depth of an oxbow lake in depths of the river: since the bend was cut off, half was filled."""

_PLUG = 1.5
"""Widths at both ends of a cut-off bend that were filled."""

_LEVEE = 0.1
"""Height of levees in depths of the river."""

_LEVEE_REACH = 5.0
"""Half widths from the middle to where a levee ends."""


@dataclass(frozen=True)
class RiverBed:
    """Sizes of rivers' beds.

    Attributes
    ----------
    depth : float
        In widths of a river.
    lakes : float
        How deep oxbow lakes are, from 0, filled, to 1.
    bars : float
        How high scroll bars and levees are, from 0 to 1.
    """

    depth: float
    lakes: float
    bars: float

    def lay_alluvium(self, courses: list[Course], stamps: Stamps, water: Field) -> Field:
        """Return the height of bars and oxbow lakes over the plain, in meters.

        Parameters
        ----------
        courses : list of Course
            In order; younger beds replace older ones.
        stamps : Stamps
        water : ndarray of the level's shape, float32
            Depth of water in meters; that of lakes is written to it.
        """
        result = np.zeros(stamps.level.shape, np.float32)
        flat, wet = result.reshape(-1), water.reshape(-1)
        for course in courses:
            if course.is_old and self.lakes == 0.0:
                continue
            near = stamps.find(course.curves, 1.0 if course.is_old else 1.0 + _RIDGE_HALF)
            cells, depth = near.cells, self.depth * near.read(course.curves.width)
            if course.is_old:
                deep = self.lakes * _LAKE * self._lake(course.curves, near) * depth
                flat[cells] = np.minimum(flat[cells], -deep)
                wet[cells] = np.maximum(wet[cells], deep)
                continue
            bar, is_bed = _bar(near, near.read(course.bends))
            bar *= self.bars * _RIDGE * depth
            flat[cells] = np.where(is_bed, bar, np.maximum(flat[cells], bar))
            wet[cells[is_bed]] = 0.0
        return result

    def _lake(self, curves: RiverCurves, near: Nearby) -> Floats:
        """Return the depth of the lake in a cut-off bend, from 0 to 1."""
        run = curves.run()
        ends = np.minimum(run, run[-1] - run) / (_PLUG * curves.width)
        open_water = smooth_step(np.clip(ends - 0.5, 0.0, 1.0))
        share: Floats = (1.0 - near.aside * near.aside) * near.read(open_water)
        return np.maximum(share, 0.0)

    def carve(
        self, height: Field, course: Course, bottom: Floats, stamps: Stamps, water: Field
    ) -> None:
        """Carve the beds of rivers into the ground, with levees beside them, in place.

        Parameters
        ----------
        height : ndarray of the level's shape, float32
            In meters.
        course : Course
            Where the rivers run.
        bottom : ndarray of shape (points,), float64
            Height of the deepest place of the bed at each point of the course, in meters.
        stamps : Stamps
        water : ndarray of the level's shape, float32
            Depth of water in meters; that of rivers up to their banks is written to it.
        """
        curves = course.curves
        near = stamps.find(curves, _LEVEE_REACH, bottom < curves.level)
        depth = np.maximum(near.read(curves.level) - near.read(bottom), 0.0)
        distance = np.abs(near.aside)
        flat = height.reshape(-1)
        ground = flat[near.cells].astype(np.float64)
        beside = np.clip((_LEVEE_REACH - distance) / (_LEVEE_REACH - 1.0), 0.0, 1.0)
        ground += self.bars * _LEVEE * depth * smooth_step(beside)
        half = 0.5 * near.read(curves.width)
        bed = near.read(curves.level) + _profile(near, near.read(course.bends), depth, half)
        flat[near.cells] = np.where(depth > 0.0, np.minimum(ground, bed), ground)
        wet = water.reshape(-1)
        below = np.where(depth > 0.0, near.read(curves.level) - bed, 0.0)
        wet[near.cells] = np.maximum(wet[near.cells], below)


def _bar(near: Nearby, bends: Floats) -> tuple[Floats, np.ndarray]:
    """Return the height of the scroll bar along the inner bank, up to 1, and which samples lie in the bed."""
    sharp = np.minimum(np.abs(bends) * _ASYMMETRY, 1.0)
    inner = np.where(bends < 0.0, -near.aside, near.aside)
    from_crest = np.abs(inner - 1.0) / _RIDGE_HALF
    bar: Floats = sharp * smooth_step(np.maximum(1.0 - from_crest, 0.0))
    return bar, np.abs(near.aside) <= 1.0


def _profile(near: Nearby, bends: Floats, depth: Floats, half: Floats) -> Floats:
    """Return the height of the bed from the banks of a river, in meters.

    The deepest place lies nearer to the outer bank the sharper a bend is, and has the same depth
    everywhere: so it falls along the river as the banks do.
    """
    sharp = np.minimum(np.abs(bends) * _ASYMMETRY, 1.0)
    outer = np.where(bends < 0.0, near.aside, -near.aside)
    deepest = _DEEPEST * sharp
    inner_edge = 1.0 + _BAR * sharp
    out = np.maximum(outer - deepest, 0.0) / (1.0 - deepest)
    inside = np.maximum(deepest - outer, 0.0) / (deepest + inner_edge)
    share = np.minimum(out, 1.0) * np.minimum(out, 1.0)
    bar = np.minimum(inside, 1.0)
    share += bar * bar * (1.0 + 0.6 * sharp * (1.0 - bar))
    beyond = np.maximum(outer - 1.0, 0.0) + np.maximum(-outer - inner_edge, 0.0)
    result: Floats = depth * (share - 1.0) + _BANK * half * beyond
    return result
