# SPDX-License-Identifier: GPL-3.0-or-later
"""Draw the picture of the page on textures by example: an example, and a seamless image of it.

python tools/example_picture.py
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from PIL import Image

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tools")]

import swatches  # noqa: E402  (found through the path set above)
from pixels import save_jpeg  # noqa: E402

from noise_core import Grid  # noqa: E402
from noise_core.materials.by_example.settings import ByExample  # noqa: E402
from noise_core.materials.surfaces import surface  # noqa: E402

EXAMPLES = ("pebbles", "moss")
SIDE, CROP, RESULT = 768, 256, 512
"""Pixels of a surface, of the part of it that is the example, and of what is made of it."""

GAP, LARGEST = 8, 170_000
"""Pixels between pictures, and bytes of the file."""


def main() -> None:
    """Draw the picture."""
    rows = []
    for name in EXAMPLES:
        material = surface(name)
        textures = material.textures(
            Grid(SIDE, SIDE, wrap=True, size=material.size), 3, swatches.MAPS
        )
        halves = swatches.swatch(textures)[: 2 * CROP, : 2 * CROP].reshape(CROP, 2, CROP, 2, 3)
        example = (halves.mean(axis=(1, 3)) + 0.5).astype(np.uint8)
        result = ByExample(sharpness=6.0).paint(example, Grid(RESULT // 2, RESULT, wrap=True), 2)
        gap = np.full((CROP, GAP, 3), 255, np.uint8)
        rows += [np.hstack((example, gap, result)), np.full((GAP, CROP + GAP + RESULT, 3), 255, np.uint8)]  # fmt: skip
    picture = Image.fromarray(np.vstack(rows[:-1]))
    save_jpeg(picture, ROOT / "docs" / "images" / "by_example.jpg", LARGEST)


if __name__ == "__main__":
    main()
