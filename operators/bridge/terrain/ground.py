# SPDX-License-Identifier: GPL-3.0-or-later
"""Conversion between the vertices of a mesh and a height field in meters."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import bpy
import numpy as np

from ....noise_core.base.arrays import Field
from ....noise_core.base.errors import Message, ParameterError
from ....noise_core.base.grid import Grid
from ..datablocks import images
from ..datablocks.grid_recognition import MeshFaces, Plane, VertexGrid
from ..datablocks.grid_resampling import SquareCells, resample_field
from ..datablocks.meshes import Positions, mesh_of
from ..datablocks.vertex_groups import Weights
from ..schema import masks

LocalHeights = Weights
"""One height per vertex, along the mesh's own Z axis, in its own units."""


@dataclass(frozen=True)
class Ground:
    """Mapping between the vertices of a mesh and a height field.

    Attributes
    ----------
    vertex_grid : VertexGrid
        The order of the vertices.
    cells : SquareCells
        Grid of the height field.
    unit : float
        Meters that one local unit along Z is long in the object's scale.
    """

    vertex_grid: VertexGrid
    cells: SquareCells
    unit: float

    @classmethod
    def of(cls, thing: bpy.types.Object, positions: Positions) -> Ground:
        """Return the ground of a mesh object, which is not in Edit Mode.

        Raises
        ------
        ParameterError
            If it is not a regular grid seen from above.
        """
        return cls.read(thing, positions)()

    @classmethod
    def read(cls, thing: bpy.types.Object, positions: Positions) -> Callable[[], Ground]:
        """Read a mesh object, and return a function that recognizes its ground as `of` does, in any thread."""
        faces, name = MeshFaces.of(mesh_of(thing), positions), thing.name
        turned = np.array(thing.matrix_world, np.float64)[:3, :3]

        def recognize() -> Ground:
            found = faces.vertex_grid()
            step_x, step_y, unit = steps(name, turned, found)
            return cls(found, SquareCells.of(found.rows, found.columns, step_x, step_y), unit)

        return recognize

    @property
    def grid(self) -> Grid:
        """The grid of the height field."""
        return self.cells.grid

    def heights(self, local: LocalHeights) -> Field:
        """Return the heights in meters as a field."""
        return self.spread(local * np.float32(self.unit))

    def spread(self, values: Weights) -> Field:
        """Return values of the vertices as a field on the grid."""
        return self.cells.spread(self.vertex_grid.field(values))

    def own(self, field: Field) -> Field:
        """Return a field of any number of channels, resampled to the mesh's rows and columns."""
        if field.ndim == 2:
            return self.cells.gather(field)
        channels = range(field.shape[2])
        return np.stack([self.cells.gather(field[..., one]) for one in channels], axis=2)

    def vertices(self, own: Field) -> Weights:
        """Return a field on the mesh's rows and columns as values of the vertices: (vertices,) or (vertices, channels)."""
        return own.reshape(-1, *own.shape[2:])[self.vertex_grid.places]

    def apply_change(self, local: LocalHeights, before: Field, after: Field) -> LocalHeights:
        """Return local heights with the changes of a field applied; exact where it is unchanged."""
        if self.cells.are_square and self.unit == 1.0:
            return self.vertex_grid.values(after)
        return local + self.vertices(self.own(after - before)) / np.float32(self.unit)


def steps(name: str, turned: Plane, grid: VertexGrid) -> tuple[float, float, float]:
    """Return the lengths of grid steps in meters, in an object's scale.

    Parameters
    ----------
    name : str
        Name of the object.
    turned : ndarray of shape (3, 3), float64
        Its rotation and scale in the world.
    grid : Lattice
        Grid of its mesh.

    Returns
    -------
    tuple of three floats
        From one column to the next, from one row to the next, and one unit of local Z.

    Raises
    ------
    ParameterError
        If the object's scale is 0 along one of these.
    """
    axes = np.array((grid.across, grid.along, (0.0, 0.0, 1.0)))
    lengths = np.linalg.norm(axes @ turned.T, axis=1)
    if not (np.isfinite(lengths).all() and lengths.min() > 0.0):
        raise ParameterError("{}: its scale must not be 0", name)
    return float(lengths[0]), float(lengths[1]), float(lengths[2])


def read_mask(thing: bpy.types.Object, name: str) -> Callable[[Ground], Field] | None:
    """Read a mask, and return a function that resamples it to a ground, from 0 to 1, in any thread.

    Returns
    -------
    callable or None
        None if no name is given.

    Raises
    ------
    ParameterError
        If there is neither a vertex group nor a float attribute nor an image of that name.
    """
    if not name:
        return None
    values = masks.weights(thing, name)
    if values is not None:
        # Cubic interpolation may overshoot.
        return lambda ground: np.clip(ground.spread(values), 0.0, 1.0)
    shown = _image(name, Message("a vertex group, a float attribute or an image"))
    return lambda ground: resample_field(shown, ground.grid.shape, is_smooth=False)


def image_mask(name: str, grid: Grid) -> Field:
    """Return an image, from 0 to 1, stretched over a grid.

    Raises
    ------
    ParameterError
        If no image has that name, or it has no pixels.
    """
    return resample_field(_image(name, Message("an image")), grid.shape, is_smooth=False)


def _image(name: str, what: str) -> Field:
    image = bpy.data.images.get(name)
    if image is None:
        raise ParameterError("mask must name {}; got {!r}", what, name)
    return np.clip(images.unsigned_pixels(image), 0.0, 1.0)
