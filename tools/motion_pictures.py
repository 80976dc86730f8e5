# SPDX-License-Identifier: GPL-3.0-or-later
"""Draw the frames of docs/motion.md.

``python tools/motion_pictures.py`` renders them with Blender's Python module into ``build/motion``, and
``python tools/motion_pictures.py sheet``, where Pillow is installed, puts them side by side.
"""

from __future__ import annotations

import sys

import blender_module

FRAMES, COLUMNS, SIDE = 50, 10, (128, 84)
FOLDER = blender_module.ROOT / "build" / "motion"
OUT = blender_module.ROOT / "docs" / "images" / "motion.jpg"

LARGEST = 300_000

FLIGHT = 0.25
"""Tiles of noise that the land moves by: it comes towards the camera."""


def render() -> None:
    """Render a flight over land that rises while it comes nearer."""
    blender_module.start()
    import bpy
    from mathutils import Vector

    sys.path.insert(0, str(blender_module.ROOT))
    from noise_core import modifier_types

    parts = {"plants": False, "water": False}
    bpy.ops.terrane.landscape_add(preset="rolling_hills", resolution=257, **parts)
    scene = bpy.context.scene
    terrain = next(one for one in scene.objects if one.terrane.is_terrain)
    group = terrain.terrane
    # Erosion of each frame alone would not stay the same from one to the next.
    for entry in group.layers:
        entry.muted = entry.muted or entry.type in modifier_types()
    height = group.height
    away = scene.camera.matrix_world.to_quaternion() @ Vector((0.0, 0.0, -1.0))
    for frame, share in ((1, 0.35), (FRAMES, 1.4)):
        gone = FLIGHT * (frame - 1) / (FRAMES - 1)
        group.height, group.tile = height * share, (gone * away.x, gone * away.y)
        terrain.keyframe_insert("terrane.height", frame=frame)
        terrain.keyframe_insert("terrane.tile", frame=frame)
    scene.frame_start, scene.frame_end = 1, FRAMES
    scene.render.resolution_x, scene.render.resolution_y = SIDE
    scene.render.resolution_percentage = 100
    scene.render.engine, scene.cycles.samples = "CYCLES", 8
    scene.render.filepath = str(FOLDER / "frame")
    bpy.ops.render.render(animation=True)


def join() -> None:
    """Put the frames side by side."""
    from PIL import Image
    from pixels import save_jpeg

    sheet = Image.new("RGB", (COLUMNS * SIDE[0], FRAMES // COLUMNS * SIDE[1]))
    for number, path in enumerate(sorted(FOLDER.glob("frame*.png"))):
        place = (number % COLUMNS * SIDE[0], number // COLUMNS * SIDE[1])
        with Image.open(path) as picture:
            sheet.paste(picture.convert("RGB"), place)
    save_jpeg(sheet, OUT, LARGEST)


if __name__ == "__main__":
    join() if "sheet" in sys.argv[1:] else render()
