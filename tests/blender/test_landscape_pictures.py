# SPDX-License-Identifier: GPL-3.0-or-later
"""The pictures of all landscapes, as *Add Landscape* and a render make them, against stored ones.

Each Blender has its own, in ``tests/golden/landscapes/``: skies and renderers differ. After a change on
purpose, look at ``build/landscapes/`` of a failed run, and copy the pictures from there.
"""

from __future__ import annotations

import json
from pathlib import Path

import bpy
import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
VERSION = ".".join(str(one) for one in bpy.app.version[:2])
STORED = ROOT / "tests" / "golden" / "landscapes" / VERSION
MADE = ROOT / "build" / "landscapes" / VERSION

FILES = sorted((ROOT / "noise_core" / "recipes" / "presets").glob("*.json"))
PRESETS = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in FILES}
LANDFORMS = [
    name
    for name, plain in PRESETS.items()
    if not plain.get("group") and not plain.get("look", {}).get("is_flat")
]
if bpy.app.version < (5, 2):
    # Older versions have other skies and shaders, not other land: two of them show that.
    LANDFORMS = ["coast", "rolling_hills"]

BLOCK = 15
"""Pixels along the side of the blocks whose mean colors are compared: the noise of 8 samples is finer."""

MOST, MEAN = 0.08, 0.012
"""By which the mean color of a block may differ, of 1, and by which all may on average. Another seed of the
render's own noise gives 0.03 and 0.004, a sun at the horizon 0.65 and 0.43."""

pytestmark = [
    pytest.mark.module,
    pytest.mark.skipif(
        bool(bpy.app.binary_path) or not STORED.is_dir(),
        reason="pictures are stored of Blender's modules, which all have the same denoiser",
    ),
]


@pytest.mark.parametrize("name", LANDFORMS)
def test_a_landscape_looks_as_before(terrane, name):
    bpy.ops.terrane.landscape_add(preset=name, resolution=513)
    path = render(name)
    made, stored = blocks(path), blocks(STORED / path.name)
    difference = np.abs(made - stored).max(axis=-1)
    assert difference.max() <= MOST, difference.max()
    assert difference.mean() <= MEAN, difference.mean()
    path.unlink()


def render(name):
    """Render the scene, and return the file with its picture."""
    import _cycles

    scene, render = bpy.context.scene, bpy.context.scene.render
    render.engine, scene.cycles.samples = "CYCLES", 8
    scene.cycles.use_denoising = _cycles.with_openimagedenoise
    render.resolution_x, render.resolution_y, render.resolution_percentage = 240, 135, 100
    if hasattr(render.image_settings, "media_type"):
        render.image_settings.media_type = "IMAGE"
    render.image_settings.file_format, render.image_settings.quality = "JPEG", 90
    MADE.mkdir(parents=True, exist_ok=True)
    render.filepath = str(MADE / f"{name}.jpg")
    bpy.ops.render.render(write_still=True)
    return Path(render.filepath)


def blocks(path):
    """Return the mean colors of the blocks of a picture, shape (rows, columns, 3)."""
    image = bpy.data.images.load(str(path))
    columns, rows = image.size
    pixels = np.empty(rows * columns * image.channels, np.float32)
    image.pixels.foreach_get(pixels)
    colors = pixels.reshape(rows // BLOCK, BLOCK, columns // BLOCK, BLOCK, image.channels)
    bpy.data.images.remove(image)
    return colors[..., :3].mean(axis=(1, 3))
