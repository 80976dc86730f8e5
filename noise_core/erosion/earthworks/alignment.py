# SPDX-License-Identifier: GPL-3.0-or-later
"""Where beds run: curves as chains with widths, and the heights along them, in stages."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...base.arrays import Field
from ...base.blocks import Progress
from ...curves import chains
from ...curves.chains import Chain, Table
from ...curves.land_curve import LandCurve
from ...rasters.level import Level
from ...stages.description import Part, Raster
from ...stages.runner import Read, Runner
from . import ground_reading, profile
from .profile import ProfileLaw

_TOLERANCE = 1.0 / 65536.0
"""Of chains, in widths of the land, if none is given: 0.18 m of 12 km."""

_TOLERANCE_OF_WIDTH = 1.0 / 32.0
"""The same in widths of the narrowest bed, if that is more."""

_SHORE = 0.75
"""Samples from the curve of a lake to the edge of its shore: diagonal steps do not get past it."""


@dataclass(frozen=True)
class Alignment:
    """Where beds run on a land, and how wide they are.

    Attributes
    ----------
    curves : tuple of LandCurve
    size : float
        Width of the land in meters.
    width : float
        Of the beds in meters; 0 for the widths of the points.
    tolerance : float
        Meters by which straight pieces may miss the curves; 0 for one that fits the widths.
    holds_water : bool
        Whether the curves are shores.
    """

    curves: tuple[LandCurve, ...]
    size: float
    width: float
    tolerance: float
    holds_water: bool

    @property
    def closeness(self) -> float:
        """By how much straight pieces may miss a curve, in meters."""
        widths = [self.width or point.width for curve in self.curves for point in curve.points]
        return self.tolerance or max(
            _TOLERANCE * self.size, _TOLERANCE_OF_WIDTH * min(widths, default=0.0)
        )

    def chains(self, step: float) -> list[Chain]:
        """Return the curves as chains of straight pieces, with the width of the bed.

        Parameters
        ----------
        step : float
            From one sample to the next in meters.
        """
        found, closeness = [], self.closeness
        for curve in self.curves:
            chain = chains.chain_of(curve, self.size, closeness)
            if self.width or self.holds_water:
                # The shore of a lake is as narrow as a grid can hold water by.
                least = _SHORE * step if self.holds_water else 0.0
                vertices = chain.vertices.copy()
                vertices[:, chains.HALF] = max(0.5 * self.width, least)
                chain = Chain(vertices, chain.closed)
            found.append(chain)
        return found


def find_courses(
    run: Runner, height: Raster, curves: Sequence[Chain], law: ProfileLaw
) -> tuple[Table, ...]:
    """Return the beds along chains with their heights, packed; see `profile.pack`.

    Parameters
    ----------
    run : Runner
    height : Raster
        The ground, in meters.
    curves : sequence of Chain
    law : ProfileLaw
    """
    size = run.grid.width
    if law.reads_ground and curves:
        return _read_courses(run, height, curves, law)
    return profile.pack([profile.course(chain, None, size, law) for chain in curves])


def _read_courses(
    run: Runner, height: Raster, curves: Sequence[Chain], law: ProfileLaw
) -> tuple[Table, ...]:
    """Return beds whose heights depend on the ground along the curves."""
    size, step = run.grid.width, run.level.step_x
    dense = [ground_reading.stations(chain, size, step) for chain in curves]
    probes = [ground_reading.probe(chain, run.level) for chain in dense]
    rows, columns = (np.concatenate(places, axis=1) for places in zip(*probes))
    places = Level(3, rows.shape[1], step, step, False)
    read = functools.partial(read_places, rows=rows, columns=columns, level=run.level)
    ground = run.gather("ground", read, height, places)
    solver = functools.partial(solve_courses, curves=dense, size=size, law=law)
    return run.solve("profile", solver, ground)


def read_places(target: Level, read: Read, *, rows: Table, columns: Table, level: Level) -> Field:
    """Return the ground at places; see `ground_reading.read_ground`."""
    return ground_reading.read_ground(target, read, rows, columns, level)


def solve_courses(
    parts: Sequence[Part],
    progress: Progress,
    *,
    curves: Sequence[Chain],
    size: float,
    law: ProfileLaw,
) -> tuple[Table, ...]:
    """Return beds along chains, packed, of the ground at all their stations."""
    ground, courses, first = parts[0].values.astype(np.float64), [], 0
    for chain in curves:
        count = len(chain.vertices)
        courses.append(profile.course(chain, ground[:, first : first + count], size, law))
        first += count
    return profile.pack(courses)
