# SPDX-License-Identifier: GPL-3.0-or-later
"""Draw the moving picture of docs/motion.md.

``python tools/motion_pictures.py`` renders its frames with Blender's Python module into ``build/motion``, and
``python tools/motion_pictures.py join``, where Pillow is installed, joins them.
"""

from __future__ import annotations

import sys

import blender_module

FRAMES, SIDE, MILLISECONDS = 50, (320, 180), 80
FOLDER = blender_module.ROOT / "build" / "motion"
OUT = blender_module.ROOT / "docs" / "images" / "motion.webp"

LARGEST = 290_000
"""Bytes; pictures in the repository stay below 300 KB."""

FLIGHT = 0.25
"""Tiles of noise that the land moves by: it comes towards the camera."""


def render() -> None:
    """Render a flight over craters."""
    blender_module.start()
    import bpy
    from mathutils import Vector

    bpy.ops.terrane.landscape_add(preset="moon", resolution=385, surroundings=False)
    scene = bpy.context.scene
    terrain = next(obj for obj in scene.objects if obj.terrane.is_terrain)
    distance = scene.camera.matrix_world.to_quaternion() @ Vector((0.0, 0.0, -1.0))
    for frame, gone in ((1, 0.0), (FRAMES, FLIGHT)):
        terrain.terrane.tile = (gone * distance.x, gone * distance.y)
        terrain.keyframe_insert("terrane.tile", frame=frame)
    scene.render.resolution_x, scene.render.resolution_y = SIDE
    scene.render.resolution_percentage = 100
    scene.render.engine, scene.cycles.samples = "CYCLES", 12
    scene.frame_start, scene.frame_end = 1, FRAMES
    scene.render.filepath = str(FOLDER / "frame")
    bpy.ops.render.render(animation=True)


def join() -> None:
    """Join the frames, in the best quality that is small enough."""
    from PIL import Image
    from pixels import save_small

    frames = [Image.open(path).convert("RGB") for path in sorted(FOLDER.glob("frame*.png"))]
    assert len(frames) == FRAMES, f"{FOLDER} holds {len(frames)} frames"
    moving = {"save_all": True, "append_images": frames[1:], "duration": MILLISECONDS, "loop": 0}
    save_small(frames[0], OUT, LARGEST, method=6, **moving)


if __name__ == "__main__":
    join() if "join" in sys.argv[1:] else render()
