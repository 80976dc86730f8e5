# SPDX-License-Identifier: GPL-3.0-or-later
"""Bring rendered pictures and screenshots into docs/images/, small enough to keep.

Run ``tools/demo.sh``, ``tools/nox.sh -s "pictures(landscapes)" "pictures(walk)"`` and ``tools/test.sh -s gui walk`` first,
then ``python tools/shrink_pictures.py build`` (needs Pillow). Panels keep their pixels, in few colors, and
the version of Blender that drew them: tests compare them. Renders keep how they were made, as the session wrote it beside
them, in the comment of the JPEG: tests compare the captions of pages with it.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from PIL import Image, ImageChops
from PIL.PngImagePlugin import PngInfo

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(Path(__file__).resolve().parent)]

from pixels import save_jpeg  # noqa: E402  (found through the path)

from noise_core.landscapes.preset_library import preset, shipped_names  # noqa: E402  (found through the path)

LANDFORMS = [name for name in shipped_names() if preset(name).group == "landforms"]
IMAGES = ROOT / "docs" / "images"
LARGEST = 290_000
"""Bytes; pictures in the repository stay below 300 KB."""

LONGEST, HERO = 1280, "hero_landscape.jpg"
"""Pixels of the longer side of all pictures but one, which keeps its own."""

PICTURES = {
    f"renders/{Path(HERO).stem}.png": HERO,
    **{f"renders/{name}.png": f"render_{name}.jpg" for name in LANDFORMS},
    "demo/planet.png": "hero_planet.jpg",
    "gui_image/image_surface_dark.png": "image_editor.jpg",
    "gui_image/image_coloring.png": "image_coloring.jpg",
    "gui_nodes/nodes_clouds.png": "live_nodes.jpg",
    **{
        f"walk_pictures/first_terrain_{step}.png": f"first_terrain_{step}.jpg"
        for step in (
            *("install", "empty", "presets", "added", "rendered", "seed"),
            *("erosion", "mask", "masked", "parts"),
        )
    },
}

MARGIN = 16
"""Pixels around the nodes of an editor, and of its border, where its handles lie."""

COLORS = 256
"""Of a panel: letters and edges stay as they are."""


def main(build: Path) -> None:
    """Save every picture that is there as a JPEG of the best quality that is small enough."""
    for source, name in PICTURES.items():
        path = build / source
        if not path.exists():
            print(f"left out: {path} is not there")
            continue
        picture = Image.open(path).convert("RGB")
        if source.startswith("gui_nodes/"):
            picture = picture.crop(_content(picture))
        if name != HERO:
            picture.thumbnail((LONGEST, LONGEST), Image.Resampling.LANCZOS)
        note = path.with_suffix(".txt")
        comment = {"comment": note.read_bytes()} if note.exists() else {}
        save_jpeg(picture, IMAGES / name, LARGEST, **comment)
    for folder in ("gui_walk", "gui_panels"):
        _keep_panels(build / folder)


def _content(picture: Image.Image) -> tuple[int, int, int, int]:
    """Return left, top, right and bottom of the contents on the plain ground of an editor, with a margin."""
    inner = picture.crop((MARGIN, MARGIN, picture.width - MARGIN, picture.height - MARGIN))
    ground = Image.new("RGB", inner.size, inner.getpixel((0, 0)))
    seen = ImageChops.difference(inner, ground).convert("L").point(lambda value: 255 * (value > 4))
    box = seen.getbbox() or (0, 0, *inner.size)
    return (box[0], box[1], box[2] + 2 * MARGIN, box[3] + 2 * MARGIN)


def _keep_panels(folder: Path) -> None:
    """Save the panel in each of its states, and which Blender drew it."""
    result = folder / "result.json"
    if not result.exists():
        print(f"left out: {result} is not there")
        return
    note = PngInfo()
    note.add_text("Blender", json.loads(result.read_text(encoding="utf-8"))["version"])
    for path in sorted(folder.glob("panel_*.png")):
        picture = Image.open(path).convert("RGB").quantize(COLORS, dither=Image.Dither.NONE)
        picture.save(IMAGES / path.name, optimize=True, pnginfo=note)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
