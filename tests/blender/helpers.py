# SPDX-License-Identifier: GPL-3.0-or-later
"""Helpers of the tests in Blender: terrains, the numbers of meshes, and the pixels of images.

Each test file states the terrain that it needs; these functions make it and read it, and raise where Blender
gives no result. They read vertices and pixels by Blender's own interface, not by functions under test.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
import numpy as np
import numpy.typing as npt

from tests.blender.extension import module

Floats = npt.NDArray[np.float32]

# --- terrains ------------------------------------------------------------------------------------


def add_terrain(**keywords: object) -> bpy.types.Object:
    """Add a terrain by its operator; return the object."""
    assert bpy.ops.terrane.terrain_add(**keywords) == {"FINISHED"}
    return bpy.context.active_object


def add_fractal_terrain(**keywords: object) -> bpy.types.Object:
    """Add a terrain of Perlin noise in four octaves, with 65 samples a side; return the object."""
    plain = {"noise": "perlin", "fractal": "fbm", "octaves": 4, "frequency": 3, "resolution": 65}
    return add_terrain(**{**plain, **keywords})


def update_terrain(**keywords: object) -> None:
    """Update the active terrain by its operator."""
    assert bpy.ops.terrane.terrain_update(**keywords) == {"FINISHED"}


def read_recipe(obj: bpy.types.Object) -> Any:
    """Return the recipe of an object's settings."""
    return module("operators.bridge.schema.settings").read(obj.terrane)


def mesh_record(obj: bpy.types.Object) -> Any:
    """Return the record of a terrain's build, None if its mesh has none."""
    return module("operators.bridge.terrain.mesh_record").of(obj.data)


def activate(obj: bpy.types.Object | None) -> None:
    """Make an object the active one."""
    bpy.context.view_layer.objects.active = obj


def part(name: str, parent: bpy.types.Object | None = None) -> bpy.types.Object | None:
    """Return the part of the scene, or of one terrain or planet, with a name such as "water"."""
    objects = bpy.context.scene.objects if parent is None else parent.children
    return next((obj for obj in objects if obj.get("terrane_part") == name), None)


# --- meshes --------------------------------------------------------------------------------------


def positions(mesh: bpy.types.Mesh) -> Floats:
    """Return the positions of a mesh's vertices, shape (vertices, 3)."""
    if not len(mesh.vertices):  # some versions have no such attribute then
        return np.empty((0, 3), np.float32)
    return attribute_values(mesh, "position")


def heights(obj: bpy.types.Object) -> Floats:
    """Return the height of each vertex of an object's mesh, in its own units."""
    return positions(obj.data)[:, 2].copy()


def height_grid(obj: bpy.types.Object) -> Floats:
    """Return the heights of a terrain in the rows and columns of its grid."""
    record = mesh_record(obj)
    return heights(obj).reshape(record.details["rows"], record.details["columns"])


def attribute_values(mesh: bpy.types.Mesh, name: str) -> Floats:
    """Return an attribute of floats or vectors, shape (elements,) or (elements, 3)."""
    attribute = mesh.attributes[name]
    if attribute.data_type == "FLOAT":
        values = np.empty(len(attribute.data), np.float32)
        attribute.data.foreach_get("value", values)
        return values
    values = np.empty((len(attribute.data), 3), np.float32)
    attribute.data.foreach_get("vector", values.ravel())
    return values


def attribute_names(obj: bpy.types.Object) -> set[str]:
    """Return the names of a mesh's attributes."""
    return {attribute.name for attribute in obj.data.attributes}


def evaluated(obj: bpy.types.Object) -> bpy.types.Object:
    """Return an object with the results of its modifiers and drivers."""
    return obj.evaluated_get(bpy.context.evaluated_depsgraph_get())


# --- images --------------------------------------------------------------------------------------


def pixels(image: bpy.types.Image) -> Floats:
    """Return the pixels of an image, shape (rows, columns, channels), the lowest row first."""
    values = np.empty(len(image.pixels), np.float32)
    image.pixels.foreach_get(values)
    return values.reshape(image.size[1], image.size[0], image.channels)


def colors(image: bpy.types.Image) -> Floats:
    """Return the red, green and blue of an image, shape (rows, columns, 3)."""
    return pixels(image)[..., :3]


def load_pixels(path: Path | str, color_space: str = "") -> Floats:
    """Return the pixels of a file, shape (rows, columns, channels), in its own color space unless told."""
    image = bpy.data.images.load(str(path), check_existing=False)
    if color_space:
        image.colorspace_settings.name = color_space
    values = pixels(image)
    bpy.data.images.remove(image)
    return values


def new_image(**keywords: object) -> bpy.types.Image:
    """Make an image by its operator; return the image."""
    images_before = set(bpy.data.images)
    assert bpy.ops.terrane.image_new(**keywords) == {"FINISHED"}
    (image,) = set(bpy.data.images) - images_before
    return image
