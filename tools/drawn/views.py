# SPDX-License-Identifier: GPL-3.0-or-later
"""Views of drawn land, rendered by Blender's Python module: the landscape that Terrane makes of a recipe, and ink."""

from __future__ import annotations

import functools
import importlib
import json
import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tools")]

import blender_module  # noqa: E402  (found through the path set above)

from noise_core import CurvePoint, LandCurve, Recipe  # noqa: E402
from noise_core.curves.chains import chain_of  # noqa: E402
from noise_core.landscapes.look import Look  # noqa: E402
from noise_core.landscapes.scene import Camera  # noqa: E402

BUILD = ROOT / "build" / "drawn"
SAMPLES = 16
"""Of a pixel; the noise that is left is removed."""

COARSE = 257
"""Vertices of a land that only says how high a camera stands."""

RED, BLUE, WHITE = (0.80, 0.06, 0.02), (0.02, 0.16, 0.75), (0.85, 0.85, 0.80)
"""Colors of ink: ridges, rivers, and what has no other color."""

Color = tuple[float, float, float]


@dataclass(frozen=True, kw_only=True)
class Ink:
    """Curves that a picture shows.

    Attributes
    ----------
    curves : sequence of LandCurve
    color : tuple of 3 floats
        Linear.
    floats : bool
        Whether they hang at the heights of their points; else they lie on the ground.
    width : float
        As a share of the land's.
    """

    curves: Sequence[LandCurve]
    color: Color
    floats: bool = False
    width: float = 0.0035


@dataclass(frozen=True, kw_only=True)
class View:
    """A land, how it looks, and what else is seen.

    Attributes
    ----------
    recipe : Recipe
    look : Look
    ink : sequence of Ink
    resolution : int
        Vertices along the longer side of the land.
    pixels : tuple of 2 ints
    samples : int
        Of a pixel.
    camera_over : Recipe, optional
        Land over which the camera stands, if it is another one: for pictures of the same place before and after.
    add : callable, optional
        Adds objects to the scene, or draws on the land.
    """

    recipe: Recipe
    look: Look
    ink: Sequence[Ink] = ()
    resolution: int = 769
    pixels: tuple[int, int] = (960, 540)
    samples: int = SAMPLES
    camera_over: Recipe | None = None
    add: Callable[[], None] | None = None


def curve(
    *rows: tuple[float, ...], width: float = 0.0, closed: bool = False, z: float = 0.0
) -> LandCurve:
    """Return a smooth curve through places in tiles, which may have heights in meters."""
    places = np.array([(*row, z)[:3] for row in rows])
    last = len(places) - 1
    points = []
    for number, place in enumerate(places):
        if closed:
            before, after = places[number - 1], places[(number + 1) % len(places)]
        else:
            before, after = places[max(number - 1, 0)], places[min(number + 1, last)]
        way = (after - before) / 6.0
        points.append(
            CurvePoint(
                at=(float(place[0]), float(place[1])),
                z=float(place[2]),
                width=width,
                left=tuple((place - way).tolist()),
                right=tuple((place + way).tolist()),
            )
        )
    return LandCurve(points=points, closed=closed)


def look_of(**plain: Any) -> Look:
    """Return a look of the plain values that presets have."""
    return Look.from_plain(plain)


def height_at(height: np.ndarray, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return heights between samples, at places in tiles."""
    rows, columns = height.shape
    column = np.clip(x * (columns - 1), 0, columns - 1.001)
    row = np.clip(y * (columns - 1), 0, rows - 1.001)
    i, j = row.astype(int), column.astype(int)
    v, u = row - i, column - j
    low = height[i, j] * (1 - u) + height[i, j + 1] * u
    high = height[i + 1, j] * (1 - u) + height[i + 1, j + 1] * u
    result: np.ndarray = low * (1 - v) + high * v
    return result


def render(view: View, name: str) -> Path:
    """Render a view into the build folder; return the picture's path."""
    import bpy

    bpy.ops.wm.read_homefile(use_empty=True)
    _save_preset(view)
    bpy.ops.terrane.landscape_add(preset="drawn_land", resolution=view.resolution)
    if view.ink:
        height = _shown_heights()
        for ink in view.ink:
            _add_ink(ink, height, view.recipe.size)
    if view.add is not None:
        view.add()
    if view.camera_over is not None:
        _place_camera(view.look.camera, view.camera_over)
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.cycles.samples, scene.cycles.use_denoising = view.samples, True
    scene.cycles.use_adaptive_sampling = True
    scene.render.resolution_x, scene.render.resolution_y = view.pixels
    scene.render.resolution_percentage = 100
    scene.render.image_settings.file_format = "PNG"
    path = BUILD / f"{name}.png"
    scene.render.filepath = str(path)
    bpy.ops.render.render(write_still=True)
    return path


@functools.lru_cache(maxsize=8)
def _coarse_heights(recipe: str) -> np.ndarray:
    """Return the heights of a recipe in JSON that say how high a camera stands."""
    land = Recipe.from_json(recipe)
    height: np.ndarray = land.evaluate(land.grid(COARSE)).height
    return height


def _shown_heights() -> np.ndarray:
    """Return the heights of the terrain of the scene."""
    import bpy

    terrain = next(obj for obj in bpy.context.scene.objects if obj.terrane.is_terrain)
    places = np.empty(3 * len(terrain.data.vertices), np.float32)
    terrain.data.vertices.foreach_get("co", places)
    side = math.isqrt(len(terrain.data.vertices))
    return places[2::3].reshape(side, side)


def _place_camera(camera: Camera, recipe: Recipe) -> None:
    """Put the camera where it would stand over another land."""
    import bpy
    from mathutils import Vector

    height = _coarse_heights(recipe.to_json())

    def place(at: tuple[float, ...], above: float) -> Vector:
        ground = height_at(height, *(np.clip(np.array([share]), 0.0, 1.0) for share in at))
        x, y = ((share - 0.5) * recipe.size for share in at)
        return Vector((x, y, float(ground[0]) + above * recipe.size))

    eye, target = place(camera.eye, camera.lift), place(camera.target, camera.aim)
    obj = bpy.context.scene.camera
    obj.rotation_mode = "XYZ"
    obj.rotation_euler = (target - eye).to_track_quat("-Z", "Y").to_euler()
    obj.location = eye


def _save_preset(view: View) -> None:
    """Save the land as a preset of the profile, which has a look of its own."""
    package = blender_module.EXTENSION
    library = importlib.import_module(f"{package}.noise_core.landscapes.preset_library")
    presets = importlib.import_module(f"{package}.operators.bridge.schema.presets")
    plain = {
        "label": "Drawn Land",
        "description": "Land of the documentation",
        "look": view.look.to_plain(),
        "recipe": json.loads(view.recipe.to_json()),
    }
    presets.save(library.parse_preset("drawn_land", json.dumps(plain)), overwrite=True)


def paint(name: str, color: Color, roughness: float = 0.8, glow: float = 0.0) -> Any:
    """Return a plain material."""
    import bpy

    material = bpy.data.materials.new(name)
    if material.node_tree is None:
        material.use_nodes = True
    shader = material.node_tree.nodes["Principled BSDF"]
    shader.inputs["Base Color"].default_value = (*color, 1.0)
    shader.inputs["Roughness"].default_value = roughness
    shader.inputs["Emission Color"].default_value = (*color, 1.0)
    shader.inputs["Emission Strength"].default_value = glow
    return material


def _add_ink(ink: Ink, height: np.ndarray, size: float) -> None:
    import bpy

    material = paint("Ink", ink.color, 0.6, 0.6)
    for each in ink.curves:
        vertices = chain_of(each, size, size * 2e-4).vertices
        x, y = vertices[:, 0], vertices[:, 1]
        if not ink.floats:
            x, y = _closer(x, y, 1.0 / 400.0)
            inside = (x >= 0) & (x <= 1) & (y >= 0) & (y <= 1)
            x, y = x[inside], y[inside]
        z = vertices[:, 2] if ink.floats else height_at(height, x, y) + 0.3 * ink.width * size
        data = bpy.data.curves.new("Ink", "CURVE")
        data.dimensions, data.bevel_depth = "3D", 0.5 * ink.width * size
        data.bevel_resolution = 3
        spline = data.splines.new("POLY")
        spline.points.add(len(x) - 1)
        places = np.stack((x - 0.5, y - 0.5, z / size, np.full(len(x), 1.0 / size)), axis=1) * size
        spline.points.foreach_set("co", places.astype(np.float32).ravel())
        spline.use_cyclic_u = each.closed
        data.materials.append(material)
        obj = bpy.data.objects.new("Ink", data)
        bpy.context.scene.collection.objects.link(obj)


def _closer(x: np.ndarray, y: np.ndarray, step: float) -> tuple[np.ndarray, np.ndarray]:
    """Return the places of a chain at equal steps."""
    along = np.concatenate(([0.0], np.cumsum(np.hypot(np.diff(x), np.diff(y)))))
    at = np.linspace(0.0, along[-1], max(round(along[-1] / step), 2))
    return np.interp(at, along, x), np.interp(at, along, y)
