# SPDX-License-Identifier: GPL-3.0-or-later
"""Flow on a finished height field, computed once for all maps."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ..base.arrays import Field
from ..rasters.height_field import HeightField
from .outlets import lowest_cells
from .routing import route
from .tree import FlowTree

LOWEST_SHARE = 0.04
"""Share of a terrain without border where water may end, as for erosion; otherwise a single hollow
would receive all water."""


def flow_tree(surface: HeightField) -> FlowTree:
    """Return the flow tree: water leaves over the border, or ends in the lowest hollows without one."""
    return surface.derive(_flow_tree)


def known_brim(surface: HeightField) -> Field | None:
    """Return the heights with all depressions filled to the brim, if maps have routed the flow already."""
    tree = surface.known(_flow_tree)
    return None if tree is None else tree.filled


def drainage_areas(surface: HeightField) -> npt.NDArray[np.float64]:
    """Return how many samples drain through each one, itself included: shape (rows, columns)."""
    return surface.derive(_drainage_areas)


def _flow_tree(surface: HeightField) -> FlowTree:
    height, level = surface.height, surface.level
    if not level.wrap:
        return route(height, level)
    return route(height, level, hollows=lowest_cells(height, LOWEST_SHARE))


def _drainage_areas(surface: HeightField) -> npt.NDArray[np.float64]:
    return flow_tree(surface).accumulate().reshape(surface.level.shape)
