# SPDX-License-Identifier: GPL-3.0-or-later
"""Surfaces of water: lakes as erosion left them, and a sea at height 0."""

from __future__ import annotations

from types import ModuleType

import _terrane
import bpy
import numpy as np
from _air import finish_in_air
from _looks import Look
from _nodes import Nodes, tree_of
from _surroundings import Land, quad_mesh

_SHALLOWEST = 0.5
"""Meters; what is less deep is wet ground."""


def water_levels(land: Land, look: Look) -> np.ndarray:
    """Return how high water stands, in meters, for every sample of a terrain; -inf where it is dry."""
    levels = np.full(land.height.shape, -np.inf)
    was = land.attribute("lake")
    if look.has_lakes and was is not None and was.max() >= _SHALLOWEST:
        depth = _filled(land)
        names, count = _core("rasters.connected").label_components(depth >= _SHALLOWEST, False)
        is_lake = np.zeros(count + 1, bool)
        is_lake[names[was >= _SHALLOWEST]] = True
        is_lake[count] = False
        levels = np.where(is_lake[names], land.height + depth, levels)
    if look.has_sea:
        levels = np.where(land.height < 0.0, 0.0, levels)
    return levels


def add_water(land: Land, look: Look, levels: np.ndarray) -> bpy.types.Object | None:
    """Lay water over a terrain; return it, None if all is dry."""
    if not np.isfinite(levels).any():
        return None
    return _laid("Water", land, look, _spread(levels))


def add_open_sea(land: Land, look: Look, reach: float) -> None:
    """Lay water at height 0 all around, from `reach` widths off the middle on."""
    if not look.has_sea:
        return
    inner, outer = reach * land.width, 60.0 * land.width
    ring = [(-1, -1), (1, -1), (1, 1), (-1, 1)]
    corners = [(x * size, y * size, 0.0) for size in (inner, outer) for x, y in ring]
    faces = [(side, 4 + side, 4 + (side + 1) % 4, (side + 1) % 4) for side in range(4)]
    mesh = bpy.data.meshes.new("Open Sea")
    mesh.from_pydata(corners, [], faces)
    deep = mesh.attributes.new("depth", "FLOAT", "POINT")
    deep.data.foreach_set("value", np.full(len(corners), land.width, np.float32))
    mesh.materials.append(water(land, look))
    bpy.context.collection.objects.link(bpy.data.objects.new("Open Sea", mesh))


def _filled(land: Land) -> np.ndarray:
    """Return the depth of the water that the ground as it is now holds, in meters.

    Where lakes are is what erosion has left as a map. How high they stand is found anew: gullies
    and slides that came after it may have lowered a shore.
    """
    rows, columns = land.height.shape
    grid = _core("base.grid").Grid(rows, columns, size=land.width)
    fill = _core("modifiers.fill_lakes").FillLakes(smallest=0.01 * land.width)
    return fill.apply(land.height, grid).maps["lake"]


def _core(name: str) -> ModuleType:
    return _terrane.part(_terrane.load(), f"noise_core.{name}")


def _spread(surface: np.ndarray) -> np.ndarray:
    """Return levels of water that go on by a sample under the shores."""
    wide = np.pad(surface, 1, constant_values=-np.inf)
    rows, columns = surface.shape
    around = [
        wide[row : row + rows, column : column + columns] for row in range(3) for column in range(3)
    ]
    highest = np.max(around, axis=0)
    return np.where(np.isfinite(surface), surface, highest)


def _laid(name: str, land: Land, look: Look, surface: np.ndarray) -> bpy.types.Object:
    """Return a mesh of all faces whose four corners have a level of water."""
    rows, columns = surface.shape
    wet = np.isfinite(surface)
    whole = wet[:-1, :-1] & wet[1:, :-1] & wet[:-1, 1:] & wet[1:, 1:]
    first = np.flatnonzero(np.pad(whole, ((0, 1), (0, 1))))
    faces = np.stack([first, first + 1, first + columns + 1, first + columns], axis=1)
    used, faces = np.unique(faces, return_inverse=True)
    places = land.points[used].copy()
    places[:, 2] = surface.reshape(-1)[used]
    mesh = quad_mesh(name, places, faces.reshape(-1, 4))
    mesh.shade_smooth()
    depth = mesh.attributes.new("depth", "FLOAT", "POINT")
    depth.data.foreach_set("value", (places[:, 2] - land.points[used, 2]).astype(np.float32))
    mesh.materials.append(water(land, look))
    thing = bpy.data.objects.new(name, mesh)
    thing.location = land.place
    bpy.context.collection.objects.link(thing)
    return thing


def water(land: Land, look: Look) -> bpy.types.Material:
    """Return a material of water: clear at the shore, dark in the deep, with waves and foam."""
    material = bpy.data.materials.new("Water")
    nodes = Nodes(tree_of(material))
    position = (nodes.add("ShaderNodeNewGeometry"), "Position")
    depth = nodes.math("MAXIMUM", nodes.attribute("depth"), 0.0)
    shallow, deep = look.water
    clear = look.clear * land.width
    share = nodes.inverse(nodes.math("POWER", 2.718, nodes.product(depth, -1.0 / clear)))
    color = nodes.mix(share, shallow, deep)
    gusts = nodes.noise(position, 9.0 / land.width, 4.0, Roughness=0.6)
    surface = nodes.add(
        "ShaderNodeBsdfPrincipled",
        Roughness=nodes.remap(gusts, 0.35, 0.65, 0.06, 0.20),
        IOR=1.33,
        Alpha=nodes.remap(depth, 0.0, 0.35 * clear, 0.35, 1.0),
    )
    nodes.feed(color, surface, "Base Color")
    swell = nodes.noise(position, 260.0 / land.width, 5.0, Roughness=0.62, Distortion=0.4)
    nodes.feed(nodes.bump(swell, land.width * 3.5e-4, look.waves), surface, "Normal")
    finish_in_air(material, look.air, (surface, "BSDF"), land.width, land.low, plain=deep)
    return material
