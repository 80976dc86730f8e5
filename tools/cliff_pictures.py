# SPDX-License-Identifier: GPL-3.0-or-later
"""Draw the picture of the documentation of cliffs: the preset Coast without them, and with them, rendered by Blender.

python tools/cliff_pictures.py      # needs Blender's Python module and Pillow; some minutes
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tools")]

import blender_module  # noqa: E402  (found through the path set above)

PRESET, SAMPLES, WIDTH, ROWS = "coast", 16, 640, 360
LARGEST = 130_000
"""Bytes of the file."""


def main() -> None:
    """Render both, and put one above the other."""
    blender_module.start()
    from PIL import Image
    from pixels import save_jpeg

    pictures = [Image.open(render(has_cliffs)).convert("RGB") for has_cliffs in (False, True)]
    top = ROWS * 2 // 5
    sheet = Image.new("RGB", (WIDTH, 2 * (ROWS - top) + 8), "#ffffff")
    for number, picture in enumerate(pictures):
        land = picture.crop((0, top, WIDTH, ROWS))
        sheet.paste(land, (0, number * (ROWS - top + 8)))
    save_jpeg(sheet, ROOT / "docs" / "images" / "cliffs.jpg", LARGEST)


def render(has_cliffs: bool) -> Path:
    """Return the file with the picture of the preset."""
    import bpy

    bpy.ops.wm.read_homefile(use_empty=True)
    bpy.ops.terrane.landscape_add(preset=PRESET, cliffs=has_cliffs)
    scene = bpy.context.scene
    settings = scene.render
    settings.engine, scene.cycles.samples, scene.cycles.use_denoising = "CYCLES", SAMPLES, True
    settings.resolution_x, settings.resolution_y, settings.resolution_percentage = WIDTH, ROWS, 100
    if hasattr(settings.image_settings, "media_type"):
        settings.image_settings.media_type = "IMAGE"
    settings.image_settings.file_format = "PNG"
    path = ROOT / "build" / "cliffs" / f"{PRESET}_{int(has_cliffs)}.png"
    path.parent.mkdir(parents=True, exist_ok=True)
    settings.filepath = str(path)
    bpy.ops.render.render(write_still=True)
    return path


if __name__ == "__main__":
    main()
