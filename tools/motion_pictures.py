# SPDX-License-Identifier: GPL-3.0-or-later
"""Draw the frames of docs/motion.md.

``python tools/motion_pictures.py`` renders them with Blender's Python module into ``build/motion``, and
``python tools/motion_pictures.py sheet``, where Pillow is installed, puts them side by side.
"""

from __future__ import annotations

import math
import sys

import blender_module

FRAMES, COLUMNS, SIDE = 50, 10, (120, 80)
FOLDER = blender_module.ROOT / "build" / "motion"
OUT = blender_module.ROOT / "docs" / "images" / "motion.jpg"


def render() -> None:
    """Render a flight over land that moves."""
    blender_module.start()
    import bpy

    bpy.ops.terrane.terrain_add(preset="rolling_hills", resolution=257, camera=True)
    scene, terrain = bpy.context.scene, bpy.context.object
    for one in list(scene.objects):  # what a new file begins with
        if one.type == "LIGHT" or one.name == "Cube":
            bpy.data.objects.remove(one)
    sun = bpy.data.objects.new("Sun", bpy.data.lights.new("Sun", "SUN"))
    sun.rotation_euler, sun.data.energy = (1.1, 0.0, 0.8), 4.0
    scene.collection.objects.link(sun)
    meadow = bpy.data.materials.new("Meadow")
    nodes = meadow.node_tree.nodes
    nodes["Principled BSDF"].inputs["Base Color"].default_value = (0.16, 0.2, 0.07, 1.0)
    terrain.data.materials.append(meadow)
    scene.world.node_tree.nodes["Background"].inputs["Color"].default_value = (0.3, 0.42, 0.6, 1)
    group = terrain.terrane
    height = group.height
    for frame, share in ((1, 0.2), (FRAMES, 1.6)):
        group.height, group.tile = height * share, (0.0, share / 4)
        terrain.keyframe_insert("terrane.height", frame=frame)
        terrain.keyframe_insert("terrane.tile", frame=frame)
    camera = scene.camera
    for frame, turn in ((1, -0.15), (FRAMES, 0.15)):
        camera.rotation_euler.z += turn * math.pi / 4
        camera.keyframe_insert("rotation_euler", frame=frame)
    scene.frame_start, scene.frame_end = 1, FRAMES
    scene.render.resolution_x, scene.render.resolution_y = SIDE
    scene.render.resolution_percentage = 100
    scene.render.engine, scene.cycles.samples = "CYCLES", 6
    scene.render.filepath = str(FOLDER / "frame")
    bpy.ops.render.render(animation=True)


def join() -> None:
    """Put the frames side by side."""
    from PIL import Image

    sheet = Image.new("RGB", (COLUMNS * SIDE[0], FRAMES // COLUMNS * SIDE[1]))
    for number, path in enumerate(sorted(FOLDER.glob("frame*.png"))):
        place = (number % COLUMNS * SIDE[0], number // COLUMNS * SIDE[1])
        with Image.open(path) as picture:
            sheet.paste(picture.convert("RGB"), place)
    sheet.save(OUT, quality=85)


if __name__ == "__main__":
    join() if "sheet" in sys.argv[1:] else render()
