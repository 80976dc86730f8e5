# SPDX-License-Identifier: GPL-3.0-or-later
"""Water over a terrain, as a mesh: lakes as erosion left them, and the sea."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np
import numpy.typing as npt

from ....noise_core.base.arrays import Field
from ....noise_core.base.blocks import Cancel, Progress
from ....noise_core.base.errors import TerraneError
from ....noise_core.base.grid import Grid
from ....noise_core.materials.colors import LANDSCAPES, Landscape
from ....noise_core.water_levels import spread_levels, water_levels
from ..datablocks import compat, materials, meshes
from ..datablocks.editing import is_writable
from ..datablocks.meshes import read_attribute
from ..datablocks.ref import Ref
from ..nodetree.builder import build
from ..nodetree.node_graph import NodeGraph
from ..tasks.jobs import Work
from ..tasks.steps import Steps
from ..terrain import terrains
from ..terrain.followers import Follower
from . import parts, skies

PART, OPEN_SEA = "water", "open_sea"

LAKE = "lake"
"""Map of the depth of lakes, which erosion leaves."""

_SEA = "terrane_sea"
"""Custom property of the water: the level of the sea in meters; missing if there is none."""

_REACH = "terrane_reach"
"""Custom property of the open sea: widths of the terrain from its middle to where it begins."""

_OPEN = 60.0
"""Widths of the terrain to which the open sea reaches."""


DEPTH = "terrane_depth"
"""Attribute of a mesh of water: meters above the ground."""

_CLEAR = 0.0035
"""Depth at which the color is two thirds of the way to that of deep water, as a share of the width."""

_GUSTS, _SWELL = 9.0, 260.0
"""Patches of wind, and waves, along the width of a terrain: larger than real ones, which would be too
small to see."""

_WAVE = 3.5e-4
"""Height of waves as a share of the width."""


def write(
    context: bpy.types.Context,
    terrain: bpy.types.Object,
    sea: float | None,
    palette: str,
    *,
    is_optional: bool = False,
) -> Steps[None]:
    """Lay water over a terrain, or write that anew which is there.

    Raises
    ------
    TerraneError
        If all is dry, and water is not optional.
    """
    owner = Ref.of(terrain)
    found = yield _work(terrain, sea)
    terrain = owner.resolve()
    thing = parts.find(context.scene, PART, terrain)
    if not len(found[1]):
        if is_optional:
            return
        raise TerraneError("{} is dry: set a sea level, or let erosion leave lakes", terrain.name)
    if thing is None:
        thing = parts.add(context, PART, "Terrane Water", bpy.data.meshes.new("Terrane Water"))
        thing.parent = terrain
    if sea is None:
        thing.pop(_SEA, None)
    else:
        thing[_SEA] = sea
    WATER.finish(terrain, found)
    _write_material(context, thing, terrain, palette)


class Water(Follower):
    """The water over a terrain, made anew when the heights change."""

    key = "water"

    def state(self, terrain: bpy.types.Object) -> object:
        """Return the level of the sea; None without water."""
        water = _own(terrain).get(PART)
        return None if water is None else (water.get(_SEA), LAKE in terrain.data.attributes)

    def work(self, terrain: bpy.types.Object) -> Work:
        """Return the work that finds where water stands."""
        return _work(terrain, _own(terrain)[PART].get(_SEA))

    def write(self, terrain: bpy.types.Object, result: Any) -> None:
        """Replace the mesh of the water, and that of the sea around."""
        own = _own(terrain)
        water = own[PART]
        _write_mesh(meshes.mesh_of(water), *result)
        level = water.get(_SEA)
        if OPEN_SEA in own and level is not None:
            _write_open_sea(own[OPEN_SEA], terrain, level)


WATER = Water()


def _own(terrain: bpy.types.Object) -> dict[Any, bpy.types.Object]:
    """Return the parts of a terrain that may be changed, by name."""
    return {one.get(parts.MARK): one for one in terrain.children if is_writable(one)}


def sea_of(scene: bpy.types.Scene, terrain: bpy.types.Object) -> float | None:
    """Return the level of a terrain's sea in meters; None if it has none."""
    thing = parts.find(scene, PART, terrain)
    return None if thing is None else thing.get(_SEA)


def write_open_sea(context: bpy.types.Context, terrain: bpy.types.Object, reach: float) -> None:
    """Let the sea of a terrain go on to the horizon, from so many widths off its middle on."""
    scene = context.scene
    water = parts.find(scene, PART, terrain)
    if water is None:
        return
    thing = parts.find(scene, OPEN_SEA, terrain)
    if thing is None:
        mesh = bpy.data.meshes.new("Terrane Open Sea")
        thing = parts.add(context, OPEN_SEA, "Terrane Open Sea", mesh)
        thing.parent = terrain
        meshes.mesh_of(thing).materials.append(water.active_material)
    thing[_REACH] = reach
    _write_open_sea(thing, terrain, water[_SEA])


def remove_open_sea(scene: bpy.types.Scene, terrain: bpy.types.Object) -> None:
    """Remove the sea around a terrain."""
    if (thing := parts.find(scene, OPEN_SEA, terrain)) is not None:
        parts.remove(thing)


def _write_open_sea(thing: bpy.types.Object, terrain: bpy.types.Object, level: float) -> None:
    """Write the ring of the open sea: its hole has the terrain's shape."""
    points = meshes.positions_of(meshes.mesh_of(terrain))[:, :2]
    low, high = points.min(axis=0), points.max(axis=0)
    middle, half = 0.5 * (low + high), 0.5 * (high - low)
    ring = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], np.float32)
    inner, outer = ring * half * 2.0 * thing[_REACH], ring * half.max() * 2.0 * _OPEN
    places = np.full((8, 3), level, np.float32)
    places[:, :2] = np.concatenate([inner, outer]) + middle
    sides = [(side, 4 + side, 4 + (side + 1) % 4, (side + 1) % 4) for side in range(4)]
    deep = np.full(8, 2.0 * half.max(), np.float32)
    _write_mesh(meshes.mesh_of(thing), places, np.array(sides, np.int32), deep)


def remove(scene: bpy.types.Scene, terrain: bpy.types.Object) -> None:
    """Remove the water over a terrain."""
    remove_open_sea(scene, terrain)
    thing = parts.find(scene, PART, terrain)
    if thing is None:
        return
    material = thing.active_material
    parts.remove(thing)
    WATER.forget(terrain)
    if material is not None and material.users == 0:
        bpy.data.materials.remove(material)


Faces = npt.NDArray[np.int32]


def _work(terrain: bpy.types.Object, sea: float | None) -> Work:
    """Return the work that gives the vertices, faces and depths of the water over a terrain."""
    built, vertices = terrains.grid_points(terrain)
    grid = Grid(built.rows, built.columns, size=built.size)
    lakes = read_attribute(meshes.mesh_of(terrain), LAKE)
    held = None if lakes is None else lakes.reshape(grid.shape)

    def surface(progress: Progress, cancel: Cancel) -> tuple[meshes.Positions, Faces, Field]:
        return _surface(vertices, grid, sea, held, cancel)

    return surface


def _surface(
    vertices: meshes.Positions, grid: Grid, sea: float | None, lakes: Field | None, cancel: Cancel
) -> tuple[meshes.Positions, Faces, Field]:
    """Return the vertices, faces and depths of the water over the vertices of a terrain."""
    ground, points = vertices[..., 2], vertices.reshape(-1, 3)
    levels = spread_levels(water_levels(ground, grid, sea=sea, lakes=lakes, cancel=cancel))
    wet = np.isfinite(levels)
    whole = wet[:-1, :-1] & wet[1:, :-1] & wet[:-1, 1:] & wet[1:, 1:]
    first = np.flatnonzero(np.pad(whole, ((0, 1), (0, 1))))
    corners = np.stack([first, first + 1, first + grid.columns + 1, first + grid.columns], axis=1)
    used, faces = np.unique(corners, return_inverse=True)
    places = points[used]
    places[:, 2] = levels.reshape(-1)[used]
    depth = places[:, 2] - points[used, 2]
    return places, faces.reshape(-1, 4).astype(np.int32), depth


def _write_mesh(mesh: Any, places: meshes.Positions, faces: Faces, depth: Field) -> None:
    """Replace all of a mesh; its materials stay."""
    mesh.clear_geometry()
    mesh.vertices.add(len(places))
    mesh.loops.add(faces.size)
    mesh.polygons.add(len(faces))
    mesh.vertices.foreach_set("co", meshes.flatten(places))
    mesh.loops.foreach_set("vertex_index", faces.reshape(-1))
    starts = np.arange(0, faces.size, 4, dtype=np.int32)
    mesh.polygons.foreach_set("loop_start", starts)
    mesh.update(calc_edges=True)
    mesh.shade_smooth()
    attribute = mesh.attributes.new(DEPTH, "FLOAT", "POINT")
    attribute.data.foreach_set("value", meshes.flatten(depth))


def _write_material(
    context: bpy.types.Context, thing: bpy.types.Object, terrain: bpy.types.Object, palette: str
) -> None:
    material = materials.marked_material(thing, parts.MARK)
    if material is None:
        material = materials.new_material("Terrane Water")
        material[parts.MARK] = PART
        meshes.mesh_of(thing).materials.append(material)
    tree = compat.node_tree(material)
    tree.nodes.clear()
    build(tree, _declare_material(LANDSCAPES[palette], terrains.built_grid(terrain).size))
    skies.add_haze(context.scene, material)


def _declare_material(palette: Landscape, width: float) -> NodeGraph:
    """Declare water: clear at the shore, dark in the deep, rougher where wind meets it.

    Parameters
    ----------
    palette : Landscape
        Has the colors of shallow and of deep water.
    width : float
        Of the terrain, in meters.
    """
    graph = NodeGraph()
    position = graph.node("ShaderNodeNewGeometry")["Position"]
    depth = graph.math("MAXIMUM", graph.attribute(DEPTH), 0.0)
    clear = _CLEAR * width
    with graph.frame("Color"):
        share = 1.0 - graph.math("EXPONENT", depth * (-1.0 / clear))
        color = graph.mix(share, palette.shallow, palette.deep, "RGBA")
        alpha = graph.map_range(depth, 0.0, 0.35 * clear, 0.35, 1.0)
    with graph.frame("Waves"):
        noise = {"Vector": position, "Scale": _GUSTS / width, "Detail": 4.0, "Roughness": 0.6}
        gusts = graph.node("ShaderNodeTexNoise", dict(noise))
        roughness = graph.map_range(gusts, 0.35, 0.65, 0.06, 0.20)
        waves = {"Vector": position, "Scale": _SWELL / width, "Detail": 5.0, "Roughness": 0.62}
        swell = graph.node("ShaderNodeTexNoise", {**waves, "Distortion": 0.4})
        bumps = {"Height": swell, "Strength": 0.35, "Distance": _WAVE * width}
        normal = graph.node("ShaderNodeBump", dict(bumps))
    shader = graph.node(
        "ShaderNodeBsdfPrincipled",
        {
            "Base Color": color,
            "Roughness": roughness,
            "IOR": 1.33,
            "Alpha": alpha,
            "Normal": normal,
        },
    )
    graph.node("ShaderNodeOutputMaterial", {"Surface": shader})
    return graph
