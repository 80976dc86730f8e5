# SPDX-License-Identifier: GPL-3.0-or-later
"""Draw the small pictures of the shipped surfaces that panels show, beside their files, and the sheets of the documentation.

    python tools/surface_pictures.py [NAME ...]     # the sheets too unless some are named

Each is a sphere in the studio of `swatches.py`; all of them together take less than 100 KB (needs Pillow).
"""

from __future__ import annotations

import sys
from pathlib import Path

from PIL import Image, ImageDraw

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(Path(__file__).resolve().parent)]

import swatches  # noqa: E402  (found through the path set above)
from pixels import save_jpeg, save_small  # noqa: E402

from noise_core import Grid  # noqa: E402
from noise_core.materials.surfaces import surface, surface_names  # noqa: E402
from noise_core.materials.surfaces.library_files import FOLDER  # noqa: E402

SIDE, SHOWN = 128, 168
"""Pixels along each side of a thumbnail, and of a sphere on a sheet."""

TEXELS = 512
REPEATS = 1.2
"""Tiles around the visible half of a sphere: few, so that small things are seen."""

LARGEST, LARGEST_SHEET = 3_200, 290_000
"""Bytes of a thumbnail, and of a sheet."""

COLUMNS, ROWS, TITLE = 4, 4, 20
"""Spheres in a row and rows on a sheet, and pixels of the name below each."""


def main(names: list[str]) -> None:
    """Draw the surfaces of these names, or all and the sheets."""
    drawn = {name: draw(name) for name in names or surface_names()}
    for name, sphere in drawn.items():
        small = sphere.resize((SIDE, SIDE), Image.Resampling.LANCZOS)
        save_small(small, FOLDER / f"{name}.webp", LARGEST, method=6)
    total = sum(path.stat().st_size for path in FOLDER.glob("*.webp"))
    print(f"together: {total} bytes")
    each = COLUMNS * ROWS
    for number in range(0 if names else -(-len(drawn) // each)):
        some = dict(list(drawn.items())[number * each : (number + 1) * each])
        path = ROOT / "docs" / "images" / f"surfaces_{number + 1}.jpg"
        save_jpeg(sheet(some), path, LARGEST_SHEET)


def draw(name: str) -> Image.Image:
    """Return the sphere of a surface."""
    material = surface(name)
    textures = material.textures(
        Grid(TEXELS, TEXELS, wrap=True, size=material.size), 0, swatches.MAPS
    )
    return Image.fromarray(swatches.sphere(textures, SHOWN, REPEATS))


def sheet(drawn: dict[str, Image.Image]) -> Image.Image:
    """Return spheres in rows, their names below them."""
    rows = -(-len(drawn) // COLUMNS)
    picture = Image.new("RGB", (COLUMNS * SHOWN, rows * (SHOWN + TITLE)), "#202020")
    pen = ImageDraw.Draw(picture)
    for place, (name, sphere) in enumerate(drawn.items()):
        x, top = place % COLUMNS * SHOWN, place // COLUMNS * (SHOWN + TITLE)
        picture.paste(sphere, (x, top))
        middle = (x + SHOWN // 2, top + SHOWN + TITLE // 2)
        pen.text(middle, surface(name).label, fill="#d0d0d0", anchor="mm")
    return picture


if __name__ == "__main__":
    main(sys.argv[1:])
