# SPDX-License-Identifier: GPL-3.0-or-later
"""A terrain as numbers, and what lies around it in a picture."""

from __future__ import annotations

from dataclasses import dataclass

import bpy
import numpy as np
from mathutils import Vector

_AROUND = 4.0
"""Widths that made-up lowlands reach beyond the terrain."""

_FLATTER = 0.18
"""Widths after which lowlands have lost most of the border's bumps."""


@dataclass(frozen=True)
class Land:
    """A terrain as numbers.

    Attributes
    ----------
    thing : Object
        The terrain.
    points : ndarray of shape (rows * columns, 3), float32
        Its vertices, around its own origin.
    height : ndarray of shape (rows, columns), float32
        In meters.
    low, high : float
        Between which nearly all of it lies.
    """

    thing: bpy.types.Object
    points: np.ndarray
    height: np.ndarray
    low: float
    high: float

    @classmethod
    def of(cls, thing: bpy.types.Object) -> Land:
        """Return that of a terrain as Terrane adds it: row by row from the smallest y on."""
        points = positions(thing.data)
        columns = int(np.argmax(points[1:, 1] > points[:-1, 1])) + 1
        height = points[:, 2].reshape(-1, columns)
        low, high = (float(one) for one in np.quantile(height, (0.005, 0.995)))
        return cls(thing, points, height, low, max(high, low + 1e-3))

    @property
    def width(self) -> float:
        """Along x, in meters."""
        return float(np.ptp(self.points[:, 0]))

    @property
    def depth(self) -> float:
        """Along y, in meters."""
        return float(np.ptp(self.points[:, 1]))

    @property
    def place(self) -> Vector:
        """Where its origin lies."""
        return self.thing.location.copy()

    def attribute(self, name: str) -> np.ndarray | None:
        """Return the numbers stored on the vertices, of shape (rows, columns), if they are there."""
        found = self.thing.data.attributes.get(name)
        if found is None or found.data_type != "FLOAT" or found.domain != "POINT":
            return None
        values = np.empty(len(found.data), np.float32)
        found.data.foreach_get("value", values)
        return values.reshape(self.height.shape)

    def at(self, x: float, y: float, surface: np.ndarray) -> Vector:
        """Return the point of a surface at a place given in widths and depths, from 0 to 1.

        Beyond the terrain the surface is taken as high as at its border.
        """
        rows, columns = self.height.shape
        row = round(min(max(y, 0.0), 1.0) * (rows - 1))
        column = round(min(max(x, 0.0), 1.0) * (columns - 1))
        level = float(surface[row, column])
        return self.place + Vector(((x - 0.5) * self.width, (y - 0.5) * self.depth, level))


def positions(mesh: bpy.types.Mesh) -> np.ndarray:
    """Return the vertices of a mesh, shape (count, 3), float32."""
    values = np.empty(len(mesh.vertices) * 3, np.float32)
    mesh.attributes["position"].data.foreach_get("vector", values)
    return values.reshape(-1, 3)


def quad_mesh(name: str, points: np.ndarray, faces: np.ndarray) -> bpy.types.Mesh:
    """Return a mesh of squares: points of shape (count, 3), faces of shape (count, 4)."""
    mesh = bpy.data.meshes.new(name)
    mesh.vertices.add(len(points))
    mesh.loops.add(faces.size)
    mesh.polygons.add(len(faces))
    mesh.vertices.foreach_set("co", points.astype(np.float32).reshape(-1))
    mesh.loops.foreach_set("vertex_index", faces.astype(np.int32).reshape(-1))
    mesh.polygons.foreach_set("loop_start", np.arange(0, faces.size, 4, dtype=np.int32))
    mesh.update(calc_edges=True)
    return mesh


def mirror(land: Land, things: list[bpy.types.Object], reach: int) -> None:
    """Surround a terrain with mirror images of itself, which meet it without a step."""
    for row in range(-reach, reach + 1):
        for column in range(-reach, reach + 1):
            if row == 0 == column:
                continue
            for thing in things:
                image = bpy.data.objects.new(f"{thing.name} {row} {column}", thing.data)
                image.scale = (-1.0 if column % 2 else 1.0, -1.0 if row % 2 else 1.0, 1.0)
                image.location = thing.location + Vector(
                    (column * land.width, row * land.depth, 0.0)
                )
                bpy.context.collection.objects.link(image)


def add_lowlands(land: Land) -> None:
    """Surround a terrain with ground that begins with the heights of its border."""
    near = np.linspace(0.0, 1.0, 257)
    far = _FLATTER * (np.expm1(np.linspace(0.0, 1.0, 120)[1:] * np.log1p(_AROUND / _FLATTER)))
    axis = np.concatenate([-far[::-1], near, 1.0 + far])
    x, y = np.meshgrid(axis, axis)
    rows, columns = land.height.shape
    inside_x, inside_y = np.clip(x, 0.0, 1.0), np.clip(y, 0.0, 1.0)
    border = land.height[
        np.rint(inside_y * (rows - 1)).astype(int), np.rint(inside_x * (columns - 1)).astype(int)
    ]
    away = np.hypot(x - inside_x, y - inside_y)
    edge = np.concatenate([land.height[0], land.height[-1], land.height[:, 0], land.height[:, -1]])
    level = float(np.quantile(edge, 0.3))
    height = level + (border - level) * np.exp(-away / _FLATTER)
    places = np.stack([(x - 0.5) * land.width, (y - 0.5) * land.depth, height], axis=-1)
    first = np.arange(places[..., 0].size).reshape(x.shape)[:-1, :-1]
    outside = np.maximum(away[:-1, :-1], away[1:, 1:]) > 0.0
    first = first[outside]
    width = x.shape[1]
    faces = np.stack([first, first + 1, first + width + 1, first + width], axis=1)
    mesh = quad_mesh("Lowlands", places.reshape(-1, 3), faces)
    mesh.shade_smooth()
    mesh.materials.append(land.thing.data.materials[0])
    thing = bpy.data.objects.new("Lowlands", mesh)
    thing.location = land.place
    bpy.context.collection.objects.link(thing)
