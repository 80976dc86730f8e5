# SPDX-License-Identifier: GPL-3.0-or-later
"""Draw the small pictures of the shipped presets that panels show, beside the presets' files.

    python tools/preset_pictures.py [NAME ...]

They are drawn finer than they are shown, and kept as WebP, which Blender reads and few bytes hold (needs Pillow).
"""

from __future__ import annotations

import sys
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(Path(__file__).resolve().parent)]

from pixels import image_of  # noqa: E402  (found through the path set above)

from noise_core.landscapes.preset_library import (  # noqa: E402
    ANT_FOLDER,
    FOLDER,
    PLAIN,
    Preset,
    ant_names,
    preset,
    shipped_names,
)
from noise_core.pictures.thumbnail import thumbnail  # noqa: E402

SIDE = 128
FINER = 4
"""Samples that become one pixel, along each side."""

ANT_SIDE = 64
"""Pixels of presets of A.N.T. Landscape, which menus alone show."""

QUALITY = 80
"""Of WebP, from 0 to 100: side by side with the pictures without loss, at their size in panels, none looks different."""

LARGEST, ANT_LARGEST = 200_000, 50_000
"""Bytes of all of them."""


def main(names: list[str]) -> None:
    """Draw the presets of these names, or all."""
    for name in names or (*shipped_names(), PLAIN, *ant_names()):
        is_ant, shown = name in ant_names(), preset(name)
        path = (ANT_FOLDER if is_ant else FOLDER) / f"{name}.webp"
        small = draw(shown, ANT_SIDE if is_ant else SIDE, FINER)
        small.save(path, quality=QUALITY, method=6)
        print(f"{path.name}: {path.stat().st_size} bytes")
    for folder, largest in ((FOLDER, LARGEST), (ANT_FOLDER, ANT_LARGEST)):
        total = sum(path.stat().st_size for path in folder.glob("*.webp"))
        print(f"together: {total} bytes")
        if total > largest:
            raise SystemExit(f"they take more than {largest} bytes")


def draw(shown: Preset, side: int, finer: int) -> Image.Image:
    """Return the thumbnail of a preset, of so many pixels, each made of some samples along its sides."""
    grid = shown.recipe.grid(side * finer)
    relief = shown.recipe.evaluate(grid)
    colors = thumbnail(relief.height, grid, shown.look, shown.recipe.height, maps=relief.maps)
    return image_of(colors).resize((side, side), Image.Resampling.LANCZOS)


if __name__ == "__main__":
    main(sys.argv[1:])
