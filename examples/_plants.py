# SPDX-License-Identifier: GPL-3.0-or-later
"""Trees and hedges on a terrain: they say how large it is.

Woods grow in vales and where noise wants them, hedges between fields. Each tree is one of a few
shapes, a heap of leaves on a stem, its leaves pushed around by Terrane's own noise. Blender draws
every shape many times over: on each face of a mesh of small squares stands a copy, as large as the
face and turned with it.
"""

from __future__ import annotations

import math
from types import ModuleType

import _terrane
import bpy
import numpy as np
from _air import finish_in_air
from _looks import Look, Plants
from _nodes import Nodes, tree_of
from _surroundings import Land, quad_mesh
from mathutils import Matrix, Vector

_SHAPES = 5
"""Different trees."""

_PUFFS = 9
"""Clumps of leaves that a tree is made of."""

_MOST = 1_500_000
"""Places tried for hedges: on lands wider than some kilometers nobody sees the gaps."""

_SEED = 3


def add_plants(land: Land, look: Look, levels: np.ndarray) -> list[bpy.types.Object]:
    """Let trees grow on a terrain; return what was added."""
    if look.plants is None:
        return []
    places, sizes, turns = _tree_places(land, look, levels)
    material = _leaves(land, look)
    things = []
    for number in range(_SHAPES):
        chosen = slice(number, None, _SHAPES)
        stand = _stand(land, f"Trees {number + 1}", places[chosen], sizes[chosen], turns[chosen])
        tree = bpy.data.objects.new(f"Tree {number + 1}", _tree(number))
        tree.data.materials.append(material)
        bpy.context.collection.objects.link(tree)
        tree.parent = stand
        things.append(stand)
    return things


def _tree_places(
    land: Land, look: Look, levels: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return where trees stand, how high they are in meters, and how they are turned."""
    kinds = [_woods(land, look.plants), _hedges(land, look.plants)]
    x, y, heights = (np.concatenate(parts) for parts in zip(*kinds))
    (dry,) = np.nonzero(_at(levels, x, y) == -np.inf)
    x, y, heights = x[dry], y[dry], heights[dry]
    up, turns = _between(land.height, x, y), 2.0 * math.pi * _chances(1, len(x), 9)[0]
    around = range(-1, 2) if look.around == "mirror" else range(1)
    places = [
        np.stack([_mirrored(x, i) * land.width, _mirrored(y, j) * land.depth, up], axis=-1)
        for i in around
        for j in around
    ]
    return np.concatenate(places), np.tile(heights, len(places)), np.tile(turns, len(places))


def _woods(land: Land, plants: Plants) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return places of trees in woods and alone, from 0 to 1, and their heights in meters."""
    x, y, keep, size = _chances(4, plants.trees, 0)
    wanted = _at(_covered(land, plants.steepest), x, y)
    (chosen,) = np.nonzero(keep < wanted)
    # Trees at the edges of woods and those alone are smaller.
    heights = plants.height * (0.45 + 0.75 * size[chosen] * np.sqrt(wanted[chosen]))
    return x[chosen], y[chosen], heights


def _hedges(land: Land, plants: Plants) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return places of bushes between fields, from 0 to 1, and their heights in meters.

    Fields are cells of noise, pushed about; hedges follow their borders where the ground is gentle.
    """
    if plants.fields <= 0.0:
        return (np.empty(0, np.float32),) * 3
    noises = _core("noises")
    step, half = 0.3 * plants.height, 0.18 * plants.height
    tries = min(int(land.width * land.depth / (2.0 * half * step)), _MOST)
    x, y, size = _chances(3, tries, 5)
    cells = noises.Cellular(frequency=plants.fields, output="edge")
    push = noises.Fractal(source=noises.Perlin(frequency=plants.fields), octaves=2)
    fields = noises.Warp(source=cells, displacement=push, strength=0.15 / plants.fields)
    edge = fields.sample(np.stack([x, y * land.depth / land.width], axis=-1), seed=_SEED)
    low, high = cells.output_range(2)
    away = (low + (high - low) * 0.5 * (edge + 1.0)) * land.width / plants.fields
    steep = _at(_steepness(land), x, y)
    (chosen,) = np.nonzero((away < half) & (steep < 0.65 * plants.steepest))
    # Most are bushes; here and there one has grown into a tree.
    heights = plants.height * (0.24 + 0.16 * size[chosen] + 0.5 * (size[chosen] > 0.96))
    return x[chosen], y[chosen], heights


def _chances(count: int, length: int, first: int) -> list[np.ndarray]:
    """Return rows of random numbers from 0 to 1."""
    white, tries = _core("noises").White(), np.arange(length, dtype=np.float32)
    rows = (np.full_like(tries, first + row) for row in range(count))
    return [0.5 + 0.5 * white.sample(np.stack([tries, row], axis=-1), seed=_SEED) for row in rows]


def _at(values: np.ndarray, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return the samples closest to some places from 0 to 1."""
    rows, columns = values.shape
    return values[np.rint(y * (rows - 1)).astype(int), np.rint(x * (columns - 1)).astype(int)]


def _mirrored(share: np.ndarray, turn: int) -> np.ndarray:
    """Return where a place lies in some mirror image, in widths from the middle of the terrain."""
    return (0.5 - share if turn % 2 else share - 0.5) + turn


def _covered(land: Land, steepest: float) -> np.ndarray:
    """Return how likely a tree is to stand at each sample of a terrain, from 0 to 1."""
    rows, columns = land.height.shape
    # Vales lie below the mean of what is around them.
    blur = _core("modifiers.blur").Blur(radius=0.03 * land.width)
    grid = _core("base.grid").Grid(rows, columns, size=land.width)
    low = (blur.apply(land.height, grid).height - land.height) / (0.012 * land.width)
    noises = _core("noises")
    copses = noises.Fractal(source=noises.Perlin(frequency=9.0), octaves=5, persistence=0.55)
    clumps = copses.sample_grid(grid, seed=_SEED)
    dense = np.clip(1.5 * low + 5.2 * clumps - 1.1, 0.0, 1.0) ** 2
    alone = 0.012 * np.clip(1.0 + 3.0 * clumps, 0.0, 1.0)
    gentle = np.clip((steepest - _steepness(land)) / 4.0, 0.0, 1.0)
    return np.maximum(dense, alone) * gentle


def _steepness(land: Land) -> np.ndarray:
    """Return the slope at each sample of a terrain, in degrees."""
    slopes = np.gradient(land.height, land.width / (land.height.shape[1] - 1))
    return np.degrees(np.arctan(np.hypot(*slopes)))


def _between(height: np.ndarray, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return the height between samples, at places from 0 to 1."""
    rows, columns = height.shape
    row, column = y * (rows - 1), x * (columns - 1)
    low, left = np.minimum(row.astype(int), rows - 2), np.minimum(column.astype(int), columns - 2)
    up, right = row - low, column - left
    below = height[low, left] * (1.0 - right) + height[low, left + 1] * right
    above = height[low + 1, left] * (1.0 - right) + height[low + 1, left + 1] * right
    return below * (1.0 - up) + above * up


def _stand(
    land: Land, name: str, places: np.ndarray, sizes: np.ndarray, turns: np.ndarray
) -> bpy.types.Object:
    """Return a mesh of level squares on each of which Blender draws a copy of its children."""
    corners = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])
    angle = turns[:, np.newaxis] + np.arctan2(corners[:, 1], corners[:, 0])
    # A copy is as large as the root of the area of its face.
    reach = sizes[:, np.newaxis] * math.sqrt(0.5)
    points = np.stack(
        [
            places[:, :1] + reach * np.cos(angle),
            places[:, 1:2] + reach * np.sin(angle),
            np.broadcast_to(places[:, 2:], angle.shape),
        ],
        axis=-1,
    )
    faces = np.arange(points.shape[0] * 4).reshape(-1, 4)
    mesh = quad_mesh(name, points.reshape(-1, 3), faces)
    thing = bpy.data.objects.new(name, mesh)
    thing.location = land.place
    thing.instance_type, thing.use_instance_faces_scale = "FACES", True
    thing.show_instancer_for_render = thing.show_instancer_for_viewport = False
    bpy.context.collection.objects.link(thing)
    return thing


def _tree(number: int) -> bpy.types.Mesh:
    """Return the shape of a tree one unit high, on a stem."""
    import bmesh

    white = _core("noises").White()
    count = np.arange(_PUFFS, dtype=np.float32)
    chance = [
        white.sample(np.stack([count, np.full_like(count, row)], axis=-1), seed=_SEED + number)
        for row in range(4)
    ]
    built = bmesh.new()
    bmesh.ops.create_cone(
        built, segments=6, radius1=0.045, radius2=0.025, depth=0.45, cap_ends=False,
        matrix=Matrix.Translation((0.0, 0.0, 0.2)),
    )  # fmt: skip
    for x, y, z, size in zip(*chance):
        middle = Vector((0.21 * x, 0.21 * y, 0.60 + 0.20 * z))
        bmesh.ops.create_icosphere(
            built, subdivisions=3, radius=0.19 + 0.05 * size, matrix=Matrix.Translation(middle)
        )
    mesh = bpy.data.meshes.new(f"Tree {number + 1}")
    built.to_mesh(mesh)
    built.free()
    points = np.empty(len(mesh.vertices) * 3, np.float32)
    mesh.vertices.foreach_get("co", points)
    points = points.reshape(-1, 3)
    noises = _core("noises")
    ragged = noises.Fractal(source=noises.Perlin(frequency=7.0), octaves=3, persistence=0.7)
    push = np.stack([ragged.sample(points + shift, seed=_SEED) for shift in (0, 31, 57)], axis=-1)
    points += 0.16 * push * np.clip((points[:, 2:] - 0.25) * 4.0, 0.0, 1.0)
    mesh.vertices.foreach_set("co", points.reshape(-1))
    mesh.update()
    return mesh


def _leaves(land: Land, look: Look) -> bpy.types.Material:
    """Return the material of trees: one green for each, darker towards the ground."""
    material = bpy.data.materials.new("Leaves")
    nodes = Nodes(tree_of(material))
    which = (nodes.add("ShaderNodeObjectInfo"), "Random")
    _, _, up = nodes.parts((nodes.add("ShaderNodeTexCoord"), "Object"))
    stops = [
        (0.0, (0.035, 0.058, 0.014)),
        (0.6, (0.070, 0.096, 0.022)),
        (1.0, (0.135, 0.125, 0.035)),
    ]
    color = nodes.scaled(nodes.ramp(which, stops), nodes.remap(up, 0.2, 0.9, 0.45, 1.25))
    surface = nodes.add("ShaderNodeBsdfPrincipled", Roughness=0.8)
    surface.inputs["Specular IOR Level"].default_value = 0.1
    nodes.feed(color, surface, "Base Color")
    finish_in_air(
        material, look.air, (surface, "BSDF"), land.width, land.low, plain=(0.05, 0.07, 0.02)
    )
    return material


def _core(name: str) -> ModuleType:
    return _terrane.part(_terrane.load(), f"noise_core.{name}")
