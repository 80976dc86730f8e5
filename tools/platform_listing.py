# SPDX-License-Identifier: GPL-3.0-or-later
"""Make what Blender's platform asks for beside the zip: texts, an icon, a featured picture and five screenshots.

    python tools/platform_listing.py FOLDER

The pictures are those of the documentation, none enlarged (needs Pillow).
"""

from __future__ import annotations

import shutil
import sys
import tomllib
from pathlib import Path

from PIL import Image, ImageDraw

ROOT = Path(__file__).resolve().parents[1]
IMAGES = ROOT / "docs" / "images"
DESCRIPTION = ROOT / "tools" / "docs" / "platform" / "description.md"

ICON, ICON_SIDE, ROUND = "preset_alps.png", 256, 40
"""The picture of the icon, its pixels, and the radius of its corners."""

FEATURED, FEATURED_SIZE = "hero_landscape.jpg", (1920, 1080)
"""The wide picture of README."""

SCREENSHOTS = {
    "screen_landscape.jpg": "A landscape, and the panel of its terrain",
    "screen_presets.jpg": "Presets are chosen by their pictures",
    "screen_river.jpg": "A river is drawn, and the erosion obeys it",
    "curves_ridge_rivers.jpg": "A ridge and rivers, drawn as curves",
    "surfaces_1.jpg": "Seamless surfaces, as materials or files",
}
"""Pictures of the documentation, and the captions that the platform shows below them."""


def main(folder: Path) -> None:
    """Write everything into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    icon().save(folder / "icon.png", optimize=True)
    with Image.open(IMAGES / FEATURED) as picture:
        if picture.size != FEATURED_SIZE:
            raise SystemExit(f"{FEATURED} must be of {FEATURED_SIZE} pixels; got {picture.size}")
    shutil.copyfile(IMAGES / FEATURED, folder / "featured.jpg")
    for number, name in enumerate(SCREENSHOTS, 1):
        shutil.copyfile(IMAGES / name, folder / f"screenshot_{number}.jpg")
    shutil.copyfile(DESCRIPTION, folder / "description.md")
    (folder / "listing.txt").write_text(listing(), encoding="utf-8", newline="\n")


def icon() -> Image.Image:
    """Return a square with round corners, outside of which there is nothing."""
    side = 4 * ICON_SIDE  # of the corners, drawn finer than they are shown
    mask = Image.new("L", (side, side))
    ImageDraw.Draw(mask).rounded_rectangle((0, 0, side - 1, side - 1), 4 * ROUND, fill=255)
    with Image.open(IMAGES / ICON) as opened:
        picture = opened.convert("RGB").resize((ICON_SIDE, ICON_SIDE), Image.Resampling.LANCZOS)
    picture.putalpha(mask.resize(picture.size, Image.Resampling.LANCZOS))
    return picture


def listing() -> str:
    """Return the short texts that the platform's form asks for, one a line."""
    manifest = tomllib.loads((ROOT / "blender_manifest.toml").read_text(encoding="utf-8"))
    lines = [f"{key}: {manifest.get(key, 'MISSING')}" for key in ("name", "tagline", "version", "maintainer", "website")]  # fmt: skip
    lines += [f"tags: {', '.join(manifest['tags'])}"]
    lines += [f"permission {name}: {text}" for name, text in manifest["permissions"].items()]
    lines += [f"screenshot_{place}.jpg: {text}" for place, text in enumerate(SCREENSHOTS.values(), 1)]  # fmt: skip
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("platform_listing.py: needs the folder to write into")
    main(Path(sys.argv[1]))
