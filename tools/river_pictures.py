# SPDX-License-Identifier: GPL-3.0-or-later
"""Draw the pictures of drawn rivers and ridges in docs/curves.md: `python tools/river_pictures.py` writes docs/images/."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

sys.path[:0] = [str(Path(__file__).resolve().parents[1])]

from noise_core import Grid, LandCurve  # noqa: E402  (found through the path set above)
from noise_core.curves.chains import chain_of  # noqa: E402
from noise_core.modifiers import StreamErosion  # noqa: E402
from noise_core.noises import Fractal, Perlin  # noqa: E402
from tools.drawn_pictures import IMAGES, curve, normals_of, shadows  # noqa: E402
from tools.oblique import light  # noqa: E402

SIDE = 1025
SIZE = 14_000.0
PANEL = 596
INK = {"river": (28, 92, 200), "ridge": (206, 58, 30)}

WEST = curve((0.47, 0.86, 0), (0.44, 0.66, 0), (0.30, 0.50, 0), (0.26, 0.30, 0), (0.20, -0.02, 0))
EAST = curve((0.47, 0.86, 0), (0.50, 0.68, 0), (0.66, 0.54, 0), (0.70, 0.30, 0), (0.80, -0.02, 0))
BRANCH = curve((0.92, 0.62, 0), (0.84, 0.44, 0), (0.72, 0.36, 0), (0.695, 0.315, 0))
CREST = curve((0.06, 0.74, 0), (0.20, 0.62, 0), (0.36, 0.58, 0), (0.44, 0.42, 0), (0.50, 0.22, 0))


def ground(grid: Grid) -> np.ndarray:
    """Return hills that fall toward the south."""
    hills = Fractal(source=Perlin(frequency=2.3), octaves=10.0).sample_grid(grid, 21)
    rise = np.linspace(-0.35, 0.35, grid.rows, dtype=np.float32)[:, np.newaxis]
    height = (hills + rise) * np.float32(1300.0)
    return height - height.min() + np.float32(200.0)


def erode(grid: Grid, **drawn: Sequence[LandCurve]) -> tuple[np.ndarray, np.ndarray]:
    """Return the eroded hills with drawn curves, and where water flows."""
    erosion = StreamErosion(strength=0.45, talus_angle=38.0, lakes="fill", **drawn)
    relief = erosion.apply(ground(grid), grid, seed=4)
    return relief.height, relief.maps["flow"]


def grow(grid: Grid, **drawn: Sequence[LandCurve]) -> tuple[np.ndarray, np.ndarray]:
    """Return mountains that grow with drawn curves, and where water flows."""
    uplift = Fractal(source=Perlin(frequency=1.6), octaves=3.0).sample_grid(grid, 6)
    rise = np.linspace(0.35, 1.0, grid.rows, dtype=np.float32)[:, np.newaxis]
    erosion = StreamErosion(mode="grow", talus_angle=36.0, strength=0.5, **drawn)
    relief = erosion.apply((rise + 0.35 * uplift) * np.float32(600.0), grid, seed=4)
    return relief.height, relief.maps["flow"]


TINTS = np.array(
    [
        (0.50, 0.58, 0.40),
        (0.66, 0.68, 0.48),
        (0.78, 0.72, 0.56),
        (0.70, 0.64, 0.58),
        (0.92, 0.92, 0.93),
    ]
)
"""Colors of heights, from low to high."""


def panel(
    height: np.ndarray, flow: np.ndarray, lines: dict[str, Sequence[LandCurve]]
) -> Image.Image:
    """Return a land from above with its waters, and lines where curves are drawn."""
    normals = normals_of(height, SIZE)
    share = (height - height.min()) / np.ptp(height) * (len(TINTS) - 1)
    low = np.clip(share.astype(int), 0, len(TINTS) - 2)
    colors = TINTS[low] + (share - low)[..., np.newaxis] * (TINTS[low + 1] - TINTS[low])
    water = np.clip((flow - 0.60) / 0.12, 0.0, 1.0)
    wide = np.maximum.reduce([np.roll(water, by, axis) for axis in (0, 1) for by in (-1, 0, 1)])
    colors = colors + (np.array([0.22, 0.42, 0.62]) - colors) * (0.9 * wide[..., np.newaxis])
    lit = 1.25 * light(colors, normals, shadows(height, SIZE))[::-1]
    image = Image.fromarray((np.clip(lit, 0.0, 1.0) * 255.0).astype(np.uint8))
    draw = ImageDraw.Draw(image)
    for kind, curves in lines.items():
        for each in curves:
            vertices = chain_of(each, SIZE, 4.0).vertices[:, :2].tolist()
            places = [(x * (SIDE - 1), (1.0 - y) * (SIDE - 1)) for x, y in vertices]
            draw.line(places, fill=(255, 255, 255), width=8, joint="curve")
            draw.line(places, fill=INK[kind], width=5, joint="curve")
    return image.resize((PANEL, PANEL), Image.Resampling.LANCZOS)


def row(*panels: Image.Image) -> Image.Image:
    """Return pictures beside each other."""
    gap = 8
    sheet = Image.new("RGB", (len(panels) * PANEL + (len(panels) - 1) * gap, PANEL), "white")
    for number, image in enumerate(panels):
        sheet.paste(image, (number * (PANEL + gap), 0))
    return sheet


def main() -> None:
    """Write both pictures."""
    grid = Grid(SIDE, SIDE, size=SIZE)
    pulled = [panel(*erode(grid, rivers=[river]), {"river": [river]}) for river in (WEST, EAST)]
    options = {"quality": 84, "optimize": True, "progressive": True}
    row(*pulled).save(IMAGES / "curves_pulled_river.jpg", **options)
    drawn = {"rivers": [EAST, BRANCH], "ridges": [CREST]}
    land = grow(grid, **drawn)
    lines = {"river": drawn["rivers"], "ridge": drawn["ridges"]}
    row(panel(*land, lines), panel(*land, {})).save(IMAGES / "curves_ridge_rivers.jpg", **options)


if __name__ == "__main__":
    main()
