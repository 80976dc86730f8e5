# SPDX-License-Identifier: GPL-3.0-or-later
"""Draw the village of docs/footprints.md, in Blender's Python module: `python tools/village_picture.py`.

The houses are objects, the ground is a recipe whose footprints are their outlines from above.
"""

from __future__ import annotations

import math
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import bpy
import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT)]

from noise_core import CurvePoint, Grid, LandCurve, Recipe, Relief  # noqa: E402
from noise_core import modifiers as shaping  # noqa: E402
from noise_core.curves.outlines import Outline, outlines_of  # noqa: E402
from noise_core.noises import Blend, Fractal, Gradient, Perlin  # noqa: E402

PICTURE = ROOT / "docs" / "images" / "footprints_village.jpg"
SIZE, SIDE = 420.0, 1201
ROWS = (-26.0, -15.5, -5.0, 5.5, 16.0)
"""Heights of the rows of houses in meters."""

Color = tuple[float, float, float]
WALLS: tuple[Color, ...] = ((0.62, 0.53, 0.40), (0.55, 0.42, 0.29), (0.66, 0.60, 0.51), (0.50, 0.33, 0.21), (0.42, 0.36, 0.29))  # fmt: skip
ROOFS: tuple[Color, ...] = (
    (0.30, 0.115, 0.06),
    (0.36, 0.15, 0.08),
    (0.22, 0.10, 0.07),
    (0.26, 0.14, 0.095),
)
DARK: Color = (0.035, 0.03, 0.03)


def hillside() -> Recipe:
    """Return the land without the village: a slope with hollows, worn by water."""
    noise = Blend(
        first=Gradient(shape="linear", angle=90.0),
        second=Fractal(source=Perlin(frequency=1.6), octaves=8.0, persistence=0.42),
        mode="add",
        factor=0.42,
    )
    layers = (noise, shaping.StreamErosion(strength=0.12, talus_angle=40.0))
    return Recipe(layers=layers, height=46.0, size=SIZE, seed=11)


def height_at(field: np.ndarray, x: float, y: float) -> float:
    """Return the height of the sample nearest to a place in meters."""
    step = SIZE / (SIDE - 1)
    return float(field[min(round(y / step), SIDE - 1), min(round(x / step), SIDE - 1)])


def row_of(field: np.ndarray, level: float) -> Iterator[tuple[float, float, float]]:
    """Yield places and directions along a contour line across the middle of the land."""
    step = SIZE / (SIDE - 1)
    places = []
    for column in range(120, SIDE - 120, 20):
        above = np.flatnonzero(field[:, column] > level)
        if len(above):
            places.append((column * step, float(above[0]) * step))
    smooth = np.array(places)
    for _ in range(3):
        smooth[1:-1, 1] = (smooth[:-2, 1] + smooth[1:-1, 1] + smooth[2:, 1]) / 3.0
    for (x, y), (before, after) in zip(smooth[1:-1], zip(smooth[:-2], smooth[2:])):
        yield float(x), float(y), math.atan2(*(after - before)[::-1])


def houses(field: np.ndarray, draw: random.Random) -> Iterator[dict[str, float]]:
    """Yield houses in rows along the slope, denser in the middle; the church stands in the third row."""
    for number, level in enumerate(ROWS):
        next_x = -1.0
        for x, y, angle in row_of(field, level + 4.4):
            far = abs(x / SIZE - 0.5)
            is_square = number == 2 and abs(x - 0.47 * SIZE) < 3.6
            is_thin = draw.random() < 3.2 * (far - 0.13) or far > 0.36
            if not is_square and (x < next_x or is_thin):
                continue
            square = abs(x - 0.47 * SIZE)
            is_church = number == 2 and square < 3.6
            if number == 2 and square < 26.0 and not is_church:
                continue
            width = 19.0 if is_church else draw.uniform(8.5, 13.0)
            depth = 10.0 if is_church else draw.uniform(7.0, 8.5)
            x, y = x + draw.uniform(-1.0, 1.0), y + draw.uniform(-1.5, 1.5)
            # Cut into the slope behind rather than raised in front, on terraces that neighbors share.
            base = height_at(field, x, y - 0.32 * depth)
            base = 1.2 * round(base / 1.2) if not is_church else base + 1.0
            yield {
                **{"x": x, "y": y, "angle": angle + draw.uniform(-0.08, 0.08), "width": width},
                **{"depth": depth, "wall": 8.0 if is_church else draw.choice((4.8, 6.2, 7.2))},
                **{"base": base, "is_church": float(is_church)},
            }
            next_x = x + width + draw.uniform(2.5, 9.0)


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


def paint(name: str, color: Color, roughness: float = 0.9) -> Any:
    """Return a plain material."""
    material = bpy.data.materials.new(name)
    if material.node_tree is None:
        material.use_nodes = True
    shader = material.node_tree.nodes["Principled BSDF"]
    shader.inputs["Base Color"].default_value = (*color, 1.0)
    shader.inputs["Roughness"].default_value = roughness
    return material


def add_house(house: dict[str, float], paints: list[Any]) -> tuple[Any, list[Outline]]:
    """Add a house to the scene; return it, and its outlines from above in meters."""
    vertices: list[tuple[float, float, float]] = []
    polygons, slots = [], []
    for corners, slot in house_faces(house):
        polygons.append(tuple(range(len(vertices), len(vertices) + len(corners))))
        vertices.extend(corners)
        slots.append(slot)
    mesh = bpy.data.meshes.new("House")
    mesh.from_pydata(vertices, [], polygons)
    for material in paints:
        mesh.materials.append(material)
    mesh.polygons.foreach_set("material_index", slots)
    obj = bpy.data.objects.new("House", mesh)
    bpy.context.scene.collection.objects.link(obj)
    obj.location = (house["x"], house["y"], house["base"])
    obj.rotation_euler.z = house["angle"]
    bpy.context.view_layer.update()
    mesh.calc_loop_triangles()
    places = np.array([obj.matrix_world @ vertex.co for vertex in mesh.vertices])
    triangles = np.array([triangle.vertices[:] for triangle in mesh.loop_triangles])
    return obj, outlines_of(places, triangles)


def lane(rows: list[tuple[float, float, float]]) -> LandCurve:
    """Return a lane through places in meters."""
    points = [CurvePoint(at=(x / SIZE, y / SIZE), width=4.2) for x, y, _ in rows]
    return LandCurve(points=points)


def lanes(field: np.ndarray) -> list[LandCurve]:
    """Return a lane before each row of houses."""
    return [
        lane([place for place in row_of(field, level) if abs(place[0] / SIZE - 0.5) < 0.43])
        for level in ROWS
    ]


def ground_colors(relief: Relief) -> np.ndarray:
    """Return the color of each sample: meadow, stone where it is steep, gravel on what is level."""
    height = relief.height.astype(np.float64)
    down, along = np.gradient(height, SIZE / (SIDE - 1))
    slope = np.hypot(down, along)[..., np.newaxis]
    grid = Grid(SIDE, SIDE, size=SIZE)
    patches = Fractal(source=Perlin(frequency=7.0), octaves=7.0).sample_grid(grid, 3)[
        ..., np.newaxis
    ]
    fine = Fractal(source=Perlin(frequency=90.0), octaves=4.0).sample_grid(grid, 4)[..., np.newaxis]
    meadow = np.array((0.105, 0.112, 0.034)) + (patches + 0.5 * fine) * np.array(
        (0.10, 0.055, 0.03)
    )
    stone = np.array((0.27, 0.235, 0.19)) * (0.8 + 0.3 * patches)
    gravel = np.array((0.40, 0.335, 0.24)) * (0.9 + 0.25 * fine)
    colors = meadow + (gravel - meadow) * relief.maps["bed"][..., np.newaxis]
    steep = np.clip((slope - 0.95) / 0.35, 0.0, 1.0)
    result: np.ndarray = np.clip(colors + (stone - colors) * steep, 0.004, 1.0)
    return result


def add_ground(relief: Relief) -> None:
    """Add the ground as a mesh with colors."""
    axis = np.linspace(0.0, SIZE, SIDE)
    x, y = np.meshgrid(axis, axis)
    vertices = np.stack((x, y, relief.height), axis=-1).reshape(-1, 3).astype(np.float32)
    first = (np.arange(SIDE - 1)[:, np.newaxis] * SIDE + np.arange(SIDE - 1)).reshape(-1, 1)
    faces = first + np.array([0, 1, SIDE + 1, SIDE])
    mesh = bpy.data.meshes.new("Ground")
    mesh.from_pydata(vertices, [], faces.tolist())
    layer = mesh.color_attributes.new("Color", "FLOAT_COLOR", "POINT")
    colors = ground_colors(relief).reshape(-1, 3)
    layer.data.foreach_set(
        "color", np.column_stack((colors, np.ones(len(colors)))).astype(np.float32).ravel()
    )
    material = paint("Ground", (0.1, 0.1, 0.1), 1.0)
    nodes = material.node_tree.nodes
    attribute = nodes.new("ShaderNodeAttribute")
    attribute.attribute_name = "Color"
    material.node_tree.links.new(
        attribute.outputs["Color"], nodes["Principled BSDF"].inputs["Base Color"]
    )
    mesh.materials.append(material)
    obj = bpy.data.objects.new("Ground", mesh)
    bpy.context.scene.collection.objects.link(obj)


def tree_models() -> list[Any]:
    """Return some trees: cypresses, and broad ones of lumps."""
    models = []
    for number, (wide, tall) in enumerate(((1.0, 6.5), (2.6, 2.6), (3.2, 2.9), (2.1, 2.2))):
        bpy.ops.mesh.primitive_ico_sphere_add(subdivisions=4, radius=1.0)
        obj = bpy.context.object
        draw = np.random.default_rng(number)
        places = np.array([vertex.co for vertex in obj.data.vertices])
        lumps = draw.normal(size=(26, 3))
        lumps /= np.linalg.norm(lumps, axis=1)[:, np.newaxis]
        near = np.einsum("ij,kj->ik", places, lumps).max(axis=1)
        places *= (0.45 + 0.55 * near**5 + draw.uniform(-0.04, 0.04, len(places)))[:, np.newaxis]
        places *= (wide, wide, tall)
        places[:, 2] += 0.8 * tall
        obj.data.vertices.foreach_set("co", places.astype(np.float32).ravel())
        green = (
            (0.028, 0.05, 0.014),
            (0.06, 0.085, 0.018),
            (0.075, 0.09, 0.03),
            (0.10, 0.105, 0.035),
        )
        obj.data.materials.append(paint("Tree", green[number]))
        bpy.context.scene.collection.objects.unlink(obj)
        models.append(obj)
    return models


def add_trees(relief: Relief, draw: random.Random) -> None:
    """Scatter trees on what is neither level nor a wall, thicker in groves."""
    models = tree_models()
    step = SIZE / (SIDE - 1)
    down, along = np.gradient(relief.height.astype(np.float64), step)
    slope = np.hypot(down, along)
    bed = np.array(relief.maps["bed"])
    groves = Fractal(source=Perlin(frequency=6.0), octaves=4.0).sample_grid(
        Grid(SIDE, SIDE, size=SIZE), 8
    )
    for _ in range(12000):
        x, y = draw.uniform(4.0, SIZE - 4.0), draw.uniform(4.0, SIZE - 4.0)
        row, column = round(y / step), round(x / step)
        around = (slice(max(row - 6, 0), row + 7), slice(max(column - 6, 0), column + 7))
        if bed[around].max() > 0.0 or slope[around].max() > 1.6:
            continue
        if draw.random() > 0.10 + 0.6 * max(float(groves[row, column]), 0.0):
            continue
        source = draw.choice(models)
        obj = bpy.data.objects.new("Tree", source.data)
        size = draw.uniform(0.55, 1.15)
        obj.location, obj.scale = (x, y, height_at(relief.height, x, y) - 0.3), (size, size, size * draw.uniform(0.85, 1.2))  # fmt: skip
        obj.rotation_euler.z = draw.uniform(0.0, 6.3)
        bpy.context.scene.collection.objects.link(obj)


def set_light_and_camera(target: tuple[float, float, float]) -> None:
    """Let the evening sun shine along the slope, and look at it from across the valley."""
    scene = bpy.context.scene
    sun: Any = bpy.data.objects.new("Sun", bpy.data.lights.new("Sun", "SUN"))
    sun.data.energy, sun.data.angle, sun.data.color = 5.2, 0.012, (1.0, 0.86, 0.68)
    sun.rotation_euler = (math.radians(62.0), 0.0, math.radians(58.0))
    scene.collection.objects.link(sun)
    world = bpy.data.worlds.new("Sky")
    if world.node_tree is None:
        world.use_nodes = True
    background = world.node_tree.nodes["Background"]
    background.inputs["Strength"].default_value = 0.75
    nodes, links = world.node_tree.nodes, world.node_tree.links
    place, parts = (nodes.new(f"ShaderNode{key}") for key in ("TexCoord", "SeparateXYZ"))
    ramp = nodes.new("ShaderNodeValToRGB")
    ramp.color_ramp.elements[0].color = (0.86, 0.80, 0.70, 1.0)
    ramp.color_ramp.elements[1].color = (0.24, 0.42, 0.78, 1.0)
    ramp.color_ramp.elements[1].position = 0.35
    links.new(place.outputs["Generated"], parts.inputs[0])
    links.new(parts.outputs["Z"], ramp.inputs[0])
    links.new(ramp.outputs["Color"], background.inputs["Color"])
    scene.world = world
    camera: Any = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    scene.collection.objects.link(camera)
    camera.data.lens = 52.0
    camera.location = (0.08 * SIZE, -0.30 * SIZE, target[2] + 96.0)
    aim = bpy.data.objects.new("Aim", None)
    scene.collection.objects.link(aim)
    aim.location = target
    look = camera.constraints.new("TRACK_TO")
    look.target, look.track_axis, look.up_axis = aim, "TRACK_NEGATIVE_Z", "UP_Y"
    scene.camera = camera


def render(path: Path, share: float, samples: int) -> None:
    """Render the scene to a JPEG below 300 KB."""
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.cycles.samples, scene.cycles.use_denoising = samples, True
    scene.render.resolution_x, scene.render.resolution_y = round(1280 * share), round(680 * share)
    scene.view_settings.view_transform = "AgX"
    scene.view_settings.look = "AgX - Medium High Contrast"
    scene.view_settings.exposure = 0.15
    scene.render.image_settings.file_format = "JPEG"
    scene.render.image_settings.quality = 86
    scene.render.filepath = str(path)
    bpy.ops.render.render(write_still=True)
    print(path, path.stat().st_size)


def main(share: float = 1.0, samples: int = 96) -> None:
    """Build the village, and render it."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    draw = random.Random(7)
    land = hillside()
    field = land.evaluate(land.grid(SIDE)).height
    walls = [paint("Wall", color) for color in WALLS]
    roofs = [paint("Roof", color, 0.75) for color in ROOFS]
    dark = paint("Window", DARK, 0.25)
    outlines: list[LandCurve] = []
    for house in houses(field, draw):
        _, rings = add_house(house, [draw.choice(walls), draw.choice(roofs), dark])
        outlines.extend(Outline(each.ring / SIZE, each.base).land_curve() for each in rings)
    ways = shaping.Path.of_kind(
        "road", curves=lanes(field), reach=7.0, cut_angle=75.0, fill_angle=75.0, grade=0.2
    )
    floors = shaping.Footprint(curves=outlines, margin=3.2, angle=80.0, reach=4.0)
    relief = Recipe(
        layers=(*land.layers, ways, floors), height=land.height, size=SIZE, seed=land.seed
    )
    result = relief.evaluate(relief.grid(SIDE))
    print(len(outlines), "outlines")
    add_ground(result)
    add_trees(result, draw)
    middle = (0.49 * SIZE, 0.56 * SIZE, height_at(result.height, 0.49 * SIZE, 0.56 * SIZE))
    set_light_and_camera(middle)
    render(PICTURE, share, samples)


if __name__ == "__main__":
    main(*(float(each) if "." in each else int(each) for each in sys.argv[1:]))
