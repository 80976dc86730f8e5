# SPDX-License-Identifier: GPL-3.0-or-later
"""Render the pictures of drawn land, and the film of docs/curves.md, into docs/images.

python tools/drawn_pictures.py                     # all of them, with Blender's Python module and Pillow
python tools/drawn_pictures.py stamps curves_film  # some of them
python tools/drawn_pictures.py --join stamps       # of views that were rendered already
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

TOOLS = Path(__file__).resolve().parent
sys.path[:0] = [str(TOOLS / "drawn"), str(TOOLS)]

import film  # noqa: E402  (found through the path set above)
import landforms  # noqa: E402
import measured  # noqa: E402
import ranges  # noqa: E402
import roads  # noqa: E402
import shores  # noqa: E402
import views  # noqa: E402
import village  # noqa: E402
from pixels import save_jpeg, save_small  # noqa: E402

IMAGES = TOOLS.parent / "docs" / "images"
LARGEST, LARGEST_FILM = 290_000, 1_500_000
"""Bytes; pictures in the repository stay below 300 KB."""

GAP, FRAME = 8, 3
"""Pixels between two pictures, and around one that lies on another."""

VIEWS = {
    **{**ranges.VIEWS, **shores.VIEWS, **roads.VIEWS},
    **{**landforms.VIEWS, **village.VIEWS, **measured.VIEWS, **film.VIEWS},
}


def main() -> None:
    """Render the views that pictures need, and join them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--join", action="store_true", help="take views that were rendered already")
    parser.add_argument("names", nargs="*", help=f"some of {', '.join(PICTURES)}")
    arguments = parser.parse_args()
    names = arguments.names or list(PICTURES)
    if not set(names) <= set(PICTURES):
        parser.error(f"pictures are {', '.join(PICTURES)}")
    if not arguments.join:
        views.blender_module.start()
    for name in names:
        join, parts = PICTURES[name]
        if not arguments.join:
            for part in parts:
                views.render(VIEWS[part](), part)
        images = [Image.open(views.BUILD / f"{part}.png").convert("RGB") for part in parts]
        if name == "curves_film":
            _save_film(images)
        else:
            save_jpeg(join(images), IMAGES / f"{name}.jpg", LARGEST)


def _save_film(frames: Sequence[Image.Image]) -> None:
    """Save frames, of which the first and the last one stay for a while."""
    times = [film.MILLISECONDS] * len(frames)
    times[0], times[-1] = film.HOLD, film.HOLD
    moving = {"save_all": True, "append_images": frames[1:], "duration": times, "loop": 0}
    save_small(frames[0], IMAGES / "curves_film.webp", LARGEST_FILM, method=6, **moving)


def _only(images: Sequence[Image.Image]) -> Image.Image:
    return images[0]


def _rows(columns: int, images: Sequence[Image.Image]) -> Image.Image:
    """Return pictures of one size in rows of so many."""
    width, height = images[0].size
    lines = -(-len(images) // columns)
    size = (columns * (width + GAP) - GAP, lines * (height + GAP) - GAP)
    sheet = Image.new("RGB", size, "white")
    for number, image in enumerate(images):
        row, column = divmod(number, columns)
        sheet.paste(image, (column * (width + GAP), row * (height + GAP)))
    return sheet


def _inset(images: Sequence[Image.Image]) -> Image.Image:
    """Return the second picture with the first one, smaller and framed, in its corner."""
    small, sheet = images[0], images[1].copy()
    small = small.resize((sheet.width // 3, sheet.width * small.height // small.width // 3))
    sheet.paste((255, 255, 255), (0, 0, small.width + FRAME, small.height + FRAME))
    sheet.paste(small, (0, 0))
    return sheet


def _before_after(images: Sequence[Image.Image]) -> Image.Image:
    """Return two pictures side by side that say which one is earlier."""
    font = ImageFont.load_default(size=18)
    outline = {"stroke_width": 2, "stroke_fill": (40, 40, 40)}
    for title, image in zip(("Before", "After"), images):
        ImageDraw.Draw(image).text((10, 6), title, font=font, fill="white", **outline)
    return _rows(2, images)


Join = Callable[[Sequence[Image.Image]], Image.Image]

PICTURES: dict[str, tuple[Join, tuple[str, ...]]] = {
    "curves_range": (partial(_rows, 1), ("range_before", "range_after")),
    "curves_pulled_river": (partial(_rows, 2), ("pulled_before", "pulled_after")),
    "curves_ridge_rivers": (_only, ("ridge_rivers",)),
    "curves_coast": (_inset, ("coast_before", "coast_after")),
    "curves_pass_road": (_only, ("pass_road",)),
    "curves_dam": (_only, ("dam",)),
    "curves_lake_road": (_only, ("lake_road",)),
    "curves_measured_roads": (_only, ("measured_roads",)),
    "footprints_village": (_only, ("village",)),
    "stamps": (_inset, ("stamps_before", "stamps_after")),
    "brushes": (_before_after, ("brushes_before", "brushes_after")),
    "curves_film": (_only, tuple(film.VIEWS)),
}
"""How the views of each picture are joined, and which these are."""


if __name__ == "__main__":
    main()
