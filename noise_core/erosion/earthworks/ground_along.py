# SPDX-License-Identifier: GPL-3.0-or-later
"""The ground along curves, read by a runner before beds are laid: in memory, and across tiles."""

from __future__ import annotations

import functools
from collections.abc import Sequence

import numpy as np

from ...base.arrays import Field
from ...curves.chains import Chain, Table
from ...rasters.level import Level
from ...stages.description import Part, Raster
from ...stages.runner import Read, Runner
from . import profile


def read_along(
    run: Runner,
    height: Raster,
    curves: Sequence[Chain],
    across: Sequence[float] = profile.EDGES,
) -> Raster:
    """Return the ground at the places of `profile.probe` of curves: a row for each place across, a column for each vertex.

    Parameters
    ----------
    run : Runner
    height : Raster
        In meters.
    curves : sequence of Chain
        At least one.
    across : sequence of float
        See `profile.probe`.
    """
    probes = [profile.probe(curve, run.level, across) for curve in curves]
    rows, columns = (np.concatenate(places, axis=1) for places in zip(*probes))
    step = run.level.step_x
    places = Level(len(across), rows.shape[1], step, step, False)
    read = functools.partial(_read_places, rows=rows, columns=columns, level=run.level)
    return run.gather("ground", read, height, places)


def split_along(part: Part, curves: Sequence[Chain]) -> list[Table]:
    """Return the ground of `read_along` for each of the curves: shape (places across, n), float64."""
    ground, parts, first = part.values.astype(np.float64), [], 0
    for curve in curves:
        count = len(curve.vertices)
        parts.append(ground[:, first : first + count])
        first += count
    return parts


def _read_places(target: Level, read: Read, *, rows: Table, columns: Table, level: Level) -> Field:
    """Return the ground at places; see `profile.read_ground`."""
    return profile.read_ground(target, read, rows, columns, level)
