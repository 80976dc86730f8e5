# SPDX-License-Identifier: GPL-3.0-or-later
"""Bring rendered pictures and screenshots into docs/images/, small enough to keep.

Run ``tools/demo.sh``, ``tools/nox.sh -s renders`` and ``tools/test.sh -s gui`` first, then
``python tools/shrink_pictures.py build`` (needs Pillow).
"""

from __future__ import annotations

import sys
from pathlib import Path

from PIL import Image

sys.path[:0] = [str(Path(__file__).resolve().parent)]

from palettes import LOOKS  # noqa: E402  (found through the path set above)

IMAGES = Path(__file__).resolve().parents[1] / "docs" / "images"
LARGEST = 290_000
"""Bytes; pictures in the repository stay below 300 KB."""

PICTURES = {
    **{f"renders/{name}.png": f"render_{name}.jpg" for name in LOOKS},
    "demo/island.png": "hero_island.jpg",
    "demo/planet.png": "hero_planet.jpg",
    "gui/viewport_terrain.png": "panel.jpg",
    "gui_image/image_surface_dark.png": "image_editor.jpg",
    "gui_image/image_colouring.png": "image_colouring.jpg",
    "gui_nodes/nodes_clouds.png": "live_nodes.jpg",
}


def main(build: Path) -> None:
    """Save every picture that is there as a JPEG of the best quality that is small enough."""
    for source, name in PICTURES.items():
        path = build / source
        if not path.exists():
            print(f"left out: {path} is not there")
            continue
        picture = Image.open(path).convert("RGB")
        picture.thumbnail((1280, 1280), Image.Resampling.LANCZOS)
        for quality in range(92, 40, -4):
            picture.save(IMAGES / name, quality=quality, optimize=True, progressive=True)
            if (IMAGES / name).stat().st_size <= LARGEST:
                break


if __name__ == "__main__":
    main(Path(sys.argv[1]))
