# SPDX-License-Identifier: GPL-3.0-or-later
"""Houses with gable roofs, windows and chimneys, and a church, as faces."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from views import Color, paint

WALLS: tuple[Color, ...] = ((0.62, 0.53, 0.40), (0.55, 0.42, 0.29), (0.66, 0.60, 0.51), (0.50, 0.33, 0.21), (0.42, 0.36, 0.29))  # fmt: skip
ROOFS: tuple[Color, ...] = (
    (0.30, 0.115, 0.06),
    (0.36, 0.15, 0.08),
    (0.22, 0.10, 0.07),
    (0.26, 0.14, 0.095),
)
DARK: Color = (0.035, 0.03, 0.03)


Faces = list[tuple[list[tuple[float, float, float]], int]]


def block(low: tuple[float, ...], high: tuple[float, ...], paint: int) -> Faces:
    """Return the faces of a box."""
    corners = [(x, y, z) for z in (low[2], high[2]) for x, y in ((low[0], low[1]), (high[0], low[1]), (high[0], high[1]), (low[0], high[1]))]  # fmt: skip
    sides = ((3, 2, 1, 0), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7))
    return [([corners[corner] for corner in side], paint) for side in sides]


def roof(half: float, deep: float, eaves: float, rise: float) -> Faces:
    """Return the faces of a gable roof that overhangs, and of the gables."""
    over, out = 0.6, half + 0.5
    low = eaves - rise * over / deep
    top = eaves + rise
    faces: Faces = []
    for side in (-1.0, 1.0):
        edge = side * (deep + over)
        faces.append(([(-out, edge, low), (out, edge, low), (out, 0, top), (-out, 0, top)], 1))
        end = side * half
        faces.append(([(end, -deep, eaves), (end, deep, eaves), (end, 0, top - 0.05)], 0))
    return faces


def house_faces(house: dict[str, float]) -> Faces:
    """Return the faces of a house around its own middle, with their paints: wall, roof, dark."""
    half, deep, eaves = house["width"] / 2, house["depth"] / 2, house["wall"]
    faces = block((-half, -deep, 0), (half, deep, eaves), 0) + roof(half, deep, eaves, 0.55 * deep)
    floors = max(round(eaves / 2.9), 1)
    count = max(round(house["width"] / 3.0), 2)
    for floor in range(floors):
        for number in range(count):
            x = -half + (number + 0.5) * house["width"] / count
            z = 1.0 + floor * 2.8
            is_door = floor == 0 and number == count // 2
            low, tall = (0.0, 2.2) if is_door else (z, z + 1.3)
            faces += block((x - 0.45, -deep - 0.04, low), (x + 0.45, -deep + 0.1, tall), 2)
    if house["is_church"]:
        faces += block((-half - 5, -2.6, 0), (-half + 0.2, 2.6, 17), 0)
        x = -half - 2.4
        base = [(x - 2.9, -2.9), (x + 2.9, -2.9), (x + 2.9, 2.9), (x - 2.9, 2.9)]
        for (a, b), (c, d) in zip(base, base[1:] + base[:1]):
            faces.append(([(a, b, 17.0), (c, d, 17.0), (x, 0.0, 25.0)], 1))
        faces += block((x - 0.6, -2.7, 13), (x + 0.6, -2.5, 15.5), 2)
    else:
        faces += block((half * 0.4, deep * 0.3, eaves), (half * 0.4 + 0.8, deep * 0.3 + 0.8, eaves + 0.55 * deep + 0.9), 0)  # fmt: skip
    return faces


def placed(
    house: dict[str, float],
) -> tuple[np.ndarray, np.ndarray, list[tuple[int, ...]], list[int]]:
    """Return the corners of a house in meters, triangles, polygons of corners, and their paints."""
    corners: list[tuple[float, float, float]] = []
    polygons: list[tuple[int, ...]] = []
    slots, triangles = [], []
    for places, slot in house_faces(house):
        first = len(corners)
        polygons.append(tuple(range(first, first + len(places))))
        triangles.extend((first, first + k, first + k + 1) for k in range(1, len(places) - 1))
        corners.extend(places)
        slots.append(slot)
    cosine, sine = math.cos(house["angle"]), math.sin(house["angle"])
    turn = np.array([[cosine, sine, 0.0], [-sine, cosine, 0.0], [0.0, 0.0, 1.0]])
    vertices = np.einsum("ij,jk->ik", np.array(corners), turn)
    vertices += (house["x"], house["y"], house["base"])
    return vertices, np.array(triangles), polygons, slots


def paints() -> tuple[list[Any], list[Any], Any]:
    """Return materials of walls, of roofs and of windows."""
    walls = [paint("Wall", color) for color in WALLS]
    roofs = [paint("Roof", color, 0.75) for color in ROOFS]
    return walls, roofs, paint("Window", DARK, 0.25)


def add_house(house: dict[str, float], materials: list[Any], size: float) -> None:
    """Add a house to the scene, on a land of a width in meters whose middle is the origin."""
    import bpy

    vertices, _, polygons, slots = placed(house)
    mesh = bpy.data.meshes.new("House")
    mesh.from_pydata((vertices - (0.5 * size, 0.5 * size, 0.0)).tolist(), [], polygons)
    for material in materials:
        mesh.materials.append(material)
    mesh.polygons.foreach_set("material_index", slots)
    bpy.context.scene.collection.objects.link(bpy.data.objects.new("House", mesh))
