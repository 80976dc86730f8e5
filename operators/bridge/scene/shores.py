# SPDX-License-Identifier: GPL-3.0-or-later
"""Distance of a sea's vertices from the shore, on any mesh: along the edges and diagonals of its faces."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np
import numpy.typing as npt

from ....noise_core.base.arrays import Field
from ..datablocks import meshes
from ..datablocks.polygons import Numbers
from .water_meshes import COURSE, FLOW


@dataclass(frozen=True)
class Surf:
    """Surf of a sea that goes on around a terrain.

    Attributes
    ----------
    water : Mesh
        The water over the terrain.
    reach : float
        Meters from the shore within which waves break.
    """

    water: bpy.types.Mesh
    reach: float

    def around(
        self, places: meshes.Positions, depth: Field, faces: tuple[Numbers, Numbers]
    ) -> Field:
        """Return how near to the shore each vertex of the sea around is: 1 on land, 0 from `reach` on.

        Ways along edges and diagonals are up to a twelfth longer than straight ones.

        Parameters
        ----------
        places : ndarray of shape (vertices, 3), float32
        depth : ndarray of shape (vertices,), float32
            Negative on land.
        faces : tuple of two ndarrays of int32
            The corners of all faces, and how many each has.
        """
        first, second, way = self._ways(places, depth, faces)
        known, reach = nearness_on(self.water, places), self.reach
        far = np.where(depth > 0.0, np.float32(np.inf), np.float32(0.0))
        far = np.minimum(far, np.where(known > 0.0, (1.0 - known) * reach, np.inf))
        is_new = far < reach
        while is_new.any():
            here = is_new[first]
            before = far.copy()
            np.minimum.at(far, second[here], before[first[here]] + way[here])
            is_new = (far < before) & (far < reach)
        near = np.maximum(1.0 - far / reach, 0.0)
        return near.astype(np.float32)

    def _ways(
        self, places: meshes.Positions, depth: Field, faces: tuple[Numbers, Numbers]
    ) -> tuple[Numbers, Numbers, Field]:
        """Return ways between vertices on which waves may break, and how long each is."""
        first, second = _pairs(*faces)
        is_shallow = np.minimum(depth[first], depth[second]) < self.reach
        first, second = first[is_shallow], second[is_shallow]
        long = np.hypot(*(places[first, :2] - places[second, :2]).T)
        # From land to water the way begins at the shore between them.
        rise, fall = np.maximum(-depth[first], 0.0), np.maximum(depth[second], np.float32(1e-6))
        return first, second, np.where(rise > 0.0, long * fall / (rise + fall), long)


def _pairs(corners: Numbers, counts: Numbers) -> tuple[Numbers, Numbers]:
    """Return the vertices of each edge and each diagonal of all faces, both ways."""
    starts = np.cumsum(counts, dtype=np.int32) - counts
    ends = []
    for low, high in itertools.combinations(range(int(counts.max(initial=0))), 2):
        begin = starts[counts > high]
        ends.append((corners[begin + low], corners[begin + high]))
    one, other = (np.concatenate(both) for both in zip(*ends))
    return np.concatenate((one, other)), np.concatenate((other, one))


def nearness_on(water: bpy.types.Mesh, places: meshes.Positions) -> Field:
    """Return how near to the shore the vertices of a mesh of water are, at places that some of them share; 0 elsewhere."""
    found = np.zeros(len(places), np.float32)
    attributes: Any = water.attributes
    if not (len(water.vertices) and {COURSE, FLOW} <= set(attributes.keys())):
        return found
    course, flow = (meshes.read_values(attributes[name]) for name in (COURSE, FLOW))
    still = ~flow.any(axis=1)
    own = _keys(meshes.positions_of(water)[still])
    order = np.argsort(own)
    wanted = _keys(places)
    at = order[np.minimum(np.searchsorted(own, wanted, sorter=order), len(own) - 1)]
    is_same = own[at] == wanted
    found[is_same] = course[still][at[is_same], 2]
    return found


def _keys(places: meshes.Positions) -> npt.NDArray[np.uint64]:
    """Return a number for each place, the same for the same x and y."""
    return np.ascontiguousarray(places[:, :2]).view(np.uint64)[:, 0]
