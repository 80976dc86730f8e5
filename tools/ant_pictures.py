#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Draw the contact sheet of docs/from_ant.md: each preset of A.N.T. Landscape, as it made it and as Terrane does.

    python tools/ant_pictures.py record FOLDER     where Blender's module 4.2 is installed
    python tools/ant_pictures.py                   where Pillow is installed

`FOLDER` holds the folder ``ant_landscape`` of a Blender until 4.1, such as the one of Debian's package blender-data
3.4. Its heights go to ``build/ant_heights.npz``.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

RECORDED = ROOT / "build" / "ant_heights.npz"
OUT = ROOT / "docs" / "images" / "from_ant.jpg"
SETTINGS = ROOT / "tools" / "ant_presets.json"

SIDE = 257
"""Vertices of a landscape."""

SHOWN = 128
"""Pixels of a picture: every second vertex."""

COLUMNS, GAP, TITLE = 4, 6, 16
LARGEST = 300_000

SUN = (-0.5, 0.5, 0.7)
"""Direction to the light, from the upper left."""


def flat_presets() -> dict[str, dict[str, object]]:
    """Return the settings of all presets; those that are spheres lie flat, as they do in Terrane."""
    settings = json.loads(SETTINGS.read_text(encoding="utf-8"))
    flat = {"sphere_mesh": False, "edge_falloff": "0"}  # a sphere has no edges
    return {
        name: {**preset, **flat} if preset.get("sphere_mesh") else preset
        for name, preset in settings.items()
    }


def record(folder: str) -> None:
    """Let A.N.T. Landscape make its presets, and keep their heights."""
    sys.path.insert(0, folder)
    import ant_landscape
    import bpy

    bpy.ops.wm.read_factory_settings(use_empty=True)
    ant_landscape.register()
    heights, kinds = {}, bpy.ops.mesh.landscape_add.get_rna_type().properties
    for name, settings in flat_presets().items():
        keywords = {
            key: str(value) if kinds[key].type == "ENUM" else value
            for key, value in settings.items()
        }
        bpy.ops.mesh.landscape_add(**keywords, subdivision_x=SIDE, subdivision_y=SIDE, refresh=True)
        land = max((obj for obj in bpy.data.objects if obj.type == "MESH"), key=_vertices)
        places = np.empty(_vertices(land) * 3, np.float32)
        land.data.vertices.foreach_get("co", places)
        heights[name] = places[2::3].reshape(SIDE, SIDE).T
        for obj in list(bpy.data.objects):
            bpy.data.objects.remove(obj)
    RECORDED.parent.mkdir(exist_ok=True)
    np.savez_compressed(RECORDED, **heights)


def _vertices(obj: object) -> int:
    return len(obj.data.vertices)  # type: ignore[attr-defined]


def draw() -> None:
    """Put both pictures of each preset side by side."""
    from ant_presets import UNIT
    from PIL import Image, ImageDraw
    from pixels import image_of, save_jpeg

    from noise_core.landscapes.preset_library import load_preset
    from noise_core.recipes.preset_files import ant_label

    presets, recorded = flat_presets(), np.load(RECORDED)
    width, height = 2 * SHOWN + GAP, SHOWN + TITLE + GAP
    rows = -(-len(presets) // COLUMNS)
    sheet = Image.new("RGB", (COLUMNS * (width + GAP) - 2 * GAP, rows * height - GAP), "white")
    pen = ImageDraw.Draw(sheet)
    for number, name in enumerate(presets):
        x, y = number % COLUMNS * (width + GAP), number // COLUMNS * height
        recipe = load_preset(name)
        restored = recipe.evaluate(recipe.grid(SIDE)).height / UNIT
        pen.text((x, y + 2), ant_label(name), "black")
        for place, land in enumerate((recorded[name], restored)):
            picture = image_of(_shaded(land, recipe.size / UNIT)).convert("RGB")
            sheet.paste(picture, (x + place * (SHOWN + 1), y + TITLE))
    save_jpeg(sheet, OUT, LARGEST)


def _shaded(land: np.ndarray, size: float) -> np.ndarray:
    """Return the light of every second sample, from 0 to 1, row 0 to the south."""
    down, along = np.gradient(land.astype(np.float64), size / (SIDE - 1))
    x, y, z = SUN
    light = (z - x * along - y * down) / np.sqrt(1.0 + along**2 + down**2)
    return 0.92 * np.clip(light, 0.0, 1.0)[: 2 * SHOWN : 2, : 2 * SHOWN : 2]


if __name__ == "__main__":
    record(sys.argv[2]) if sys.argv[1:2] == ["record"] else draw()
