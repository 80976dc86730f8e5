# SPDX-License-Identifier: GPL-3.0-or-later
"""Surfaces of beds, and the water that stands in closed ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import numpy as np

from ...base.arrays import Field
from ...curves.chains import Z
from ...curves.inside import chain_box, inside
from ...rasters.level import Level
from .profile import PathCourse

SURFACES: Mapping[str, float] = MappingProxyType(
    {"none": 0.0, "earth": 1.0 / 3.0, "gravel": 2.0 / 3.0, "asphalt": 1.0}
)
"""How firm each surface is, from 0 to 1. At the edge of a bed the surface gets softer: asphalt has a shoulder of
gravel, and gravel one of earth."""


def firmness(bed: Field, surface: str) -> Field:
    """Return how firm the surface of beds is, from 0 to 1, by the share of the ground that is bed."""
    return bed * np.float32(SURFACES[surface])


def standing_depth(height: Field, level: Level, courses: Sequence[PathCourse]) -> Field:
    """Return the depth of the water inside closed curves whose inside is deeper, in meters.

    Parameters
    ----------
    height : ndarray of shape level.shape, float32
        With beds and banks.
    level : Level
    courses : sequence of PathCourse
        Open ones hold no water.
    """
    depth = np.zeros_like(height)
    for course in courses:
        if course.chain.closed:
            rows, columns = chain_box(course.chain, level)
            if rows.stop <= rows.start or columns.stop <= columns.start:
                continue
            part = level.part(
                rows.start, columns.start, rows.stop - rows.start, columns.stop - columns.start
            )
            below = np.float32(course.chain.vertices[0, Z]) - height[rows, columns]
            below[~inside(course.chain, part)] = 0.0
            np.maximum(depth[rows, columns], below, out=depth[rows, columns])
    return depth
