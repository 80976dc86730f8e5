# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws docs/images/brushes.jpg: one stroke of each kind of brush over the same mountains.

python tools/brush_picture.py        # NumPy and Pillow
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tools")]

from oblique import Camera, light, view  # noqa: E402  (found through the path set above)
from pixels import save_jpeg  # noqa: E402

from noise_core import Recipe  # noqa: E402
from noise_core.erosion.brushes.brush import Brush  # noqa: E402
from noise_core.erosion.brushes.strokes import StrokePoint, apply_stroke  # noqa: E402

TARGET = ROOT / "docs" / "images" / "brushes.jpg"

SIZE = (480, 330)
"""Pixels of one view."""

LARGEST = 250_000
"""Bytes of the file."""

SAMPLES = 769
CROP = (slice(250, 570), slice(200, 560))
"""Rows and columns that are seen."""

WAY = [StrokePoint(x, y) for x, y in ((0.34, 0.47), (0.44, 0.53), (0.53, 0.48), (0.62, 0.52))]
KINDS = {"erode": 4, "deposit": 2, "smooth": 3, "flatten": 3, "slump": 4}
"""Kinds, and how often the stroke is drawn to and fro."""

ROCK, GRASS = np.array([0.50, 0.46, 0.42]), np.array([0.42, 0.46, 0.30])
CAMERA = Camera(north=-0.74, above=0.46, down=33.0, angle=52.0)


def draw() -> None:
    """Draw all views into one picture."""
    recipe = Recipe.from_preset("alps", seed=7)
    grid = recipe.grid(SAMPLES)
    height = recipe.evaluate(grid).height
    views = {"before": height}
    for kind, times in KINDS.items():
        brush = Brush(kind=kind, size=0.16 * grid.width, strength=0.8, angle=25.0)
        way = [point for k in range(times) for point in (WAY if k % 2 == 0 else WAY[::-1])]
        views[kind] = apply_stroke(height, grid, brush, way)
    picture = Image.new("RGB", (3 * SIZE[0], 2 * SIZE[1]))
    for number, (title, ground) in enumerate(views.items()):
        tile = _view(ground[CROP], grid.spacing, title.title())
        picture.paste(tile, (number % 3 * SIZE[0], number // 3 * SIZE[1]))
    save_jpeg(picture, TARGET, LARGEST)


def _view(height: np.ndarray, spacing: float, title: str) -> Image.Image:
    """Return the view of a piece of land, with a title."""
    down, along = np.gradient(height.astype(np.float64), spacing)
    normals = np.dstack((-along, -down, np.ones_like(height)))
    normals /= np.linalg.norm(normals, axis=2, keepdims=True)
    steep = np.clip((np.hypot(down, along) - 0.35) / 0.5, 0.0, 1.0)[..., np.newaxis]
    colors = light(GRASS * (1.0 - steep) + ROCK * steep, normals)
    width = spacing * (height.shape[1] - 1)
    image = view(height, colors, width, SIZE, CAMERA, haze=0.25)
    pen = ImageDraw.Draw(image)
    font = ImageFont.load_default(size=20)
    pen.text((12, 8), title, font=font, fill="white", stroke_width=2, stroke_fill=(40, 40, 40))
    return image


if __name__ == "__main__":
    draw()
