# SPDX-License-Identifier: GPL-3.0-or-later
"""Erosion of a land on which rivers and ridges are drawn: what changes before all steps, and after them."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from ...base.arrays import Field
from ...curves.chains import Chain
from ...flow_routing.directions import Mask
from ...rasters.level import Level
from ...rasters.steepness import rise_over_run
from ..drawn import courses, crests, guide, lakes, lifts, places, ridges, rivers
from . import between_samples, detail
from .law import StreamLaw
from .process import ErosionResult


def follow(
    law: StreamLaw,
    pictures: list[Field],
    river_lines: Sequence[Chain],
    ridge_lines: Sequence[Chain],
) -> tuple[StreamLaw, list[Field]]:
    """Return the law of a land with what is drawn, and the heights on which it is drawn.

    Parameters
    ----------
    law : StreamLaw
    pictures : list of ndarray, float32
        The heights before of all levels, finest first, in meters.
    river_lines, ridge_lines : sequence of Chain
    """
    levels, picture = law.land.levels, pictures[0]
    bank = float(rise_over_run(law.parameters.talus_angle))
    drawn_ridges = ridges.Ridges(ridge_lines, bank)
    if ridge_lines:
        rise = law.parameters.ridge_rise * law.land.span
        picture = drawn_ridges.raise_ground(picture, levels[0], rise)
        pictures = detail.build_bases(picture, levels)
    found: list[courses.RiverCourse] = []
    if river_lines:
        ends = law.fixed_cells(levels[-1], pictures[-1])
        frame = places.LevelFrame(levels[0], levels[-1])
        ground = courses.RiverGround(frame, pictures[-1], ends, law.is_open)
        found = courses.find_courses(river_lines, ground)
        deepest = law.streams.deepest_lake
        if deepest is not None and not law.grows:
            filled = lakes.fill_basins(picture, found, ground, deepest)
            if filled is not None:
                pictures = detail.build_bases(filled, levels)
    drawn_rivers = rivers.Rivers(found, law.streams.gentlest, bank)
    drawn = guide.Guide(drawn_rivers, drawn_ridges)
    return dataclasses.replace(law, guide=drawn), pictures


def finish(law: StreamLaw, result: ErosionResult, picture: Field) -> ErosionResult:
    """Return the result of erosion with crests on the ridges, and a last trench along the rivers.

    Parameters
    ----------
    law : StreamLaw
    result : ErosionResult
        On the finest level.
    picture : ndarray of shape (rows, columns), float32
        The height before on that level, in meters.
    """
    if law.guide is None:
        return result
    levels = law.land.levels
    finest, fixed = levels[0], law.fixed_cells(levels[0], picture)
    if law.guide.ridges.chains:
        result = _with_crests(law.guide, levels, result, fixed)
    if law.guide.rivers.courses:
        height = law.guide.rivers.finish(result.height, finest, fixed)
        result = dataclasses.replace(result, height=height)
    return result


def _with_crests(
    drawn: guide.Guide, levels: Sequence[Level], result: ErosionResult, fixed: Mask
) -> ErosionResult:
    """Return the result with crests on the ridges, above the ground beside them."""
    finest, chains = levels[0], drawn.ridges.chains
    offsets = crests.find_offsets(result.height, levels, chains)
    height, flow, lake = between_samples.resample_all(
        (result.height, result.flow, result.lake), offsets, finest.wrap
    )
    raised = height + lifts.find_lift(height, levels, chains, drawn.rivers)
    return ErosionResult(np.where(fixed, height, raised), flow, lake)
