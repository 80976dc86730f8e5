# SPDX-License-Identifier: GPL-3.0-or-later
"""Codes beside definitions: a code is kept where the table agrees with the definition in the file."""

from __future__ import annotations

import dataclasses
import math

from ...base.georeference import SpatialSystem
from . import tables
from .epsg import GOOGLE, read_code

WEB_MERCATOR = frozenset({3857, GOOGLE})
"""Its code in EPSG, and the older one that reads as Google."""

_TOLERANCE = 1e-6


def with_code(system: SpatialSystem, code: int) -> SpatialSystem:
    """Return a system with an EPSG code if that stands for the same, and with the table's exact numbers.

    The definition counts where they contradict: GDAL reads it as well. Projections onto a cylinder without a
    code get that of the first one that is the same, so that exports can name it.
    """
    codes = [code] if code else []
    if system.cylinder is not None:
        codes += tables.cylinders()
    for one in codes:
        known = read_code(one, "").system
        if isinstance(known, SpatialSystem) and is_same(system, known):
            return known
    return system


def is_same(one: SpatialSystem, other: SpatialSystem) -> bool:
    """Return whether two systems have the same meters: kind, unit, body and projection, apart from rounding."""
    if (one.kind, one.cylinder is None) != (other.kind, other.cylinder is None):
        return False
    pairs = [
        (one.unit, other.unit),
        (one.ellipsoid.radius, other.ellipsoid.radius),
        (1.0 + one.ellipsoid.flattening, 1.0 + other.ellipsoid.flattening),
        (1.0 + one.meridian, 1.0 + other.meridian),
    ]
    if one.cylinder is not None and other.cylinder is not None:
        if one.cylinder.method != other.cylinder.method:
            return False
        for field in dataclasses.fields(one.cylinder)[1:]:
            first, second = getattr(one.cylinder, field.name), getattr(other.cylinder, field.name)
            pairs.append((1.0 + first, 1.0 + second))
    return all(math.isclose(a, b, rel_tol=_TOLERANCE) for a, b in pairs)
