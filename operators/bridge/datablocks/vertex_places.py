# SPDX-License-Identifier: GPL-3.0-or-later
"""Order of a terrain's vertices: that of the grid's rows, or a user's own, which an attribute maps to it.

Terrane builds meshes row by row. A mesh of the user's keeps its vertices in any order: an attribute holds the
place of each vertex in the raveled grid.
"""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np
import numpy.typing as npt

from . import meshes

ATTRIBUTE = "terrane_place"
"""Name of the attribute, which meshes in the order of rows do not have."""

Places = npt.NDArray[np.int32]
Values = npt.NDArray[Any]


def read(mesh: bpy.types.Mesh) -> Places | None:
    """Return the place of each vertex in the raveled grid; None if vertices lie in the order of rows."""
    attribute = mesh.attributes.get(ATTRIBUTE)
    if attribute is None or (attribute.data_type, attribute.domain) != ("INT", "POINT"):
        return None
    return np.ascontiguousarray(meshes.read_values(attribute)[:, 0])


def store(mesh: bpy.types.Mesh, places: npt.NDArray[np.int64]) -> None:
    """Store the places unless they are the order of rows."""
    if not np.array_equal(places, np.arange(len(places), dtype=np.int64)):
        meshes.add_attribute(mesh, ATTRIBUTE, "INT", "POINT")
        meshes.layer_data(mesh, ATTRIBUTE).foreach_set("value", places.astype(np.int32))


def in_rows(mesh: bpy.types.Mesh, values: Values) -> Values:
    """Return values of a mesh's vertices in the order of the grid's rows."""
    return order(values, read(mesh))


def order(values: Values, places: Places | None) -> Values:
    """Return values of vertices with such places, of any number of components, in the order of the rows."""
    if places is None:
        return values
    ordered = np.empty_like(values)
    ordered[places] = values
    return ordered
