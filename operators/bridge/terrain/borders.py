# SPDX-License-Identifier: GPL-3.0-or-later
"""Borders of terrains: seams and neighboring tiles.

A recipe is evaluated on samples, a mesh has vertices. The samples of a grid that wraps end one spacing
before the grid repeats; a mesh has to reach that far. A seamless mesh therefore has one more row and
column, which repeat the first: copies of it side by side meet exactly.
"""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from ....noise_core.base.arrays import Field
from ....noise_core.base.grid import Grid
from ....noise_core.types.modifier import Modifier
from ..schema import layer_list, layers, settings


def vertex_grid(grid: Grid) -> Grid:
    """Return the grid of a mesh's vertices from that of its samples; the same unless it wraps."""
    if not grid.wrap:
        return grid
    return Grid(grid.rows + 1, grid.columns + 1, origin=grid.origin, size=grid.size)


def vertex_field(field: Field, grid: Grid) -> Field:
    """Return the values at a mesh's vertices from those at its samples.

    Parameters
    ----------
    field : ndarray of shape (rows, columns) or (rows, columns, channels)
    grid : Grid
        Grid of the samples.
    """
    if not grid.wrap:
        return field
    beyond = ((0, 1), (0, 1), (0, 0))
    return np.pad(field, beyond[: field.ndim], mode="wrap")


def sample_grid(vertices: Grid, *, seamless: bool) -> Grid:
    """Return the grid of a mesh's samples from that of its vertices; the inverse of `vertex_grid`."""
    if not seamless:
        return vertices
    rows, columns = vertices.shape
    return dataclasses.replace(vertices, rows=rows - 1, columns=columns - 1, wrap=True)


def sample_field(field: Field, grid: Grid) -> Field:
    """Return the values at a mesh's samples from those at its vertices; see `vertex_field`."""
    return np.ascontiguousarray(field[:-1, :-1]) if grid.wrap else field


def gap(field: Field) -> float:
    """Return the largest difference between opposite edges of a field: 0 if it is seamless."""
    across = np.abs(field[0] - field[-1]).max()
    return float(max(across, np.abs(field[:, 0] - field[:, -1]).max()))


def is_eroded(group: Any) -> bool:
    """Return whether settings have an active modifier; layers of noise need no neighbors.

    It reads no images, because panels call it while they are drawn.
    """
    if not group.is_filled:
        recipe = settings.default_preset().recipe
        return any(isinstance(one, Modifier) and not one.muted for one in recipe.layers)
    entries = layer_list.entries(group)
    return any(layers.is_modifier(one) and not one.muted for one in entries)
