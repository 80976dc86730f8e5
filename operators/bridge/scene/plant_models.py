# SPDX-License-Identifier: GPL-3.0-or-later
"""Plants and stones as objects in a hidden collection, with their materials: leaves that light passes through, rough wood and stone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import bpy
import numpy as np

from ....noise_core.landscapes.plant_shapes import kinds
from ....noise_core.landscapes.plants import KINDS, Plants
from ....noise_core.landscapes.point_sets import spread_points
from ....noise_core.materials.colors import LANDSCAPES, Landscape
from ....noise_core.materials.ground.colors import expose
from ..datablocks import compat, materials, meshes
from ..datablocks.ownership import remove_unused
from ..nodetree.builder import build
from ..nodetree.node_graph import NodeGraph, Output
from ..textures.disk_cache import DiskCache
from . import parts, skies
from .plant_places import COUNT, RANK

if TYPE_CHECKING:
    from ....noise_core.landscapes.plant_shapes.shape import PlantShape

PART = "plant_model"
"""The mark of the models, of their meshes, materials and collections."""

Colors = tuple[tuple[float, float, float], tuple[float, float, float]]

_WOOD: Colors = ((0.055, 0.040, 0.028), (0.110, 0.085, 0.060))

_NEEDLES = (1.30, 1.28, 1.45)
"""Factors on the colors of a palette's woods for needles, which are a little bluer than leaves."""

_WARM, _COOL = (1.12, 1.0, 0.78), (0.80, 1.0, 1.12)
"""Factors on the colors of plants of one kind, between which each has its own."""

_DULL, _BRIGHT = 0.62, 1.40
"""The same of their brightness."""

_STANDS = 1.0 / 55.0
"""Stands of one color per meter: trees of one age and soil are alike."""

_DRY: Colors = ((0.19, 0.15, 0.075), (0.30, 0.24, 0.13))
"""Dry stalks and fallen leaves."""

_PETALS: Colors = ((0.72, 0.66, 0.60), (0.62, 0.44, 0.08))
"""White and yellow."""


def write(context: bpy.types.Context, plants: Plants, palette: str) -> bpy.types.Collection:
    """Return a new collection with the models of one terrain's plants, and the points of their places."""
    home = _new_collection("Terrane Plant Models", parts.collection(context.scene))
    home.hide_viewport = home.hide_render = True
    looks = _write_materials(context, LANDSCAPES[palette])
    cache = DiskCache.open()
    drawings = draw_all(cache)
    for kind in KINDS:
        for level, shapes in zip(LEVELS, kinds.shapes_of(kind, plants, drawings)):
            name = _name(kind, level)
            inner = _new_collection(name, home)
            for number, shape in enumerate(shapes):
                inner.objects.link(_new_object(f"{name} {number + 1}", shape, looks[kind]))
    home.objects.link(_new_places(cache))
    return home


def draw_all(cache: DiskCache) -> kinds.Variants:
    """Return the shapes of all plants. Any thread may call it."""
    (packed,) = cache.find_or_make(["plants"], lambda: [kinds.pack(kinds.draw_all())])
    return kinds.unpack(packed)


def new_models(
    context: bpy.types.Context, kind: str, shapes: Sequence[PlantShape], palette: str, size: float
) -> list[bpy.types.Object]:
    """Return new objects of some shapes of a kind, in no scene, `size` meters high."""
    looks = _write_materials(context, LANDSCAPES[palette])
    objects = []
    for number, shape in enumerate(shapes, 1):
        obj = _new_object(f"{_name(kind, '')} {number}", shape, looks[kind])
        obj.scale = (size, size, size)
        objects.append(obj)
    return objects


def remove(home: bpy.types.Collection) -> None:
    """Remove the models, with their meshes and materials unless something else uses them."""
    objects = [obj for obj in home.all_objects if obj.get(parts.MARK) == PART]
    datablocks: list[Any] = list(dict.fromkeys(obj.data for obj in objects))
    datablocks += dict.fromkeys(slot.material for obj in objects for slot in obj.material_slots)
    inner = list(home.children_recursive)
    bpy.data.batch_remove(objects)
    remove_unused(*datablocks)
    for collection in (*inner, home):
        if not collection.all_objects:
            bpy.data.collections.remove(collection)


LEVELS = ("", "light", "far")
"""Words after a kind: models near the camera, lighter ones, and groups of these."""


def find(home: bpy.types.Collection, kind: str, level: str) -> Any:
    """Return the collection of the models of a kind on one of `LEVELS`; None if there are none."""
    key = _key(kind, level)
    return next(
        (child for child in home.children if child.get(_KIND) == key and child.objects), None
    )


def places_of(home: bpy.types.Collection) -> Any:
    """Return the object with the points of a tile."""
    return next((obj for obj in home.objects if obj.get(_KIND) == RANK), None)


_KIND = "terrane_kind"
"""Custom property of a collection: the kind of plants in it."""


def _key(kind: str, level: str) -> str:
    return f"{kind} {level}".strip()


def _name(kind: str, level: str) -> str:
    return f"Terrane {_key(kind, level).title()}"


def _new_collection(name: str, home: bpy.types.Collection) -> bpy.types.Collection:
    added = bpy.data.collections.new(name)
    added[parts.MARK] = PART
    added[_KIND] = name.removeprefix("Terrane ").lower()
    home.children.link(added)
    return added


def _new_object(name: str, shape: PlantShape, looks: list[Any]) -> bpy.types.Object:
    mesh: Any = bpy.data.meshes.new(name)
    corners = shape.triangles
    mesh.vertices.add(len(shape.points))
    mesh.loops.add(corners.size)
    mesh.polygons.add(len(corners))
    mesh.polygons.foreach_set("loop_start", np.arange(0, corners.size, 3, dtype=np.int32))
    # Blender takes whole arrays of attributes at once, and asks for each number of other properties.
    arrays: dict[str, tuple[str, str, Any]] = {
        "position": ("FLOAT_VECTOR", "POINT", meshes.flatten(shape.points)),
        ".corner_vert": ("INT", "CORNER", corners.reshape(-1)),
        "material_index": ("INT", "FACE", shape.materials),
    }
    if shape.facing.any():
        arrays[FACING] = ("FLOAT_VECTOR", "POINT", meshes.flatten(shape.facing))
    for key, (kind, domain, values) in arrays.items():
        if key not in mesh.attributes:
            mesh.attributes.new(key, kind, domain)
        meshes.layer_data(mesh, key).foreach_set(meshes.FORMATS[kind][0], values)
    mesh.update(calc_edges=True)
    mesh.shade_smooth()
    for material in looks:
        mesh.materials.append(material)
    obj = _mark(bpy.data.objects.new(name, mesh))
    obj.color = looks[0].diffuse_color  # shown by versions that do not show the material's
    return obj


def _new_places(cache: DiskCache) -> bpy.types.Object:
    """Return the object with the points of a tile, and their ranks."""
    mesh: Any = bpy.data.meshes.new("Terrane Plant Places")
    (spread,) = cache.find_or_make([f"points {COUNT}"], lambda: [spread_points(COUNT).tobytes()])
    points = np.zeros((COUNT, 3), np.float32)
    points[:, :2] = np.frombuffer(spread, np.float32).reshape(COUNT, 2) - np.float32(0.5)
    mesh.vertices.add(COUNT)
    mesh.vertices.foreach_set("co", points.reshape(-1))
    rank = (np.arange(COUNT, dtype=np.float32) + np.float32(0.5)) / np.float32(COUNT)
    mesh.attributes.new(RANK, "FLOAT", "POINT").data.foreach_set("value", rank)
    obj = _mark(bpy.data.objects.new(mesh.name, mesh))
    obj[_KIND] = RANK
    return obj


def _mark(obj: bpy.types.Object) -> bpy.types.Object:
    obj[parts.MARK] = PART
    return obj


@dataclass(frozen=True)
class Bumps:
    """Bumps of a material: their number along each axis of a plant of height 1, and their depth in meters."""

    scale: tuple[float, float, float]
    deep: float


_FURROWS, _PITS = Bumps((90.0, 90.0, 14.0), 0.06), Bumps((4.0, 4.0, 6.0), 0.25)
"""Bark has furrows along the trunk, stones have layers."""

FACING = "terrane_facing"
"""Attribute of vertices with leaves; see `PlantShape.facing`."""

_BEND = 1.0
"""How much leaves are shaded as parts of their crown, beside their own normals."""

_TRANSLUCENT = 0.42
"""Share of the light on a leaf that passes through it."""

_THROUGH = (1.35, 1.5, 0.55)
"""Factors on its color: leaves absorb blue and red on the way, so those against the light are yellow green."""


_OF_KIND = {
    "conifers": ("Needles", "Bark"),
    "broadleaves": ("Leaves", "Bark"),
    "bushes": ("Shrubs", "Bark"),
    "grass": ("Grass", "Straw", "Petals", "Stones"),
    "stones": ("Stones",),
}
"""Materials of each kind, in the order of the numbers of `PlantShape.materials`."""


def _write_materials(context: bpy.types.Context, palette: Landscape) -> dict[str, list[Any]]:
    """Return the new materials of each kind, in the colors of a palette."""
    made = {
        name: _new_material(context, f"Terrane {name}", *look)
        for name, look in _looks(palette).items()
    }
    return {kind: [made[name] for name in names] for kind, names in _OF_KIND.items()}


def solid_colors(kind: str, palette: str) -> list[Any]:
    """Return the colors that Solid view shows of the materials of a kind."""
    looks = _looks(LANDSCAPES[palette])
    return [_solid_color(looks[name][0]) for name in _OF_KIND[kind]]


def _looks(palette: Landscape) -> dict[str, tuple[Colors, Bumps | None]]:
    """Return the colors and the bumps of all materials; without bumps they are leaves."""
    layers = palette.layers
    green = layers.get("woods") or layers.get("grass")
    turf, rock = layers.get("grass") or layers["soil"], layers.get("rock") or layers["soil"]
    leaves = _pair(green, 1.3) if green else ((0.05, 0.05, 0.02), (0.10, 0.09, 0.04))
    needles = _times(leaves[0], _NEEDLES), _times(leaves[1], _NEEDLES)
    return {
        "Bark": (_WOOD, _FURROWS),
        "Leaves": (leaves, None),
        "Needles": (needles, None),
        "Shrubs": (leaves if "woods" in layers else _pair(turf, 0.9), None),
        "Grass": (_pair(turf, 0.9), None),
        "Stones": (_pair(rock, 1.0), _PITS),
        "Straw": (_DRY, None),
        "Petals": (_PETALS, None),
    }


def _pair(layer: Any, scale: float) -> Colors:
    return _scale(layer.color, scale), _scale(layer.second, scale)


def _times(color: Any, factors: Any) -> tuple[float, float, float]:
    red, green, blue = (min(float(one) * factor, 1.0) for one, factor in zip(color, factors))
    return red, green, blue


def _scale(color: Any, scale: float) -> tuple[float, float, float]:
    red, green, blue = (min(float(channel) * scale, 1.0) for channel in color)
    return red, green, blue


def _new_material(
    context: bpy.types.Context, name: str, colors: Colors, rough: Bumps | None = None
) -> Any:
    material = materials.new_material(name)
    material[parts.MARK] = PART
    material.diffuse_color = _solid_color(colors)
    graph = _declare_leaves(colors) if rough is None else _declare_solid(colors, rough)
    build(compat.node_tree(material), graph)
    skies.add_haze(context.scene, material)
    return material


def _solid_color(colors: Colors) -> Any:
    """Return the color that Solid view shows, as bright as that of the land; see `ground_colors`."""
    color = np.mean(colors, axis=0, dtype=np.float32).reshape(3, 1)
    expose(color)
    return (*color[:, 0].tolist(), 1.0)


def _declare_color(graph: NodeGraph, colors: Colors) -> Output:
    """Return the color at a place: each plant has its own between two, with patches."""
    random = graph.node("ShaderNodeObjectInfo")["Random"]
    place = graph.node("ShaderNodeTexCoord")["Object"]
    patches = graph.node("ShaderNodeTexNoise", {"Vector": place, "Scale": 5.0, "Detail": 3.0})
    fine = graph.node("ShaderNodeTexNoise", {"Vector": place, "Scale": 160.0, "Detail": 2.0})
    share = graph.map_range(random * 0.6 + patches * 0.4 + fine * 0.5, 0.2, 1.3)
    color = graph.mix(share, colors[0], colors[1], "RGBA")
    # Other numbers by chance, as the first already says how far it is between the two.
    hue, value = (graph.math("FRACT", random * factor) for factor in (37.0, 149.0))
    where = graph.vector_math("SCALE", graph.node("ShaderNodeObjectInfo")["Location"], _STANDS)
    stand = graph.node("ShaderNodeTexNoise", {"Vector": where, "Scale": 1.0, "Detail": 1.0})
    hue = graph.map_range(stand, 0.3, 0.7) * 0.5 + hue * 0.5
    tint: Output = graph.mix(hue, _WARM, _COOL, "VECTOR")
    tint = graph.vector_math("SCALE", tint, graph.map_range(value, first=_DULL, last=_BRIGHT))
    return graph.vector_math("MULTIPLY", color, tint)


def _declare_solid(colors: Colors, rough: Bumps) -> NodeGraph:
    """Declare the material of wood or stone: rough, and a little darker towards the ground."""
    graph = NodeGraph()
    color = _declare_color(graph, colors)
    place = graph.node("ShaderNodeTexCoord")["Object"]
    _, _, up = graph.separate(place)
    scaled = graph.vector_math("MULTIPLY", place, rough.scale)
    noise = {"Vector": scaled, "Scale": 1.0, "Detail": 6.0, "Roughness": 0.65}
    height = graph.node("ShaderNodeTexNoise", noise)
    bump = graph.node("ShaderNodeBump", {"Height": height, "Strength": 1.0, "Distance": rough.deep})
    bright = graph.map_range(up, 0.0, 0.5, 0.75, 1.1) * graph.map_range(
        height, 0.3, 0.65, 0.55, 1.2
    )
    lit = graph.vector_math("SCALE", color, bright)
    inputs = {"Base Color": lit, "Roughness": 0.85, "Specular IOR Level": 0.15, "Normal": bump}
    graph.node(
        "ShaderNodeOutputMaterial", {"Surface": graph.node("ShaderNodeBsdfPrincipled", inputs)}
    )
    return graph


def _declare_leaves(colors: Colors) -> NodeGraph:
    """Declare the material of leaves: light passes through them, and they are shaded as parts of their crown."""
    graph = NodeGraph()
    color = _declare_color(graph, colors)
    facing = graph.node(
        "ShaderNodeAttribute", label=FACING, attribute_type="GEOMETRY", attribute_name=FACING
    )["Vector"]
    with graph.frame("Crown"):
        out = graph.node(
            "ShaderNodeVectorTransform",
            {0: facing},
            vector_type="NORMAL",
            convert_from="OBJECT",
            convert_to="WORLD",
        )
        face_normal = graph.node("ShaderNodeNewGeometry")["Normal"]
        bent = graph.vector_math("ADD", face_normal, graph.vector_math("SCALE", out, _BEND))
        normal = graph.vector_math("NORMALIZE", bent)
        bright = graph.map_range(graph.vector_math("LENGTH", facing)["Value"], 0.2, 1.0, 0.6, 2.0)
    lit = graph.vector_math("SCALE", color, bright)
    inputs = {"Base Color": lit, "Roughness": 0.7, "Specular IOR Level": 0.2, "Normal": normal}
    surface = graph.node("ShaderNodeBsdfPrincipled", inputs)
    passed = {"Color": graph.vector_math("MULTIPLY", lit, _THROUGH)}
    through = graph.node("ShaderNodeBsdfTranslucent", passed)
    mixed = graph.node("ShaderNodeMixShader", {0: _TRANSLUCENT, 1: surface, 2: through})
    graph.node("ShaderNodeOutputMaterial", {"Surface": mixed})
    return graph
