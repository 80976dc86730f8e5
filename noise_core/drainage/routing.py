# SPDX-License-Identifier: GPL-3.0-or-later
"""From heights to the flow tree."""

from __future__ import annotations

import numpy as np

from ..arrays import Field
from ..blocks import keep_freed_memory
from ..fields.pyramid import Level
from .basins import find_basins
from .carving import carve, keep_lakes
from .descent import steepest
from .directions import Directions, Mask
from .peeling import peel_leaves, redirect_cells
from .tree import FlowTree


def route(
    height: Field,
    level: Level,
    outlets: Mask | None = None,
    *,
    directions: Directions | None = None,
    deepest_lake: float | None = None,
) -> FlowTree:
    """Return where all water goes, across depressions too.

    Parameters
    ----------
    height : ndarray of shape (rows, columns), float32
        In meters, finite.
    level : Level
        Of that shape.
    outlets : ndarray of shape (rows, columns), bool, optional
        Where water leaves; the border if not given. Without any, the lowest cell.
    directions : ndarray of shape (rows, columns), uint8, optional
        Of descent, each to a lower cell or an equally high one without circles; the steepest if
        not given. Changed in place.
    deepest_lake : float, optional
        In meters. Deeper basins keep their water; none does if not given.

    References
    ----------
    Cordonnier, Bovy & Braun 2019, "A versatile, linear complexity algorithm for flow routing in
    topographies with depressions". Its levels are those of Barnes, Lehman & Mulla 2014,
    "Priority-flood", to the bit.
    """
    keep_freed_memory()
    if directions is None:
        directions = steepest(height, level)
    is_outlet = border(level) if outlets is None else outlets
    if not is_outlet.any():
        is_outlet = np.zeros(level.shape, np.bool_)
        is_outlet.reshape(-1)[height.argmin()] = True
    directions[is_outlet] = 0
    tree = peel_leaves(directions, level.wrap)
    basins = find_basins(height, level, tree, is_outlet.reshape(-1))
    if basins is None:
        return FlowTree(directions, height, tree)
    if deepest_lake is not None:
        basins = keep_lakes(basins, height, deepest_lake)
    filled = np.maximum(height, basins.levels[basins.labels].reshape(level.shape))
    change = carve(directions, tree, basins)
    del basins
    return FlowTree(directions, filled, redirect_cells(tree, *change))


def border(level: Level) -> Mask:
    """Return which cells have no neighbor on some side: shape (rows, columns)."""
    cells = np.zeros(level.shape, np.bool_)
    if not level.wrap:
        cells[[0, -1]] = True
        cells[:, [0, -1]] = True
    return cells
