# SPDX-License-Identifier: GPL-3.0-or-later
"""Chunks of a mesh that is a grid as objects, at several levels of detail that fit together without cracks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np
import numpy.typing as npt

from ....noise_core.base.arrays import Field
from ....noise_core.base.blocks import Cancel, Progress, cancellable
from ....noise_core.base.errors import ParameterError, TerraneError
from ....noise_core.io.targets.bases.mesh_target import MeshTarget
from ....noise_core.landscapes.grid_meshes import recognition, right_triangles
from ..datablocks import editing, materials, meshes
from ..datablocks.ground import Ground
from ..datablocks.polygons import PolygonMesh
from ..datablocks.ref import Ref
from ..tasks.jobs import Work

Places = npt.NDArray[np.int64]

_CORNERS = (0.0, 1.0)


@dataclass(frozen=True)
class Viewpoint:
    """Place from which each chunk needs one level.

    Attributes
    ----------
    place : tuple of three floats
        In the space of the object.
    angle : float
        Of a pixel, in radians.
    unit : float
        Meters of a local unit of the object.
    """

    place: tuple[float, float, float]
    angle: float
    unit: float

    def level(self, positions: Field, errors: Sequence[float]) -> int:
        """Return the coarsest level of a chunk that is off by less than a pixel."""
        low, high = positions.min(axis=0), positions.max(axis=0)
        place = np.array(self.place, np.float64)
        away = float(np.linalg.norm(place - np.clip(place, low, high))) * self.unit
        return sum(error <= away * self.angle for error in errors[1:])


@dataclass(frozen=True)
class LevelObject:
    """A chunk at one level.

    Attributes
    ----------
    level, column, row : int
    mesh : PolygonMesh
    vertices : ndarray of shape (vertices,), int64
        Those of the source that it has.
    coordinates : ndarray of shape (corners, 2), float32
        From 0 to 1 over all of the land.
    """

    level: int
    column: int
    row: int
    mesh: PolygonMesh
    vertices: Places
    coordinates: Field


@dataclass(frozen=True)
class SourceLayers:
    """What chunks take over from the vertices of their source.

    Attributes
    ----------
    normals : ndarray of shape (vertices, 3), float32
    attributes : mapping of str to a type and an ndarray
    """

    normals: Field
    attributes: Mapping[str, tuple[str, Field]]

    @classmethod
    def of(cls, mesh: bpy.types.Mesh) -> SourceLayers:
        """Read those of a mesh that is not in Edit Mode."""
        kinds = meshes.smooth_attributes(mesh)
        return cls(
            meshes.normals_of(mesh),
            {name: (kind, meshes.read_layer(mesh, name).values) for name, kind in kinds.items()},
        )


def work(
    obj: bpy.types.Object, chunks: tuple[int, int], levels: MeshTarget, view: Viewpoint | None
) -> Work:
    """Return the work that makes the meshes of all chunks: a list of `LevelObject`.

    Parameters
    ----------
    obj : Object
        A mesh that is a grid, with its active shape key.
    chunks : tuple of two ints
        Along x and along y.
    levels : MeshTarget
        Its levels and their errors.
    view : Viewpoint, optional
        For one level for each chunk instead of all.
    """
    with editing.object_mode(bpy.context, obj):
        positions = meshes.present_positions(obj)
        recognition.check_positions(obj.name, positions)
        recognize = Ground.read(obj, positions)

    def make(progress: Progress, cancel: Cancel) -> list[LevelObject]:
        with cancellable(cancel):
            ground = recognize()
            grid = ground.vertex_grid
            for count, side in zip(chunks, (grid.columns, grid.rows)):
                if side - 1 < count:
                    raise ParameterError("tiles must be at most {}, the cells", side - 1, got=count)
            numbers = np.empty(grid.rows * grid.columns, np.int64)
            numbers[grid.places] = np.arange(len(positions), dtype=np.int64)
            source = _LevelSource(
                positions,
                numbers.reshape(grid.rows, grid.columns),
                ground.unit,
                ground.cells.grid.spacing,
            )
            found = []
            parts = list(source.parts(chunks))
            for done, (column, row, part) in enumerate(parts, 1):
                found += source.meshes(column, row, part, levels, view)
                progress(done / len(parts))
            return found

    return make


@dataclass(frozen=True)
class _LevelSource:
    """A mesh as a grid.

    Attributes
    ----------
    positions : ndarray of shape (vertices, 3), float32
    numbers : ndarray of shape (rows, columns), int64
        Of the vertices.
    unit : float
        Meters of a local unit along Z.
    spacing : float
        Meters between neighbors.
    """

    positions: Field
    numbers: Places
    unit: float
    spacing: float

    def parts(self, chunks: tuple[int, int]) -> Iterator[tuple[int, int, Places]]:
        """Yield the column and the row of each chunk, and the numbers of its vertices on its grid."""
        rows, columns = self.numbers.shape
        ends = [
            [round(number * (side - 1) / count) for number in range(count + 1)]
            for count, side in zip(chunks, (columns, rows))
        ]
        for row, (south, north) in enumerate(zip(ends[1], ends[1][1:])):
            for column, (west, east) in enumerate(zip(ends[0], ends[0][1:])):
                yield column, row, self.numbers[south : north + 1, west : east + 1]

    def meshes(
        self, column: int, row: int, part: Places, levels: MeshTarget, view: Viewpoint | None
    ) -> Iterator[LevelObject]:
        """Yield the meshes of a chunk: of all levels, or of the one that a viewpoint needs."""
        errors = levels.errors(self.spacing)
        wanted: Sequence[int] = range(len(errors))
        if view is not None:
            wanted = [view.level(self.positions[part.reshape(-1)], errors)]
        heights = self.positions[part, 2] * np.float32(self.unit)
        triangles = right_triangles.RightTriangles(heights, largest=max(errors))
        for level in wanted:
            found = triangles.triangulate(errors[level])
            vertices = part.reshape(-1)[found.vertices]
            corners = np.ascontiguousarray(found.triangles).reshape(-1)
            counts = np.full(len(found.triangles), 3, np.int32)
            mesh = PolygonMesh.of(self.positions[vertices], corners, counts, {})
            yield LevelObject(
                level, column, row, mesh, vertices, self._coordinates(vertices)[corners]
            )

    def _coordinates(self, vertices: Places) -> Field:
        """Return where vertices lie over the land: from 0 to 1."""
        rows, columns = self.numbers.shape
        south_west, south_east, north_west = (
            self.positions[self.numbers[row, column], :2].astype(np.float64)
            for row, column in ((0, 0), (0, columns - 1), (rows - 1, 0))
        )
        across, along = south_east - south_west, north_west - south_west
        offset = self.positions[vertices, :2] - south_west
        shares = [(offset * axis).sum(axis=1) / (axis * axis).sum() for axis in (across, along)]
        return np.clip(np.stack(shares, axis=-1), *_CORNERS).astype(np.float32)


def add(
    context: bpy.types.Context, obj: bpy.types.Object, title: str, found: Sequence[LevelObject]
) -> bpy.types.Collection:
    """Add a collection of objects beside an object: of each level one collection, of which the finest shows.

    Nothing is left of it if that fails.

    Raises
    ------
    TerraneError
        If the object has other vertices by now.
    """
    source = meshes.mesh_of(obj)
    if max(int(part.vertices.max()) for part in found) >= len(source.vertices):
        raise TerraneError("{} was changed meanwhile", obj.name)
    with editing.object_mode(context, obj), ExitStack() as undo:
        layers = SourceLayers.of(source)
        home = bpy.data.collections.new(title)
        undo.callback(_discard, Ref.of(home))
        context.scene.collection.children.link(home)
        levels = {part.level for part in found}
        homes = {level: home for level in levels}
        if len(levels) > 1 and any(part.level == 0 for part in found):
            homes = {level: _child(home, f"{title} {level}") for level in sorted(levels)}
        for part in found:
            homes[part.level].objects.link(_object(obj, part, layers))
        undo.pop_all()
    return home


def show_finest(context: bpy.types.Context, home: bpy.types.Collection) -> None:
    """Hide all levels but the finest, and the source is left as it is."""
    for child in list(home.children)[1:]:
        child.hide_viewport = child.hide_render = True


def _child(home: bpy.types.Collection, name: str) -> bpy.types.Collection:
    child = bpy.data.collections.new(name)
    home.children.link(child)
    return child


def _object(obj: bpy.types.Object, part: LevelObject, layers: SourceLayers) -> bpy.types.Object:
    """Return a new object with a chunk, the materials and the attributes of its source."""
    name = f"{obj.name}_x{part.column}_y{part.row}_LOD{part.level}"
    mesh = bpy.data.meshes.new(name)
    part.mesh.write(mesh)
    meshes.add_uv_map(mesh, part.coordinates)
    for attribute, (kind, values) in layers.attributes.items():
        meshes.add_values(mesh, attribute, kind, values[part.vertices])
    materials.copy_materials(meshes.mesh_of(obj), mesh)
    normals: Any = layers.normals[part.vertices]
    mesh.normals_split_custom_set_from_vertices(normals)
    added = bpy.data.objects.new(name, mesh)
    added.matrix_world = obj.matrix_world
    return added


def _discard(home: Ref[bpy.types.Collection]) -> None:
    """Remove a collection that was just added, with all that is in it."""
    found = home.find()
    if found is None:
        return
    for obj in list(found.all_objects):
        mesh = meshes.mesh_of(obj)
        bpy.data.objects.remove(obj)
        bpy.data.meshes.remove(mesh)
    for child in list(found.children_recursive):
        bpy.data.collections.remove(child)
    bpy.data.collections.remove(found)


def viewpoint(context: bpy.types.Context, obj: bpy.types.Object, unit: float) -> Viewpoint:
    """Return the viewpoint of the scene's camera.

    Parameters
    ----------
    unit : float
        Meters of one of Blender's units.

    Raises
    ------
    TerraneError
        If the scene has no camera, or one without perspective.
    """
    camera: Any = context.scene.camera
    if camera is None or camera.data.type != "PERSP":
        raise TerraneError("Far Meshes needs a camera with perspective in the scene")
    place: Any = obj.matrix_world.inverted_safe() @ camera.matrix_world.translation
    pixels = max(context.scene.render.resolution_x, context.scene.render.resolution_y)
    factors: Any = obj.matrix_world.to_scale()
    scale = min(map(abs, factors))
    return Viewpoint(tuple(place), camera.data.angle / pixels, scale * unit)
