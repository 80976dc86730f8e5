# SPDX-License-Identifier: GPL-3.0-or-later
"""Splines of few points that the lines drawn on a terrain become."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import bpy
import numpy as np

from ....noise_core.base.errors import TerraneError
from ..datablocks import curve_objects
from ..schema.declared_settings import declare
from . import terrains

if TYPE_CHECKING:
    from ..datablocks.curve_objects import SplinePoints, Table

_JITTER = 4.0
"""Pixels by which a hand misses a line; the automatic tolerance."""

_NEAR = 14.0
"""Pixels between the ends of a stroke that is closed, on a screen of usual density."""

_NARROWEST, _SAMPLES = 8.0, 4.0
"""Automatic width of a curve: in meters, and in samples, whichever is more."""


NUMBERS = (
    declare(
        "width", 0.0, "Width of the bed", (0.0, math.inf), (0.0, 100.0), unit="length",
        automatic="four samples, and 8 m at least",
    ),
    declare(
        "tolerance", 0.0, "Distance by which the curve may miss the stroke", (0.0, math.inf),
        (0.0, 100.0), unit="length", automatic="four pixels of the view",
    ),
)  # fmt: skip
"""Numbers of the tool that draws curves."""


def automatic_width(terrain: bpy.types.Object) -> float:
    """Return the width of a new curve in meters."""
    built = terrains.built_grid(terrain)
    return max(_NARROWEST, _SAMPLES * built.size / (built.columns - 1))


def tolerance_of(places: Table, pixels: Table) -> float:
    """Return by how much a curve may miss a stroke, in meters: the jitter of a hand in the view that it was drawn in.

    Parameters
    ----------
    places : ndarray of shape (n, 3)
    pixels : ndarray of shape (n, 2)
        Where the mouse was.
    """
    return _JITTER * length_of(places) / max(length_of(pixels), 1.0)


def length_of(line: Table) -> float:
    """Return the length of a line in the plane."""
    return float(np.hypot(*np.diff(line[:, :2], axis=0).T).sum())


def returns(pixels: Table, scale: float) -> bool:
    """Return whether a stroke ends where it began; `scale` is that of the interface."""
    reach = _NEAR * scale
    apart = np.hypot(*(pixels - pixels[0]).T)
    return bool(apart[-1] <= reach and apart.max() > 3.0 * reach)


def spline_of(
    line: Table, tolerance: float, shape: str, width: float, *, is_closed: bool
) -> SplinePoints:
    """Return a stroke as a spline of few points; raise a TerraneError if it is none.

    Parameters
    ----------
    line : ndarray of shape (n, 3)
        In the terrain's own space.
    tolerance, width : float
        In meters.
    shape : {"BEZIER", "POLY"}
    is_closed : bool
    """
    from ....noise_core.curves import fitting  # here: only a drawn line needs it

    if length_of(line) <= tolerance:
        raise TerraneError("Drag over the terrain to draw a curve")
    fit = fitting.fit_bezier if shape == "BEZIER" else fitting.fit_polyline
    places = fit(line, tolerance, closed=is_closed)
    count = places.shape[-2]
    return curve_objects.SplinePoints(places, np.full(count, width), np.zeros(count), is_closed)
